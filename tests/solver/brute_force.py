"""The solver's oracle: the truth about tiny boards, by counting every layout there is.

Shares nothing with the solver: no boxes, no components, no floats. Every subset of the hidden cells is tried against
every number, so a board may hide at most 16 cells. Counts are Python integers and odds are fractions, hence exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from bot.board import Board, Cell, count_around

MOST_HIDDEN = 16


@dataclass(frozen=True, eq=False)
class Truth:
    """Every layout that fits a board: `layouts` has shape (layouts, hidden cells), dtype bool, True for a mine.

    `hidden` lists the hidden cells in reading order. An unknown number of mines allows layouts with any number.
    """

    hidden: tuple[tuple[int, int], ...]
    layouts: NDArray[np.bool_]

    @property
    def count(self) -> int:
        """How many layouts fit."""
        return len(self.layouts)

    @cached_property
    def odds(self) -> dict[tuple[int, int], Fraction]:
        """The chance of a mine in each hidden cell when every layout is as likely as any other."""
        mined = self.layouts.sum(axis=0)
        return {cell: Fraction(int(times), self.count) for cell, times in zip(self.hidden, mined, strict=True)}

    @property
    def safe(self) -> set[tuple[int, int]]:
        """Cells without a mine in every layout."""
        return {cell for cell, chance in self.odds.items() if chance == 0}

    @property
    def mined(self) -> set[tuple[int, int]]:
        """Cells with a mine in every layout."""
        return {cell for cell, chance in self.odds.items() if chance == 1}


def enumerate_layouts(board: Board) -> Truth:
    """Return every layout of mines that fits what the board shows. Flags say nothing."""
    hidden = tuple((int(row), int(col)) for row, col in np.argwhere(board.hidden))
    assert len(hidden) <= MOST_HIDDEN, f"{len(hidden)} hidden cells are too many to enumerate"
    subsets = np.arange(1 << len(hidden), dtype=np.uint32)
    layouts = (subsets[:, None] >> np.arange(len(hidden), dtype=np.uint32)) & 1 == 1
    shown = (board.cells == Cell.MINE) | (board.cells == Cell.EXPLODED)
    fits = np.ones(len(layouts), dtype=np.bool_)
    for row, col in np.argwhere(board.cells <= 8):
        around = set(board.neighbours(row, col))
        beside = [cell in around for cell in hidden]
        known = sum(bool(shown[cell]) for cell in around)
        fits &= layouts[:, beside].sum(axis=1) + known == int(board.cells[row, col])
    if board.mines is not None:
        fits &= layouts.sum(axis=1) + int(shown.sum()) == board.mines
    return Truth(hidden, layouts[fits])


def most_games_won(board: Board) -> int:
    """Return in how many of the board's layouts perfect play wins, by playing out the whole game tree.

    The board's mine count must be known. Opening a 0 opens its neighbours in the next moves, as they are then safe.
    """
    truth = enumerate_layouts(board)
    numbers = []
    for layout in truth.layouts:
        mines = (board.cells == Cell.MINE) | (board.cells == Cell.EXPLODED)
        for cell, mine in zip(truth.hidden, layout, strict=True):
            mines[cell] = mine
        around = count_around(mines)
        numbers.append([-1 if mine else int(around[cell]) for cell, mine in zip(truth.hidden, layout, strict=True)])
    return _wins(tuple(range(len(numbers))), frozenset(), numbers, {})


def _wins(
    left: tuple[int, ...],
    opened: frozenset[int],
    numbers: list[list[int]],
    memo: dict[tuple[tuple[int, ...], frozenset[int]], int],
) -> int:
    """How many of the layouts `left` perfect play wins; `numbers[layout][cell]` is what it shows, −1 for a mine."""
    covered = [cell for cell in range(len(numbers[0])) if cell not in opened]
    if all(numbers[left[0]][cell] == -1 for cell in covered):
        return len(left)
    if (left, opened) in memo:
        return memo[left, opened]
    most = 0
    safe = [cell for cell in covered if all(numbers[layout][cell] != -1 for layout in left)]
    for cell in safe[:1] or covered:
        by_number: dict[int, list[int]] = {}
        for layout in left:
            by_number.setdefault(numbers[layout][cell], []).append(layout)
        by_number.pop(-1, None)
        most = max(most, sum(_wins(tuple(rest), opened | {cell}, numbers, memo) for rest in by_number.values()))
    memo[left, opened] = most
    return most


@st.composite
def boards(draw: st.DrawFn, *, most_hidden: int = 12, unknown_mines: bool = True) -> Board:
    """Draw a board that some layout fits, with flags and question marks set at random.

    Mines are covered first, as in a game; those beyond `most_hidden` are shown. One board in five hides its mine count.
    """
    rows, cols = draw(st.integers(1, 7)), draw(st.integers(1, 7))
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    mines = random.random((rows, cols)) < draw(st.sampled_from([0.1, 0.2, 0.3, 0.5]))
    hidden = draw(st.integers(0, min(rows * cols, most_hidden)))
    order = np.argsort(random.random((rows, cols)) - mines, axis=None)
    covered = np.zeros(rows * cols, dtype=np.bool_)
    covered[order[:hidden]] = True
    cells = count_around(mines)
    cells[mines] = Cell.MINE
    marks = random.choice(np.array([Cell.COVERED, Cell.FLAG, Cell.QUESTION]), size=(rows, cols), p=[0.7, 0.2, 0.1])
    cells = np.where(covered.reshape(rows, cols), marks, cells)
    known = not unknown_mines or draw(st.integers(0, 4)) > 0
    return Board(cells, int(mines.sum()) if known else None)
