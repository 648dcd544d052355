"""The memory the compiled kernels share: allocated once, named here, passed around as one tuple.

Kernels take a `Work` and a position (see `constraints`). Tables of small records are two-dimensional arrays whose first
index is a field's name (`work.box[SIZE, b]`): numba folds the constant, and a call carries few arrays, which matters
because unpacking fifty of them would cost as much as the solve. Large arrays come from `np.empty`, so that memory is
only touched, and counted by the system, when a board needs it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Words = NDArray[np.uint64]
Floats = NDArray[np.float64]

ROUNDING = 1e-12
"""Chances and scores that differ by less are equal."""

# What a kernel returns.
DONE, CONTRADICTION, OVERFLOW = 0, 1, 2

# Fields of `Work.cell`: one column a padded cell.
CELL_BOX, CELL_NUMBER, CELL_FRONTIER = range(3)
CELL_FIELDS = 3

# Rows of `Work.lists`.
LIST_QUEUE, LIST_SAFE = range(2)

# Fields of `Work.number`: one column for every open number that still has unknown cells around it.
NUMBER_CELL, NUMBER_RESIDUAL, NUMBER_COMPONENT, NUMBER_BOXES, NUMBER_LEFT, NUMBER_SLOT, NUMBER_FIRST_BOX = range(7)
NUMBER_STACK, NUMBER_SORTED, NUMBER_OPENED = 7, 8, 9
NUMBER_FIELDS = 10

# Fields of `Work.box`.
BOX_SIZE, BOX_NUMBERS, BOX_COMPONENT, BOX_PATTERN, BOX_NEXT, BOX_SORTED, BOX_LOCAL, BOX_DONE, BOX_ORDER = range(9)
BOX_LAYER = 9
BOX_FIELDS = 10

# Fields of `Work.component`.
COMPONENT_NUMBERS, COMPONENT_BOXES, COMPONENT_ENTRY, COMPONENT_PREFIX = range(4)
COMPONENT_FIELDS = 4

# Fields of `Work.entry`: a counted component, kept for the next move.
ENTRY_CONTENT, ENTRY_NUMBERS, ENTRY_BOXES, ENTRY_LEAST, ENTRY_TOTALS, ENTRY_DATA = range(6)
ENTRY_FIELDS = 6

# Fields of `Work.around`: for each number around the box being added, the word and the shift of its residual in a key,
# and its cells in boxes still to come.
AROUND_WORD, AROUND_SHIFT, AROUND_ROOM = range(3)
AROUND_FIELDS = 3

# Rows of `Work.share`: weights per total of mines.
SHARE_MINE, SHARE_SAFE, SHARE_POSTERIOR = range(3)
SHARE_FIELDS = 3

# Fields of `Work.state`: states of the frontier dynamic programme.
STATE_MINES, STATE_EDGES, STATE_LEAST = range(3)
STATE_FIELDS = 3

# Places in `Work.tally` and `Work.value`: what the last solve found, and how full the stores are.
N_NUMBERS, N_BOXES, N_COMPONENTS, N_FRONTIER, N_FAR, N_ENTRIES, N_CONTENT, N_DATA, N_STAMP, N_WIDTH = range(10)
N_COUNTED, N_GUESSES, N_LEFT = range(10, 13)
COUNTS = 16
V_LOG_LAYOUTS, V_FAR_CHANCE, V_RATIO, V_LOG_SCALE = range(4)
VALUES = 8


class Grid(NamedTuple):
    """What stays the same in a game: the padded grid's width and number of cells, the mines, the weight of a mine."""

    width: int
    size: int
    mines: int  # of the whole board; UNKNOWN_COUNT when nobody knows
    ratio: float  # see `combining.mine_ratio`


class Work(NamedTuple):
    """A game's grid, and everything a solve writes to. P padded cells, S states, K totals kept by the cache."""

    grid: Grid
    cell: Ints  # (CELL_FIELDS, P)
    lists: Ints  # (2, 10 P): cells waiting to be looked at, and cells found safe
    number: Ints  # (NUMBER_FIELDS, P)
    number_boxes: Ints  # (P, 8): boxes around a number
    box: Ints  # (BOX_FIELDS, P)
    box_numbers: Ints  # (P, 8): numbers around a box
    component: Ints  # (COMPONENT_FIELDS, P)
    state: Ints  # (STATE_FIELDS, S)
    key: Words  # (2, S): residuals of the open numbers, 3 bits each
    forward: Floats  # (S,): weight of the ways that lead to a state
    backward: Floats  # (backward,): weight of the ways on, per total of mines
    edge: Ints  # (edges,): the state each transition leads to
    table: Words  # (power of two,): hash table of the layer being built
    entry: Longs  # (ENTRY_FIELDS, entries): counted components
    entry_table: Longs  # (power of two,): hash table of entries, index + 1
    content: Longs  # (content,): what each entry was counted for
    data: Floats  # (data,): per entry its log scale, weights per total, then per box mine and safe share per total
    around: Longs  # (AROUND_FIELDS, 8)
    share: Floats  # (SHARE_FIELDS, P)
    spread: Floats  # (spread,): prefix and suffix convolutions
    multiple: Floats  # (9, 9): C(size, k) · ratio^k
    box_chance: Floats  # (P,): chance of a mine in every box
    chance: Floats  # (P,): chance of a mine for every unknown cell
    tally: Longs  # (COUNTS,)
    value: Floats  # (VALUES,)
    random: Words  # (1,): state of the random generator


STATES = 1 << 18
"""States of the dynamic programme there is memory for at first: 50 MB, twenty times what hard boards have needed."""


def allocate(grid: Grid, states: int = STATES) -> Work:
    """Return memory for a grid, whose place one no larger may take, and for `states` states a component."""
    p = grid.size
    entries = 1 << 14
    table = 1 << (2 * states - 1).bit_length()
    return Work(
        grid=grid,
        cell=np.zeros((CELL_FIELDS, p), np.int32),
        lists=np.zeros((2, 10 * p), np.int32),
        number=np.zeros((NUMBER_FIELDS, p), np.int32),
        number_boxes=np.zeros((p, 8), np.int32),
        box=np.zeros((BOX_FIELDS, p), np.int32),
        box_numbers=np.zeros((p, 8), np.int32),
        component=np.zeros((COMPONENT_FIELDS, p), np.int32),
        state=np.empty((STATE_FIELDS, states), np.int32),
        key=np.empty((2, states), np.uint64),
        forward=np.empty(states, np.float64),
        backward=np.empty(16 * states, np.float64),
        edge=np.empty(4 * states, np.int32),
        table=np.zeros(table, np.uint64),
        entry=np.empty((ENTRY_FIELDS, entries), np.int64),
        entry_table=np.zeros(4 * entries, np.int64),
        content=np.empty(max(1 << 19, 8 * p), np.int64),
        data=np.empty(max(1 << 21, 64 * p), np.float64),
        around=np.zeros((AROUND_FIELDS, 8), np.int64),
        share=np.zeros((SHARE_FIELDS, p), np.float64),
        spread=np.empty(max(1 << 18, 64 * p), np.float64),
        multiple=np.zeros((9, 9), np.float64),
        box_chance=np.zeros(p, np.float64),
        chance=np.full(p, np.nan),
        tally=np.zeros(COUNTS, np.int64),
        value=np.zeros(VALUES, np.float64),
        random=np.ones(1, np.uint64),
    )
