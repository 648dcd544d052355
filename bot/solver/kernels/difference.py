"""What guessing differently is worth: the difference between two players, seen where they disagree.

The chance of player B to win minus that of player A is the mean, over the guesses that B meets in its own games, of
what A wins after B's choice minus what A wins after its own (the performance-difference identity). Where both choose
the same cell that is nothing, so all the work goes where it tells, and an effect shows in a hundredth of the games that
pairing outcomes takes.

Guesses are not won or lost: a game goes on with the chance to survive multiplied into its weight and, where the layout
has a mine, in another one drawn exactly. Both choices are played to the end by A itself on common layouts, the last
layouts by perfect play where A plays perfectly. So the sum is unbiased, whatever the two players are.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.choosing import Mind, allocate_mind, choose_guess
from bot.solver.kernels.combining import solve
from bot.solver.kernels.constraints import POSITION_FIELDS, VIEW, copy_position
from bot.solver.kernels.endgame import NO_ANSWER, RESULT_LAYOUTS, RESULT_WON, search
from bot.solver.kernels.game import EXACT, STUCK, WON, Table, advance, begin, dare, open_cell
from bot.solver.kernels.jit import announce, compiled
from bot.solver.kernels.lookahead import Tuning
from bot.solver.kernels.sampling import Draft, Mines, allocate_draft, random, redraw, sample_layouts
from bot.solver.kernels.workspace import N_GUESSES, V_LOG_LAYOUTS, Floats, Ints, Work, allocate

LAYOUTS = 32
"""Common layouts a disagreement is played out on. A guess's own difference is of the order of 2 points, one layout's of
20, and finding a disagreement costs about as much as four layouts: half or twice as many would tell less an hour."""

FAINT = 0.05
"""Games of less weight are dropped half the time and count double otherwise: they cost as much and tell little."""

# Fields of `Differ.found`: one column a disagreement. Cells are padded ones; DIFFERENCE and ERROR (its standard error)
# are what B's cell wins beyond A's, in chance to win from here; WEIGHT is the chance to have come here.
FOUND_WEIGHT, FOUND_DIFFERENCE, FOUND_ERROR, FOUND_LOG_LAYOUTS = range(4)
FOUND_CELL, FOUND_RISK, FOUND_DECIDED, FOUND_CELL_AGAINST, FOUND_RISK_AGAINST, FOUND_DECIDED_AGAINST = range(4, 10)
FOUND_FIELDS = 10


class Differ(NamedTuple):
    """Memory for comparing two players, of whom the one that is compared with plays on: N cells, P padded ones."""

    mind: Mind  # of the player whose games they are
    mind_against: Mind  # of the player it is compared with
    draft: Draft
    position: Ints  # (POSITION_FIELDS, P): a game being played out
    truth: Mines  # (1, P): its layout
    layouts: Mines  # (LAYOUTS, P): the common layouts
    odds: Floats  # (P,): of the guess at hand
    found: Floats  # (FOUND_FIELDS, N)
    board: Ints  # (N, P): the positions of the disagreements


class Differences:
    """Two players on the games of a table: `game` plays one and tells where they disagreed."""

    def __init__(self, table: Table, strategy: Tuning, against: Tuning) -> None:
        size, cells = table.grid.size, table.rows * table.cols
        self._table = table
        self._work = allocate(table.grid)
        self._players = strategy, against
        self._differ = Differ(
            mind=allocate_mind(size, strategy),
            mind_against=allocate_mind(size, against),
            draft=allocate_draft(size, LAYOUTS),
            position=np.zeros((POSITION_FIELDS, size), np.int32),
            truth=np.zeros((1, size), np.uint8),
            layouts=np.zeros((LAYOUTS, size), np.uint8),
            odds=np.zeros(size, np.float64),
            found=np.zeros((FOUND_FIELDS, cells), np.float64),
            board=np.zeros((cells, size), np.int32),
        )
        announce(_play_game, "the comparison")

    def game(self, seed: int) -> tuple[Floats, NDArray[np.int32], int]:
        """Play the game of a seed.

        Returns the disagreements, (FOUND_FIELDS, count), the views of their positions, (count, rows, cols), and how
        many guesses the game took.
        """
        guesses = self._work.tally[N_GUESSES]
        count = _play_game(self._table, self._work, self._differ, *self._players, seed)
        rows, cols = self._table.rows, self._table.cols
        views = self._differ.board[:count].reshape(count, rows + 2, cols + 2)[:, 1:-1, 1:-1]
        return self._differ.found[:, :count].copy(), views.copy(), int(self._work.tally[N_GUESSES] - guesses)


@compiled
def _play_game(table: Table, work: Work, differ: Differ, strategy: Tuning, against: Tuning, seed: int) -> int:
    """Play a game by `strategy` and fill `differ.found` and `board` where `against` would guess otherwise."""
    pos, truth, found = table.pos, table.truth, differ.found
    size = work.grid.size
    weight, count = 1.0, 0
    outcome = dare(table, work, EXACT, begin(table, work, seed))
    while outcome == STUCK:
        if weight < FAINT:
            if random(work) < 0.5:
                break
            weight *= 2.0
        log_layouts, state = work.value[V_LOG_LAYOUTS], work.random[0]
        for cell in range(size):
            differ.odds[cell] = work.chance[cell]
        decided, guess = choose_guess(pos, work, differ.mind, strategy)
        solve(pos, work)
        work.random[0] = state  # the same luck: players that differ in nothing choose the same
        decided_against, other = choose_guess(pos, work, differ.mind_against, against)
        risk, risk_other = differ.odds[guess], differ.odds[other]
        if guess != other:
            found[FOUND_WEIGHT, count] = weight
            found[FOUND_LOG_LAYOUTS, count] = log_layouts
            found[FOUND_CELL, count], found[FOUND_CELL_AGAINST, count] = guess, other
            found[FOUND_RISK, count], found[FOUND_RISK_AGAINST, count] = risk, risk_other
            found[FOUND_DECIDED, count], found[FOUND_DECIDED_AGAINST, count] = decided, decided_against
            for cell in range(size):
                differ.board[count, cell] = pos[VIEW, cell]
            _weigh_choices(table, work, differ, against, count)
            count += 1
        weight *= 1.0 - risk
        if truth[guess] == 1:
            solve(pos, work)
            while truth[guess] == 1:
                sample_layouts(pos, work, differ.draft, differ.truth)
                for cell in range(size):
                    truth[cell] = differ.truth[0, cell]
        outcome = dare(table, work, EXACT, guess)
    return count


@compiled
def _weigh_choices(table: Table, work: Work, differ: Differ, against: Tuning, at: int) -> None:
    """Play the two choices of a disagreement out on common layouts; write the mean difference, its standard error."""
    pos, found = table.pos, differ.found
    guess, risk = int(found[FOUND_CELL, at]), found[FOUND_RISK, at]
    other, risk_other = int(found[FOUND_CELL_AGAINST, at]), found[FOUND_RISK_AGAINST, at]
    solve(pos, work)
    sample_layouts(pos, work, differ.draft, differ.layouts)
    total, squares = 0.0, 0.0
    for t in range(LAYOUTS):
        value = _play_out(table, work, differ, against, t, guess, risk)
        value -= _play_out(table, work, differ, against, t, other, risk_other)
        total += value
        squares += value * value
    mean = total / LAYOUTS
    found[FOUND_DIFFERENCE, at] = mean
    found[FOUND_ERROR, at] = np.sqrt(max(squares / LAYOUTS - mean * mean, 0.0) / (LAYOUTS - 1))


@compiled
def _play_out(table: Table, work: Work, differ: Differ, player: Tuning, t: int, guess: int, risk: float) -> float:
    """Return the chance that `player` wins the table's position in the common layout `t` after opening `guess`."""
    now, truth, end = differ.position, differ.truth[0], differ.mind_against.end
    width, size = work.grid.width, work.grid.size
    copy_position(table.pos, now, size)
    for cell in range(size):
        truth[cell] = differ.layouts[t, cell]
    chance = 1.0
    while True:
        chance *= 1.0 - risk
        if truth[guess] == 1:
            solve(now, work)
            while truth[guess] == 1:
                redraw(now, work, differ.draft, differ.truth)
        queued = open_cell(now, truth, work.lists, width, guess, 0)
        outcome = advance(now, truth, work, EXACT, queued)
        if outcome == WON:
            return chance
        if outcome != STUCK:
            return 0.0
        few = player.ahead != 0.0 and work.value[V_LOG_LAYOUTS] <= np.log(player.layouts + 0.5)
        if few and search(now, work, end, int(player.nodes)) != NO_ANSWER:
            return float(chance * end.result[RESULT_WON] / end.result[RESULT_LAYOUTS])
        for cell in range(size):
            differ.odds[cell] = work.chance[cell]
        _, guess = choose_guess(now, work, differ.mind_against, player)
        risk = differ.odds[guess]
