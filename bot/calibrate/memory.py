"""What has been learnt of a game's looks so far: tiles with their cells, and what another tile would be by them.

Promises a cell for a tile only when a tile that is known to be that looks the same and nothing known to be something
else looks as much alike. Tiles that add nothing new are not kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.board import Cell, Cells
from bot.calibrate.pages import Page
from bot.vision.looks import PARTS, Looks, apart, apart_from_others

SMALLEST_LIMIT, LARGEST_LIMIT = 6.0, 20.0

RIVAL = 1.5
"""How many times farther the nearest tile of another kind must be."""


class Memory:
    """Tiles that are known, by their looks."""

    def __init__(self) -> None:
        self._looks: Looks = np.zeros((0, PARTS * PARTS, 3), dtype=np.float32)
        self._values = np.zeros(0, dtype=np.uint8)
        self.limit = SMALLEST_LIMIT

    @property
    def known(self) -> set[int]:
        """The kinds of cells of which at least one tile is known."""
        return {int(value) for value in self._values}

    def take_measure(self, covered: Page) -> None:
        """Learn from a board of nothing but covered tiles how much tiles of one kind differ in this game."""
        spread = float(np.quantile(apart_from_others(covered.looks).min(axis=1), 0.9))
        self.limit = float(np.clip(3 * spread + 4, SMALLEST_LIMIT, LARGEST_LIMIT))

    def cells(self, page: Page) -> Cells:
        """Return what the tiles of a page are by their looks, UNREAD where nothing known looks like that."""
        cells = np.full(len(page.looks), Cell.UNREAD, dtype=np.uint8)
        if len(self._values):
            distances = apart(page.looks, self._looks)
            nearest = distances.argmin(axis=1)
            value, off = self._values[nearest], distances[np.arange(len(nearest)), nearest]
            rival = np.where(self._values[None] != value[:, None], distances, np.inf).min(axis=1)
            sure = (off <= self.limit) & (rival > RIVAL * off)
            cells[sure] = value[sure]
        return cells.reshape(page.grid.rows, page.grid.cols)

    def learn(self, page: Page, cells: Cells) -> int:
        """Remember the tiles of a page that are told; return how many of them were new."""
        new = 0
        for look, value in zip(page.looks, cells.ravel().tolist(), strict=True):
            if value == Cell.UNREAD:
                continue
            same = self._looks[self._values == value]
            if len(same) == 0 or float(apart(look[None], same).min()) > self.limit / 2:
                self._looks = np.concatenate([self._looks, look[None]])
                self._values = np.append(self._values, np.uint8(value))
                new += 1
        return new


def without_outliers(pages: Sequence[tuple[Page, Cells]]) -> list[tuple[Page, Cells]]:
    """Return the pages with tiles left out that look like tiles of another kind and like none of their own.

    Such a tile was caught in a state that proves nothing. Of two kinds that have one tile in common, the one that has
    no other keeps it.
    """
    looks = np.concatenate([page.looks for page, _ in pages])
    values = np.concatenate([cells.ravel() for _, cells in pages])
    told = np.flatnonzero(values != Cell.UNREAD)
    odd = np.zeros(len(values), dtype=np.bool_)
    for value in np.unique(values[told]).tolist():
        own, others = told[values[told] == value], told[values[told] != value]
        kinds, index = np.unique(looks[own].round().reshape(len(own), -1), axis=0, return_inverse=True)
        if len(kinds) < 2 or len(others) == 0:
            continue
        other_kinds = np.unique(looks[others].round().reshape(len(others), -1), axis=0).reshape(-1, *looks.shape[1:])
        kinds = kinds.reshape(-1, *looks.shape[1:])
        foreign = apart(kinds, other_kinds).min(axis=1)
        strange = (foreign < SMALLEST_LIMIT) & (apart_from_others(kinds).min(axis=1) > LARGEST_LIMIT)
        odd[own[strange[index]]] = True
    parts = np.split(odd, np.cumsum([cells.size for _, cells in pages])[:-1])
    return [
        (page, np.where(part.reshape(cells.shape), Cell.UNREAD, cells).astype(np.uint8))
        for (page, cells), part in zip(pages, parts, strict=True)
    ]
