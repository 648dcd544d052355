"""From a grid to constraints: positions, what single numbers settle, and boxes with the numbers over them.

A *position* is what the kernels know of a game: an int32 array of shape (6, P) over the padded grid (a border of blank
cells all round, so that every cell has eight neighbours). VIEW holds a number 0–8, UNKNOWN, SAFE (proven, not open),
MINED (proven) or BLANK (no mine, no number); MASK the unknown neighbours, a bit for each direction of `beside`; NEAR
the number of proven mines around; WAITING what is still to be looked at; TALLY running totals. LIVE lists, in order,
every cell that may still matter: all that are not open, and numbers with unknown cells around. So late in a game nobody
looks at the rest of the board. Nothing here counts layouts: that is `counting`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.jit import compiled
from bot.solver.kernels.workspace import (
    BOX_COMPONENT,
    BOX_NEXT,
    BOX_NUMBERS,
    BOX_PATTERN,
    BOX_SIZE,
    BOX_SORTED,
    CELL_BOX,
    CELL_FRONTIER,
    CELL_NUMBER,
    COMPONENT_BOXES,
    COMPONENT_NUMBERS,
    CONTRADICTION,
    DONE,
    LIST_QUEUE,
    LIST_SAFE,
    N_BOXES,
    N_COMPONENTS,
    N_FAR,
    N_FRONTIER,
    N_NUMBERS,
    NUMBER_BOXES,
    NUMBER_CELL,
    NUMBER_COMPONENT,
    NUMBER_FIRST_BOX,
    NUMBER_RESIDUAL,
    NUMBER_SORTED,
    NUMBER_STACK,
    Grid,
    Ints,
    Work,
)

UNKNOWN, SAFE, MINED, BLANK = 9, 10, 11, 12
VIEW, MASK, NEAR, WAITING, TALLY, LIVE = range(6)
POSITION_FIELDS = 6
QUEUED, UNCOMPARED = 1, 2  # bits of WAITING: in the queue of single numbers; changed since pairs were last compared
TALLY_UNKNOWN, TALLY_MINED, TALLY_SAFE, TALLY_LIVE = range(4)
"""Columns of the TALLY row: cells unknown and proven mines; how many cells LIST_SAFE holds, and LIVE."""

# Board cell value -> position value: what is covered, flagged, questioned or unread is unknown; shown mines are mines.
_VIEW_OF = np.array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 11, 11, 12, 9], dtype=np.int32)
_BITS = np.array([bin(mask).count("1") for mask in range(512)], dtype=np.int32)
# A neighbourhood's nine bits in the middle of a 7×7 square, where another within two steps can be laid over it by a
# shift.
_WIDE = np.array([sum(1 << (d // 3 * 7 + d % 3 + 16) for d in range(9) if mask >> d & 1) for mask in range(512)])
_SHIFT = np.array([(offset // 5 - 2) * 7 + offset % 5 - 2 for offset in range(25)])
_CENTRE = np.int64(1 << 24)

FIRST_FACTOR, SECOND_FACTOR = np.uint64(0x9E3779B1), np.uint64(0xC2B2AE3D)
"""What fingerprints are mixed by: large odd numbers with no pattern in their bits. Two by different ones never agree by
accident in practice."""
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)


def padded_size(rows: int, cols: int) -> int:
    """Return the number of cells of a grid with its border."""
    return (rows + 2) * (cols + 2)


@compiled
def beside(cell: int, d: int, width: int) -> int:
    """Return the cell in direction `d`, 0–8 row by row as the bits of a MASK; 4 is the cell itself."""
    return cell + (d // 3 - 1) * width + d % 3 - 1


@compiled
def within_two(cell: int, offset: int, grid: Grid) -> int:
    """Return the cell at `offset` of the 5×5 square around a cell, 0–24 row by row; −1 off the grid."""
    near = cell + (offset // 5 - 2) * grid.width + offset % 5 - 2
    return near if 0 <= near < grid.size else -1


@compiled
def load(cells: NDArray[np.uint8], pos: Ints) -> None:
    """Fill a position from a board's cells, shape (rows, cols) uint8."""
    rows, cols = cells.shape
    width = cols + 2
    pos[VIEW, : (rows + 2) * width] = BLANK
    pos[MASK, : (rows + 2) * width] = 0
    pos[NEAR, : (rows + 2) * width] = 0
    pos[WAITING, : (rows + 2) * width] = UNCOMPARED
    unknown, mined = 0, 0
    for row in range(rows):
        for col in range(cols):
            cell = (row + 1) * width + col + 1
            view = _VIEW_OF[cells[row, col]]
            pos[VIEW, cell] = view
            if view == UNKNOWN:
                unknown += 1
                for d in range(9):
                    pos[MASK, beside(cell, d, width)] |= 1 << (8 - d)
            elif view == MINED:
                mined += 1
                for d in range(9):
                    pos[NEAR, beside(cell, d, width)] += 1
    for cell in range((rows + 2) * width):
        pos[MASK, cell] &= 0b111101111
    pos[TALLY, TALLY_SAFE] = 0
    pos[TALLY, TALLY_UNKNOWN] = unknown
    pos[TALLY, TALLY_MINED] = mined
    list_live(pos, (rows + 2) * width)


