"""Guessing by playing on: candidates tried on the same exactly drawn layouts, the close ones again and again.

A roll-out opens a candidate in a drawn layout and plays on with the lowest odds. Guesses on the way are not won or
lost: the chance to survive is multiplied in, and where the layout has a mine another one that has none is drawn; few
layouts left are valued by perfect play. So one roll-out is a number between 0 and 1 whose mean is exactly what that
player wins. Estimates are shrunk towards the look-ahead's, and candidates that fall behind are dropped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.solver.compiled import compiled
from bot.solver.constraints import POSITION_FIELDS, copy_position
from bot.solver.dealing import EXACT, STUCK, WON, Mines, advance, lowest, open_cell
from bot.solver.endgame import NO_ANSWER, RESULT_LAYOUTS, RESULT_WON, Endgame, search
from bot.solver.lookahead import SCORE_NUMBERS, SCORE_SAFETY, SCORE_VALUE, Think, Tuning, unsplittable
from bot.solver.odds import solve
from bot.solver.sampling import sample_layouts
from bot.solver.workspace import V_LOG_LAYOUTS, Floats, Ints, Work

MOST_ROLLED = 8
BATCH = 16

_LATE = 40.0
"""The logarithm of the number of layouts by which a game begins to be late."""


class Rolls(NamedTuple):
    """Memory for roll-outs: of up to MOST_ROLLED candidates on up to N layouts, drawn BATCH at a time."""

    position: Ints  # (POSITION_FIELDS, P)
    truth: Mines  # (1, P): the layout being played
    layouts: Mines  # (BATCH, P)
    value: Floats  # (MOST_ROLLED, N): chance to win, NaN where the candidate was not tried
    candidate: Ints  # (MOST_ROLLED,)
    prior: Floats  # (MOST_ROLLED,): the look-ahead's score
    safety: Floats  # (MOST_ROLLED,)
    estimate: Floats  # (MOST_ROLLED,): chance to win the game


def allocate_rolls(padded_cells: int, most: int) -> Rolls:
    """Return memory for `most` layouts a guess."""
    return Rolls(
        position=np.zeros((POSITION_FIELDS, padded_cells), np.int32),
        truth=np.zeros((1, padded_cells), np.uint8),
        layouts=np.zeros((BATCH, padded_cells), np.uint8),
        value=np.zeros((MOST_ROLLED, most), np.float64),
        candidate=np.zeros(MOST_ROLLED, np.int32),
        prior=np.zeros(MOST_ROLLED, np.float64),
        safety=np.zeros(MOST_ROLLED, np.float64),
        estimate=np.zeros(MOST_ROLLED, np.float64),
    )


@compiled
def shortlist(think: Think, rolls: Rolls, candidates: int, tuning: Tuning) -> int:
    """Take the candidates whose score is near the best, best first; return how many.

    Cells that would show the same number in every layout tell nothing and are taken only if there is no other.
    """
    count = 0
    taken = think.score[SCORE_NUMBERS, :candidates] == 1
    if taken.all():
        taken[:] = False
    while count < MOST_ROLLED:
        best = -1
        for i in range(candidates):
            if not taken[i] and (best < 0 or think.score[SCORE_VALUE, i] > think.score[SCORE_VALUE, best]):
                best = i
        if best < 0 or (count > 0 and think.score[SCORE_VALUE, best] < tuning.close * rolls.prior[0]):
            break
        taken[best] = True
        rolls.candidate[count] = think.candidate[best]
        rolls.prior[count] = think.score[SCORE_VALUE, best]
        rolls.safety[count] = think.score[SCORE_SAFETY, best]
        count += 1
    return count


@compiled
def roll_batch(
    pos: Ints,
    work: Work,
    end: Endgame,
    rolls: Rolls,
    width: int,
    size: int,
    mines: int,
    ratio: float,
    tuning: Tuning,
    count: int,
    done: int,
) -> None:
    """Try the first `count` candidates on BATCH more layouts; values go to columns from `done` on."""
    solve(pos, work, width, size, mines, ratio)
    sample_layouts(pos, work, size, rolls.layouts)
    for t in range(BATCH):
        for i in range(count):
            cell = rolls.candidate[i]
            if rolls.layouts[t, cell] == 1:
                rolls.value[i, done + t] = np.nan
            else:
                for at in range(size):
                    rolls.truth[0, at] = rolls.layouts[t, at]
                rolls.value[i, done + t] = _roll(pos, work, end, rolls, width, size, mines, ratio, tuning, cell)


@compiled
def _roll(
    pos: Ints,
    work: Work,
    end: Endgame,
    rolls: Rolls,
    width: int,
    size: int,
    mines: int,
    ratio: float,
    tuning: Tuning,
    cell: int,
) -> float:
    """Play on from `pos` by opening `cell` in the layout `rolls.truth`; return the chance to win."""
    now, truth = rolls.position, rolls.truth[0]
    copy_position(pos, now, size)
    chance = 1.0
    guess = cell
    while True:
        queued = open_cell(now, truth, work.lists, width, guess, 0)
        outcome = advance(now, truth, work, width, size, mines, ratio, EXACT, queued)
        if outcome == WON:
            return chance
        if outcome != STUCK:
            return 0.0
        few = work.value[V_LOG_LAYOUTS] <= np.log(tuning.roll_layouts + 0.5)
        if few and search(now, work, end, width, size, mines, 500) != NO_ANSWER:
            return float(chance * end.result[RESULT_WON] / end.result[RESULT_LAYOUTS])
        guess = unsplittable(now, width, size)
        if guess < 0:
            guess = lowest(now, work, width, size)
        chance *= 1.0 - work.chance[guess]
        while truth[guess] == 1:
            sample_layouts(now, work, size, rolls.truth)


@compiled
def drop_behind(rolls: Rolls, count: int, done: int, log_layouts: float, tuning: Tuning) -> int:
    """Estimate the candidates from `done` layouts, put the best first and drop the clearly worse; return how many stay.

    The first is taken at its mean; the others between their own mean and what the look-ahead says relative to the
    first, by how much the difference to the first varies from layout to layout. A candidate is dropped when what is
    left of the doubt about that difference can hardly make up for it. The look-ahead is the surer the more layouts a
    position has, whose logarithm is `log_layouts`.
    """
    mean = np.zeros(count)
    for i in range(count):
        total, tried = 0.0, 0
        for t in range(done):
            if not np.isnan(rolls.value[i, t]):
                total += rolls.value[i, t]
                tried += 1
        mean[i] = rolls.safety[i] * total / max(tried, 1)
    lead = 0
    rolls.estimate[0] = mean[0]
    off = tuning.doubt + tuning.doubt_late * np.exp(-log_layouts / _LATE)
    belief = (off * mean[0]) ** 2 + 1e-9
    doubt = np.zeros(count)
    for i in range(1, count):
        prior = mean[0] * rolls.prior[i] / rolls.prior[0]
        noise = max(_difference(rolls, i, done), 0.02) ** 2 / done
        rolls.estimate[i] = (mean[i] * belief + prior * noise) / (belief + noise)
        doubt[i] = np.sqrt(belief * noise / (belief + noise))
        if rolls.estimate[i] > rolls.estimate[lead]:
            lead = i
    doubt[0] = doubt[lead]
    _swap(rolls, 0, lead, done)
    stay = 1
    for i in range(1, count):
        if rolls.estimate[0] - rolls.estimate[i] <= tuning.confidence * (doubt[0] if i == lead else doubt[i]):
            _swap(rolls, stay, i, done)
            stay += 1
    return stay


@compiled
def _difference(rolls: Rolls, i: int, done: int) -> float:
    """Return the standard deviation of the difference between a candidate and the leader on common layouts."""
    total, squares, tried = 0.0, 0.0, 0
    for t in range(done):
        value = rolls.safety[i] * rolls.value[i, t] - rolls.safety[0] * rolls.value[0, t]
        if not np.isnan(value):
            total += value
            squares += value * value
            tried += 1
    if tried < 2:
        return 0.5
    return float(np.sqrt(max(squares / tried - (total / tried) ** 2, 0.0)))


@compiled
def _swap(rolls: Rolls, i: int, j: int, done: int) -> None:
    """Exchange two candidates."""
    if i == j:
        return
    rolls.candidate[i], rolls.candidate[j] = rolls.candidate[j], rolls.candidate[i]
    for row in (rolls.prior, rolls.safety, rolls.estimate):
        row[i], row[j] = row[j], row[i]
    for t in range(done):
        rolls.value[i, t], rolls.value[j, t] = rolls.value[j, t], rolls.value[i, t]
