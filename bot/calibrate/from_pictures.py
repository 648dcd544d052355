"""From screenshots to a skin, and what looks mean: names for groups of tiles, with what proves each.

Promises a skin whose every tile is proved or was told, that reads the pictures it was made from without an error, or
none at all. `examine` says what is sure and what is not; whoever calls it asks the user about the rest; `finish` makes
the skin and puts it to the test. Nothing is written here.

A look is called by name only when something proves it: the user's truth, a known skin that reads it everywhere the
same, the rules of the game, or its shape where the rules leave a choice. What nothing proves stays open, with the
candidates in order of likelihood, for the user to decide. Some games hide their mines even when they are lost, and some
are met half way: of their boards it promises the cells as far as every naming that breaks no rule agrees.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from bot.board import Board, Cell, Cells
from bot.calibrate import CalibrationError
from bot.calibrate.build import Margins, ReadBack, make_skin, margins, read_back
from bot.calibrate.evidence import Clues, Numbers, contradictions, objections, possible_cells
from bot.calibrate.learn import Memory
from bot.calibrate.samples import CROP, FIGURES, HAS_FIGURE, Sample, likeness, open_sample
from bot.picture import Picture
from bot.vision.counter import read_counters
from bot.vision.grid import STANDARD_SIZES
from bot.vision.reader import Reader
from bot.vision.similarity import Looks, apart, flat, ground_of, group
from bot.vision.skin import PLAIN, CounterLook, Skin, known_counters

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


FAINT = 15.0
"""Grey levels: whatever differs less within a tile is no figure, whatever shape it has."""

SOME_SHAPE = 0.8
"""A shape this like a known figure makes a tile more than plain."""

RARE = 0.01
"""The share of all tiles below which a plain look may be something odd."""

UNLIKE = 45.0
"""Grey levels between two looks that can't both be the same kind of cell."""

SAME_GROUND = 12.0

SHAPE, SHAPE_LEAD = 0.88, 0.04
"""A shape this like a figure, and so much more than any other, is that figure where the rules allow it."""

Names = dict[int, tuple[int, str]]
"""By a look's number: the cell that it is, and what proves it."""


@dataclass(frozen=True, eq=False)
class Look:
    """Tiles that look the same. `value` is None as long as nothing proves what they are."""

    number: int
    count: int
    where: tuple[str, int, int]  # sample, row and column of one of them
    crop: Picture  # that one, enlarged
    value: int | None
    proof: str
    candidates: tuple[int, ...]  # most likely first
    asked: bool = True  # whether it occurs anywhere that no truth speaks of


@dataclass(frozen=True)
class Grouped:
    """The tiles of samples, grouped: for each sample the number of each tile's look, shape (rows, cols)."""

    samples: tuple[Sample, ...]
    numbers: tuple[Numbers, ...]

    @property
    def count(self) -> int:
        """How many different looks there are."""
        return 1 + max(int(numbers.max()) for numbers in self.numbers)

    def untold_boards(self) -> list[tuple[Numbers, bool]]:
        """Return the looks of each board that no truth speaks of, and whether it is surely a whole one."""
        pairs = zip(self.samples, self.numbers, strict=True)
        return [(numbers, numbers.shape in STANDARD_SIZES) for sample, numbers in pairs if sample.truth is None]


def grouped(samples: Sequence[Sample]) -> Grouped:
    """Return the tiles of all samples, grouped by look together."""
    labels = group(np.concatenate([sample.looks for sample in samples]))
    parts = np.split(labels, np.cumsum([len(sample.looks) for sample in samples])[:-1])
    numbers = (part.reshape(sample.grid.rows, sample.grid.cols) for sample, part in zip(samples, parts, strict=True))
    return Grouped(tuple(samples), tuple(numbers))


