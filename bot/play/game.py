"""The game that is on: what is known of it, what was done in it, which readings can't be of it and when the next is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from bot.actions import Action
from bot.board import Board, Cell, place, three_bv
from bot.level import Level
from bot.play.events import GameResult
from bot.play.sight import Sight
from bot.vision.reader import Reading

FADES_FROM = 4
"""Squares of the distance from the click, in tiles, from which on the Windows 7 game fades what it opens."""


class Progress:
    """One game from its first look to its end."""

    def __init__(self, started: float) -> None:
        self.started = started
        self.clicks = 0
        self._risks: dict[tuple[int, int], float] = {}
        """The tiles that were guessed; one whose click was lost is guessed once all the same."""
        self.last: Sight | None = None
        """The last one whose reading was believed."""
        self.rounds_in_vain = 0
        """How many rounds of clicks in a row have changed nothing."""
        self._mines: int | None = None
        self._size: tuple[int, int] | None = None
        self._unflagged: set[tuple[int, int]] = set()
        self._opened: set[tuple[int, int]] = set()
        """Tiles that were clicked to open them, or beside a number that was chorded."""
        self._marked: set[tuple[int, int]] = set()
        self.misplaced = 0
        self.lost_clicks = 0

    def doubt(self, reading: Reading) -> str:
        """Return why a reading must not be relied on, or nothing."""
        if self.another_size(reading):
            return self.another_size(reading)
        if reading.board.cut:
            sides = " and ".join(reading.board.cut_sides)
            return (
                f"the window shows only a part of the board, which goes on beyond its {sides}: "
                "make all of it visible, then start the bot again"
            )
        if reading.dialog:
            return "something is in front of the board"
        if not reading.board.cells.any():
            return "the board is still being dealt"  # all blank: its covers are to come
        if reading.doubts:
            first = reading.doubts[0]
            return f"can't read the tile at {place(first.row, first.col)} (it might be {first.best})"
        if reading.state == "lost" and not exploded(reading.board):
            return "a game is lost, but no mine went off"  # the end is still being painted
        if over(reading):
            # The beam over a won game can make a blank tile look like a mine that went off, but not its neighbours.
            problems = reading.board.problems()
            return f"the end contradicts itself: {problems[0]}" if problems else ""
        return self._contradiction(reading)

    def another_size(self, reading: Reading) -> str:
        """Return that a reading is of another board than this game's, perhaps a strip of it, or nothing."""
        size = (reading.board.rows, reading.board.cols)
        if self._size in (None, size):
            return ""
        return "the board has {} × {} tiles, before it had {} × {}".format(*size, *self._size or size)

    def _contradiction(self, reading: Reading) -> str:
        problems = _without_opinions(reading.board, self._unflagged).problems()
        if problems:
            return f"the board contradicts itself: {problems[0]}"
        mines = reading.board.mines
        if mines is not None and self._mines not in (None, mines):
            return f"the counter now stands for {mines} mines, before it was {self._mines}"
        return ""

    def saw(self, sight: Sight) -> None:
        """Take down a sight whose reading can be relied on, and by which later ones are judged."""
        self.last, reading = sight, sight.reading
        if not over(reading):  # at its end a counter may show anything
            self._mines = reading.board.mines if reading.board.mines is not None else self._mines
            self._size = (reading.board.rows, reading.board.cols)

    def believe(self, reading: Reading, level: Level | None) -> Board:
        """Return the board with the number of mines from the counter, from an earlier look or from the user."""
        size = (reading.board.rows, reading.board.cols)
        if self._mines is None and level is not None and (level.rows, level.cols) == size:
            self._mines = level.mines
        return Board(reading.board.cells, self._mines)

    def meant(self, actions: Sequence[Action], before: Board) -> None:
        """Take down what is about to be clicked, and so explains what changes, even if not all of it can be."""
        for action in actions:
            if action.kind == "open":
                self._opened.add((action.row, action.col))
            elif action.kind == "chord":
                self._opened.update(before.neighbours(action.row, action.col))
            else:
                self._marked.add((action.row, action.col))

    def clicked(self, actions: Sequence[Action]) -> None:
        """Take down what was clicked."""
        self.clicks += len(actions)
        self._risks |= {(action.row, action.col): action.risk for action in actions if action.risk > 0}
        self._unflagged |= {(action.row, action.col) for action in actions if action.kind == "unflag"}

    def unexplained(self, before: Board, reading: Reading, clicks_chord: bool) -> set[tuple[int, int]]:
        """Return the tiles that have changed since and that no click of this game explains.

        Where `clicks_chord`, a click on a number that is open already may open what is around it: GNOME Mines does so,
        and a tile that is to be opened may be opened by another's flood just before it is clicked.
        """
        if reading.state == "won":
            return set()  # some games then flag the rest by themselves
        opened = self._opened
        if clicks_chord:
            opened = opened.union(*(before.neighbours(*tile) for tile in opened))
        return _unexplained(before, reading.board, opened, self._marked)

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


class Dealing:
    """Tells when a new game has followed the one that ended."""

    def __init__(self, ended: Board, patience: float) -> None:
        self._ended = ended
        self._patience = patience
        self._begun: Board | None = None
        self._since = 0.0

    def done(self, reading: Reading, now: float) -> bool:
        """Whether a reading without doubts is of a new game: all covered, or begun by the game itself.

        A game that opens its first tiles by itself has covered again what was open, and stands still. A board that is
        still being painted looks like that too, but not for long.
        """
        board = reading.board
        if (board.cells == Cell.COVERED).all():
            return True
        if over(reading) or reading.problems or not _covered_again(self._ended, board):
            self._begun = None
        elif board != self._begun:
            self._begun, self._since = board, now
        return self._begun is not None and now >= self._since + self._patience


def over(reading: Reading) -> bool:
    """Whether the game has ended."""
    return reading.state != "playing"


def exploded(board: Board) -> bool:
    """Whether a mine went off."""
    return bool((board.cells == Cell.EXPLODED).any())


def _unexplained(
    before: Board, after: Board, opened: set[tuple[int, int]], marked: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Return the tiles that differ and that neither a click nor a flood from one explains.

    The end of a game shows what nobody clicked, but the mine that went off must have been.
    """
    if before.cells.shape != after.cells.shape:
        return set()
    ends = np.isin(after.cells, (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG))
    if ends.any():
        exploded = _places(after.cells == Cell.EXPLODED)  # several while the end is still shown
        return set() if exploded & opened else exploded
    changed = (before.cells != after.cells) & before.hidden & (after.cells != Cell.UNREAD)
    new = _places(changed & (after.cells <= 8))
    return new - _flood(after, new & opened, new) | _places(changed & after.hidden) - marked


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


def _places(which: NDArray[np.bool_]) -> set[tuple[int, int]]:
    return {(int(row), int(col)) for row, col in np.argwhere(which)}


def _without_opinions(board: Board, unflagged: set[tuple[int, int]]) -> Board:
    """Return the board with question marks where a flag is or was.

    Too many flags are a player's mistake and not a misreading, and so is what a flood had to leave covered.
    """
    cells = np.where(board.cells == Cell.FLAG, Cell.QUESTION, board.cells)
    return Board(cells, board.mines).replace(
        {cell: Cell.QUESTION for cell in unflagged if board.cells[cell] == Cell.COVERED}
    )


def _covered_again(before: Board, after: Board) -> bool:
    """Whether a number is covered now, which only a new game does."""
    return before.cells.shape == after.cells.shape and bool(((before.cells <= 8) & (after.cells == Cell.COVERED)).any())


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
