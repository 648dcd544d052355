"""The trial of guesses: what one player's guesses are worth beyond another's, in chance to win a game.

It sees in minutes what pairing whole games shows in days, because it only plays out the guesses at which the two
disagree (`bot.solver.kernels.difference`). A game's part depends on its seed alone: the same file grows, line by line,
with any number of workers and on any cluster; only how many games fit into the time differs.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from math import inf, sqrt
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from bot import files, signals
from bot.bench import Z95, BenchError, Onlooker, nobody
from bot.bench.games import SEEDS
from bot.bench.workers import Stretch, open_pool
from bot.board import Board, Cell
from bot.level import Level
from bot.words import Rule, Strategy

if TYPE_CHECKING:
    from bot.solver.kernels.difference import Differences
    from bot.solver.kernels.lookahead import Tuning

_GAMES_A_JOB: dict[Strategy, int] = {"csp": 20, "best": 20, "deep": 2}
"""Games in one job, by the slower of the two players: some seconds of work at most, so that time is kept."""

_GAMES_CHECKED = 5
"""So many games of a file to be continued are played again, to see that it is from the same players."""

_PHASES = ((20.0, "e^20 layouts or fewer"), (60.0, "e^20 to e^60"), (110.0, "e^60 to e^110"), (inf, "more than e^110"))
"""Phases of a game, by the logarithm of the layouts left: the end, late, the middle, the beginning."""

_LISTED = 5
"""The costliest disagreements told."""

_TELLING = 0.01
"""A disagreement is told, the first of its job, if it is surely worth this much of a game, weight included."""


@dataclass(frozen=True)
class Worth:
    """What some disagreements are worth, as a share of games, with the 95 % interval."""

    disagreements: int
    difference: float
    interval: tuple[float, float]

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.difference:+.3f} ± {50 * (high - low):.3f} points"


@dataclass(frozen=True)
class NamedWorth(Worth):
    """The disagreements of one phase, or of one way to decide."""

    name: str


@dataclass(frozen=True)
class Costly:
    """A disagreement that is surely worth much: a board to `solve`, and what the two would open there.

    `difference` is what the strategy's cell wins beyond the other's from here, with its standard error; `weight` is the
    chance to get here.
    """

    board: str
    cell: tuple[int, int]
    against: tuple[int, int]
    risk: float
    risk_against: float
    difference: float
    error: float
    weight: float

    @property
    def surely(self) -> float:
        """What it is worth at least, whichever way."""
        return self.weight * (abs(self.difference) - Z95 * self.error)


@dataclass(frozen=True)
class GuessesResult:
    """The outcome of a trial; as JSON, what `minebot bench guesses --json` promises."""

    level: str
    rows: int
    cols: int
    mines: int
    rule: Rule
    strategy: Strategy
    against: Strategy
    tuned: dict[str, float]
    tuned_against: dict[str, float]
    first_click: tuple[int, int]
    games: int
    seed: int
    guesses: int
    disagreements: int
    difference: float
    interval: tuple[float, float]
    phases: tuple[NamedWorth, ...]
    decided: tuple[NamedWorth, ...]
    costliest: tuple[Costly, ...]
    ms_per_game: float | None
    workers: int
    interrupted: bool


@dataclass(frozen=True)
class TunedStrategy:
    """Who guesses: a strategy, and which of its numbers were turned."""

    strategy: Strategy
    tuned: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, strategy: Strategy, tuned: Mapping[str, float]) -> TunedStrategy:
        """Return the player. Raises `BenchError` when a strategy has no such number to turn."""
        from bot.solver.kernels.lookahead import Tuning

        for name in tuned:
            if name not in Tuning._fields:
                raise BenchError(f'"{name}" is nothing to tune; there are {", ".join(Tuning._fields)}')
        return cls(strategy, tuple(sorted(tuned.items())))

    @property
    def tuning(self) -> Tuning:
        """All of the player's numbers."""
        from bot.solver.kernels.simulate import TUNINGS

        return TUNINGS[self.strategy]._replace(**dict(self.tuned))


@dataclass(frozen=True)
class Pair:
    """All that a game's disagreements depend on, besides the seed."""

    level: Level
    rule: Rule
    strategy: TunedStrategy
    against: TunedStrategy
    first_click: tuple[int, int]


class Disagreement(NamedTuple):
    """The game it came up in, and what `bot.solver.kernels.difference` says about it."""

    game: int
    weight: float
    difference: float
    log_layouts: float
    decided: str
    decided_against: str

    @property
    def worth(self) -> float:
        """What it adds to the difference between the players."""
        return self.weight * self.difference


@dataclass(frozen=True)
class JobDone:
    """How many games and guesses it had, every disagreement, and the one that surely is worth most."""

    games: int
    guesses: int
    found: tuple[Disagreement, ...]
    costly: Costly | None = None
    seconds: float = 0.0


