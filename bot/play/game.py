"""The game that is on: what is known of it, what was done in it, and which readings can't be of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.actions import Action
from bot.board import Board, Cell, place, three_bv
from bot.level import Level
from bot.play.events import GameResult, InDoubtError
from bot.play.eye import Sight
from bot.vision.reader import Reading


class Progress:
    """One game from its first look to its end. `level` tells the mines where no counter does."""

    def __init__(self, started: float, level: Level | None = None) -> None:
        self.started = started
        self.clicks = 0
        self.last: Sight | None = None
        """The last one whose reading was believed."""
        self.rounds_in_vain = 0
        """How many rounds of clicks in a row have changed nothing."""
        self.opened: set[tuple[int, int]] = set()
        """Tiles that were clicked to open them, or beside a number that was chorded."""
        self.marked: set[tuple[int, int]] = set()
        """Tiles whose flag was set or taken off."""
        self.misplaced = 0
        self.lost_clicks = 0
        self._level = level
        self._mines: int | None = None
        self._size: tuple[int, ...] | None = None
        self._unflagged: set[tuple[int, int]] = set()
        self._risks: dict[tuple[int, int], float] = {}
        """The tiles that were guessed; one whose click was lost is guessed once all the same."""

    def doubt(self, reading: Reading) -> str:
        """Return why a reading must not be relied on, or nothing."""
        board = reading.board
        if self._size not in (None, board.cells.shape):
            return self._another_size(board)
        if board.cut:
            return (
                f"the window shows only a part of the board, which goes on beyond its {' and '.join(board.cut_sides)}: "
                "make all of it visible, then start the bot again"
            )
        if reading.dialog:
            return "something is in front of the board"
        if not board.cells.any():
            return "the board is still being dealt"  # all blank: its covers are to come
        if reading.doubts:
            first = reading.doubts[0]
            return f"can't read the tile at {place(first.row, first.col)} (it might be {first.best})"
        if reading.state == "lost" and not exploded(board):
            return "a game is lost, but no mine went off"  # the end is still being painted
        if reading.state != "playing":
            # The beam over a won game can make a blank tile look like a mine that went off, but not its neighbours.
            return f"the end contradicts itself: {reading.problems[0]}" if reading.problems else ""
        # Flags are opinions: what they contradict is no misreading. A board without problems has none without them.
        problems = reading.problems and _without_opinions(board, self._unflagged).problems()
        if problems:
            return f"the board contradicts itself: {problems[0]}"
        if board.mines is not None and self._mines not in (None, board.mines):
            return f"the counter now stands for {board.mines} mines, before it was {self._mines}"
        return ""

    def _another_size(self, board: Board) -> str:
        return "the board has {} × {} tiles, before it had {} × {}".format(*board.cells.shape, *self._size or ())

    def saw(self, sight: Sight) -> None:
        """Take down a sight that can be relied on, and by which later ones are judged.

        Raises `InDoubtError` when it is of another board than this game's, perhaps of a strip of it.
        """
        board = sight.reading.board
        if self._size not in (None, board.cells.shape):
            raise InDoubtError(self._another_size(board), sight.picture)
        self.last = sight
        if sight.over:  # at its end a counter may show anything
            return
        self._size = board.cells.shape
        if board.mines is not None:
            self._mines = board.mines
        elif self._mines is None and self._level is not None and (self._level.rows, self._level.cols) == self._size:
            self._mines = self._level.mines

    def board(self, sight: Sight) -> Board:
        """Return the board with the number of mines from the counter, from an earlier look or from the user."""
        board = sight.reading.board
        return board if board.mines == self._mines else Board(board.cells, self._mines)

    def meant(self, actions: Sequence[Action], before: Board) -> None:
        """Take down what is about to be clicked, and so explains what changes, even if not all of it can be."""
        for action in actions:
            if action.kind == "open":
                self.opened.add((action.row, action.col))
            elif action.kind == "chord":
                self.opened.update(before.neighbours(action.row, action.col))
            else:
                self.marked.add((action.row, action.col))

    def clicked(self, actions: Sequence[Action]) -> None:
        """Take down what was clicked."""
        self.clicks += len(actions)
        self._risks |= {(action.row, action.col): action.risk for action in actions if action.risk > 0}
        self._unflagged |= {(action.row, action.col) for action in actions if action.kind == "unflag"}

    def result(self, now: float, won: bool, stopped: str | None = None) -> GameResult:
        """Return how it went."""
        return GameResult(
            won=won,
            seconds=now - self.started,
            clicks=self.clicks,
            guesses=tuple(self._risks.values()),
            three_bv=None if self.last is None else _three_bv_shown(self.last.reading.board, won),
            stopped=stopped,
            misplaced=self.misplaced,
            lost_clicks=self.lost_clicks,
        )


def exploded(board: Board) -> bool:
    """Whether a mine went off."""
    return bool((board.cells == Cell.EXPLODED).any())


def _without_opinions(board: Board, unflagged: set[tuple[int, int]]) -> Board:
    """Return the board with question marks where a flag is or was.

    Too many flags are a player's mistake and not a misreading, and so is what a flood had to leave covered.
    """
    cells = np.where(board.cells == Cell.FLAG, Cell.QUESTION, board.cells)
    return Board(cells, board.mines).replace(
        {cell: Cell.QUESTION for cell in unflagged if board.cells[cell] == Cell.COVERED}
    )


def _three_bv_shown(board: Board, won: bool) -> int | None:
    """Return the 3BV when the board shows where all mines are: the hidden ones of a win, the shown ones of a loss."""
    shown = (board.cells == Cell.MINE) | (board.cells == Cell.EXPLODED)
    if won:
        mines = board.hidden | shown
    elif exploded(board):
        mines = shown | (board.cells == Cell.FLAG)
    else:
        return None
    return three_bv(mines) if board.mines in (None, int(np.count_nonzero(mines))) else None
