"""Guesses that must be made anyway: pairs and squares of cells that nothing outside will ever tell apart.

Two neighbours of which one holds a mine can't be told apart when every cell beside only one of them is a mine or beyond
the border: a guess between them is lost or won some time, so waiting gains nothing. The same holds for a 2×2 square
with mines on one diagonal whose four outer corners are mines or beyond the border. A cell's *influence* is the share of
all layouts in which it is the mine of such a pair or square: risk that is not saved by playing elsewhere. It is exact:
the layouts are counted, by supposing the mines that are missing. (The strongest public solvers count these too.)
"""

from __future__ import annotations

import numpy as np

from bot.solver.kernels.combining import solve
from bot.solver.kernels.constraints import (
    BLANK,
    LIVE,
    MASK,
    MINED,
    NEAR,
    SAFE,
    TALLY,
    TALLY_LIVE,
    UNKNOWN,
    VIEW,
    beside,
    conclude,
    copy_position,
    settle,
)
from bot.solver.kernels.jit import compiled
from bot.solver.kernels.lookahead import GROUP_MEMBERS, Think, Tuning
from bot.solver.kernels.workspace import DONE, V_LOG_LAYOUTS, Grid, Ints, Work

MOST_MISSING = 3
"""Cells around a pair or square that need to be mines and are not known to be: with more it hardly ever comes to be."""

_EQUAL = 1e-9
"""Shares of layouts that differ by less are the same."""


@compiled
def tally_influence(pos: Ints, work: Work, think: Think, tuning: Tuning) -> int:
    """Fill `think.influence` for a solved position; return a cell to be guessed at once, or −1.

    Such a cell is a mine only where it is the mine of one pair or square, which `think.group` then holds. Cells that
    need to be mines for a pair or square to come to be, and that decide it when they are safe, have the influence of
    its own times `tuning.enabler`. `think.chance` is made the odds; `work` is left as some other position's.
    """
    width, log_layouts = work.grid.width, work.value[V_LOG_LAYOUTS]
    for i in range(pos[TALLY, TALLY_LIVE]):
        cell = pos[LIVE, i]
        think.chance[cell] = work.chance[cell]
        think.influence[cell] = 0.0
    for i in range(pos[TALLY, TALLY_LIVE]):
        first = pos[LIVE, i]
        if pos[VIEW, first] != UNKNOWN:
            continue
        for shape in range(3):  # a pair across, a pair down, a square
            last = first + (1 if shape == 0 else width if shape == 1 else width + 1)
            if shape < 2:
                think.group[0], think.group[1] = first, last
                members = 2
            else:
                think.group[0], think.group[1], think.group[2], think.group[3] = first, last, first + 1, last - 1
                members = 4
            needed = _outer(pos, think, work.grid, shape, members)
            if needed < 0:
                continue
            share = _share(pos, work, think, tuning, members, needed, log_layouts)
            if share == 0.0:
                continue
            for j in range(members):
                cell = think.group[j]
                think.influence[cell] += share
                if think.chance[cell] - share < _EQUAL:
                    think.group[GROUP_MEMBERS] = members
                    return int(cell)
            for j in range(members, members + needed):
                think.influence[think.group[j]] += tuning.enabler * share
    for i in range(pos[TALLY, TALLY_LIVE]):
        cell = pos[LIVE, i]
        if think.influence[cell] > 0.0:
            chance = think.chance[cell]
            think.influence[cell] = min(think.influence[cell], chance, 1.0 - chance)
    return -1


@compiled
def _outer(pos: Ints, think: Think, grid: Grid, shape: int, members: int) -> int:
    """Append to `think.group` the unknown cells that must be mines for its first `members` to be a 50/50.

    Returns how many, or −1 when it can't come to be one.
    """
    for i in range(1, members):
        if pos[VIEW, think.group[i]] != UNKNOWN:
            return -1
    first, last, width = think.group[0], think.group[1], grid.width
    along, across = (1, width) if shape == 0 else (width, 1)
    needed = 0
    for e in range(6 if shape < 2 else 4):
        if shape < 2:
            near = (first - along if e < 3 else last + along) + (e % 3 - 1) * across
        elif e < 2:
            near = first - width - 1 if e == 0 else last + width + 1
        else:
            near = first - width + 2 if e == 2 else last + width - 2
        view = pos[VIEW, near] if 0 <= near < grid.size else BLANK
        if view == UNKNOWN:
            if needed == MOST_MISSING:
                return -1
            think.group[members + needed] = near
            needed += 1
        elif view not in (MINED, BLANK):
            return -1
    return needed


@compiled
def _share(
    pos: Ints,
    work: Work,
    think: Think,
    tuning: Tuning,
    members: int,
    needed: int,
    log_layouts: float,
) -> float:
    """Return the share of layouts in which one half of a group's members are mines, the others not, and all is closed.

    In as many layouts it is the other half. 0 when the share, or what it would be at most if the cells around were
    mines independently, is less than `tuning.least`: of seventy groups a guess that leaves five to be counted.
    """
    width, size = work.grid.width, work.grid.size
    most, closed = 1.0, 1.0
    for i in range(members + needed):
        chance = think.chance[think.group[i]]
        most = min(most, chance, 1.0 - chance if i < members else chance)
        closed *= 1.0 if i < members else chance
    if most * closed < tuning.least:
        return 0.0
    after = think.position[1]
    copy_position(pos, after, size)
    queued = 0
    for i in range(members + needed):
        mine = i < members // 2 or i >= members
        queued = conclude(after, work.lists, width, think.group[i], MINED if mine else SAFE, queued)
    if settle(after, work.lists, width, queued) != DONE:
        return 0.0
    if solve(after, work) != DONE:
        return 0.0
    share = np.exp(work.value[V_LOG_LAYOUTS] - log_layouts)
    return float(share) if share >= tuning.least else 0.0


@compiled
def unsplittable(pos: Ints, width: int) -> int:
    """Return a cell of a pair that nothing can tell apart, found without counting; −1 when there is none.

    A number sees just the two, and every other cell around only one of them is a proven mine or beyond the border.
    """
    for i in range(pos[TALLY, TALLY_LIVE]):
        centre = pos[LIVE, i]
        if pos[VIEW, centre] > 8 or pos[VIEW, centre] - pos[NEAR, centre] != 1:
            continue
        first, second, room = -1, -1, 0
        for d in range(9):
            if pos[MASK, centre] >> d & 1:
                room += 1
                second = first
                first = beside(centre, d, width)
        if room == 2 and _closed(pos, width, first, second) and _closed(pos, width, second, first):
            return first
    return -1


@compiled
def _closed(pos: Ints, width: int, cell: int, twin: int) -> bool:
    """Return whether all that can tell about `cell` tells about `twin` too."""
    for d in range(9):
        near = beside(cell, d, width)
        if near in (cell, twin) or pos[VIEW, near] in (MINED, BLANK):
            continue
        if abs(near % width - twin % width) > 1 or abs(near // width - twin // width) > 1:
            return False
    return True
