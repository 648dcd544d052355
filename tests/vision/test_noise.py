"""Noise hides no board, and is read through or doubted."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Cell
from bot.clone.painter import Design, Painter
from bot.picture import Picture
from bot.vision.find.edges import grain, is_noisy
from bot.vision.reader import Reader
from bot.words import Theme
from tests.vision.midgame import MIDGAME, SKIN


def noisy(picture: Picture, deviation: float) -> Picture:
    noise = np.random.default_rng(7).normal(0, deviation, picture.shape)
    return np.asarray(np.clip(np.rint(picture + noise), 0, 255), dtype=np.uint8)


@pytest.mark.parametrize(("theme", "pitch"), [("blue", 18.0), ("green", 23.0), ("blue", 36.0)])
def test_a_board_is_found_and_read_through_noise(theme: Theme, pitch: float) -> None:
    reading = Reader(SKIN).read(noisy(Painter(9, 9, Design(theme, pitch=pitch)).paint(MIDGAME), 20.0))
    seen = reading.board.cells
    assert seen.shape == (9, 9)
    assert np.array_equal(seen[seen != Cell.UNREAD], MIDGAME.cells[seen != Cell.UNREAD])
    assert len(reading.doubts) <= 4


def test_the_noise_found_is_what_was_added_and_a_clean_picture_is_left_alone() -> None:
    picture = Painter(9, 9, Design("green", pitch=23.0)).paint(MIDGAME)
    assert grain(picture) < 2
    assert not is_noisy(picture)
    for deviation in (12.0, 20.0):
        assert abs(grain(noisy(picture, deviation)) - deviation) < 3
