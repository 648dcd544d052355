"""The trial by fault: the bot plays on desktops that misbehave, and is judged by what it did.

Every game follows from its seed: the mines, the look, which faults come up when. A game may be finished, or stopped
for a reason that is named; what must never happen is counted apart: acting on a misread tile, clicking beside the board
or into another window, opening a tile that was known to be a mine, not coming to an end, failing with a bug. A seed
for which that happens is told, and replays.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from bot import signals
from bot.bench import BenchError
from bot.bench.crew import hire
from bot.level import Level, Rule

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

    def as_json(self) -> dict[str, object]:
        """Return the document of `minebot bench faults --json`."""
        total: Counter[str] = Counter()
        for judged in self.sessions:
            total.update(judged.failures)
        return {
            "level": self.level,
            "rule": self.rule,
            "seed": self.seed,
            "faults": list(self.chosen),
            "games": len(self.sessions),
            "interrupted": self.interrupted,
            "clicks": sum(judged.clicks for judged in self.sessions),
            "endings": dict(Counter(judged.ending for judged in self.sessions)),
            "reasons": dict(self.reasons().most_common()),
            "misreads": sum(judged.misreads for judged in self.sessions),
            "failures": dict(total),
            "failed": [
                {"seed": judged.seed, "what": judged.failures, "replay": self.replay_command(judged)}
                for judged in self.failed
            ],
        }


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
    from bot.clone.faults import FAULTS

    unknown = [name for name in faults if name not in FAULTS]
    if unknown:
        raise BenchError(f'there is no fault "{unknown[0]}"; there are {", ".join(FAULTS)}')
    starts = range(seed, seed + games, GAMES_A_JOB)
    jobs = [_Stretch(level, rule, first, min(GAMES_A_JOB, seed + games - first), tuple(faults)) for first in starts]
    sessions: list[Judged] = []
    interrupted = False
    try:
        with hire(workers) as crew:
            for _, judged in crew.results(judge_stretch, jobs):
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
    from bot.bench.witness import Witness
    from bot.clone.faults import draw_faults, faulty_desktop
    from bot.clone.troubles import HangError
    from bot.plan import STYLES
    from bot.play import Player, Settings
    from bot.vision.reader import Reader

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
