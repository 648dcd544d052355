"""A part of a board, as a picture that cuts the board off shows it, decided as a whole with an unseen rim.

Beyond a cut side there are cells that nobody has read: as such they are put around the board, and what is decided of
the larger board is told of the part. Promises that nothing is called safe or mined which a cell outside could change.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bot.board import PLACE, SIDES, Board, Cell, Position, place
from bot.solver.decision import Decision


def with_rim(board: Board) -> Board:
    """Return a board with cells that nobody has read along each side that is cut; its mines are not known."""
    top, right, bottom, left = (int(side in board.cut) for side in SIDES)
    return Board(np.pad(board.cells, ((top, bottom), (left, right)), constant_values=Cell.UNREAD))


def shift(board: Board) -> tuple[int, int]:
    """Return how far a board lies from the corner of the one with a rim: rows and columns."""
    return int("top" in board.cut), int("left" in board.cut)


def decide_part(board: Board, decide: Callable[[Board], Decision]) -> Decision:
    """Return what `decide` says of a board that has cut sides."""
    top, left = shift(board)
    decision = decide(with_rim(board))

    def seen(cell: Position) -> bool:
        return 0 <= cell.row - top < board.rows and 0 <= cell.col - left < board.cols

    def here(cells: tuple[Position, ...]) -> tuple[Position, ...]:
        return tuple(Position(cell.row - top, cell.col - left) for cell in cells if seen(cell))

    def named(at: re.Match[str]) -> str:
        cell = Position(int(at[1]) - 1, int(at[2]) - 1)
        return place(*here((cell,))[0]) if seen(cell) else "a tile beyond the cut"

    def told(sentence: str) -> str:
        return PLACE.sub(named, sentence)

    steps = (replace(step, cells=here(step.cells), because=told(step.because)) for step in decision.steps)
    move = decision.move
    return replace(
        decision,
        odds=decision.odds[top : top + board.rows, left : left + board.cols],
        safe=here(decision.safe),
        mined=here(decision.mined),
        move=None if move is None else replace(move, row=move.row - top, col=move.col - left),
        reason=told(decision.reason),
        steps=tuple(step for step in steps if step.cells),
        candidates=tuple(replace(each, row=each.row - top, col=each.col - left) for each in decision.candidates),
        wrong_flags=here(decision.wrong_flags),
        problems=tuple(map(told, decision.problems)),
    )
