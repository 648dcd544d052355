"""When nothing is safe: which risk is worth most.

`choose` ranks the guesses of a live board. Few layouts are searched to the end, guesses that must be made anyway are
made at once; otherwise candidates are weighed by what they leave behind and, where it is close, played out on exactly
drawn layouts: under strategy "deep" for as long as `think` allows. `first_click` says where to begin. Whole trials live
in `simulate`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import numpy as np

from bot.board import Board, Cell, place
from bot.level import Level
from bot.solver.decision import Candidate
from bot.solver.kernels.choosing import (
    ALONE,
    CLOSE,
    CORNER,
    ENCLOSED,
    FEW_LAYOUTS,
    MUST,
    UNDECIDED,
    WEIGHED,
    allocate_mind,
    consider,
)
from bot.solver.kernels.constraints import padded_size
from bot.solver.kernels.endgame import RESULT_LAYOUTS, RESULT_WON
from bot.solver.kernels.jit import announce
from bot.solver.kernels.lookahead import BEST, DEEP, GROUP_MEMBERS, Tuning
from bot.solver.kernels.rollout import ROLLS_DONE, ROLLS_RUNNING, race_is_on
from bot.solver.kernels.sampling import seed_random
from bot.solver.odds import Engine, Odds
from bot.words import Rule, Strategy

LIVE = DEEP._replace(rolls=4096.0)
"""Live play has time: layouts until estimates are good to a quarter of a point."""

WATCHED = LIVE._replace(confidence=1e6)
"""Somebody looks on: no candidate is dropped, so that all estimates go on getting better."""

_ALL_ROLLED = WATCHED._replace(least=2.0, corner=2.0, layouts=0.0, nodes=0.0, factor=0.5, close=0.0)
"""Nothing settles a guess but the roll-outs of everything that is half as safe as the safest: for comparing."""

_FIRST_CLICKS = {
    (Level(16, 30, 99), "open"): (3, 3),
    (Level(16, 16, 40), "open"): (2, 2),
    (Level(9, 9, 10), "open"): (2, 2),
    (Level(8, 8, 10), "open"): (2, 2),
}


def first_click(level: Level, rule: Rule) -> tuple[int, int]:
    """Return where the first click wins most games, from the trials in docs/strength.md.

    Under `open` a few cells off the corner, where the opening has room to grow; otherwise the corner itself, the
    likeliest to be an opening.
    """
    if rule != "open":
        return 0, 0
    row, col = _FIRST_CLICKS.get((level, rule), (3, 3) if min(level.rows, level.cols) >= 16 else (2, 2))
    return min(row, (level.rows - 1) // 2), min(col, (level.cols - 1) // 2)


def choose(
    board: Board,
    odds: Odds,
    think: float,
    strategy: Strategy,
    *,
    seed: int = 0,
    go_on: Callable[[], bool] | None = None,
) -> tuple[list[Candidate], str]:
    """Return the guesses worth weighing, best first, and in a few words why the first one won.

    The board must hide a cell that is neither safe nor mined, and no safe one. A candidate's value is its chance to
    win the game where that is known: from the end of the game, or by roll-outs.
    `think` is the time in seconds that "deep" may take; `seed` fixes its layouts. With `go_on`
    somebody looks on, who may end the roll-outs by it. Cells that could not be read are
    never chosen.
    """
    if strategy == "csp" or board.mines is None or odds.contradictions or not odds.exact:
        return _by_risk(board, odds), "it is the least likely to hold a mine"
    tuning, seconds = (BEST, np.inf) if strategy == "best" else (LIVE if go_on is None else WATCHED, think)
    ranked, why = _guesser_for(board).choose(board, odds, tuning, seconds, seed, go_on)
    openable = [candidate for candidate in ranked if board.cells[candidate.row, candidate.col] != Cell.UNREAD]
    if not openable:
        return _by_risk(board, odds), "it is the least likely to hold a mine"
    return openable, why


def compare(board: Board, odds: Odds, think: float, go_on: Callable[[], bool]) -> list[Candidate]:
    """Return the best few guesses with their estimated chances to win, best first, whatever settles the choice.

    For those who want to see what the others are worth; nothing for a board of which `choose` can't play out a guess.
    """
    if board.mines is None or odds.contradictions or not odds.exact:
        return []
    ranked, _ = _guesser_for(board).choose(board, odds, _ALL_ROLLED, think, 0, go_on)
    return [each for each in ranked if each.value is not None and board.cells[each.row, each.col] != Cell.UNREAD]


_local = threading.local()


def _guesser_for(board: Board) -> _Guesser:
    """Return this thread's memory for boards of this size."""
    guesser: _Guesser | None = getattr(_local, "guesser", None)
    if guesser is None or guesser.size < padded_size(board.rows, board.cols):
        guesser = _local.guesser = _Guesser(padded_size(board.rows, board.cols))
    return guesser


