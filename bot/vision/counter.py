"""The two counters by the board: mines left and seconds.

Promises a number only when every digit of it was recognised clearly, and None when a counter is hidden, cut off or
empty. Panels are found by their colour (deeply coloured or black, where the surroundings are pale) and their size in
tiles, so the window may be of any size.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.skin import GLYPHS, INK, CounterLook

Grey = NDArray[np.uint8]
Box: TypeAlias = tuple[int, int, int, int]
"""x, y, width and height."""

FRAME, COUNTERS_REACH = 0.1, 3.2
"""Tiles from the board to where its counters may begin, and to their far side, above or below it."""

BESIDE, LEAST_AREA = 2, 6
"""Tiles left and right of the board where counters may be, and pixels of an area that is too small for any digit."""

WIDTHS, HEIGHTS, SHAPES = (1.4, 3.6), (0.7, 1.9), (1.25, 3.2)
"""Tiles that a panel is wide and high, and how many times as wide as high: 2.2 and 1.2 in the Windows 7 game."""

FILLED, BARE_HEIGHT = 0.8, 0.8
"""The share of its box that a panel fills, and tiles that bare digits are high at least."""

DEEP, BLACK = 55, 60
"""Grey levels between the channels of a deep colour, and of the brightest one of black: a panel's colours."""

LIT, LIT_ON_BLACK, BLACK_GROUND = 150, 25, 12
"""Grey levels of a digit; of its segments, lit or not, where the ground is no brighter than the last."""

STROKES, ROOM = 0.3, 0.16
"""Tiles between the strokes of a panel's digits, at most; and heights of bare digits that are left around them."""

MOST_DIGITS = 3
"""No counter shows more."""

OFF_MIDDLE, TWINS = 0.3, 0.15
"""Tiles by which the middle between both panels may be off that of the board, and twins may differ in size and height.

In 45 windows with the original artwork the middle is off by 0.06 at most; one hidden column moves it by 0.5.
"""


@dataclass(frozen=True)
class Counters:
    """What the counters show, None for what cannot be read."""

    mines_left: int | None = None
    seconds: int | None = None
    in_sight: bool = False  # one of them at least, even if it cannot be read
    beyond: Literal["left", "right"] | None = None  # where the board goes on unseen: its middle is between its panels


def _rows(grid: Grid, look: CounterLook, height: int) -> slice:
    """Return the rows of pixels in which the counters are, cut to the picture."""
    near, far = FRAME * grid.pitch, COUNTERS_REACH * grid.pitch
    _, top, _, bottom = grid.box
    low, high = (bottom + near, bottom + far) if look.side == "below" else (top - far, top - near)
    return slice(max(0, int(low)), max(0, min(height, int(high))))


def read_counters(picture: Picture, grid: Grid, look: CounterLook) -> Counters:
    """Return what the counters beside a board show."""
    strip = picture[_rows(grid, look, picture.shape[0])]
    start = max(0, int(grid.box[0] - BESIDE * grid.pitch))
    area = strip[:, start : int(grid.box[2] + BESIDE * grid.pitch)]
    if min(area.shape[:2]) < LEAST_AREA:
        return Counters()
    middle = (grid.box[0] + grid.box[2]) / 2
    panels = [(x + start, y, width, height) for x, y, width, height in _panels(area, grid.pitch)]
    beyond = _beyond(strip, panels, middle, grid.pitch) if panels and look.side == "below" else None
    sides: dict[str, int | None] = {}
    for x, y, width, height in panels or _bare_digits(area, grid.pitch, start):
        side = "left" if x + width / 2 < middle else "right"
        if side in sides:  # two on one side: one of them is something else
            return Counters(in_sight=beyond is not None, beyond=beyond)
        sides[side] = _number(strip[y : y + height, x : x + width].tobytes(), width, look)
    if beyond is not None:
        return Counters(in_sight=True, beyond=beyond)  # which of them is which, the board's middle does not tell
    other = "left" if look.mines == "right" else "right"
    return Counters(sides.get(look.mines), sides.get(other), in_sight=bool(sides))


def _beyond(strip: Picture, panels: list[Box], middle: float, pitch: float) -> Literal["left", "right"] | None:
    """Return on which side of its lattice a board must go on, for the middle of a board is that between its panels.

    One alone is one of a pair: its twin is looked for as far as the picture goes.
    """
    if len(panels) == 1:
        panels = [each for each in _panels(strip, pitch) if _are_twins(each, panels[0], pitch)]
    if len(panels) != 2 or not _are_twins(panels[0], panels[1], pitch):
        return None
    off = sum(x + width / 2 for x, _, width, _ in panels) / 2 - middle
    if abs(off) <= OFF_MIDDLE * pitch:
        return None
    return "left" if off < 0 else "right"


def _are_twins(one: Box, other: Box, pitch: float) -> bool:
    """Whether two panels are of one size and at one height."""
    return all(abs(a - b) <= TWINS * pitch for a, b in zip(one[1:], other[1:], strict=True))


