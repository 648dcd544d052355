"""From screenshots to a skin.

Promises a skin whose every tile is proved or was told, that reads the pictures it was made from without an error, or
none at all. `examine` says what is sure and what is not; whoever calls it asks the user about the rest; `finish` makes
the skin and puts it to the test. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bot.board import Board, Cell, Cells
from bot.calibrate import CalibrationError
from bot.calibrate.build import Margins, ReadBack, make_skin, margins, read_back
from bot.calibrate.evidence import objections
from bot.calibrate.infer import Grouped, Look, grouped, name_looks
from bot.calibrate.rules import contradictions
from bot.calibrate.samples import Sample, open_sample
from bot.picture import Picture
from bot.vision.counter import read_counters
from bot.vision.grid import STANDARD_SIZES
from bot.vision.reader import Reader
from bot.vision.skin import CounterLook, Skin, known_counters

MOST_OBJECTIONS = 5
"""Cells named when a truth is refused."""


@dataclass(frozen=True)
class Findings:
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


def examine(pictures: Sequence[tuple[str, Picture, Board | None]]) -> Findings:
    """Return what can be said about the tiles in pictures, each with its name and with the truth if it was told.

    Raises `NoBoardError` for a picture without a board and `CalibrationError` for a truth that can't be one, naming the
    cell.
    """
    samples = [open_sample(*picture) for picture in pictures]
    told = [sample for sample in samples if sample.truth is not None]
    against = objections(told) if told else []
    if against:
        more = len(against) - MOST_OBJECTIONS
        sentences = "; ".join(str(objection) for objection in against[:MOST_OBJECTIONS])
        raise CalibrationError(sentences + (f"; and {more} more" if more > 0 else ""))
    tiles = grouped(samples)
    return Findings(tiles, tuple(name_looks(tiles)))


def finish(name: str, found: Findings, answers: dict[int, int]) -> Calibration:
    """Return the skin of what was found and of what the user answered: the cell of a look by its number.

    Looks without an answer are left out. Raises `CalibrationError` when none is left, when the names break the rules of
    the game or when the new skin does not read the pictures back without an error.
    """
    values = {look.number: look.value for look in found.looks if look.value is not None} | answers
    lookup = np.array([values.get(look.number, Cell.UNREAD) for look in found.looks], dtype=np.uint8)
    tiles = found.tiles
    samples = [
        (sample, _cells(sample, lookup[numbers])) for sample, numbers in zip(tiles.samples, tiles.numbers, strict=True)
    ]
    if all((cells == Cell.UNREAD).all() for _, cells in samples):
        raise CalibrationError("of no tile it is known what it is")
    for sample, cells in samples:
        if sample.truth is None and contradictions(Board(cells), whole=cells.shape in STANDARD_SIZES):
            raise CalibrationError(f'"{sample.name}": named like this, its tiles break the rules of the game')
    origin = f"calibrated from {len(samples)} picture{'s' if len(samples) > 1 else ''}"
    skin = make_skin(name, samples, origin=origin, counter=_borrowed_counter([sample for sample, _ in samples]))
    checks = tuple(read_back(Reader(skin), sample, cells) for sample, cells in samples)
    for check in checks:
        check.insist()
    return Calibration(skin, found.looks, margins(skin), checks)


def _cells(sample: Sample, named: Cells) -> Cells:
    """Return what the tiles of a sample are: as told, and by their looks where nothing is told."""
    if sample.truth is None:
        return named
    return np.where(sample.truth.cells == Cell.UNREAD, named, sample.truth.cells)


def _borrowed_counter(samples: Sequence[Sample]) -> CounterLook | None:
    """Return the counter of a known skin that reads those in the pictures, None when none does on most of them."""
    for look in known_counters():
        left = [read_counters(sample.picture, sample.grid, look).mines_left for sample in samples]
        told = [None if sample.truth is None else sample.truth.mines_left for sample in samples]
        seen = sum(number is not None for number in left)
        if seen >= max(1, 0.6 * len(samples)) and all(
            truth is None or number in (None, truth) for number, truth in zip(left, told, strict=True)
        ):
            return look
    return None
