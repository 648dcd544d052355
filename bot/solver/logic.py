"""The steps a person would give: which tiles are certain, and one sentence that proves each of them.

A ladder of four rungs, each tried only when the ones below it have nothing more to say, so that every conclusion
comes with the simplest proof there is:

    single    one number whose mines are all found, or that needs every covered tile it has left
    subset    two numbers that share tiles: "B minus A"
    count     the number of mines left in the whole game, with numbers that share no tile
    layouts   every layout that fits agrees, which the exact odds tell; the ladder adds a contradiction if it finds one

Flags are the player's opinion and prove nothing; mines proven by one step are knowledge in the next. The first three
rungs are sound on their own. They do not find everything, and they give no chances: that is what odds.py is for.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell, Position, count_around, counted, place
from bot.solver.decision import Step

Rung = Literal["single", "subset", "count"]
_RUNGS: tuple[Rung, ...] = get_args(Rung)

Conclusion = Literal["safe", "mine"]
_CONCLUSIONS: tuple[Conclusion, ...] = get_args(Conclusion)

_NAMED_TILES = 4
"""A sentence names this many tiles and counts the rest."""

_PACKING_EFFORT = 100_000
"""How long the count rung looks for numbers that share no tile and hold the mines left, in numbers taken up."""

_EFFORT = 1_000_000
"""The same for all searches of one explanation, about two seconds: on a board of thousands of numbers they would take
minutes. What is certain stays so; it is then said without the proof."""


def deduce(board: Board, upto: Rung = "count") -> tuple[Step, ...]:
    """Return what the rungs up to and including one prove, in the order in which it is proven.

    No cell is named twice. On a board that contradicts itself the steps stop where the contradiction shows.
    """
    ladder = _Ladder(board)
    ladder.climb(_RUNGS.index(upto) + 1)
    return tuple(ladder.steps)


def explain(board: Board, safe: NDArray[np.bool_], mined: NDArray[np.bool_]) -> tuple[Step, ...]:
    """Return steps that together name every cell of `safe` and `mined` exactly once, and no other cell.

    The two masks, shape (rows, cols), are what the exact odds hold for certain; a cell that the first three rungs do
    not prove is proven by the layouts.
    """
    ladder = _Ladder(board, {"safe": _bits(safe), "mine": _bits(mined)})
    while True:
        ladder.climb(len(_RUNGS))
        if not ladder.step_from_layouts():
            return tuple(ladder.steps)


def contradiction(board: Board) -> str | None:
    """Return one sentence naming numbers that can't be met, or None if the two lowest rungs find none."""
    known = _Knowledge.of(board)
    try:
        while _follow_single(known) or _follow_pair(known):
            pass
    except _ImpossibleError as impossible:
        return f"the numbers leave {impossible}"
    return None


@dataclass(eq=False)
class _Number:
    """An open number: the unknown cells around it, as bits, and the mines still to be found among them."""

    row: int
    col: int
    value: int
    unknown: int
    mines: int
    found: int = 0  # bits of the proven mines around it, for the sentences

    @property
    def contradicts(self) -> bool:
        return not 0 <= self.mines <= self.unknown.bit_count()

    @property
    def name(self) -> str:
        return f"the {self.value} at {place(self.row, self.col)}"


