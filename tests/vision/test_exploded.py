"""The mine that went off: seen wherever it is, and never seen in a blank, in much light too."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Board, Cell, count_around
from bot.clone.painter import Design, Painter
from bot.vision.reader import Reader
from bot.vision.skin import Skin
from bot.words import Pieces


@pytest.mark.parametrize("pieces", ["mines", "flowers"])
@pytest.mark.parametrize("gain", [1.0, 1.15, 1.4])
def test_a_mine_that_went_off_in_a_corner_is_seen_and_no_blank_is_one(gain: float, pieces: Pieces) -> None:
    random = np.random.default_rng(11)
    mines = random.random((16, 16)) < 0.12
    mines[0, 0] = True
    cells = np.where(random.random(mines.shape) < 0.2, Cell.COVERED, count_around(mines)).astype(np.uint8)
    cells[mines] = Cell.MINE
    cells[0, 0] = Cell.EXPLODED
    painter = Painter(16, 16, Design("green", pieces, 24.0))
    picture = painter.paint(Board(cells), seconds=20, mines_left=30, state="lost")
    reading = Reader(Skin.load("win7")).read(np.clip(gain * picture + 0.5, 0, 255).astype(np.uint8))
    read = reading.board.cells != Cell.UNREAD
    assert np.array_equal(reading.board.cells[read], cells[read])
    assert reading.board.cells[0, 0] == Cell.EXPLODED
    assert reading.state == "lost"
