"""One guess ahead: what each candidate would leave behind, whatever number it shows.

For a position in which nothing is safe, `list_candidates` finds the cells nearly as safe as the safest, and `weigh`
scores each: for every number it may show, the chance of that number times what the position then promises (a safe next
move, several of them); and what part of its risk has to be taken anyway (`influence`). What roll-outs tell beyond that
score is learnt from the traits of those positions: the *prior* (`tools/fit_prior.py`). Chances are exact; the score
stands in for the chance to win, with weights fitted to roll-outs (docs/strength.md), and only compares candidates of
one guess.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.combining import solve
from bot.solver.kernels.constraints import (
    LIVE,
    MASK,
    POSITION_FIELDS,
    SAFE,
    TALLY,
    TALLY_LIVE,
    TALLY_UNKNOWN,
    UNKNOWN,
    VIEW,
    beside,
    conclude,
    copy_position,
    dead,
    settle,
)
from bot.solver.kernels.game import conclude_certain
from bot.solver.kernels.jit import compiled
from bot.solver.kernels.workspace import (
    CELL_FRONTIER,
    DONE,
    N_FAR,
    N_FRONTIER,
    ROUNDING,
    V_LOG_LAYOUTS,
    Floats,
    Grid,
    Ints,
    Work,
)

MOST_CANDIDATES = 64

# Fields of `Think.score`: one column a candidate.
SCORE_SAFETY, SCORE_VALUE, SCORE_NUMBERS, SCORE_TAKEN = range(4)
SCORE_FIELDS = 4

TRAITS = ("next", "second", "third", "uncertain", "doubt", "far", "some", "safe", "alone")
"""Fields of `Think.trait`: one column a candidate. Each but the last is a mean over the numbers it may show, by their
chances, of the position then: the safety of the safest cell, the second and the third, and of the safest that is not
certain, all of cells that tell something; the sum of p(1 − p) along the frontier; how many cells are away from all
numbers; whether any cell is safe, and how many are. The last is 1 when no number is beside the candidate."""
(
    TRAIT_NEXT,
    TRAIT_SECOND,
    TRAIT_THIRD,
    TRAIT_UNCERTAIN,
    TRAIT_DOUBT,
    TRAIT_FAR,
    TRAIT_SOME,
    TRAIT_SAFE,
    TRAIT_ALONE,
) = range(9)
TRAIT_FIELDS = 9

GROUP_MEMBERS = 8
"""Place in `Think.group` of how many of its cells are those to guess between."""


class Tuning(NamedTuple):
    """The numbers a trial may turn. The defaults are what the trials in docs/strength.md settled on."""

    ahead: float = 1.0  # 0 for the player that takes the lowest odds and looks no further
    factor: float = 0.9  # candidates are at least this share of the best safety
    layouts: float = 1000.0  # at most as many are searched to the end
    nodes: float = 40_000.0  # and given up after as many positions; with 0 no region is played by itself either
    far: float = 4.0  # far cells among the candidates, of each kind
    own: float = 0.74  # power of a candidate's own safety in its score
    influence: float = 0.55  # weight of the guess that must be made anyway, in the logarithm of a score
    enabler: float = 1.0  # influence of a cell that lets such a guess come to be, beside the guess's own
    least: float = 0.01  # share of layouts below which such a guess is not looked at
    corner: float = 0.95  # before the first opening a corner is taken if it is this share as safe as the safest
    next: float = 0.9  # power of the next move's
    second: float = 0.2  # weight of the second safest next move
    progress: float = 0.05  # power of the number of cells that will be safe, plus one
    started: float = -0.053  # what the first of them adds or, as it may lead nowhere, takes
    prior: float = 1.0  # weight of the learnt prior; 0 for a score without it
    # The prior: what each of TRAITS adds to the logarithm of a score, made by
    # `python -m tools.fit_prior --games 3600 --seed 700000001`.
    prior_next: float = -0.2774
    prior_second: float = 0.2685
    prior_third: float = 0.2398
    prior_uncertain: float = 0.0306
    prior_doubt: float = -0.0269
    prior_far: float = -0.0065
    prior_some: float = 0.0182
    prior_safe: float = -0.0088
    prior_alone: float = -0.0114
    rolls: float = 128.0  # layouts rolled out at most
    roll_below: float = 20.0  # roll-outs where the logarithm of the number of layouts is at most this
    close: float = 0.96  # candidates are close if their score is at least this share of the best; those are rolled out
    roll_layouts: float = 30.0  # perfect play from as many layouts on in roll-outs
    doubt: float = 0.0175  # how far the look-ahead's estimate may be off, relatively, early in a game
    doubt_late: float = 0.0165  # and how much further late
    confidence: float = 1.5  # standard errors behind the leader at which a candidate is dropped
    patience: float = 64.0  # layouts before the first is dropped: how much they differ shows late, as few differ much


BEST = Tuning()
CSP = Tuning(ahead=0.0)
DEEP = Tuning(
    prior=0.0,  # not measured under so many roll-outs
    factor=0.85,
    rolls=1024.0,
    roll_below=np.inf,
    close=0.9,
    roll_layouts=60.0,
    doubt=0.028,
    doubt_late=0.03,
    confidence=2.0,
)
_MOST_PROGRESS = 8
"""Safe cells beyond these count no more, which bounds a score and thereby the candidates that need be looked at."""

MOST_PRIOR = 0.05
"""So much, in the logarithm of a score, the prior makes up at most for what a candidate is behind: it bounds a score
likewise. The prior varies by 0.011 between the candidates of a guess (standard deviation)."""


class Think(NamedTuple):
    """Memory for weighing guesses."""

    position: Ints  # (2, POSITION_FIELDS, P): hypothetical positions
    chance: Floats  # (P,): odds of the position being weighed
    mark: NDArray[np.bool_]  # (2, P): while listing candidates, the frontier and the far cells taken
    influence: Floats  # (P,): share of layouts in which a cell is the mine of a guess that must be made anyway
    group: Ints  # (9,): the cells of such a guess, then those that must be mines for it; at GROUP_MEMBERS how many
    candidate: Ints  # (MOST_CANDIDATES,)
    score: Floats  # (SCORE_FIELDS, MOST_CANDIDATES)
    trait: Floats  # (TRAIT_FIELDS, MOST_CANDIDATES)


def allocate_think(padded_cells: int) -> Think:
    """Return memory for boards of up to `padded_cells` cells, border included."""
    return Think(
        position=np.zeros((2, POSITION_FIELDS, padded_cells), np.int32),
        chance=np.zeros(padded_cells, np.float64),
        influence=np.zeros(padded_cells, np.float64),
        group=np.zeros(GROUP_MEMBERS + 1, np.int32),
        mark=np.zeros((2, padded_cells), np.bool_),
        candidate=np.zeros(MOST_CANDIDATES, np.int32),
        score=np.zeros((SCORE_FIELDS, MOST_CANDIDATES), np.float64),
        trait=np.zeros((TRAIT_FIELDS, MOST_CANDIDATES), np.float64),
    )


@compiled
def list_candidates(pos: Ints, work: Work, think: Think, tuning: Tuning) -> int:
    """Fill `think.candidate`, safest first; return how many candidates there are.

    Takes `think.chance` and `influence`. All frontier cells that are safe enough, their influence counted as safety; of
    the far cells, all equally safe, those with fewest unknown neighbours and those beside most frontier cells.
    """
    lowest = 1.0
    for i in range(pos[TALLY, TALLY_LIVE]):
        if pos[VIEW, pos[LIVE, i]] == UNKNOWN:
            lowest = min(lowest, think.chance[pos[LIVE, i]])
    threshold = (1.0 - lowest) * tuning.factor
    candidates = 0
    for i in range(work.tally[N_FRONTIER]):
        cell = work.cell[CELL_FRONTIER, i]
        candidates = _insert(think, candidates, cell, 1.0 - think.chance[cell], threshold)
    if work.tally[N_FAR] == 0:
        return candidates
    frontier, taken = think.mark[0], think.mark[1]
    frontier[: work.grid.size] = False
    taken[: work.grid.size] = False
    for i in range(work.tally[N_FRONTIER]):
        frontier[work.cell[CELL_FRONTIER, i]] = True
    for kind in range(2):
        for _ in range(int(tuning.far)):
            best, best_room = -1, 9
            for i in range(pos[TALLY, TALLY_LIVE]):
                cell = pos[LIVE, i]
                if pos[VIEW, cell] != UNKNOWN or frontier[cell] or taken[cell]:
                    continue
                room = 0
                for d in range(9):
                    if pos[MASK, cell] >> d & 1:
                        near = beside(cell, d, work.grid.width)
                        room += 1 if kind == 0 else -int(frontier[near])
                if room < best_room:
                    best, best_room = cell, room
            if best < 0 or (kind == 1 and best_room == 0):
                break
            taken[best] = True
            candidates = _insert(think, candidates, best, 1.0 - think.chance[best], threshold)
    return candidates


@compiled
def corner_before_opening(pos: Ints, think: Think, grid: Grid, tuning: Tuning) -> int:
    """Return a corner to open while nothing is an opening yet, the likeliest cell to be one; −1 when none is to be.

    It must be nearly as safe as the safest cell, and have no number beside it. Takes `think.chance`.
    """
    width, size, lowest = grid.width, grid.size, 1.0
    for cell in range(size):
        if pos[VIEW, cell] == 0:
            return -1
        if pos[VIEW, cell] == UNKNOWN:
            lowest = min(lowest, think.chance[cell])
    best, best_chance = -1, 1.0 - tuning.corner * (1.0 - lowest)
    for i in range(4):
        inward = 1 if i % 2 == 0 else -1
        cell = (width if i < 2 else size - 2 * width) + (1 if inward == 1 else width - 2)
        beside = cell + (width if i < 2 else -width)
        free = pos[VIEW, cell + inward] > 8 and pos[VIEW, beside] > 8 and pos[VIEW, beside + inward] > 8
        if pos[VIEW, cell] == UNKNOWN and free and think.chance[cell] <= best_chance:
            best, best_chance = cell, think.chance[cell] - ROUNDING
    return best


@compiled
def _insert(think: Think, candidates: int, cell: int, safety: float, threshold: float) -> int:
    """Insert a candidate by safety, if it is safe enough; return the new number of candidates."""
    if safety + think.influence[cell] < threshold or safety <= 0.0:
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
def weigh(pos: Ints, work: Work, think: Think, tuning: Tuning, candidates: int) -> None:
    """Score the candidates (SCORE_VALUE, and in SCORE_NUMBERS how many different numbers each may show).

    A candidate is given up, with a score of 0, once it cannot come close to the best so far. The best before the prior
    is scored without it and the others relative to that.
    """
    log_layouts = work.value[V_LOG_LAYOUTS]
    most = max(1.0, _progress(_MOST_PROGRESS, tuning)) * np.exp(MOST_PRIOR)
    best, best_value, best_tells = 0, -1.0, False
    for i in range(candidates):
        safety = think.score[SCORE_SAFETY, i]
        worth, left, numbers = 0.0, 1.0, 0
        cell = think.candidate[i]
        for trait in range(TRAIT_FIELDS):
            think.trait[trait, i] = 0.0
        think.trait[TRAIT_ALONE, i] = _is_alone(pos, work.grid.width, cell)
        own = safety**tuning.own * np.exp(tuning.influence * think.influence[cell] / safety)
        for number in range(9):
            if left <= ROUNDING:
                break
            if best_tells and own * (worth * np.exp(MOST_PRIOR) + left * most) <= tuning.close * best_value:
                worth, left = 0.0, 0.0
                break
            after = open_hypothetically(pos, work, think, cell, number)
            if after != DONE:
                continue
            chance = np.exp(work.value[V_LOG_LAYOUTS] - log_layouts) / safety
            left -= chance
            numbers += 1
            worth += chance * _promise(think.position[0], work, think, tuning, i, chance)
        value = own * worth
        tells = numbers > 1
        think.score[SCORE_VALUE, i] = value
        think.score[SCORE_NUMBERS, i] = numbers
        if (tells and not best_tells) or (value > best_value and tells == best_tells):
            best, best_value, best_tells = i, value, tells
    if tuning.prior > 0.0:
        _add_prior(think, tuning, candidates, best)


@compiled
def _is_alone(pos: Ints, width: int, cell: int) -> bool:
    """Return whether no open number is beside a cell."""
    numbers = 0
    for d in range(9):
        numbers += pos[VIEW, beside(cell, d, width)] <= 8
    return bool(numbers == 0)


@compiled
def _add_prior(think: Think, tuning: Tuning, candidates: int, best: int) -> None:
    """Put into the scores what the prior makes of each candidate's traits beyond those of the best without it."""
    start = _prior(think, tuning, best)
    for i in range(candidates):
        more = min(tuning.prior * (_prior(think, tuning, i) - start), MOST_PRIOR)
        think.score[SCORE_VALUE, i] *= np.exp(more)


