from __future__ import annotations

import os

import numpy as np
import pytest

from bot.board import Board, count_around
from bot.level import Level, seeded_mines
from bot.solver.kernels.game import deal, lay_table, lowest, number_at
from bot.solver.kernels.simulate import play_games
from bot.solver.odds import Engine
from bot.words import RULES, AnyStrategy, Rule


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(
    "level", [Level(16, 30, 99), Level(7, 6, 12), Level(5, 4, 12), Level(4, 4, 15), Level(4, 4, 16)]
)
def test_compiled_deals_are_the_seeded_boards_of_the_level(level: Level, rule: Rule) -> None:
    for seed in range(1, 30):
        row, col = seed % level.rows, seed % level.cols
        table = lay_table(level, rule, (row, col))
        deal(table, seed)
        truth, mines = table.truth.reshape(level.rows + 2, level.cols + 2), seeded_mines(level, rule, seed, row, col)
        np.testing.assert_array_equal(truth[1:-1, 1:-1] == 1, mines)
        for at in np.argwhere(~mines):
            cell = (at[0] + 1) * (level.cols + 2) + at[1] + 1
            assert number_at(truth.reshape(-1), level.cols + 2, cell) == count_around(mines)[tuple(at)]


def test_the_lowest_odds_come_first_then_the_fewest_covered_neighbours_then_reading_order() -> None:
    engine = Engine()
    for text, lowest_cell in (("mines: 2\n1####\n#####", (0, 4)), ("mines: 1\n####\n####", (0, 0))):
        board = Board.parse(text)
        engine.odds(board)
        width = board.cols + 2
        assert divmod(lowest(engine.position, engine.work) - width - 1, width) == lowest_cell


BEGINNER = lay_table(Level(9, 9, 10), "open", (2, 2))
FULLER = lay_table(Level(9, 9, 20), "open", (2, 2))

COMPILED = pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT", "0") != "0", reason="uncompiled it takes minutes")


@pytest.mark.parametrize("strategy", ["single", "subset", "csp", pytest.param("best", marks=COMPILED)])
def test_results_depend_on_the_seed_alone(strategy: AnyStrategy) -> None:
    whole = play_games(BEGINNER, strategy, 1, 200).won
    parts = [play_games(BEGINNER, strategy, 1 + 50 * i, 50).won for i in range(4)]
    np.testing.assert_array_equal(whole, np.concatenate(parts))


def test_reasoning_further_wins_more() -> None:
    table = lay_table(Level(16, 16, 40), "open", (2, 2))
    rates = [play_games(table, s, 1, 400).won.mean() for s in ("single", "subset", "csp")]
    assert rates == sorted(rates)
    assert rates[-1] > 0.8


@COMPILED
def test_thinking_ahead_wins_more_than_the_lowest_odds_with_fewer_guesses() -> None:
    plain = play_games(FULLER, "csp", 1, 300)
    ahead = play_games(FULLER, "best", 1, 300)
    assert ahead.won.sum() > plain.won.sum()
    assert ahead.guesses < plain.guesses


def test_a_board_without_mines_is_won_and_one_full_of_mines_lost() -> None:
    assert play_games(lay_table(Level(5, 5, 0), "open", (0, 0)), "csp", 1, 3).won.all()
    assert not play_games(lay_table(Level(5, 5, 25), "none", (0, 0)), "csp", 1, 3).won.any()
