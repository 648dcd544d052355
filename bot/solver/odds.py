"""Exact odds: the chance of a mine for every hidden cell, and which cells are certain.

All layouts that fit the numbers and the mine count weigh the same; `exact_odds` sums them without listing them. A
chance is exactly 0 or 1 only when no layout says otherwise, never because a float was small. Flags, question marks and
unread cells count as covered: a flag is somebody's opinion. It does not choose moves and gives no reasons.
"""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell, place
from bot.solver.kernels.combining import UNKNOWN_COUNT, grid_of, solve_cells
from bot.solver.kernels.constraints import POSITION_FIELDS
from bot.solver.kernels.jit import announce
from bot.solver.kernels.workspace import (
    CONTRADICTION,
    DONE,
    OVERFLOW,
    STATES,
    V_LOG_LAYOUTS,
    Grid,
    Ints,
    Work,
    allocate,
)

MOST_STATES = 1 << 20
"""Memory the counting may grow to (about 0.2 GB, and a second of time) when a component proves exceptionally
entangled: eighty times what the hardest boards that were ever played have needed."""


@dataclass(frozen=True, eq=False)
class Odds:
    """What the layouts of a board say.

    `chance`: float64 (rows, cols), NaN where a cell is not hidden, exactly 0 or 1 where it is certain. `safe`, `mined`:
    bool (rows, cols). `log_layouts`: natural logarithm of the number of layouts, NaN when the number of mines is
    unknown or the board contradicts itself. `contradictions`: one sentence for every part of the board that no layout
    fits; the cells of those parts are NaN and never certain, the others are judged without them. `exact` is False
    when a part of the board was too entangled to count in the memory allowed; its cells then carry an estimate and
    are never certain.
    """

    chance: NDArray[np.float64]
    safe: NDArray[np.bool_]
    mined: NDArray[np.bool_]
    log_layouts: float
    contradictions: tuple[str, ...] = ()
    exact: bool = True


def exact_odds(board: Board) -> Odds:
    """Return the exact odds of a board.

    Without a mine count, cells are certain only if the numbers alone prove it; other chances then hold for mines
    scattered independently with density `combining.PRIOR`. One engine a thread is kept and reuses what did not change
    since the last call.
    """
    engine: Engine | None = getattr(_local, "engine", None)
    if engine is None:
        engine = _local.engine = Engine()
    return engine.odds(board)


class Engine:
    """Memory for solving, grown to the largest board seen, and what the last boards taught about their components.

    Not to be shared between threads.
    """

    work: Work
    position: Ints  # of the board that was solved last

    def __init__(self) -> None:
        self._size = self._states = 0
        announce(solve_cells, "the solver", 8)

    def odds(self, board: Board) -> Odds:
        """Return the exact odds of a board; see `exact_odds`."""
        outcome, chance, log_layouts = self._solve(board)
        if outcome == DONE:
            return Odds(chance, chance == 0.0, chance == 1.0, log_layouts)
        return self._odds_of_parts(board, outcome)

    def _solve(self, board: Board) -> tuple[int, NDArray[np.float64], float]:
        rows, cols = board.cells.shape
        grid = grid_of(rows, cols, UNKNOWN_COUNT if board.mines is None else board.mines)
        if grid.size > self._size:
            self._allocate(grid, STATES)
        self.work = self.work._replace(grid=grid)
        chance = np.empty((rows, cols), np.float64)
        outcome = solve_cells(board.cells, self.position, self.work, chance)
        if outcome == OVERFLOW and self._states < MOST_STATES:
            self._allocate(grid, MOST_STATES)
            outcome = solve_cells(board.cells, self.position, self.work, chance)
        return outcome, chance, float(self.work.value[V_LOG_LAYOUTS])

    def _allocate(self, grid: Grid, states: int) -> None:
        self._size, self._states = grid.size, states
        self.work = allocate(grid, states)
        self.position = np.zeros((POSITION_FIELDS, grid.size), np.int32)

    def _odds_of_parts(self, board: Board, outcome: int) -> Odds:
        """Find the parts that no layout fits, or that are too much to count, and judge the rest without them."""
        sentences: list[str] = []
        exact = True
        rest, doubtful = board, np.zeros(board.cells.shape, np.bool_)
        for numbers, cells in _parts(board):
            alone = Board(np.full_like(board.cells, Cell.WRONG_FLAG), None)
            shown = np.isin(board.cells, (Cell.MINE, Cell.EXPLODED))
            alone = alone.replace({at: int(board.cells[at]) for at in numbers | cells | set(_places(shown))})
            outcome, _, _ = self._solve(alone)
            if outcome == DONE:
                continue
            if outcome == CONTRADICTION:
                sentences.append("no layout fits the numbers at " + "; ".join(place(*at) for at in sorted(numbers)))
            else:
                exact = False
            rest = rest.replace(dict.fromkeys(numbers, Cell.WRONG_FLAG))
            for at in cells:
                doubtful[at] = True
        outcome, chance, log_layouts = self._solve(rest)
        if outcome != DONE:
            sentences.append(f"no layout of the rest of the board has the game's {board.mines} mines")
            outcome, chance, log_layouts = self._solve(Board(rest.cells, None))
        safe, mined = (chance == 0.0) & ~doubtful, (chance == 1.0) & ~doubtful
        if sentences:
            chance[doubtful] = np.nan
        return Odds(chance, safe, mined, math.nan if sentences else log_layouts, tuple(sentences), exact)


_local = threading.local()


def _places(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    return [(int(row), int(col)) for row, col in np.argwhere(mask)]


def _parts(board: Board) -> list[tuple[set[tuple[int, int]], set[tuple[int, int]]]]:
    """Split a board into numbers connected by hidden cells: (numbers, hidden cells) of every part."""
    parts: list[tuple[set[tuple[int, int]], set[tuple[int, int]]]] = []
    waiting = set(_places(board.cells <= 8))
    while waiting:
        numbers, cells, stack = set(), set(), [waiting.pop()]
        while stack:
            number = stack.pop()
            numbers.add(number)
            for cell in board.neighbours(*number):
                if board.hidden[cell] and cell not in cells:
                    cells.add(cell)
                    joined = waiting.intersection(board.neighbours(*cell))
                    waiting -= joined
                    stack.extend(joined)
        parts.append((numbers, cells))
    return parts