@dataclass(eq=False)
class _Knowledge:
    """What is known at one moment of a proof. Sets of cells are Python integers, bit row × cols + col."""

    unknown: int  # hidden cells that are neither proven safe nor proven mined
    mines: int | None  # among the unknown cells, if the game's mines are known
    numbers: list[_Number]
    beside: dict[int, list[int]]  # cell -> indexes of the numbers it touches
    changed: deque[int]  # numbers not yet looked at alone
    unpaired: dict[int, None]  # numbers not yet looked at in pairs, in order

    @classmethod
    def of(cls, board: Board) -> _Knowledge:
        """Return what a board shows before any conclusion."""
        hidden = _bits(board.hidden)
        shown = _bits((board.cells == Cell.MINE) | (board.cells == Cell.EXPLODED))
        numbers: list[_Number] = []
        beside: dict[int, list[int]] = {}
        for row, col in np.argwhere((board.cells <= 8) & (count_around(board.hidden) > 0)).tolist():
            around = _around(row, col, *board.cells.shape)
            value, found = int(board.cells[row, col]), around & shown
            number = _Number(row, col, value, around & hidden, value - found.bit_count(), found)
            for cell in _cells(number.unknown):
                beside.setdefault(cell, []).append(len(numbers))
            numbers.append(number)
        mines = None if board.mines is None else board.mines - shown.bit_count()
        order = range(len(numbers))
        return cls(hidden, mines, numbers, beside, deque(order), dict.fromkeys(order))

    def suppose(self, conclusion: Conclusion, cell: int) -> _Knowledge:
        """Return a copy with one more cell settled, in which only the numbers that this touches are to be looked at."""
        numbers = [replace(number) for number in self.numbers]
        supposed = _Knowledge(self.unknown, self.mines, numbers, self.beside, deque(), {})
        supposed.learn(conclusion, 1 << cell)
        return supposed

    def learn(self, conclusion: Conclusion, cells: int) -> None:
        """Settle unknown cells, and note every number that they touch as worth another look."""
        self.unknown &= ~cells
        if conclusion == "mine" and self.mines is not None:
            self.mines -= cells.bit_count()
        for index in dict.fromkeys(index for cell in _cells(cells) for index in self.beside.get(cell, ())):
            number = self.numbers[index]
            if conclusion == "mine":
                number.mines -= (number.unknown & cells).bit_count()
                number.found |= number.unknown & cells
            number.unknown &= ~cells
            self.changed.append(index)
            self.unpaired[index] = None

    def sharing(self, index: int) -> Iterator[_Number]:
        """Yield the other numbers with unknown cells in common with one, in reading order."""
        others = {other for cell in _cells(self.numbers[index].unknown) for other in self.beside[cell]} - {index}
        yield from (self.numbers[other] for other in sorted(others))

    @property
    def count_contradicts(self) -> bool:
        return self.mines is not None and not 0 <= self.mines <= self.unknown.bit_count()


