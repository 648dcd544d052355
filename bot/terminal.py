"""Boards and games in the terminal.

Draws a board in the game's colours, with what the solver knows laid over it, and shows a game while it is played:
`LiveView` for a person at a terminal, `PlainView` as plain lines for everything else. It reads and decides nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

import numpy as np
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.style import Style
from rich.table import Table
from rich.text import Text

from bot.board import SYMBOLS, Board, Cell, place
from bot.desktop.timing import Pace, Seconds, pause
from bot.interval import wilson_interval
from bot.plan import Action, ActionKind
from bot.play import GameResult, Picture, Watcher
from bot.solver.decision import Decision
from bot.vision.reader import Reading

INKS = {1: "#4150bc", 2: "#1e6905", 3: "#a70505", 4: "#00008a", 5: "#7c0103", 6: "#067a82", 7: "#aa0808", 8: "#aa0808"}
"""The digits' colours in the Windows 7 game."""

PALE, DEEP, LIT = "#d7e5f1", "#4a66c8", "#86a8f0"
"""Backgrounds of an open tile, of a covered one, and of a covered one the bot has just clicked."""

SAFE, MINED = "#3f9b4f", "#a8474b"
"""Backgrounds of covered tiles that the solver is certain of."""

LINGER: dict[Pace, float] = {"fast": 0.0, "steady": 0.15, "human": 0.6}
"""Seconds for which a decision stays on the screen, by pace."""

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
    text = Text(no_wrap=True)
    for row in range(board.rows):
        for col in range(board.cols):
            value = int(board.cells[row, col])
            if value <= 8:
                glyph, ink, ground = (str(value) if value else " "), INKS.get(value, "black"), PALE
            else:
                glyph, ink = GLYPHS[Cell(value)]
                ground = PALE if value in (Cell.MINE, Cell.WRONG_FLAG) else DEEP
                ground = "#c03030" if value == Cell.EXPLODED else ground
                if board.hidden[row, col]:
                    ground = SAFE if (row, col) in safe else MINED if (row, col) in mined else ground
                if (row, col) in lit:
                    ground = LIT
            odds = _percent(decision, row, col) if decision and decision.must_guess and value == Cell.COVERED else ""
            text.append(odds or f"{glyph} ", Style(color=ink, bgcolor=ground, bold=value <= 8))
        text.append("\n")
    return text


def _percent(decision: Decision, row: int, col: int) -> str:
    """Return a chance as two characters: "17", or "··" for the many cells far from every number."""
    chance = decision.odds[row, col]
    if np.isnan(chance):
        return ""
    near = chance != _far_chance(decision)
    return f"{min(round(100 * chance), 99):2d}" if near else "··"


def _far_chance(decision: Decision) -> float:
    """Return the chance that most hidden cells share: the one of those away from all numbers."""
    chances = decision.odds[~np.isnan(decision.odds)]
    values, counts = np.unique(chances, return_counts=True)
    return float(values[counts.argmax()]) if counts.size and counts.max() >= 8 else float("nan")


_VERBS: dict[ActionKind, str] = {"open": "open", "flag": "flag", "unflag": "take the flag off", "chord": "chord on"}


def describe(actions: list[Action]) -> str:
    """Return a batch of actions in a few words: "open row 3, column 7 and 4 more, flag 2"."""
    parts = []
    for kind, number in Counter(action.kind for action in actions).items():
        first = next(action for action in actions if action.kind == kind)
        more = f" and {number - 1} more" if number > 1 else ""
        parts.append(f"{_VERBS[kind]} {place(first.row, first.col)}{more}")
    return ", ".join(reversed(parts))


def summary(result: GameResult) -> str:
    """Return one game in one line."""
    outcome = "won" if result.won else "stopped" if result.stopped else "lost"
    parts = [f"{outcome} in {result.seconds:.2f} s", f"{result.clicks} clicks"]
    if result.three_bv is not None:
        parts.append(f"3BV {result.three_bv}")
    guesses = [risk for risk in result.guesses if risk > 0]
    if guesses:
        risks = ", ".join(f"{100 * risk:.0f} %" for risk in guesses)
        parts.append(f"{len(guesses)} {'guess' if len(guesses) == 1 else 'guesses'} ({risks})")
    else:
        parts.append("no guess")
    return " · ".join(parts) + (f" · {result.stopped}" if result.stopped else "")


class PlainView(Watcher):
    """Tells a game as plain lines, one a round of clicks."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        """Say what will be clicked and why."""
        if actions:
            self._say(f"{describe(actions)}: {decision.reason}")

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Show the last board and sum up."""
        if reading is not None:
            for row in reading.board.cells:
                self._say("".join(SYMBOLS[value] for value in row))
        self._say(summary(result))


