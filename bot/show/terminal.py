"""Boards in the terminal: the game's colours, with what the solver knows laid over it and said in lines.

`heat` is the colour of a risk, the same in pictures and in the terminal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style
from rich.text import Text

from bot.board import SYMBOLS, Board, Cell, place
from bot.solver.decision import Decision
from bot.words import VERBS

if TYPE_CHECKING:
    from bot.picture import Picture

INKS = {1: "#4150bc", 2: "#1e6905", 3: "#a70505", 4: "#00008a", 5: "#7c0103", 6: "#067a82", 7: "#aa0808", 8: "#aa0808"}
"""The digits' colours in the Windows 7 game."""

PALE, DEEP, LIT = "#d7e5f1", "#4a66c8", "#86a8f0"
"""Backgrounds of an open tile, of a covered one, and of a covered one the bot has just clicked."""

SAFE, MINED = "#3f9b4f", "#a8474b"
"""Backgrounds of covered tiles that the solver is certain of."""

FEWEST_FAR = 8
"""Cells that share one chance when they are taken for those away from all numbers."""

FAR = -1
"""Instead of such a cell's chance."""

GLYPHS = {
    Cell.COVERED: (" ", "white"),
    Cell.FLAG: ("⚑", "#ffdcdc"),
    Cell.QUESTION: ("?", "white"),
    Cell.MINE: ("●", "#303030"),
    Cell.EXPLODED: ("✹", "#ffffff"),
    Cell.WRONG_FLAG: ("✗", "#a70505"),
    Cell.UNREAD: (".", "#ffd75f"),
}


def colours_of(console: Console) -> str | None:
    """Return which colours a terminal shows, "standard" for sixteen; None under NO_COLOR, and for a dumb one."""
    return None if console.no_color else console.color_system


LIGHT = {2, 3, 6, 7, 10, 11, 14, 15}
"""Those of the sixteen colours that are light, or may be: the fourth is yellow here and brown there."""

DARK = {0, 1, 4, 5, 8, 12}
"""Those that can be read on a light ground."""


def legible(style: Style) -> Style:
    """Return a style that can be read in sixteen colours, whichever they are there: else in black or in white."""
    assert style.color is not None
    assert style.bgcolor is not None
    ink, ground = (each.downgrade(ColorSystem.STANDARD).number for each in (style.color, style.bgcolor))
    if ground in LIGHT:
        return style if ink in DARK else style + Style(color="black")
    return style + Style(color="bright_white")


def board_text(
    board: Board,
    decision: Decision | None = None,
    lit: Iterable[tuple[int, int]] = (),
    *,
    width: int = 80,
    colours: str | None = "truecolor",
) -> Text:
    """Return the board with its row and column numbers, two columns of the terminal a cell, one where it is narrower.

    With a decision, covered cells that are certain show `+` on green when they are safe and `!` on red when they are
    mines, and where the solver must guess every covered cell near a number shows its odds in per cent, in the colour of
    the risk, if there is room for two digits. `lit` cells stand out: the ones just clicked. Without colours, `#` is
    covered.
    """
    margin = len(str(board.rows)) + 1
    wide = margin + 2 * board.cols <= width
    cells = _Cells(board, decision, set(lit), wide, colours)
    text = Text(no_wrap=True)
    ruler = Style(dim=True) if colours else Style.null()
    for line in _column_numbers(board.cols, wide):
        text.append(f"{'':{margin}}{line}".rstrip() + "\n", ruler)
    for row in range(board.rows):
        text.append(f"{row + 1:>{margin - 1}} ", ruler)
        for col in range(board.cols):
            text.append(*cells.shown(row, col))
        text.append("\n")
    return text


def picture_text(picture: Picture, width: int) -> Text:
    """Return a small picture in the terminal, so many characters wide, two points a character."""
    import cv2  # which boards do without

    height = 2 * max(1, round(picture.shape[0] * width / picture.shape[1] / 2))
    points = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)[..., ::-1].reshape(-1, 2, width, 3)
    text = Text(no_wrap=True)
    for upper, lower in points:
        for above, below in zip(upper.tolist(), lower.tolist(), strict=True):
            text.append(
                "▀", Style(color="#{:02x}{:02x}{:02x}".format(*above), bgcolor="#{:02x}{:02x}{:02x}".format(*below))
            )
        text.append("\n")
    return text


