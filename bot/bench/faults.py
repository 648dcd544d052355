"""The trial by fault: the bot plays on desktops that misbehave, and is judged by what it did.

Every game follows from its seed: the mines, the look, which faults come up when. A game may be finished, or stopped
for a reason that is named; what must never happen is counted apart: acting on a misread tile, clicking beside the board
or into another window, opening a tile that was known to be a mine, not coming to an end, failing with a bug. A seed
for which that happens is told, and replays.

The bot is told nothing by its judge, the `Witness`. The desktop knows which boards a picture may show (two, while one
turns into the other) and where every click came down; the bot says what it read and decided.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from bot import signals
from bot.actions import Action
from bot.bench import BenchError
from bot.bench.workers import open_pool
from bot.board import Board, Cell
from bot.clone.chaos.desktop import FaultyDesktop
from bot.level import Level
from bot.picture import Picture
from bot.play import GameResult, Watcher
from bot.solver.decision import Decision
from bot.vision.reader import Reading
from bot.words import Rule

GAMES_A_JOB = 5
"""A few seconds of work."""

GAMES_A_SESSION = 2
"""Every fourth seed plays this many games, so that faults also meet the way from one to the next."""

Ending = Literal["won", "lost", "stopped", "hang", "bug"]


@dataclass(frozen=True)
class Judged:
    """One seed's session, as it ended and as it was judged."""

    seed: int
    faults: tuple[str, ...]
    ending: Ending
    reason: str
    """Why it was stopped; how the hang or the bug showed itself; nothing for a finished game."""
    finished: int
    clicks: int
    misreads: int
    """Tiles and counters that were read as something the picture doesn't show."""
    acted_upon: int
    """Those of them on whose board the bot then clicked."""
    outside: int
    """Clicks beside the board or into another window, keys to another window."""
    misplaced: int
    """Clicks that acted on another tile than the one they were meant for."""
    known_mines: int
    wrong_results: int
    """Games that the bot took for won and that were not, or the other way round."""

    @property
    def failures(self) -> dict[str, int]:
        """What must never happen, by name, as often as it did."""
        counted = {
            "misreads acted upon": self.acted_upon,
            "clicks outside": self.outside,
            "misplaced clicks": self.misplaced,
            "clicks on known mines": self.known_mines,
            "wrong results": self.wrong_results,
            "hangs": int(self.ending == "hang"),
            "bugs": int(self.ending == "bug"),
            "stops without a name": int(self.ending == "stopped" and not self.reason.strip()),
        }
        return {name: count for name, count in counted.items() if count}


@dataclass(frozen=True)
class FaultsResult:
    """The outcome of a trial; `sessions` are in the order of their seeds."""

    level: str
    rule: Rule
    seed: int
    chosen: tuple[str, ...]
    sessions: tuple[Judged, ...] = field(repr=False)
    interrupted: bool = False
    """Whether Ctrl-C ended it before its time."""

    @property
    def failed(self) -> tuple[Judged, ...]:
        """The sessions in which something happened that must never happen."""
        return tuple(judged for judged in self.sessions if judged.failures)

    def replay_command(self, judged: Judged) -> str:
        """Return the command that plays one of the sessions again."""
        parts = [
            "minebot bench faults --games 1",
            f"--seed {judged.seed}",
            f"--level {self.level}",
            f"--rule {self.rule}",
        ]
        return " ".join(parts + [f"--fault {name}" for name in self.chosen])

    def reasons(self) -> Counter[str]:
        """Return why sessions were stopped, places and numbers left out, most frequent first."""
        return Counter(family(judged.reason) for judged in self.sessions if judged.ending == "stopped")


def family(reason: str) -> str:
    """Return a reason without the places and numbers that make each one different."""
    plain = re.sub(r"(?<![\w])[-−]?\d+", "n", reason)
    plain = re.sub(r"\(it might be .\)", "", plain)
    return re.sub(r"(contradicts itself): .*", r"\1", plain).strip()


@dataclass(frozen=True)
class _Stretch:
    """A job: consecutive seeds of a trial."""

    level: Level
    rule: Rule
    first_seed: int
    games: int
    chosen: tuple[str, ...]


Progress = Callable[[Sequence[Judged], int], None]


