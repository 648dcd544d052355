"""Watches the bot play on a faulty desktop and holds it against the truth.

The bot is told nothing by it. The desktop knows which boards a picture may show (two, while one turns into the other)
and where every click came down; the bot says what it read and decided.
"""

from __future__ import annotations

import numpy as np

from bot.board import Board, Cell
from bot.clone.faulty import FaultyDesktop
from bot.picture import Picture
from bot.plan import Action
from bot.play import GameResult, Watcher
from bot.solver.decision import Decision
from bot.vision.reader import Reading


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
