from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from bot.board import Board, Cell
from bot.level import Level, seeded_mines
from bot.solver import odds as odds_module
from bot.solver.kernels.combining import PRIOR
from bot.solver.kernels.workspace import N_COUNTED
from bot.solver.odds import Engine, exact_odds
from tests.outside import outside
from tests.solver.brute_force import boards, enumerate_layouts

POSITIONS = outside("positions")


def stored_positions(name: str) -> Iterator[tuple[str, Board, list[float]]]:
    truth = {
        item["id"]: item["mine_prob"] for item in json.loads((POSITIONS / f"{name}.json").read_text())["positions"]
    }
    for block in (POSITIONS / f"{name}.txt").read_text().split("@ ")[1:]:
        head, *rows = block.splitlines()
        yield head.split()[0], Board.parse("\n".join([f"mines: {head.split()[3]}", *rows])), truth[head.split()[0]]


@pytest.mark.skipif(not POSITIONS.exists(), reason="the shared positions are not here")
@pytest.mark.parametrize("name", ["expert", "hard"])
def test_stored_positions_have_the_odds_an_exact_rational_programme_gave_them(name: str) -> None:
    for label, board, truth in stored_positions(name):
        odds = exact_odds(board)
        np.testing.assert_allclose(odds.chance[board.hidden], truth, rtol=0, atol=1e-6, err_msg=label)
        assert odds.exact


@settings(max_examples=2000, deadline=None)
@given(boards())
def test_odds_and_certainty_agree_with_enumeration(board: Board) -> None:
    truth = enumerate_layouts(board)
    odds = exact_odds(board)
    if truth.count == 0:
        assert odds.contradictions
        return
    assert not odds.contradictions
    assert {(int(r), int(c)) for r, c in np.argwhere(odds.safe)} == truth.safe
    assert {(int(r), int(c)) for r, c in np.argwhere(odds.mined)} == truth.mined
    assert np.array_equal(np.isnan(odds.chance), ~board.hidden)
    if board.mines is not None:
        assert odds.log_layouts == pytest.approx(math.log(truth.count), abs=1e-9)
        for cell, chance in truth.odds.items():
            assert abs(odds.chance[cell] - float(chance)) < 1e-12


def opened_at_random(level: Level, seed: int, share: float) -> Board:
    """A board with this share of its safe cells open, found as nobody would play: scattered, hence entangled."""
    mines = seeded_mines(level, "none", seed, 0, 0)
    padded = np.pad(mines, 1).astype(np.uint8)
    around = sum(
        padded[1 + dr : 1 + dr + level.rows, 1 + dc : 1 + dc + level.cols] for dr in (-1, 0, 1) for dc in (-1, 0, 1)
    )
    shown = (np.random.default_rng(seed).random(mines.shape) < share) & ~mines
    return Board(np.where(shown, around, Cell.COVERED).astype(np.uint8), level.mines)


@pytest.mark.parametrize(
    ("level", "share"),
    [
        (Level(24, 30, 668), 0.5),
        (Level(24, 30, 668), 0.0),
        (Level(100, 100, 2000), 0.9),
        (Level(100, 100, 2000), 0.01),
        (Level(100, 100, 2000), 0.0),
        (Level(100, 100, 9999), 0.0),
        (Level(60, 60, 20), 0.4),
    ],
)
def test_large_and_crowded_boards_neither_overflow_nor_underflow(level: Level, share: float) -> None:
    board = opened_at_random(level, 1, share)
    odds = exact_odds(board)
    chance = odds.chance[board.hidden]
    assert odds.exact
    assert not odds.contradictions
    assert np.all((chance >= 0) & (chance <= 1))
    assert math.isfinite(odds.log_layouts)
    assert chance.sum() == pytest.approx(level.mines, rel=1e-9)


def test_a_covered_board_counts_the_ways_to_place_all_mines() -> None:
    odds = exact_odds(Board.covered(16, 30, 99))
    assert odds.log_layouts == pytest.approx(math.log(math.comb(480, 99)), rel=1e-12)
    np.testing.assert_allclose(odds.chance, 99 / 480, rtol=1e-12)


def test_flags_are_opinions_and_shown_mines_are_facts() -> None:
    plain = exact_odds(Board.parse("mines: 2\n#1#\n###"))
    flagged = exact_odds(Board.parse("mines: 2\nF1?\n.##"))
    np.testing.assert_array_equal(plain.chance, flagged.chance)
    shown = exact_odds(Board.parse("mines: 2\n*1#\n###"))
    assert shown.safe[0, 2]
    assert math.isnan(shown.chance[0, 0])


