"""The whole game tree, played perfectly, held against enumerating every game."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from bot.board import Board, Cell, count_around
from bot.solver.kernels.endgame import (
    NO_ANSWER,
    RESULT_LAYOUTS,
    RESULT_NODES,
    RESULT_WON,
    allocate_endgame,
    search,
    search_enclosed,
)
from bot.solver.odds import Engine, exact_odds
from tests.solver.brute_force import enumerate_layouts, most_games_won

ENGINE = Engine()
ENDGAME = allocate_endgame(200, 1024)


def best_move(board: Board) -> tuple[int, int, int]:
    """The end game's cell (padded), the layouts it wins, and how many there are."""
    assert not ENGINE.odds(board).contradictions
    assert board.mines is not None
    cell = search(ENGINE.position, ENGINE.work, ENDGAME, 50_000)
    return cell, int(ENDGAME.result[RESULT_WON]), int(ENDGAME.result[RESULT_LAYOUTS])


def guessing_positions(count: int) -> Iterator[Board]:
    """Boards of 5×5 with 4 to 6 mines, opened here and there, on which nothing is certainly safe."""
    random = np.random.default_rng(7)
    while count > 0:
        mines = random.permutation(25).reshape(5, 5) < random.integers(4, 7)
        hidden = mines.copy()
        hidden.flat[np.flatnonzero(~mines)[random.random(int((~mines).sum())) < random.uniform(0.05, 0.4)]] = True
        board = Board(np.where(hidden, Cell.COVERED, count_around(mines)), int(mines.sum()))
        if np.count_nonzero(hidden) > 12 or exact_odds(board).safe.any() or exact_odds(board).chance[hidden].min() == 1:
            continue
        count -= 1
        yield board


def test_perfect_play_wins_what_enumerating_the_whole_game_wins() -> None:
    for board in guessing_positions(40):
        cell, won, layouts = best_move(board)
        assert layouts == enumerate_layouts(board).count
        assert won == most_games_won(board)
        assert exact_odds(board).chance[divmod(cell - board.cols - 3, board.cols + 2)] < 1


def test_a_tree_too_large_to_remember_is_given_up_however_many_nodes_are_allowed() -> None:
    board, memory = Board.parse("mines: 4\n#####\n#####\n#####\n#####"), allocate_endgame(200, 4845)
    assert not ENGINE.odds(board).contradictions
    assert search(ENGINE.position, ENGINE.work, memory, 10**9) == NO_ANSWER
    assert memory.result[RESULT_NODES] >= 1 << 16


@pytest.mark.parametrize(
    ("text", "move"), [("mines: 6\n12##\n###4\n####", (2, 1)), ("mines: 6\n2###\n####\n##42", (0, 3))]
)
def test_where_only_one_move_wins_most_it_is_the_one_given(text: str, move: tuple[int, int]) -> None:
    board = Board.parse(text)
    wins = {
        (row, col): sum(
            most_games_won(shown)
            for shown in (board.replace({(row, col): number}) for number in range(9))
            if enumerate_layouts(shown).count
        )
        for row, col in np.argwhere(board.hidden).tolist()
    }
    cell, won, _ = best_move(board)
    assert divmod(cell - board.cols - 3, board.cols + 2) == move
    assert [at for at, times in wins.items() if times >= won] == [move]


def test_more_layouts_than_there_is_room_for_have_no_answer() -> None:
    ENGINE.odds(Board.covered(3, 5, 2))
    for room, answered in ((104, False), (105, True)):
        cell = search(ENGINE.position, ENGINE.work, allocate_endgame(200, room), 50_000)
        assert (cell != NO_ANSWER) == answered


def test_a_small_board_is_played_perfectly_from_the_first_click() -> None:
    board = Board(np.full((3, 3), 9, np.uint8), 2)
    _, won, layouts = best_move(board)
    assert layouts == 36
    assert won == most_games_won(board)


@pytest.mark.parametrize("text", ["mines: 4\n##1##\n###21\n###10", "mines: 6\n####\n#4##\n#2##"])
def test_of_many_moves_to_try_the_best_is_not_lost_while_they_are_sorted(text: str) -> None:
    board = Board.parse(text)
    assert best_move(board)[1] == most_games_won(board)


def test_a_region_that_nothing_outside_can_tell_about_is_played_perfectly_on_its_own() -> None:
    found, wanted = 0, 10
    for left in guessing_positions(150):
        between, right = np.full((5, 1), Cell.WRONG_FLAG), np.full((5, 8), Cell.COVERED)
        board = Board(np.hstack([left.cells, between, right]), (left.mines or 0) + 9)
        if exact_odds(board).safe.any():
            continue
        ENGINE.odds(board)
        width = board.cols + 2
        cell = search_enclosed(ENGINE.position, ENGINE.work, ENDGAME, 50_000)
        whole = enumerate_layouts(left).count == ENDGAME.result[RESULT_LAYOUTS]
        if cell == NO_ANSWER or not whole:
            continue
        found += 1
        assert (cell - 1) % width < left.cols
        assert ENDGAME.result[RESULT_WON] == most_games_won(left)
        if found == wanted:
            return
    raise AssertionError(f"only {found} such regions among the positions")


@pytest.mark.parametrize("turns", range(4))
def test_a_region_that_touches_a_cell_without_numbers_is_not_enclosed_on_whichever_side(turns: int) -> None:
    for row, enclosed in (("x#1#x##", True), ("##1#x##", False)):
        board = Board(np.rot90(Board.parse(row).cells, turns), 2)
        ENGINE.odds(board)
        cell = search_enclosed(ENGINE.position, ENGINE.work, ENDGAME, 50_000)
        assert (cell != NO_ANSWER) == enclosed
