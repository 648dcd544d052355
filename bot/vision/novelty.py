"""Tiles that a skin has never seen: no match, however much nearer than the next, makes them familiar.

A skin taken from a game's own pixels knows few tiles at first, and a 5 it has never met is always nearest to something.
Promises for tiles and the values they were matched with whether they really look like that: a plain tile in every part
of it, a figure by its correlation with the skin's own figures, at the size at which the board is drawn. Light that
changes from one end of a board to the other makes no plain tile a stranger: those between lead from one to the other.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.matcher import Floats, Tiles, canonical_tiles, one_tile, product, unit_rows
from bot.vision.similarity import SIDE, Looks, apart, looks_of
from bot.vision.skin import PLAIN, Skin

RIM, REACH = 3, 1
"""What is cut off a tile all around, and how far it may be shifted against a figure."""

LEAST_LIKENESS, LEAST_WHEN_SMALL = 0.9, 0.88
"""A figure correlates at least so well with one of its own kind; less where it is drawn with few pixels."""

SMALL, LARGE = 16.0, 20.0
"""Pitches between which the demand on the likeness rises."""

FEW = 12
"""Up to so many tiles are cut out one by one; of more, the whole board is cheaper."""

OTHER_GROUND = 55.0
"""Grey levels, in any channel, by which a tile's ground may be off: a mine on red is not a mine on grey."""

STEP = 8.0
"""Grey levels by which light may change from one plain tile to the next like it."""


class Novelty:
    """Tells tiles from those a skin knows, on one board; remembers in which light that shows its plain tiles."""

    def __init__(self, skin: Skin) -> None:
        self._skin = skin
        self._farthest = np.inf if skin.tolerance is None else skin.tolerance
        self._lit: dict[int, Looks] = {}  # by cell value: how its plain tiles looked so far

    def among(self, picture: Picture, grid: Grid, chosen: NDArray[np.intp], values: Tiles) -> NDArray[np.bool_]:
        """Return which of the chosen tiles, by their number, are not what they were matched with; shape (n,)."""
        tiles = _tiles(picture, grid, chosen)
        strange = np.zeros(len(chosen), dtype=np.bool_)
        least = np.interp(grid.pitch, (SMALL, LARGE), (LEAST_WHEN_SMALL, LEAST_LIKENESS))
        pitch = int(np.clip(round(grid.pitch), 8, SIDE))
        for value in np.intersect1d(values, list(self._skin.tiles)).tolist():
            here = np.flatnonzero(values == value)
            drawn = _drawn_at(self._skin, value, pitch)
            if value in PLAIN:
                looks = looks_of(tiles[here][:, REACH:-REACH, REACH:-REACH])
                strange[here] = self._oddly_plain(value, looks, looks_of(drawn))
            else:
                likeness, figure = _likeness(tiles[here], _figures(self._skin, value, pitch))
                off = _grounds(tiles[here]) - _grounds(drawn)[:, figure]
                strange[here] = (likeness < least) | (np.abs(off).max(axis=2).min(axis=0) > OTHER_GROUND)
        return strange

    def _oddly_plain(self, value: int, looks: Looks, drawn: Looks) -> NDArray[np.bool_]:
        """Return which plain tiles are unlike all that the skin has, and that no chain of tiles leads to."""
        lit = self._lit.get(value, drawn[:0])
        strange = np.asarray((apart(looks, drawn).min(axis=1) > self._farthest) & ~_near(looks, lit))
        shaped_alike = _shapes_apart(looks, drawn).min(axis=1) <= self._farthest
        news = looks[~strange]
        while len(news) and (strange & shaped_alike).any():
            open_cases = np.flatnonzero(strange & shaped_alike)
            reached = open_cases[_near(looks[open_cases], news)]
            strange[reached] = False
            news = looks[reached]
        familiar = looks[~strange]
        self._lit[value] = np.concatenate([lit, familiar[~_near(familiar, lit)]])
        return strange


def _near(looks: Looks, others: Looks) -> NDArray[np.bool_]:
    """Return which looks are within a step of one of the others, shape (len(looks),)."""
    return np.asarray(apart(looks, others).min(axis=1, initial=np.inf) <= STEP)


def _shapes_apart(looks: Looks, others: Looks) -> Floats:
    """Return how far each look is from each of the others, overall tint aside; shape (len(looks), len(others))."""
    shapes, other_shapes = (each - np.median(each, axis=1, keepdims=True) for each in (looks, others))
    return apart(np.asarray(shapes, dtype=np.float32), np.asarray(other_shapes, dtype=np.float32))


def _tiles(picture: Picture, grid: Grid, chosen: NDArray[np.intp]) -> Tiles:
    """Return the chosen tiles with a rim, one by one when they are few."""
    if len(chosen) > FEW:
        return canonical_tiles(picture, grid, SIDE, rim=REACH, exact=True)[chosen]
    places = (divmod(int(index), grid.cols) for index in chosen)
    return np.array([one_tile(picture, grid, *place, SIDE, REACH, exact=True) for place in places])


def _likeness(tiles: Tiles, figures: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """Return each tile's best correlation at any shift, and with which figure; tiles are SIDE + 2·REACH pixels wide."""
    shifts = [(y, x) for y in range(2 * REACH + 1) for x in range(2 * REACH + 1)]
    shifted = (_without_rim(tiles[:, y : y + SIDE, x : x + SIDE]) for y, x in shifts)
    products = [product(unit_rows(each), figures) for each in shifted]
    best = np.max(products, axis=0)
    return best.max(axis=1), best.argmax(axis=1)


def _grounds(tiles: Tiles) -> Floats:
    """Return the median and the mean colour of each tile, shape (2, n, 3): one may be that of a large figure."""
    pixels = tiles.reshape(len(tiles), -1, 3)
    return np.asarray([np.median(pixels, axis=1), pixels.mean(axis=1)], dtype=np.float32)


@lru_cache(maxsize=512)
def _figures(skin: Skin, value: int, pitch: int) -> Floats:
    """Return the figures of a kind of cell as drawn at a pitch, ready for correlation, shape (pixels, variants)."""
    return np.ascontiguousarray(unit_rows(_without_rim(_drawn_at(skin, value, pitch))).T)


@lru_cache(maxsize=512)
def _drawn_at(skin: Skin, value: int, pitch: int) -> Tiles:
    """Return the tiles of a kind of cell with no more detail than a pitch allows, shape (variants, SIDE, SIDE, 3)."""
    small = [cv2.resize(tile, (pitch, pitch), interpolation=cv2.INTER_AREA) for tile in skin.tiles[value]]
    return np.array([cv2.resize(tile, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR) for tile in small], dtype=np.uint8)


def _without_rim(tiles: Tiles) -> Floats:
    return tiles[:, RIM:-RIM, RIM:-RIM].astype(np.float32)