def _by_risk(board: Board, odds: Odds) -> list[Candidate]:
    """The cells with the lowest odds, lowest first; fewest hidden neighbours decide between equals."""
    cells = [
        (float(odds.chance[row, col]), sum(bool(board.hidden[at]) for at in board.neighbours(row, col)), row, col)
        for row, col in np.argwhere((odds.chance < 1.0) & (board.cells != Cell.UNREAD)).tolist()
    ]
    return [Candidate(row, col, risk, None) for risk, _, row, col in sorted(cells)[:8]]


CANNOT_WAIT = "nothing can tell them apart", "waiting spares nobody the risk"
"""How the reasons for a guess end whose risk must be taken anyway, whatever else is safer."""

_WHY = {
    FEW_LAYOUTS: "perfect play wins {won} of the {layouts} layouts left",
    MUST: "{must} must be guessed sooner or later, and " + CANNOT_WAIT[0],
    ENCLOSED: "nothing outside can tell about its region, where perfect play wins {won} of the {layouts} layouts",
    ALONE: "no other cell is nearly as safe",
    CORNER: "nothing is an opening yet, and a corner is the likeliest to be one",
    WEIGHED: "its safety and what it leaves to go on with are worth most together",
    CLOSE: "it wins most when the candidates are played out on {drawn} layouts drawn at random",
}

_WHY_IF_A_MINE = "if it is a mine, {must} must be guessed sooner or later, so " + CANNOT_WAIT[1]
"""Instead of MUST's reason, where the cell may be safe without anything having to be guessed."""

_EVEN = 0.5 - 1e-9
"""The chance of a mine from which on one of the two, or two of the four, are mines in every layout."""

_BEARING = 0.05
"""Influence from which on a reason tells of it."""


class _Guesser:
    """Memory for weighing guesses on boards of up to `size` padded cells."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.engine = Engine()
        self.mind = allocate_mind(size, LIVE)
        announce(consider, "the guesser", 10)

    def choose(
        self,
        board: Board,
        odds: Odds,
        tuning: Tuning,
        think: float,
        seed: int,
        go_on: Callable[[], bool] | None = None,
    ) -> tuple[list[Candidate], str]:
        """Rank the guesses of a consistent board with a known mine count."""
        assert board.mines is not None
        deadline = time.monotonic() + think
        self.engine.odds(board)
        work, (end, thought, rolls) = self.engine.work, self.mind
        width = work.grid.width
        game = (self.engine.position, work, self.mind, tuning)
        seed_random(work, seed)
        stage, cell = consider(*game, UNDECIDED)
        close = int(rolls.tally[ROLLS_RUNNING])
        if stage == CLOSE:
            consider(*game, CLOSE)  # even without rivals: it says how good the candidate is
            while race_is_on(rolls, tuning):
                if time.monotonic() >= deadline or (go_on is not None and not go_on()):
                    break
                consider(*game, CLOSE)
        won, layouts = int(end.result[RESULT_WON]), int(end.result[RESULT_LAYOUTS])
        members = thought.group[: thought.group[GROUP_MEMBERS]].tolist()
        must = "one of these two" if len(members) == 2 else "two of these four"
        must += " (" + "; ".join(place(*divmod(at - width - 1, width)) for at in sorted(members)) + ")"
        reason = _WHY[stage]
        if stage == MUST and thought.chance[cell] < _EVEN:
            reason = _WHY_IF_A_MINE
        why = reason.format(won=won, layouts=layouts, drawn=rolls.tally[ROLLS_DONE], must=must)
        if stage in (WEIGHED, CLOSE) and thought.influence[cell] >= _BEARING:
            why += ", and bears on a guess that must be made sooner or later"

        def candidate(cell: int, value: float | None) -> Candidate:
            row, col = divmod(cell - width - 1, width)
            return Candidate(row, col, float(odds.chance[row, col]), value)

        if stage in (FEW_LAYOUTS, ENCLOSED, MUST, ALONE, CORNER):
            return [candidate(cell, won / layouts if stage == FEW_LAYOUTS else None)], why
        # One that was dropped keeps its last estimate, from fewer layouts, which may exceed what the winner came to.
        values = np.minimum(rolls.estimate, rolls.estimate[0]) if stage == CLOSE else np.minimum(rolls.prior, 1.0)
        order = np.argsort(-values[:close], kind="stable")
        known = stage == CLOSE
        return [candidate(int(rolls.candidate[i]), float(values[i]) if known else None) for i in order], why