@compiled
def list_live(pos: Ints, size: int) -> None:
    """List all cells that may still matter, of a position whose other fields are new."""
    live = 0
    for cell in range(size):
        view = pos[VIEW, cell]
        if view in (UNKNOWN, SAFE) or (view <= 8 and pos[MASK, cell] != 0):
            pos[LIVE, live] = cell
            live += 1
    pos[TALLY, TALLY_LIVE] = live


@compiled
def copy_position(pos: Ints, to: Ints, size: int) -> None:
    """Make `to` the same position as `pos`.

    Cell by cell: for a whole slice numba compiles the sentence about unequal shapes too, and all that strings need.
    """
    for field in range(POSITION_FIELDS):
        for cell in range(size):
            to[field, cell] = pos[field, cell]


@compiled
def mixed(key: np.uint64, half: np.uint64, factor: np.uint64) -> np.uint64:
    """Return a fingerprint with 32 more bits in it."""
    mix: np.uint64 = ((key & _LOW) ^ half) * factor ^ (key >> _HALF)
    return mix


@compiled
def fingerprint(pos: Ints, factor: np.uint64) -> np.uint64:
    """Return what tells a position whose certain cells are marked from others that play on otherwise.

    That is what is unknown and what the numbers say about it; what is settled is left out, as it matters no more.
    """
    key = np.uint64(pos[TALLY, TALLY_MINED])
    for i in range(pos[TALLY, TALLY_LIVE]):
        cell = pos[LIVE, i]
        if pos[VIEW, cell] == UNKNOWN:
            key = mixed(key, np.uint64(cell), factor)
        elif pos[VIEW, cell] <= 8 and pos[MASK, cell] != 0:
            residual = pos[VIEW, cell] - pos[NEAR, cell]
            key = mixed(key, np.uint64(cell << 13 | residual << 9 | pos[MASK, cell]), factor)
    return key


@compiled
def conclude(pos: Ints, lists: Ints, width: int, cell: int, view: int, queued: int) -> int:
    """Turn an unknown cell into `view` (SAFE, MINED or a number) and queue every open number this may settle.

    The queue is the row LIST_QUEUE of `lists`; its new length is returned. Cells found safe are appended to LIST_SAFE.
    """
    pos[VIEW, cell] = view
    pos[TALLY, TALLY_UNKNOWN] -= 1
    mined = 1 if view == MINED else 0
    pos[TALLY, TALLY_MINED] += mined
    if view == SAFE:
        lists[LIST_SAFE, pos[TALLY, TALLY_SAFE]] = cell
        pos[TALLY, TALLY_SAFE] += 1
    for d in range(9):
        near = beside(cell, d, width)
        pos[MASK, near] &= ~(1 << (8 - d))
        pos[NEAR, near] += mined
        if pos[VIEW, near] <= 8:
            if not pos[WAITING, near] & QUEUED:
                lists[LIST_QUEUE, queued] = near
                queued += 1
            pos[WAITING, near] = QUEUED | UNCOMPARED
    return queued


