"""The two counters below the board: a clock and its seconds on the left, the mines left and a mine on the right."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bot.clone import pieces
from bot.clone.canvas import (
    Canvas,
    Colour,
    Sprite,
    arc,
    ellipse,
    glyph,
    mix,
    over,
    polygons,
    ramp,
    rectangle,
    soft,
    stroke,
    to_picture,
)
from bot.clone.pieces import BOLD, THIN, outline
from bot.clone.tiles import Pieces, Theme
from bot.picture import Picture

Side = Literal["left", "right"]
Weight = Literal["thin", "bold"]

# Places and sizes in tiles, but for the share of the width at which the icons stand.
_ICON_AT = {"left": 0.15, "right": 0.85}
_ABOVE_BOTTOM = 0.93
_PILL_FROM_ICON = 2.14
_PILL_SQUARE = 2.6  # the pill is drawn in a square of this side, of which the middle half is used
_PILL_BOX = (0.115, 0.31, 0.885, 0.69)
_ICON_SQUARE = 1.5
_DIGIT_WIDTH, _DIGIT_HEIGHT, _DIGIT_STEP = 0.5, 0.67, 0.53

_FILL: dict[Theme, tuple[Colour, Colour]] = {
    "blue": ((29, 60, 124), (62, 100, 172)),
    "green": ((22, 104, 20), (66, 170, 60)),
}


class Counter:
    """One counter on a picture. It paints again only when its number changes."""

    def __init__(self, picture: Picture, side: Side, theme: Theme, pitch: float) -> None:
        height, width = picture.shape[:2]
        towards_the_middle = 1 if side == "left" else -1
        x = width * _ICON_AT[side] + towards_the_middle * _PILL_FROM_ICON * pitch
        sprite = _pill(theme).sprite(round(_PILL_SQUARE * pitch), round(_PILL_SQUARE * pitch))
        sprite = sprite[len(sprite) // 4 : -(len(sprite) // 4)]
        self._area = _around(picture, x, height - _ABOVE_BOTTOM * pitch, sprite)
        self._empty = over(self._area.astype(np.float32), sprite)
        self._pitch = pitch
        self._shown: str | None = None

    def show(self, number: int | None) -> None:
        """Show a number, or nothing."""
        text = "" if number is None else str(number)
        if text == self._shown:
            return
        self._shown = text
        pixels = self._empty.copy()
        width, height = max(3, round(_DIGIT_WIDTH * self._pitch)), max(5, round(_DIGIT_HEIGHT * self._pitch))
        step = _DIGIT_STEP * self._pitch
        left = pixels.shape[1] / 2 - (step * (len(text) - 1) + width) / 2
        top = round(pixels.shape[0] / 2 - height / 2)
        for place, symbol in enumerate(text):
            x = round(left + place * step)
            window = pixels[top : top + height, x : x + width]
            window[:] = over(window, digit_sprite(symbol, width, height))
        self._area[:] = to_picture(pixels)


@lru_cache(maxsize=256)
def digit_sprite(symbol: str, width: int, height: int, weight: Weight = "thin") -> Sprite:
    """Return a white digit or minus of a counter, filling its size in pixels."""
    canvas = Canvas()
    if symbol == "-":
        canvas.lay(rectangle((0.1, 0.5, 0.9, 0.6 if weight == "thin" else 0.66)), (255, 255, 255))
    else:
        box = (0.14, 0.0, 0.88, 1.0) if symbol == "1" else (0.06, 0.0, 0.94, 1.0)
        canvas.lay(glyph(outline((THIN if weight == "thin" else BOLD)[symbol]), box), (255, 255, 255))
    return canvas.sprite(width, height)


def paint_icons(picture: Picture, pitch: float, kind: Pieces) -> None:
    """Paint the clock and the mine (or flower) beside the counters."""
    height, width = picture.shape[:2]
    drawings: tuple[tuple[Side, Canvas], ...] = (("left", _clock()), ("right", _mine_icon(kind)))
    for side, drawing in drawings:
        sprite = drawing.sprite(round(_ICON_SQUARE * pitch), round(_ICON_SQUARE * pitch))
        area = _around(picture, width * _ICON_AT[side], height - _ABOVE_BOTTOM * pitch, sprite)
        area[:] = to_picture(over(area.astype(np.float32), sprite))


def _around(picture: Picture, x: float, y: float, sprite: Sprite) -> NDArray[np.uint8]:
    """Return the part of a picture around a point that a sprite fills, pushed inside where it would leave it."""
    left = min(max(round(x - sprite.shape[1] / 2), 0), picture.shape[1] - sprite.shape[1])
    top = min(max(round(y - sprite.shape[0] / 2), 0), picture.shape[0] - sprite.shape[0])
    return picture[top : top + sprite.shape[0], left : left + sprite.shape[1]]


@lru_cache(maxsize=4)
def _pill(theme: Theme) -> Canvas:
    """Return a sunken panel: dark at its top left, a light edge at its bottom right."""
    canvas = Canvas()
    left, top, right, bottom = _PILL_BOX
    dark, light = _FILL[theme]
    canvas.lay(soft(rectangle((left - 0.015, top - 0.015, right, bottom), 0.04), 0.012), (86, 104, 136), 0.8)
    canvas.lay(soft(rectangle((left, top, right + 0.018, bottom + 0.018), 0.04), 0.006), (226, 234, 246), 0.9)
    canvas.lay(rectangle(_PILL_BOX, 0.035), dark)
    body = mix(dark, light, ramp((0.3, top), (0.6, bottom)))
    canvas.lay(soft(rectangle((left + 0.03, top + 0.03, right - 0.008, bottom - 0.008), 0.03), 0.01), body)
    return canvas


@lru_cache(maxsize=1)
def _disc() -> Canvas:
    canvas = Canvas()
    canvas.lay(soft(ellipse(0.51, 0.52, 0.44), 0.03), (60, 72, 100), 0.6)
    canvas.lay(ellipse(0.5, 0.5, 0.44), mix((240, 243, 248), (128, 138, 158), ramp((0.2, 0.15), (0.85, 0.9))))
    canvas.lay(ellipse(0.5, 0.5, 0.36), mix((150, 162, 186), (214, 222, 236), ramp((0.2, 0.15), (0.8, 0.85))))
    return canvas


@lru_cache(maxsize=1)
def _clock() -> Canvas:
    canvas = Canvas()
    canvas.lay_canvas(_disc())
    for angle in range(0, 360, 30):
        inner, outer = (arc(0.5, 0.5, radius, radius, angle, angle + 0.1)[0] for radius in (0.29, 0.33))
        canvas.lay(stroke(np.stack([inner, outer]), 0.02), (70, 82, 112))
    canvas.lay(stroke([(0.46, 0.56), (0.68, 0.3)], 0.025), (40, 48, 78))
    canvas.lay(stroke([(0.5, 0.5), (0.5, 0.78)], 0.025), (40, 48, 78))
    canvas.lay(polygons([[(0.5, 0.5), (0.66, 0.3), (0.7, 0.42)]]), (90, 140, 200), 0.35)
    return canvas


@lru_cache(maxsize=2)
def _mine_icon(kind: Pieces) -> Canvas:
    canvas = Canvas()
    canvas.lay_canvas(_disc())
    if kind == "flowers":
        piece = pieces.flower((222, 227, 235), (150, 160, 178), x=0.5, y=0.5)
        piece.cut(ellipse(0.5, 0.5, 0.37))
    else:
        piece = pieces.mine((235, 236, 240), (30, 32, 38), 0.5, 0.5)
        piece.cut(ellipse(0.5, 0.5, 0.42))
    canvas.lay_canvas(piece)
    return canvas
