"""What boards prove about their tiles with no end of a game in sight: by the rules alone, and by shape within them.

Some games hide their mines even when they are lost, and some are met half way. Promises the cells of such boards as far
as every naming of their looks that breaks no rule agrees, given what is known already; see `naming.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.board import Cell, Cells
from bot.calibrate.memory import Memory
from bot.calibrate.naming import Grouped, Names, grouped, name_looks
from bot.calibrate.pages import Page

AGREED = 0.9
"""The share of the tiles of one look that must be remembered as one and the same cell."""


def cells_by_the_rules(pages: Sequence[Page], memory: Memory) -> list[Cells]:
    """Return the cells of each page, UNREAD where the rules leave a choice."""
    tiles = grouped(pages)
    named = {look.number: look.value for look in name_looks(tiles, _remembered(tiles, memory))}
    values = [Cell.UNREAD if (value := named[number]) is None else value for number in range(tiles.count)]
    return [np.array(values, dtype=np.uint8)[numbers] for numbers in tiles.numbers]


def _remembered(tiles: Grouped, memory: Memory) -> Names:
    """Return the looks that are known already."""
    numbers = np.concatenate([each.ravel() for each in tiles.numbers])
    cells = np.concatenate([memory.cells(page).ravel() for page in tiles.pages])
    names: Names = {}
    for number in range(tiles.count):
        counts = np.bincount(cells[numbers == number])
        if counts.argmax() != Cell.UNREAD and counts.max() >= AGREED * counts.sum():
            names[number] = int(counts.argmax()), "what is known already"
    return names
