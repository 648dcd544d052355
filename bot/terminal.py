"""Boards in the terminal: the game's colours, with what the solver knows laid over it and said in lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from rich.style import Style
from rich.text import Text

from bot.board import Board, Cell, place
from bot.solver.decision import Decision

INKS = {1: "#4150bc", 2: "#1e6905", 3: "#a70505", 4: "#00008a", 5: "#7c0103", 6: "#067a82", 7: "#aa0808", 8: "#aa0808"}
"""The digits' colours in the Windows 7 game."""

PALE, DEEP, LIT = "#d7e5f1", "#4a66c8", "#86a8f0"
"""Backgrounds of an open tile, of a covered one, and of a covered one the bot has just clicked."""

SAFE, MINED = "#3f9b4f", "#a8474b"
"""Backgrounds of covered tiles that the solver is certain of."""

FEWEST_FAR = 8
"""Cells that share one chance when they are taken for those away from all numbers."""

GLYPHS = {
    Cell.COVERED: (" ", "white"),
    Cell.FLAG: ("⚑", "#ff3838"),
    Cell.QUESTION: ("?", "white"),
    Cell.MINE: ("●", "#303030"),
    Cell.EXPLODED: ("✹", "#ffffff"),
    Cell.WRONG_FLAG: ("✗", "#ff3838"),
    Cell.UNREAD: (".", "#ffd75f"),
}


def board_text(board: Board, decision: Decision | None = None, lit: Iterable[tuple[int, int]] = ()) -> Text:
    """Return the board in colours, two columns of the terminal a cell.

    With a decision, certain cells are tinted green and red, and where the solver must guess every covered cell near
    a number shows its odds in per cent. `lit` cells stand out: the ones just clicked.
    """
    lit = set(lit)
    safe = set(decision.safe) if decision else set()
    mined = set(decision.mined) if decision else set()
    chances = _percents(decision) if decision and decision.must_guess else {}
    text = Text(no_wrap=True)
    for row in range(board.rows):
        for col in range(board.cols):
            value = int(board.cells[row, col])
            if value <= 8:
                glyph, ink, ground = (str(value) if value else " "), INKS.get(value, "black"), PALE
            else:
                glyph, ink = GLYPHS[value]
                ground = PALE if value in (Cell.MINE, Cell.WRONG_FLAG) else DEEP
                ground = "#c03030" if value == Cell.EXPLODED else ground
                if board.hidden[row, col]:
                    ground = SAFE if (row, col) in safe else MINED if (row, col) in mined else ground
                if (row, col) in lit:
                    ground = LIT
            odds = chances.get((row, col)) if value == Cell.COVERED else None
            text.append(odds or f"{glyph} ", Style(color=ink, bgcolor=ground, bold=value <= 8))
        text.append("\n")
    return text


def _percents(decision: Decision) -> dict[tuple[int, int], str]:
    """Return the chance of every hidden cell as two characters: "17", or "··" for the many far from every number."""
    known = ~np.isnan(decision.odds)
    values, counts = np.unique(decision.odds[known], return_counts=True)
    far = values[counts.argmax()] if counts.size and counts.max() >= FEWEST_FAR else None
    chances = ((row, col, decision.odds[row, col]) for row, col in np.argwhere(known).tolist())
    return {(row, col): "··" if chance == far else f"{min(round(100 * chance), 99):2d}" for row, col, chance in chances}


def verdict_lines(board: Board, decision: Decision, explain: bool) -> Iterator[str]:
    """Yield what the solver has to say about a board, a line each; with `explain` every conclusion and its proof."""
    mines = {None: "an unknown number of mines", 1: "1 mine"}.get(board.mines, f"{board.mines} mines")
    certain = f"{len(decision.safe)} certainly safe, {len(decision.mined)} certainly mined"
    yield f"{board.rows}×{board.cols}, {mines}, {certain}"
    yield from (f"problem: {problem}" for problem in decision.problems)
    for row, col in decision.wrong_flags:
        yield f"the flag at {place(row, col)} is wrong"
    if explain:
        for step in decision.steps:
            cells = "; ".join(place(*cell) for cell in step.cells)
            yield f"{step.conclusion}: {cells}: {step.because}"
    elif decision.safe:
        yield "safe: " + "; ".join(place(*cell) for cell in decision.safe)
    for candidate in decision.candidates[:5]:
        chance = "" if candidate.value is None else f", {100 * candidate.value:.1f} % to win"
        yield f"weighed: {place(candidate.row, candidate.col)}: {100 * candidate.risk:.1f} % risk{chance}"
    if decision.move is None:
        yield f"no move: {decision.reason}"
        return
    yield f"must guess: {'yes' if decision.must_guess else 'no'}"
    yield f"would {decision.move.action} {place(decision.move.row, decision.move.col)}: {decision.reason}"
