"""Layouts drawn exactly: each of those that fit a position is as likely as any other.

First how many mines each component has, from the same convolution that gives the odds; then, component by component,
the boxes in the order of the dynamic programme, each with its share of the weight of the ways on; cells within a box
and far cells at random. Nothing is approximate and nothing is rejected.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.constraints import FIRST_FACTOR, LIVE, MINED, TALLY, TALLY_LIVE, UNKNOWN, VIEW
from bot.solver.kernels.counting import count_component
from bot.solver.kernels.jit import compiled
from bot.solver.kernels.workspace import (
    BOX_ORDER,
    BOX_SIZE,
    CELL_BOX,
    CELL_FRONTIER,
    COMPONENT_BOXES,
    COMPONENT_ENTRY,
    COMPONENT_PREFIX,
    ENTRY_DATA,
    ENTRY_LEAST,
    ENTRY_TOTALS,
    N_BOXES,
    N_COMPONENTS,
    N_DATA,
    N_ENTRIES,
    N_FAR,
    N_FRONTIER,
    N_LEFT,
    STATE_EDGES,
    STATE_LEAST,
    Ints,
    Work,
)

_NEVER_ZERO = np.uint64(0x2545F4914F6CDD1D)
"""Bits without a pattern, more than a seed can undo: xorshift stays at zero for ever."""

Mines = NDArray[np.uint8]
"""A layout over the padded grid: 1 for a mine."""


class Draft(NamedTuple):
    """Memory for drawing up to N layouts at a time."""

    totals: Ints  # (P + 1, N): mines of each component above its least, then the far cells'
    in_box: Ints  # (N, P): mines still to be placed in each box
    room: Ints  # (P + 1,): cells still free in each box, then far ones


def allocate_draft(padded_cells: int, layouts: int) -> Draft:
    """Return memory for drawing up to `layouts` layouts at a time."""
    return Draft(
        totals=np.zeros((padded_cells + 1, layouts), np.int32),
        in_box=np.zeros((layouts, padded_cells), np.int32),
        room=np.zeros(padded_cells + 1, np.int32),
    )


@compiled
def sample_layouts(pos: Ints, work: Work, draft: Draft, layouts: Mines) -> None:
    """Fill `layouts`, uint8 (count, P), with layouts of a position that was just solved; proven mines are included."""
    for i in range(layouts.shape[0]):
        for cell in range(work.grid.size):
            layouts[i, cell] = pos[VIEW, cell] == MINED
    redraw(pos, work, draft, layouts)


@compiled
def redraw(pos: Ints, work: Work, draft: Draft, layouts: Mines) -> None:
    """Draw the unknown cells of a position that was just solved, in layouts that have its proven mines already."""
    count, totals, in_box, room = layouts.shape[0], draft.totals, draft.in_box, draft.room
    components, boxes = work.tally[N_COMPONENTS], work.tally[N_BOXES]
    _draw_totals(work, work.tally[N_LEFT], count, totals)
    for c in range(components):
        _draw_boxes(work, c, count, totals[c], in_box)
    for i in range(count):
        room[boxes] = work.tally[N_FAR]
        for box in range(boxes):
            room[box] = work.box[BOX_SIZE, box]
        far_mines = totals[components, i]
        for f in range(work.tally[N_FRONTIER]):
            cell = work.cell[CELL_FRONTIER, f]
            box = work.cell[CELL_BOX, cell]
            mine = random(work) * room[box] < in_box[i, box]
            in_box[i, box] -= mine
            room[box] -= 1
            layouts[i, cell] = mine + 2 * (pos[VIEW, cell] == UNKNOWN)  # those are not to be drawn again below
        for k in range(pos[TALLY, TALLY_LIVE]):
            cell = pos[LIVE, k]
            if pos[VIEW, cell] != UNKNOWN:
                continue
            if layouts[i, cell] >= 2:
                layouts[i, cell] -= 2
            else:
                mine = random(work) * room[boxes] < far_mines
                far_mines -= mine
                room[boxes] -= 1
                layouts[i, cell] = mine


@compiled
def _draw_totals(work: Work, left: int, count: int, totals: Ints) -> None:
    """Draw, `count` times, how many mines each component has above its least, and how many the far cells.

    Uses the suffixes that `odds` left in `work.spread`.
    """
    components = work.tally[N_COMPONENTS]
    least, places = 0, 1
    for c in range(components):
        least += work.entry[ENTRY_LEAST, work.component[COMPONENT_ENTRY, c]]
        places += work.entry[ENTRY_TOTALS, work.component[COMPONENT_ENTRY, c]] - 1
    used = work.component[COMPONENT_PREFIX, components] + places
    for i in range(count):
        u = 0
        for c in range(components):
            entry = work.component[COMPONENT_ENTRY, c]
            data, on = work.entry[ENTRY_DATA, entry], used + work.component[COMPONENT_PREFIX, c + 1] + u
            whole = 0.0
            for j in range(work.entry[ENTRY_TOTALS, entry]):
                whole += work.data[data + 1 + j] * work.spread[on + j]
            draw, chosen = random(work) * whole, 0
            for j in range(work.entry[ENTRY_TOTALS, entry]):
                weight = work.data[data + 1 + j] * work.spread[on + j]
                if weight > 0.0:
                    chosen = j
                    draw -= weight
                    if draw < 0.0:
                        break
            totals[c, i] = chosen
            u += chosen
        totals[components, i] = left - least - u


@compiled
def _draw_boxes(work: Work, component: int, count: int, totals: Ints, in_box: Ints) -> None:
    """Draw the mines of every box of a component, for each of the `count` totals drawn, into `in_box`."""
    data = work.tally[N_DATA]
    count_component(work, component, work.tally[N_ENTRIES])  # its layers are what is needed; the entry is not kept
    work.tally[N_DATA] = data
    width = work.entry[ENTRY_TOTALS, work.component[COMPONENT_ENTRY, component]]
    for i in range(count):
        state = 0
        for t in range(work.component[COMPONENT_BOXES, component], work.component[COMPONENT_BOXES, component + 1]):
            box = work.box[BOX_ORDER, t]
            size = work.box[BOX_SIZE, box]
            least, first, end = work.state[STATE_LEAST, state], work.state[STATE_EDGES, state], _edges_end(work, state)
            whole = 0.0
            for e in range(first, end):
                whole += work.multiple[size, least + e - first] * work.backward[work.edge[e] * width + totals[i]]
            draw, chosen = random(work) * whole, first
            for e in range(first, end):
                weight = work.multiple[size, least + e - first] * work.backward[work.edge[e] * width + totals[i]]
                if weight > 0.0:
                    chosen = e
                    draw -= weight
                    if draw < 0.0:
                        break
            in_box[i, box] = least + chosen - first
            state = work.edge[chosen]


@compiled
def _edges_end(work: Work, state: int) -> int:
    """Return one past the last edge of a state."""
    return int(work.state[STATE_EDGES, state + 1])


@compiled
def seed_random(work: Work, seed: int) -> None:
    """Start the random generator (xorshift64) from a seed of 32 bits."""
    work.random[0] = (np.uint64(seed) + np.uint64(1)) * FIRST_FACTOR ^ _NEVER_ZERO
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
