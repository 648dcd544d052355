"""Whole games played inside compiled code: the seeded boards of `level`, one after another, by strategy.

The same arguments give the same results on every machine, game by game, so trials of different strategies can be
paired. It measures nothing and draws nothing: `bench` does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.level import Rule
from bot.solver.choosing import choose_guess
from bot.solver.compiled import announce, compiled
from bot.solver.constraints import POSITION_FIELDS, padded_size
from bot.solver.dealing import (
    EXACT,
    LOST,
    SINGLE,
    STUCK,
    SUBSET,
    WON,
    Mines,
    advance,
    any_unknown,
    cover,
    deal,
    lowest,
    open_cell,
    seed_random,
)
from bot.solver.decision import Player
from bot.solver.endgame import Endgame, allocate_endgame
from bot.solver.lookahead import BEST, CSP, DEEP, Think, Tuning, allocate_think
from bot.solver.odds import mine_ratio
from bot.solver.rollout import Rolls, allocate_rolls
from bot.solver.workspace import N_GUESSES, Ints, Work, allocate


@dataclass(frozen=True)
class Trial:
    """What became of some games: `won` uint8 (count,), and how many guesses they took in all."""

    won: NDArray[np.uint8]
    guesses: int


def play_games(
    rows: int,
    cols: int,
    mines: int,
    rule: Rule,
    strategy: Player,
    first_seed: int,
    count: int,
    first_click: tuple[int, int],
    tuning: Tuning | None = None,
) -> Trial:
    """Play the games of `count` seeds from `first_seed` on, each opened at `first_click`."""
    size = padded_size(rows, cols)
    table = lay_table(rows, cols, mines, rule, first_click)
    work, won = allocate(size), np.zeros(count, np.uint8)
    if strategy in ("best", "deep"):
        tuning = tuning or TUNINGS[strategy]
        end, think = allocate_endgame(size, int(tuning.layouts)), allocate_think(size)
        rolls = allocate_rolls(size, int(tuning.rolls))
        announce(_play_thinking, "the player")
        _play_thinking(table, work, end, think, rolls, tuning, first_seed, won)
    else:
        announce(_play_plain, "the game")
        _play_plain(table, work, _REASON[strategy], first_seed, won)
    return Trial(won, int(work.tally[N_GUESSES]))


TUNINGS: dict[Player, Tuning] = {"csp": CSP, "best": BEST, "deep": DEEP}
"""How the players guess that count all layouts."""

_REASON = {"single": SINGLE, "subset": SUBSET, "csp": EXACT}


def first_click_promises(rows: int, cols: int, mines: int, rule: Rule, at: tuple[int, int]) -> tuple[bool, bool]:
    """Return whether the first click keeps its 3×3 free of mines, and whether it keeps its own cell free."""
    tall = min(at[0] + 1, rows - 1) - max(at[0] - 1, 0) + 1
    wide = min(at[1] + 1, cols - 1) - max(at[1] - 1, 0) + 1
    ring = rule == "open" and mines <= rows * cols - tall * wide
    return ring, ring or (rule != "none" and mines < rows * cols)


class Table(NamedTuple):
    """A game: the board's size, what the first click promises, the position that the player sees, and the truth."""

    rows: int
    cols: int
    mines: int
    ratio: float
    click: int  # the first, a cell of the unpadded board
    ring: bool  # its 3×3 holds no mine
    spare: bool  # it holds none itself
    pos: Ints
    truth: Mines
    order: Ints  # a place for every cell, to deal with


def lay_table(rows: int, cols: int, mines: int, rule: Rule, first_click: tuple[int, int]) -> Table:
    """Return memory for the games of a level that are opened at `first_click`."""
    size = padded_size(rows, cols)
    ring, spare = first_click_promises(rows, cols, mines, rule, first_click)
    return Table(
        rows,
        cols,
        mines,
        mine_ratio(rows * cols, mines),
        click=first_click[0] * cols + first_click[1],
        ring=ring,
        spare=spare,
        pos=np.zeros((POSITION_FIELDS, size), np.int32),
        truth=np.zeros(size, np.uint8),
        order=np.zeros(rows * cols, np.int32),
    )


@compiled
def begin(table: Table, work: Work, seed: int) -> int:
    """Deal the game of a seed; return the padded cell to click first."""
    rows, cols = table.rows, table.cols
    deal(table.truth, table.order, rows, cols, table.mines, table.ring, table.spare, seed, table.click)
    seed_random(work, seed)
    cover(table.pos, rows, cols)
    return (table.click // cols + 1) * (cols + 2) + table.click % cols + 1


@compiled
def dare(table: Table, work: Work, reason: int, cell: int) -> int:
    """Open a cell, whatever it holds, and all that follows; return LOST or what `advance` does."""
    pos, truth, width, size = table.pos, table.truth, table.cols + 2, table.pos.shape[1]
    if truth[cell] == 1:
        return LOST
    queued = open_cell(pos, truth, work.lists, width, cell, 0)
    outcome = advance(pos, truth, work, width, size, table.mines, table.ratio, reason, queued)
    work.tally[N_GUESSES] += outcome == STUCK
    return outcome


@compiled
def _play_plain(table: Table, work: Work, reason: int, first_seed: int, won: NDArray[np.uint8]) -> None:
    """Play games by reasoning as far as `reason` says and guessing the lowest odds, or anything without odds."""
    pos, width, size = table.pos, table.cols + 2, table.pos.shape[1]
    for game in range(won.shape[0]):
        outcome = dare(table, work, reason, begin(table, work, first_seed + game))
        while outcome == STUCK:
            guess = lowest(pos, work, width, size) if reason == EXACT else any_unknown(pos, work, size)
            outcome = dare(table, work, reason, guess)
        won[game] = outcome == WON


@compiled
def _play_thinking(
    table: Table,
    work: Work,
    end: Endgame,
    think: Think,
    rolls: Rolls,
    tuning: Tuning,
    first_seed: int,
    won: NDArray[np.uint8],
) -> None:
    """Play games by reasoning exactly and guessing as `choose_guess` does."""
    pos, width, size = table.pos, table.cols + 2, table.pos.shape[1]
    for game in range(won.shape[0]):
        outcome = dare(table, work, EXACT, begin(table, work, first_seed + game))
        while outcome == STUCK:
            _, guess = choose_guess(pos, work, end, think, rolls, width, size, table.mines, table.ratio, tuning)
            outcome = dare(table, work, EXACT, guess)
        won[game] = outcome == WON
