"""What is behind the board: a blurry blue-grey landscape of light, and the dark frame in which the tiles lie."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.clone.drawing import Colour, bgr, to_picture
from bot.clone.tiles import SEPARATOR
from bot.desktop import Rect
from bot.picture import Picture

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
