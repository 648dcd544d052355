"""The words of playing: what the user may choose, how games and sessions end, who is told of it.

Nothing here plays; `Watcher` is there to be overridden, `Everyone` makes one of several.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Literal

from bot import solver
from bot.actions import Action
from bot.desktop import Click
from bot.desktop.timing import FAST, Timing
from bot.errors import Exit, MinebotError
from bot.level import Level
from bot.picture import Picture
from bot.solver.decision import Decision
from bot.vision.reader import Reading
from bot.words import ClickStyle, Rule


class InDoubtError(MinebotError):
    """The bot saw something it must not act upon; `picture` is what it saw."""

    exit_code = Exit.DOUBT

    def __init__(self, message: str, picture: Picture | None = None) -> None:
        super().__init__(message)
        self.picture = picture


@dataclass(frozen=True)
class GameResult:
    """How one game went. `guesses` are the risks taken, `three_bv` is known when the end showed all mines."""

    won: bool
    seconds: float
    clicks: int
    guesses: tuple[float, ...]
    three_bv: int | None
    stopped: str | None = None
    misplaced: int = 0
    """Tiles that changed although nobody clicked them: clicks that acted elsewhere."""
    lost_clicks: int = 0
    """Clicks that had no effect, each time they had none."""

    @property
    def three_bv_a_second(self) -> float | None:
        """How fast a game was won, whatever its size; None for one that was not, or whose mines are not known."""
        return self.three_bv / self.seconds if self.won and self.three_bv and self.seconds > 0 else None

    @property
    def efficiency(self) -> float | None:
        """3BV a click: more than 1 takes chords. None where `three_bv_a_second` is."""
        return self.three_bv / self.clicks if self.won and self.three_bv and self.clicks else None

    @property
    def luck(self) -> float | None:
        """The outcome, 1 or 0, minus the chance that the guesses left for it; None for a game that was stopped."""
        return None if self.stopped else self.won - prod(1 - risk for risk in self.guesses)


StopKind = Literal["user", "doubt", "nothing"]


@dataclass(frozen=True)
class Stop:
    """Why play ended before its time: the user wanted it, the bot was in doubt, or there was nothing to play on."""

    kind: StopKind
    reason: str
    picture: Picture | None = None


@dataclass(frozen=True)
class Session:
    """The games that were played, and why it ended early if it did."""

    games: tuple[GameResult, ...]
    stop: Stop | None = None

    @property
    def finished(self) -> tuple[GameResult, ...]:
        """The games that ended by themselves; one that was stopped counts neither as won nor as lost."""
        return tuple(game for game in self.games if game.stopped is None)


class Watcher:
    """Someone who is told what happens. Every method may be overridden; none may change anything."""

    def looked(self, reading: Reading, picture: Picture) -> None:
        """A settled picture was read that differs from the last one."""

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        """The bot knows what it will do next; the reading's board has all the mines that are known of."""

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        """The clicks were made."""

    def stopped(self, stop: Stop) -> None:
        """Play ends before its time; `game_over` follows."""

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """A game ended or was given up; `number` counts from 1."""


class Everyone(Watcher):
    """Passes on to each, in order, whatever it is told."""

    def __init__(self, watchers: Sequence[Watcher]) -> None:
        self._watchers = watchers

    def looked(self, reading: Reading, picture: Picture) -> None:
        """A settled picture was read."""
        for watcher in self._watchers:
            watcher.looked(reading, picture)

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        """The bot knows what it will do next."""
        for watcher in self._watchers:
            watcher.decided(reading, decision, actions)

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        """The clicks were made."""
        for watcher in self._watchers:
            watcher.clicked(actions, clicks)

    def stopped(self, stop: Stop) -> None:
        """Play ends before its time."""
        for watcher in self._watchers:
            watcher.stopped(stop)

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """A game ended or was given up."""
        for watcher in self._watchers:
            watcher.game_over(number, result, reading)


@dataclass(frozen=True)
class Settings:
    """What the user may choose. Without a rule it is the one of the game whose look is recognised."""

    style: ClickStyle = "flags"
    strategy: solver.Strategy = "deep"
    think: float = 1.0
    rule: Rule | None = None
    level: Level | None = None
    timing: Timing = FAST