def run_guesses(
    level: Level,
    rule: Rule,
    strategy: TunedStrategy,
    against: TunedStrategy,
    seconds: float,
    seed: int,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    results: Path | None = None,
    first_click: tuple[int, int] | None = None,
    progress: Onlooker = nobody,
) -> GuessesResult:
    """Play the games of the seeds `seed`, `seed` + 1, … by `strategy` for as many seconds as it is given.

    A `results` file is continued where it ends; with no seconds left to give it is only read. Whatever ends the trial,
    it keeps every job up to the first one missing; Ctrl-C ends it with the result of those. Raises `BenchError` when
    the file is not from these players or the cluster can't be reached.
    """
    from bot.solver.guess import first_click as best_first_click

    pair = Pair(level, rule, strategy, against, first_click or best_first_click(level, rule))
    record = _Record(results, pair, seed)
    record.check(pair, seed)
    _player_of(pair)  # compiles before the clock runs, and before workers all start doing it at once
    start, busy = perf_counter(), 0.0
    begin, hired, interrupted = record.games, 0, False
    try:
        with open_pool(workers, cluster) as pool:
            hired = pool.workers
            stretches = _stretches(pair, seed, begin, monotonic() + seconds)
            for number, played in pool.results(play_stretch, stretches):
                record.add(number, played)
                busy += played.seconds
                progress(round(perf_counter() - start), round(seconds), str(record.sum.difference(record.games)))
    except KeyboardInterrupt:
        if not record.games:
            raise
        signals.obeyed()
        interrupted = True
    new = record.games - begin
    if record.games == 0:
        raise BenchError("no time to play a single game")
    total = record.sum.difference(record.games)
    return GuessesResult(
        level=level.name,
        rows=level.rows,
        cols=level.cols,
        mines=level.mines,
        rule=rule,
        strategy=strategy.strategy,
        against=against.strategy,
        tuned=dict(strategy.tuned),
        tuned_against=dict(against.tuned),
        first_click=pair.first_click,
        games=record.games,
        seed=seed,
        guesses=record.guesses,
        disagreements=total.disagreements,
        difference=total.difference,
        interval=total.interval,
        phases=_parts(record, _phase, [name for _, name in _PHASES]),
        decided=_parts(record, lambda found: f"{found.decided} / {found.decided_against}"),
        costliest=tuple(sorted(record.costly, key=lambda costly: -costly.surely)[:_LISTED]),
        ms_per_game=1000 * busy / new if new else None,
        workers=hired,
        interrupted=interrupted,
    )


def play_stretch(stretch: Stretch[Pair]) -> JobDone:
    """Play some games and tell where the two disagreed."""
    from bot.solver.kernels.choosing import DECIDED
    from bot.solver.kernels.difference import (
        FOUND_CELL,
        FOUND_CELL_AGAINST,
        FOUND_DECIDED,
        FOUND_DECIDED_AGAINST,
        FOUND_DIFFERENCE,
        FOUND_ERROR,
        FOUND_LOG_LAYOUTS,
        FOUND_RISK,
        FOUND_RISK_AGAINST,
        FOUND_WEIGHT,
    )

    differences, width = _player_of(stretch.trial), stretch.trial.level.cols + 2

    def at(cell: float) -> tuple[int, int]:
        row, col = divmod(int(cell) - width - 1, width)
        return row, col

    start, guesses = perf_counter(), 0
    found: list[Disagreement] = []
    costliest: Costly | None = None
    for game in stretch.seeds:
        table, views, took = differences.game(game)
        guesses += took
        for column, view in zip(table.T.tolist(), views, strict=True):
            weight, difference = round(column[FOUND_WEIGHT], 5), round(column[FOUND_DIFFERENCE], 5)
            decided = DECIDED[int(column[FOUND_DECIDED])], DECIDED[int(column[FOUND_DECIDED_AGAINST])]
            found.append(Disagreement(game, weight, difference, round(column[FOUND_LOG_LAYOUTS], 1), *decided))
            costly = Costly(
                board=str(Board(np.where(view <= 8, view, Cell.COVERED), stretch.trial.level.mines)),
                cell=at(column[FOUND_CELL]),
                against=at(column[FOUND_CELL_AGAINST]),
                risk=round(column[FOUND_RISK], 4),
                risk_against=round(column[FOUND_RISK_AGAINST], 4),
                difference=difference,
                error=round(column[FOUND_ERROR], 5),
                weight=weight,
            )
            if costly.surely > (_TELLING if costliest is None else costliest.surely):
                costliest = costly
    return JobDone(stretch.games, guesses, tuple(found), costliest, perf_counter() - start)


def _player_of(pair: Pair) -> Differences:
    """Return what plays a pair's games, compiled: one a thread, as a cluster's worker may have several."""
    from bot.solver.kernels.difference import Differences
    from bot.solver.kernels.game import lay_table

    kept: tuple[Pair, Differences] | None = getattr(_local, "kept", None)
    if kept is None or kept[0] != pair:
        table = lay_table(pair.level, pair.rule, pair.first_click)
        differences = Differences(table, pair.strategy.tuning, pair.against.tuning)
        differences.game(0)
        kept = _local.kept = pair, differences
    return kept[1]


_local = threading.local()