def run_faults(
    level: Level,
    rule: Rule,
    games: int,
    seed: int,
    faults: Sequence[str] = (),
    *,
    workers: int | None = None,
    progress: Progress | None = None,
) -> FaultsResult:
    """Play the sessions of the seeds `seed`, `seed` + 1, … and judge them; Ctrl-C returns what is done.

    With `faults` every session has all of those, otherwise each mixes its own. Raises `BenchError` for a fault that
    there is not.
    """
    from bot.clone.chaos.faults import FAULTS

    unknown = [name for name in faults if name not in FAULTS]
    if unknown:
        raise BenchError(f'there is no fault "{unknown[0]}"; there are {", ".join(FAULTS)}')
    starts = range(seed, seed + games, GAMES_A_JOB)
    jobs = [_Stretch(level, rule, first, min(GAMES_A_JOB, seed + games - first), tuple(faults)) for first in starts]
    sessions: list[Judged] = []
    interrupted = False
    try:
        with open_pool(workers) as pool:
            for _, judged in pool.results(judge_stretch, jobs):
                sessions += judged
                if progress is not None:
                    progress(sessions, games)
    except KeyboardInterrupt:
        if not sessions:
            raise
        signals.obeyed()
        interrupted = True
    sessions.sort(key=lambda judged: judged.seed)
    return FaultsResult(level.name, rule, seed, tuple(faults), tuple(sessions), interrupted)


def judge_stretch(stretch: _Stretch) -> list[Judged]:
    """Play some sessions."""
    seeds = range(stretch.first_seed, stretch.first_seed + stretch.games)
    return [judge(stretch.level, stretch.rule, seed, stretch.chosen) for seed in seeds]


def judge(level: Level, rule: Rule, seed: int, chosen: Sequence[str] = ()) -> Judged:
    """Play the session of one seed and judge it."""
    from bot.clone.chaos.desktop import HangError
    from bot.clone.chaos.faults import draw_faults, faulty_desktop
    from bot.play import Player, Settings
    from bot.vision.reader import Reader
    from bot.words import STYLES

    faults = tuple(chosen) or draw_faults(seed)
    desktop = faulty_desktop(level, rule, seed, faults)
    witness = Witness(desktop)
    settings = Settings(STYLES[seed % len(STYLES)], "csp", 0.0, rule)
    player = Player(desktop.desktop(), Reader(), settings, witness)
    ending: Ending
    try:
        session = player.play(GAMES_A_SESSION if seed % 4 == 0 else 1)
    except HangError as error:
        ending, reason = "hang", str(error)
    except Exception as error:
        ending, reason = "bug", f"{type(error).__name__}: {error}"
    else:
        if session.stop is None:
            ending, reason = "won" if session.games[-1].won else "lost", ""
        elif session.stop.kind == "user" and "Ctrl-C" in session.stop.reason:
            raise KeyboardInterrupt  # meant for the trial, not for the game
        else:
            ending, reason = "stopped", session.stop.reason
    witness.settle()
    return Judged(
        seed=seed,
        faults=faults,
        ending=ending,
        reason=reason,
        finished=witness.finished,
        clicks=desktop.clicks,
        misreads=witness.misreads,
        acted_upon=witness.acted_upon,
        outside=desktop.outside,
        misplaced=witness.misplaced,
        known_mines=witness.known_mines,
        wrong_results=witness.wrong_results,
    )


class Witness(Watcher):
    """Counts what must never happen, and what may."""

    def __init__(self, desktop: FaultyDesktop) -> None:
        self._desktop = desktop
        self._judged = 0
        self._known_mines: frozenset[tuple[int, int]] = frozenset()
        self._wrong_now = 0
        self.misreads = 0
        self.acted_upon = 0
        self.misplaced = 0
        self.known_mines = 0
        self.finished = 0
        self.wrong_results = 0

    def looked(self, reading: Reading, picture: Picture) -> None:
        """Compare what was read with what there was to see."""
        self.settle()
        self._wrong_now = wrong_tiles(reading.board, self._desktop.shown)
        self._wrong_now += reading.mines_left is not None and reading.mines_left not in self._desktop.counters
        self.misreads += self._wrong_now

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        """Judge the clicks that went before; those that follow are judged by this decision."""
        self.settle()
        self._known_mines = frozenset((cell.row, cell.col) for cell in decision.mined)

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Compare the result with the game's own."""
        self.settle()
        if result.stopped is None:
            self.finished += 1
            self.wrong_results += result.won != (self._desktop.game.state == "won")

    def settle(self) -> None:
        """Judge all clicks that have come down since the last time; each misread tile was acted upon once."""
        landings = self._desktop.landings[self._judged :]
        self._judged += len(landings)
        if landings:
            self.acted_upon += self._wrong_now
            self._wrong_now = 0
        for landing in landings:
            self.misplaced += landing.tile != landing.meant
            self.known_mines += bool(self._known_mines.intersection(landing.opens))


def wrong_tiles(read: Board, shown: tuple[Board, ...]) -> int:
    """Return how many tiles were read for certain as something that none of the boards shows; all of another size."""
    if any(read.cells.shape != board.cells.shape for board in shown):
        return int(read.cells.size)
    right = np.any([read.cells == board.cells for board in shown], axis=0)
    return int(np.count_nonzero(~right & (read.cells != Cell.UNREAD)))
