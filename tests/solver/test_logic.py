"""The ladder of proofs: sound against every layout, complete against the odds, and in words a person can check."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given, settings
from numpy.typing import NDArray

from bot.bench.speed import half_played
from bot.board import Board, Cell, count_around
from bot.level import Level, seeded_mines
from bot.solver.decision import Step
from bot.solver.logic import Rung, deduce, explain
from bot.solver.odds import exact_odds
from tests.solver.brute_force import Truth, boards, enumerate_layouts

RUNGS: tuple[Rung, ...] = ("single", "subset", "count")


def explain_truth(board: Board, truth: Truth) -> tuple[Step, ...]:
    def mask(cells: set[tuple[int, int]]) -> NDArray[np.bool_]:
        grid = np.zeros(board.cells.shape, dtype=np.bool_)
        for cell in cells:
            grid[cell] = True
        return grid

    return explain(board, mask(truth.safe), mask(truth.mined))


def named(steps: tuple[Step, ...], conclusion: str) -> list[tuple[int, int]]:
    return [(cell.row, cell.col) for step in steps if step.conclusion == conclusion for cell in step.cells]


@pytest.mark.parametrize("upto", ["single", "subset", "count"])
@given(board=boards())
@settings(max_examples=700, deadline=None)
def test_no_rung_ever_contradicts_the_layouts(upto: Rung, board: Board) -> None:
    truth = enumerate_layouts(board)
    steps = deduce(board, upto)
    assert set(named(steps, "safe")) <= truth.safe
    assert set(named(steps, "mine")) <= truth.mined


@given(board=boards())
@settings(max_examples=1500, deadline=None)
def test_every_certain_cell_is_explained_once(board: Board) -> None:
    truth = enumerate_layouts(board)
    steps = explain_truth(board, truth)
    assert sorted(named(steps, "safe")) == sorted(truth.safe)
    assert sorted(named(steps, "mine")) == sorted(truth.mined)


@pytest.mark.parametrize("level", [Level(16, 30, 99), Level(30, 30, 225)], ids=str)
def test_on_large_boards_the_ladder_and_the_exact_odds_agree(level: Level) -> None:
    for seed in range(30):
        board = half_played(level, seed)
        odds = exact_odds(board)
        certain = {"safe": odds.safe, "mine": odds.mined}
        for step in deduce(board):
            assert all(certain[step.conclusion][cell] for cell in step.cells), step
        steps = explain(board, odds.safe, odds.mined)
        for conclusion, mask in certain.items():
            assert sorted(named(steps, conclusion)) == [tuple(cell) for cell in np.argwhere(mask).tolist()]


@given(board=boards())
@settings(max_examples=500, deadline=None)
def test_a_sentence_names_only_numbers_that_stand_where_it_says(board: Board) -> None:
    for step in explain_truth(board, enumerate_layouts(board)):
        for number, row, col in re.findall(r"the (\d) at row (\d+), column (\d+)", step.because):
            assert board.cells[int(row) - 1, int(col) - 1] == int(number)


def entangled(seed: int) -> Board:
    """A board of 8×8 with 16 mines, opened here and there: one in three needs the rung of the layouts."""
    mines = seeded_mines(Level(8, 8, 16), "none", seed, 0, 0)
    shown = (np.random.default_rng(seed).random(mines.shape) < 0.5) & ~mines
    return Board(np.where(shown, count_around(mines), Cell.COVERED), 16)


def test_what_a_sentence_calls_impossible_fits_no_layout() -> None:
    """The numbers refute it without the count of mines, given what was proven before."""
    refuted = 0
    for board in map(entangled, range(100)):
        odds, proven = exact_odds(board), Board(board.cells, None)
        for step in explain(board, odds.safe, odds.mined):
            is_so, is_not = (Cell.WRONG_FLAG, Cell.MINE) if step.conclusion == "safe" else (Cell.MINE, Cell.WRONG_FLAG)
            if "would leave the" in step.because:
                refuted += 1
                assert exact_odds(proven.replace(dict.fromkeys(step.cells, int(is_not)))).contradictions, step
            proven = proven.replace(dict.fromkeys(step.cells, int(is_so)))
    assert refuted > 20


@given(board=boards())
@settings(max_examples=500, deadline=None)
def test_a_higher_rung_keeps_what_a_lower_one_proves(board: Board) -> None:
    proven = [{(cell, step.conclusion) for step in deduce(board, upto) for cell in step.cells} for upto in RUNGS]
    assert proven[0] <= proven[1] <= proven[2]


NAMED = {
    "a number that needs every tile": (
        "1#\n11",
        (0, 1),
        "the 1 at row 1, column 1 has only row 1, column 2 left for its mine",
    ),
    "a number that has its mine": (
        "1#1\n111\n###",
        (2, 1),
        "the 1 at row 2, column 1 already has its mine at row 1, column 2, none is left for row 3, column 1 and row 3, "
        "column 2",
    ),
    "a number that has no mine": (
        "#01#1",
        (0, 0),
        "the 0 at row 1, column 2 leaves no mine for row 1, column 1",
    ),
    "a number that has all its mines": (
        "mines: 2\n#2#\n1#2",
        (0, 0),
        "the 2 at row 1, column 2 already has its mines at row 1, column 3 and row 2, column 2, none is left for "
        "row 1, column 1",
    ),
    "a number that needs every tile for two mines": (
        "mines: 3\n###2#",
        (0, 2),
        "the 2 at row 1, column 4 has only row 1, column 3 and row 1, column 5 left for its 2 mines",
    ),
    "a number that needs every tile for its last mine": (
        "mines: 4\n###\n3#3",
        (0, 2),
        "the 3 at row 2, column 3 (less its mines at row 1, column 2 and row 2, column 2) has only row 1, column 3 "
        "left for the last mine",
    ),
    "B minus A, a mine": (
        "###\n121",
        (0, 2),
        "the 2 at row 2, column 2 and the 1 at row 2, column 1 leave exactly one mine for row 1, column 3",
    ),
    "B minus A, two mines": (
        "mines: 3\n###\n#31",
        (0, 0),
        "the 3 at row 2, column 2 and the 1 at row 2, column 3 leave exactly 2 mines for row 1, column 1 and row 2, "
        "column 1",
    ),
    "B minus A, no mine": (
        "###\n11#",
        (0, 2),
        "the 1 at row 2, column 1 and the 1 at row 2, column 2 leave no mine for row 1, column 3 and row 2, column 3",
    ),
    "B minus A, after the mines found before": (
        "mines: 3\n1#\n##\n2#\n22\n1#",
        (0, 1),
        "the 2 at row 3, column 1 (less its mine at row 3, column 2) and the 1 at row 1, column 1 leave no mine for "
        "row 1, column 2",
    ),
    "the count, with a number that holds the last mine": (
        "mines: 1\n1###\n####",
        (0, 3),
        "the 1 at row 1, column 1 holds the last mine, none is left for row 1, column 3; row 1, column 4; "
        "row 2, column 3 and row 2, column 4",
    ),
    "the count, with two numbers that hold them all": (
        "mines: 2\n###\n#21\n#10",
        (0, 0),
        "the 1 at row 2, column 3 and the 1 at row 3, column 2 hold all 2 mines left in the game, none is left for "
        "row 1, column 1",
    ),
    "the count, with one number rather than two": (
        "mines: 2\n##11\n#2##\n1###",
        (1, 3),
        "the 2 at row 2, column 2 holds all 2 mines left in the game, none is left for row 2, column 4 and row 3, "
        "column 4",
    ),
    "the count, with a number that cannot hold them": (
        "mines: 3\n##\n#1\n##\n##",
        (3, 1),
        "the 3 mines left in the game are 2 mines more than the 1 at row 2, column 2 can hold: row 4, column 1 and "
        "row 4, column 2",
    ),
    "the count, all found": (
        "mines: 0\n###",
        (0, 1),
        "every mine of the game is found, none is left for row 1, column 1; row 1, column 2 and row 1, column 3",
    ),
    "the count, all needed": (
        "mines: 2\n##",
        (0, 1),
        "the 2 mines left in the game need every covered tile: row 1, column 1 and row 1, column 2",
    ),
    "the count, the last one needed": (
        "mines: 1\n#00##",
        (0, 4),
        "the 1 mine left in the game needs every covered tile: row 1, column 5",
    ),
    "the count, of more tiles than a sentence names": (
        "mines: 0\n#####",
        (0, 1),
        "every mine of the game is found, none is left for 5 tiles from row 1, column 1 to row 1, column 5",
    ),
    "every layout, by a contradiction": (
        "mines: 2\n###\n121\n#1#",
        (0, 1),
        "every layout agrees: a mine at row 1, column 2 would leave the 2 at row 2, column 2 too few tiles for "
        "its mines",
    ),
    "every layout, by a number with too few tiles": (
        "2#2#\n###1",
        (1, 0),
        "every layout agrees: no mine at row 2, column 1 would leave the 1 at row 2, column 4 too few tiles for its "
        "mines",
    ),
    "every layout, by a number with too many mines": (
        "###\n23#\n#2#",
        (2, 0),
        "every layout agrees: no mine at row 3, column 1 would leave the 3 at row 2, column 2 too many mines",
    ),
    "every layout, by two numbers": (
        "####\n12#1\n##1#",
        (2, 3),
        "every layout agrees: a mine at row 3, column 4 would leave the 2 at row 2, column 2 and the 1 at row 2, "
        "column 1 at odds",
    ),
    "every layout, by more mines than the count": (
        "mines: 4\n#33#\n####",
        (1, 1),
        "every layout agrees: no mine at row 2, column 2 would take more mines than the game has",
    ),
    "every layout, by a contradiction with the count": (
        "mines: 2\n#1#\n1##\n##1",
        (1, 1),
        "every layout agrees: a mine at row 2, column 2 would leave room for fewer mines than the game has",
    ),
    "every layout, with no short proof": (
        "mines: 4\n#2##\n####\n#21#",
        (2, 0),
        "every layout that fits the numbers and the count of 4 mines has a mine at row 3, column 1",
    ),
    "every layout, with no short proof of a safe tile": (
        "mines: 4\n#32#\n###2\n####",
        (2, 0),
        "every layout that fits the numbers and the count of 4 mines has no mine at row 3, column 1 and row 3, "
        "column 2",
    ),
    "every layout, with neither a short proof nor a count": (
        "####\n34#3\n####",
        (0, 3),
        "every layout that fits the numbers has a mine at row 1, column 4 and row 3, column 4",
    ),
}


@pytest.mark.parametrize(("text", "cell", "sentence"), NAMED.values(), ids=NAMED.keys())
def test_the_simplest_rung_speaks(text: str, cell: tuple[int, int], sentence: str) -> None:
    board = Board.parse(text)
    steps = explain_truth(board, enumerate_layouts(board))
    assert [step.because for step in steps if cell in step.cells] == [sentence]


def test_a_flag_proves_nothing() -> None:
    assert deduce(Board.parse("F1#")) == ()


def test_a_number_that_others_leave_one_tile_is_looked_at_again() -> None:
    steps = deduce(Board.parse("0##\n0#1"), "single")
    assert named(steps, "safe") == [(0, 1), (1, 1)]
    assert named(steps, "mine") == [(0, 2)]