@compiled
def queue_numbers(pos: Ints, lists: Ints, size: int) -> int:
    """Queue every open number that has unknown cells around it or more mines than it says; return how many."""
    queued = 0
    for cell in range(size):
        if pos[VIEW, cell] <= 8 and (pos[MASK, cell] != 0 or pos[VIEW, cell] != pos[NEAR, cell]):
            lists[LIST_QUEUE, queued] = cell
            pos[WAITING, cell] |= QUEUED
            queued += 1
    return queued


@compiled
def settle(pos: Ints, lists: Ints, width: int, queued: int) -> int:
    """Apply the single-number rule to the queue until nothing follows; mark cells SAFE and MINED.

    Returns CONTRADICTION when a number cannot be met, otherwise DONE.
    """
    at = 0
    while at < queued:
        cell = lists[LIST_QUEUE, at]
        at += 1
        pos[WAITING, cell] &= ~QUEUED
        mask = pos[MASK, cell]
        residual = pos[VIEW, cell] - pos[NEAR, cell]
        room = _BITS[mask]
        if residual < 0 or residual > room:
            return CONTRADICTION
        if room == 0 or 0 < residual < room:
            continue
        view = SAFE if residual == 0 else MINED
        for d in range(9):
            if mask >> d & 1:
                queued = conclude(pos, lists, width, beside(cell, d, width), view, queued)
    return DONE


@compiled
def compare(pos: Ints, lists: Ints, grid: Grid) -> int:
    """Settle the position, then compare numbers in pairs, until nothing follows from either rule.

    Two numbers whose mines differ by as many as one of them has cells of its own put mines in all of those and none in
    the other's own cells. Returns DONE or CONTRADICTION.
    """
    width, found = grid.width, True
    while found:
        found = False
        for i in range(pos[TALLY, TALLY_LIVE]):
            cell = pos[LIVE, i]
            if not pos[WAITING, cell] & UNCOMPARED:
                continue
            pos[WAITING, cell] &= ~UNCOMPARED
            if pos[VIEW, cell] > 8:
                continue
            for offset in range(25):
                if pos[MASK, cell] == 0:
                    break
                other = within_two(cell, offset, grid)
                if other < 0 or offset == 12 or pos[VIEW, other] > 8 or pos[MASK, other] == 0:
                    continue
                queued = _compare_pair(pos, lists, width, cell, other, _SHIFT[offset])
                if queued > 0:
                    found = True
                    if settle(pos, lists, width, queued) != DONE:
                        return CONTRADICTION
    return DONE


@compiled
def _compare_pair(pos: Ints, lists: Ints, width: int, cell: int, other: int, shift: int) -> int:
    """Apply the rule of pairs to two numbers; return how many numbers are queued for it, 0 when nothing follows.

    `shift` is where the other lies in rows of 7.
    """
    mask, mask_other = pos[MASK, cell], pos[MASK, other]
    wide = _WIDE[mask_other]
    both = _WIDE[mask] & (wide << shift if shift > 0 else wide >> -shift)
    if both == 0:
        return 0
    shared = (both >> 16 & 7) | (both >> 23 & 7) << 3 | (both >> 30 & 7) << 6
    both = both >> shift if shift > 0 else both << -shift
    shared_other = (both >> 16 & 7) | (both >> 23 & 7) << 3 | (both >> 30 & 7) << 6
    own, own_other = mask & ~shared, mask_other & ~shared_other
    if own == 0 and own_other == 0:
        return 0
    more = (pos[VIEW, cell] - pos[NEAR, cell]) - (pos[VIEW, other] - pos[NEAR, other])
    if more == _BITS[own]:
        view, view_other = MINED, SAFE
    elif -more == _BITS[own_other]:
        view, view_other = SAFE, MINED
    else:
        return 0
    queued = 0
    for d in range(9):
        if own >> d & 1:
            queued = conclude(pos, lists, width, beside(cell, d, width), view, queued)
        if own_other >> d & 1:
            queued = conclude(pos, lists, width, beside(other, d, width), view_other, queued)
    return queued


