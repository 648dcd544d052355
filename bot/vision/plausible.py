"""Whether a lattice is a board: every number that decides it, with its reason, in one place.

A spreadsheet is a lattice too, and so are keyboards and calendars. What tells a board is what its tiles show, each by
itself and together: they are tiles of a skin, not all blank, and the rules of the game hold. How far it goes and which
sides are cut off is for `find/extent.py`; the counters below prove a board of which too little shows (`reader.py`).
"""

from __future__ import annotations

import numpy as np

from bot.board import Cell, Cells
from bot.vision.checks import hidden_block, starved_numbers

MOST_LATTICES = 6
"""So many lattices, the largest of those found at once, are looked at as boards."""

MOST_TILES = 2_500
"""No lattice of more tiles is a board: fifty by fifty is more than any game deals, and a sheet may look like blanks."""

LEAST_SHARE = 0.3
"""The share of visible tiles that must look familiar for a lattice to be looked at as a board."""

OWN_PIXELS = 1.1
"""How much more a skin taken from a game's own pixels counts than a drawn one that explains as many tiles."""

FEWEST_CERTAIN = 8
"""With fewer certain tiles nothing can be said: a small crop of a board has more, and so has what a dialog leaves."""

LEAST_TOLD = 0.02
"""The share of certain tiles that are not blank, at least. With ten mines on the largest board it is far more; the
empty cells of a sheet look like blanks, and a few others like anything."""

MOST_STRAY, MOST_STRAY_IN_PART = 0.25, 1.0
"""Unread tiles that nothing hides, as a share of the certain ones: what is drawn over a board leaves more read.

Of a skin taken from a game, which need not know all of its tiles, as many may be unread as are certain."""

FEW_STARVED, MOST_STARVED = 3, 0.3
"""Numbers with too little room for their mines: so many, or such a share of all numbers, may be misread or mid-show."""

CLEARLY = 0.8
"""The share of the tiles that must be certain for a board to be no lattice that lies across the real one by chance."""

MOST_UNEXPLAINED = 0.03
"""The share of the tiles that may be unread for a search to be over."""


def is_game(cells: Cells, in_part: bool) -> bool:
    """Whether it can be a game: tiles are certain but for what a window hides, not all blank, and the rules hold.

    Known `in_part` is a game whose skin was taken from it: it need not know all tiles, but those it knows to the pixel.
    """
    unread = cells == Cell.UNREAD
    hidden = hidden_block(unread)
    certain = cells[~unread & ~hidden]
    if len(certain) < FEWEST_CERTAIN or np.count_nonzero(certain) <= LEAST_TOLD * len(certain):
        return False
    if np.count_nonzero(unread & ~hidden) > (MOST_STRAY_IN_PART if in_part else MOST_STRAY) * len(certain):
        return False
    if (certain == Cell.MINE).all():
        return False  # mines are shown at the end of a game, among tiles that were opened
    numbers = np.count_nonzero((certain >= 1) & (certain <= 8))
    return int(np.count_nonzero(starved_numbers(cells))) <= max(FEW_STARVED, MOST_STARVED * numbers)


def explains_most(cells: Cells) -> bool:
    """Whether so many tiles are certain that it is not worth while to look at the picture in another size."""
    return bool((cells != Cell.UNREAD).mean() >= CLEARLY)


def explains_nearly_all(cells: Cells) -> bool:
    """Whether hardly a tile is unread."""
    return bool((cells == Cell.UNREAD).mean() <= MOST_UNEXPLAINED)
