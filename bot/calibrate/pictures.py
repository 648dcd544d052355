"""From screenshots to a skin.

Promises a skin whose every tile is proved or was told, that reads the pictures it was made from without an error, or
none at all. `draft` says what is sure and what is not; whoever calls it asks the user about the rest; `finish` makes
the skin and puts it to the test. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.board import Board, Cell, Cells, place
from bot.calibrate import CalibrationError
from bot.calibrate.making import ReadBack, make_skin, read_back
from bot.calibrate.margins import Margins, margins
from bot.calibrate.naming import Grouped, Look, grouped, name_looks
from bot.calibrate.pages import Page, open_page
from bot.calibrate.rules import contradictions
from bot.calibrate.truth import objections
from bot.picture import Picture
from bot.vision.counter import read_counters
from bot.vision.lattice import STANDARD_SIZES
from bot.vision.skin import CounterLook, Skin, known_counters

MOST_OBJECTIONS = 5
"""Cells named when a truth is refused."""


@dataclass(frozen=True)
class Draft:
    """The looks in some pictures, as far as they are known."""

    tiles: Grouped
    looks: tuple[Look, ...]

    @property
    def open_questions(self) -> list[Look]:
        """The looks that nothing proves, the most frequent first; what a truth leaves out is not asked for."""
        return [look for look in self.looks if look.value is None and look.asked]


@dataclass(frozen=True)
class Calibration:
    """A new skin and how good it is."""

    skin: Skin
    looks: tuple[Look, ...]
    margins: Margins
    read_back: tuple[ReadBack, ...]


def draft(pictures: Sequence[tuple[str, Picture, Board | None]]) -> Draft:
    """Return what can be said about the tiles in pictures, each with its name and with the truth if it was told.

    Raises `NoBoardError` for a picture without a board and `CalibrationError` for a truth that can't be one, naming the
    cell.
    """
    pages = [open_page(*picture) for picture in pictures]
    told = [page for page in pages if page.truth is not None]
    against = objections(told) if told else []
    if against:
        more = len(against) - MOST_OBJECTIONS
        sentences = "; ".join(str(objection) for objection in against[:MOST_OBJECTIONS])
        raise CalibrationError(sentences + (f"; and {more} more" if more > 0 else ""))
    tiles = grouped(pages)
    return Draft(tiles, tuple(name_looks(tiles)))


def finish(name: str, draft: Draft, answers: dict[int, int]) -> Calibration:
    """Return the skin of a draft and of what the user answered: the cell of a look by its number.

    Looks without an answer are left out. Raises `CalibrationError` when none is left, when the names break the rules of
    the game or when the new skin does not read the pictures back without an error.
    """
    values = {look.number: look.value for look in draft.looks if look.value is not None} | answers
    lookup = np.array([values.get(look.number, Cell.UNREAD) for look in draft.looks], dtype=np.uint8)
    tiles = draft.tiles
    pages = [(page, _cells(page, lookup[numbers])) for page, numbers in zip(tiles.pages, tiles.numbers, strict=True)]
    if all((cells == Cell.UNREAD).all() for _, cells in pages):
        raise CalibrationError("of no tile it is known what it is")
    for page, cells in pages:
        if page.truth is None and contradictions(Board(cells), whole=cells.shape in STANDARD_SIZES):
            raise CalibrationError(f'"{page.name}": named like this, its tiles break the rules of the game')
    origin = f"calibrated from {len(pages)} picture{'s' if len(pages) > 1 else ''}"
    skin = make_skin(name, pages, origin=origin, counter=_borrowed_counter([page for page, _ in pages]))
    checks = tuple(read_back(skin, page, cells) for page, cells in pages)
    for check in checks:
        if check.wrong:
            row, col, is_, seen = check.wrong[0]
            where = f'"{check.page.name}": {place(row, col)}'
            raise CalibrationError(f'the new skin reads {where} as "{seen}", not "{is_}": it can\'t tell them apart')
    return Calibration(skin, draft.looks, margins(skin), checks)


def _cells(page: Page, named: Cells) -> Cells:
    """Return what the tiles of a page are: as told, and by their looks where nothing is told."""
    if page.truth is None:
        return named
    return np.where(page.truth.cells == Cell.UNREAD, named, page.truth.cells)


def _borrowed_counter(pages: Sequence[Page]) -> CounterLook | None:
    """Return the counter of a known skin that reads those in the pictures, None when none does on most of them."""
    for look in known_counters():
        left = [read_counters(page.picture, page.grid, look).mines_left for page in pages]
        told = [None if page.truth is None else page.truth.mines_left for page in pages]
        seen = sum(number is not None for number in left)
        if seen >= max(1, 0.6 * len(pages)) and all(
            truth is None or number in (None, truth) for number, truth in zip(left, told, strict=True)
        ):
            return look
    return None
