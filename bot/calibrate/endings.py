"""What the end of a game proves about its tiles.

A game that is lost shows its mines, one that is won hides nothing else: either way every number must be the count of
the mines around it. Promises the cells of a finished board when exactly one of the two explains every open tile, tiles
of one look having one number; otherwise nothing. No tile is known by its look beforehand but those that it is told.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell, Cells, count_around
from bot.calibrate.rules import Numbers

Flags = NDArray[np.bool_]

FEWEST_SHOWN = 6
"""Hidden tiles that turn into one and the same look at once, which only the mines of a lost game do."""

USUAL = 0.2
"""The share of the mines shown that must look alike to be known by that look."""

FEWEST_NUMBERS = 4
"""Open tiles with a mine beside them that must agree before an end is believed."""


@dataclass(frozen=True)
class Ending:
    """A finished board: what was hidden before the last click, what changed with it, and where that click was."""

    before: Cells  # what was known of the tiles before the last click; UNREAD is open and not known
    after: Numbers  # the looks of the tiles at the end, by group
    known: Cells  # what is known of the tiles at the end by their looks, else UNREAD
    changed: Flags
    clicked: tuple[int, int] | None  # the last tile opened, None when several were

    def cells(self) -> Cells | None:
        """Return what every tile at the end is, UNREAD where nothing proves it; None when the end explains nothing."""
        outcomes = [cells for cells in (self._lost(), self._won()) if cells is not None]
        return outcomes[0] if len(outcomes) == 1 else None

    @property
    def _hidden(self) -> Flags:
        return np.asarray(np.isin(self.before, (Cell.COVERED, Cell.FLAG, Cell.QUESTION)))

    def _lost(self) -> Cells | None:
        """Return the cells when the last click hit a mine and all others were shown then."""
        if self.clicked is None:
            return None
        flagged = self.before == Cell.FLAG
        wrong = flagged & self.changed
        shown = self._hidden & self.changed & ~flagged
        shown[self.clicked] = False
        mines = shown | (flagged & ~self.changed)
        mines[self.clicked] = True
        if not shown.any() or (self.known[shown] == Cell.FLAG).any():  # who wins gets flags
            return None
        # Many tiles that turn into the same thing at once are proof in themselves: few numbers need to agree.
        most = np.bincount(self.after[shown]).max()
        fewest = 1 if most >= FEWEST_SHOWN and most >= 0.9 * np.count_nonzero(shown) else FEWEST_NUMBERS
        cells = self._numbered(mines, self._hidden, fewest)
        if cells is None:
            # A flag may be turned into another picture of a mine where it was right.
            wrong_or_right = self._numbered(mines | wrong, self._hidden, fewest)
            if wrong_or_right is None:
                return None
            cells, wrong = wrong_or_right, np.zeros_like(wrong)
        alike = np.bincount(self.after[shown])[self.after[shown]]
        cells[shown] = np.where(alike >= USUAL * len(alike), Cell.MINE, Cell.UNREAD)  # something may lie upon a few
        cells[wrong], cells[self.clicked] = Cell.WRONG_FLAG, Cell.EXPLODED
        return cells

    def _won(self) -> Cells | None:
        """Return the cells when the last click opened the last tile without a mine, and only mines stay hidden."""
        hidden = self._hidden
        if self.clicked is None:
            hidden &= self.known > 8
        elif self.known[self.clicked] == Cell.EXPLODED:
            return None
        else:
            hidden[self.clicked] = False
        cells = self._numbered(hidden, hidden)
        if cells is not None:
            cells[hidden] = self.known[hidden]
        return cells

    def _numbered(self, mines: Flags, hidden: Flags, fewest: int = FEWEST_NUMBERS) -> Cells | None:
        """Return the cells with open tiles numbered by the mines around; None when that contradicts looks.

        Tiles at the rim are left out where the board seems to go on beyond it.
        """
        around = count_around(mines)
        for rim in (0, 1):
            inside = np.zeros(mines.shape, dtype=np.bool_)
            inside[rim : mines.shape[0] - rim, rim : mines.shape[1] - rim] = True
            is_open = ~hidden & inside
            if self._consistent(around, is_open, fewest):
                # What was open before and changed all the same was no number, or caught while it was painted.
                sure = is_open & (self._hidden | ~self.changed)
                cells = np.where(sure, around, Cell.UNREAD).astype(np.uint8)
                covered = hidden & (self.known == Cell.COVERED)
                flags = hidden & mines & (self.known == Cell.FLAG)
                cells[covered], cells[flags] = Cell.COVERED, Cell.FLAG
                return cells
        return None

    def _consistent(self, around: NDArray[np.uint8], is_open: Flags, fewest: int) -> bool:
        """Whether enough open tiles have a number, those of one look the same, and none another than it is known by."""
        numbers, looks, known = around[is_open], self.after[is_open], self.known[is_open]
        if np.count_nonzero(numbers) < fewest:
            return False
        if ((known <= 8) & (known != numbers)).any() or ((known > 8) & (known != Cell.UNREAD)).any():
            return False
        return all(len(np.unique(numbers[looks == look])) == 1 for look in np.unique(looks))