def _stretches(pair: Pair, seed: int, begin: int, deadline: float) -> Iterator[Stretch[Pair]]:
    """Yield jobs until the time is over; those handed out are finished all the same, so that slow ones count too."""
    size = min(_GAMES_A_JOB[player.strategy] for player in (pair.strategy, pair.against))
    while monotonic() < deadline and seed + begin + size <= SEEDS:
        yield Stretch(pair, seed + begin, size)
        begin += size


class _Record:
    """Jobs as they come in, in any order, summed up and written in the order of the seeds."""

    def __init__(self, path: Path | None, pair: Pair, seed: int) -> None:
        self._path = path
        self._early: dict[int, JobDone] = {}
        self._next = 0
        self._size = 0
        self._head = {
            "level": str(pair.level),
            "rule": pair.rule,
            "strategy": asdict(pair.strategy),
            "against": asdict(pair.against),
            "first_click": pair.first_click,
            "seed": seed,
        }
        self.games = self.guesses = 0
        self.sum = _Sum()
        self.found: list[Disagreement] = []
        self.costly: list[Costly] = []
        if path is None:
            return
        try:
            documents = [document for _, document in files.read_lines(path)] if path.exists() else []
            if not documents:
                files.append_line(path, self._head)
        except OSError as error:
            raise BenchError(f'can\'t use "{path}": {error.strerror}') from error
        if documents and documents[0] != json.loads(json.dumps(self._head)):
            raise BenchError(f'"{path}" is from another trial: it begins with {documents[0]}')
        for document in documents[1:]:
            self._take(_played_from(document, path))
        self._size = path.stat().st_size

    def check(self, pair: Pair, seed: int) -> None:
        """Raise `BenchError` when a file's first games went otherwise than they do now: a player has changed."""
        games = min(self.games, _GAMES_CHECKED)
        if games:
            again = play_stretch(Stretch(pair, seed, games)).found
            before = [found for found in self.found if found.game < seed + games]
            if list(again) != before:
                raise BenchError(f'"{self._path}" is from other players: its first {games} games went otherwise')

    def add(self, number: int, played: JobDone) -> None:
        """Take a job's result; write it as soon as there is no gap before it."""
        self._early[number] = played
        while (ready := self._early.pop(self._next, None)) is not None:
            self._next += 1
            self._take(ready)
            if self._path is not None:
                document = {"games": ready.games, "guesses": ready.guesses, "found": ready.found}
                costly = None if ready.costly is None else asdict(ready.costly)
                try:
                    if self._path.stat().st_size != self._size:
                        raise BenchError(f'another trial writes to "{self._path}": let it end, or name another file')
                    files.append_line(self._path, document | {"costly": costly})
                    self._size = self._path.stat().st_size
                except OSError as error:
                    raise BenchError(f'can\'t write "{self._path}": {error.strerror}') from error

    def _take(self, played: JobDone) -> None:
        self.games += played.games
        self.guesses += played.guesses
        self.sum.add(played.found)
        self.found += played.found
        if played.costly is not None:
            self.costly.append(played.costly)


def _played_from(document: Any, path: Path) -> JobDone:
    """Return the job on a line of a results file. Raises `BenchError` when it is none."""
    try:
        costly = document["costly"]
        if costly is not None:
            costly = Costly(**costly | {"cell": tuple(costly["cell"]), "against": tuple(costly["against"])})
        found = tuple(Disagreement(*values) for values in document["found"])
        return JobDone(int(document["games"]), int(document["guesses"]), found, costly)
    except (KeyError, TypeError, ValueError) as error:
        raise BenchError(f'"{path}" is not a file of guesses: {error}') from error


class _Sum:
    """What disagreements are worth in all; games differ from each other by as much as they do."""

    def __init__(self) -> None:
        self._count, self._total, self._squares = 0, 0.0, 0.0

    def add(self, found: Iterable[Disagreement]) -> None:
        """Add all the disagreements of some games."""
        by_game: dict[int, float] = {}
        for disagreement in found:
            self._count += 1
            by_game[disagreement.game] = by_game.get(disagreement.game, 0.0) + disagreement.worth
        self._total += sum(by_game.values())
        self._squares += sum(worth * worth for worth in by_game.values())

    def difference(self, games: int) -> Worth:
        """Return the mean a game, of those without a disagreement too."""
        mean = self._total / games if games else 0.0
        half = Z95 * sqrt(max(self._squares / games - mean * mean, 0.0) / games) if games else inf
        return Worth(self._count, mean, (mean - half, mean + half))


def _parts(
    record: _Record, name_of: Callable[[Disagreement], str], names: Iterable[str] = ()
) -> tuple[NamedWorth, ...]:
    """Return what the disagreements of every name are worth; those without a given order, the most first."""
    groups: dict[str, list[Disagreement]] = {name: [] for name in names}
    ordered = bool(groups)
    for found in record.found:
        groups.setdefault(name_of(found), []).append(found)
    parts = []
    for name, group in groups.items():
        worth = _Sum()
        worth.add(group)
        parts.append(NamedWorth(**asdict(worth.difference(record.games)), name=name))
    return tuple(parts if ordered else sorted(parts, key=lambda part: -abs(part.difference)))


def _phase(found: Disagreement) -> str:
    return next(name for most, name in _PHASES if found.log_layouts <= most)
