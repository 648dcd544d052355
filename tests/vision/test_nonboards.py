"""A spreadsheet is a lattice too: nothing but a board reads as one."""

from __future__ import annotations

import os

import pytest

from bot.board import Board
from bot.picture import Picture
from bot.vision.reader import NoBoardError, Reader
from tests.vision.nonboards import KINDS, draw_nonboard

OF_EACH_KIND = 14 if os.environ.get("MINEBOT_LIVE") == "1" else 2
"""Half a second a picture: with the programs there are more, so that all tests without them take a few minutes."""


@pytest.mark.parametrize("first", range(0, OF_EACH_KIND * len(KINDS), len(KINDS)))
def test_a_picture_without_a_board_reads_as_none(first: int) -> None:
    for number in range(first, first + len(KINDS)):
        kind, picture = draw_nonboard(number)
        board = board_in(picture)
        assert board is None, f"{kind} {number} read as\n{board}"


def board_in(picture: Picture) -> Board | None:
    try:
        return Reader().read(picture).board
    except NoBoardError:
        return None
