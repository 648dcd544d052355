"""One guess ahead: what each candidate would leave behind, whatever number it shows.

For a position in which nothing is safe, `list_candidates` finds the cells nearly as safe as the safest, and `weigh`
scores each: for every number it may show, the chance of that number times what the position then promises (a safe next
move, several of them, no pair of cells that will have to be guessed). Chances are exact; the score stands in for the
chance to win, with weights fitted to roll-outs (docs/strength.md), and only compares candidates of one guess.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.compiled import compiled
from bot.solver.constraints import (
    BLANK,
    MASK,
    MINED,
    NEAR,
    POSITION_FIELDS,
    TALLY,
    TALLY_SAFE,
    UNKNOWN,
    VIEW,
    conclude,
    copy_position,
    settle,
)
from bot.solver.odds import solve
from bot.solver.workspace import (
    CELL_FRONTIER,
    DONE,
    N_FAR,
    N_FRONTIER,
    V_LOG_LAYOUTS,
    Floats,
    Ints,
    Work,
)

MOST_CANDIDATES = 64

# Fields of `Think.score`: one column a candidate.
SCORE_SAFETY, SCORE_VALUE, SCORE_NUMBERS, SCORE_TAKEN = range(4)
SCORE_FIELDS = 4


class Tuning(NamedTuple):
    """The numbers a trial may turn. The defaults are what the trials in docs/strength.md settled on."""

    ahead: float = 1.0  # 0 for the player that takes the lowest odds and looks no further
    factor: float = 0.9  # candidates are at least this share of the best safety
    layouts: float = 300.0  # at most as many are searched to the end
    nodes: float = 20_000.0  # and given up after as many positions
    far: float = 4.0  # far cells among the candidates, of each kind
    own: float = 0.75  # power of a candidate's own safety in its score
    next: float = 0.9  # power of the next move's
    second: float = 0.2  # weight of the second safest next move
    progress: float = 0.05  # power of the number of cells that will be safe, plus one
    started: float = -0.053  # what the first of them adds or, as it may lead nowhere, takes
    pairs: float = 0.35  # weight of the pairs that may come to be unsplittable
    rolls: float = 64.0  # layouts rolled out at most
    roll_below: float = 20.0  # roll-outs where the logarithm of the number of layouts is at most this
    close: float = 0.96  # candidates are close if their score is at least this share of the best; those are rolled out
    roll_layouts: float = 30.0  # perfect play from as many layouts on in roll-outs
    doubt: float = 0.0175  # how far the look-ahead's estimate may be off, relatively, early in a game
    doubt_late: float = 0.0165  # and how much further late
    confidence: float = 1.5  # standard errors behind the leader at which a candidate is dropped


BEST = Tuning()
CSP = Tuning(ahead=0.0)
DEEP = Tuning(rolls=256.0, roll_below=np.inf, close=0.93, roll_layouts=60.0)
_MOST_PROGRESS = 8
"""Safe cells beyond these count no more, which bounds a score and thereby the candidates that need be looked at."""


class Think(NamedTuple):
    """Memory for weighing guesses."""

    position: Ints  # (2, POSITION_FIELDS, P): hypothetical positions
    chance: Floats  # (P,): odds of the position being weighed
    mark: NDArray[np.bool_]  # (2, P): while listing candidates, the frontier and the far cells taken
    candidate: Ints  # (MOST_CANDIDATES,)
    score: Floats  # (SCORE_FIELDS, MOST_CANDIDATES)


def allocate_think(padded_cells: int) -> Think:
    """Return memory for boards of up to `padded_cells` cells, border included."""
    return Think(
        position=np.zeros((2, POSITION_FIELDS, padded_cells), np.int32),
        chance=np.zeros(padded_cells, np.float64),
        mark=np.zeros((2, padded_cells), np.bool_),
        candidate=np.zeros(MOST_CANDIDATES, np.int32),
        score=np.zeros((SCORE_FIELDS, MOST_CANDIDATES), np.float64),
    )


@compiled
def unsplittable(pos: Ints, width: int, size: int) -> int:
    """Return a cell of a pair of which one holds a mine and no information can ever tell which; −1 when there is none.

    A number sees just the two, and every other cell around only one of them is a proven mine or beyond the border.
    """
    for centre in range(size):
        if pos[VIEW, centre] > 8 or pos[VIEW, centre] - pos[NEAR, centre] != 1:
            continue
        first, second, room = -1, -1, 0
        for d in range(9):
            if pos[MASK, centre] >> d & 1:
                room += 1
                second = first
                first = centre + (d // 3 - 1) * width + d % 3 - 1
        if room == 2 and _closed(pos, width, first, second) and _closed(pos, width, second, first):
            return first
    return -1


@compiled
def _closed(pos: Ints, width: int, cell: int, twin: int) -> bool:
    """Return whether all that can tell about `cell` tells about `twin` too."""
    for d in range(9):
        near = cell + (d // 3 - 1) * width + d % 3 - 1
        if near in (cell, twin) or pos[VIEW, near] in (MINED, BLANK):
            continue
        if abs(near % width - twin % width) > 1 or abs(near // width - twin // width) > 1:
            return False
    return True


@compiled
def list_candidates(pos: Ints, work: Work, think: Think, width: int, size: int, tuning: Tuning) -> int:
    """Fill `think.candidate`, safest first, and `think.chance`; return how many candidates there are.

    All frontier cells that are safe enough; of the far cells, which are all equally safe, those with fewest unknown
    neighbours and those beside most frontier cells.
    """
    lowest = 1.0
    for cell in range(size):
        think.chance[cell] = work.chance[cell]
        if pos[VIEW, cell] == UNKNOWN:
            lowest = min(lowest, work.chance[cell])
    threshold = (1.0 - lowest) * tuning.factor
    candidates = 0
    for i in range(work.tally[N_FRONTIER]):
        cell = work.cell[CELL_FRONTIER, i]
        candidates = _insert(think, candidates, cell, 1.0 - think.chance[cell], threshold)
    if work.tally[N_FAR] == 0:
        return candidates
    frontier, taken = think.mark[0], think.mark[1]
    frontier[:size] = False
    taken[:size] = False
    for i in range(work.tally[N_FRONTIER]):
        frontier[work.cell[CELL_FRONTIER, i]] = True
    for kind in range(2):
        for _ in range(int(tuning.far)):
            best, best_room = -1, 100
            for cell in range(size):
                if pos[VIEW, cell] != UNKNOWN or frontier[cell] or taken[cell]:
                    continue
                room = 0
                for d in range(9):
                    if pos[MASK, cell] >> d & 1:
                        near = cell + (d // 3 - 1) * width + d % 3 - 1
                        room += 1 if kind == 0 else -int(frontier[near])
                if room < best_room:
                    best, best_room = cell, room
            if best < 0 or (kind == 1 and best_room == 0):
                break
            taken[best] = True
            candidates = _insert(think, candidates, best, 1.0 - think.chance[best], threshold)
    return candidates


@compiled
def _insert(think: Think, candidates: int, cell: int, safety: float, threshold: float) -> int:
    """Insert a candidate by safety, if it is safe enough; return the new number of candidates."""
    if safety < threshold or safety <= 0.0:
        return candidates
    i = candidates
    if candidates == MOST_CANDIDATES:
        i -= 1
        if think.score[SCORE_SAFETY, i] >= safety:
            return candidates
        candidates -= 1
    while i > 0 and think.score[SCORE_SAFETY, i - 1] < safety:
        think.candidate[i] = think.candidate[i - 1]
        think.score[SCORE_SAFETY, i] = think.score[SCORE_SAFETY, i - 1]
        i -= 1
    think.candidate[i] = cell
    think.score[SCORE_SAFETY, i] = safety
    return candidates + 1


@compiled
def weigh(
    pos: Ints,
    work: Work,
    think: Think,
    width: int,
    size: int,
    mines: int,
    ratio: float,
    tuning: Tuning,
    candidates: int,
) -> None:
    """Score the candidates (SCORE_VALUE, and in SCORE_NUMBERS how many different numbers each may show).

    A candidate is given up, with a score of 0, once it cannot come close to the best so far.
    """
    log_layouts = work.value[V_LOG_LAYOUTS]
    most = max(1.0, _progress(_MOST_PROGRESS, tuning))
    best_value, best_tells = -1.0, False
    for i in range(candidates):
        safety = think.score[SCORE_SAFETY, i]
        worth, left, numbers = 0.0, 1.0, 0
        own = safety**tuning.own
        cell = think.candidate[i]
        for number in range(9):
            if left <= 1e-12:
                break
            if best_tells and own * (worth + left * most) <= tuning.close * best_value:
                worth, left = 0.0, 0.0
                break
            after = open_hypothetically(pos, work, think, width, size, mines, ratio, cell, number)
            if after != DONE:
                continue
            chance = np.exp(work.value[V_LOG_LAYOUTS] - log_layouts) / safety
            left -= chance
            numbers += 1
            worth += chance * _promise(think.position[0], work, width, size, tuning)
        value = own * worth
        tells = numbers > 1
        think.score[SCORE_VALUE, i] = value
        think.score[SCORE_NUMBERS, i] = numbers
        if (tells and not best_tells) or (value > best_value and tells == best_tells):
            best_value, best_tells = value, tells


@compiled
def open_hypothetically(
    pos: Ints, work: Work, think: Think, width: int, size: int, mines: int, ratio: float, cell: int, number: int
) -> int:
    """Make `think.position[0]` the position after `cell` shows `number`, and solve it. Returns what `solve` does."""
    after = think.position[0]
    copy_position(pos, after, size)
    queued = conclude(after, work.lists, width, cell, number, 0)
    outcome = settle(after, work.lists, width, queued)
    if outcome != DONE:
        return outcome
    return solve(after, work, width, size, mines, ratio)


@compiled
def _promise(pos: Ints, work: Work, width: int, size: int, tuning: Tuning) -> float:
    """Return what a solved position promises, relative to others: how safe the next move is and how far it leads."""
    promise = 1.0 if tuning.pairs == 0.0 else unsplit_pairs(pos, work.chance, width, size, tuning.pairs)
    first, second, safe = 1.0, 1.0, pos[TALLY, TALLY_SAFE]
    for cell in range(size):
        if pos[VIEW, cell] == UNKNOWN:
            chance = work.chance[cell]
            if chance == 0.0:
                safe += 1
            elif chance < first:
                first, second = chance, first
            elif chance < second:
                second = chance
    if first == 1.0 and safe == 0:  # every cell left is a mine: the game is won
        safe = _MOST_PROGRESS
    if safe > 0:
        return promise * _progress(safe, tuning)
    return float(promise * (1.0 - first - tuning.second * (second - first)) ** tuning.next)


@compiled
def _progress(safe: int, tuning: Tuning) -> float:
    """Return what some safe cells are worth, relative to a next move that is as good as safe."""
    return float((1.0 + tuning.started) * (1.0 + min(safe, _MOST_PROGRESS)) ** tuning.progress)


@compiled
def unsplit_pairs(pos: Ints, chance: Floats, width: int, size: int, weight: float) -> float:
    """Return the chance to survive the pairs of neighbours that mines all round will make unsplittable.

    A pair with one mine must be guessed when every cell beside only one of the two holds a mine or is beyond the
    border. An estimate: odds are multiplied as if they were independent. `weight` says how much of it counts.
    """
    survived = 1.0
    for cell in range(width + 1, size - width - 1):
        if pos[VIEW, cell] != UNKNOWN:
            continue
        for along, across in ((1, width), (width, 1)):
            twin = cell + along
            if pos[VIEW, twin] != UNKNOWN:
                continue
            guessed = chance[cell] * (1.0 - chance[twin]) + chance[twin] * (1.0 - chance[cell])
            for e in range(6):
                near = (cell - along if e < 3 else twin + along) + (e % 3 - 1) * across
                view = pos[VIEW, near] if 0 <= near < size else BLANK
                if view == UNKNOWN:
                    guessed *= chance[near]
                elif view not in (MINED, BLANK):
                    guessed = 0.0
                if guessed == 0.0:
                    break
            survived *= 1.0 - 0.5 * weight * guessed
    return survived
