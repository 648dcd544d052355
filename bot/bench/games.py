"""The trials of whole games: seeded boards, so that every player meets the same ones and results pair up.

A game's outcome depends on its seed alone, not on who played it where or on what else was played: results are the same,
byte for byte, with any number of workers and on any cluster. A results file has one character a game, 1 won and 0 lost,
in the order of the seeds. It only ever grows at its end and never has gaps, so a trial that was stopped goes on where
it was. Two files of the same seeds pair up game by game, which shows differences far smaller than two win rates could.

The trial of the first click plays the same seeds from every cell. Boards look the same mirrored (and, when square,
turned), so that only one cell of every symmetric family is tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from pathlib import Path
from time import perf_counter
from typing import IO, BinaryIO

import numpy as np
from numpy.typing import NDArray

from bot import signals
from bot.bench import Z95, BenchError, Onlooker, nobody, wilson_interval
from bot.bench.workers import Pool, Stretch, open_pool
from bot.files import locked, read_whole
from bot.level import Level
from bot.words import AnyStrategy, Rule

SEEDS = 2**32

_GAMES_A_JOB: dict[AnyStrategy, int] = {"single": 1000, "subset": 1000, "csp": 1000, "best": 200, "deep": 2}
"""Games in one job: about a second of work, so that progress is smooth and Ctrl-C loses little."""

_GAMES_CHECKED: dict[AnyStrategy, int] = {"single": 50, "subset": 50, "csp": 50, "best": 50, "deep": 5}
"""So many games of a file to be continued are played again, to see that it is from the same trial."""


@dataclass(frozen=True)
class GamesResult:
    """The outcome of a trial; as JSON, what `minebot bench games --json` promises.

    `ms_per_game` is the time of one worker, over the games played now; None when all were in the file already.
    """

    level: str
    rows: int
    cols: int
    mines: int
    rule: Rule
    strategy: AnyStrategy
    first_click: tuple[int, int]
    games: int
    seed: int
    wins: int
    win_rate: float
    interval: tuple[float, float]
    ms_per_game: float | None
    workers: int
    rolls: int | None
    interrupted: bool
    """Whether Ctrl-C ended it; `games` then are those up to the first one missing."""


def run_games(
    level: Level,
    rule: Rule,
    strategy: AnyStrategy,
    games: int,
    seed: int,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    results: Path | None = None,
    first_click: tuple[int, int] | None = None,
    rolls: int | None = None,
    progress: Onlooker = nobody,
) -> GamesResult:
    """Play the games of the seeds `seed`, `seed` + 1, … and return how many were won.

    `rolls` is the budget of "deep" in layouts a guess, None for its own. A `results` file is continued where it ends; a
    longer one than asked for is only read. Whatever ends the trial, the file keeps every game up to the first one
    missing; Ctrl-C ends it with the result of those.

    Raises `BenchError` when the file is not from this trial or the cluster can't be reached.
    """
    from bot.solver.guess import first_click as best_first_click

    if seed + games > SEEDS:
        raise BenchError(f"seeds run up to {SEEDS - 1}, not {seed + games - 1}")
    trial = Trial(level, rule, strategy, first_click or best_first_click(level, rule), rolls)
    record = ResultsFile(results)
    if results is not None:
        _check_same_trial(trial, seed, record.outcomes, results)
    warm_up(trial)
    busy, hired, interrupted = None, 0, False
    with record.writing():
        try:
            with open_pool(workers, cluster) as pool:
                hired = pool.workers
                busy = play_on(pool, trial, seed, games, record, progress)
        except KeyboardInterrupt:
            if not record.outcomes:
                raise
            signals.obeyed()
            games, interrupted = min(games, len(record.outcomes)), True
    wins = record.outcomes[:games].count(b"1")
    return GamesResult(
        level=level.name,
        rows=level.rows,
        cols=level.cols,
        mines=level.mines,
        rule=rule,
        strategy=strategy,
        first_click=trial.first_click,
        games=games,
        seed=seed,
        wins=wins,
        win_rate=wins / games,
        interval=wilson_interval(wins, games),
        ms_per_game=busy,
        workers=hired,
        rolls=rolls,
        interrupted=interrupted,
    )


@dataclass(frozen=True)
class Trial:
    """All that an outcome depends on, besides the seed."""

    level: Level
    rule: Rule
    strategy: AnyStrategy
    first_click: tuple[int, int]
    rolls: int | None = None


def play_stretch(stretch: Stretch[Trial]) -> tuple[bytes, float]:
    """Play some games; return their outcomes as results-file characters, and the seconds they took."""
    warm_up(stretch.trial)
    start = perf_counter()
    outcomes = _play(stretch)
    return outcomes, perf_counter() - start


def play_on(
    pool: Pool, trial: Trial, seed: int, games: int, record: ResultsFile, progress: Onlooker = nobody
) -> float | None:
    """Play the games that a record lacks, into it; return the milliseconds a game took one worker, None without any."""
    begin = len(record.outcomes)
    stretches = list(_stretches(trial, seed, begin, games))
    seconds, played = 0.0, 0
    wins = record.outcomes[:games].count(b"1")
    progress(begin, games)
    for number, (outcomes, took) in pool.results(play_stretch, stretches):
        record.add(stretches[number].first_seed - seed, outcomes)
        seconds += took
        played += len(outcomes)
        wins += outcomes.count(b"1")
        done = begin + played
        low, high = wilson_interval(wins, done)
        progress(done, games, f"{100 * wins / done:.2f} % won ({100 * low:.2f}–{100 * high:.2f})")
    return 1000 * seconds / played if played else None


def _stretches(trial: Trial, seed: int, begin: int, games: int) -> Iterator[Stretch[Trial]]:
    size = _GAMES_A_JOB[trial.strategy]
    for game in range(begin, games, size):
        yield Stretch(trial, seed + game, min(size, games - game))


def _play(stretch: Stretch[Trial]) -> bytes:
    from bot.solver.kernels.game import lay_table
    from bot.solver.kernels.simulate import TUNINGS, play_games

    trial = stretch.trial
    budget = None if trial.rolls is None else TUNINGS[trial.strategy]._replace(rolls=float(trial.rolls))
    table = lay_table(trial.level, trial.rule, trial.first_click)
    played = play_games(table, trial.strategy, stretch.first_seed, stretch.games, budget)
    return bytes(played.won + ord("0"))


@lru_cache(maxsize=1)
def warm_up(trial: Trial) -> None:
    """Compile before the clock runs, once a process and trial, and before workers all start doing it at once."""
    _play(Stretch(trial, 0, 1))


def _check_same_trial(trial: Trial, seed: int, outcomes: bytes, path: Path) -> None:
    """Raise `BenchError` when a file begins with other outcomes than this trial's."""
    games = min(len(outcomes), _GAMES_CHECKED[trial.strategy])
    if games and _play(Stretch(trial, seed, games)) != outcomes[:games]:
        raise BenchError(f'"{path}" is from another trial: its first {games} games have other outcomes')


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


