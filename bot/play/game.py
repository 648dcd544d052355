"""The game that is on: what is known of it, what was done in it, which readings and changes can't be of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bot.actions import Action
from bot.board import Board, Cell, place, three_bv
from bot.level import Level
from bot.play.events import GameResult, InDoubtError
from bot.play.eye import Sight
from bot.vision.reader import Reading

FADES_FROM = 4
"""Squares of the distance from the click, in tiles, from which on the Windows 7 game fades what it opens."""


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

    def ended(self, sight: Sight) -> Sight:
        """Return the sight of a game that is over, where its mines all look alike with the one that went off told.

        Clicks tell: it is one that was opened. When none was and nothing is left to open, the game was won (xbomb).
        """
        reading, cells = sight.reading, sight.reading.board.cells
        told = reading.state != "lost" or np.isin(cells, (Cell.EXPLODED, Cell.WRONG_FLAG)).any()
        if told or cells.shape != self._size:
            return sight
        hit = {tile: int(Cell.EXPLODED) for tile in self.opened if cells[tile] == Cell.MINE}
        if hit:
            return replace(sight, reading=replace(reading, board=reading.board.replace(hit)))
        won = not np.isin(cells, (Cell.COVERED, Cell.QUESTION, Cell.UNREAD)).any()
        return replace(sight, reading=replace(reading, state="won")) if won else sight

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

    def unexplained(self, before: Board, after: Reading, in_step: bool) -> set[tuple[int, int]]:
        """Return the tiles that differ and that neither a click of this game nor a flood from one explains.

        The end of a game shows what nobody clicked, but the mine that went off must have been. Where clicks are not
        waited for (`in_step`), one on a number that is open already may open what is around it: GNOME Mines does so,
        and a tile that is to be opened may be opened by another's flood just before it is clicked.
        """
        now = after.board
        if after.state == "won" or before.cells.shape != now.cells.shape:
            return set()  # some games flag the rest by themselves once they are won
        opened = self.opened
        if not in_step:
            opened = opened.union(*(before.neighbours(*tile) for tile in opened))
        if np.isin(now.cells, (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)).any():
            went_off = _places(now.cells == Cell.EXPLODED)  # several while the end is still shown
            return set() if went_off & opened else went_off
        changed = (before.cells != now.cells) & before.hidden & (now.cells != Cell.UNREAD)
        new = _places(changed & (now.cells <= 8))
        return new - _flood(now, new & opened, new) | _places(changed & now.hidden) - self.marked

    def insist_on_the_right_tiles(self, before: Board, after: Sight, in_step: bool) -> None:
        """Raise `InDoubtError` when a click acted elsewhere: nothing is sure any more then."""
        strange = self.unexplained(before, after.reading, in_step)
        if not strange:
            return
        self.misplaced += len(strange)
        raise InDoubtError(
            f"{place(*min(strange))} changed although it was not clicked: a click acted on the wrong tile, "
            "or somebody else plays too",
            after.picture,
        )

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


def opened_far(before: Board, after: Board, actions: Sequence[Action]) -> bool:
    """Whether the last click has by itself opened tiles so far off that a game that fades at all fades them.

    Where an earlier click began the same flood, or a chord opened more than one, nobody can say whose they are.
    """
    row, col = actions[-1].row, actions[-1].col
    earlier = {(action.row, action.col) for action in actions[:-1]}
    new = _places(before.hidden & ~after.hidden)
    if actions[-1].kind == "chord":
        flooded = new if len(actions) == 1 else set()
    else:
        flooded = _flood(after, {(row, col)} & new, new)
    reaches = any((r - row) ** 2 + (c - col) ** 2 >= FADES_FROM for r, c in flooded)
    return reaches and not flooded & earlier


def _flood(board: Board, begun: set[tuple[int, int]], new: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return those of the newly opened tiles that were opened by clicks on some, or by the floods that these began."""
    flooded, flood = set(begun), list(begun)
    while flood:
        tile = flood.pop()
        if board.cells[tile] == 0:
            near = [other for other in board.neighbours(*tile) if other in new and other not in flooded]
            flooded.update(near)
            flood += near
    return flooded


def _places(which: NDArray[np.bool_]) -> set[tuple[int, int]]:
    return {(int(row), int(col)) for row, col in np.argwhere(which)}
