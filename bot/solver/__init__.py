"""The solver: from a board to a decision.

`decide` is what the rest of the bot calls, `warm_up` what it may call before. The decision is exact where exactness is
possible: what is safe, what is mined, how likely every other tile hides a mine; when nothing is safe it takes the risk
that is worth most. It knows no pixels and no mouse. Flags on the board are the player's opinion: never believed, and
reported when wrong.

The compiled engine is loaded by the first decision, not by the import.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell, Position, place
from bot.level import Level, level_of_size
from bot.solver import logic
from bot.solver.cut import decide_part
from bot.solver.decision import Candidate, Decision, Move, Step
from bot.words import Rule
from bot.words import Strategy as Strategy

if TYPE_CHECKING:
    from bot.solver.odds import Odds

_ALTERNATIVES = 2
"""How many of the candidates that were not chosen a reason names."""

_TELLING = 0.0005
"""A difference in risk that shows in a reason, which rounds to a tenth of a per cent."""

_GUESSES = tuple(
    Board.parse(f"mines: {mines}\n1{covered[1:]}\n" + "\n".join([covered] * (rows - 1)))
    for rows, covered, mines in ((9, "#####", 10), (5, "#####", 5), (2, "###", 2))
)
"""Boards over which a solver must think, each in another way: early in a game, later, and at its end."""

_WARM_UP_THINK = 0.01
"""Seconds to think over each of them: enough to load all code, and no more."""


def warm_up(strategy: Strategy = "deep", think: float = 1.0, between: Callable[[], None] = lambda: None) -> None:
    """Load the machine code that `decide` needs, which takes seconds, before anybody waits for it.

    `between` is called before each of the boards that it decides for that, so that the user can end it.
    """
    for board in _GUESSES:
        between()
        decide(board, strategy=strategy, think=min(think, _WARM_UP_THINK))


def decide(
    board: Board,
    *,
    strategy: Strategy = "deep",
    think: float = 1.0,
    rule: Rule = "open",
    explain: bool = True,
    go_on: Callable[[], bool] | None = None,
) -> Decision:
    """Return all that can be said about a board and the move to make, or why there is none.

    The move is a safe one whenever there is one; a wrong flag in its way is taken off first (action "flag"). `think` is
    the time in seconds that strategy "deep" may take over a guess; `rule` matters for the first click only. Without
    `explain` no proofs are worked out, which is faster. `go_on` is asked while a guess is thought over, and
    ends that by saying no. A board that contradicts itself has problems and no move.
    """
    if board.cut:
        whole = partial(decide, strategy=strategy, think=think, rule=rule, explain=explain, go_on=go_on)
        return decide_part(board, whole)
    from bot.solver.odds import exact_odds  # loads numba, which takes longer than everything else the bot imports

    odds = exact_odds(board)
    steps = logic.explain(board, odds.safe, odds.mined) if explain else ()
    choice = _over(board, odds) or _first_click(board, odds, rule) or _safe_move(board, odds, steps)
    if choice is None:
        choice = _guess(board, odds, strategy, think, go_on)
    return Decision(
        odds=odds.chance,
        safe=_positions(odds.safe),
        mined=_positions(odds.mined),
        move=choice.move,
        must_guess=choice.must_guess,
        reason=choice.reason,
        steps=steps,
        candidates=choice.candidates,
        wrong_flags=_positions(odds.safe & (board.cells == Cell.FLAG)),
        problems=tuple(dict.fromkeys([*board.problems(), *odds.contradictions])),
    )


class _Choice(NamedTuple):
    """A move and what there is to say about it."""

    move: Move | None
    reason: str
    must_guess: bool = False
    candidates: tuple[Candidate, ...] = ()


def _over(board: Board, odds: Odds) -> _Choice | None:
    """Return why there is nothing to do, or None when the game goes on."""
    if odds.contradictions:
        # The ladder names the one or two numbers where it shows; the odds name all that hang together with them.
        shown = logic.contradiction(board) or odds.contradictions[0]
        return _Choice(None, f"the board contradicts itself: {shown}")
    exploded = np.argwhere(board.cells == Cell.EXPLODED)
    if len(exploded):
        return _Choice(None, f"the game is lost: the mine at {place(*exploded[0])} went off")
    if not (board.hidden & ~odds.mined).any():
        return _Choice(None, "the game is won: every tile without a mine is open")
    if not _openable(board, odds).any():
        return _Choice(None, "every tile that could be opened could not be read")
    return None


def _openable(board: Board, odds: Odds) -> NDArray[np.bool_]:
    """Return the cells that a move may open, shape (rows, cols): an unread one may well be open already."""
    mask: NDArray[np.bool_] = board.hidden & ~odds.mined & (board.cells != Cell.UNREAD)
    return mask


def _first_click(board: Board, odds: Odds, rule: Rule) -> _Choice | None:
    """Return the opening move of an untouched board, or None."""
    if not board.hidden.all() or odds.safe.any():
        return None
    from bot.solver import guess

    size = (board.rows, board.cols)
    mines = board.mines
    if mines is None:
        # Where to click first hardly depends on the mines; the named levels have between an eighth and a fifth.
        named = level_of_size(*size)
        mines = round(board.cells.size * 0.2) if named is None else named.mines
    cell = Position(*guess.first_click(Level(*size, mines), rule))
    if rule == "none":
        risk = mines / board.cells.size
        return _Choice(_open(board, cell, risk), f"nothing is open yet; {place(*cell)} is as good as any", True)
    # A board too full to keep nine cells free of mines keeps the clicked one free.
    promise = "is an opening" if rule == "open" and mines <= board.cells.size - 9 else "is safe"
    return _Choice(_open(board, cell), f"the first click {promise}; {place(*cell)} wins most games")


def _safe_move(board: Board, odds: Odds, steps: Sequence[Step]) -> _Choice | None:
    """Return the safe cell with the simplest proof, one without a flag if there is one; None when none is safe."""
    safe = odds.safe & _openable(board, odds)
    flagged = board.cells == Cell.FLAG
    proofs = {cell: step.because for step in steps if step.conclusion == "safe" for cell in step.cells if safe[cell]}
    for cell in sorted(proofs or _positions(safe), key=lambda cell: bool(flagged[cell])):
        why = proofs.get(cell, f"no layout has a mine at {place(*cell)}")
        return _Choice(_open(board, cell), f"the flag at {place(*cell)} is wrong: {why}" if flagged[cell] else why)
    return None


def _guess(board: Board, odds: Odds, strategy: Strategy, think: float, go_on: Callable[[], bool] | None) -> _Choice:
    """Return the risk worth taking when no cell is certainly safe."""
    from bot.solver import guess

    candidates, why = guess.choose(board, odds, think, strategy, go_on=go_on)
    best = candidates[0]
    reason = f"no tile is certainly safe; {place(best.row, best.col)} {_weighed(candidates)}; {why}"
    safest = _safest(board, odds)
    lowest = float(odds.chance[safest])
    if lowest < min(candidate.risk for candidate in candidates) - _TELLING:
        but = "but spares nobody this guess" if why.endswith(guess.CANNOT_WAIT) else "but leaves less to go on"
        reason += f"; {place(*safest)} is safer itself ({_percent(lowest)}), {but}"
    return _Choice(_open(board, Position(best.row, best.col), best.risk), reason, True, tuple(candidates))


def _safest(board: Board, odds: Odds) -> Position:
    """Return the cell that may be opened with the lowest odds, of which there must be one."""
    chances = np.where(_openable(board, odds), odds.chance, 1.0)
    row, col = np.unravel_index(np.nanargmin(chances), chances.shape)
    return Position(int(row), int(col))


def _weighed(candidates: Sequence[Candidate]) -> str:
    best, *others = candidates
    if not others:
        return f"is the only candidate: {_percent(best.risk)} risk"
    named = [f"{place(other.row, other.col)} ({_percent(other.risk)})" for other in others[:_ALTERNATIVES]]
    return f"is the best of {len(candidates)} candidates: {_percent(best.risk)} risk, before {' and '.join(named)}"


def _open(board: Board, cell: Position, risk: float = 0.0) -> Move:
    """Return the move that opens a cell, or that first takes off the flag in its way."""
    if board.cells[cell] == Cell.FLAG:
        return Move("unflag", cell.row, cell.col, 0.0)
    return Move("open", cell.row, cell.col, risk)


def _positions(mask: NDArray[np.bool_]) -> tuple[Position, ...]:
    return tuple(Position(row, col) for row, col in np.argwhere(mask).tolist())


def _percent(chance: float) -> str:
    return f"{chance:.1%}".replace("%", " %")
