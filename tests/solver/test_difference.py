"""The difference of two players, held against their true chances to win on boards small enough to know them."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.level import Level
from bot.solver.kernels.choosing import allocate_mind, choose_guess
from bot.solver.kernels.difference import FOUND_DIFFERENCE, FOUND_WEIGHT, Differences
from bot.solver.kernels.game import lay_table
from bot.solver.kernels.lookahead import BEST, CSP, Tuning
from bot.solver.odds import Engine

SIDE = 5
AHEAD = BEST._replace(rolls=0.0, layouts=8.0)
"""Looks ahead, mostly without the game tree, and does the same on the same board always."""

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="uncompiled it takes minutes"
)  # fmt: skip


def guesser(mines: int, tuning: Tuning) -> Callable[[Board], tuple[int, int]]:
    """What a player opens on a board where nothing is safe."""
    size, width = (SIDE + 2) ** 2, SIDE + 2
    engine, mind = Engine(), allocate_mind(size, tuning)
    choose = getattr(choose_guess, "py_func", choose_guess)  # calls compiled ones, and need not be compiled itself

    def guess(board: Board) -> tuple[int, int]:
        engine.odds(board)
        _, cell = choose(engine.position, engine.work, mind, tuning)
        row, col = divmod(int(cell) - width - 1, width)
        return row, col

    return guess


def true_chance(mines: int, tuning: Tuning) -> float:
    """The share of all boards that a player wins after opening the corner, which is safe, by playing every one."""
    chosen = list(combinations(range(1, SIDE * SIDE), mines))
    layouts = np.zeros((len(chosen), SIDE, SIDE), np.bool_)
    layouts.reshape(len(chosen), -1)[np.arange(len(chosen))[:, None], chosen] = True
    padded = np.pad(layouts.astype(int), ((0, 0), (1, 1), (1, 1)))
    around = sum(padded[:, r : r + SIDE, c : c + SIDE] for r in range(3) for c in range(3))
    shown = np.where(layouts, -1, around).reshape(len(layouts), -1)
    guess = guesser(mines, tuning)

    def won(board: Board, left: NDArray[np.intp], opened: NDArray[np.intp]) -> int:
        """In how many of the layouts `left` the player wins after opening cells that are safe in all of them."""
        patterns, which = np.unique(shown[np.ix_(left, opened)], axis=0, return_inverse=True)
        wins = 0
        for number, pattern in enumerate(patterns):
            those = left[which.reshape(-1) == number]
            now = board.replace({divmod(int(c), SIDE): int(n) for c, n in zip(opened, pattern, strict=True)})
            covered = np.flatnonzero(now.hidden.reshape(-1))
            if len(covered) == mines:
                wins += len(those)
                continue
            safe = covered[(shown[np.ix_(those, covered)] >= 0).all(axis=0)]
            if not len(safe):
                row, col = guess(now)
                safe = np.array([row * SIDE + col])
                those = those[shown[those, safe[0]] >= 0]
            wins += won(now, those, safe)
        return wins

    start = Board(np.full((SIDE, SIDE), Cell.COVERED, np.uint8), mines)
    return won(start, np.arange(len(layouts)), np.array([0])) / len(layouts)


@pytest.mark.parametrize("mines", [4, 5])
def test_the_difference_is_that_of_the_true_chances_to_win(mines: int) -> None:
    """Both ways round: who plays and who plays on are different players each time."""
    truth = true_chance(mines, AHEAD) - true_chance(mines, CSP)
    assert truth > 0.004, "looking ahead wins more, or there is nothing to see"
    for strategy, against, expected in ((AHEAD, CSP, truth), (CSP, AHEAD, -truth)):
        differences = Differences(lay_table(Level(SIDE, SIDE, mines), "safe", (0, 0)), strategy, against)
        worth = []
        for seed in range(1, 2001):
            found, _, _ = differences.game(seed)
            worth.append(float(found[FOUND_WEIGHT] @ found[FOUND_DIFFERENCE]))
        error = np.std(worth) / len(worth) ** 0.5
        assert error < abs(truth) / 3, "sharp enough to see it"
        assert np.mean(worth) == pytest.approx(expected, abs=3 * error)


def test_a_player_never_disagrees_with_itself_not_even_by_luck() -> None:
    player = BEST._replace(rolls=16.0, roll_below=np.inf)
    differences = Differences(lay_table(Level(9, 9, 20), "open", (2, 2)), player, player)
    played = [differences.game(seed) for seed in range(1, 60)]
    assert sum(guesses for _, _, guesses in played) > 30
    assert all(found.shape[1] == 0 for found, _, _ in played)


def test_a_disagreement_comes_with_the_position_it_came_up_in() -> None:
    differences = Differences(lay_table(Level(9, 9, 20), "open", (2, 2)), BEST, CSP)
    found, views, _ = next(played for seed in range(1, 99) if len((played := differences.game(seed))[1]))
    assert found.shape[1] == len(views)
    engine = Engine()
    for column, view in zip(found.T, views, strict=True):
        odds = engine.odds(Board(np.where(view <= 8, view, Cell.COVERED), 20))
        assert not odds.contradictions
        assert not odds.safe.any()
        for cell, risk in ((column[4], column[5]), (column[7], column[8])):
            assert odds.chance[divmod(int(cell) - 12, 11)] == pytest.approx(risk)
