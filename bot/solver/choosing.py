"""The ladder of a guess: what settles it at once, then the look-ahead, then roll-outs where `Tuning` asks for them.

`choose_guess` goes down the whole ladder inside compiled code, for trials. Live play (`guess`) takes the same steps one
by one, because it watches the clock between roll-outs and explains itself.
"""

from __future__ import annotations

import numpy as np

from bot.solver.compiled import compiled
from bot.solver.endgame import NO_ANSWER, Endgame, search, search_enclosed
from bot.solver.lookahead import Think, Tuning, list_candidates, unsplittable, weigh
from bot.solver.rollout import BATCH, Rolls, drop_behind, roll_batch, shortlist
from bot.solver.workspace import V_LOG_LAYOUTS, Ints, Work

OPEN_QUESTION, FEW_LAYOUTS, PAIR, ENCLOSED = range(4)
"""What settles a guess without weighing: nothing, the game tree, an unsplittable pair, a region of its own."""


@compiled
def settled_guess(
    pos: Ints, work: Work, end: Endgame, width: int, size: int, mines: int, tuning: Tuning
) -> tuple[int, int]:
    """Return what settles the guess in a solved position without safe cells, and its cell; the count is in `end`."""
    if work.value[V_LOG_LAYOUTS] <= np.log(tuning.layouts + 0.5):
        cell = search(pos, work, end, width, size, mines, int(tuning.nodes))
        if cell != NO_ANSWER:
            return FEW_LAYOUTS, cell
    cell = unsplittable(pos, width, size)
    if cell >= 0:
        return PAIR, cell
    cell = search_enclosed(pos, work, end, width, size, int(tuning.nodes))
    if cell != NO_ANSWER:
        return ENCLOSED, cell
    return OPEN_QUESTION, NO_ANSWER


@compiled
def choose_guess(
    pos: Ints,
    work: Work,
    end: Endgame,
    think: Think,
    rolls: Rolls,
    width: int,
    size: int,
    mines: int,
    ratio: float,
    tuning: Tuning,
) -> int:
    """Return the cell to guess in a solved position without safe cells.

    Candidates are rolled out, where `tuning` asks for it, until one is left or `rolls` is full.
    """
    kind, cell = settled_guess(pos, work, end, width, size, mines, tuning)
    if kind != OPEN_QUESTION:
        return cell
    candidates = list_candidates(pos, work, think, width, size, tuning)
    if candidates == 1:
        return int(think.candidate[0])
    log_layouts = work.value[V_LOG_LAYOUTS]
    roll = log_layouts <= tuning.roll_below
    best = weigh(pos, work, think, width, size, mines, ratio, tuning, candidates, tuning.close if roll else 1.0)
    if not roll:
        return int(think.candidate[best])
    count, done = shortlist(think, rolls, candidates, tuning), 0
    while count > 1 and done + BATCH <= rolls.value.shape[1]:
        roll_batch(pos, work, end, rolls, width, size, mines, ratio, tuning, count, done)
        done += BATCH
        count = drop_behind(rolls, count, done, log_layouts, tuning)
    return int(rolls.candidate[0])
