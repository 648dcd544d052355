"""A closer look at tiles: normalised correlation with every template, at every small shift.

Promises for a tile how well each kind of figure correlates with it, whatever its brightness and contrast and wherever
within a few pixels it sits. It is some hundred times slower than a first look and only for the few tiles that need
it; a coarser one, ten times as fast, is enough to ask for a second witness. Plain tiles, covered or blank, have no
figure to correlate with; they are told by their colour, not here.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.matcher import Floats, Tiles, canonical_tiles, one_tile, product, unit_rows
from bot.vision.skin import PLAIN, Skin

SIDE, RIM, REACH = 24, 3, 3
"""Side of a tile here, what is cut off all around to leave the lines out, and how far templates are shifted."""

WITNESS = 20, 2, 1
"""The same for a second witness. Of 72 figures in drawn pictures that were certain and wrong it knew better of 61, of
1,772 right ones of 2; with sides of 16 it was 50 and 7. None of 3,949 in pictures of real games was contradicted."""


@lru_cache(maxsize=64)
def correlator_for(skin: Skin, theme: str | None, size: tuple[int, int, int] = (SIDE, RIM, REACH)) -> Correlator:
    """Return the closer look of one theme of a skin; made once and kept."""
    return Correlator(skin, theme, *size)


class Correlator:
    """The figures of one theme of a skin, made ready for correlation."""

    def __init__(self, skin: Skin, theme: str | None, side: int = SIDE, rim: int = RIM, reach: int = REACH) -> None:
        self._exact = skin.tolerance is not None  # the demands on likeness to drawn figures were fitted without
        self._side, self._inside, self._cut = side, side - 2 * rim, rim - reach
        values, figures = [], []
        for value, _, picture in skin.variants(theme):
            if value not in PLAIN:
                small = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA)
                figures.append(small[rim:-rim, rim:-rim])
                values.append(value)
        self.values, self._starts = np.unique(values, return_index=True)
        self._figures = np.ascontiguousarray(unit_rows(np.array(figures, dtype=np.float32)).T)

    def likeness(self, picture: Picture, grid: Grid, row: int, col: int) -> Floats:
        """Return the correlation of a tile with each of `values`, at the best shift and variant; 1 is identity."""
        return np.asarray(self._likeness(one_tile(picture, grid, row, col, self._side, exact=self._exact)[None])[0])

    def contradicted(
        self, picture: Picture, grid: Grid, where: NDArray[np.intp], values: NDArray[np.uint8]
    ) -> NDArray[np.bool_]:
        """Return which of a board's tiles, `where` in reading order, are more like another figure than their value."""
        likeness = self._likeness(canonical_tiles(picture, grid, self._side, exact=self._exact)[where])
        return np.asarray(self.values[likeness.argmax(axis=1)] != values)

    def _likeness(self, tiles: Tiles) -> Floats:
        """Return the correlation of tiles, shape (n, side, side, 3), with each of `values`; shape (n, values)."""
        inside = self._inside
        seen = tiles[:, self._cut : self._side - self._cut, self._cut : self._side - self._cut].astype(np.float32)
        seen -= seen.mean(axis=(1, 2), keepdims=True)
        windows = np.lib.stride_tricks.sliding_window_view(seen, (inside, inside), axis=(1, 2))
        shifted = windows.reshape(-1, 3, inside * inside)
        # Figures have no mean, so that of a window need not be taken off its pixels, only off its length.
        means, pixels = shifted.mean(axis=2), shifted.reshape(len(shifted), -1)
        squares = np.einsum("ij,ij->i", pixels, pixels) - inside * inside * (means * means).sum(axis=1)
        products = product(pixels, self._figures) / np.sqrt(np.maximum(squares, 1e-6))[:, None]
        best = products.reshape(len(tiles), -1, products.shape[1]).max(axis=1)
        return np.asarray(np.maximum.reduceat(best, self._starts, axis=1))