@compiled
def _prior(think: Think, tuning: Tuning, at: int) -> float:
    """Return what the prior makes of a candidate, in the logarithm of a score."""
    trait = think.trait
    prior = tuning.prior_next * trait[TRAIT_NEXT, at]
    prior += tuning.prior_second * trait[TRAIT_SECOND, at]
    prior += tuning.prior_third * trait[TRAIT_THIRD, at]
    prior += tuning.prior_uncertain * trait[TRAIT_UNCERTAIN, at]
    prior += tuning.prior_doubt * trait[TRAIT_DOUBT, at]
    prior += tuning.prior_far * trait[TRAIT_FAR, at]
    prior += tuning.prior_some * trait[TRAIT_SOME, at]
    prior += tuning.prior_safe * trait[TRAIT_SAFE, at]
    prior += tuning.prior_alone * trait[TRAIT_ALONE, at]
    return float(prior)


@compiled
def open_hypothetically(pos: Ints, work: Work, think: Think, cell: int, number: int) -> int:
    """Make `think.position[0]` the position after `cell` shows `number`, and solve it. Returns what `solve` does."""
    after, width = think.position[0], work.grid.width
    copy_position(pos, after, work.grid.size)
    queued = conclude(after, work.lists, width, cell, number, 0)
    outcome = settle(after, work.lists, width, queued)
    if outcome != DONE:
        return outcome
    return solve(after, work)


