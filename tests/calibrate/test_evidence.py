"""What the end of a game proves."""

from __future__ import annotations

import numpy as np

from bot.board import Board, Cell, count_around
from bot.calibrate.evidence import Ending

MINES = np.array([[c == "*" for c in row] for row in ("*....", "..*..", ".....", "....*", "*....")])


def test_a_lost_game_that_lays_its_whole_board_open_is_understood() -> None:
    """Xbomb shows the numbers under all tiles then, and its mines look alike, the one that went off too."""
    numbers = count_around(MINES)
    before = np.where(np.arange(25).reshape(5, 5) < 10, numbers, Cell.COVERED).astype(np.uint8)
    before[MINES] = Cell.COVERED
    ending = Ending(
        before=before,
        after=np.where(MINES, 9, numbers).astype(np.intp),
        known=np.full((5, 5), Cell.UNREAD, dtype=np.uint8),
        changed=before == Cell.COVERED,
        clicked=(3, 4),
    )
    cells = ending.cells()
    assert cells is not None
    assert str(Board(cells)) == str(Board(np.where(MINES, Cell.MINE, numbers).astype(np.uint8)))