def name_looks(tiles: Grouped, known: Names | None = None) -> list[Look]:
    """Return every look with its name and what proves it, or with its candidates; some may be known beforehand."""
    examples = [_example(tiles, number) for number in range(tiles.count)]
    crops = [tiles.samples[sample].tile(index, CROP) for sample, index in examples]
    shapes = [likeness(crop) for crop in crops]
    values = _read(tiles) | _told(tiles) | (known or {})
    clues = _clues(tiles, values, shapes)
    untold = tiles.untold_boards()
    left = possible_cells(untold, clues) if untold else [frozenset[int]() for _ in clues.choices]
    asked = {int(number) for numbers, _ in untold for number in np.unique(numbers)}
    values |= _proved(left, values, shapes)
    return [
        Look(
            number,
            count=sum(int(np.count_nonzero(numbers == number)) for numbers in tiles.numbers),
            where=(tiles.samples[sample].name, *tiles.samples[sample].place(index)),
            crop=crops[number],
            value=values[number][0] if number in values else None,
            proof=values[number][1] if number in values else "",
            candidates=_ranked(left[number] or clues.choices[number], shapes[number]),
            asked=number in asked,
        )
        for number, (sample, index) in enumerate(examples)
    ]


def _example(tiles: Grouped, number: int) -> tuple[int, int]:
    """Return a sample and a tile's number on it that has a look."""
    for sample, numbers in enumerate(tiles.numbers):
        found = np.flatnonzero(numbers.ravel() == number)
        if len(found):
            return sample, int(found[len(found) // 2])
    raise AssertionError(f"there is no look {number}")


def _told(tiles: Grouped) -> Names:
    """Return the looks that the truths name, each wherever it occurs by the same name."""
    votes: dict[int, set[int]] = {}
    for sample, numbers in zip(tiles.samples, tiles.numbers, strict=True):
        if sample.truth is not None:
            for number in np.unique(numbers).tolist():
                votes.setdefault(number, set()).update(sample.truth.cells[numbers == number].tolist())
    named = {number: values - {Cell.UNREAD} for number, values in votes.items()}
    return {number: (values.pop(), "the board file") for number, values in named.items() if len(values) == 1}


def _read(tiles: Grouped) -> Names:
    """Return the looks that known skins read, nearly everywhere and everywhere the same."""
    votes: dict[int, Counter[tuple[int, str]]] = {}
    for sample, numbers in zip(tiles.samples, tiles.numbers, strict=True):
        if sample.reading is not None:
            for number, value in zip(
                numbers.ravel().tolist(), sample.reading.board.cells.ravel().tolist(), strict=True
            ):
                votes.setdefault(number, Counter())[value, sample.reading.skin] += 1
    named = {}
    for number, counts in votes.items():
        unread = sum(count for (value, _), count in counts.items() if value == Cell.UNREAD)
        values = {value for value, _ in counts} - {Cell.UNREAD}
        if len(values) == 1 and unread <= 0.1 * counts.total():
            (_, skin), _ = counts.most_common(1)[0]
            named[number] = (values.pop(), f"the skin {skin}")
    return named


def _clues(tiles: Grouped, values: Names, shapes: Sequence[dict[int, float]]) -> Clues:
    """Return what each look may be, from whether it has a figure, whose ground that stands on and what it is unlike."""
    usual = np.array([np.median(each, axis=0) for each in _looks(tiles)])
    counts = np.bincount(np.concatenate([numbers.ravel() for numbers in tiles.numbers]), minlength=tiles.count)
    contrast = flat(usual)
    choices = []
    for number, shape in enumerate(shapes):
        like_a_figure = max(shape.values(), default=0.0) >= SOME_SHAPE
        plain: tuple[int, ...] = (
            PLAIN if contrast[number] < HAS_FIGURE and not (like_a_figure and contrast[number] > FAINT) else ()
        )
        if plain and counts[number] < RARE * counts.sum():
            plain = (*PLAIN, Cell.FLAG, Cell.QUESTION)  # a mark may be no more than another colour
        figures = _likely(shape) if shape and (like_a_figure or not plain) else ()
        told = (values[number][0],) if number in values else (*plain, *figures) or (*PLAIN, *FIGURES)
        choices.append(frozenset(told))
    plain_looks = [number for number, choice in enumerate(choices) if choice <= set(PLAIN) and counts[number] >= 3]
    distances = apart(usual, usual)
    unlike = frozenset((one, other) for one, other in combinations(plain_looks, 2) if distances[one, other] > UNLIKE)
    return Clues(tuple(choices), unlike, _grounds(usual, plain_looks))


def _looks(tiles: Grouped) -> list[Looks]:
    """Return the tiles of each look."""
    every = np.concatenate([sample.looks for sample in tiles.samples])
    numbers = np.concatenate([numbers.ravel() for numbers in tiles.numbers])
    return [every[numbers == number] for number in range(tiles.count)]


def _grounds(usual: Looks, plain: Sequence[int]) -> dict[int, int]:
    """Return for each look the plain one whose ground it has, where that is one and no other."""
    ground = ground_of(usual)
    found = {}
    for number in range(len(usual)):
        far = sorted((float(np.abs(ground[number] - ground[other]).max()), other) for other in plain)
        if number not in plain and len(far) > 1 and far[0][0] <= SAME_GROUND and far[1][0] > 2 * SAME_GROUND:
            found[number] = far[0][1]
    return found


def _likely(shapes: dict[int, float]) -> tuple[int, ...]:
    """Return the figures that a shape may be: all but those it is plainly unlike."""
    best = max(shapes.values(), default=0.0)
    likely = [value for value in FIGURES if shapes.get(value, 0.0) >= min(best - 0.25, SHAPE - 0.2)]
    return (*likely, Cell.EXPLODED) if Cell.MINE in likely else tuple(likely) or FIGURES


def _proved(left: Sequence[frozenset[int]], values: Names, shapes: Sequence[dict[int, float]]) -> Names:
    """Return the looks that the rules name, or a shape where the rules leave a choice."""
    named = {}
    for number, cells in enumerate(left):
        if number in values or not cells:
            continue
        ranked = sorted(((shapes[number].get(value, 0.0), value) for value in cells), reverse=True)
        lead = ranked[0][0] - (ranked[1][0] if len(ranked) > 1 else 0.0)
        if len(cells) == 1:
            named[number] = (ranked[0][1], "the rules of the game")
        elif ranked[0][0] >= SHAPE and lead >= SHAPE_LEAD and Cell.EXPLODED not in cells:
            named[number] = (ranked[0][1], "its shape and the rules of the game")
    return named


def _ranked(left: frozenset[int], shapes: dict[int, float]) -> tuple[int, ...]:
    return tuple(sorted(left, key=lambda value: (-shapes.get(value, 0.0), value)))


AGREED = 0.9
"""The share of the tiles of one look that must be remembered as one and the same cell."""


def cells_by_the_rules(samples: Sequence[Sample], memory: Memory) -> list[Cells]:
    """Return the cells of each sample, UNREAD where the rules leave a choice."""
    tiles = grouped(samples)
    named = {look.number: look.value for look in name_looks(tiles, _remembered(tiles, memory))}
    values = [Cell.UNREAD if (value := named[number]) is None else value for number in range(tiles.count)]
    return [np.array(values, dtype=np.uint8)[numbers] for numbers in tiles.numbers]


def _remembered(tiles: Grouped, memory: Memory) -> Names:
    """Return the looks that are known already."""
    numbers = np.concatenate([each.ravel() for each in tiles.numbers])
    cells = np.concatenate([memory.cells(sample).ravel() for sample in tiles.samples])
    names: Names = {}
    for number in range(tiles.count):
        counts = np.bincount(cells[numbers == number])
        if counts.argmax() != Cell.UNREAD and counts.max() >= AGREED * counts.sum():
            names[number] = int(counts.argmax()), "what is known already"
    return names
