"""The two counters by the board: mines left and seconds.

Promises a number only when every digit of it was recognised clearly, and None when a counter is hidden, cut off or
empty. Panels are found by their colour (deeply coloured or black, where the surroundings are pale) and their size in
tiles, so the window may be of any size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.skin import GLYPHS, INK, CounterLook

Grey = NDArray[np.uint8]

COUNTERS_REACH = 3.2
"""Tiles from the board to the far side of its counters, above or below it."""


@dataclass(frozen=True)
class Counters:
    """What the counters show, None for what cannot be read."""

    mines_left: int | None = None
    seconds: int | None = None


def _area(grid: Grid, look: CounterLook, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """Return the rows and columns of pixels in which the counters are, cut to the picture."""
    left, top, right, bottom = grid.box
    near, far = 0.1 * grid.pitch, COUNTERS_REACH * grid.pitch
    low, high = (bottom + near, bottom + far) if look.side == "below" else (top - far, top - near)
    rows = slice(max(0, int(low)), max(0, min(shape[0], int(high))))
    return rows, slice(max(0, int(left - 2 * grid.pitch)), min(shape[1], int(right + 2 * grid.pitch)))


def read_counters(picture: Picture, grid: Grid, look: CounterLook) -> Counters:
    """Return what the counters beside a board show."""
    rows, cols = _area(grid, look, picture.shape)
    area = picture[rows, cols]
    if min(area.shape[:2]) < 6:
        return Counters()
    middle = (grid.box[0] + grid.box[2]) / 2 - cols.start
    sides: dict[str, int | None] = {}
    for x, y, width, height in _panels(area, grid.pitch) or _bare_digits(area, grid.pitch):
        side = "left" if x + width / 2 < middle else "right"
        if side in sides:  # two on one side: one of them is something else
            return Counters()
        sides[side] = _number(area[y : y + height, x : x + width].tobytes(), width, look)
    other = "left" if look.mines == "right" else "right"
    return Counters(mines_left=sides.get(look.mines), seconds=sides.get(other))


def _panels(area: Picture, pitch: float) -> list[tuple[int, int, int, int]]:
    """Return the boxes (x, y, width, height) of what has a panel's colour and size."""
    blue, green, red = cv2.split(area)
    brightest, darkest = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    coloured = ((cv2.subtract(brightest, darkest) > 55) | (brightest < 60)).astype(np.uint8)
    size = max(3, round(0.3 * pitch)) | 1  # closes over the digits
    closed = cv2.morphologyEx(coloured, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
    closed = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed)
    found = []
    for x, y, width, height, filled in stats[1:].tolist():
        fits = 1.4 * pitch < width < 3.6 * pitch and 0.7 * pitch < height < 1.9 * pitch
        if fits and 1.25 < width / height < 3.2 and filled > 0.8 * width * height:
            found.append((x, y, width, height))
    return found


def _bare_digits(area: Picture, pitch: float) -> list[tuple[int, int, int, int]]:
    """Return the boxes of light digits that have no panel of their own, with room around them."""
    light = area.max(axis=2)
    # On a black ground even segments that are off can be seen, and tell where the digits are.
    lit = (light > (25 if np.median(light) < 12 else 150)).astype(np.uint8)
    size = max(3, round(0.3 * pitch)) | 1
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.morphologyEx(lit, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
    )
    found = []
    for x, y, width, height, _ in stats[1:].tolist():
        fits = 0.8 * pitch < height < 1.9 * pitch and 1.25 * height < width < 3.6 * pitch
        if fits and y > 0:  # what touches the upper rim of the area is a menu
            room = round(0.16 * height)
            left, top = max(0, x - room), max(0, y - room)
            right, bottom = min(area.shape[1], x + width + room), min(area.shape[0], y + height + room)
            found.append((left, top, right - left, bottom - top))
    return found


@lru_cache(maxsize=64)
def _number(pixels: bytes, width: int, look: CounterLook) -> int | None:
    """Return the number on a panel, None when there is none or any glyph is unclear.

    Numbers are remembered by their pixels: from frame to frame hardly any counter changes.
    """
    panel = np.frombuffer(pixels, dtype=np.uint8).reshape(-1, width, 3)
    text = ""
    for glyph, is_minus in _glyphs(panel):
        symbol = "-" if is_minus else _recognise(glyph, look)
        if symbol is None:
            return None
        text += symbol
    digits = text.removeprefix("-")
    return int(text) if digits.isdigit() and len(digits) <= 3 else None


