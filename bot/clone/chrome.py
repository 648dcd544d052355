"""What is around the board: the landscape behind it, the frame, title and menu, the dialogs, and the two counters.

The counters below are a clock and its seconds on the left, the mines left and a mine on the right. The rest is never
read by the bot; it is there because real screenshots have it, and a reader must see past it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.clone import pieces
from bot.clone.canvas import (
    Canvas,
    Colour,
    Sprite,
    arc,
    bgr,
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
from bot.clone.engine import ANSWERS, WORDS
from bot.clone.pieces import Weight, outline
from bot.clone.tiles import SEPARATOR
from bot.desktop import Rect
from bot.picture import Picture
from bot.words import Pieces, Theme

BORDER, TITLE, MENU = 8, 30, 20
"""Heights and widths, in pixels, of the window's border, title and menu."""

DialogKind = Literal["won", "lost"]

_SIZES: dict[DialogKind, tuple[int, int]] = {"won": (327, 269), "lost": (428, 212)}


def client_offset() -> tuple[int, int]:
    """Return where the client area begins in a picture made by `paint_window`."""
    return BORDER, TITLE + MENU


def paint_window(client: Picture) -> Picture:
    """Return a client area inside a window: title, menu and border added around it."""
    height, width = client.shape[:2]
    left, top = client_offset()
    window = np.empty((height + top + BORDER, width + 2 * BORDER, 3), dtype=np.uint8)
    shine = np.linspace((235, 213, 188), (226, 190, 150), top).astype(np.uint8)
    window[:top] = shine[:, None]
    window[top:] = shine[-1]
    cv2.rectangle(window, (0, 0), (window.shape[1] - 1, window.shape[0] - 1), (74, 62, 52), 1)
    window[TITLE:top, left : left + width] = np.linspace((252, 250, 248), (240, 232, 226), MENU).astype(np.uint8)[
        :, None
    ]
    _write(window, "Minesweeper", (32, 20), 0.42, (20, 20, 20))
    _write(window, "Game", (left + 6, TITLE + 14), 0.4, (20, 20, 20))
    _write(window, "Help", (left + 56, TITLE + 14), 0.4, (20, 20, 20))
    cv2.circle(window, (19, 15), 6, (90, 90, 90), -1, cv2.LINE_AA)
    for number, colour in enumerate(((80, 80, 200), (205, 180, 150), (205, 180, 150))):
        right = window.shape[1] - 8 - number * 32
        if right - 30 > 140:
            cv2.rectangle(window, (right - 30, 2), (right, 19), colour, -1)
            cv2.rectangle(window, (right - 30, 2), (right, 19), (96, 84, 72), 1)
    window[top : top + height, left : left + width] = client
    return window


def dialog_rect(size: tuple[int, int], kind: DialogKind) -> Rect:
    """Return where the dialog lies over a picture of a size (width, height); it may reach beyond a small one."""
    width, height = _SIZES[kind]
    return Rect((size[0] - width) // 2, (size[1] - height) // 2, width, height)


def paint_dialog(picture: Picture, kind: DialogKind) -> Picture:
    """Return a copy of a picture with the dialog of a game's end in its middle."""
    rect = dialog_rect((picture.shape[1], picture.shape[0]), kind)
    dialog = np.full((rect.height, rect.width, 3), 240, dtype=np.uint8)
    dialog[:TITLE] = np.linspace((235, 213, 188), (226, 190, 150), TITLE).astype(np.uint8)[:, None]
    title, line = WORDS[kind]
    _write(dialog, title, (10, 20), 0.42, (20, 20, 20))
    _write(dialog, line, (24, 62), 0.4, (30, 30, 30))
    won = int(kind == "won")
    for number, line in enumerate(("Time: 1 seconds", "Games played: 1", f"Games won: {won}")):
        _write(dialog, line, (24, 90 + 22 * number), 0.4, (30, 30, 30))
    _paint_buttons(dialog, tuple(label for label, _ in ANSWERS[kind]))
    cv2.rectangle(dialog, (0, 0), (rect.width - 1, rect.height - 1), (74, 62, 52), 1)
    shown: Picture = picture.copy()
    left, top = max(rect.left, 0), max(rect.top, 0)
    visible = dialog[top - rect.top :, left - rect.left :][: shown.shape[0] - top, : shown.shape[1] - left]
    shown[top : top + visible.shape[0], left : left + visible.shape[1]] = visible
    return shown


def paint_tip(area: Picture, text: str) -> None:
    """Paint a tip over a part of the board."""
    area[:] = (225, 255, 255)
    height, width = area.shape[:2]
    cv2.rectangle(area, (0, 0), (width - 1, height - 1), (90, 90, 90), 1)
    _write(area, text, (4, height // 2 + 4), width / 400, (30, 30, 30))


def _paint_buttons(dialog: Picture, labels: tuple[str, ...]) -> None:
    height, width = dialog.shape[:2]
    each = (width - 24) // len(labels)
    for number, label in enumerate(labels):
        left, right = 16 + number * each, 16 + (number + 1) * each - 8
        default = number == len(labels) - 1
        cv2.rectangle(dialog, (left, height - 38), (right, height - 16), (250, 250, 250), -1)
        cv2.rectangle(
            dialog, (left, height - 38), (right, height - 16), (200, 140, 60) if default else (160, 160, 160), 1
        )
        _write(dialog, label, (left + max(4, (right - left - 7 * len(label)) // 2), height - 22), 0.38, (30, 30, 30))


def _write(picture: Picture, text: str, place: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)


# Colours from top left to bottom right; between them the light is blurred.
_LIGHT: tuple[tuple[Colour, ...], ...] = (
    ((214, 225, 238), (218, 229, 240), (205, 218, 232), (210, 221, 235), (178, 192, 213), (196, 210, 226)),
    ((208, 220, 234), (212, 224, 236), (204, 217, 231), (204, 216, 230), (168, 181, 203), (188, 202, 220)),
    ((182, 195, 215), (205, 217, 231), (206, 218, 232), (196, 209, 225), (176, 190, 210), (148, 160, 181)),
    ((196, 209, 226), (200, 213, 229), (203, 215, 230), (200, 212, 228), (190, 203, 220), (160, 174, 196)),
    ((191, 206, 224), (196, 210, 227), (200, 212, 228), (198, 210, 227), (190, 204, 222), (176, 191, 211)),
)
_BEVEL: Colour = (158, 177, 196)
_HALO: Colour = (112, 128, 152)


def paint_scenery(size: tuple[int, int], board: Rect, pitch: float) -> Picture:
    """Return a client area of a size (width, height) with everything but tiles and counters."""
    pixels = np.array([[colour[::-1] for colour in line] for line in _LIGHT], dtype=np.float32)
    pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC), dtype=np.float32)
    for reach, colour, strength in (
        (0.26, _HALO, 0.35),
        (0.2, _HALO, 0.6),
        (0.14, _BEVEL, 0.9),
        (0.07, SEPARATOR, 1.0),
    ):
        _lay_ring(pixels, board, max(1, round(reach * pitch)), colour, strength)
    return to_picture(pixels)


def _lay_ring(pixels: NDArray[np.float32], board: Rect, reach: int, colour: Colour, strength: float) -> None:
    top, left = max(board.top - reach, 0), max(board.left - reach, 0)
    area = pixels[top : board.top + board.height + reach, left : board.left + board.width + reach]
    area *= 1 - strength
    area += bgr(colour) * np.float32(strength)


Side = Literal["left", "right"]

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
        canvas.lay(glyph(outline(weight, symbol), box), (255, 255, 255))
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