def test_a_wrong_flag_shows_that_there_is_no_mine() -> None:
    odds = exact_odds(Board.parse("mines: 1\nx1#"))
    assert odds.mined[0, 2]


def test_without_a_mine_count_only_the_numbers_prove() -> None:
    odds = exact_odds(Board.parse("1#1##"))
    assert odds.mined[0, 1]
    assert odds.safe[0, 3]
    assert odds.chance[0, 4] == pytest.approx(PRIOR)
    assert math.isnan(odds.log_layouts)


def test_a_contradiction_is_named_and_the_rest_of_the_board_still_judged() -> None:
    impossible = Board.parse("mines: 3\n#1xxx1#\n11xxx11\n#1xxxxx\n2#xxxxx")
    odds = exact_odds(impossible)
    assert odds.contradictions == (
        "no layout fits the numbers at row 1, column 2; row 2, column 1; row 2, column 2; row 3, column 2; "
        "row 4, column 1",
    )
    assert odds.mined[0, 6]
    assert math.isnan(odds.chance[0, 0])
    assert math.isnan(odds.log_layouts)
    assert not odds.mined[0, 0]


def test_mines_that_do_not_add_up_are_a_contradiction_too() -> None:
    odds = exact_odds(Board.parse("mines: 3\n#1#"))
    assert len(odds.contradictions) == 1
    assert "3 mines" in odds.contradictions[0]
    np.testing.assert_allclose(odds.chance[0, [0, 2]], 0.5)


def test_components_that_did_not_change_are_not_counted_again() -> None:
    engine = Engine()
    before = Board.parse("mines: 5\n#1xxx1#\n##xxx##\n###x###")
    after = before.replace({(2, 0): 1})
    engine.odds(before)
    counted = engine.work.tally[N_COUNTED]
    engine.odds(before)
    assert engine.work.tally[N_COUNTED] == counted
    reused, fresh = engine.odds(after), Engine().odds(after)
    assert engine.work.tally[N_COUNTED] == counted + 1
    np.testing.assert_array_equal(fresh.chance, reused.chance)


def test_none_of_many_components_is_counted_again() -> None:
    engine, board = Engine(), opened_at_random(Level(16, 30, 99), 1, 0.3)
    engine.odds(board)
    counted = engine.work.tally[N_COUNTED]
    assert counted > 5
    engine.odds(board)
    assert engine.work.tally[N_COUNTED] == counted


def test_an_engine_that_has_seen_many_boards_mistakes_no_component_for_another() -> None:
    engine = Engine()
    for seed in range(40):
        board = opened_at_random(Level(16, 30, 99), seed, 0.1)
        np.testing.assert_array_equal(engine.odds(board).chance, Engine().odds(board).chance)


ENTANGLED = opened_at_random(Level(12, 12, 30), 1, 0.5)


@pytest.mark.parametrize("states", [16, 64])
def test_a_board_too_entangled_for_the_first_memory_is_counted_in_more(
    states: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(odds_module, "STATES", states)
    monkeypatch.setattr(odds_module, "MOST_STATES", 1 << 14)
    odds, truth = Engine().odds(ENTANGLED), exact_odds(ENTANGLED)
    assert odds.exact
    np.testing.assert_array_equal(odds.chance, truth.chance)


@pytest.mark.parametrize("states", [16, 64])
def test_what_no_memory_can_count_is_estimated_and_never_certain(states: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(odds_module, "STATES", states)
    monkeypatch.setattr(odds_module, "MOST_STATES", states)
    odds, truth = Engine().odds(ENTANGLED), exact_odds(ENTANGLED)
    assert not odds.exact
    assert not odds.contradictions
    assert not (odds.safe & ~truth.safe).any()
    assert not (odds.mined & ~truth.mined).any()
    assert not np.isnan(odds.chance[ENTANGLED.hidden]).any()


def test_the_kernels_run_uncompiled_for_debugging() -> None:
    code = (
        "from bot.board import Board; from bot.solver.odds import exact_odds\n"
        "print(exact_odds(Board.parse('mines: 3\\n1##\\n###\\n2##')).chance.tolist())"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    ]
    assert runs[0] == runs[1]
