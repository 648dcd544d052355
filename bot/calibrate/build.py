"""Tiles with their names become a skin, and the skin is put to the test.

Promises a skin that has every look of every cell it was given, but each only once, and a tolerance that keeps
what a skin has never met out. It does not know where the names come from.

`margins` tells for every two kinds of cells how far their nearest likenesses are apart, in grey levels of the part of
the tile that differs most. Other people's pictures differ from a skin by a few grey levels; what is tens apart is
safe.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Cell, Cells, place
from bot.calibrate import CalibrationError
from bot.calibrate.samples import Sample
from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.matcher import Floats, canonical_tiles, line_light
from bot.vision.reader import NoBoardError, Reader
from bot.vision.similarity import Looks, apart, looks_at_any_size
from bot.vision.skin import CELL_NAMES, SMALLEST_TILE, CounterLook, GameKind, NewGame, Skin

MOST_VARIANTS = 16
"""Looks of one kind of cell that a skin keeps; the most different ones when there are more."""

MOST_ALIKE = 32
"""Tiles of one look whose median is what is kept of it."""

LARGEST_KEPT = 96
"""Pixels across a tile of a new skin: larger ones are kept at this size, which shows all that tells them apart."""

SAME = 8.0
"""Grey levels: two tiles of one kind this near to each other are one look."""

OTHER_LINES = 60.0
"""Grey levels: lines at a side that differ by more make two looks, as those of xbomb at its end do."""

LOWEST_TOLERANCE, HIGHEST_TOLERANCE = 4.0, 33.0

Indices = NDArray[np.intp]


def make_skin(
    name: str,
    samples: Sequence[tuple[Sample, Cells]],
    *,
    origin: str,
    counter: CounterLook | None = None,
    new_game: NewGame | None = None,
) -> Skin:
    """Return the skin of tiles on samples, each with what its tiles are; those that are UNREAD are not learnt."""
    side = int(np.clip(round(max(sample.grid.pitch for sample, _ in samples)), SMALLEST_TILE, LARGEST_KEPT))
    owner = np.repeat(np.arange(len(samples)), [cells.size for _, cells in samples])
    index = np.concatenate([np.arange(cells.size) for _, cells in samples])
    looks = np.concatenate([sample.looks for sample, _ in samples])
    lines = np.concatenate([line_light(canonical_tiles(sample.picture, sample.grid)) for sample, _ in samples])
    values = np.concatenate([cells.ravel() for _, cells in samples])

    def usual(alike: Indices) -> Picture:
        tiles = [samples[owner[each]][0].tile(int(index[each]), side) for each in alike[:MOST_ALIKE]]
        return np.asarray(np.median(tiles, axis=0).round(), dtype=np.uint8)

    variants = {}
    for value in np.unique(values[values != Cell.UNREAD]).tolist():
        own = np.flatnonzero(values == value)
        variants[value] = np.array([usual(own[alike]) for alike in _variants(looks[own], lines[own])])
    skin = Skin(name, name, side, variants, counter, origin=origin, kind=GameKind(new_game=new_game))
    return replace(skin, tolerance=_tolerance(skin))


def _variants(looks: Looks, lines: Floats) -> list[Indices]:
    """Return the tiles of one kind by their different looks, those of the usual one first.

    `lines`, shape (n, 4), tells how bright the lines at each tile's sides are, which looks leave out.
    """

    def off(one: int) -> Floats:
        beside = np.abs(lines - lines[one]).max(axis=1) * (SAME / OTHER_LINES)
        return np.asarray(np.maximum(apart(looks[[one]], looks)[0], beside))

    chosen = [off(int(np.abs(looks - np.median(looks, axis=0)).max(axis=(1, 2)).argmin()))]
    while len(chosen) < MOST_VARIANTS and (nearest := np.min(chosen, axis=0)).max() > SAME:
        chosen.append(off(int(nearest.argmax())))
    belongs = np.argmin(chosen, axis=0)
    return [np.flatnonzero(belongs == number) for number in range(len(chosen))]


def _tolerance(skin: Skin) -> float:
    """Return how far a plain tile may be from those the skin knows: not half as far as from anything else it knows."""
    plain = [far for (one, other), far in margins(skin).items() if one == 0 or Cell.COVERED in (one, other)]
    return float(np.clip(0.45 * min(plain, default=HIGHEST_TOLERANCE), LOWEST_TOLERANCE, HIGHEST_TOLERANCE))


@dataclass(frozen=True)
class ReadBack:
    """What a new skin makes of a picture that it was made from."""

    sample: Sample
    right: int
    unread: int
    wrong: tuple[tuple[int, int, str, str], ...]  # row, column, what it is, what it was read as

    def insist(self) -> None:
        """Raise `CalibrationError` for the first tile that was misread."""
        for row, col, is_, seen in self.wrong:
            where = f'"{self.sample.name}": {place(row, col)}'
            raise CalibrationError(f'the new skin reads {where} as "{seen}", not "{is_}": it can\'t tell them apart')


def read_back(reader: Reader, sample: Sample, cells: Cells, grid: Grid | None = None) -> ReadBack:
    """Return how a sample is read whose cells are known; without a grid the board must be found."""
    told = cells != Cell.UNREAD
    try:
        seen = reader.read(sample.picture, grid).board.cells
    except NoBoardError:
        seen = np.zeros((0, 0), dtype=np.uint8)
    if seen.shape != cells.shape:
        return ReadBack(sample, 0, int(np.count_nonzero(told)), ())
    wrong = np.argwhere(told & (seen != cells) & (seen != Cell.UNREAD))
    return ReadBack(
        sample,
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


GOOD = 25.0
"""Grey levels between two kinds of cells that make confusing them out of the question."""

Margins = dict[tuple[int, int], float]
"""Cell values, the smaller first, and how far apart they are."""


def margins(skin: Skin) -> Margins:
    """Return how far every two kinds of cells in a skin are apart; themes that can't meet on a board don't count."""
    looks = {value: looks_at_any_size(list(tiles)) for value, tiles in skin.tiles.items()}
    found: Margins = {}
    for one, other in combinations(sorted(looks), 2):
        distances = apart(looks[one], looks[other])
        for row, theme in enumerate(skin.themes[one]):
            for col, its in enumerate(skin.themes[other]):
                if theme and its and theme != its:
                    distances[row, col] = np.inf
        found[one, other] = float(distances.min())
    return found


def closest(found: Margins) -> tuple[tuple[int, int], float] | None:
    """Return the two kinds of cells that are hardest to tell apart, None when there are not two."""
    return min(found.items(), key=lambda item: item[1], default=None)