class _Ladder:
    """A proof in the making: the steps so far and what is known after them.

    `allowed`, when given, holds the cells that may be called safe or mined; no other conclusion is drawn.
    """

    def __init__(self, board: Board, allowed: dict[Conclusion, int] | None = None) -> None:
        self._cols = board.cells.shape[1]
        self._mines = board.mines
        self.known = _Knowledge.of(board)
        self.allowed = allowed
        self.steps: list[Step] = []
        self._effort = _EFFORT

    def climb(self, rungs: int) -> None:
        """Take every step that the lowest `rungs` rungs prove, always the lowest rung first."""
        climbers = (self._step_from_single, self._step_from_pair, self._step_from_count)[:rungs]
        while any(step() for step in climbers):
            pass

    def _may_search(self) -> bool:
        """Whether there is effort left for a search, which goes through all numbers."""
        self._effort -= len(self.known.numbers)
        return self._effort > 0

    # The first rung: one number.

    def _step_from_single(self) -> bool:
        known = self.known
        while known.changed:
            number = known.numbers[known.changed.popleft()]
            if not number.unknown or number.contradicts:
                continue
            if number.mines == 0 and self._conclude("safe", number.unknown, self._why_none_left(number)):
                return True
            all_needed = number.mines == number.unknown.bit_count()
            if all_needed and self._conclude("mine", number.unknown, self._why_all_needed(number)):
                return True
        return False

    def _why_none_left(self, number: _Number) -> str:
        tiles = self._tiles(number.unknown)
        if not number.found:
            return f"{number.name} leaves no mine for {tiles}"
        mines = "mine" if number.value == 1 else "mines"
        found = self._tiles(number.found, all_of_them=True)
        return f"{number.name} already has its {mines} at {found}, none is left for {tiles}"

    def _why_all_needed(self, number: _Number) -> str:
        which = "the last" if number.found else "its"
        mines = "mine" if number.mines == 1 else f"{number.mines} mines"
        tiles = self._tiles(number.unknown, all_of_them=True)
        return f"{self._name(number)} has only {tiles} left for {which} {mines}"

    # The second rung: B minus A.

    def _step_from_pair(self) -> bool:
        known = self.known
        while known.unpaired:
            index = next(iter(known.unpaired))
            first = known.numbers[index]
            for second in known.sharing(index):
                if self._subtract(first, second) or self._subtract(second, first):
                    return True
            del known.unpaired[index]
        return False

    def _subtract(self, more: _Number, less: _Number) -> bool:
        """Conclude when `more` has so many more mines than `less` that all its own cells are needed for them."""
        only_more = more.unknown & ~less.unknown
        only_less = less.unknown & ~more.unknown
        if more.contradicts or less.contradicts or more.mines - less.mines != only_more.bit_count():
            return False
        if not only_more | only_less:
            return False
        names = f"{self._name(more)} and {self._name(less)} leave"
        count = "one mine" if only_more.bit_count() == 1 else f"{only_more.bit_count()} mines"
        mined = self._conclude("mine", only_more, f"{names} exactly {count} for {self._tiles(only_more)}")
        return self._conclude("safe", only_less, f"{names} no mine for {self._tiles(only_less)}") or mined

    # The third rung: the mines left in the whole game.

    def _step_from_count(self) -> bool:
        known = self.known
        if known.mines is None or known.count_contradicts or any(number.contradicts for number in known.numbers):
            return False
        for conclusion in _CONCLUSIONS:
            chosen = self._packing(conclusion)
            if chosen is None:
                continue
            rest = known.unknown
            for number in chosen:
                rest &= ~number.unknown
            if self._conclude(conclusion, rest, self._why_counted(conclusion, chosen, rest)):
                return True
        return False

    def _packing(self, conclusion: Conclusion) -> list[_Number] | None:
        """Return numbers that share no unknown cell and leave the rest of the board no mine, or nothing but mines.

        A depth-first search that takes the numbers which explain most first; None when it finds nothing in time.
        """
        assert self.known.mines is not None
        if not self._may_search():
            return None
        mines, unknown = self.known.mines, self.known.unknown.bit_count()
        # Each number uses up some of what the rest of the board could still vary by: its mines, or its safe cells.
        slack = mines if conclusion == "safe" else unknown - mines
        worth = {
            number: number.mines if conclusion == "safe" else number.unknown.bit_count() - number.mines
            for number in self.known.numbers
        }
        order = sorted((n for n in worth if worth[n]), key=lambda n: (-worth[n], n.unknown.bit_count(), n.row, n.col))
        # No choice of numbers uses up more than each cell's dearest number pays for it: mid-game that is too little.
        price: dict[int, float] = {}
        for number in order:
            for cell in _cells(number.unknown):
                price[cell] = max(price.get(cell, 0.0), worth[number] / number.unknown.bit_count())
        if sum(price.values()) < slack - 0.5:
            return None
        budget = _PACKING_EFFORT
        stack: list[tuple[int, int, int, tuple[_Number, ...]]] = [(0, slack, 0, ())]
        while stack and budget > 0:
            start, left, used, chosen = stack.pop()
            budget -= 1 + len(order) - start
            self._effort -= 1 + len(order) - start
            if left == 0:
                if self.known.unknown & ~used:
                    return sorted(chosen, key=lambda number: (number.row, number.col))
                continue
            for index in range(len(order) - 1, start - 1, -1):
                number = order[index]
                if worth[number] <= left and not number.unknown & used:
                    stack.append((index + 1, left - worth[number], used | number.unknown, (*chosen, number)))
        return None

    def _why_counted(self, conclusion: Conclusion, chosen: list[_Number], rest: int) -> str:
        mines = self.known.mines
        assert mines is not None
        tiles = self._tiles(rest)
        if not chosen and conclusion == "safe":
            return f"every mine of the game is found, none is left for {tiles}"
        if not chosen:
            need = "needs" if mines == 1 else "need"
            return f"the {counted(mines, 'mine')} left in the game {need} every covered tile: {tiles}"
        names = _join([self._name(number) for number in chosen])
        if conclusion == "safe":
            left = "the last mine" if mines == 1 else f"all {mines} mines left in the game"
            return f"{names} {'holds' if len(chosen) == 1 else 'hold'} {left}, none is left for {tiles}"
        beyond = counted(rest.bit_count(), "mine")
        return f"the {counted(mines, 'mine')} left in the game are {beyond} more than {names} can hold: {tiles}"

    # The fourth rung: what every layout agrees on.

    def step_from_layouts(self) -> bool:
        """Take one step that only the certain odds prove; False when every certain cell has been named."""
        assert self.allowed is not None
        certain = [(conclusion, self.allowed[conclusion] & self.known.unknown) for conclusion in _CONCLUSIONS]
        for conclusion, cells in certain:
            for cell in _cells(cells):
                refuted = self._contradiction("mine" if conclusion == "safe" else "safe", cell)
                if refuted is not None:
                    tile = self._tiles(1 << cell)
                    supposed = f"a mine at {tile}" if conclusion == "safe" else f"no mine at {tile}"
                    return self._conclude(conclusion, 1 << cell, f"every layout agrees: {supposed} would {refuted}")
        return any(
            self._conclude(conclusion, cells, self._why_every_layout(conclusion, cells))
            for conclusion, cells in certain
            if cells
        )

    def _why_every_layout(self, conclusion: Conclusion, cells: int) -> str:
        mines = "no mine" if conclusion == "safe" else "a mine"
        count = "" if self._mines is None else f" and the count of {counted(self._mines, 'mine')}"
        return f"every layout that fits the numbers{count} has {mines} at {self._tiles(cells)}"

    def _contradiction(self, conclusion: Conclusion, cell: int) -> str | None:
        """Suppose a cell safe or mined, follow the two lowest rungs and return what becomes impossible, if anything."""
        if not self._may_search():
            return None
        trial = self.known.suppose(conclusion, cell)
        try:
            while _follow_single(trial) or _follow_pair(trial):
                pass
        except _ImpossibleError as impossible:
            return f"leave {impossible}"
        if trial.mines is None or not trial.count_contradicts:
            return None
        return f"{'take more' if trial.mines < 0 else 'leave room for fewer'} mines than the game has"

    # What every rung ends in.

    def _conclude(self, conclusion: Conclusion, cells: int, because: str) -> bool:
        if not cells or (self.allowed is not None and cells & ~self.allowed[conclusion]):
            return False
        self.steps.append(Step(self._positions(cells), conclusion, because))
        self.known.learn(conclusion, cells)
        return True

    # Words.

    def _name(self, number: _Number) -> str:
        """Name a number and the mines already found beside it: a person subtracts them before going on."""
        if not number.found:
            return number.name
        mines = "mine" if number.found.bit_count() == 1 else "mines"
        return f"{number.name} (less its {mines} at {self._tiles(number.found, all_of_them=True)})"

    def _tiles(self, cells: int, all_of_them: bool = False) -> str:
        names = [place(*position) for position in self._positions(cells)]
        if all_of_them or len(names) <= _NAMED_TILES:
            return _join(names)
        return f"{len(names)} tiles from {names[0]} to {names[-1]}"

    def _positions(self, cells: int) -> tuple[Position, ...]:
        return tuple(Position(*divmod(cell, self._cols)) for cell in _cells(cells))


