"""A game inside compiled code: the seeded deal, opening cells, and playing on until something must be guessed.

A *truth* is a uint8 array over the padded grid: 1 for a mine. The player's side is a
position (see `constraints`) and is never told more than it has opened. Choosing what to guess is not done here.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.level import Level, shuffle_cells
from bot.solver.kernels.combining import grid_of, solve
from bot.solver.kernels.constraints import (
    BLANK,
    LIVE,
    MASK,
    MINED,
    NEAR,
    POSITION_FIELDS,
    QUEUED,
    SAFE,
    TALLY,
    TALLY_LIVE,
    TALLY_MINED,
    TALLY_SAFE,
    TALLY_UNKNOWN,
    UNCOMPARED,
    UNKNOWN,
    VIEW,
    WAITING,
    beside,
    compare,
    conclude,
    list_live,
    padded_size,
    settle,
)
from bot.solver.kernels.jit import compiled
from bot.solver.kernels.sampling import Mines, random, seed_random
from bot.solver.kernels.workspace import (
    CONTRADICTION,
    DONE,
    LIST_QUEUE,
    LIST_SAFE,
    N_GUESSES,
    ROUNDING,
    Grid,
    Ints,
    Work,
)
from bot.words import Rule

SINGLE, SUBSET, EXACT = 0, 1, 2
"""How far a player reasons before it guesses: single numbers, pairs of numbers, all layouts."""

WON, STUCK, LOST = 3, 4, 5
"""What `advance` can say besides CONTRADICTION and OVERFLOW: all is open, a guess is needed, a mine was opened."""

_shuffle_cells = compiled(shuffle_cells)


@compiled
def number_at(truth: Mines, width: int, cell: int) -> int:
    """Return the number a cell shows when opened."""
    number = 0
    for d in range(9):
        number += truth[beside(cell, d, width)]
    return number


@compiled
def cover(pos: Ints, rows: int, cols: int) -> None:
    """Make `pos` the position before the first click."""
    width = cols + 2
    for cell in range((rows + 2) * width):
        row, col = cell // width, cell % width
        inside = 1 <= row <= rows and 1 <= col <= cols
        pos[VIEW, cell] = UNKNOWN if inside else BLANK
        pos[NEAR, cell] = 0
        pos[WAITING, cell] = 0
        mask = 0
        for d in range(9):
            r, c = row + d // 3 - 1, col + d % 3 - 1
            if d != 4 and 1 <= r <= rows and 1 <= c <= cols:
                mask |= 1 << d
        pos[MASK, cell] = mask
    pos[TALLY, TALLY_UNKNOWN] = rows * cols
    pos[TALLY, TALLY_MINED] = 0
    pos[TALLY, TALLY_SAFE] = 0
    list_live(pos, (rows + 2) * width)


@compiled
def open_cell(pos: Ints, truth: Mines, lists: Ints, width: int, cell: int, queued: int) -> int:
    """Open a cell that holds no mine, unknown or proven safe, and queue what that may settle; return the new length."""
    if pos[VIEW, cell] == UNKNOWN:
        return conclude(pos, lists, width, cell, number_at(truth, width, cell), queued)
    pos[VIEW, cell] = number_at(truth, width, cell)
    pos[WAITING, cell] = QUEUED | UNCOMPARED
    lists[LIST_QUEUE, queued] = cell
    return queued + 1


@compiled
def advance(pos: Ints, truth: Mines, work: Work, reason: int, queued: int) -> int:
    """Open everything that reasoning proves safe, until the game is won or a guess is needed.

    `queued` numbers wait in the queue. Returns WON, STUCK, CONTRADICTION or OVERFLOW; when STUCK under EXACT the odds
    are in `work.chance`.
    """
    width, mines = work.grid.width, work.grid.mines
    while True:
        if settle(pos, work.lists, width, queued) != DONE:
            return CONTRADICTION
        queued = _open_safe(pos, truth, work.lists, width)
        if queued > 0:
            continue
        if pos[TALLY, TALLY_UNKNOWN] + pos[TALLY, TALLY_MINED] == mines:
            return WON
        if reason == SINGLE:
            return STUCK
        if compare(pos, work.lists, work.grid) != DONE:
            return CONTRADICTION
        queued = _open_safe(pos, truth, work.lists, width)
        if queued > 0:
            continue
        if reason == SUBSET:
            return STUCK
        outcome = solve(pos, work)
        if outcome != DONE:
            return outcome
        queued = conclude_certain(pos, work)
        if pos[TALLY, TALLY_SAFE] == 0:
            settle(pos, work.lists, width, queued)
            return STUCK


@compiled
def _open_safe(pos: Ints, truth: Mines, lists: Ints, width: int) -> int:
    """Open the cells found safe; return how many numbers are queued."""
    queued = 0
    for i in range(pos[TALLY, TALLY_SAFE]):
        queued = open_cell(pos, truth, lists, width, lists[LIST_SAFE, i], queued)
    pos[TALLY, TALLY_SAFE] = 0
    return queued


@compiled
def conclude_certain(pos: Ints, work: Work) -> int:
    """Mark every unknown cell whose odds are 0 or 1; return how many numbers are queued."""
    queued = 0
    for i in range(pos[TALLY, TALLY_LIVE]):
        cell = pos[LIVE, i]
        if pos[VIEW, cell] == UNKNOWN:
            if work.chance[cell] == 0.0:
                queued = conclude(pos, work.lists, work.grid.width, cell, SAFE, queued)
            elif work.chance[cell] == 1.0:
                queued = conclude(pos, work.lists, work.grid.width, cell, MINED, queued)
    return queued


@compiled
def lowest(pos: Ints, work: Work) -> int:
    """Return the unknown cell with the lowest odds; ties go to the one with fewest unknown neighbours, then the
    first."""
    best, best_chance, best_room = -1, 2.0, 9
    for i in range(pos[TALLY, TALLY_LIVE]):
        cell = pos[LIVE, i]
        if pos[VIEW, cell] != UNKNOWN or work.chance[cell] > best_chance + ROUNDING:
            continue
        room = 0
        for d in range(9):
            room += pos[MASK, cell] >> d & 1
        if work.chance[cell] < best_chance - ROUNDING or room < best_room:
            best, best_chance, best_room = cell, work.chance[cell], room
    return best


@compiled
def any_unknown(pos: Ints, work: Work) -> int:
    """Return an unknown cell at random."""
    skip = int(random(work) * pos[TALLY, TALLY_UNKNOWN])
    for i in range(pos[TALLY, TALLY_LIVE]):
        if pos[VIEW, pos[LIVE, i]] == UNKNOWN:
            if skip == 0:
                return int(pos[LIVE, i])
            skip -= 1
    return -1


class Table(NamedTuple):
    """A game: the board's size, what the first click promises, the position that the player sees, and the truth."""

    rows: int
    cols: int
    grid: Grid
    click: int  # the first, a cell of the unpadded board
    ring: bool  # its 3×3 holds no mine
    spare: bool  # it holds none itself
    pos: Ints
    truth: Mines
    order: Ints  # a place for every cell, to deal with


