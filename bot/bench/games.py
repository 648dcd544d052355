"""The trial of whole games: seeded boards, so that every player meets the same ones and results pair up.

A game's outcome depends on its seed alone, not on who played it where or on what else was played: results are the same,
byte for byte, with any number of workers and on any cluster.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter

from bot import signals
from bot.bench import BenchError
from bot.bench.results import ResultsFile
from bot.bench.workers import Pool, open_pool
from bot.interval import wilson_interval
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


@dataclass(frozen=True)
class GamesSoFar:
    """How far a trial is."""

    done: int
    games: int
    wins: int

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the win rate so far."""
        return wilson_interval(self.wins, self.done)


Progress = Callable[[GamesSoFar], None]


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
    progress: Progress | None = None,
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


@dataclass(frozen=True)
class Stretch:
    """A job: consecutive games of a trial."""

    trial: Trial
    first_seed: int
    games: int


def play_stretch(stretch: Stretch) -> tuple[bytes, float]:
    """Play some games; return their outcomes as results-file characters, and the seconds they took."""
    warm_up(stretch.trial)
    start = perf_counter()
    outcomes = _play(stretch)
    return outcomes, perf_counter() - start


def play_on(
    pool: Pool, trial: Trial, seed: int, games: int, record: ResultsFile, progress: Progress | None
) -> float | None:
    """Play the games that a record lacks, into it; return the milliseconds a game took one worker, None without any."""
    begin = len(record.outcomes)
    stretches = list(_stretches(trial, seed, begin, games))
    seconds, played = 0.0, 0
    wins = record.outcomes[:games].count(b"1")
    for number, (outcomes, took) in pool.results(play_stretch, stretches):
        record.add(stretches[number].first_seed - seed, outcomes)
        seconds += took
        played += len(outcomes)
        wins += outcomes.count(b"1")
        if progress is not None:
            progress(GamesSoFar(begin + played, games, wins))
    return 1000 * seconds / played if played else None


def _stretches(trial: Trial, seed: int, begin: int, games: int) -> Iterator[Stretch]:
    size = _GAMES_A_JOB[trial.strategy]
    for game in range(begin, games, size):
        yield Stretch(trial, seed + game, min(size, games - game))


def _play(stretch: Stretch) -> bytes:
    from bot.solver.kernels.simulate import TUNINGS, play_games

    trial, level = stretch.trial, stretch.trial.level
    budget = None if trial.rolls is None else TUNINGS[trial.strategy]._replace(rolls=float(trial.rolls))
    played = play_games(
        level.rows,
        level.cols,
        level.mines,
        trial.rule,
        trial.strategy,
        stretch.first_seed,
        stretch.games,
        trial.first_click,
        budget,
    )
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
