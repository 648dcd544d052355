"""Components combined: the chance of a mine in every cell of a settled position, exactly.

`constraints` finds the components, `counting` counts each by its total of mines; here they are convolved with each
other and with the cells away from all numbers, so that all mines add up. A chance is 0 or 1 only when no layout says
otherwise.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.constraints import (
    LIVE,
    MINED,
    TALLY,
    TALLY_LIVE,
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
from bot.solver.kernels.counting import TINY, entry_of, prepare
from bot.solver.kernels.jit import compiled
from bot.solver.kernels.workspace import (
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
    V_FAR_CHANCE,
    V_LOG_LAYOUTS,
    Grid,
    Ints,
    Work,
)

UNKNOWN_COUNT = -1
"""In place of the number of mines when nobody knows it."""

PRIOR = 0.2
"""Chance of a mine in a cell nothing is known about, when the number of mines is unknown."""

MANY_BOXES = 40
"""Beyond as many boxes in a component, comparing numbers in pairs first costs less than it saves."""

_BELOW_ONE = 1.0 - 2.0**-53


def grid_of(rows: int, cols: int, mines: int) -> Grid:
    """Return the grid of a board; `mines` is UNKNOWN_COUNT when nobody knows."""
    return Grid(cols + 2, padded_size(rows, cols), mines, mine_ratio(rows * cols, mines))


def mine_ratio(cells: int, mines: int) -> float:
    """Return the weight of a mine in the counting: about the odds of one, so that all weights stay comparable."""
    density = PRIOR if mines < 0 else min(max(mines / cells, 0.01), 0.99)
    return density / (1.0 - density)


@compiled
def solve_cells(cells: NDArray[np.uint8], pos: Ints, work: Work, chance: NDArray[np.float64]) -> int:
    """Solve a board from its cells; write the chance of every hidden cell, NaN elsewhere, shape (rows, cols)."""
    rows, cols = cells.shape
    width, size = work.grid.width, work.grid.size
    load(cells, pos)
    outcome = settle(pos, work.lists, width, queue_numbers(pos, work.lists, size))
    if outcome == DONE:
        outcome = solve(pos, work)
    if outcome != DONE:
        work.value[V_LOG_LAYOUTS] = np.nan
        chance[:] = np.nan
        return outcome
    for row in range(rows):
        for col in range(cols):
            value = cells[row, col]
            cell = (row + 1) * width + col + 1
            if not (9 <= value <= 11 or value == 15):
                chance[row, col] = np.nan
            else:
                chance[row, col] = 1.0 if pos[VIEW, cell] == MINED else work.chance[cell]
    return DONE


@compiled
def solve(pos: Ints, work: Work) -> int:
    """Find the odds of a settled position: `work.chance` for every cell that is unknown or proven safe.

    V_LOG_LAYOUTS and V_FAR_CHANCE are set. Returns DONE, CONTRADICTION or OVERFLOW.
    """
    mines = work.grid.mines
    prepare(work)
    build(pos, work)
    if largest_component(work) > MANY_BOXES:
        if compare(pos, work.lists, work.grid) != DONE:
            return CONTRADICTION
        build(pos, work)
    for c in range(work.tally[N_COMPONENTS]):
        outcome = entry_of(pos, work, c)
        if outcome != DONE:
            return outcome
    left = mines - pos[TALLY, TALLY_MINED] if mines >= 0 else UNKNOWN_COUNT
    if mines >= 0 and left < 0:
        return CONTRADICTION
    work.tally[N_LEFT] = left
    outcome = _combine(work, left)
    if outcome != DONE:
        return outcome
    far_chance = work.value[V_FAR_CHANCE]
    for i in range(pos[TALLY, TALLY_LIVE]):
        cell = pos[LIVE, i]
        if pos[VIEW, cell] >= UNKNOWN:
            work.chance[cell] = far_chance if pos[VIEW, cell] == UNKNOWN else 0.0
    for i in range(work.tally[N_FRONTIER]):
        cell = work.cell[CELL_FRONTIER, i]
        work.chance[cell] = work.box_chance[work.cell[CELL_BOX, cell]]
    return DONE


@compiled
def _combine(work: Work, left: int) -> int:
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
    log_scale = _far_weights(work, surplus, left >= 0, places, used + used - places)
    if log_scale == -np.inf:
        return CONTRADICTION
    for c in range(components - 1, -1, -1):
        log_scale += _extend_suffix(work, c, used)
    total = work.spread[used]
    if total == 0.0:
        return CONTRADICTION
    work.value[V_LOG_LAYOUTS] = log_scale + np.log(total) - left * np.log(work.grid.ratio) if left >= 0 else np.nan
    work.spread[0] = 1.0
    for c in range(components):
        _extend_prefix(work, c, used)
    _far_chance(work, surplus, left >= 0, places, used)
    return DONE


@compiled
def _far_weights(work: Work, surplus: int, known: bool, places: int, at: int) -> float:
    """Write C(far, surplus − u) · ratio^(surplus − u), scaled, for u in range(places); return the log of the scale.

    Weights run outwards from the largest by exact ratios of neighbours. −inf when no place is possible. With
    an unknown mine count all places weigh the same.
    """
    far, ratio = work.tally[N_FAR], work.grid.ratio
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
def _far_chance(work: Work, surplus: int, known: bool, places: int, used: int) -> None:
    """Write the chance of a mine in a far cell to V_FAR_CHANCE."""
    far, ratio = work.tally[N_FAR], work.grid.ratio
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
