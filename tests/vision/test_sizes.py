"""Boards of large tiles, as a window that fills a large screen has them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.clone.look import Painter, Style
from bot.vision.reader import NoBoardError, Reader
from tests.vision.midgame import MIDGAME, SKIN


@pytest.mark.parametrize("times", [2.2, 3.0, 5.0])
def test_large_tiles_are_read(times: float) -> None:
    drawn = Painter(9, 9, Style("green", pitch=40.0)).paint(MIDGAME)
    picture = cv2.resize(drawn, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)
    reading = Reader(SKIN).read(np.asarray(picture, dtype=np.uint8))
    assert np.array_equal(reading.board.cells, MIDGAME.cells)
    assert abs(reading.grid.pitch - 40 * times) < 0.01 * 40 * times


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 90, 3), (3, 3, 3), (47, 300, 3)])
def test_a_picture_too_small_for_any_board_has_none(shape: tuple[int, int, int]) -> None:
    with pytest.raises(NoBoardError):
        Reader().read(np.zeros(shape, dtype=np.uint8))