class _ImpossibleError(Exception):
    """Numbers that a supposition leaves without a layout; the message names them."""


def _follow_single(known: _Knowledge) -> bool:
    """Settle the cells of one number that has no choice left; False when there is none."""
    while known.changed:
        number = known.numbers[known.changed.popleft()]
        if number.contradicts:
            wrong = "too many mines" if number.mines < 0 else "too few tiles for its mines"
            raise _ImpossibleError(f"{number.name} {wrong}")
        if number.unknown and number.mines in (0, number.unknown.bit_count()):
            known.learn("mine" if number.mines else "safe", number.unknown)
            return True
    return False


def _follow_pair(known: _Knowledge) -> bool:
    """Settle the cells to which one number minus another leaves no choice; False when there are none."""
    while known.unpaired:
        index = next(iter(known.unpaired))
        for other in known.sharing(index):
            for more, less in ((known.numbers[index], other), (other, known.numbers[index])):
                only_more, only_less = more.unknown & ~less.unknown, less.unknown & ~more.unknown
                surplus = more.mines - less.mines - only_more.bit_count()
                if surplus > 0:
                    raise _ImpossibleError(f"{more.name} and {less.name} at odds")
                if surplus == 0 and only_more | only_less:
                    known.learn("mine", only_more)
                    known.learn("safe", only_less)
                    return True
        del known.unpaired[index]
    return False


def _bits(mask: NDArray[np.bool_]) -> int:
    """Return a mask of shape (rows, cols) as a set of cells."""
    return int.from_bytes(np.packbits(mask, axis=None, bitorder="little").tobytes(), "little")


def _around(row: int, col: int, rows: int, cols: int) -> int:
    """Return the neighbours of a cell on a board so large, and the cell itself, as a set of cells."""
    span = (1 << min(col + 2, cols)) - (1 << max(col - 1, 0))
    return sum(span << (r * cols) for r in range(max(row - 1, 0), min(row + 2, rows)))


def _cells(bits: int) -> Iterator[int]:
    """Yield the cells of a set in reading order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _join(names: list[str]) -> str:
    return " and ".join(filter(None, ["; ".join(names[:-1]), *names[-1:]]))
