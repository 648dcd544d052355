"""decide(): exact about what is certain, honest about what is not, and never at a loss for words."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from bot.board import Board, Cell
from bot.level import Level, seeded_mines
from bot.solver import decide
from bot.words import Rule
from tests.solver.brute_force import boards, enumerate_layouts


@given(board=boards())
@settings(max_examples=400, deadline=None)
def test_what_is_certain_and_whether_to_guess_is_exact(board: Board) -> None:
    truth = enumerate_layouts(board)
    decision = decide(board, strategy="csp")
    assert set(decision.safe) == truth.safe
    assert set(decision.mined) == truth.mined
    assert {cell for cell in truth.safe if board.cells[cell] == Cell.FLAG} == set(decision.wrong_flags)
    goes_on = len(truth.mined) < len(truth.hidden)
    untouched = board.hidden.all()
    assert (decision.move is not None) == goes_on
    assert decision.must_guess == (goes_on and not truth.safe and not untouched)
    if decision.move is not None and not untouched:
        chance = float(truth.odds[decision.move.row, decision.move.col])
        if truth.safe:
            assert chance == 0
        if decision.move.action == "open" and board.mines is not None:
            assert decision.move.risk == pytest.approx(chance, abs=1e-12)


@given(board=boards(unknown_mines=False), off_by=st.sampled_from([-3, -2, -1, 1, 2, 3]))
@settings(max_examples=400, deadline=None)
def test_a_mine_count_that_no_layout_has_is_a_contradiction(board: Board, off_by: int) -> None:
    assert board.mines is not None
    assume(0 <= board.mines + off_by <= board.cells.size)
    miscounted = Board(board.cells, board.mines + off_by)
    decision = decide(miscounted, strategy="csp")
    impossible = enumerate_layouts(miscounted).count == 0
    assert decision.reason.startswith("the board contradicts itself: ") == impossible
    if impossible:
        assert decision.move is None
        assert decision.problems


@given(board=boards(unknown_mines=False))
@settings(max_examples=300, deadline=None)
def test_the_odds_are_the_share_of_layouts_with_a_mine(board: Board) -> None:
    truth = enumerate_layouts(board)
    odds = decide(board, strategy="csp", explain=False).odds
    assert np.array_equal(np.isnan(odds), ~board.hidden)
    for cell, chance in truth.odds.items():
        assert odds[cell] == pytest.approx(float(chance), abs=1e-12)


@given(board=boards())
@settings(max_examples=300, deadline=None)
def test_the_reason_for_a_safe_move_is_the_step_that_proves_it(board: Board) -> None:
    decision = decide(board, strategy="csp")
    if decision.safe and decision.move is not None:
        cell = (decision.move.row, decision.move.col)
        [because] = [step.because for step in decision.steps if cell in step.cells]
        assert decision.reason.endswith(because)


def test_a_guess_names_its_risk_and_what_it_was_weighed_against() -> None:
    decision = decide(Board.parse("mines: 3\n2##\n###\n###"), strategy="best")
    assert decision.must_guess
    assert decision.move is not None
    assert decision.candidates[0].risk == decision.move.risk == decision.odds[decision.move.row, decision.move.col]
    assert f"row {decision.move.row + 1}, column {decision.move.col + 1}" in decision.reason
    assert f"{100 * decision.move.risk:.1f} % risk" in decision.reason


def test_a_guess_is_told_with_the_two_next_best_candidates() -> None:
    alone = "no tile is certainly safe; row 1, column 1 is the only candidate: 50.0 % risk; "
    assert decide(Board.parse("mines: 1\n##\n11"), strategy="best").reason.startswith(alone)
    several = (
        "no tile is certainly safe; row 1, column 1 is the best of 4 candidates: 50.0 % risk, "
        "before row 1, column 3 (50.0 %) and row 1, column 5 (50.0 %); it is the least likely to hold a mine"
    )
    assert decide(Board.parse("mines: 2\n#1#x#1#"), strategy="csp").reason == several


def test_a_guess_that_is_not_the_safest_tile_says_which_is_and_why_not() -> None:
    text = "mines: 4\n01#1\n12#1\n##32\n####"
    safer = "; row 1, column 3 is safer itself (20.0 %), but leaves less to go on"
    assert decide(Board.parse(text), strategy="best").reason.endswith(safer)
    assert "safer" not in decide(Board.parse(text), strategy="csp").reason


def test_a_guess_that_must_be_made_anyway_says_so_and_that_safer_tiles_spare_nobody_it() -> None:
    rows = ["#1" + "x" * 10 + "#" * 12] * 2 + ["xx" + "x" * 10 + "#" * 12] * 4
    board = Board.parse("\n".join(["mines: 20", *rows])).replace({(2, 0): 12, (2, 1): 12, (1, 1): 3})
    assert decide(board, strategy="best").reason == (
        "no tile is certainly safe; row 1, column 1 is the only candidate: 50.0 % risk; "
        "one of these two (row 1, column 1; row 2, column 1) must be guessed sooner or later, "
        "and nothing can tell them apart; row 1, column 13 is safer itself (23.6 %), but spares nobody this guess"
    )


def test_a_flag_on_a_safe_tile_is_taken_off_before_it_is_opened() -> None:
    decision = decide(Board.parse("mines: 1\n#1F"))
    assert decision.move is None or decision.must_guess, "a flag proves nothing"
    decision = decide(Board.parse("mines: 1\n11F\n#10"))
    assert decision.wrong_flags == ((0, 2),)
    assert decision.move is not None
    assert (decision.move.action, decision.move.row, decision.move.col) == ("unflag", 0, 2)
    assert decision.reason.startswith("the flag at row 1, column 3 is wrong: ")


def test_a_safe_tile_without_a_flag_comes_before_one_with_a_wrong_flag() -> None:
    move = decide(Board.parse("mines: 0\nF#")).move
    assert move is not None
    assert (move.action, move.col) == ("open", 1)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("mines: 2\nX#\n##", "the game is lost: the mine at row 1, column 1 went off"),
        ("mines: 1\n1#\n11", "the game is won: every tile without a mine is open"),
        ("00\n00", "the game is won: every tile without a mine is open"),
        ("mines: 4\n##\n##", "the game is won: every tile without a mine is open"),
        ("mines: 1\n11\n..", "every tile that could be opened could not be read"),
    ],
)
def test_without_anything_to_do_the_reason_says_why(text: str, reason: str) -> None:
    decision = decide(Board.parse(text))
    assert decision.move is None
    assert not decision.must_guess
    assert decision.reason == reason


def test_a_contradiction_spoils_only_the_part_it_is_in() -> None:
    decision = decide(Board.parse("5#1001#1"))
    assert decision.move is None
    assert decision.problems == (
        "the 5 at row 1, column 1 has only 1 cell around it that could hold a mine",
        "no layout fits the numbers at row 1, column 1; row 1, column 3",
    )
    assert decision.mined == ((0, 6),)
    assert np.isnan(decision.odds[0, 1])
    assert decision.odds[0, 6] == 1


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("5#1", "the numbers leave the 5 at row 1, column 1 too few tiles for its mines"),
        ("*1*\n###", "the numbers leave the 1 at row 1, column 2 too many mines"),
        ("#1#\n#2#", "the numbers leave the 2 at row 2, column 2 and the 1 at row 1, column 2 at odds"),
        ("mines: 3\n1#1", "no layout of the rest of the board has the game's 3 mines"),
    ],
)
def test_a_contradiction_is_told_where_it_shows(text: str, shown: str) -> None:
    assert decide(Board.parse(text)).reason == f"the board contradicts itself: {shown}"


def test_a_shown_mine_is_known_and_the_game_goes_on() -> None:
    decision = decide(Board.parse("mines: 1\n*1#"))
    assert decision.safe == ((0, 2),)
    assert (
        decision.reason
        == "the 1 at row 1, column 2 already has its mine at row 1, column 1, none is left for row 1, column 3"
    )


@pytest.mark.parametrize("rule", ["open", "safe", "none"])
@pytest.mark.parametrize("mines", [10, None])
def test_the_first_click_follows_the_rule(rule: Rule, mines: int | None) -> None:
    decision = decide(Board.covered(9, 9, mines), rule=rule)
    assert decision.move is not None
    assert decision.must_guess == (rule == "none")
    assert decision.move.risk == (10 / 81 if rule == "none" else 0)


def test_a_first_click_that_nothing_protects_risks_the_share_of_mines_a_fifth_if_unknown() -> None:
    for mines, risk in ((3, 0.1), (None, 0.2)):
        move = decide(Board.covered(5, 6, mines), rule="none").move
        assert move is not None
        assert move.risk == risk


@pytest.mark.parametrize(
    ("size", "mines", "rule", "reason"),
    [
        ((9, 9), 10, "open", "the first click is an opening; row 3, column 3 wins most games"),
        ((4, 4), 7, "open", "the first click is an opening; row 2, column 2 wins most games"),
        ((4, 4), 8, "open", "the first click is safe; row 2, column 2 wins most games"),
        ((4, 4), 9, "open", "the first click is safe; row 2, column 2 wins most games"),
        ((9, 9), 10, "safe", "the first click is safe; row 1, column 1 wins most games"),
        ((9, 9), 10, "none", "nothing is open yet; row 1, column 1 is as good as any"),
    ],
)
def test_the_first_click_promises_what_the_rule_keeps(
    size: tuple[int, int], mines: int, rule: Rule, reason: str
) -> None:
    assert decide(Board.covered(*size, mines), rule=rule).reason == reason


@pytest.mark.parametrize("strategy", ["csp", "best"])
def test_a_whole_game_is_played_to_its_end(strategy: str) -> None:
    """Every decision on the way is a legal one, and only a guess can lose."""
    level = Level(9, 9, 10)
    for seed in range(1, 9):
        board = Board.covered(9, 9, 10)
        first = decide(board).move
        assert first is not None
        mines = seeded_mines(level, "open", seed, first.row, first.col)
        while True:
            decision = decide(board, strategy="best" if strategy == "best" else "csp")
            if decision.move is None:
                break
            cell = (decision.move.row, decision.move.col)
            if mines[cell]:
                assert decision.must_guess
                break
            number = sum(bool(mines[neighbour]) for neighbour in board.neighbours(*cell))
            board = board.replace({cell: number})


def test_importing_the_solver_does_not_load_the_compiler() -> None:
    code = "import sys, bot.solver; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