@dataclass(frozen=True)
class ClickResult:
    """The games begun in one cell."""

    row: int
    col: int
    wins: int
    win_rate: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class FirstClickResult:
    """The trial, best first click first; `cells` has one of each family of symmetric cells."""

    level: str
    rows: int
    cols: int
    mines: int
    rule: Rule
    strategy: AnyStrategy
    games: int
    seed: int
    cells: tuple[ClickResult, ...]

    def heat_map(self) -> NDArray[np.float64]:
        """Return the win rate of every cell, shape (rows, cols), float64; symmetric cells share theirs."""
        rates = np.full((self.rows, self.cols), np.nan)
        for cell in self.cells:
            for row, col in symmetric(self.rows, self.cols, cell.row, cell.col):
                rates[row, col] = cell.win_rate
        return rates


def run_first_clicks(
    level: Level,
    rule: Rule,
    strategy: AnyStrategy,
    games: int,
    seed: int,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Onlooker = nobody,
) -> FirstClickResult:
    """Play `games` games from every first click; `progress` is told of cells."""
    cells = representatives(level.rows, level.cols)
    found: list[ClickResult] = []
    warm_up(Trial(level, rule, strategy, cells[0]))
    with open_pool(workers, cluster) as pool:
        for row, col in cells:
            record = ResultsFile(None)
            play_on(pool, Trial(level, rule, strategy, (row, col)), seed, games, record)
            wins = record.outcomes.count(b"1")
            found.append(ClickResult(row, col, wins, wins / games, wilson_interval(wins, games)))
            progress(len(found), len(cells))
    found.sort(key=lambda cell: -cell.wins)
    return FirstClickResult(level.name, level.rows, level.cols, level.mines, rule, strategy, games, seed, tuple(found))


def symmetric(rows: int, cols: int, row: int, col: int) -> set[tuple[int, int]]:
    """Return the cells that a symmetry of the board takes one to, itself included."""
    mirrored = {(r, c) for r in (row, rows - 1 - row) for c in (col, cols - 1 - col)}
    return mirrored | {(c, r) for r, c in mirrored} if rows == cols else mirrored


def representatives(rows: int, cols: int) -> list[tuple[int, int]]:
    """Return one cell of each family of symmetric cells, the first in reading order."""
    cells = ((row, col) for row in range(rows) for col in range(cols))
    return [cell for cell in cells if cell == min(symmetric(rows, cols, *cell))]