ALONG = 0.6
"""The share of a row of pixels that the black frame of the board covers, and two panels do not."""


def _panels(area: Picture, pitch: float) -> list[Box]:
    """Return the boxes (x, y, width, height) of what has a panel's colour and size."""
    blue, green, red = cv2.split(area)
    brightest, darkest = cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)
    coloured = ((cv2.subtract(brightest, darkest) > DEEP) | (brightest < BLACK)).astype(np.uint8)
    coloured[coloured.mean(axis=1) > ALONG] = 0
    size = max(3, round(STROKES * pitch)) | 1  # closes over the digits
    closed = cv2.morphologyEx(coloured, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
    closed = cv2.morphologyEx(closed, cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(closed)
    found = []
    for x, y, width, height, filled in stats[1:].tolist():
        fits = _within(width / pitch, WIDTHS) and _within(height / pitch, HEIGHTS)
        if fits and _within(width / height, SHAPES) and filled > FILLED * width * height:
            found.append((x, y, width, height))
    return found


def _within(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] < value < bounds[1]


def _bare_digits(area: Picture, pitch: float, start: int) -> list[Box]:
    """Return the boxes of light digits without a panel of their own, with room around them; x counts from `start`."""
    light = area.max(axis=2)
    # On a black ground even segments that are off can be seen, and tell where the digits are.
    lit = (light > (LIT_ON_BLACK if np.median(light) < BLACK_GROUND else LIT)).astype(np.uint8)
    size = max(3, round(STROKES * pitch)) | 1
    _, _, stats, _ = cv2.connectedComponentsWithStats(
        cv2.morphologyEx(lit, cv2.MORPH_CLOSE, np.ones((size, size), np.uint8))
    )
    found = []
    for x, y, width, height, _ in stats[1:].tolist():
        fits = BARE_HEIGHT < height / pitch < HEIGHTS[1] and SHAPES[0] * height < width < WIDTHS[1] * pitch
        if fits and y > 0:  # what touches the upper rim of the area is a menu
            room = round(ROOM * height)
            left, top = max(0, x - room), max(0, y - room)
            right, bottom = min(area.shape[1], x + width + room), min(area.shape[0], y + height + room)
            found.append((left + start, top, right - left, bottom - top))
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
    return int(text) if digits.isdigit() and len(digits) <= MOST_DIGITS else None


ENLARGED = 48
"""Pixels of height to which a panel is enlarged, so that thin strokes of small counters do not break."""

RIM_X, RIM_Y = 0.06, 0.1
"""Parts of a panel's width and height at its rims that hold no ink."""

LEAST_CONTRAST, MOST_INK, LEAST_TEXT = 60, 0.5, 0.3
"""Grey levels from ink to ground, the share of a panel that is ink at most, and of its height that text has."""

WIDEST, SPECK, MINUS = 0.85, 0.02, 0.4
"""Text heights that a digit is wide at most; the area, in squares of it, of a speck; and the height of a minus."""


def _glyphs(panel: Picture) -> list[tuple[Grey, bool]]:
    """Return the glyphs on a panel from left to right, grey and cut to their ink, and whether each is a minus."""
    height, width = panel.shape[:2]
    scale = max(1, round(ENLARGED / height))
    enlarged = cv2.resize(_ink(panel), (width * scale, height * scale), interpolation=cv2.INTER_CUBIC)
    rim_x, rim_y = round(RIM_X * width * scale), round(RIM_Y * height * scale)
    light = np.asarray(enlarged[rim_y : height * scale - rim_y, rim_x : width * scale - rim_x], dtype=np.uint8)
    _, mask = cv2.threshold(light, 0, 1, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    ground = np.median(light)
    if light.max() - ground < LEAST_CONTRAST or mask.mean() > MOST_INK:
        return []
    tall = np.flatnonzero(mask.any(axis=1))
    text_height = tall[-1] - tall[0] + 1
    if text_height < LEAST_TEXT * light.shape[0]:
        return []
    glyphs = []
    for start, end in _runs(np.asarray(mask.any(axis=0))):
        pieces = max(1, round((end - start) / (WIDEST * text_height)))  # bold digits may touch
        for piece in range(pieces):
            first = start + (end - start) * piece // pieces
            last = start + (end - start) * (piece + 1) // pieces
            ink = np.flatnonzero(mask[:, first:last].any(axis=1))
            if len(ink) and (last - first) * (ink[-1] - ink[0] + 1) > SPECK * text_height**2:
                cut = np.asarray(light[ink[0] : ink[-1] + 1, first:last], dtype=np.uint8)
                glyphs.append((cut, ink[-1] - ink[0] + 1 < MINUS * text_height))
    return glyphs


def _ink(panel: Picture) -> Grey:
    """Return how much of a light digit each pixel is: white on a coloured panel, or lit red on a black one."""
    darkest = panel.min(axis=2)
    return np.asarray(darkest if darkest.max() > LIT else panel.max(axis=2), dtype=np.uint8)


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
