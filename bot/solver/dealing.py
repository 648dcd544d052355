"""A game inside compiled code: the seeded deal, opening cells, and playing on until something must be guessed.

A *truth* is a uint8 array over the padded grid: 1 for a mine. The player's side is a
position (see `constraints`) and is never told more than it has opened. Choosing what to guess is not done here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.level import shuffle_cells
from bot.solver.compiled import compiled
from bot.solver.constraints import (
    BLANK,
    MASK,
    MINED,
    NEAR,
    QUEUED,
    SAFE,
    TALLY,
    TALLY_MINED,
    TALLY_SAFE,
    TALLY_UNKNOWN,
    UNCOMPARED,
    UNKNOWN,
    VIEW,
    WAITING,
    compare,
    conclude,
    settle,
)
from bot.solver.odds import solve
from bot.solver.workspace import CONTRADICTION, DONE, LIST_QUEUE, LIST_SAFE, Ints, Work

SINGLE, SUBSET, EXACT = 0, 1, 2
"""How far a player reasons before it guesses: single numbers, pairs of numbers, all layouts."""

WON, STUCK, LOST = 3, 4, 5
"""What `advance` can say besides CONTRADICTION and OVERFLOW: all is open, a guess is needed, a mine was opened."""

Mines = NDArray[np.uint8]

_shuffle_cells = compiled(shuffle_cells)


@compiled
def seed_random(work: Work, seed: int) -> None:
    """Start the random generator (xorshift64) from a seed of 32 bits."""
    work.random[0] = (np.uint64(seed) + np.uint64(1)) * np.uint64(0x9E3779B1) ^ np.uint64(0x2545F4914F6CDD1D)
    for _ in range(8):
        random(work)


@compiled
def random(work: Work) -> float:
    """Return a random float in [0, 1)."""
    x = work.random[0]
    x ^= x << np.uint64(13)
    x ^= x >> np.uint64(7)
    x ^= x << np.uint64(17)
    work.random[0] = x
    return float(x >> np.uint64(11)) * 2.0**-53


@compiled
def deal(
    truth: Mines, order: Ints, rows: int, cols: int, mines: int, ring: bool, spare: bool, seed: int, clicked: int
) -> None:
    """Deal a seeded board into `truth`, as `level.seeded_mines` does for (row, col) = divmod(clicked, cols).

    `ring` keeps the mines out of the clicked cell's 3×3, `spare` out of the cell itself. `order` has a place for every
    cell and is overwritten.
    """
    width = cols + 2
    truth[: (rows + 2) * width] = 0
    _shuffle_cells(order, seed)
    reach = 1 if ring else 0
    row, col = clicked // cols, clicked % cols
    placed = 0
    for cell in order:
        if placed == mines:
            break
        r, c = cell // cols, cell % cols
        if spare and abs(r - row) <= reach and abs(c - col) <= reach:
            continue
        truth[(r + 1) * width + c + 1] = 1
        placed += 1


@compiled
def number_at(truth: Mines, width: int, cell: int) -> int:
    """Return the number a cell shows when opened."""
    number = 0
    for d in range(9):
        number += truth[cell + (d // 3 - 1) * width + d % 3 - 1]
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
def advance(
    pos: Ints, truth: Mines, work: Work, width: int, size: int, mines: int, ratio: float, reason: int, queued: int
) -> int:
    """Open everything that reasoning proves safe, until the game is won or a guess is needed.

    `queued` numbers wait in the queue. Returns WON, STUCK, CONTRADICTION or OVERFLOW; when STUCK under EXACT the odds
    are in `work.chance`.
    """
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
        if compare(pos, work.lists, width, size) != DONE:
            return CONTRADICTION
        queued = _open_safe(pos, truth, work.lists, width)
        if queued > 0:
            continue
        if reason == SUBSET:
            return STUCK
        outcome = solve(pos, work, width, size, mines, ratio)
        if outcome != DONE:
            return outcome
        queued = conclude_certain(pos, work, width, size)
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
def conclude_certain(pos: Ints, work: Work, width: int, size: int) -> int:
    """Mark every unknown cell whose odds are 0 or 1; return how many numbers are queued."""
    queued = 0
    for cell in range(size):
        if pos[VIEW, cell] == UNKNOWN:
            if work.chance[cell] == 0.0:
                queued = conclude(pos, work.lists, width, cell, SAFE, queued)
            elif work.chance[cell] == 1.0:
                queued = conclude(pos, work.lists, width, cell, MINED, queued)
    return queued


@compiled
def lowest(pos: Ints, work: Work, width: int, size: int) -> int:
    """Return the unknown cell with the lowest odds; ties go to the one with fewest unknown neighbours, then the
    first."""
    best, best_chance, best_room = -1, 2.0, 9
    for cell in range(size):
        if pos[VIEW, cell] != UNKNOWN or work.chance[cell] > best_chance + 1e-12:
            continue
        room = 0
        for d in range(9):
            room += pos[MASK, cell] >> d & 1
        if work.chance[cell] < best_chance - 1e-12 or room < best_room:
            best, best_chance, best_room = cell, work.chance[cell], room
    return best


@compiled
def any_unknown(pos: Ints, work: Work, size: int) -> int:
    """Return an unknown cell at random."""
    skip = int(random(work) * pos[TALLY, TALLY_UNKNOWN])
    for cell in range(size):
        if pos[VIEW, cell] == UNKNOWN:
            if skip == 0:
                return cell
            skip -= 1
    return -1
