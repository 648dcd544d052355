"""Trials: how often the solver wins, how fast it counts, how far it gets on ever denser boards.

Every trial is a function that returns a plain dataclass and tells a callback how far it is; nothing here prints or
parses a command line. Work is cut into jobs that run in this process, on all cores or on a Dask cluster alike
(`workers.py`).
"""

from __future__ import annotations

from math import sqrt
from typing import Protocol

from bot.errors import MinebotError


class BenchError(MinebotError):
    """A file or a cluster that a trial can't work with; the message names it."""


class Onlooker(Protocol):
    """Who is told how far a trial is, and in a few words how it goes."""

    def __call__(self, done: int, of: int, remark: str = "") -> None:
        """Take notice of it."""


def nobody(done: int, of: int, remark: str = "") -> None:
    """Take no notice."""


Z95 = 1.959963984540054
"""Standard deviations that hold 95 % of a normal distribution."""


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a win rate; (0, 1) when nothing was played."""
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    scale = 1 + Z95**2 / games
    centre = (rate + Z95**2 / (2 * games)) / scale
    half = Z95 * sqrt(rate * (1 - rate) / games + Z95**2 / (4 * games**2)) / scale
    return max(centre - half, 0.0), min(centre + half, 1.0)
