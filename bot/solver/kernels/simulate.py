"""Whole games played inside compiled code: the seeded boards of `level`, one after another, by strategy.

The same arguments give the same results on every machine, game by game, so trials of different strategies can be
paired. It measures nothing and draws nothing: `bench` does.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.solver.kernels.choosing import Mind, allocate_mind, choose_guess
from bot.solver.kernels.game import (
    EXACT,
    SINGLE,
    STUCK,
    SUBSET,
    WON,
    Table,
    any_unknown,
    begin,
    dare,
    lowest,
)
from bot.solver.kernels.jit import announce, compiled
from bot.solver.kernels.lookahead import BEST, CSP, DEEP, Tuning
from bot.solver.kernels.workspace import N_GUESSES, Work, allocate
from bot.words import AnyStrategy


@dataclass(frozen=True)
class Outcomes:
    """What became of some games: `won` uint8 (count,), and how many guesses they took in all."""

    won: NDArray[np.uint8]
    guesses: int


def play_games(
    table: Table, strategy: AnyStrategy, first_seed: int, count: int, tuning: Tuning | None = None
) -> Outcomes:
    """Play the games of `count` seeds from `first_seed` on."""
    work, won = allocate(table.grid), np.zeros(count, np.uint8)
    if strategy in ("best", "deep"):
        tuning = tuning or TUNINGS[strategy]
        announce(_play_thinking, "the player", 18)
        _play_thinking(table, work, allocate_mind(table.grid.size, tuning), tuning, first_seed, won)
    else:
        announce(_play_plain, "the game", 8)
        _play_plain(table, work, _REASON[strategy], first_seed, won)
    return Outcomes(won, int(work.tally[N_GUESSES]))


TUNINGS: dict[AnyStrategy, Tuning] = {"csp": CSP, "best": BEST, "deep": DEEP}
"""How the players guess that count all layouts."""

_REASON = {"single": SINGLE, "subset": SUBSET, "csp": EXACT}


@compiled
def _play_plain(table: Table, work: Work, reason: int, first_seed: int, won: NDArray[np.uint8]) -> None:
    """Play games by reasoning as far as `reason` says and guessing the lowest odds, or anything without odds."""
    pos = table.pos
    for game in range(won.shape[0]):
        outcome = dare(table, work, reason, begin(table, work, first_seed + game))
        while outcome == STUCK:
            guess = lowest(pos, work) if reason == EXACT else any_unknown(pos, work)
            outcome = dare(table, work, reason, guess)
        won[game] = outcome == WON


@compiled
def _play_thinking(
    table: Table, work: Work, mind: Mind, tuning: Tuning, first_seed: int, won: NDArray[np.uint8]
) -> None:
    """Play games by reasoning exactly and guessing as `choose_guess` does."""
    for game in range(won.shape[0]):
        outcome = dare(table, work, EXACT, begin(table, work, first_seed + game))
        while outcome == STUCK:
            _, guess = choose_guess(table.pos, work, mind, tuning)
            outcome = dare(table, work, EXACT, guess)
        won[game] = outcome == WON
