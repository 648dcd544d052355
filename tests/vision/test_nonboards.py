"""A spreadsheet is a lattice too: nothing but a board reads as one."""

from __future__ import annotations

import pytest

from bot.board import Board
from bot.picture import Picture
from bot.vision.reader import NoBoardError, Reader
from tests.vision.nonboards import draw_nonboard


@pytest.mark.parametrize("first", range(0, 200, 20))
def test_two_hundred_pictures_without_a_board_read_as_none(first: int) -> None:
    for number in range(first, first + 20):
        kind, picture = draw_nonboard(number)
        board = board_in(picture)
        assert board is None, f"{kind} {number} read as\n{board}"


def board_in(picture: Picture) -> Board | None:
    try:
        return Reader().read(picture).board
    except NoBoardError:
        return None
