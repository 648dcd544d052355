"""What a person drew over a screenshot does not hide plain tiles, and makes nothing plain that is not."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import Cell
from bot.clone.painter import Design, Painter
from bot.picture import Picture
from bot.vision.reader import Reader
from bot.vision.skin import PLAIN
from tests.vision.midgame import MIDGAME, SKIN

YELLOW, ORANGE, RED = (0, 255, 255), (0, 165, 255), (0, 0, 255)


def screenshot() -> tuple[Painter, Picture]:
    painter = Painter(9, 9, Design(pitch=44.0))
    return painter, painter.paint(MIDGAME).copy()


@pytest.mark.parametrize("colour", [YELLOW, ORANGE])
def test_letters_on_plain_tiles_are_seen_past(colour: tuple[int, int, int]) -> None:
    painter, picture = screenshot()
    for letter, tile in zip("ABCDE", [(8, 3), (8, 4), (8, 5), (0, 7), (1, 8)], strict=True):
        x, y = (round(place) for place in painter.tile_center(*tile))
        cv2.putText(picture, letter, (x - 8, y + 9), cv2.FONT_HERSHEY_SIMPLEX, 0.8, colour, 2, cv2.LINE_AA)
    assert np.array_equal(Reader(SKIN).read(picture).board.cells, MIDGAME.cells)


def test_a_box_around_tiles_is_seen_past() -> None:
    painter, picture = screenshot()
    first, last = (tuple(round(place) for place in painter.tile_center(*tile)) for tile in ((7, 4), (8, 7)))
    cv2.rectangle(picture, first, last, RED, 2)
    assert np.array_equal(Reader(SKIN).read(picture).board.cells, MIDGAME.cells)


def test_marks_make_no_figure_plain() -> None:
    for row, col in np.argwhere(~np.isin(MIDGAME.cells, PLAIN))[::3].tolist():
        painter, picture = screenshot()
        x, y = (round(place) for place in painter.tile_center(row, col))
        cv2.line(picture, (x - 60, y + 6), (x + 60, y + 6), RED, 2)
        cv2.putText(picture, "A", (x - 8, y + 9), cv2.FONT_HERSHEY_SIMPLEX, 0.8, YELLOW, 2, cv2.LINE_AA)
        seen = Reader(SKIN).read(picture).board.cells[row, col]
        assert seen in (MIDGAME.cells[row, col], Cell.UNREAD)
