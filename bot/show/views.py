"""A game in the terminal while it is played.

`LiveView` for a person at a terminal, `PlainView` as plain lines for everything else, `ProgressView` for many games.
They watch and decide nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from bot.actions import Action
from bot.bench import wilson_interval
from bot.board import SYMBOLS, counted, place
from bot.clone.game import Game
from bot.desktop import Click
from bot.desktop.timing import Seconds, pause
from bot.picture import Picture
from bot.play import GameResult, Watcher
from bot.show.terminal import board_text, colours_of
from bot.solver.decision import Decision
from bot.vision.reader import Reading
from bot.words import VERBS


def describe(actions: list[Action]) -> str:
    """Return a batch of actions in a few words: "open row 3, column 7 and 4 more, flag row 1, column 2"."""
    parts = []
    for kind, number in Counter(action.kind for action in actions).items():
        first = next(action for action in actions if action.kind == kind)
        more = f" and {number - 1} more" if number > 1 else ""
        parts.append(f"{VERBS[kind]} {place(first.row, first.col)}{more}")
    return ", ".join(reversed(parts))  # flags are set first, but what is opened matters more


def summary(result: GameResult, seed: int | None = None) -> str:
    """Return one game in one line; that of a clone's game ends with its seed."""
    outcome = "won" if result.won else "stopped" if result.stopped else "lost"
    parts = [f"{outcome} in {result.seconds:.2f} s", counted(result.clicks, "click")]
    if result.three_bv is not None:
        parts.append(f"3BV {result.three_bv}")
    if result.three_bv_a_second is not None and result.efficiency is not None:
        parts[-1] += f" ({result.three_bv_a_second:.1f} a second, {result.efficiency:.2f} a click)"
    guesses = [risk for risk in result.guesses if risk > 0]
    if guesses:
        risks = ", ".join(f"{max(round(100 * risk), 1)} %" for risk in guesses)
        parts.append(f"{counted(len(guesses), 'guess', 'guesses')} ({risks})")
        if result.luck is not None:
            parts.append(f"luck {result.luck:+.2f}")
    else:
        parts.append("no guess")
    if seed is not None:
        parts.append(f"seed {seed}")
    return " · ".join(parts) + (f" · {result.stopped}" if result.stopped else "")


class Seeds(Watcher):
    """Takes down the seed of every game of the clone's that ends; those of other games nobody knows."""

    def __init__(self, game: Game | None = None) -> None:
        self._game = game
        self.all: list[int] = []

    @property
    def last(self) -> int | None:
        """The seed of the last game."""
        return self.all[-1] if self.all else None

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Take it down."""
        if self._game is not None:
            self.all.append(self._game.seed)


class PlainView(Watcher):
    """Tells a game as plain lines, one a round of clicks."""

    def __init__(self, say: Callable[[str], None], seeds: Seeds | None = None) -> None:
        self._say = say
        self._seeds = seeds or Seeds()

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        """Say what will be clicked and why."""
        if actions:
            self._say(f"{describe(actions)}: {decision.reason}")

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Show the last board and sum up."""
        if reading is not None:
            for row in reading.board.cells:
                self._say("".join(SYMBOLS[value] for value in row))
        self._say(summary(result, self._seeds.last))


