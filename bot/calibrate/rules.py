"""What the rules of Minesweeper say about looks: what each of them can be in any game at all.

Promises what each look on some boards can be when all of them together must break no rule. A number has room around it
for its mines and not more shown mines than it says, all around a blank is open, a number stands on the ground that
blanks have and a flag does not, and there is a layout of mines that explains all numbers at once. A look that can be
one thing only is proved to be that, as far as the clues that the pictures give are right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell, count_around

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
