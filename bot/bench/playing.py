"""Trials of playing: on a live window, without a pause, and on desktops that misbehave.

*Live*: how many games are won, how fast, and where each second went. The clock is the desktop's own. What the game
needs to repaint is told apart from what the bot needs to grab, read and decide, and from the clicks themselves; the
rest is looking after the window and the user.

*Soak*, a day in an hour: everything that runs on a desktop runs here, game after game in one process, but for the
screen itself, and its memory and open handles are watched. What the first tenth of the clicks takes is warm-up:
compiled code, templates, painted tiles. What comes on top of it afterwards would come on top every day.

*Faults*: every game follows from its seed: the mines, the look, which faults come up when. A game may be finished, or
stopped for a reason that is named; what must never happen is counted apart: acting on a misread tile, clicking beside
the board or into another window, opening a tile that was known to be a mine, not coming to an end, failing with a bug.
A seed for which that happens is told, and replays. The bot is told nothing by its judge, the `Witness`. The desktop
knows which boards a picture may show (two, while one turns into the other) and where every click came down; the bot
says what it read and decided.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Literal

import numpy as np

from bot import signals
from bot.actions import Action
from bot.bench import BenchError, Onlooker, nobody, wilson_interval
from bot.bench.workers import Stretch, open_pool
from bot.board import Board, Cell
from bot.clone.chaos.desktop import FaultyDesktop
from bot.level import Level
from bot.picture import Picture
from bot.play import GameResult, Session, Timer, Watcher
from bot.solver.decision import Decision
from bot.vision.reader import Reading
from bot.words import Rule

if TYPE_CHECKING:
    from bot.play import Stop, StopKind

OWN_PARTS = ("grab", "read", "decide")
"""What the bot itself takes time for."""


@dataclass(frozen=True)
class LiveTrial:
    """What a session on a live window showed. Seconds are those between first look and end, summed over all games."""

    games: int
    wins: int
    interval: tuple[float, float]
    seconds: float
    won_seconds: float | None
    """The median of the games won; None without any."""
    clicks: int
    spent: dict[str, float]
    """Seconds by what they were spent on: repaint, grab, read, decide, click and watch (the window and the user)."""
    stopped: str | None

    @property
    def clicks_per_second(self) -> float:
        """Clicks over all seconds, thinking and waiting included."""
        return self.clicks / self.seconds if self.seconds else 0.0

    @property
    def own_share(self) -> float:
        """The bot's own part of the time: grabbing, reading and deciding."""
        return sum(self.spent[part] for part in OWN_PARTS) / self.seconds if self.seconds else 0.0


def summed_up(session: Session, timer: Timer) -> LiveTrial:
    """Return the trial that a session was; one that was stopped tells why and counts the games finished."""
    finished = session.finished
    wins = [game for game in finished if game.won]
    seconds = sum(game.seconds for game in session.games)
    parts = asdict(timer)
    parts["watch"] = max(0.0, seconds - sum(parts.values()))
    return LiveTrial(
        games=len(finished),
        wins=len(wins),
        interval=wilson_interval(len(wins), len(finished)),
        seconds=seconds,
        won_seconds=median(game.seconds for game in wins) if wins else None,
        clicks=sum(game.clicks for game in session.games),
        spent=parts,
        stopped=None if session.stop is None else session.stop.reason,
    )


WARM_UP = 0.1
"""The share of the clicks after which memory is expected to stay as it is."""

_SAMPLES = 100
"""How often the process is measured; between two of them whole games are played."""

_GAMES_A_SESSION = 10


@dataclass(frozen=True)
class Footprint:
    """What the process holds: bytes of memory that are really in use, and open files or handles."""

    bytes: int
    handles: int


@dataclass(frozen=True)
class SoakResult:
    """What a soak showed. Megabytes are 10⁶ bytes; growth is the end against the end of the warm-up."""

    level: str
    seed: int
    clicks: int
    games: int
    seconds: float
    warm_megabytes: float
    end_megabytes: float
    growth_megabytes: float
    most_megabytes: float
    warm_handles: int
    end_handles: int
    stopped: str | None
    stop_kind: StopKind | None


