"""A closer look at single tiles: normalised correlation with every template, at every small shift.

Promises for a tile how well each kind of figure correlates with it, whatever its brightness and contrast and wherever
within a few pixels it sits. It is some hundred times slower than a first look and only for the few tiles that need
it. Plain tiles, covered or blank, have no figure to correlate with; they are told by their colour, not here.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np

from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.matcher import Floats, one_tile, product, unit_rows
from bot.vision.skin import PLAIN, Skin

SIDE, RIM, REACH = 24, 3, 3
"""Side of a tile here, what is cut off all around to leave the lines out, and how far templates are shifted."""


@lru_cache(maxsize=32)
def correlator_for(skin: Skin, theme: str | None) -> Correlator:
    """Return the closer look of one theme of a skin; made once and kept."""
    return Correlator(skin, theme)


class Correlator:
    """The figures of one theme of a skin, made ready for correlation."""

    def __init__(self, skin: Skin, theme: str | None) -> None:
        self._exact = skin.tolerance is not None  # the demands on likeness to drawn figures were fitted without
        values, figures = [], []
        for value, _, picture in skin.variants(theme):
            if value not in PLAIN:
                small = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
                figures.append(small[RIM:-RIM, RIM:-RIM])
                values.append(value)
        self.values, self._starts = np.unique(values, return_index=True)
        self._figures = np.ascontiguousarray(unit_rows(np.array(figures, dtype=np.float32)).T)

    def likeness(self, picture: Picture, grid: Grid, row: int, col: int) -> Floats:
        """Return the correlation of a tile with each of `values`, at the best shift and variant; 1 is identity."""
        seen = one_tile(picture, grid, row, col, SIDE, REACH, exact=self._exact)
        tile = seen[RIM:-RIM, RIM:-RIM].astype(np.float32)
        tile -= tile.mean(axis=(0, 1))
        inside = SIDE - 2 * RIM
        windows = np.lib.stride_tricks.sliding_window_view(tile, (inside, inside), axis=(0, 1))
        shifted = windows.reshape((2 * REACH + 1) ** 2, 3, inside * inside)
        # Figures have no mean, so that of a window need not be taken off its pixels, only off its length.
        means, pixels = shifted.mean(axis=2), shifted.reshape(len(shifted), -1)
        squares = np.einsum("ij,ij->i", pixels, pixels) - inside * inside * (means * means).sum(axis=1)
        products = product(pixels, self._figures) / np.sqrt(np.maximum(squares, 1e-6))[:, None]
        return np.asarray(np.maximum.reduceat(products.max(axis=0), self._starts))