class LiveView(Watcher):
    """Shows a game as it is played: the board, the last moves with their reasons, the odds when it guesses.

    `linger` is how long each decision stays on the screen, guesses longer, so that a person can follow a game
    that takes the bot a moment. Until the first board, stderr is left to those who tell how their work goes on.
    """

    MOST_REASONS = 6

    def __init__(self, console: Console, linger: Seconds, seeds: Seeds | None = None) -> None:
        self._live = Live(console=console, auto_refresh=False, transient=False)
        self._linger = linger
        self._seeds = seeds or Seeds()
        self._reasons: list[Text] = []
        self._guesses: list[float] = []
        self._clicks = 0

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        """Show the board with what the solver knows, then what it is about to click."""
        if not actions:
            return
        self._guesses += [action.risk for action in actions if action.risk > 0]
        self._reasons.append(_reason(decision, actions))
        self._show(reading, decision, [(action.row, action.col) for action in actions if action.risk > 0])
        pause(Seconds(self._linger * (4 if decision.must_guess else 1)))

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        """Count the clicks."""
        self._clicks += len(actions)

    def looked(self, reading: Reading, picture: Picture) -> None:
        """Show the board as it is now."""
        self._show(reading)

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Sum up under the last board."""
        style = "bold green" if result.won else "bold red"
        self._reasons.append(Text(summary(result, self._seeds.last), style=style))
        if reading is not None:
            self._show(reading)
        self._reasons, self._guesses, self._clicks = [], [], 0

    def _show(self, reading: Reading, decision: Decision | None = None, lit: Iterable[tuple[int, int]] = ()) -> None:
        board = reading.board
        left = "? mines" if reading.mines_left is None else counted(reading.mines_left, "mine")
        opened = int(np.count_nonzero(board.cells <= 8))
        survived = float(np.prod([1 - risk for risk in self._guesses]))
        clicks = counted(self._clicks, "click")
        head = Text(f"{left} left · {opened} of {board.cells.size} open · {clicks}", style="bold")
        if self._guesses:
            head.append(f" · {len(self._guesses)} guessed, {100 * survived:.0f} % to survive them", style="yellow")
        console = self._live.console
        shown = board_text(board, decision, lit, width=console.width, colours=colours_of(console))
        shown.right_crop(1)  # the end of its last line
        used = self._height(head) + shown.plain.count("\n") + 1
        self._live.start()
        self._live.update(Group(head, shown, *self._last_reasons(console.height - used)), refresh=True)

    def _last_reasons(self, room: int) -> list[Text]:
        """Return the last moves that fit into so many lines, at least one; `Live` cuts what is too long even so."""
        chosen: list[Text] = []
        for reason in reversed(self._reasons[-self.MOST_REASONS :]):
            room -= self._height(reason)
            if chosen and room < 0:
                break
            chosen.insert(0, reason)
        return chosen

    def _height(self, text: Text) -> int:
        """Return how many lines a text takes."""
        return len(text.wrap(self._live.console, self._live.console.width))


def _reason(decision: Decision, actions: list[Action]) -> Text:
    style = "bold yellow" if decision.must_guess else "bold"
    line = Text(describe(actions), style=style)
    return line.append(f": {decision.reason}", style="not bold")


def progress_bar(console: Console, hidden: bool = False) -> Progress:
    """Return a bar with a remark that goes away in the end; in a file it would be an empty line, so there is none."""
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True, disable=hidden or not console.is_terminal)


class ProgressView(Watcher):
    """A bar that fills game by game, with the win rate so far; it begins with the first board, as `LiveView` does."""

    def __init__(self, console: Console, games: int, hidden: bool = False) -> None:
        self._progress = progress_bar(console, hidden)
        self._task = self._progress.add_task("", total=games)
        self._wins = 0

    def __enter__(self) -> ProgressView:
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def looked(self, reading: Reading, picture: Picture) -> None:
        """Show the bar."""
        self._progress.start()

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Move the bar on."""
        self._progress.start()
        self._wins += result.won
        low, high = wilson_interval(self._wins, number)
        rate = f"{100 * self._wins / number:.1f} % won ({100 * low:.0f} – {100 * high:.0f} %)"
        self._progress.update(self._task, completed=number, description=rate)


def results_table(games: Iterable[GameResult], seeds: Sequence[int] = ()) -> Table:
    """Return many games in one line: the win rate with its 95 % interval, times, guesses, luck.

    3BV, the fewest clicks that win without chords, are those of won games. Below the table stand the first and the
    last seed of the clone's games.
    """
    played = list(games)
    wins = sum(game.won for game in played)
    interval = wilson_interval(wins, len(played))
    table = Table("games", "won", "95 % interval", "mean time", "3BV/s", "3BV a click", "guesses a game", "luck")
    table.add_row(
        str(len(played)),
        f"{wins} ({100 * wins / max(len(played), 1):.1f} %)",
        f"{100 * interval[0]:.1f} – {100 * interval[1]:.1f} %",
        f"{np.mean([game.seconds for game in played]):.2f} s",
        _mean([game.three_bv_a_second for game in played]),
        _mean([game.efficiency for game in played]),
        f"{np.mean([len(game.guesses) for game in played]):.1f}",
        f"{sum(game.luck or 0.0 for game in played):+.1f} wins",
    )
    if seeds:
        table.caption = f"seeds {seeds[0]} to {seeds[-1]}"
    return table


def _mean(values: Iterable[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{np.mean(known):.2f}" if known else "–"
