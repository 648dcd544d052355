"""When few layouts are left: the whole game tree, played perfectly.

`search` lists every layout of a position and finds the move that wins most of them, whatever the numbers turn out to
be. What is still possible is a set of layouts, kept as bits; since every cell that is safe in all of them can be opened
at once, the set alone says where the game stands, and is what positions are remembered by. No estimate is made: either
the answer is exact or, beyond the limits on layouts, cells and nodes, there is none.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.constraints import (
    FIRST_FACTOR,
    LIVE,
    MASK,
    MINED,
    NEAR,
    SECOND_FACTOR,
    TALLY,
    TALLY_LIVE,
    TALLY_MINED,
    TALLY_UNKNOWN,
    UNKNOWN,
    VIEW,
    beside,
    mixed,
)
from bot.solver.kernels.jit import compiled
from bot.solver.kernels.workspace import (
    BOX_COMPONENT,
    CELL_BOX,
    CELL_FRONTIER,
    COMPONENT_ENTRY,
    ENTRY_LEAST,
    ENTRY_TOTALS,
    N_COMPONENTS,
    N_FRONTIER,
    Ints,
    Words,
    Work,
)

MOST_CELLS = 96
NO_ANSWER = -1
_WORD = 64
_MEMO = 1 << 16  # sets of layouts remembered at a time
_STEPS = 400  # listing layouts is given up after as many steps for each there is memory for
_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)

# Fields of `Endgame.frame`: one column for every move deep.
FRAME_COUNT, FRAME_CANDIDATES, FRAME_AT, FRAME_NUMBER, FRAME_BEST, FRAME_SUM, FRAME_OPEN = range(7)
FRAME_FIELDS = 7

# Places in `Endgame.result`.
RESULT_CELL, RESULT_WON, RESULT_LAYOUTS, RESULT_STAMP, RESULT_NODES = range(5)


class Endgame(NamedTuple):
    """Memory of the search for up to L layouts (L / 64 = W words), MOST_CELLS unknown cells and as many moves deep."""

    cell: Ints  # (MOST_CELLS,): the padded cell of each unknown
    near: Ints  # (MOST_CELLS, 9): how many unknowns are around each, then which
    place: Ints  # (P,): the unknown of a padded cell
    joined: NDArray[np.bool_]  # (P,): components that belong to a region
    residual: Ints  # (2, P): while listing layouts, mines and cells each number has left
    layout: NDArray[np.uint8]  # (L, MOST_CELLS): 1 for a mine
    choice: NDArray[np.int8]  # (MOST_CELLS + 1,): while listing layouts, what each unknown was last tried as
    shows: Words  # (MOST_CELLS, 10, W): layouts in which a cell shows each number; place 9: is safe at all
    subset: Words  # (MOST_CELLS + 1, W): layouts possible at each depth
    order: Ints  # (MOST_CELLS + 1, 2, MOST_CELLS): candidates at each depth and their safe layouts
    frame: Ints  # (FRAME_FIELDS, MOST_CELLS + 1)
    memo_key: Words  # (2, memo)
    memo_value: Ints  # (2, memo): stamp, games won
    frame_key: Words  # (2, MOST_CELLS + 1): fingerprints of the sets at each depth
    result: Ints  # (8,)


def allocate_endgame(padded_cells: int, layouts: int) -> Endgame:
    """Return memory for positions of at most `layouts` layouts."""
    words = -(-layouts // _WORD)
    return Endgame(
        cell=np.zeros(MOST_CELLS, np.int32),
        near=np.zeros((MOST_CELLS, 9), np.int32),
        place=np.zeros(padded_cells, np.int32),
        joined=np.zeros(padded_cells, np.bool_),
        residual=np.zeros((2, padded_cells), np.int32),
        layout=np.zeros((layouts, MOST_CELLS), np.uint8),
        choice=np.zeros(MOST_CELLS + 1, np.int8),
        shows=np.zeros((MOST_CELLS, 10, words), np.uint64),
        subset=np.zeros((MOST_CELLS + 1, words), np.uint64),
        order=np.zeros((MOST_CELLS + 1, 2, MOST_CELLS), np.int32),
        frame=np.zeros((FRAME_FIELDS, MOST_CELLS + 1), np.int32),
        memo_key=np.zeros((2, _MEMO), np.uint64),
        memo_value=np.zeros((2, _MEMO), np.int32),
        frame_key=np.zeros((2, MOST_CELLS + 1), np.uint64),
        result=np.zeros(8, np.int32),
    )


def _bits(word: np.uint64) -> int:
    """Return how many bits of a word are set: in these very steps, which LLVM knows for one instruction."""
    x = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int(np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56)))


bits = compiled(_bits)
if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    bits = lambda word: int(word).bit_count()  # noqa: E731 (numpy warns of the overflow that the last step means)


@compiled
def search(pos: Ints, work: Work, end: Endgame, nodes: int) -> int:
    """Find the best move of a solved position with few layouts; return its padded cell, or NO_ANSWER.

    RESULT_WON of RESULT_LAYOUTS layouts are won by it.
    """
    width, mines = work.grid.width, work.grid.mines
    if pos[TALLY, TALLY_UNKNOWN] > MOST_CELLS:
        return NO_ANSWER
    unknown = 0
    for i in range(pos[TALLY, TALLY_LIVE]):
        end.place[pos[LIVE, i]] = -1
    for i in range(work.tally[N_FRONTIER]):  # the frontier first: its numbers reject wrong layouts early
        cell = work.cell[CELL_FRONTIER, i]
        if pos[VIEW, cell] == UNKNOWN:  # not one that was proven since
            end.cell[unknown] = cell
            end.place[cell] = unknown
            unknown += 1
    for i in range(pos[TALLY, TALLY_LIVE]):
        cell = pos[LIVE, i]
        if pos[VIEW, cell] == UNKNOWN and end.place[cell] < 0:
            end.cell[unknown] = cell
            end.place[cell] = unknown
            unknown += 1
    return _search_cells(pos, end, width, unknown, mines - pos[TALLY, TALLY_MINED], nodes)


@compiled
def search_enclosed(pos: Ints, work: Work, end: Endgame, nodes: int) -> int:
    """Find the best move of a region that nothing outside can tell about, nor it about the outside; NO_ANSWER if none.

    Such a region is a set of frontier cells with no other unknown cell beside it whose components all have a fixed
    number of mines. Its games are won or lost on their own, so it may as well be played now, and perfectly.
    """
    components = work.tally[N_COMPONENTS]
    for start in range(components):
        if work.entry[ENTRY_TOTALS, work.component[COMPONENT_ENTRY, start]] != 1:
            continue
        unknown = _gather_region(pos, work, end, start)
        if unknown < 2:
            continue
        left = 0
        for c in range(components):
            if end.joined[c]:
                left += work.entry[ENTRY_LEAST, work.component[COMPONENT_ENTRY, c]]
        for i in range(work.tally[N_FRONTIER]):
            cell = work.cell[CELL_FRONTIER, i]
            if pos[VIEW, cell] == MINED and end.joined[work.box[BOX_COMPONENT, work.cell[CELL_BOX, cell]]]:
                left -= 1
        cell = _search_cells(pos, end, work.grid.width, unknown, left, nodes)
        if cell != NO_ANSWER:
            return cell
    return NO_ANSWER


@compiled
def _gather_region(pos: Ints, work: Work, end: Endgame, start: int) -> int:
    """Collect in `end.cell` the unknown cells of a component and all that touch it; 0 if the region is not enclosed."""
    width = work.grid.width
    for i in range(pos[TALLY, TALLY_LIVE]):
        end.place[pos[LIVE, i]] = -1
    end.joined[: work.tally[N_COMPONENTS]] = False
    end.joined[start] = True
    unknown, grown = 0, True
    while grown:
        grown = False
        for i in range(work.tally[N_FRONTIER]):
            cell = work.cell[CELL_FRONTIER, i]
            if pos[VIEW, cell] != UNKNOWN or end.place[cell] >= 0:
                continue
            if not end.joined[work.box[BOX_COMPONENT, work.cell[CELL_BOX, cell]]]:
                continue
            if unknown == MOST_CELLS:
                return 0
            end.cell[unknown] = cell
            end.place[cell] = unknown
            unknown += 1
            for d in range(9):
                near = beside(cell, d, width)
                if near == cell or pos[VIEW, near] != UNKNOWN:
                    continue
                if not _in_frontier(pos, width, near):
                    return 0
                other = work.box[BOX_COMPONENT, work.cell[CELL_BOX, near]]
                if work.entry[ENTRY_TOTALS, work.component[COMPONENT_ENTRY, other]] != 1:
                    return 0
                if not end.joined[other]:
                    end.joined[other] = True
                    grown = True
    return unknown


@compiled
def _in_frontier(pos: Ints, width: int, cell: int) -> bool:
    """Return whether a cell has a number beside it."""
    numbers = 0
    for d in range(9):
        numbers += pos[VIEW, beside(cell, d, width)] <= 8
    return numbers > 0


@compiled
def _search_cells(pos: Ints, end: Endgame, width: int, unknown: int, left: int, nodes: int) -> int:
    """Find the best move among the cells in `end.cell` with their `left` mines; return its padded cell or NO_ANSWER."""
    layouts = _list_layouts(pos, end, width, unknown, left)
    if layouts < 1:
        return NO_ANSWER
    _index_layouts(pos, end, width, unknown, layouts)
    won = _play_tree(end, unknown, layouts, nodes)
    if won < 0:
        return NO_ANSWER
    end.result[RESULT_WON] = won
    end.result[RESULT_LAYOUTS] = layouts
    return int(end.cell[end.result[RESULT_CELL]])


@compiled
def _list_layouts(pos: Ints, end: Endgame, width: int, unknown: int, left: int) -> int:
    """List all layouts of the collected cells with `left` mines; return how many, or NO_ANSWER beyond the memory."""
    for i in range(unknown):
        for d in range(9):
            near = beside(end.cell[i], d, width)
            if pos[VIEW, near] <= 8:
                end.residual[0, near] = pos[VIEW, near] - pos[NEAR, near]
                room = 0
                for e in range(9):
                    room += pos[MASK, near] >> e & 1
                end.residual[1, near] = room
    choice = end.choice
    choice[: unknown + 1] = -1
    layouts, depth, steps = 0, 0, 0
    while depth >= 0:
        steps += 1
        if steps > _STEPS * end.layout.shape[0]:
            return NO_ANSWER
        if depth == unknown:
            if left == 0:
                if layouts == end.layout.shape[0]:
                    return NO_ANSWER
                for i in range(unknown):
                    end.layout[layouts, i] = choice[i]
                layouts += 1
            depth -= 1
            continue
        if choice[depth] >= 0:
            left += choice[depth]
            _place(pos, end, width, depth, -choice[depth], -1)
        choice[depth] += 1
        if choice[depth] == 2:
            choice[depth] = -1
            depth -= 1
            continue
        left -= choice[depth]
        fits = _place(pos, end, width, depth, choice[depth], 1)
        if fits and 0 <= left <= unknown - depth - 1:
            depth += 1
    return layouts


@compiled
def _place(pos: Ints, end: Endgame, width: int, i: int, mine: int, taken: int) -> bool:
    """Take an unknown cell (or, with −1, give it back) from the numbers around; return whether all can still be met."""
    fits = True
    for d in range(9):
        near = beside(end.cell[i], d, width)
        if pos[VIEW, near] <= 8:
            end.residual[0, near] -= mine
            end.residual[1, near] -= taken
            if end.residual[0, near] < 0 or end.residual[0, near] > end.residual[1, near]:
                fits = False
    return fits


@compiled
def _index_layouts(pos: Ints, end: Endgame, width: int, unknown: int, layouts: int) -> None:
    """Fill `shows` from the listed layouts."""
    words = (layouts + _WORD - 1) // _WORD
    for i in range(unknown):
        around = 0
        for d in range(9):
            near = beside(end.cell[i], d, width)
            if d != 4 and pos[VIEW, near] == UNKNOWN:
                around += 1
                end.near[i, around] = end.place[near]
        end.near[i, 0] = around
        end.shows[i, :, :words] = 0
        for layout in range(layouts):
            if end.layout[layout, i] == 1:
                continue
            number = pos[NEAR, end.cell[i]]
            for k in range(1, around + 1):
                number += end.layout[layout, end.near[i, k]]
            bit = np.uint64(1) << np.uint64(layout % _WORD)
            end.shows[i, number, layout // _WORD] |= bit
            end.shows[i, 9, layout // _WORD] |= bit


@compiled
def _play_tree(end: Endgame, unknown: int, layouts: int, nodes: int) -> int:
    """Search the tree of all moves; return how many layouts perfect play wins, or NO_ANSWER after too many nodes.

    A frame works through its candidates, most often safe first. A candidate is given up as soon as what it has won and
    may still win is not more than the best one has. No more nodes are visited than there is memory to remember.
    """
    nodes = min(nodes, _MEMO - 1)
    words = (layouts + _WORD - 1) // _WORD
    end.result[RESULT_STAMP] += 1
    end.result[RESULT_NODES] = 0
    frame = end.frame
    for w in range(words):
        end.subset[0, w] = 0
    for layout in range(layouts):
        end.subset[0, layout // _WORD] |= np.uint64(1) << np.uint64(layout % _WORD)
    depth, won = 0, _enter(end, 0, unknown, words)
    while True:
        if won >= 0:  # the frame at `depth` is finished
            if depth == 0:
                return won
            depth -= 1
            frame[FRAME_SUM, depth] += won
        won = -1
        at = frame[FRAME_AT, depth]
        cell, safe = end.order[depth, 0, at], end.order[depth, 1, at]
        if frame[FRAME_NUMBER, depth] > 8:
            if frame[FRAME_SUM, depth] > frame[FRAME_BEST, depth]:
                frame[FRAME_BEST, depth] = frame[FRAME_SUM, depth]
                if depth == 0:
                    end.result[RESULT_CELL] = cell
            at += 1
            frame[FRAME_AT, depth] = at
            frame[FRAME_NUMBER, depth] = 0
            frame[FRAME_SUM, depth] = 0
            frame[FRAME_OPEN, depth] = 0
            if at == frame[FRAME_CANDIDATES, depth] or end.order[depth, 1, at] <= frame[FRAME_BEST, depth]:
                won = frame[FRAME_BEST, depth]
                _remember(end, depth, won)
            continue
        possible = frame[FRAME_SUM, depth] + safe - frame[FRAME_OPEN, depth]
        if possible <= frame[FRAME_BEST, depth]:
            frame[FRAME_SUM, depth] = 0
            frame[FRAME_NUMBER, depth] = 9
            continue
        number = frame[FRAME_NUMBER, depth]
        frame[FRAME_NUMBER, depth] += 1
        count = 0
        for w in range(words):
            part = end.subset[depth, w] & end.shows[cell, number, w]
            end.subset[depth + 1, w] = part
            count += bits(part)
        if count == 0:
            continue
        frame[FRAME_OPEN, depth] += count
        if count == 1:
            frame[FRAME_SUM, depth] += 1
            continue
        end.result[RESULT_NODES] += 1
        if end.result[RESULT_NODES] > nodes:
            return NO_ANSWER
        depth += 1
        won = _enter(end, depth, unknown, words)


@compiled
def _enter(end: Endgame, depth: int, unknown: int, words: int) -> int:
    """Prepare the frame of the set at `depth`; return the layouts won if already known, otherwise −1.

    A cell that is safe in every layout and tells some of them apart is the only candidate: opening it costs nothing.
    """
    frame = end.frame
    subset = end.subset[depth]
    key0, key1, count = np.uint64(0), np.uint64(0), 0
    for w in range(words):
        count += bits(subset[w])
        key0 = mixed(mixed(key0, subset[w] & _LOW, FIRST_FACTOR), subset[w] >> _HALF, FIRST_FACTOR)
        key1 = mixed(mixed(key1, subset[w] >> _HALF, SECOND_FACTOR), subset[w] & _LOW, SECOND_FACTOR)
    if count == 1:
        return 1
    at = int(np.int64((key0 ^ key1) & np.uint64(_MEMO - 1)))  # by way of int64: numba keeps int(uint64) unsigned
    while end.memo_value[0, at] == end.result[RESULT_STAMP]:
        if end.memo_key[0, at] == key0 and end.memo_key[1, at] == key1:
            return int(end.memo_value[1, at])
        at = (at + 1) & (_MEMO - 1)
    end.frame_key[0, depth] = key0
    end.frame_key[1, depth] = key1
    frame[FRAME_COUNT, depth] = count
    candidates = 0
    for cell in range(unknown):
        safe = 0
        for w in range(words):
            safe += bits(subset[w] & end.shows[cell, 9, w])
        if safe == 0 or (safe == count and not _splits(end, subset, cell, count, words)):
            continue
        if safe == count:
            candidates = 1
            end.order[depth, 0, 0] = cell
            end.order[depth, 1, 0] = safe
            break
        i = candidates
        while i > 0 and end.order[depth, 1, i - 1] < safe:
            end.order[depth, 0, i] = end.order[depth, 0, i - 1]
            end.order[depth, 1, i] = end.order[depth, 1, i - 1]
            i -= 1
        end.order[depth, 0, i] = cell
        end.order[depth, 1, i] = safe
        candidates += 1
    frame[FRAME_CANDIDATES, depth] = candidates
    frame[FRAME_AT, depth] = 0
    frame[FRAME_NUMBER, depth] = 0
    frame[FRAME_BEST, depth] = 0
    frame[FRAME_SUM, depth] = 0
    frame[FRAME_OPEN, depth] = 0
    return -1


@compiled
def _splits(end: Endgame, subset: Words, cell: int, count: int, words: int) -> bool:
    """Return whether a cell shows different numbers in different layouts of a set in which it is always safe."""
    for number in range(9):
        showing = 0
        for w in range(words):
            showing += bits(subset[w] & end.shows[cell, number, w])
        if showing > 0:
            return showing < count
    return False


@compiled
def _remember(end: Endgame, depth: int, won: int) -> None:
    """Keep what perfect play wins from the set at `depth`."""
    key0, key1 = end.frame_key[0, depth], end.frame_key[1, depth]
    at = int(np.int64((key0 ^ key1) & np.uint64(_MEMO - 1)))
    while end.memo_value[0, at] == end.result[RESULT_STAMP]:
        at = (at + 1) & (_MEMO - 1)
    end.memo_key[0, at] = key0
    end.memo_key[1, at] = key1
    end.memo_value[0, at] = end.result[RESULT_STAMP]
    end.memo_value[1, at] = won
