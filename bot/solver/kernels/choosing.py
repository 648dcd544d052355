"""The ladder of a guess: what settles it at once, then the look-ahead, then roll-outs where `Tuning` asks for them.

`choose_guess` goes down the whole ladder inside compiled code, for trials. Live play (`guess`) calls `consider` step by
step, because it watches the clock between roll-outs and explains itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.solver.kernels.combining import solve
from bot.solver.kernels.constraints import settle
from bot.solver.kernels.endgame import NO_ANSWER, Endgame, allocate_endgame, search, search_enclosed
from bot.solver.kernels.game import conclude_certain, lowest
from bot.solver.kernels.influence import tally_influence
from bot.solver.kernels.jit import compiled
from bot.solver.kernels.lookahead import Think, Tuning, allocate_think, corner_before_opening, list_candidates, weigh
from bot.solver.kernels.rollout import Rolls, allocate_rolls, race_is_on, roll_on, shortlist
from bot.solver.kernels.workspace import V_LOG_LAYOUTS, Ints, Work

UNDECIDED, CLOSE, FEW_LAYOUTS, MUST, ENCLOSED, ALONE, WEIGHED, LOWEST, CORNER = range(9)
"""How far a guess has come: not begun, or down to close candidates that roll-outs must tell apart. Or what decided it:
the game tree, that it must be made anyway, the game tree of a region of its own, the lack of others, the look-ahead,
the lowest odds alone, that a corner comes before the first opening."""

DECIDED = (
    "",
    "roll-outs",
    "few layouts",
    "must be guessed",
    "enclosed region",
    "only candidate",
    "look-ahead",
    "lowest odds",
    "corner",
)
"""Their names."""


class Mind(NamedTuple):
    """Memory for guessing, by any player."""

    end: Endgame
    think: Think
    rolls: Rolls


def allocate_mind(padded_cells: int, tuning: Tuning) -> Mind:
    """Return memory for boards of up to `padded_cells` cells, border included, as far as `tuning` goes."""
    return Mind(
        end=allocate_endgame(padded_cells, int(tuning.layouts)),
        think=allocate_think(padded_cells),
        rolls=allocate_rolls(padded_cells, int(tuning.rolls)),
    )


@compiled
def consider(pos: Ints, work: Work, mind: Mind, tuning: Tuning, stage: int) -> tuple[int, int]:
    """Go down the ladder in a solved position without safe cells: from UNDECIDED, or from CLOSE by a batch of rolls.

    Returns how far the guess has come and the best cell so far. Close candidates are in `mind.rolls`.
    """
    end, think, rolls = mind.end, mind.think, mind.rolls
    if stage == CLOSE:
        roll_on(pos, work, end, rolls, tuning)
        return CLOSE, int(rolls.candidate[0])
    settle(pos, work.lists, work.grid.width, conclude_certain(pos, work))
    log_layouts = work.value[V_LOG_LAYOUTS]
    if log_layouts <= np.log(tuning.layouts + 0.5):
        cell = search(pos, work, end, int(tuning.nodes))
        if cell != NO_ANSWER:
            return FEW_LAYOUTS, cell
    cell = tally_influence(pos, work, think, tuning)
    if cell >= 0:
        return MUST, cell
    cell = corner_before_opening(pos, think, work.grid, tuning)
    if cell >= 0:
        return CORNER, cell
    solve(pos, work)
    if tuning.nodes > 0.0:
        cell = search_enclosed(pos, work, end, int(tuning.nodes))
        if cell != NO_ANSWER:
            return ENCLOSED, cell
    candidates = list_candidates(pos, work, think, tuning)
    if candidates == 1:
        return ALONE, int(think.candidate[0])
    weigh(pos, work, think, tuning, candidates)
    shortlist(think, rolls, candidates, tuning)
    return WEIGHED if log_layouts > tuning.roll_below else CLOSE, int(rolls.candidate[0])


@compiled
def choose_guess(pos: Ints, work: Work, mind: Mind, tuning: Tuning) -> tuple[int, int]:
    """Return what decided and the cell to guess in a solved position without safe cells.

    Close candidates are rolled out until one is left or as many layouts as `tuning` allows were drawn.
    """
    if tuning.ahead == 0.0:
        return LOWEST, lowest(pos, work)
    stage, cell = consider(pos, work, mind, tuning, UNDECIDED)
    while stage == CLOSE and race_is_on(mind.rolls, tuning):
        stage, cell = consider(pos, work, mind, tuning, CLOSE)
    return stage, cell
