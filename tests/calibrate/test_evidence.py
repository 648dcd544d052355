"""What the end of a game proves."""

from __future__ import annotations

import numpy as np

from bot.board import Board, Cell, count_around
from bot.calibrate.evidence import Ending, numbers_before

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


def test_the_mine_that_went_off_may_look_otherwise_where_a_whole_board_is_laid_open() -> None:
    """Xbomb leaves it a green frame where the others have a black one."""
    numbers = count_around(MINES)
    before = np.full((5, 5), Cell.COVERED, dtype=np.uint8)
    looks = np.where(MINES, 9, numbers).astype(np.intp)
    looks[3, 4] = 10
    ending = Ending(
        before=before,
        after=looks,
        known=np.full((5, 5), Cell.UNREAD, dtype=np.uint8),
        changed=np.ones((5, 5), dtype=np.bool_),
        clicked=(3, 4),
    )
    cells = ending.cells()
    assert cells is not None
    expected = np.where(MINES, Cell.MINE, numbers).astype(np.uint8)
    expected[3, 4] = Cell.EXPLODED
    assert str(Board(cells)) == str(Board(expected))


def test_tiles_that_look_otherwise_at_the_end_are_told_as_they_were_before_it() -> None:
    """Xbomb draws all frames anew at the end: what a number looks like in play is known from the picture before."""
    numbers = count_around(MINES)
    before = np.full((5, 5), Cell.COVERED, dtype=np.uint8)
    before[1:3, 1:4] = Cell.UNREAD  # open, never seen before
    before[MINES] = Cell.COVERED
    was_open = before == Cell.UNREAD
    end = np.where(MINES, Cell.MINE, numbers).astype(np.uint8)
    end[was_open] = Cell.UNREAD
    looks = np.where(was_open, numbers, 20).astype(np.intp)
    told = numbers_before(looks, before, end)
    assert np.array_equal(told, np.where(was_open & (numbers == 1), 1, Cell.UNREAD))  # of 2 there are too few
    flag_of_another_shade = np.where(was_open, 30 + np.arange(25).reshape(5, 5), 20)
    assert (numbers_before(flag_of_another_shade, before, end) == Cell.UNREAD).all()
    looks[was_open] = 1  # tiles of one look and several numbers prove nothing
    assert (numbers_before(looks, before, end) == Cell.UNREAD).all()
    end[0, 0] = Cell.UNREAD  # nor does an end that leaves a mine out
    assert (numbers_before(np.where(was_open, numbers, 20), before, end) == Cell.UNREAD).all()