def _glyphs(panel: Picture) -> list[tuple[Grey, bool]]:
    """Return the glyphs on a panel from left to right, grey and cut to their ink, and whether each is a minus."""
    height, width = panel.shape[:2]
    scale = max(1, round(48 / height))  # enlarged, so that thin strokes of small counters do not break
    enlarged = cv2.resize(_ink(panel), (width * scale, height * scale), interpolation=cv2.INTER_CUBIC)
    rim_x, rim_y = round(0.06 * width * scale), round(0.1 * height * scale)
    light = np.asarray(enlarged[rim_y : height * scale - rim_y, rim_x : width * scale - rim_x], dtype=np.uint8)
    _, mask = cv2.threshold(light, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ground = np.median(light)
    if light.max() - ground < 60 or mask.mean() > 0.5:
        return []
    tall = np.flatnonzero(mask.any(axis=1))
    text_height = tall[-1] - tall[0] + 1
    if text_height < 0.3 * light.shape[0]:
        return []
    glyphs = []
    for start, end in _runs(np.asarray(mask.any(axis=0))):
        pieces = max(1, round((end - start) / (0.85 * text_height)))  # bold digits may touch
        for piece in range(pieces):
            first = start + (end - start) * piece // pieces
            last = start + (end - start) * (piece + 1) // pieces
            ink = np.flatnonzero(mask[:, first:last].any(axis=1))
            if len(ink) and (last - first) * (ink[-1] - ink[0] + 1) > 0.02 * text_height**2:
                cut = np.asarray(light[ink[0] : ink[-1] + 1, first:last], dtype=np.uint8)
                glyphs.append((cut, ink[-1] - ink[0] + 1 < 0.4 * text_height))
    return glyphs


def _ink(panel: Picture) -> Grey:
    """Return how much of a light digit each pixel is: white on a coloured panel, or lit red on a black one."""
    darkest = panel.min(axis=2)
    return np.asarray(darkest if darkest.max() > 150 else panel.max(axis=2), dtype=np.uint8)


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the start and end of every run of set flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


GLYPH_HEIGHT, GLYPH_WIDTH = 24, 24
LEAST_LIKENESS, LEAST_LEAD = 0.7, 0.04
"""A glyph is recognised when its correlation with a digit is at least so high and so much higher than with others."""


def _recognise(glyph: Grey, look: CounterLook) -> str | None:
    sample = _normal(glyph)
    likeness = np.full(10, -1.0)
    for value, template in _templates(look):
        likeness[value] = max(likeness[value], float((sample * template).sum()))
    first, second = np.argsort(likeness)[::-1][:2]
    if likeness[first] < LEAST_LIKENESS or likeness[first] - likeness[second] < LEAST_LEAD:
        return None
    return GLYPHS[first]


@lru_cache(maxsize=32)
def _templates(look: CounterLook) -> list[tuple[int, NDArray[np.float32]]]:
    """Return every digit of a look, cut to its ink and normalised, with its value."""
    templates = []
    for digits in look.digits:
        for value in range(10):
            cut = digits[value]
            rows, cols = np.flatnonzero(cut.max(axis=1) > INK), np.flatnonzero(cut.max(axis=0) > INK)
            templates.append((value, _normal(cut[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1])))
    return templates


def _normal(glyph: Grey) -> NDArray[np.float32]:
    """Return a glyph at the canonical height, in the middle, with zero mean and unit length."""
    height, width = glyph.shape
    size = min(GLYPH_WIDTH, max(1, round(width * GLYPH_HEIGHT / height)))
    canvas = np.full((GLYPH_HEIGHT, GLYPH_WIDTH), float(glyph.min()), dtype=np.float32)
    start = (GLYPH_WIDTH - size) // 2
    canvas[:, start : start + size] = cv2.resize(glyph, (size, GLYPH_HEIGHT), interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(canvas, (0, 0), 1.0), dtype=np.float32)
    soft -= soft.mean()
    return np.asarray(soft / max(float(np.linalg.norm(soft)), 1e-6), dtype=np.float32)
