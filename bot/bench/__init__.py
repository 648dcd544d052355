"""Trials: how often the solver wins, how fast it counts, how far it gets on ever denser boards.

Every trial is a function that returns a plain dataclass and tells a callback how far it is; nothing here prints or
parses a command line. Work is cut into jobs that run in this process, on all cores or on a Dask cluster alike (`pool`).
"""

from __future__ import annotations

from bot.errors import MinebotError


class BenchError(MinebotError):
    """A file or a cluster that a trial can't work with; the message names it."""
