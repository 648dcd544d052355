"""Games that need no guess: the mines are dealt, at the first click, so that what is certain leads on to a win."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bot.clone.game import Game
from bot.errors import MinebotError
from bot.level import Level
from bot.words import Rule

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
