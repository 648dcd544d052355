"""Marks that a person drew over a screenshot: boxes around tiles, letters on them.

Promises to call an unread tile plain, covered or blank, only when all that keeps it from looking like the plain tiles
around it cannot belong to the game: thin lines that come in from one neighbour and leave to another, as no figure does,
and ink of a hue that nothing in the skin has. It does not read figures under marks; such tiles stay unread.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Cells
from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.matcher import Floats, Tiles, one_tile
from bot.vision.skin import PLAIN, Skin

SIDE, RIM = 24, 1
"""Side of a tile here, and what is cut off all around: the lines between tiles."""

INK = 26
"""Grey levels that a pixel must differ from plain tiles to be ink."""

FAINT = 5.5
"""Grey levels that plain tiles differ from each other on average, at the most."""

MOST_TINT = 24
"""Grey levels that a tile may be lighter or darker than its neighbours: all tiles of a board differ a little."""

HUES_APART = 3

NEAREST = 10
"""So many plain tiles of either kind, the nearest ones, show what plain looks like here."""

MOST_MARKED = 40

Mask = NDArray[np.bool_]


def plain_under_marks(picture: Picture, grid: Grid, cells: Cells, skin: Skin, where: NDArray[np.intp]) -> Cells:
    """Return the cells with those of the unread tiles at `where`, shape (n, 2), filled in that are plain but for marks.

    `cells` has shape (rows, cols). Where more tiles are unread than a person would mark, nothing is filled in.
    """
    if not 0 < len(where) <= MOST_MARKED:
        return cells
    filled = cells.copy()
    foreign = _foreign_hues(skin)
    for row, col in where.tolist():
        tile = _tile(picture, grid, row, col)
        for value in PLAIN:
            plain = [_tile(picture, grid, *place) for place in _nearest(cells, value, row, col)]
            off = min((_difference(tile, each) for each in plain), key=_strangeness, default=None)
            if off is not None and _only_marks(tile, off, foreign):
                filled[row, col] = value
    return filled


def _tile(picture: Picture, grid: Grid, row: int, col: int) -> Tiles:
    """Return one tile without the lines around it, shape (SIDE − 2·RIM, SIDE − 2·RIM, 3)."""
    return one_tile(picture, grid, row, col, SIDE)[RIM:-RIM, RIM:-RIM]


def _nearest(cells: Cells, value: int, row: int, col: int) -> list[list[int]]:
    places = np.argwhere(cells == value)
    order = np.argsort(np.abs(places - (row, col)).max(axis=1), kind="stable")
    return [[int(r), int(c)] for r, c in places[order[:NEAREST]]]


def _difference(tile: Tiles, plain: Tiles) -> Floats:
    """Return how far each pixel is from a plain tile's in the worst channel, tint aside; shape (side, side)."""
    off = tile.astype(np.float32) - plain
    tint = np.clip(np.median(off, axis=(0, 1)), -MOST_TINT, MOST_TINT)
    return np.asarray(np.abs(off - tint).max(axis=2))


def _strangeness(off: Floats) -> float:
    return float(np.minimum(off, 2 * INK).sum())


def _only_marks(tile: Tiles, off: Floats, foreign: Mask) -> bool:
    """Whether what is on a tile can only be marks: lines that pass through, and letters of a foreign hue.

    `off` tells how far each pixel is from a plain tile's, shape as the tile's. Beside the marks the tile must be plain
    indeed: a digit that fades in is faint at first.
    """
    ink = off > INK
    own = np.abs(tile - np.median(tile, axis=(0, 1))).max(axis=2) > INK
    if (ink & ~own).mean() > 0.03:  # something is missing here, the shade at the rim of a tile perhaps
        return False
    if not 0.015 < ink.mean() < 0.4 or off[~ink].mean() > FAINT:
        return False
    rest = ink & ~_passing_lines(ink)
    if rest.mean() < 0.008:
        return True
    hsv = cv2.cvtColor(tile, cv2.COLOR_BGR2HSV)[rest]
    vivid = hsv[(hsv[:, 1] > 140) & (hsv[:, 2] > 140), 0]
    # The soft edge of a letter is a blend with the tile below it; the larger part is its core, of the letter's own hue.
    return bool(rest.mean() < 0.25 and len(vivid) > 0.4 * len(hsv) and foreign[vivid].mean() > 0.9)


def _passing_lines(ink: Mask) -> Mask:
    """Return the ink that belongs to thin strokes which reach at least two sides of the tile."""
    count, labels = cv2.connectedComponents(ink.astype(np.uint8), connectivity=8)
    passing = np.zeros_like(ink)
    for label in range(1, count):
        part = labels == label
        sides = [part[0].any(), part[-1].any(), part[:, 0].any(), part[:, -1].any()]
        thick = cv2.erode(part.astype(np.uint8), np.ones((4, 4), np.uint8), borderValue=0).any()
        if sum(sides) >= 2 and not thick:
            passing |= part
    return passing


@lru_cache(maxsize=32)
def _foreign_hues(skin: Skin) -> Mask:
    """Return which hues, 0 to 179, no figure of a skin has, nor anything near them; shape (180,)."""
    found = np.zeros(180, dtype=np.bool_)
    for value, tiles in skin.tiles.items():
        if value not in PLAIN:
            hsv = cv2.cvtColor(tiles.reshape(-1, skin.tile, 3), cv2.COLOR_BGR2HSV).reshape(-1, 3)
            vivid = hsv[(hsv[:, 1] > 140) & (hsv[:, 2] > 110), 0]
            found |= np.bincount(vivid, minlength=180) > 0.01 * skin.tile**2 * len(tiles)
    around = np.concatenate([found[-HUES_APART:], found, found[:HUES_APART]])
    return np.asarray(np.convolve(around, np.ones(2 * HUES_APART + 1), "valid") == 0)
