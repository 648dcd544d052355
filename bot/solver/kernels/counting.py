"""How many ways: for one component, its layouts by total of mines, and each box's share of the mines.

A frontier dynamic programme takes the boxes one at a time. A state is the residuals of the numbers that are begun and
not finished (3 bits each in two 64-bit words) and the mines placed so far; ways that agree on both are merged. A
forward pass builds the layers, a backward pass carries, per final total, the weight of the ways on, and tallies mines
and safe cells of every box apart. So a share of 0 or 1 is a sum without terms, not a small float: every weight that is
reachable is kept at least TINY, and positive never decays to zero.

Each mine weighs `ratio` (about the odds of a mine on this board), which keeps weights of different totals comparable
without overflow; `odds` takes it out again. What was counted is kept by content, so that the next move only counts what
changed. Combining components is `odds`' work.
"""

from __future__ import annotations

import numpy as np

from bot.solver.kernels.constraints import FIRST_FACTOR, MASK, SECOND_FACTOR
from bot.solver.kernels.jit import compiled
from bot.solver.kernels.workspace import (
    AROUND_ROOM,
    AROUND_SHIFT,
    AROUND_WORD,
    BOX_DONE,
    BOX_LAYER,
    BOX_LOCAL,
    BOX_NUMBERS,
    BOX_ORDER,
    BOX_SIZE,
    BOX_SORTED,
    COMPONENT_BOXES,
    COMPONENT_ENTRY,
    COMPONENT_NUMBERS,
    CONTRADICTION,
    DONE,
    ENTRY_BOXES,
    ENTRY_CONTENT,
    ENTRY_DATA,
    ENTRY_LEAST,
    ENTRY_NUMBERS,
    ENTRY_TOTALS,
    N_CONTENT,
    N_COUNTED,
    N_DATA,
    N_ENTRIES,
    N_STAMP,
    N_WIDTH,
    NUMBER_BOXES,
    NUMBER_CELL,
    NUMBER_LEFT,
    NUMBER_OPENED,
    NUMBER_RESIDUAL,
    NUMBER_SLOT,
    NUMBER_SORTED,
    OVERFLOW,
    SHARE_MINE,
    SHARE_SAFE,
    STATE_EDGES,
    STATE_LEAST,
    STATE_MINES,
    V_LOG_SCALE,
    V_RATIO,
    Ints,
    Work,
)

TINY = 1e-290
HUGE = 1e100
SLOTS = 42  # open numbers at a time: 21 to a word
_NOT_OPENED = 1 << 20  # instead of the step at which a number was opened: later than any
_LOW = np.uint64(0xFFFFFFFF)
_INDEX = np.uint64(0xFFFFFF)  # a table's item: the layer's stamp above, the state's index in the low 24 bits
_INDEX_BITS = np.uint64(24)
_HALF = np.uint64(32)
_SEVEN = np.uint64(7)

# More factors like FIRST_FACTOR, for the other halves of a state's key, its mines, and the numbers of a component.
_THIRD_FACTOR, _FOURTH_FACTOR = np.uint64(0x85EBCA77), np.uint64(0x27D4EB2F)
_MINES_FACTOR, _ITEM_FACTOR = np.uint64(0x165667B1), 0x5BD1E995


@compiled
def prepare(work: Work) -> None:
    """Make the cache fit for the grid's width and its weight of a mine; clear it when nearly full."""
    width, ratio = work.grid.width, work.grid.ratio
    full = (
        2 * work.tally[N_ENTRIES] > work.entry.shape[1]
        or 2 * work.tally[N_CONTENT] > work.content.shape[0]
        or 2 * work.tally[N_DATA] > work.data.shape[0]
    )
    if not full and work.tally[N_WIDTH] == width and work.value[V_RATIO] == ratio:
        return
    work.tally[N_WIDTH] = width
    work.value[V_RATIO] = ratio
    work.tally[N_ENTRIES] = 0
    work.tally[N_CONTENT] = 0
    work.tally[N_DATA] = 0
    work.entry_table[:] = 0
    for size in range(9):
        ways = 1.0
        for k in range(size + 1):
            work.multiple[size, k] = ways
            ways *= ratio * (size - k) / (k + 1)


