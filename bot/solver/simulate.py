"""Whole games played inside compiled code: the seeded boards of `level`, one after another, by strategy.

The same arguments give the same results on every machine, game by game, so trials of different strategies can be
paired. It measures nothing and draws nothing: `bench` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from bot.level import Rule
from bot.solver.compiled import announce, compiled
from bot.solver.constraints import POSITION_FIELDS, padded_size
from bot.solver.dealing import (
    EXACT,
    LOST,
    SINGLE,
    STUCK,
    SUBSET,
    WON,
    advance,
    any_unknown,
    cover,
    deal,
    lowest,
    open_cell,
    seed_random,
)
from bot.solver.endgame import Endgame, allocate_endgame
from bot.solver.lookahead import BEST, DEEP, Think, Tuning, allocate_think
from bot.solver.odds import mine_ratio
from bot.solver.rollout import Rolls, allocate_rolls, choose_guess
from bot.solver.workspace import N_GUESSES, N_MAPS, Work, allocate

Strategy = Literal["single", "subset", "csp", "best", "deep"]
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)


@dataclass(frozen=True)
class Trial:
    """What became of some games: `won` uint8 (count,), and how many guesses and odds maps they took in all."""

    won: NDArray[np.uint8]
    guesses: int
    maps: int


def play_games(
    rows: int,
    cols: int,
    mines: int,
    rule: Rule,
    strategy: Strategy,
    first_seed: int,
    count: int,
    first_click: tuple[int, int],
    tuning: Tuning | None = None,
) -> Trial:
    """Play the games of `count` seeds from `first_seed` on, each opened at `first_click`."""
    work = allocate(padded_size(rows, cols))
    won = np.zeros(count, np.uint8)
    ring, spare = first_click_promises(rows, cols, mines, rule, first_click)
    click = first_click[0] * cols + first_click[1]
    ratio = mine_ratio(rows * cols, mines)
    if strategy in ("best", "deep"):
        tuning = tuning or (BEST if strategy == "best" else DEEP)
        size = padded_size(rows, cols)
        end, think = allocate_endgame(size, int(tuning.layouts)), allocate_think(size)
        rolls = allocate_rolls(size, int(tuning.rolls))
        announce(_play_thinking, "the player")
        _play_thinking(work, end, think, rolls, rows, cols, mines, ring, spare, first_seed, click, ratio, tuning, won)
    else:
        announce(_play_plain, "the game")
        _play_plain(work, rows, cols, mines, ring, spare, _REASON[strategy], first_seed, click, ratio, won)
    return Trial(won, int(work.tally[N_GUESSES]), int(work.tally[N_MAPS]))


_REASON = {"single": SINGLE, "subset": SUBSET, "csp": EXACT, "best": EXACT, "deep": EXACT}


def first_click_promises(rows: int, cols: int, mines: int, rule: Rule, at: tuple[int, int]) -> tuple[bool, bool]:
    """Return whether the first click keeps its 3×3 free of mines, and whether it keeps its own cell free."""
    tall = min(at[0] + 1, rows - 1) - max(at[0] - 1, 0) + 1
    wide = min(at[1] + 1, cols - 1) - max(at[1] - 1, 0) + 1
    ring = rule == "open" and mines <= rows * cols - tall * wide
    return ring, ring or (rule != "none" and mines < rows * cols)


@compiled
def _play_plain(
    work: Work,
    rows: int,
    cols: int,
    mines: int,
    ring: bool,
    spare: bool,
    reason: int,
    first_seed: int,
    click: int,
    ratio: float,
    won: NDArray[np.uint8],
) -> None:
    width, size = cols + 2, (rows + 2) * (cols + 2)
    truth = np.zeros(size, np.uint8)
    pos = np.zeros((POSITION_FIELDS, size), np.int32)
    for game in range(won.shape[0]):
        deal(truth, rows, cols, mines, ring, spare, first_seed + game, click)
        seed_random(work, first_seed + game)
        cover(pos, rows, cols)
        guess = (click // cols + 1) * width + click % cols + 1
        outcome = STUCK
        while outcome == STUCK:
            if truth[guess] == 1:
                outcome = LOST
                break
            queued = open_cell(pos, truth, work.lists, width, guess, 0)
            outcome = advance(pos, truth, work, width, size, mines, ratio, reason, queued)
            if outcome == STUCK:
                work.tally[N_GUESSES] += 1
                guess = lowest(pos, work, width, size) if reason == EXACT else any_unknown(pos, work, size)
        won[game] = outcome == WON


@compiled
def _play_thinking(
    work: Work,
    end: Endgame,
    think: Think,
    rolls: Rolls,
    rows: int,
    cols: int,
    mines: int,
    ring: bool,
    spare: bool,
    first_seed: int,
    click: int,
    ratio: float,
    tuning: Tuning,
    won: NDArray[np.uint8],
) -> None:
    width, size = cols + 2, (rows + 2) * (cols + 2)
    truth = np.zeros(size, np.uint8)
    pos = np.zeros((POSITION_FIELDS, size), np.int32)
    for game in range(won.shape[0]):
        deal(truth, rows, cols, mines, ring, spare, first_seed + game, click)
        seed_random(work, first_seed + game)
        cover(pos, rows, cols)
        guess = (click // cols + 1) * width + click % cols + 1
        outcome = STUCK
        while outcome == STUCK:
            if truth[guess] == 1:
                outcome = LOST
                break
            queued = open_cell(pos, truth, work.lists, width, guess, 0)
            outcome = advance(pos, truth, work, width, size, mines, ratio, EXACT, queued)
            if outcome == STUCK:
                work.tally[N_GUESSES] += 1
                guess = choose_guess(pos, work, end, think, rolls, width, size, mines, ratio, tuning)
        won[game] = outcome == WON
