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
from bot.solver.compiled import announce, compiled
from bot.solver.constraints import (
    MINED,
    POSITION_FIELDS,
    TALLY,
    TALLY_MINED,
    UNKNOWN,
    VIEW,
    build,
    compare,
    largest_component,
    load,
    padded_size,
    queue_numbers,
    settle,
)
from bot.solver.counting import TINY, entry_of, prepare
from bot.solver.workspace import (
    BOX_SORTED,
    CELL_BOX,
    CELL_FRONTIER,
    COMPONENT_BOXES,
    COMPONENT_ENTRY,
    COMPONENT_PREFIX,
    CONTRADICTION,
    DONE,
    ENTRY_DATA,
    ENTRY_LEAST,
    ENTRY_TOTALS,
    N_COMPONENTS,
    N_FAR,
    N_FRONTIER,
    N_LEFT,
    OVERFLOW,
    SHARE_POSTERIOR,
    STATES,
    V_FAR_CHANCE,
    V_LOG_LAYOUTS,
    Ints,
    Work,
    allocate,
)

UNKNOWN_COUNT = -1
"""In place of the number of mines when nobody knows it."""

PRIOR = 0.2
"""Chance of a mine in a cell nothing is known about, when the number of mines is unknown."""

MOST_STATES = 1 << 20
"""Memory the counting may grow to (about 0.2 GB, and a second of time) when a component proves exceptionally
entangled: eighty times what the hardest boards that were ever played have needed."""

MANY_BOXES = 40
"""Beyond as many boxes in a component, comparing numbers in pairs first costs less than it saves."""