@compiled
def entry_of(pos: Ints, work: Work, component: int) -> int:
    """Find or make the entry of a component (into COMPONENT_ENTRY). Returns DONE, CONTRADICTION or OVERFLOW."""
    first, end = work.component[COMPONENT_NUMBERS, component], work.component[COMPONENT_NUMBERS, component + 1]
    start = work.tally[N_CONTENT]
    if start + end - first > work.content.shape[0]:
        return OVERFLOW
    fingerprint = 0
    for i in range(first, end):
        n = work.number[NUMBER_SORTED, i]
        cell = work.number[NUMBER_CELL, n]
        item = (np.int64(cell) << 13) | (work.number[NUMBER_RESIDUAL, n] << 9) | pos[MASK, cell]
        work.content[start + i - first] = item
        fingerprint = ((fingerprint ^ item) & 0xFFFFFFFF) * _ITEM_FACTOR ^ (fingerprint >> 32)
    mask = work.entry_table.shape[0] - 1
    at = (fingerprint ^ (fingerprint >> 29)) & mask
    while work.entry_table[at] != 0:
        entry = work.entry_table[at] - 1
        if work.entry[ENTRY_NUMBERS, entry] == end - first:
            known = work.entry[ENTRY_CONTENT, entry]
            same = 0
            while same < end - first and work.content[known + same] == work.content[start + same]:
                same += 1
            if same == end - first:
                work.component[COMPONENT_ENTRY, component] = entry
                return CONTRADICTION if work.entry[ENTRY_TOTALS, entry] == 0 else DONE
        at = (at + 1) & mask
    entry = work.tally[N_ENTRIES]
    if entry >= work.entry.shape[1]:
        return OVERFLOW
    work.entry[ENTRY_CONTENT, entry] = start
    work.entry[ENTRY_NUMBERS, entry] = end - first
    outcome = count_component(work, component, entry)
    if outcome == OVERFLOW:
        return OVERFLOW
    work.tally[N_CONTENT] += end - first
    work.tally[N_ENTRIES] += 1
    work.entry_table[at] = entry + 1
    work.component[COMPONENT_ENTRY, component] = entry
    return outcome


@compiled
def count_component(work: Work, component: int, entry: int) -> int:
    """Count a component and write its entry's numbers: totals from ENTRY_LEAST on, and the boxes' shares.

    At ENTRY_DATA: the log of the scale, the weight of each total, then for every box (in order) the share of its cells
    that hold a mine per total, and the share that do not.
    """
    work.tally[N_COUNTED] += 1
    first, end = work.component[COMPONENT_BOXES, component], work.component[COMPONENT_BOXES, component + 1]
    _order(work, component, first, end)
    layer = _forward(work, first, end)
    if layer < 0:
        return OVERFLOW
    last = work.box[BOX_LAYER, end]
    least, most = (work.state[STATE_MINES, layer], work.state[STATE_MINES, layer]) if layer < last else (0, -1)
    for s in range(layer, last):
        least = min(least, work.state[STATE_MINES, s])
        most = max(most, work.state[STATE_MINES, s])
    totals = most - least + 1
    data = work.tally[N_DATA]
    work.entry[ENTRY_BOXES, entry] = end - first
    work.entry[ENTRY_LEAST, entry] = least
    work.entry[ENTRY_TOTALS, entry] = totals
    work.entry[ENTRY_DATA, entry] = data
    if totals == 0:
        return CONTRADICTION
    if data + 1 + totals * (1 + 2 * (end - first)) > work.data.shape[0]:
        return OVERFLOW
    if last * totals > work.backward.shape[0]:
        return OVERFLOW
    work.tally[N_DATA] += 1 + totals * (1 + 2 * (end - first))
    work.data[data] = work.value[V_LOG_SCALE]
    for j in range(totals):
        work.data[data + 1 + j] = 0.0
    for s in range(layer, last):
        j = work.state[STATE_MINES, s] - least
        work.data[data + 1 + j] = work.forward[s]
        for i in range(totals):
            work.backward[s * totals + i] = 1.0 if i == j else 0.0
    _backward(work, first, end, layer, totals, data + 1 + totals)
    return DONE


