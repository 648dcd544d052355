"""How a person played: risks that need not have been taken, guesses and their odds, luck; and games that need no guess.

A `Journal` is shown one board after the other, as they are seen on the screen, and works out from what has opened which
tiles must have been clicked. Where several tiles opened at once it gives the player the benefit of the doubt.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod

import numpy as np

from bot import solver
from bot.board import Board, Cell, Position, counted, place
from bot.clone.game import Game
from bot.errors import MinebotError
from bot.level import Level
from bot.solver.decision import Decision
from bot.words import Rule


@dataclass(frozen=True)
class Risk:
    """A tile that was opened although it might have been a mine. `least` is the smallest risk there was then."""

    board: Board
    cell: Position
    risk: float
    least: float
    least_cell: Position
    choices: int = 1
    """How many tiles the click may have been made on; `cell` is the least risky of them."""

    @property
    def needless(self) -> bool:
        """Whether a safe tile was there instead."""
        return self.least == 0.0


@dataclass(frozen=True)
class Review:
    """One game as it was played; `won` is None when it was not finished."""

    moves: int
    risks: tuple[Risk, ...]
    won: bool | None

    @property
    def survival(self) -> float:
        """The chance that all risks go well."""
        return prod(1 - risk.risk for risk in self.risks)

    @property
    def luck(self) -> float | None:
        """Whether it was won, minus the chance that the risks left for that."""
        return None if self.won is None else self.won - self.survival


class Journal:
    """Follows a game, board by board."""

    def __init__(self) -> None:
        self._last: tuple[Board, Decision] | None = None
        self._moves = 0
        self._risks: list[Risk] = []

    def note(self, board: Board, decision: Decision, lost: bool = False) -> None:
        """Take down the next board that was seen, what the solver says about it, and whether it shows a lost game."""
        if self._last is not None:
            before, advice = self._last
            if _goes_on(before, board):
                self._judge(before, advice, board, lost)
            else:
                self._moves, self._risks = 0, []
        self._last = board, decision

    def _judge(self, before: Board, advice: Decision, after: Board, lost: bool) -> None:
        for cells in _clicks(before, after, lost):
            self._moves += 1
            if before.hidden.all():
                continue  # the first click can't be helped
            risk, cell = min((float(advice.odds[cell]), cell) for cell in cells)
            if risk > 0:
                least_cell = min(_openable(before), key=lambda other: (float(advice.odds[other]), other))
                least = float(advice.odds[least_cell])
                self._risks.append(Risk(before, Position(*cell), risk, least, Position(*least_cell), len(cells)))

    def review(self, won: bool | None) -> Review:
        """Return how the game was played so far."""
        return Review(self._moves, tuple(self._risks), won)


def _openable(board: Board) -> list[tuple[int, int]]:
    """Return the tiles a player may click, those without a flag if there are any."""
    free = board.hidden & (board.cells != Cell.FLAG)
    return [(row, col) for row, col in np.argwhere(free if free.any() else board.hidden).tolist()]


def _goes_on(before: Board, after: Board) -> bool:
    """Whether the second board can come later in the same game: nothing that was open is hidden again."""
    if before.cells.shape != after.cells.shape:
        return False
    open_then = before.cells <= 8
    return bool(np.array_equal(before.cells[open_then], after.cells[open_then]))


def _clicks(before: Board, after: Board, lost: bool) -> Iterator[list[tuple[int, int]]]:
    """Yield for each click that must have been made the tiles it may have been made on."""
    went_off = np.argwhere(before.hidden & (after.cells == Cell.EXPLODED)).tolist()
    if lost and not went_off:  # a moment before it goes off
        went_off = np.argwhere(before.hidden & (after.cells == Cell.MINE)).tolist()
    if went_off:  # one was clicked; the others follow while the end is shown
        yield [(row, col) for row, col in went_off]
    opened = before.hidden & (after.cells <= 8)
    left = {(row, col) for row, col in np.argwhere(opened).tolist()}
    zeros = {cell for cell in left if after.cells[cell] == 0}
    while zeros:
        flood = {zeros.pop()}
        edge = list(flood)
        while edge:
            near = {cell for cell in after.neighbours(*edge.pop()) if cell in zeros}
            zeros -= near
            flood |= near
            edge.extend(near)
        left -= flood | {cell for zero in flood for cell in after.neighbours(*zero)}
        yield sorted(flood)
    for cell in sorted(left):
        yield [cell]


def review_lines(review: Review) -> Iterator[str]:
    """Yield a review in sentences."""
    outcome = {True: "won", False: "lost", None: "not finished"}[review.won]
    yield f"{outcome} after {counted(review.moves, 'move')}"
    for risk in review.risks:
        kind = "certainly a mine" if risk.risk == 1.0 else f"a {_percent(risk.risk)} risk"
        unsure = f" (or another of the {risk.choices} tiles it may have been)" if risk.choices > 1 else ""
        taken = f"{place(*risk.cell)}{unsure} was {kind}"
        if risk.needless:
            yield f"needless: {taken} when {place(*risk.least_cell)} was safe: {_why_safe(risk)}"
        elif risk.risk > risk.least + 0.005:
            yield f"guess: {taken}; {place(*risk.least_cell)} was one of {_percent(risk.least)}"
        else:
            yield f"guess: {taken}, and none was smaller"
    if review.risks:
        yield f"luck: the risks left {_percent(review.survival)} to come this far" + _luck(review)
    else:
        yield "luck: none was needed, no risk was taken"


def _luck(review: Review) -> str:
    return "" if review.luck is None else f", that is {review.luck:+.2f} games"


def _why_safe(risk: Risk) -> str:
    steps = solver.decide(risk.board, strategy="csp", think=0.0).steps
    return next((step.because for step in steps if risk.least_cell in step.cells), "no layout has a mine there")


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %" if chance >= 0.01 else f"{100 * chance:.1f} %"


LONGEST_SEARCH = 20.0
"""Seconds to look for such a game. About one expert board in six is one; fuller boards hardly ever are."""


class NeedsGuessesError(MinebotError):
    """A level of which no board without a guess was found."""


def seed_without_guess(
    level: Level, rule: Rule, seed: int, row: int, col: int, now: Callable[[], float] = time.monotonic
) -> int:
    """Return the first seed, from one on, of a game that a click on a cell begins and that needs no guess.

    Raises `NeedsGuessesError` when none is found.
    """
    deadline = now() + LONGEST_SEARCH
    while True:
        game = Game(level, rule, seed)
        game.open(row, col)
        if solved_without_guess(game):
            return seed
        if now() >= deadline:
            raise NeedsGuessesError(f"no board of {level} was found that needs no guess; take one with fewer mines")
        seed = (seed + 1) % 2**32


def solved_without_guess(game: Game) -> bool:
    """Whether opening what is certainly safe, again and again, wins a game; it is played to where that ends."""
    from bot.solver.odds import exact_odds

    while game.state == "playing":
        safe = np.argwhere(exact_odds(game.board()).safe).tolist()
        if not safe:
            return False
        for row, col in safe:
            game.open(row, col)
    return game.state == "won"
