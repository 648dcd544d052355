"""What there is to say about a board: the solver's own document, and what a page can show beside it.

`analysis` answers at once. It holds the document of `minebot solve --json`, for each proof the numbers it rests on and
the steps it comes after, and the cells that contradict each other. `thoughts` goes on thinking about a guess and gives
better and better estimates. `tells` is exact: the chance of each number that a cell may show.

A picture may show only part of a board. A side that is cut is taken for a row of tiles that could not be read: they may
hold mines, and no move is made on them. How many mines the whole board has then says nothing about the part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from bot import solver
from bot.board import Board, BoardError, Cell, count_around, place, places
from bot.documents import decision_json
from bot.errors import MinebotError
from bot.level import MOST_A_SIDE, RULES, Rule
from bot.solver.decision import Candidate, Decision, Position

Side = Literal["top", "right", "bottom", "left"]
SIDES: tuple[Side, ...] = get_args(Side)

PHASES = (0.1, 0.4, 1.5, 5.0)
"""Seconds after which a person who looks at a guess is told a better estimate; each phase begins anew, so that those
before the last are two fifths of it together."""


MOST_CANDIDATES = 8
"""Guesses that are shown; more would be a list that nobody reads."""


class RequestError(MinebotError):
    """Something that the page asked for and that can't be answered."""


@dataclass(frozen=True)
class Question:
    """A board with what its picture does not tell: the first click's promise, and the sides where it was cut."""

    board: Board
    rule: Rule = "open"
    cut: frozenset[Side] = frozenset()

    @classmethod
    def of(cls, document: Any) -> Question:
        """Return what a page asks, {"board": text, "rule": rule, "cut": [side]}. Raises `MinebotError`."""
        if not isinstance(document, dict) or not isinstance(document.get("board"), str):
            raise RequestError("a question needs the text of a board")
        rule, cut = document.get("rule", "open"), document.get("cut", [])
        if rule not in RULES or not isinstance(cut, list) or not all(side in SIDES for side in cut):
            raise RequestError("a question has a rule that there is, and sides that a board has")
        return cls(bounded(Board.parse(document["board"])), rule, frozenset(cut))

    @property
    def whole(self) -> Board:
        """The board with a row of unread tiles along each side that is cut."""
        if not self.cut:
            return self.board
        rows, cols = ([int(side in self.cut) for side in sides] for sides in (("top", "bottom"), ("left", "right")))
        return Board(np.pad(self.board.cells, (rows, cols), constant_values=Cell.UNREAD))

    @property
    def shift(self) -> tuple[int, int]:
        """How far the board lies from the corner of the whole: rows and columns."""
        return int("top" in self.cut), int("left" in self.cut)


def bounded(board: Board) -> Board:
    """Return the board, unless it is larger than any that is played. Raises `BoardError`."""
    if max(board.rows, board.cols) > MOST_A_SIDE:
        raise BoardError(f"a board has {MOST_A_SIDE} rows and columns at most, not {board.rows}×{board.cols}")
    return board


def analysis(question: Question) -> dict[str, Any]:
    """Return everything that is known at once."""
    decision = _decide(question, "csp", 0.0)
    problems = [*decision.problems, *([decision.reason] if decision.move is None and decision.problems else [])]
    return {
        "decision": decision_json(question.board, decision),
        "near": near(question.board),
        "proofs": _proofs(question.board, decision),
        "clashes": sorted({cell for problem in problems for cell in places(problem) if _on(question.board, cell)}),
        "mines_left": question.board.mines_left,
        **_weighed(question, decision),
    }


def thoughts(question: Question, go_on: Callable[[], bool]) -> Iterator[dict[str, Any]]:
    """Yield better and better opinions on a guess, until nothing more can be found out or nobody wants to know."""
    last: tuple[str, tuple[Candidate, ...]] | None = None
    for seconds in PHASES:
        decision = _decide(question, "deep", seconds / 2, go_on)
        if not decision.must_guess:
            return
        decision = replace(decision, candidates=_compared(question, decision, seconds / 2, go_on))
        said = (decision.reason, decision.candidates)
        if not go_on() or said == last:
            return
        last = said
        yield {"decision": decision_json(question.board, decision), **_weighed(question, decision)}


def _compared(
    question: Question, decision: Decision, seconds: float, go_on: Callable[[], bool]
) -> tuple[Candidate, ...]:
    """Return the candidates of a guess with their chances to win: the chosen one, then others by what they are worth.

    What settles a guess need not have weighed the others, or said what it is worth itself; roll-outs tell both.
    """
    from bot.solver import guess
    from bot.solver.odds import exact_odds

    board, (down, right) = question.whole, question.shift
    rolled = guess.compare(board, exact_odds(board), seconds, go_on)
    estimates = {(each.row - down, each.col - right): each for each in rolled}
    weighed = {(each.row, each.col): each for each in decision.candidates}
    chosen = decision.candidates[0]
    for cell, each in estimates.items():
        known = weighed.get(cell)
        if known is None or known.value is None:
            weighed[cell] = replace(each, row=cell[0], col=cell[1])
    first = weighed.pop((chosen.row, chosen.col))
    if first.value is None and rolled:
        # It must be made anyway, or in a region of its own: now it is worth as much as after the best of the others.
        first = replace(first, value=max(each.value or 0.0 for each in rolled))
    others = sorted(weighed.values(), key=lambda each: (each.value is None, -(each.value or 0.0), each.risk))
    return (first, *others[: MOST_CANDIDATES - 1])


