"""What there is to say about a board: the solver's own document, and what a page can show beside it.

`analysis` answers at once. It holds the document of `minebot solve --json`, for each proof the numbers it rests on and
the steps it comes after, and the cells that contradict each other. `thoughts` goes on thinking about a guess and gives
better and better estimates. `tells` is exact: the chance of each number that a cell may show.

A picture may show only part of a board. How many mines the whole board has then says nothing about the part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from bot import solver
from bot.board import SIDES, Board, BoardError, Position, count_around, places
from bot.errors import MinebotError
from bot.level import MOST_A_SIDE
from bot.show.documents import decision_json
from bot.solver.cut import shift, with_rim
from bot.solver.decision import Candidate, Decision
from bot.words import RULES, Rule

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
    cut: frozenset[str] = frozenset()

    @classmethod
    def of(cls, document: Any) -> Question:
        """Return what a page asks, {"board": text, "rule": rule, "cut": [side]}. Raises `MinebotError`."""
        if not isinstance(document, dict) or not isinstance(document.get("board"), str):
            raise RequestError("a question needs the text of a board")
        rule, cut = document.get("rule", "open"), document.get("cut", [])
        if rule not in RULES or not isinstance(cut, list) or not all(side in SIDES for side in cut):
            raise RequestError("a question has a rule that there is, and sides that a board has")
        board = bounded(Board.parse(document["board"]))
        return cls(Board(board.cells, board.mines), rule, board.cut.union(cut))

    @property
    def part(self) -> Board:
        """The board as the part that it is; the whole one when no side is cut."""
        return Board(self.board.cells, None, self.cut) if self.cut else self.board

    @property
    def whole(self) -> Board:
        """The board with a row of unread tiles along each side that is cut."""
        return with_rim(self.part) if self.cut else self.board


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

    board, (down, right) = question.whole, shift(question.part)
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
    whole, (down, right) = question.whole, shift(question.part)
    cells = [Position(each.row + down, each.col + right) for each in decision.candidates]
    return {"tells": [tells(whole, cell) for cell in cells]}


def _decide(
    question: Question, strategy: solver.Strategy, think: float, go_on: Callable[[], bool] | None = None
) -> Decision:
    """Return the decision in the cells of the board that is seen."""
    return solver.decide(
        question.part, strategy=strategy, think=think, rule=question.rule, explain=strategy == "csp", go_on=go_on
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