_BELOW_ONE = 1.0 - 2.0**-53


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
    scattered independently with density `PRIOR`. One engine a thread is kept and reuses what did not change since the
    last call.
    """
    engine: Engine | None = getattr(_local, "engine", None)
    if engine is None:
        engine = _local.engine = Engine()
    return engine.odds(board)


class Engine:
    """Memory for solving, grown to the largest board seen, and what the last boards taught about their components.

    Not to be shared between threads.
    """

    def __init__(self) -> None:
        self._size = self._states = 0
        announce(solve_cells, "the solver")

    def odds(self, board: Board) -> Odds:
        """Return the exact odds of a board; see `exact_odds`."""
        outcome, chance, log_layouts = self._solve(board)
        if outcome == DONE:
            return Odds(chance, chance == 0.0, chance == 1.0, log_layouts)
        return self._odds_of_parts(board, outcome)

    def _solve(self, board: Board) -> tuple[int, NDArray[np.float64], float]:
        size = padded_size(board.rows, board.cols)
        if size > self._size:
            self._allocate(size, STATES)
        mines = UNKNOWN_COUNT if board.mines is None else board.mines
        chance = np.empty((board.rows, board.cols), np.float64)
        ratio = mine_ratio(board.rows * board.cols, mines)
        outcome = solve_cells(board.cells, self.position, self.work, mines, ratio, chance)
        if outcome == OVERFLOW and self._states < MOST_STATES:
            self._allocate(size, MOST_STATES)
            outcome = solve_cells(board.cells, self.position, self.work, mines, ratio, chance)
        return outcome, chance, float(self.work.value[V_LOG_LAYOUTS])

    def _allocate(self, size: int, states: int) -> None:
        self._size, self._states = size, states
        self.work = allocate(size, states)
        self.position = np.zeros((POSITION_FIELDS, size), np.int32)

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


def mine_ratio(cells: int, mines: int) -> float:
    """Return the weight of a mine in the counting: about the odds of one, so that all weights stay comparable."""
    density = PRIOR if mines < 0 else min(max(mines / cells, 0.01), 0.99)
    return density / (1.0 - density)


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


@compiled
def solve_cells(
    cells: NDArray[np.uint8], pos: Ints, work: Work, mines: int, ratio: float, chance: NDArray[np.float64]
) -> int:
    """Solve a board from its cells; write the chance of every hidden cell, NaN elsewhere, shape (rows, cols)."""
    rows, cols = cells.shape
    width, size = cols + 2, (rows + 2) * (cols + 2)
    load(cells, pos)
    outcome = settle(pos, work.lists, width, queue_numbers(pos, work.lists, size))
    if outcome == DONE:
        outcome = solve(pos, work, width, size, mines, ratio)
    if outcome != DONE:
        work.value[V_LOG_LAYOUTS] = np.nan
        chance[:] = np.nan
        return outcome
    for row in range(rows):
        for col in range(cols):
            value = cells[row, col]
            hidden = 9 <= value <= 11 or value == 15
            chance[row, col] = work.chance[(row + 1) * width + col + 1] if hidden else np.nan
    return DONE


@compiled
def solve(pos: Ints, work: Work, width: int, size: int, mines: int, ratio: float) -> int:
    """Find the odds of a settled position: `work.chance` for every unknown or proven cell.

    `mines` counts the whole board (UNKNOWN_COUNT if nobody knows). V_LOG_LAYOUTS and V_FAR_CHANCE are set. Returns
    DONE, CONTRADICTION or OVERFLOW.
    """
    prepare(work, width, ratio)
    build(pos, work, width, size)
    if largest_component(work) > MANY_BOXES:
        if compare(pos, work.lists, width, size) != DONE:
            return CONTRADICTION
        build(pos, work, width, size)
    for c in range(work.tally[N_COMPONENTS]):
        outcome = entry_of(pos, work, c)
        if outcome != DONE:
            return outcome
    left = mines - pos[TALLY, TALLY_MINED] if mines >= 0 else UNKNOWN_COUNT
    if mines >= 0 and left < 0:
        return CONTRADICTION
    work.tally[N_LEFT] = left
    outcome = _combine(work, left, ratio)
    if outcome != DONE:
        return outcome
    far_chance = work.value[V_FAR_CHANCE]
    for cell in range(size):
        view = pos[VIEW, cell]
        if view >= UNKNOWN:
            work.chance[cell] = far_chance if view == UNKNOWN else 1.0 if view == MINED else 0.0
    for i in range(work.tally[N_FRONTIER]):
        cell = work.cell[CELL_FRONTIER, i]
        work.chance[cell] = work.box_chance[work.cell[CELL_BOX, cell]]
    return DONE


@compiled
def _combine(work: Work, left: int, ratio: float) -> int:
    """Weigh the components against each other and the far cells, so that all mines add up to `left`.

    u counts mines above the components' least totals. prefix[c][u]: the weight of the components before c having u;
    suffix[c][u]: the weight of all from c on, far cells included, when those before have u. Both have as many places as
    the components before c allow; suffixes follow all prefixes in `work.spread`.
    """
    components = work.tally[N_COMPONENTS]
    least, places, used = 0, 1, 0
    for c in range(components):
        entry = work.component[COMPONENT_ENTRY, c]
        least += work.entry[ENTRY_LEAST, entry]
        work.component[COMPONENT_PREFIX, c] = used
        used += places
        places += work.entry[ENTRY_TOTALS, entry] - 1
    work.component[COMPONENT_PREFIX, components] = used
    used += places
    if 0 <= left < least:
        return CONTRADICTION
    if 2 * used > work.spread.shape[0]:
        return OVERFLOW
    surplus = left - least
    log_scale = _far_weights(work, surplus, left >= 0, places, used + used - places, ratio)
    if log_scale == -np.inf:
        return CONTRADICTION
    for c in range(components - 1, -1, -1):
        log_scale += _extend_suffix(work, c, used)
    total = work.spread[used]
    if total == 0.0:
        return CONTRADICTION
    work.value[V_LOG_LAYOUTS] = log_scale + np.log(total) - left * np.log(ratio) if left >= 0 else np.nan
    work.spread[0] = 1.0
    for c in range(components):
        _extend_prefix(work, c, used)
    _far_chance(work, surplus, left >= 0, places, used, ratio)
    return DONE


@compiled
def _far_weights(work: Work, surplus: int, known: bool, places: int, at: int, ratio: float) -> float:
    """Write C(far, surplus − u) · ratio^(surplus − u), scaled, for u in range(places); return the log of the scale.

    Weights run outwards from the largest by exact ratios of neighbours. −inf when no place is possible. With
    an unknown mine count all places weigh the same.
    """
    far = work.tally[N_FAR]
    if not known:
        work.spread[at : at + places] = 1.0
        return 0.0
    work.spread[at : at + places] = 0.0
    lowest, highest = max(0, surplus - places + 1), min(far, surplus)
    if surplus < 0 or lowest > highest:
        return -np.inf
    mode = min(max(int((far + 1) * ratio / (1.0 + ratio)), lowest), highest)
    work.spread[at + surplus - mode] = 1.0
    weight = 1.0
    for mines in range(mode, highest):
        weight = max(weight * ratio * (far - mines) / (mines + 1), TINY)
        work.spread[at + surplus - mines - 1] = weight
    weight = 1.0
    for mines in range(mode, lowest, -1):
        weight = max(weight * mines / ((far - mines + 1) * ratio), TINY)
        work.spread[at + surplus - mines + 1] = weight
    choices = math.lgamma(far + 1.0) - math.lgamma(mode + 1.0) - math.lgamma(far - mode + 1.0)
    return float(choices + mode * math.log(ratio))


@compiled
def _extend_suffix(work: Work, c: int, used: int) -> float:
    """Make suffix[c] from suffix[c + 1] and component c; return the log of the scale taken out."""
    entry = work.component[COMPONENT_ENTRY, c]
    totals, data = work.entry[ENTRY_TOTALS, entry], work.entry[ENTRY_DATA, entry]
    begin, on = used + work.component[COMPONENT_PREFIX, c], used + work.component[COMPONENT_PREFIX, c + 1]
    heaviest = 0.0
    for u in range(on - begin):
        weight = 0.0
        for j in range(totals):
            ways, after = work.data[data + 1 + j], work.spread[on + u + j]
            if ways > 0.0 and after > 0.0:
                weight += max(ways * after, TINY)
        work.spread[begin + u] = weight
        heaviest = max(heaviest, weight)
    if heaviest == 0.0:
        return 0.0
    for i in range(begin, on):
        if work.spread[i] > 0.0:
            work.spread[i] = max(work.spread[i] / heaviest, TINY)
    return float(work.data[data] + np.log(heaviest))


@compiled
def _extend_prefix(work: Work, c: int, used: int) -> None:
    """Make prefix[c + 1] from prefix[c], and the chances of component c's boxes from what is before and after it."""
    entry = work.component[COMPONENT_ENTRY, c]
    totals, data = work.entry[ENTRY_TOTALS, entry], work.entry[ENTRY_DATA, entry]
    begin, on = work.component[COMPONENT_PREFIX, c], work.component[COMPONENT_PREFIX, c + 1]
    places = on - begin
    work.spread[on : on + places + totals - 1] = 0.0
    heaviest = 0.0
    posterior = work.share[SHARE_POSTERIOR]
    posterior[:totals] = 0.0
    whole = 0.0
    for j in range(totals):
        ways = work.data[data + 1 + j]
        if ways == 0.0:
            continue
        for u in range(places):
            before, after = work.spread[begin + u], work.spread[used + on + u + j]
            if before > 0.0:
                weight = max(before * ways, TINY)
                work.spread[on + u + j] += weight
                heaviest = max(heaviest, work.spread[on + u + j])
                if after > 0.0:
                    posterior[j] += max(weight * after, TINY)
        whole += posterior[j]
    for i in range(on, on + places + totals - 1):
        if work.spread[i] > 0.0:
            work.spread[i] = max(work.spread[i] / heaviest, TINY)
    at = data + 1 + totals
    for i in range(work.component[COMPONENT_BOXES, c], work.component[COMPONENT_BOXES, c + 1]):
        mine, safe = 0.0, 0.0
        for j in range(totals):
            if posterior[j] > 0.0:
                if work.data[at + j] > 0.0:
                    mine += max(posterior[j] * work.data[at + j], TINY)
                if work.data[at + totals + j] > 0.0:
                    safe += max(posterior[j] * work.data[at + totals + j], TINY)
        work.box_chance[work.box[BOX_SORTED, i]] = _chance(mine, safe)
        at += 2 * totals


@compiled
def _chance(mine: float, safe: float) -> float:
    """Return mine / (mine + safe), 0 or 1 only if one of them has no ways at all."""
    if mine == 0.0:
        return 0.0
    if safe == 0.0:
        return 1.0
    return min(max(mine / (mine + safe), TINY), _BELOW_ONE)


@compiled
def _far_chance(work: Work, surplus: int, known: bool, places: int, used: int, ratio: float) -> None:
    """Write the chance of a mine in a far cell to V_FAR_CHANCE."""
    far = work.tally[N_FAR]
    if not known:
        work.value[V_FAR_CHANCE] = ratio / (1.0 + ratio)
        return
    before, after = used - places, used + used - places
    mine, safe = 0.0, 0.0
    for u in range(places):
        if work.spread[before + u] > 0.0 and work.spread[after + u] > 0.0:
            weight = max(work.spread[before + u] * work.spread[after + u], TINY)
            mine += weight * (surplus - u)
            safe += weight * (far - surplus + u)
    work.value[V_FAR_CHANCE] = _chance(mine, safe)
