"""From a decision to the clicks that carry it out.

`plan` turns what the solver is certain of into one batch of actions in the player's style, or, when it must guess,
into the single move it chose. It knows boards and decisions, no pixels and no mouse; recordings, pages and settings
speak its words without playing, hence it is no part of `play/`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from bot.board import Board, Cell, Position
from bot.solver.decision import Decision
from bot.words import ActionKind, ClickStyle

CellAt: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class Action:
    """One click on one tile. `risk` is the chance that it loses the game."""

    kind: ActionKind
    row: int
    col: int
    risk: float = 0.0

    def done(self, before: Board, after: Board) -> bool:
        """Whether the board now shows that the click had its effect."""
        value = after.cells[self.row, self.col]
        if self.kind == "open":
            return not after.hidden[self.row, self.col]
        if self.kind == "flag":
            return bool(value == Cell.FLAG)
        if self.kind == "unflag":
            return bool(value != Cell.FLAG)
        around = list(before.neighbours(self.row, self.col))
        return not any(after.hidden[cell] and after.cells[cell] != Cell.FLAG for cell in around)

    def shows_at(self, before: Board) -> CellAt:
        """Return a tile that looks different once the click has had its effect: a chord leaves its number as it is."""
        if self.kind == "chord":
            around = before.neighbours(self.row, self.col)
            return next((cell for cell in around if before.cells[cell] == Cell.COVERED), (self.row, self.col))
        return self.row, self.col


def plan(board: Board, decision: Decision, style: ClickStyle) -> list[Action]:
    """Return all clicks to make before the next look; empty when there is nothing to do.

    A flag on a tile that has to be opened is taken off first, and the tile opened at the next look.
    """
    if decision.move is None:
        return []
    if not decision.safe:
        return _open_or_unflag(board, [(decision.move.row, decision.move.col)], decision.move.risk)
    if style == "chords":
        actions, opened = _chords(board, set(decision.safe), set(decision.mined))
        rest = [cell for cell in decision.safe if cell not in opened]
        return actions + _open_or_unflag(board, rest)
    flags = _flags(board, decision.mined) if style == "flags" else []
    return flags + _open_or_unflag(board, decision.safe)


def _open_or_unflag(board: Board, cells: Iterable[CellAt], risk: float = 0.0) -> list[Action]:
    return [
        Action("unflag", row, col) if board.cells[row, col] == Cell.FLAG else Action("open", row, col, risk)
        for row, col in cells
    ]


def _flags(board: Board, mined: Iterable[Position]) -> list[Action]:
    # A question mark would take two right clicks; it is left as it is, since no move needs the flag.
    return [Action("flag", row, col) for row, col in mined if board.cells[row, col] == Cell.COVERED]


def _chords(board: Board, safe: set[CellAt], mined: set[CellAt]) -> tuple[list[Action], set[CellAt]]:
    """Return flags and chords that open safe tiles with fewer clicks than one each, and the tiles they open.

    Greedy: the chord that saves most comes first, and the flags it needs are free for those after it.
    """
    flagged = {(row, col) for row, col in mined if board.cells[row, col] == Cell.FLAG}
    opened: set[CellAt] = set()
    actions: list[Action] = []
    numbers = {cell for place in safe for cell in board.neighbours(*place) if 1 <= board.cells[cell] <= 8}
    while True:
        best: tuple[int, CellAt, list[CellAt], list[CellAt]] | None = None
        for number in sorted(numbers):
            hidden = [cell for cell in board.neighbours(*number) if board.hidden[cell]]
            if not all(cell in safe or cell in mined for cell in hidden):
                continue
            if any(_in_the_way(board, cell, cell in safe) for cell in hidden):
                continue
            opens = [cell for cell in hidden if cell in safe and cell not in opened]
            flags = [cell for cell in hidden if cell in mined and cell not in flagged]
            saved = len(opens) - len(flags) - 1
            if saved > 0 and (best is None or saved > best[0]):
                best = (saved, number, opens, flags)
        if best is None:
            return actions, opened
        _, (row, col), opens, flags = best
        actions += [Action("flag", *cell) for cell in flags] + [Action("chord", row, col)]
        flagged.update(flags)
        opened.update(opens)


def _in_the_way(board: Board, cell: CellAt, is_safe: bool) -> bool:
    """Whether a mark on this tile would spoil a chord: a flag on a safe one, a question mark on a mine."""
    return bool(board.cells[cell] == (Cell.FLAG if is_safe else Cell.QUESTION))