@compiled
def _order(work: Work, component: int, first: int, end: int) -> None:
    """Choose the order of the boxes, greedily keeping as few numbers open as possible (into BOX_ORDER).

    Ties go to the box whose longest-open number has waited most, so that the front moves on instead of wandering.
    """
    numbers_first, numbers_end = (
        work.component[COMPONENT_NUMBERS, component],
        work.component[COMPONENT_NUMBERS, component + 1],
    )
    for i in range(numbers_first, numbers_end):
        n = work.number[NUMBER_SORTED, i]
        work.number[NUMBER_LEFT, n] = work.number[NUMBER_BOXES, n]
        work.number[NUMBER_OPENED, n] = _NOT_OPENED
        work.number[NUMBER_SLOT, n] = -1
    for i in range(first, end):
        work.box[BOX_DONE, work.box[BOX_SORTED, i]] = 0
        work.box[BOX_LOCAL, work.box[BOX_SORTED, i]] = i - first
    for step in range(first, end):
        best, best_score, best_age = -1, _NOT_OPENED, 2 * _NOT_OPENED
        for i in range(first, end):
            box = work.box[BOX_SORTED, i]
            if work.box[BOX_DONE, box] != 0:
                continue
            score, age = 0, _NOT_OPENED
            for j in range(work.box[BOX_NUMBERS, box]):
                n = work.box_numbers[box, j]
                age = min(age, work.number[NUMBER_OPENED, n])
                if work.number[NUMBER_OPENED, n] == _NOT_OPENED:
                    score += 1
                if work.number[NUMBER_LEFT, n] == 1:
                    score -= 1
            if age == _NOT_OPENED and step > first:
                continue
            if score < best_score or (score == best_score and age < best_age):
                best, best_score, best_age = box, score, age
        work.box[BOX_ORDER, step] = best
        work.box[BOX_DONE, best] = 1
        for j in range(work.box[BOX_NUMBERS, best]):
            n = work.box_numbers[best, j]
            work.number[NUMBER_LEFT, n] -= 1
            work.number[NUMBER_OPENED, n] = min(work.number[NUMBER_OPENED, n], step)


@compiled
def _forward(work: Work, first: int, end: int) -> int:
    """Build the layers of states; BOX_LAYER[t] is where layer t begins, BOX_LAYER[end] one past the last state.

    Returns where the last layer begins, or −1 when memory or slots run out. The log of the weights' common scale goes
    to V_LOG_SCALE.
    """
    capacity, edge_capacity = work.forward.shape[0], work.edge.shape[0]
    for t in range(first, end):
        box = work.box[BOX_ORDER, t]
        for i in range(work.box[BOX_NUMBERS, box]):
            work.number[NUMBER_LEFT, work.box_numbers[box, i]] += work.box[BOX_SIZE, box]
    work.key[0, 0] = 0
    work.key[1, 0] = 0
    work.state[STATE_MINES, 0] = 0
    work.forward[0] = 1.0
    begin, stop, edges, free, log_scale = 0, 1, 0, (1 << SLOTS) - 1, 0.0
    for t in range(first, end):
        box = work.box[BOX_ORDER, t]
        size = work.box[BOX_SIZE, box]
        around = work.box[BOX_NUMBERS, box]
        opening0, opening1, unit0, unit1 = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
        for i in range(around):
            n = work.box_numbers[box, i]
            slot = int(work.number[NUMBER_SLOT, n])
            opened = slot < 0
            if opened:
                if free == 0:
                    return -1
                slot = 0
                while not free >> slot & 1:
                    slot += 1
                free ^= 1 << slot
                work.number[NUMBER_SLOT, n] = slot
            shift = np.uint64(3 * (slot % 21))
            residual = np.uint64(work.number[NUMBER_RESIDUAL, n]) << shift
            if slot < 21:
                unit0 |= np.uint64(1) << shift
                opening0 |= residual if opened else np.uint64(0)
            else:
                unit1 |= np.uint64(1) << shift
                opening1 |= residual if opened else np.uint64(0)
            work.number[NUMBER_LEFT, n] -= size
            work.around[AROUND_WORD, i] = slot // 21
            work.around[AROUND_SHIFT, i] = 3 * (slot % 21)
            work.around[AROUND_ROOM, i] = work.number[NUMBER_LEFT, n]
        for i in range(around):  # only now: a slot freed by this box must not be taken by it
            if work.around[AROUND_ROOM, i] == 0:
                free |= 1 << int(work.number[NUMBER_SLOT, work.box_numbers[box, i]])
        table = np.int64(16)
        while table < 2 * (stop - begin) * (size + 1) and table < work.table.shape[0]:
            table *= 2
        mask = np.uint64(table - 1)
        work.tally[N_STAMP] += 1
        stamp = np.uint64(work.tally[N_STAMP]) << _INDEX_BITS
        if stop + (size + 1) > capacity or edges + (size + 1) * (stop - begin) > edge_capacity:
            return -1
        work.box[BOX_LAYER, t] = begin
        top = stop
        heaviest = 0.0
        for s in range(begin, stop):
            a, b = work.key[0, s] + opening0, work.key[1, s] + opening1
            mines, weight = work.state[STATE_MINES, s], work.forward[s]
            low, high = 0, size
            for i in range(around):
                word = a if work.around[AROUND_WORD, i] == 0 else b
                residual_now = np.int64((word >> np.uint64(work.around[AROUND_SHIFT, i])) & _SEVEN)
                high = min(high, residual_now)
                low = max(low, residual_now - work.around[AROUND_ROOM, i])
            work.state[STATE_EDGES, s] = edges
            work.state[STATE_LEAST, s] = low
            if top + size + 1 > capacity:
                return -1
            for k in range(low, high + 1):
                a_next, b_next = a - np.uint64(k) * unit0, b - np.uint64(k) * unit1
                mines_next = mines + k
                gain = max(weight * work.multiple[size, k], TINY)
                mix = (
                    (a_next & _LOW) * FIRST_FACTOR
                    ^ (a_next >> _HALF) * _THIRD_FACTOR
                    ^ (b_next & _LOW) * SECOND_FACTOR
                    ^ (b_next >> _HALF) * _FOURTH_FACTOR
                    ^ np.uint64(mines_next) * _MINES_FACTOR
                )
                at = (mix ^ (mix >> np.uint64(23))) & mask
                while True:
                    item = work.table[at]
                    if item & ~_INDEX != stamp:
                        target = np.int64(top)
                        top += 1
                        work.table[at] = stamp | np.uint64(target)
                        work.key[0, target] = a_next
                        work.key[1, target] = b_next
                        work.state[STATE_MINES, target] = mines_next
                        work.forward[target] = gain
                        break
                    target = np.int64(item & _INDEX)
                    if (
                        work.key[0, target] == a_next
                        and work.key[1, target] == b_next
                        and work.state[STATE_MINES, target] == mines_next
                    ):
                        work.forward[target] += gain
                        break
                    at = (at + np.uint64(1)) & mask
                heaviest = max(heaviest, work.forward[target])
                work.edge[edges] = target
                edges += 1
        if heaviest > HUGE or (heaviest > 0.0 and heaviest < 1 / HUGE):
            for s in range(stop, top):
                work.forward[s] = max(work.forward[s] / heaviest, TINY)
            log_scale += np.log(heaviest)
        begin, stop = stop, top
        if begin == stop:
            break
    work.state[STATE_EDGES, begin] = edges
    work.box[BOX_LAYER, end] = stop
    work.value[V_LOG_SCALE] = log_scale
    return begin


