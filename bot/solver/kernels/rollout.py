"""Guessing by playing on: candidates tried on the same exactly drawn layouts, the close ones again and again.

A roll-out opens a candidate in a drawn layout and plays on with the lowest odds. Guesses on the way are not won or
lost: the chance to survive is multiplied in, and where the layout has a mine another one that has none is drawn; few
layouts left are valued by perfect play. Candidates that come to the same position in the same layout go on from there
once. So one roll-out is a number between 0 and 1 whose mean is exactly what that player wins. Estimates are shrunk
towards the look-ahead's, and candidates that fall behind are dropped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bot.solver.kernels.combining import solve
from bot.solver.kernels.constraints import (
    FIRST_FACTOR,
    POSITION_FIELDS,
    SECOND_FACTOR,
    copy_position,
    fingerprint,
)
from bot.solver.kernels.endgame import NO_ANSWER, RESULT_LAYOUTS, RESULT_WON, Endgame, search
from bot.solver.kernels.game import EXACT, STUCK, WON, advance, lowest, open_cell
from bot.solver.kernels.influence import unsplittable
from bot.solver.kernels.jit import compiled
from bot.solver.kernels.lookahead import SCORE_NUMBERS, SCORE_SAFETY, SCORE_TAKEN, SCORE_VALUE, Think, Tuning
from bot.solver.kernels.sampling import Draft, Mines, allocate_draft, redraw, sample_layouts
from bot.solver.kernels.workspace import ROUNDING, V_LOG_LAYOUTS, Floats, Ints, Words, Work

MOST_ROLLED = 8
"""Candidates rolled out at most."""

BATCH = 16
"""Layouts drawn at a time."""

# Places in `Rolls.tally`: candidates still in the running, and layouts they were tried on; the stamp of what `memo`
# holds of this guess, and how much that is.
ROLLS_RUNNING, ROLLS_DONE, ROLLS_STAMP, ROLLS_MEMOS = range(4)

# Fields of `Rolls.memo`: a position's two fingerprints, the stamp, and the layout its value is of (EVERY when it is
# exact, NONE while there is none).
MEMO_FIRST, MEMO_SECOND, MEMO_STAMP, MEMO_LAYOUT = range(4)
MEMO_FIELDS = 4
EVERY, NONE = np.uint64(1 << 32), np.uint64(1 << 33)

_MEMOS = 1 << 14
"""Positions remembered at a time: a power of two. A quarter of them is used."""

_END_NODES = 500
"""Positions a game tree within a roll-out may have: nearly all have fewer."""

_MOST_GUESSES = 64
"""Guesses of one roll-out that are remembered."""

_LATE = 40.0
"""The logarithm of the number of layouts by which a game begins to be late."""


_LEAST_SPREAD, _UNKNOWN_SPREAD = 0.02, 0.5
"""How much two candidates differ from layout to layout: taken for granted, and as long as nothing is known."""


class Rolls(NamedTuple):
    """Memory for roll-outs: of up to MOST_ROLLED candidates on up to N layouts, drawn BATCH at a time."""

    position: Ints  # (POSITION_FIELDS, P)
    truth: Mines  # (1, P): the layout being played
    layouts: Mines  # (BATCH, P)
    value: Floats  # (MOST_ROLLED, N): chance to win, NaN where the candidate was not tried
    candidate: Ints  # (MOST_ROLLED,)
    prior: Floats  # (MOST_ROLLED,): the look-ahead's score
    safety: Floats  # (MOST_ROLLED,)
    mean: Floats  # (MOST_ROLLED,): chance to win the game by the roll-outs alone
    doubt: Floats  # (MOST_ROLLED,): standard error of the difference to the first, as far as it is known
    estimate: Floats  # (MOST_ROLLED,): chance to win the game
    tally: Ints  # (4,)
    memo: Words  # (MEMO_FIELDS, _MEMOS): positions met in this guess's roll-outs
    memo_value: Floats  # (_MEMOS,): what was won from there on
    path: Ints  # (_MOST_GUESSES,): places in `memo` of the positions of the roll-out being played
    path_chance: Floats  # (_MOST_GUESSES,): the chance to have come that far
    draft: Draft


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
        mean=np.zeros(MOST_ROLLED, np.float64),
        doubt=np.zeros(MOST_ROLLED, np.float64),
        estimate=np.zeros(MOST_ROLLED, np.float64),
        tally=np.array([0, 0, 1, 0], np.int32),  # the stamp of nothing is 0
        memo=np.zeros((MEMO_FIELDS, _MEMOS), np.uint64),
        memo_value=np.zeros(_MEMOS, np.float64),
        path=np.zeros(_MOST_GUESSES, np.int32),
        path_chance=np.zeros(_MOST_GUESSES, np.float64),
        draft=allocate_draft(padded_cells, BATCH),
    )


@compiled
def shortlist(think: Think, rolls: Rolls, candidates: int, tuning: Tuning) -> None:
    """Take the candidates whose score is near the best into `rolls`, best first.

    Cells that would show the same number in every layout tell nothing and are taken only if there is no other. Of
    candidates that differ by rounding only, the first is the better one.
    """
    telling = 0
    for i in range(candidates):
        telling += think.score[SCORE_NUMBERS, i] > 1
    for i in range(candidates):
        think.score[SCORE_TAKEN, i] = telling > 0 and think.score[SCORE_NUMBERS, i] <= 1
    count = 0
    while count < MOST_ROLLED:
        best = -1
        for i in range(candidates):
            free = think.score[SCORE_TAKEN, i] == 0.0
            if free and (best < 0 or think.score[SCORE_VALUE, i] > think.score[SCORE_VALUE, best] + ROUNDING):
                best = i
        if best < 0 or (count > 0 and think.score[SCORE_VALUE, best] < tuning.close * rolls.prior[0]):
            break
        think.score[SCORE_TAKEN, best] = 1.0
        rolls.candidate[count] = think.candidate[best]
        rolls.prior[count] = think.score[SCORE_VALUE, best]
        rolls.safety[count] = think.score[SCORE_SAFETY, best]
        count += 1
    rolls.tally[ROLLS_RUNNING] = count
    rolls.tally[ROLLS_DONE] = 0
    rolls.tally[ROLLS_STAMP] += 1
    rolls.tally[ROLLS_MEMOS] = 0


@compiled
def race_is_on(rolls: Rolls, tuning: Tuning) -> bool:
    """Return whether several candidates are in the running, and there is room for more layouts."""
    return bool(rolls.tally[ROLLS_RUNNING] > 1 and rolls.tally[ROLLS_DONE] + BATCH <= tuning.rolls)


@compiled
def roll_on(pos: Ints, work: Work, end: Endgame, rolls: Rolls, tuning: Tuning) -> None:
    """Try the candidates in the running on BATCH more layouts, estimate them anew and drop those that fell behind."""
    size = work.grid.size
    solve(pos, work)
    log_layouts = work.value[V_LOG_LAYOUTS]
    sample_layouts(pos, work, rolls.draft, rolls.layouts)
    for t in range(BATCH):
        for i in range(rolls.tally[ROLLS_RUNNING]):
            cell, value = rolls.candidate[i], np.nan
            if rolls.layouts[t, cell] == 0:
                for at in range(size):
                    rolls.truth[0, at] = rolls.layouts[t, at]
                value = _roll(pos, work, end, rolls, tuning, cell, rolls.tally[ROLLS_DONE] + t)
            rolls.value[i, rolls.tally[ROLLS_DONE] + t] = value
    rolls.tally[ROLLS_DONE] += BATCH
    _drop_behind(rolls, log_layouts, tuning)


@compiled
def _roll(
    pos: Ints,
    work: Work,
    end: Endgame,
    rolls: Rolls,
    tuning: Tuning,
    cell: int,
    layout: int,
) -> float:
    """Play on from `pos` by opening `cell` in the layout `rolls.truth`; return the chance to win.

    Where a candidate comes to a position that another one came to in the same layout (`layout` is its number), what
    that one won from there on is taken: it saves time, and luck after a redraw is common luck.
    """
    width, size = work.grid.width, work.grid.size
    now, truth = rolls.position, rolls.truth[0]
    copy_position(pos, now, size)
    if 4 * rolls.tally[ROLLS_MEMOS] > _MEMOS:
        rolls.tally[ROLLS_STAMP] += 1
        rolls.tally[ROLLS_MEMOS] = 0
    chance, met = 1.0, 0
    guess = cell
    while True:
        queued = open_cell(now, truth, work.lists, width, guess, 0)
        outcome = advance(now, truth, work, EXACT, queued)
        if outcome == WON:
            break
        if outcome != STUCK:
            chance = 0.0
            break
        at, known = _meet(now, rolls, layout)
        if known:
            chance *= rolls.memo_value[at]
            break
        few = work.value[V_LOG_LAYOUTS] <= np.log(tuning.roll_layouts + 0.5)
        if few and search(now, work, end, _END_NODES) != NO_ANSWER:
            rolls.memo[MEMO_LAYOUT, at] = EVERY
            rolls.memo_value[at] = end.result[RESULT_WON] / end.result[RESULT_LAYOUTS]
            chance *= rolls.memo_value[at]
            break
        if met < _MOST_GUESSES:
            rolls.memo[MEMO_LAYOUT, at] = np.uint64(layout)
            rolls.path[met] = at
            rolls.path_chance[met] = chance
            met += 1
        guess = unsplittable(now, width)
        if guess < 0:
            guess = lowest(now, work)
        chance *= 1.0 - work.chance[guess]
        while truth[guess] == 1:
            redraw(now, work, rolls.draft, rolls.truth)
    for i in range(met):
        rolls.memo_value[rolls.path[i]] = chance / rolls.path_chance[i]
    return chance


@compiled
def _meet(pos: Ints, rolls: Rolls, layout: int) -> tuple[int, bool]:
    """Return the place in `rolls.memo` of a position, and whether what is won from there in a layout is known."""
    memo, stamp = rolls.memo, np.uint64(rolls.tally[ROLLS_STAMP])
    first, second = fingerprint(pos, FIRST_FACTOR), fingerprint(pos, SECOND_FACTOR)
    at = int(np.int64((first ^ second) & np.uint64(_MEMOS - 1)))
    while memo[MEMO_STAMP, at] == stamp:
        if memo[MEMO_FIRST, at] == first and memo[MEMO_SECOND, at] == second:
            return at, memo[MEMO_LAYOUT, at] in (EVERY, np.uint64(layout))
        at = (at + 1) & (_MEMOS - 1)
    rolls.tally[ROLLS_MEMOS] += 1
    memo[MEMO_STAMP, at] = stamp
    memo[MEMO_FIRST, at], memo[MEMO_SECOND, at] = first, second
    memo[MEMO_LAYOUT, at] = NONE
    return at, False


@compiled
def _drop_behind(rolls: Rolls, log_layouts: float, tuning: Tuning) -> None:
    """Estimate the candidates in the running from all layouts so far, put the best first and drop the clearly worse.

    The first is taken at its mean; the others between their own mean and what the look-ahead says relative to the
    first, by how much the difference to the first varies from layout to layout. A candidate is dropped when what is
    left of the doubt about that difference can hardly make up for it. The look-ahead is the surer the more layouts a
    position has, whose logarithm is `log_layouts`.
    """
    count, done = rolls.tally[ROLLS_RUNNING], rolls.tally[ROLLS_DONE]
    mean, doubt, estimate = rolls.mean, rolls.doubt, rolls.estimate
    for i in range(count):
        total, tried = 0.0, 0
        for t in range(done):
            if not np.isnan(rolls.value[i, t]):
                total += rolls.value[i, t]
                tried += 1
        mean[i] = rolls.safety[i] * total / max(tried, 1)
    lead = 0
    estimate[0], doubt[0] = mean[0], 0.0
    off = tuning.doubt + tuning.doubt_late * np.exp(-log_layouts / _LATE)
    belief = (off * mean[0]) ** 2 + 1e-9
    for i in range(1, count):
        prior = mean[0] * rolls.prior[i] / rolls.prior[0]
        noise = max(_difference(rolls, i, done), _LEAST_SPREAD) ** 2 / done
        estimate[i] = (mean[i] * belief + prior * noise) / (belief + noise)
        doubt[i] = np.sqrt(belief * noise / (belief + noise))
        if estimate[i] > estimate[lead]:
            lead = i
    doubt[0] = doubt[lead]
    _swap(rolls, 0, lead, done)
    stay = 1
    for i in range(1, count):
        near = estimate[0] - estimate[i] <= tuning.confidence * (doubt[0] if i == lead else doubt[i])
        if near or done < tuning.patience:
            _swap(rolls, stay, i, done)
            stay += 1
    rolls.tally[ROLLS_RUNNING] = stay


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
        return _UNKNOWN_SPREAD
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
