"""Whether what the user says about pictures can be true, cell by cell.

Promises an objection, naming the cell, for every cell that is called otherwise than it looks: like tiles called
something else, a figure on what is called plain, a shape that is plainly another one's. And one for a board that no
layout of mines explains, naming the cells whose change would mend it. It never corrects anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Cell, count_around, place
from bot.calibrate.figures import FIGURES, likeness
from bot.calibrate.naming import CROP
from bot.calibrate.pages import Page
from bot.calibrate.rules import contradictions
from bot.vision.lattice import STANDARD_SIZES
from bot.vision.looks import PARTS, Looks, apart
from bot.vision.skin import PLAIN

CLEAR = 30.0
"""Grey levels: looks nearer than this to each other can't be two different things."""

JURY = 7
"""So many of the tiles most alike to one decide, by majority, what it looks like."""

FIGURE = 45.0
"""Grey levels by which some part of a tile's middle stands out when there is a figure that a plain tile has not."""

LIKE, UNLIKE = 0.88, 0.18
"""A shape this like another figure, and by so much less like the one it is called, is called wrongly."""

AGREED = 0.95
"""A known skin that reads this share of a board as it is called is a witness for the rest."""


@dataclass(frozen=True)
class Objection:
    """Why a cell can't be what it is called."""

    page: Page
    row: int
    col: int
    reason: str

    def __str__(self) -> str:
        return f'"{self.page.name}": {place(self.row, self.col)} {self.reason}'


@dataclass(frozen=True)
class _Told:
    """All tiles of all pages that something is told of, in one row."""

    page: NDArray[np.intp]  # (n,)
    index: NDArray[np.intp]  # (n,): in reading order of its page
    value: NDArray[np.uint8]  # (n,)
    looks: Looks
    at_a_window: NDArray[np.bool_]  # (n,): beside tiles of which nothing is told, so something may lie upon it too


def objections(pages: Sequence[Page]) -> list[Objection]:
    """Return what speaks against the truths of pages, the clearest kind first; an empty list when nothing does."""
    told = _gather(pages)
    found: dict[tuple[int, int], str] = {}
    witnesses = (_unlike_its_own(told), _figures_on_plain_tiles(told), _other_shapes(told, pages), _read(told, pages))
    for reasons in witnesses:
        for number, reason in reasons.items():
            found.setdefault((int(told.page[number]), int(told.index[number])), reason)
    if not found:
        for number, page in enumerate(pages):
            found |= {(number, index): reason for index, reason in _broken_rules(page).items()}
    return [Objection(pages[number], *pages[number].place(index), reason) for (number, index), reason in found.items()]


def _gather(pages: Sequence[Page]) -> _Told:
    page, index, value, looks, at_a_window = [], [], [], [], []
    for number, each in enumerate(pages):
        if each.truth is None:
            continue
        told = np.flatnonzero(each.truth.cells.ravel() != Cell.UNREAD)
        page.append(np.full(len(told), number))
        index.append(told)
        value.append(each.truth.cells.ravel()[told])
        looks.append(each.looks[told])
        at_a_window.append((count_around(each.truth.cells == Cell.UNREAD) > 0).ravel()[told])
    return _Told(*(np.concatenate(parts) for parts in (page, index, value, looks, at_a_window)))


def _unlike_its_own(told: _Told) -> dict[int, str]:
    """Return the tiles that look like tiles called something else, and less like any called the same."""
    suspects: dict[int, int] = {}
    for number in range(len(told.value)):
        distances = apart(told.looks[number : number + 1], told.looks)[0]
        distances[number] = np.inf
        nearest = np.argsort(distances)[:JURY]
        nearest = nearest[distances[nearest] <= CLEAR]
        against = nearest[told.value[nearest] != told.value[number]]
        if len(against) > len(nearest) / 2:
            suspects[number] = int(against[0])
    counts = np.bincount(told.value, minlength=len(SYMBOLS))
    reasons = {}
    for number, accuser in suspects.items():
        # Of two tiles that accuse each other, the one that is called like others elsewhere is the odd one out.
        mutual = suspects.get(accuser) == number
        if mutual and counts[told.value[number]] == 1 and counts[told.value[accuser]] > 1:
            continue
        called, alike = SYMBOLS[told.value[number]], SYMBOLS[told.value[accuser]]
        reasons[number] = f'is called "{called}" but looks like those called "{alike}"'
    return reasons


def _figures_on_plain_tiles(told: _Told) -> dict[int, str]:
    """Return the tiles called covered or blank that have a figure where the others have none.

    The shade of a dialog is none: tiles beside it are not objected to.
    """
    reasons = {}
    middle = np.zeros((PARTS, PARTS), dtype=np.bool_)
    middle[2:-2, 2:-2] = True
    for value in PLAIN:
        plain = np.flatnonzero(told.value == value)
        if len(plain) < 3:
            continue
        usual = np.median(told.looks[plain], axis=0)
        off = told.looks[plain] - usual
        off -= np.median(off, axis=1, keepdims=True)
        standing_out = np.abs(off).max(axis=2)[:, middle.ravel()].max(axis=1)
        for number in plain[(standing_out > FIGURE) & ~told.at_a_window[plain]].tolist():
            reasons[number] = f'is called "{SYMBOLS[value]}" but has a figure on it'
    return reasons


def _other_shapes(told: _Told, pages: Sequence[Page]) -> dict[int, str]:
    """Return the tiles whose figure has the shape of another one, by all known skins."""
    reasons = {}
    for number in np.flatnonzero(np.isin(told.value, (*FIGURES, Cell.EXPLODED))).tolist():
        value = int(told.value[number])
        mine = Cell.MINE if value == Cell.EXPLODED else value
        shapes = likeness(pages[told.page[number]].tile(int(told.index[number]), CROP))
        if not shapes:
            continue
        best = next(iter(shapes))
        if best != mine and shapes[best] >= LIKE and shapes.get(mine, 0.0) <= shapes[best] - UNLIKE:
            reasons[number] = f'is called "{SYMBOLS[value]}" but has the shape of a "{SYMBOLS[best]}"'
    return reasons


def _read(told: _Told, pages: Sequence[Page]) -> dict[int, str]:
    """Return the tiles that a known skin reads otherwise, on pages that it otherwise reads as they are called."""
    reasons = {}
    for page, index, value, number in zip(told.page, told.index, told.value, range(len(told.value)), strict=True):
        reading, truth = pages[page].reading, pages[page].truth
        if reading is None or truth is None:
            continue
        cells = reading.board.cells
        seen = int(cells.ravel()[index])
        if seen not in (value, Cell.UNREAD) and (cells == truth.cells).mean() >= AGREED:
            reasons[number] = f'is called "{SYMBOLS[value]}" but reads as "{SYMBOLS[seen]}" (skin {reading.skin})'
    return reasons


def _broken_rules(page: Page) -> dict[int, str]:
    """Return the cells of a board that no layout explains, of which each could be the wrong one."""
    if page.truth is None:
        return {}
    whole = (page.truth.rows, page.truth.cols) in STANDARD_SIZES
    if not contradictions(page.truth, whole):
        return {}
    told = [(int(row), int(col)) for row, col in np.argwhere(page.truth.cells != Cell.UNREAD)]
    culprits = [cell for cell in told if not contradictions(page.truth.replace({cell: Cell.UNREAD}), whole)]
    reason = "breaks the rules of the game: no layout of mines explains the numbers around it"
    if len(culprits) > 1:
        reason = f"or one of {len(culprits) - 1} cells near it " + reason
    return {row * page.truth.cols + col: reason for row, col in culprits or told[:1]}