@compiled
def dead(pos: Ints, grid: Grid, cell: int) -> bool:
    """Return whether a cell that is safe tells nothing: its number is known before it is opened.

    So it is when its unknown neighbours are none, or fall into groups of which each is all that some number has left
    beside the cell itself. Expects a position whose certain cells are marked. A few cells are dead for subtler reasons,
    which are not seen.
    """
    left = _WIDE[pos[MASK, cell]]
    while left != 0:
        lowest, taken = left & -left, left & 0
        for offset in range(25):
            number = within_two(cell, offset, grid)
            if number < 0 or pos[VIEW, number] > 8:
                continue
            wide, shift = _WIDE[pos[MASK, number]], _SHIFT[offset]
            wide = (wide << shift if shift > 0 else wide >> -shift) & ~_CENTRE
            if wide & lowest and wide & ~left == 0 and wide > taken:
                taken = wide
        if taken == 0:
            return False
        left &= ~taken
    return True


@compiled
def build(pos: Ints, work: Work) -> None:
    """Find the active numbers, the boxes around them and the components both fall into.

    Expects a settled position, and takes off its list of live cells those that are no more. Numbers are in scan order;
    boxes are in the order in which scanning those numbers meets them, so a component that did not change looks the same
    however the rest of the board does.
    """
    width, numbers, live = work.grid.width, 0, 0
    for i in range(pos[TALLY, TALLY_LIVE]):
        cell = pos[LIVE, i]
        view = pos[VIEW, cell]
        if view in (UNKNOWN, SAFE):
            pos[LIVE, live] = cell
            live += 1
        elif view <= 8 and pos[MASK, cell] != 0:
            pos[LIVE, live] = cell
            live += 1
            work.number[NUMBER_CELL, numbers] = cell
            work.number[NUMBER_RESIDUAL, numbers] = pos[VIEW, cell] - pos[NEAR, cell]
            work.number[NUMBER_BOXES, numbers] = 0
            work.number[NUMBER_COMPONENT, numbers] = -1
            work.number[NUMBER_FIRST_BOX, numbers] = -1
            work.cell[CELL_NUMBER, cell] = numbers
            for d in range(9):
                if pos[MASK, cell] >> d & 1:
                    work.cell[CELL_BOX, beside(cell, d, width)] = -1
            numbers += 1
    pos[TALLY, TALLY_LIVE] = live
    work.tally[N_NUMBERS] = numbers
    _gather_boxes(pos, work, width)
    _label_components(work)


@compiled
def _gather_boxes(pos: Ints, work: Work, width: int) -> None:
    """Put frontier cells with the same numbers around into one box.

    A cell's numbers are a pattern of bits in rows of 7; shifted so that the first number is bit 0, the pattern and that
    number together name the set exactly.
    """
    boxes, frontier = 0, 0
    for n in range(work.tally[N_NUMBERS]):
        centre = work.number[NUMBER_CELL, n]
        for d in range(9):
            if not pos[MASK, centre] >> d & 1:
                continue
            cell = beside(centre, d, width)
            if work.cell[CELL_BOX, cell] >= 0:
                continue
            pattern, first, first_bit = 0, -1, 0
            for e in range(9):
                near = beside(cell, e, width)
                if pos[VIEW, near] <= 8:
                    bit = e // 3 * 7 + e % 3
                    if first < 0:
                        first, first_bit = work.cell[CELL_NUMBER, near], bit
                    pattern |= 1 << (bit - first_bit)
            box = work.number[NUMBER_FIRST_BOX, first]
            while box >= 0 and work.box[BOX_PATTERN, box] != pattern:
                box = work.box[BOX_NEXT, box]
            if box < 0:
                box = boxes
                boxes += 1
                work.box[BOX_PATTERN, box] = pattern
                work.box[BOX_NEXT, box] = work.number[NUMBER_FIRST_BOX, first]
                work.number[NUMBER_FIRST_BOX, first] = box
                work.box[BOX_SIZE, box] = 0
                around = 0
                for e in range(9):
                    near = beside(cell, e, width)
                    if pos[VIEW, near] <= 8:
                        other = work.cell[CELL_NUMBER, near]
                        work.box_numbers[box, around] = other
                        around += 1
                        work.number_boxes[other, work.number[NUMBER_BOXES, other]] = box
                        work.number[NUMBER_BOXES, other] += 1
                work.box[BOX_NUMBERS, box] = around
            work.box[BOX_SIZE, box] += 1
            work.cell[CELL_BOX, cell] = box
            work.cell[CELL_FRONTIER, frontier] = cell
            frontier += 1
    work.tally[N_BOXES] = boxes
    work.tally[N_FRONTIER] = frontier
    work.tally[N_FAR] = pos[TALLY, TALLY_UNKNOWN] - frontier