class LiveView(Watcher):
    """Shows a game as it is played: the board, the last moves with their reasons, the odds when it guesses.

    `linger` is how many seconds each decision stays on the screen, guesses longer, so that a person can follow a game
    that takes the bot a moment.
    """

    REASONS = 6

    def __init__(self, console: Console, linger: float) -> None:
        self._live = Live(console=console, auto_refresh=False, transient=False)
        self._linger = linger
        self._reasons: list[Text] = []
        self._guesses: list[float] = []
        self._clicks = 0

    def __enter__(self) -> LiveView:
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        """Show the board with what the solver knows, then what it is about to click."""
        if not actions:
            return
        self._guesses += [action.risk for action in actions if action.risk > 0]
        self._reasons = [*self._reasons, _reason(decision, actions)][-self.REASONS :]
        self._show(reading, decision, [(action.row, action.col) for action in actions if action.risk > 0])
        pause(Seconds(self._linger * (4 if decision.must_guess else 1)))

    def clicked(self, actions: list[Action], clicks: object) -> None:
        """Count the clicks."""
        self._clicks += len(actions)

    def looked(self, reading: Reading, picture: Picture) -> None:
        """Show the board as it is now."""
        self._show(reading)

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Sum up under the last board."""
        style = "bold green" if result.won else "bold red"
        self._reasons.append(Text(summary(result), style=style))
        if reading is not None:
            self._show(reading)
        self._reasons, self._guesses, self._clicks = [], [], 0

    def _show(self, reading: Reading, decision: Decision | None = None, lit: Iterable[tuple[int, int]] = ()) -> None:
        board = reading.board
        left = "?" if reading.mines_left is None else str(reading.mines_left)
        opened = int(np.count_nonzero(board.cells <= 8))
        survived = float(np.prod([1 - risk for risk in self._guesses]))
        head = Text(f"{left} mines left · {opened} of {board.cells.size} open · {self._clicks} clicks", style="bold")
        if self._guesses:
            head.append(f" · {len(self._guesses)} guessed, {100 * survived:.0f} % to survive them", style="yellow")
        parts: list[RenderableType] = [head, board_text(board, decision, lit), *self._reasons]
        self._live.update(Group(*parts), refresh=True)


def _reason(decision: Decision, actions: list[Action]) -> Text:
    line = Text(describe(actions), style="bold yellow" if decision.must_guess else "bold")
    return line.append(f": {decision.reason}", style="not bold")


class ProgressView(Watcher):
    """A bar that fills game by game, with the win rate so far."""

    def __init__(self, console: Console, games: int) -> None:
        columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, transient=True)
        self._task = self._progress.add_task("", total=games)
        self._wins = 0

    def __enter__(self) -> ProgressView:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Move the bar on."""
        self._wins += result.won
        low, high = wilson_interval(self._wins, number)
        rate = f"{100 * self._wins / number:.1f} % won ({100 * low:.0f} – {100 * high:.0f} %)"
        self._progress.update(self._task, completed=number, description=rate)


def verdict_lines(board: Board, decision: Decision, explain: bool) -> Iterator[str]:
    """Yield what the solver has to say about a board, a line each; with `explain` every conclusion and its proof."""
    mines = "an unknown number of mines" if board.mines is None else f"{board.mines} mines"
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
        risk, value = 100 * candidate.risk, 100 * candidate.value
        yield f"weighed: {place(candidate.row, candidate.col)}: {risk:.1f} % risk, {value:.1f} % to win"
    if decision.move is None:
        yield f"no move: {decision.reason}"
        return
    yield f"must guess: {'yes' if decision.must_guess else 'no'}"
    yield f"would {decision.move.action} {place(decision.move.row, decision.move.col)}: {decision.reason}"


def results_table(games: Iterable[GameResult]) -> Table:
    """Return many games in one line: the win rate with its 95 % interval, times, clicks, guesses, luck."""
    played = list(games)
    wins = sum(game.won for game in played)
    interval = wilson_interval(wins, len(played))
    table = Table("games", "won", "95 % interval", "mean time", "mean clicks", "guesses a game", "luck")
    table.add_row(
        str(len(played)),
        f"{wins} ({100 * wins / max(len(played), 1):.1f} %)",
        f"{100 * interval[0]:.1f} – {100 * interval[1]:.1f} %",
        f"{np.mean([game.seconds for game in played]):.2f} s",
        f"{np.mean([game.clicks for game in played]):.0f}",
        f"{np.mean([len(game.guesses) for game in played]):.1f}",
        f"{wins - sum(float(np.prod([1 - risk for risk in game.guesses])) for game in played):+.1f} wins",
    )
    return table