def near(board: Board) -> list[list[bool]]:
    """Return which cells lie beside an open number."""
    beside: list[list[bool]] = (count_around(board.cells <= 8) > 0).tolist()
    return beside


def tells(board: Board, cell: Position) -> list[float] | None:
    """Return the chances that a cell shows 0, 1, … 8; what is missing to 1 is the risk of a mine.

    None when they are not known: without the number of mines layouts can't be counted, on a board that contradicts
    itself there are none.
    """
    from bot.solver.odds import exact_odds

    before = exact_odds(board).log_layouts
    if math.isnan(before):
        return None
    shown = []
    for number in range(9):
        after = exact_odds(board.replace({cell: number}))
        possible = not after.contradictions and not math.isnan(after.log_layouts)
        shown.append(math.exp(after.log_layouts - before) if possible else 0.0)
    return shown


def _weighed(question: Question, decision: Decision) -> dict[str, Any]:
    """Return what each candidate of a guess would tell, in the order of the candidates."""
    whole, (down, right) = question.whole, question.shift
    cells = [Position(each.row + down, each.col + right) for each in decision.candidates]
    return {"tells": [tells(whole, cell) for cell in cells]}


def _decide(
    question: Question, strategy: solver.Strategy, think: float, go_on: Callable[[], bool] | None = None
) -> Decision:
    """Return the decision in the cells of the board that is seen."""
    board = question.whole
    decision = solver.decide(
        board, strategy=strategy, think=think, rule=question.rule, explain=strategy == "csp", go_on=go_on
    )
    return _cropped(question, decision) if question.cut else decision


def _cropped(question: Question, decision: Decision) -> Decision:
    """Return a decision about the whole as one about the part that is seen."""
    board, (down, right) = question.board, question.shift

    def seen(cells: Sequence[Position]) -> tuple[Position, ...]:
        moved = (Position(row - down, col - right) for row, col in cells)
        return tuple(cell for cell in moved if _on(board, cell))

    def words(sentence: str) -> str:
        return re.sub("row ([0-9]+), column ([0-9]+)", moved_place, sentence)

    def moved_place(found: re.Match[str]) -> str:
        row, col = int(found[1]) - 1 - down, int(found[2]) - 1 - right
        return place(row, col) if _on(board, (row, col)) else "a tile beyond the cut"

    move = decision.move
    steps = (replace(step, cells=seen(step.cells), because=words(step.because)) for step in decision.steps)
    return replace(
        decision,
        odds=decision.odds[down : down + board.rows, right : right + board.cols],
        safe=seen(decision.safe),
        mined=seen(decision.mined),
        move=None if move is None else replace(move, row=move.row - down, col=move.col - right),
        reason=words(decision.reason),
        steps=tuple(step for step in steps if step.cells),
        candidates=tuple(replace(each, row=each.row - down, col=each.col - right) for each in decision.candidates),
        wrong_flags=seen(decision.wrong_flags),
        problems=tuple(words(problem) for problem in decision.problems),
    )


def _on(board: Board, cell: tuple[int, int]) -> bool:
    return 0 <= cell[0] < board.rows and 0 <= cell[1] < board.cols


def _proofs(board: Board, decision: Decision) -> list[dict[str, Any]]:
    """Return for each step the numbers and the mines that its sentence names, and the steps it rests on, by index.

    A sentence that speaks of every layout names no number: it rests on those beside its cells. A step rests on an
    earlier one that has settled a cell beside one of its numbers.
    """
    settled: dict[tuple[int, int], int] = {}
    proofs = []
    for index, step in enumerate(decision.steps):
        named = [cell for cell in places(step.because) if _on(board, cell) and board.cells[cell] <= 8]
        if not named:
            around = {cell for tile in step.cells for cell in board.neighbours(*tile)}
            named = sorted(cell for cell in around if 1 <= board.cells[cell] <= 8)
        mines = [cell for cell in places(step.because) if cell in decision.mined and cell not in step.cells]
        beside = {cell for number in named for cell in board.neighbours(*number)}
        after = sorted({settled[cell] for cell in beside if cell in settled})
        proofs.append({"numbers": named, "mines": mines, "after": after})
        settled |= {(cell.row, cell.col): index for cell in step.cells}
    return proofs
