"""Several watchers as one."""

from __future__ import annotations

from collections.abc import Sequence

from bot.desktop import Click
from bot.picture import Picture
from bot.plan import Action
from bot.play import GameResult, Stop, Watcher
from bot.solver.decision import Decision
from bot.vision.reader import Reading


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
