"""Tiles with their names become a skin, and the skin is put to the test.

Promises a skin that has every look of every cell it was given, but each only once, and a tolerance that keeps
strangers out. It does not know where the names come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Cell, Cells
from bot.calibrate.margins import margins
from bot.calibrate.pages import Page
from bot.picture import Picture
from bot.vision.looks import Looks, apart
from bot.vision.reader import NoBoardError, Reader
from bot.vision.skin import CELL_NAMES, SMALLEST_TILE, CounterLook, NewGame, Skin

MOST_VARIANTS = 16
"""Looks of one kind of cell that a skin keeps; the most different ones when there are more."""

MOST_ALIKE = 32
"""Tiles of one look whose median is what is kept of it."""

LARGEST_KEPT = 96
"""Pixels across a tile of a new skin: larger ones are kept at this size, which shows all that tells them apart."""

SAME = 8.0
"""Grey levels: two tiles of one kind this near to each other are one look."""

LOWEST_TOLERANCE, HIGHEST_TOLERANCE = 4.0, 33.0

Indices = NDArray[np.intp]


def make_skin(
    name: str,
    pages: Sequence[tuple[Page, Cells]],
    *,
    origin: str,
    counter: CounterLook | None = None,
    new_game: NewGame | None = None,
) -> Skin:
    """Return the skin of tiles on pages, each page with what its tiles are; those that are UNREAD are not learnt."""
    side = int(np.clip(round(max(page.grid.pitch for page, _ in pages)), SMALLEST_TILE, LARGEST_KEPT))
    owner = np.repeat(np.arange(len(pages)), [cells.size for _, cells in pages])
    index = np.concatenate([np.arange(cells.size) for _, cells in pages])
    looks = np.concatenate([page.looks for page, _ in pages])
    values = np.concatenate([cells.ravel() for _, cells in pages])

    def usual(alike: Indices) -> Picture:
        tiles = [pages[owner[each]][0].tile(int(index[each]), side) for each in alike[:MOST_ALIKE]]
        return np.asarray(np.median(tiles, axis=0).round(), dtype=np.uint8)

    variants = {}
    for value in np.unique(values[values != Cell.UNREAD]).tolist():
        own = np.flatnonzero(values == value)
        variants[value] = np.array([usual(own[alike]) for alike in _variants(looks[own])])
    skin = Skin(name, name, side, variants, counter, origin=origin, new_game=new_game)
    return replace(skin, tolerance=_tolerance(skin))


def _variants(looks: Looks) -> list[Indices]:
    """Return the tiles of one kind by their different looks, those of the usual one first."""
    chosen = [int(np.abs(looks - np.median(looks, axis=0)).max(axis=(1, 2)).argmin())]
    nearest = apart(looks[chosen], looks)[0]
    while len(chosen) < MOST_VARIANTS and nearest.max() > SAME:
        chosen.append(int(nearest.argmax()))
        nearest = np.minimum(nearest, apart(looks[chosen[-1:]], looks)[0])
    belongs = apart(looks[chosen], looks).argmin(axis=0)
    return [np.flatnonzero(belongs == number) for number in range(len(chosen))]


def _tolerance(skin: Skin) -> float:
    """Return how far a plain tile may be from those the skin knows: not half as far as from anything else it knows."""
    plain = [far for (one, other), far in margins(skin).items() if one == 0 or Cell.COVERED in (one, other)]
    return float(np.clip(0.45 * min(plain, default=HIGHEST_TOLERANCE), LOWEST_TOLERANCE, HIGHEST_TOLERANCE))


@dataclass(frozen=True)
class ReadBack:
    """What a new skin makes of a picture that it was made from."""

    page: Page
    right: int
    unread: int
    wrong: tuple[tuple[int, int, str, str], ...]  # row, column, what it is, what it was read as


def read_back(skin: Skin, page: Page, cells: Cells) -> ReadBack:
    """Return how a skin reads a page whose cells are known, finding the board by itself."""
    told = cells != Cell.UNREAD
    try:
        seen = Reader(skin).read(page.picture).board.cells
    except NoBoardError:
        seen = np.zeros((0, 0), dtype=np.uint8)
    if seen.shape != cells.shape:
        return ReadBack(page, 0, int(np.count_nonzero(told)), ())
    wrong = np.argwhere(told & (seen != cells) & (seen != Cell.UNREAD))
    return ReadBack(
        page,
        right=int(np.count_nonzero(told & (seen == cells))),
        unread=int(np.count_nonzero(told & (seen == Cell.UNREAD))),
        wrong=tuple((int(r), int(c), SYMBOLS[cells[r, c]], SYMBOLS[seen[r, c]]) for r, c in wrong),
    )


def contact_sheet(skin: Skin) -> Picture:
    """Return all tiles of a skin on one picture, enlarged, one line for each kind of cell, with its name."""
    tile, gap, names = 2 * skin.tile, 6, 130
    widest = max(len(variants) for variants in skin.tiles.values())
    height, width = len(skin.tiles) * (tile + gap) + gap, names + widest * (tile + gap) + gap
    sheet = np.full((height, width, 3), 250, dtype=np.uint8)
    for line, (value, variants) in enumerate(sorted(skin.tiles.items())):
        top = gap + line * (tile + gap)
        text = f"{SYMBOLS[value]}  {CELL_NAMES[value]}" if value > 8 else SYMBOLS[value]
        cv2.putText(
            sheet, text, (gap, top + tile // 2 + 5), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (40, 40, 40), 1, cv2.LINE_AA
        )
        for number, variant in enumerate(variants):
            left = names + number * (tile + gap)
            enlarged = cv2.resize(variant, (tile, tile), interpolation=cv2.INTER_NEAREST)
            sheet[top : top + tile, left : left + tile] = enlarged
    return sheet
