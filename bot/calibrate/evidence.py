"""What proves tiles: the rules of the game and its end, and whether what the user says about pictures can be true.

Of the rules: a number has room around it for its mines and not more shown mines than it says, all around a blank is
open, a number stands on the ground that blanks have and a flag does not, and there is a layout of mines that explains
all numbers at once. Promises what each look on some boards can be when all of them together must break none. A look
that can be one thing only is proved to be that, as far as the clues that the pictures give are right.

Of the end: a game that is lost shows its mines, one that is won hides nothing else: either way every number must be the
count of the mines around it. Promises the cells of a finished board when exactly one of the two explains every open
tile, tiles of one look having one number; otherwise nothing. No tile is known by its look beforehand but those that it
is told.

Of the user's word it promises an objection, naming the cell, for every cell that is called otherwise than it looks:
like tiles called something else, a figure on what is called plain, a shape that is plainly another one's. And one for a
board that no layout of mines explains, naming the cells whose change would mend it. It never corrects anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Board, Cell, Cells, count_around, place
from bot.calibrate.samples import CROP, FIGURES, Sample, likeness
from bot.vision.grid import STANDARD_SIZES
from bot.vision.similarity import PARTS, Looks, apart
from bot.vision.skin import PLAIN

Flags = NDArray[np.bool_]

FEWEST_SHOWN = 6
"""Hidden tiles that turn into one and the same look at once, which only the mines of a lost game do."""

USUAL = 0.2
"""The share of the mines shown that must look alike to be known by that look."""

FEWEST_ALIKE = 3
"""Tiles of one look that must have one number before any of them is told as it was before the end."""

FEWEST_NUMBERS = 4
"""Open tiles with a mine beside them that must agree before an end is believed."""


@dataclass(frozen=True)
class Ending:
    """A finished board: what was hidden before the last click, what changed with it, and where that click was."""

    before: Cells  # what was known of the tiles before the last click; UNREAD is open and not known
    after: Numbers  # the looks of the tiles at the end, by group
    known: Cells  # what is known of the tiles at the end by their looks, else UNREAD
    changed: Flags
    clicked: tuple[int, int] | None  # the last tile opened, None when several were

    def cells(self) -> Cells | None:
        """Return what every tile at the end is, UNREAD where nothing proves it; None when the end explains nothing."""
        lost = self._lost()
        outcomes = [self._laid_open() if lost is None else lost, self._won()]
        told = [cells for cells in outcomes if cells is not None]
        return told[0] if len(told) == 1 else None

    @property
    def _hidden(self) -> Flags:
        return np.asarray(np.isin(self.before, (Cell.COVERED, Cell.FLAG, Cell.QUESTION)))

    def _lost(self) -> Cells | None:
        """Return the cells when the last click hit a mine and all others were shown then."""
        if self.clicked is None:
            return None
        flagged = self.before == Cell.FLAG
        wrong = flagged & self.changed
        shown = self._hidden & self.changed & ~flagged
        shown[self.clicked] = False
        mines = shown | (flagged & ~self.changed)
        mines[self.clicked] = True
        if not shown.any() or (self.known[shown] == Cell.FLAG).any():  # who wins gets flags
            return None
        # Many tiles that turn into the same thing at once are proof in themselves: few numbers need to agree.
        most = np.bincount(self.after[shown]).max()
        fewest = 1 if most >= FEWEST_SHOWN and most >= 0.9 * np.count_nonzero(shown) else FEWEST_NUMBERS
        cells = self._numbered(mines, self._hidden, fewest)
        if cells is None:
            # A flag may be turned into another picture of a mine where it was right.
            wrong_or_right = self._numbered(mines | wrong, self._hidden, fewest)
            if wrong_or_right is None:
                return None
            cells, wrong = wrong_or_right, np.zeros_like(wrong)
        alike = np.bincount(self.after[shown])[self.after[shown]]
        cells[shown] = np.where(alike >= USUAL * len(alike), Cell.MINE, Cell.UNREAD)  # something may lie upon a few
        cells[wrong], cells[self.clicked] = Cell.WRONG_FLAG, Cell.EXPLODED
        return cells

    def _laid_open(self) -> Cells | None:
        """Return the cells when the last click hit a mine and the whole board was shown then, numbers too (xbomb).

        The mine that went off looks like all others there, or a little otherwise: whichever look explains the numbers
        is that of the mines, if only one does.
        """
        flagged = self.before == Cell.FLAG
        if self.clicked is None or not (self.changed | flagged)[self._hidden].all():
            return None
        explained = []
        for look in np.unique(self.after[self._hidden & self.changed]):
            mines = self._hidden & (self.changed & (self.after == look) | flagged & ~self.changed)
            mines[self.clicked] = True
            cells = self._numbered(mines, mines)
            if cells is not None:
                cells[mines & self.changed] = Cell.MINE
                if self.after[self.clicked] != look:
                    cells[self.clicked] = Cell.EXPLODED
                explained.append(cells)
        return explained[0] if len(explained) == 1 else None

    def _won(self) -> Cells | None:
        """Return the cells when the last click opened the last tile without a mine, and only mines stay hidden."""
        hidden = self._hidden
        if self.clicked is None:
            hidden &= self.known > 8
        elif self.known[self.clicked] == Cell.EXPLODED:
            return None
        else:
            hidden[self.clicked] = False
        cells = self._numbered(hidden, hidden)
        if cells is not None:
            cells[hidden] = self.known[hidden]
        return cells

    def _numbered(self, mines: Flags, hidden: Flags, fewest: int = FEWEST_NUMBERS) -> Cells | None:
        """Return the cells with open tiles numbered by the mines around; None when that contradicts looks.

        Tiles at the rim are left out where the board seems to go on beyond it.
        """
        around = count_around(mines)
        for rim in (0, 1):
            inside = np.zeros(mines.shape, dtype=np.bool_)
            inside[rim : mines.shape[0] - rim, rim : mines.shape[1] - rim] = True
            is_open = ~hidden & inside
            if self._consistent(around, is_open, fewest):
                # What was open before and changed all the same was no number, or caught while it was painted.
                sure = is_open & (self._hidden | ~self.changed)
                cells = np.where(sure, around, Cell.UNREAD).astype(np.uint8)
                covered = hidden & (self.known == Cell.COVERED)
                flags = hidden & mines & (self.known == Cell.FLAG)
                cells[covered], cells[flags] = Cell.COVERED, Cell.FLAG
                return cells
        return None

    def _consistent(self, around: NDArray[np.uint8], is_open: Flags, fewest: int) -> bool:
        """Whether enough open tiles have a number, those of one look the same, and none another than it is known by."""
        numbers, looks, known = around[is_open], self.after[is_open], self.known[is_open]
        if np.count_nonzero(numbers) < fewest:
            return False
        if ((known <= 8) & (known != numbers)).any() or ((known > 8) & (known != Cell.UNREAD)).any():
            return False
        return all(len(np.unique(numbers[looks == look])) == 1 for look in np.unique(looks))


def numbers_before(looks: Numbers, before: Cells, end: Cells) -> Cells:
    """Return the numbers of tiles that were open before the last click and look otherwise at the end (xbomb's frames).

    The end tells where the mines are, and so every number. Several tiles of one look, by group, must have one number: a
    single one may be a flag or a cover of a shade not seen before.
    """
    hidden = np.isin(before, (Cell.COVERED, Cell.FLAG, Cell.QUESTION))
    cells = np.full_like(before, Cell.UNREAD)
    if (end[hidden] == Cell.UNREAD).any():
        return cells
    around = count_around((end > 8) & (end != Cell.UNREAD) & (end != Cell.WRONG_FLAG))
    for look in np.unique(looks[~hidden]):
        alike = ~hidden & (looks == look)
        if np.count_nonzero(alike) >= FEWEST_ALIKE and len(np.unique(around[alike])) == 1:
            cells[alike & (end == Cell.UNREAD)] = around[alike][0]
    return cells


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

    sample: Sample
    row: int
    col: int
    reason: str

    def __str__(self) -> str:
        return f'"{self.sample.name}": {place(self.row, self.col)} {self.reason}'


@dataclass(frozen=True)
class _Told:
    """All tiles of all samples that something is told of, in one row."""

    sample: NDArray[np.intp]  # (n,)
    index: NDArray[np.intp]  # (n,): in reading order of its sample
    value: NDArray[np.uint8]  # (n,)
    looks: Looks
    at_a_window: NDArray[np.bool_]  # (n,): beside tiles of which nothing is told, so something may lie upon it too


def objections(samples: Sequence[Sample]) -> list[Objection]:
    """Return what speaks against the truths of samples, the clearest kind first; an empty list when nothing does."""
    told = _gather(samples)
    found: dict[tuple[int, int], str] = {}
    witnesses = (
        _unlike_its_own(told),
        _figures_on_plain_tiles(told),
        _other_shapes(told, samples),
        _read(told, samples),
    )
    for reasons in witnesses:
        for number, reason in reasons.items():
            found.setdefault((int(told.sample[number]), int(told.index[number])), reason)
    if not found:
        for number, sample in enumerate(samples):
            found |= {(number, index): reason for index, reason in _broken_rules(sample).items()}
    return [
        Objection(samples[number], *samples[number].place(index), reason) for (number, index), reason in found.items()
    ]


def _gather(samples: Sequence[Sample]) -> _Told:
    sample, index, value, looks, at_a_window = [], [], [], [], []
    for number, each in enumerate(samples):
        if each.truth is None:
            continue
        told = np.flatnonzero(each.truth.cells.ravel() != Cell.UNREAD)
        sample.append(np.full(len(told), number))
        index.append(told)
        value.append(each.truth.cells.ravel()[told])
        looks.append(each.looks[told])
        at_a_window.append((count_around(each.truth.cells == Cell.UNREAD) > 0).ravel()[told])
    return _Told(*(np.concatenate(parts) for parts in (sample, index, value, looks, at_a_window)))


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


def _other_shapes(told: _Told, samples: Sequence[Sample]) -> dict[int, str]:
    """Return the tiles whose figure has the shape of another one, by all known skins."""
    reasons = {}
    for number in np.flatnonzero(np.isin(told.value, (*FIGURES, Cell.EXPLODED))).tolist():
        value = int(told.value[number])
        mine = Cell.MINE if value == Cell.EXPLODED else value
        shapes = likeness(samples[told.sample[number]].tile(int(told.index[number]), CROP))
        if not shapes:
            continue
        best = next(iter(shapes))
        if best != mine and shapes[best] >= LIKE and shapes.get(mine, 0.0) <= shapes[best] - UNLIKE:
            reasons[number] = f'is called "{SYMBOLS[value]}" but has the shape of a "{SYMBOLS[best]}"'
    return reasons


def _read(told: _Told, samples: Sequence[Sample]) -> dict[int, str]:
    """Return the tiles that a known skin reads otherwise, on samples that it otherwise reads as they are called."""
    reasons = {}
    for sample, index, value, number in zip(told.sample, told.index, told.value, range(len(told.value)), strict=True):
        reading, truth = samples[sample].reading, samples[sample].truth
        if reading is None or truth is None:
            continue
        cells = reading.board.cells
        seen = int(cells.ravel()[index])
        if seen not in (value, Cell.UNREAD) and (cells == truth.cells).mean() >= AGREED:
            reasons[number] = f'is called "{SYMBOLS[value]}" but reads as "{SYMBOLS[seen]}" (skin {reading.skin})'
    return reasons


def _broken_rules(sample: Sample) -> dict[int, str]:
    """Return the cells of a board that no layout explains, of which each could be the wrong one."""
    if sample.truth is None:
        return {}
    whole = (sample.truth.rows, sample.truth.cols) in STANDARD_SIZES
    if not contradictions(sample.truth, whole):
        return {}
    told = [(int(row), int(col)) for row, col in np.argwhere(sample.truth.cells != Cell.UNREAD)]
    culprits = [cell for cell in told if not contradictions(sample.truth.replace({cell: Cell.UNREAD}), whole)]
    reason = "breaks the rules of the game: no layout of mines explains the numbers around it"
    if len(culprits) > 1:
        reason = f"or one of {len(culprits) - 1} cells near it " + reason
    return {row * sample.truth.cols + col: reason for row, col in culprits or told[:1]}


Naming = tuple[int, ...]
"""The cell value of each look, by its number."""

MOST_STEPS = 3_000
"""Names that one search tries before it gives up."""

HIDES = frozenset({Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.MINE, Cell.EXPLODED})
"""What may stand on a mine."""

ON_COVER = frozenset({Cell.FLAG, Cell.QUESTION})

SHOWS = frozenset({Cell.MINE, Cell.EXPLODED})

Numbers = NDArray[np.intp]
"""Shape (rows, cols): the number of each tile's look."""


@dataclass(frozen=True)
class _Surroundings:
    """The tiles of one look: how many tiles of each look lie around, and whether the rim of the picture is near."""

    around: NDArray[np.uint8]  # (tiles, looks)
    inside: NDArray[np.bool_]  # (tiles,): all eight neighbours are in the picture, or the picture is a whole board


@dataclass(frozen=True)
class Clues:
    """What pictures tell of looks: the cells each may be, which two are not the same, and whose ground a figure has."""

    choices: tuple[frozenset[int], ...]
    unlike: frozenset[tuple[int, int]] = frozenset()
    grounds: dict[int, int] = field(default_factory=dict)  # look of a figure: look of the plain tile it stands on

    def allow(self, named: dict[int, int], look: int) -> bool:
        """Whether the name just given to a look goes with the names given before."""
        for one, other in self.unlike:
            if look in (one, other) and named.get(one) == named.get(other):
                return False
        pairs = [(look, self.grounds[look])] if look in self.grounds else []
        pairs += [(figure, ground) for figure, ground in self.grounds.items() if ground == look and figure in named]
        for figure, ground in pairs:
            if named.get(ground) == 0 and named[figure] in ON_COVER:
                return False
            if named.get(ground) == Cell.COVERED and named[figure] <= 8:
                return False
        return True


def possible_cells(boards: Sequence[tuple[Numbers, bool]], clues: Clues) -> list[frozenset[int]]:
    """Return what each look can be in a game that breaks no rule; empty sets when there is no such game at all.

    `boards` are the looks of whole boards (True) or of parts that may go on beyond their rim (False). What could not be
    decided in reasonable time counts as possible.
    """
    search = _Search(boards, clues)
    first = search.naming({})
    if first is None:
        return [frozenset() for _ in clues.choices]
    seen = [{value} for value in first]
    for look, choice in enumerate(clues.choices):
        for value in sorted(choice):
            if value not in seen[look]:
                found = search.naming({look: value})
                for other, its in enumerate(found or ()):
                    seen[other].add(its)
                if search.exhausted:
                    seen[look].add(value)
    return [frozenset(values) for values in seen]


class _Search:
    """Looks for namings that break no rule, one look after the other, the one with the fewest choices first."""

    def __init__(self, boards: Sequence[tuple[Numbers, bool]], clues: Clues) -> None:
        self._boards = boards
        self._clues = clues
        count = len(clues.choices)
        self._surroundings = [_surroundings(boards, look, count) for look in range(count)]
        self._order = sorted(range(count), key=lambda look: (len(clues.choices[look]), look))
        self._steps = 0

    @property
    def exhausted(self) -> bool:
        """Whether the last search was given up."""
        return self._steps > MOST_STEPS

    def naming(self, named: dict[int, int]) -> Naming | None:
        """Return a naming that breaks no rule and gives some looks the given names, None when none was found."""
        self._steps = 0
        allowed = all(self._clues.allow(named, look) for look in named)
        return self._complete(dict(named)) if allowed else None

    def _complete(self, named: dict[int, int]) -> Naming | None:
        if not _possible(named, self._clues.choices, self._surroundings):
            return None
        look = next((look for look in self._order if look not in named), None)
        if look is None:
            naming = tuple(named[look] for look in range(len(named)))
            return naming if self._is_a_game(naming) else None
        for value in sorted(self._clues.choices[look]):
            self._steps += 1
            if self.exhausted:
                return None
            extended = {**named, look: value}
            if self._clues.allow(extended, look):
                found = self._complete(extended)
                if found is not None:
                    return found
        return None

    def _is_a_game(self, naming: Naming) -> bool:
        lost = bool(SHOWS & set(naming))
        if Cell.WRONG_FLAG in naming and not lost:
            return False
        return all(_has_a_layout(numbers, whole, naming) for numbers, whole in self._boards)


def _surroundings(boards: Sequence[tuple[Numbers, bool]], look: int, looks: int) -> _Surroundings:
    around, inside = [], []
    for numbers, whole in boards:
        here = numbers == look
        counts = np.stack([count_around(numbers == other) for other in range(looks)], axis=-1)
        around.append(counts[here])
        full = np.full(numbers.shape, whole)
        full[1:-1, 1:-1] = True
        inside.append(full[here])
    return _Surroundings(np.concatenate(around), np.concatenate(inside))


def _possible(named: dict[int, int], choices: Sequence[frozenset[int]], surroundings: Sequence[_Surroundings]) -> bool:
    """Whether no tile of a named look breaks a rule, whatever the other looks turn out to be."""
    could_hide = np.array(
        [bool(HIDES & ({named[look]} if look in named else choices[look])) for look in range(len(choices))]
    )
    shown = np.array([named.get(look) in SHOWS for look in range(len(choices))])
    closed = np.array([named.get(look) in HIDES for look in range(len(choices))])
    for look, value in named.items():
        if value > 8:
            continue
        tiles = surroundings[look]
        if value == 0 and (tiles.around @ closed).any():
            return False
        if ((tiles.around @ could_hide)[tiles.inside] < value).any() or ((tiles.around @ shown) > value).any():
            return False
    return True


def _has_a_layout(numbers: Numbers, whole: bool, naming: Naming) -> bool:
    """Whether some layout of mines explains all numbers of a board at once."""
    return not contradictions(Board(np.array(naming, dtype=np.uint8)[numbers]), whole)


def contradictions(board: Board, whole: bool) -> list[str]:
    """Return why no layout of mines explains a board, empty when one does. Flags are opinions and count as covered.

    A board that is not whole may go on beyond its rim.
    """
    from bot.solver.odds import exact_odds  # loads the compiled engine

    cells = np.where(np.isin(board.cells, (Cell.FLAG, Cell.QUESTION)), Cell.QUESTION, board.cells)
    if not whole:
        cells = np.pad(cells, 1, constant_values=Cell.UNREAD)
    opinionless = Board(cells, board.mines if whole else None)
    return list(dict.fromkeys([*opinionless.problems(), *exact_odds(opinionless).contradictions]))