@compiled
def _backward(work: Work, first: int, end: int, layer: int, totals: int, data: int) -> None:
    """Carry weights back from the last layer and write every box's shares of mine and safe per total from `data` on."""
    mine, safe = work.share[SHARE_MINE], work.share[SHARE_SAFE]
    begin = layer
    for t in range(end - 1, first - 1, -1):
        stop, begin = begin, work.box[BOX_LAYER, t]
        box = work.box[BOX_ORDER, t]
        size = work.box[BOX_SIZE, box]
        mine[:totals] = 0.0
        safe[:totals] = 0.0
        heaviest = 0.0
        for s in range(begin, stop):
            base = s * totals
            for j in range(totals):
                work.backward[base + j] = 0.0
            weight = work.forward[s]
            k = work.state[STATE_LEAST, s]
            for e in range(work.state[STATE_EDGES, s], work.state[STATE_EDGES, s + 1]):
                on = work.edge[e] * totals
                factor = work.multiple[size, k]
                for j in range(totals):
                    way = work.backward[on + j]
                    if way > 0.0:
                        way = max(way * factor, TINY)
                        work.backward[base + j] += way
                        heaviest = max(heaviest, work.backward[base + j])
                        way = max(way * weight, TINY)
                        mine[j] += way * k
                        safe[j] += way * (size - k)
                k += 1
        if heaviest > HUGE or heaviest < 1 / HUGE:
            for i in range(begin * totals, stop * totals):
                if work.backward[i] > 0.0:
                    work.backward[i] = max(work.backward[i] / heaviest, TINY)
        at = data + 2 * totals * work.box[BOX_LOCAL, box]
        for j in range(totals):
            both = mine[j] + safe[j]
            work.data[at + j] = max(mine[j] / both, TINY) if mine[j] > 0.0 else 0.0
            work.data[at + totals + j] = max(safe[j] / both, TINY) if safe[j] > 0.0 else 0.0
