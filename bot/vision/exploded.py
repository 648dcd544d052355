"""The mine that went off, where a poor palette has taken its red away or too much light has made blanks as pale as it.

Promises to doubt a mine that is of another hue than the mines around it, since only the one that went off is. All other
mines of a picture are alike in hue whatever happened to its colours. It never says which mine went off. And to doubt
one that shows no mine at all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.vision.matcher import Floats, Tiles

FEWEST_MINES = 3
"""So many mines are needed to see what is usual in a picture."""

OTHER_HUE = 5.0
"""Grey levels of red, beyond those of green and blue, by which a mine may differ from the usual one."""

LEAST_FIGURE = 16.0
"""Grey levels by which the middle of a tile varies, any channel, at least, when there is a mine in it that went off.

Ten of them in pictures of the original artwork, as they are and in light of 1.4 times, have 32 and more.
"""

RIM = 2


def odd_mines(tiles: Tiles, values: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which of the canonical tiles were read as mines and are not like the others; shape (n,)."""
    odd = np.zeros(len(values), dtype=np.bool_)
    mines = np.flatnonzero(values == Cell.MINE)
    if len(mines) >= FEWEST_MINES:
        red = _redness(tiles[mines])
        odd[mines] = np.abs(red - np.median(red)) > OTHER_HUE
    return odd


def flat_explosions(tiles: Tiles) -> NDArray[np.bool_]:
    """Return which of some canonical tiles, all read as mines that went off, show no mine; shape (n,)."""
    spread = tiles[:, RIM:-RIM, RIM:-RIM].std(axis=(1, 2), dtype=np.float32).max(axis=1)
    return np.asarray(spread < LEAST_FIGURE)


def _redness(tiles: Tiles) -> Floats:
    """Return by how much red exceeds the other colours in the middle of each tile, shape (n,)."""
    blue, green, red = tiles[:, RIM:-RIM, RIM:-RIM].mean(axis=(1, 2), dtype=np.float32).T
    return np.asarray(red - (blue + green) / 2)