@compiled
def _promise(pos: Ints, work: Work, think: Think, tuning: Tuning, at: int, share: float) -> float:
    """Return what a solved position promises, relative to others: how safe the next move is and how far it leads.

    Cells that tell nothing lead nowhere: they are passed over, safe or not, unless there is nothing else. Adds the
    position's share of the traits of the candidate at `at`.
    """
    settle(pos, work.lists, work.grid.width, conclude_certain(pos, work))
    trait = think.trait
    if pos[TALLY, TALLY_UNKNOWN] == 0:  # every cell left is a mine or safe: the game is won
        for certain in (TRAIT_NEXT, TRAIT_SECOND, TRAIT_THIRD, TRAIT_UNCERTAIN, TRAIT_SOME):
            trait[certain, at] += share
        trait[TRAIT_SAFE, at] += share * _MOST_PROGRESS
        return _progress(_MOST_PROGRESS, tuning)
    first, second, third, safe, dead_first = 1.0, 1.0, 1.0, 0, 1.0
    for i in range(pos[TALLY, TALLY_LIVE]):
        cell = pos[LIVE, i]
        if pos[VIEW, cell] == SAFE:
            if safe < _MOST_PROGRESS and not dead(pos, work.grid, cell):
                safe += 1
        elif pos[VIEW, cell] == UNKNOWN:
            chance = work.chance[cell]
            if chance >= third:
                continue
            if dead(pos, work.grid, cell):
                dead_first = min(dead_first, chance)
            elif chance < first:
                first, second, third = chance, first, second
            elif chance < second:
                second, third = chance, second
            else:
                third = chance
    if first == 1.0:
        first = dead_first
    doubt = 0.0
    for i in range(work.tally[N_FRONTIER]):
        chance = work.chance[work.cell[CELL_FRONTIER, i]]
        doubt += chance * (1.0 - chance)
    trait[TRAIT_DOUBT, at] += share * doubt
    trait[TRAIT_FAR, at] += share * work.tally[N_FAR]
    trait[TRAIT_UNCERTAIN, at] += share * (1.0 - first)
    if safe > 0:
        trait[TRAIT_SOME, at] += share
        trait[TRAIT_SAFE, at] += share * safe
        trait[TRAIT_NEXT, at] += share
        trait[TRAIT_SECOND, at] += share * (1.0 if safe > 1 else 1.0 - first)
        trait[TRAIT_THIRD, at] += share * (1.0 if safe > 2 else 1.0 - first if safe == 2 else 1.0 - second)
        return _progress(safe, tuning)
    trait[TRAIT_NEXT, at] += share * (1.0 - first)
    trait[TRAIT_SECOND, at] += share * (1.0 - second)
    trait[TRAIT_THIRD, at] += share * (1.0 - third)
    return float((1.0 - first - tuning.second * (second - first)) ** tuning.next)


@compiled
def _progress(safe: int, tuning: Tuning) -> float:
    """Return what some safe cells are worth, relative to a next move that is as good as safe."""
    return float((1.0 + tuning.started) * (1.0 + min(safe, _MOST_PROGRESS)) ** tuning.progress)
