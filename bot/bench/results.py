"""The results file of a trial: one character a game, 1 won and 0 lost, in the order of the seeds.

It only ever grows at its end and never has gaps, so a trial that was stopped goes on where it was. Two files of the
same seeds pair up game by game, which shows differences far smaller than two win rates could.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import IO, BinaryIO

from bot.bench import BenchError
from bot.files import locked, read_whole
from bot.interval import Z95, wilson_interval

LARGEST_FILE = 1_000_000_000
"""Bytes, one a game; a year of games has fewer."""


def read_results(path: Path) -> bytes:
    """Return the games in a results file, none when it is not there. Raises `BenchError` when it is anything else."""
    try:
        outcomes = read_whole(path, LARGEST_FILE)
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise BenchError(f'can\'t read "{path}": {error.strerror}') from error
    if outcomes.strip(b"01"):
        raise BenchError(f'"{path}" is not a results file: it holds other characters than 0 and 1')
    return outcomes


class ResultsFile:
    """Games as they come in, in any order, written in the order of the seeds. Without a path they are only kept."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._early: dict[int, bytes] = {}
        self.outcomes = b"" if path is None else read_results(path)

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Hold the file open, if there is one. Raises `BenchError` when it can't be written or another trial does."""
        if self._path is None:
            yield
            return
        try:
            self._file = self._path.open("ab")
        except OSError as error:
            raise BenchError(f'can\'t write "{self._path}": {error.strerror}') from error
        with self._file, _alone(self._file, self._path):
            if self._path.stat().st_size != len(self.outcomes):
                raise BenchError(f'another trial has written to "{self._path}" just now: start again to go on with it')
            yield

    def add(self, first_game: int, outcomes: bytes) -> None:
        """Take the outcomes of consecutive games; write them as soon as there is no gap before them."""
        self._early[first_game] = outcomes
        while (ready := self._early.pop(len(self.outcomes), None)) is not None:
            self.outcomes += ready
            if self._file is not None:
                self._file.write(ready)
                self._file.flush()


@contextmanager
def _alone(file: IO[bytes], path: Path) -> Iterator[None]:
    """Keep other trials from writing to a file of results. Raises `BenchError` when one does already."""
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(file.fileno(), wait=False))
        except OSError as error:
            raise BenchError(f'another trial writes to "{path}": let it end, or name another file') from error
        yield


@dataclass(frozen=True)
class Comparison:
    """Two players on the same games. `difference` is second minus first, as a share, with its 95 % interval."""

    games: int
    wins: tuple[int, int]
    win_rates: tuple[float, float]
    intervals: tuple[tuple[float, float], tuple[float, float]]
    only_first: int
    only_second: int
    difference: float
    difference_interval: tuple[float, float]


def compare(first: Path, second: Path) -> Comparison:
    """Pair two results files of the same seeds, over the games that both have. Raises `BenchError` without any."""
    left, right = read_results(first), read_results(second)
    games = min(len(left), len(right))
    if games == 0:
        raise BenchError(f'"{first if not left else second}" holds no games')
    left, right = left[:games], right[:games]
    wins = left.count(b"1"), right.count(b"1")
    only_first = sum(a > b for a, b in zip(left, right, strict=True))
    only_second = sum(a < b for a, b in zip(left, right, strict=True))
    difference = (only_second - only_first) / games
    # A pair scores −1, 0 or +1: the variance of their mean, from the pairs that differ.
    half = Z95 * sqrt(((only_first + only_second) / games - difference**2) / games)
    return Comparison(
        games=games,
        wins=wins,
        win_rates=(wins[0] / games, wins[1] / games),
        intervals=(wilson_interval(wins[0], games), wilson_interval(wins[1], games)),
        only_first=only_first,
        only_second=only_second,
        difference=difference,
        difference_interval=(difference - half, difference + half),
    )
