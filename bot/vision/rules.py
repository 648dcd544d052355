"""What the rules of the game say of a reading: which tiles cannot stand beside each other.

A second witness for the reader. It does not say which of the tiles is misread.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell, count_around


def starved_numbers(cells: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which numbers have too little room around them for their mines; shape (rows, cols)."""
    could_hide = (cells >= Cell.COVERED) & (cells != Cell.WRONG_FLAG)
    starved = (cells <= 8) & (count_around(could_hide) < cells)
    # At the rim of a cropped picture, room may lie outside of it.
    starved[[0, -1]] = starved[:, [0, -1]] = False
    return np.asarray(starved)


def enclosed_blanks(cells: NDArray[np.uint8], unread: bool = False) -> NDArray[np.bool_]:
    """Return which blanks touch a tile that is not open, or, if asked, may be none; shape (rows, cols).

    A blank opens everything around it. Only while a flood still runs over the board, or where a flag is wrong, may it
    be otherwise.
    """
    closed = (cells >= Cell.COVERED) & (cells <= Cell.QUESTION)
    if unread:
        closed |= cells == Cell.UNREAD
    return np.asarray((cells == 0) & (count_around(closed) > 0))