def lay_table(level: Level, rule: Rule, first_click: tuple[int, int]) -> Table:
    """Return memory for the games of a level that are opened at `first_click`."""
    rows, cols, mines = level.rows, level.cols, level.mines
    size = padded_size(rows, cols)
    row, col = first_click
    around = len(range(rows)[max(row - 1, 0) : row + 2]) * len(range(cols)[max(col - 1, 0) : col + 2])
    ring = rule == "open" and mines <= rows * cols - around
    return Table(
        rows,
        cols,
        grid_of(rows, cols, mines),
        click=first_click[0] * cols + first_click[1],
        ring=ring,
        spare=ring or (rule != "none" and mines < rows * cols),
        pos=np.zeros((POSITION_FIELDS, size), np.int32),
        truth=np.zeros(size, np.uint8),
        order=np.zeros(rows * cols, np.int32),
    )


@compiled
def deal(table: Table, seed: int) -> None:
    """Deal a seeded board, as `level.seeded_mines` does."""
    cols, truth = table.cols, table.truth
    truth[:] = 0
    _shuffle_cells(table.order, seed)
    reach = 1 if table.ring else 0
    row, col = table.click // cols, table.click % cols
    placed = 0
    for cell in table.order:
        if placed == table.grid.mines:
            break
        r, c = cell // cols, cell % cols
        if table.spare and abs(r - row) <= reach and abs(c - col) <= reach:
            continue
        truth[(r + 1) * table.grid.width + c + 1] = 1
        placed += 1


@compiled
def begin(table: Table, work: Work, seed: int) -> int:
    """Deal the game of a seed; return the padded cell to click first."""
    rows, cols = table.rows, table.cols
    deal(table, seed)
    seed_random(work, seed)
    cover(table.pos, rows, cols)
    return (table.click // cols + 1) * (cols + 2) + table.click % cols + 1


@compiled
def dare(table: Table, work: Work, reason: int, cell: int) -> int:
    """Open a cell, whatever it holds, and all that follows; return LOST or what `advance` does."""
    pos, truth = table.pos, table.truth
    if truth[cell] == 1:
        return LOST
    queued = open_cell(pos, truth, work.lists, work.grid.width, cell, 0)
    outcome = advance(pos, truth, work, reason, queued)
    work.tally[N_GUESSES] += outcome == STUCK
    return outcome