@compiled
def _label_components(work: Work) -> None:
    """Label numbers and boxes by component and list each component's own, in order.

    COMPONENT_NUMBERS and COMPONENT_BOXES hold where a component's share of NUMBER_SORTED and BOX_SORTED begins; one
    past the last component they hold the ends.
    """
    components, numbers = 0, work.tally[N_NUMBERS]
    for start in range(numbers):
        if work.number[NUMBER_COMPONENT, start] >= 0:
            continue
        work.number[NUMBER_COMPONENT, start] = components
        work.number[NUMBER_STACK, 0] = start
        stacked = 1
        while stacked > 0:
            stacked -= 1
            n = work.number[NUMBER_STACK, stacked]
            for i in range(work.number[NUMBER_BOXES, n]):
                box = work.number_boxes[n, i]
                work.box[BOX_COMPONENT, box] = components
                for j in range(work.box[BOX_NUMBERS, box]):
                    other = work.box_numbers[box, j]
                    if work.number[NUMBER_COMPONENT, other] < 0:
                        work.number[NUMBER_COMPONENT, other] = components
                        work.number[NUMBER_STACK, stacked] = other
                        stacked += 1
        components += 1
    work.tally[N_COMPONENTS] = components
    boxes = work.tally[N_BOXES]
    for c in range(components + 1):
        work.component[COMPONENT_NUMBERS, c] = 0
        work.component[COMPONENT_BOXES, c] = 0
    for n in range(numbers):
        work.component[COMPONENT_NUMBERS, work.number[NUMBER_COMPONENT, n]] += 1
    for box in range(boxes):
        work.component[COMPONENT_BOXES, work.box[BOX_COMPONENT, box]] += 1
    for c in range(1, components + 1):
        work.component[COMPONENT_NUMBERS, c] += work.component[COMPONENT_NUMBERS, c - 1]
        work.component[COMPONENT_BOXES, c] += work.component[COMPONENT_BOXES, c - 1]
    for n in range(numbers - 1, -1, -1):
        c = work.number[NUMBER_COMPONENT, n]
        work.component[COMPONENT_NUMBERS, c] -= 1
        work.number[NUMBER_SORTED, work.component[COMPONENT_NUMBERS, c]] = n
    for box in range(boxes - 1, -1, -1):
        c = work.box[BOX_COMPONENT, box]
        work.component[COMPONENT_BOXES, c] -= 1
        work.box[BOX_SORTED, work.component[COMPONENT_BOXES, c]] = box
    work.component[COMPONENT_NUMBERS, components] = numbers
    work.component[COMPONENT_BOXES, components] = boxes


@compiled
def largest_component(work: Work) -> int:
    """Return the number of boxes of the component that has most."""
    largest = 0
    for c in range(work.tally[N_COMPONENTS]):
        largest = max(largest, work.component[COMPONENT_BOXES, c + 1] - work.component[COMPONENT_BOXES, c])
    return largest
