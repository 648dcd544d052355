"""What a screen does to a whole picture is seen and undone: tiles are read rightly in any light, or doubted."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Cell
from bot.clone.painter import Design, Painter
from bot.picture import Picture
from bot.vision.choose import light_on
from bot.vision.light import DAYLIGHT, Light
from bot.vision.reader import Reader
from bot.words import Theme
from tests.vision.midgame import MIDGAME, SKIN


def in_light(picture: Picture, red: float, green: float, blue: float) -> Picture:
    return np.asarray(np.clip(np.rint(picture * np.array([blue, green, red])), 0, 255), dtype=np.uint8)


LIGHTS = {
    "dimmed to 60 %": (0.6, 0.6, 0.6),
    "dimmed to 75 %": (0.75, 0.75, 0.75),
    "dimmed to 85 %": (0.85, 0.85, 0.85),
    "warm": (1.0, 0.87, 0.7),
    "night light": (0.85, 0.61, 0.36),
    "overexposed by 15 %": (1.15, 1.15, 1.15),
    "overexposed by 40 %": (1.4, 1.4, 1.4),
}


@pytest.mark.parametrize("light", LIGHTS.values(), ids=list(LIGHTS))
@pytest.mark.parametrize("theme", ["blue", "green"])
def test_a_board_is_read_in_any_light(theme: Theme, light: tuple[float, float, float]) -> None:
    picture = in_light(Painter(9, 9, Design(theme, pitch=23.0)).paint(MIDGAME), *light)
    reading = Reader(SKIN).read(picture)
    seen = reading.board.cells
    assert np.array_equal(seen[seen != Cell.UNREAD], MIDGAME.cells[seen != Cell.UNREAD])
    assert len(reading.doubts) <= (0 if max(light) <= 1 else 24)  # what overexposure has made white is doubted
    assert reading.state == "playing"


@pytest.mark.parametrize("theme", ["blue", "green"])
def test_the_light_found_is_the_one_that_was_there(theme: Theme) -> None:
    picture = Painter(9, 9, Design(theme, pitch=23.0)).paint(MIDGAME)
    grid = Reader(SKIN).read(picture).grid
    assert light_on(picture, grid, SKIN) == DAYLIGHT
    for gains in ((0.6, 0.6, 0.6), (0.36, 0.61, 0.85), (0.7, 0.87, 1.0)):
        found = light_on(in_light(picture, *reversed(gains)), grid, SKIN)
        assert np.allclose(found.gains, gains, rtol=0.1)


def test_daylight_leaves_a_picture_untouched() -> None:
    picture = Painter(9, 9, Design("green", pitch=18.0)).paint(MIDGAME)
    assert DAYLIGHT.undone(picture) is picture
    assert DAYLIGHT.through(SKIN) is SKIN
    half = Light((0.5, 0.5, 0.5))
    assert np.abs(half.undone(in_light(picture, 0.5, 0.5, 0.5)).astype(int) - picture).max() <= 1


def test_a_light_that_changes_during_a_game_is_noticed() -> None:
    picture, reader = Painter(9, 9, Design("green", pitch=23.0)).paint(MIDGAME), Reader(SKIN)
    grid = reader.read(picture).grid
    for gain in (0.9, 0.8, 0.7, 0.6, 0.6, 1.0):
        seen = reader.read(in_light(picture, gain, gain, gain), grid).board.cells
        assert np.array_equal(seen, MIDGAME.cells), gain