def run_soak(level: Level, clicks: int, seed: int, progress: Onlooker = nobody) -> SoakResult:
    """Play games of a level until so many clicks are made, and return what that cost.

    Ends early, and says why, when the bot stops by itself or the user stops it. Raises `BenchError` where a process
    can't be measured.
    """
    from bot.clone.desktop import CloneDesktop
    from bot.clone.game import Game
    from bot.play import Player, Settings
    from bot.vision.reader import Reader

    start, warm, taken = perf_counter(), None, [footprint()]
    done = games = 0
    stop: Stop | None = None
    clone = CloneDesktop(Game(level, seed=seed))
    player = Player(clone.desktop(), Reader(), Settings(strategy="csp", think=0.0))
    while done < clicks and stop is None:
        stride = done + max(1, clicks // _SAMPLES)
        while done < min(stride, clicks) and stop is None:
            session = player.play(_GAMES_A_SESSION)
            done += sum(game.clicks for game in session.games)
            games += len(session.games)
            clone.tap("f2")
            stop = session.stop
        taken.append(footprint())
        if warm is None and done >= WARM_UP * clicks:
            warm = taken[-1]
        progress(min(done, clicks), clicks, f"{taken[-1].bytes / 1e6:.1f} MB, {taken[-1].handles} handles")
    warm = warm or taken[-1]
    return SoakResult(
        level=level.name,
        seed=seed,
        clicks=done,
        games=games,
        seconds=perf_counter() - start,
        warm_megabytes=warm.bytes / 1e6,
        end_megabytes=taken[-1].bytes / 1e6,
        growth_megabytes=(taken[-1].bytes - warm.bytes) / 1e6,
        most_megabytes=max(sample.bytes for sample in taken) / 1e6,
        warm_handles=warm.handles,
        end_handles=taken[-1].handles,
        stopped=None if stop is None else stop.reason,
        stop_kind=None if stop is None else stop.kind,
    )


if sys.platform == "win32":

    def footprint() -> Footprint:
        """Return what this process holds now."""
        import ctypes
        from ctypes import wintypes

        class Counters(ctypes.Structure):
            _fields_ = (
                ("cb", wintypes.DWORD),
                ("faults", wintypes.DWORD),
                ("peak", ctypes.c_size_t),
                ("working_set", ctypes.c_size_t),
                ("others", ctypes.c_size_t * 6),
            )

        kernel = ctypes.WinDLL("kernel32")
        process = wintypes.HANDLE(-1)
        counters, handles = Counters(), wintypes.DWORD()
        counters.cb = ctypes.sizeof(Counters)
        kernel.K32GetProcessMemoryInfo(process, ctypes.byref(counters), counters.cb)
        kernel.GetProcessHandleCount(process, ctypes.byref(handles))
        return Footprint(int(counters.working_set), handles.value)

else:

    def footprint() -> Footprint:
        """Return what this process holds now. Raises `BenchError` where the system doesn't tell."""
        import resource

        own = Path("/proc/self")
        try:
            pages = int((own / "statm").read_text().split()[1])
            return Footprint(pages * resource.getpagesize(), sum(1 for _ in (own / "fd").iterdir()))
        except OSError as error:
            raise BenchError("this system doesn't tell how much memory a process uses") from error


GAMES_A_JOB = 5
"""A few seconds of work."""

GAMES_A_SESSION = 2
"""Every fourth seed plays this many games, so that faults also meet the way from one to the next."""

SessionEnd = Literal["won", "lost", "stopped", "hang", "bug"]


@dataclass(frozen=True)
class Judged:
    """One seed's session, as it ended and as it was judged."""

    seed: int
    faults: tuple[str, ...]
    ending: SessionEnd
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
class _Trial:
    """All that a session follows from, besides the seed."""

    level: Level
    rule: Rule
    chosen: tuple[str, ...]


def run_faults(
    level: Level,
    rule: Rule,
    games: int,
    seed: int,
    faults: Sequence[str] = (),
    *,
    workers: int | None = None,
    progress: Onlooker = nobody,
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
    trial = _Trial(level, rule, tuple(faults))
    jobs = [Stretch(trial, first, min(GAMES_A_JOB, seed + games - first)) for first in starts]
    sessions: list[Judged] = []
    interrupted = False
    try:
        with open_pool(workers) as pool:
            for _, judged in pool.results(judge_stretch, jobs):
                sessions += judged
                progress(len(sessions), games, f"{sum(bool(each.failures) for each in sessions)} failed")
    except KeyboardInterrupt:
        if not sessions:
            raise
        signals.obeyed()
        interrupted = True
    sessions.sort(key=lambda judged: judged.seed)
    return FaultsResult(level.name, rule, seed, tuple(faults), tuple(sessions), interrupted)


def judge_stretch(stretch: Stretch[_Trial]) -> list[Judged]:
    """Play some sessions."""
    trial = stretch.trial
    return [judge(trial.level, trial.rule, seed, trial.chosen) for seed in stretch.seeds]


def judge(level: Level, rule: Rule, seed: int, chosen: Sequence[str] = ()) -> Judged:
    """Play the session of one seed and judge it."""
    from bot.clone.chaos.desktop import HangError
    from bot.clone.chaos.faults import draw_faults, faulty_desktop
    from bot.play import Player, Settings
    from bot.vision.reader import Reader
    from bot.words import CLICK_STYLES

    faults = tuple(chosen) or draw_faults(seed)
    desktop = faulty_desktop(level, rule, seed, faults)
    witness = Witness(desktop)
    settings = Settings(CLICK_STYLES[seed % len(CLICK_STYLES)], "csp", 0.0, rule)
    player = Player(desktop.desktop(), Reader(), settings, witness)
    ending: SessionEnd
    try:
        session = player.play(GAMES_A_SESSION if seed % 4 == 0 else 1)
    except HangError as error:
        ending, reason = "hang", str(error)
    except Exception as error:
        ending, reason = "bug", f"{type(error).__name__}: {error}"
    else:
        if session.stop is None:
            ending, reason = "won" if session.games[-1].won else "lost", ""
        elif session.stop.reason in signals.REASONS.values():
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
        self._decided: set[tuple[int, int]] | None = None
        """The tiles that were to be clicked in this game; None while nothing was decided."""
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
        self._decided = (self._decided or set()) | {(action.row, action.col) for action in actions}

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Compare the result with the game's own."""
        self.settle()
        self._decided = None
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
            self.misplaced += landing.tile != landing.meant or landing.tile not in (self._decided or {landing.tile})
            self.known_mines += bool(self._known_mines.intersection(landing.opens))


def wrong_tiles(read: Board, shown: tuple[Board, ...]) -> int:
    """Return how many tiles were read for certain as something that none of the boards shows; all of another size."""
    if any(read.cells.shape != board.cells.shape for board in shown):
        return int(read.cells.size)
    right = np.any([read.cells == board.cells for board in shown], axis=0)
    return int(np.count_nonzero(~right & (read.cells != Cell.UNREAD)))