def _column_numbers(cols: int, wide: bool) -> list[str]:
    """Return the line above the columns: from 10 on every second, so that they stand apart. Narrow: tens over units."""
    if wide:
        numbers = ((str(col) if col < 10 or col % 2 == 0 else "") for col in range(1, cols + 1))
        return ["".join(f"{number[-2:]:<2}" for number in numbers)]
    tens = "".join(str(col // 10 % 10) if col % 10 == 0 else " " for col in range(1, cols + 1))
    return [tens, "".join(str(col % 10) for col in range(1, cols + 1))]


class _Cells:
    """How each cell of a board is shown."""

    def __init__(
        self, board: Board, decision: Decision | None, lit: set[tuple[int, int]], wide: bool, colours: str | None
    ) -> None:
        self._board, self._lit, self._wide, self._colours = board, lit, wide, colours
        self._safe = set(decision.safe) if decision else set()
        self._mined = set(decision.mined) if decision else set()
        self._chances = _percents(decision) if decision and decision.must_guess else {}

    def shown(self, row: int, col: int) -> tuple[str, Style]:
        """Return a cell's characters and their colours."""
        value = int(self._board.cells[row, col])
        chance = self._chances.get((row, col)) if value == Cell.COVERED else None
        if value <= 8:
            glyph = str(value) if value else " "
        else:
            glyph = self._sign(row, col, value)
        if self._wide:
            near = chance is not None and chance != FAR
            glyph = f"{chance:2d}" if near else "··" if chance == FAR and self._colours else f"{glyph} "
        if self._colours is None:
            return glyph, Style.null()
        style = self._style(row, col, value, chance)
        return glyph, legible(style) if self._colours == "standard" else style

    def _sign(self, row: int, col: int, value: int) -> str:
        if value == Cell.COVERED and (row, col) in self._safe:
            return "+"  # sixteen colours can't tell the grounds apart
        if value == Cell.COVERED and (row, col) in self._mined:
            return "!"
        return GLYPHS[value][0] if self._colours else SYMBOLS[value]

    def _style(self, row: int, col: int, value: int, chance: int | None) -> Style:
        if value <= 8:
            return Style(color=INKS.get(value, "black"), bgcolor=PALE, bold=True)
        ink = GLYPHS[value][1]
        ground = PALE if value in (Cell.MINE, Cell.WRONG_FLAG) else DEEP
        ground = "#c03030" if value == Cell.EXPLODED else ground
        if chance is not None and chance != FAR:
            ground = "#{:02x}{:02x}{:02x}".format(*heat(chance))
        if self._board.hidden[row, col]:
            ground = SAFE if (row, col) in self._safe else MINED if (row, col) in self._mined else ground
        if (row, col) in self._lit:
            ground = LIT
        return Style(color=ink, bgcolor=ground)


def _percents(decision: Decision) -> dict[tuple[int, int], int]:
    """Return the chance of every hidden cell in per cent, at most 99; `FAR` for the many far from every number."""
    known = ~np.isnan(decision.odds)
    values, counts = np.unique(decision.odds[known], return_counts=True)
    far = values[counts.argmax()] if counts.size and counts.max() >= FEWEST_FAR else None
    chances = ((row, col, decision.odds[row, col]) for row, col in np.argwhere(known).tolist())
    return {(row, col): FAR if chance == far else min(round(100 * chance), 99) for row, col, chance in chances}


def finding_lines(board: Board, decision: Decision, explain: bool) -> Iterator[str]:
    """Yield what the solver has found out about a board, a line each; with `explain` every conclusion and its proof."""
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
    if decision.move is not None:
        yield f"must guess: {'yes' if decision.must_guess else 'no'}"


def verdict_line(decision: Decision) -> str:
    """Return what the solver would do, and why."""
    if decision.move is None:
        return f"no move: {decision.reason}"
    return f"would {VERBS[decision.move.action]} {place(decision.move.row, decision.move.col)}: {decision.reason}"


STOPS = ((40, 130, 40), (170, 110, 0), (165, 30, 40))
"""Dark green, amber and red, as red, green and blue."""

WORST = 60
"""Per cent from which on a risk is as red as can be."""


def heat(percent: int) -> tuple[int, int, int]:
    """Return a dark colour from green over amber to red; risks that are worth taking differ most."""
    share = min(percent / WORST, 1.0)
    red, green, blue = (int(np.interp(share * 2, (0, 1, 2), channel)) for channel in zip(*STOPS, strict=True))
    return red, green, blue
