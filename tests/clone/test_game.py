"""The clone keeps the rules of the Windows 7 game."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from bot.board import Board, BoardError, Cell, count_around
from bot.clone.game import Game
from bot.level import LEVELS, Level
from bot.words import Rule


def laid(picture: str, question_marks: bool = True) -> Game:
    """A game whose mines are the stars of a picture."""
    rows = [line.strip() for line in picture.split()]
    return Game.with_mines(np.array([[symbol == "*" for symbol in row] for row in rows]), question_marks)


def shown(game: Game) -> list[str]:
    return str(game.board()).splitlines()[1:]


def test_a_flood_opens_zeros_and_the_numbers_around_them() -> None:
    game = laid("....* ....* ..... *.... .*...")
    game.open(0, 0)
    assert shown(game) == ["0002#", "0002#", "11011", "#2100", "##100"]
    assert game.state == "playing"


def test_a_number_opens_alone() -> None:
    game = laid("*.... ..... .....")
    game.open(0, 1)
    assert shown(game) == ["#1###", "#####", "#####"]
    assert game.state == "playing"


def test_a_flood_goes_around_flags_and_through_question_marks() -> None:
    game = laid("...... ...... .....*")
    game.mark(0, 2)
    game.mark(1, 1)
    game.mark(1, 1)
    game.open(0, 0)
    assert shown(game) == ["00F000", "000011", "00001#"]
    game.mark(0, 2)
    game.open(0, 2)
    assert game.state == "won"


def test_right_clicks_go_from_flag_to_question_mark_to_covered() -> None:
    game = laid("*..")
    seen = []
    for _ in range(4):
        seen.append(shown(game)[0][0])
        game.mark(0, 0)
    assert "".join(seen) == "#F?#"


def test_without_question_marks_right_clicks_toggle_flags() -> None:
    game = laid("*..", question_marks=False)
    game.mark(0, 0)
    assert shown(game) == ["F##"]
    game.mark(0, 0)
    assert shown(game) == ["###"]


def test_a_left_click_on_a_flag_does_nothing_and_on_a_question_mark_opens() -> None:
    game = laid("*..")
    game.mark(0, 1)
    game.open(0, 1)
    assert shown(game) == ["#F#"]
    game.mark(0, 1)
    game.open(0, 1)
    assert shown(game) == ["#1#"]


def test_a_right_click_on_an_open_number_does_nothing() -> None:
    game = laid("*..")
    game.open(0, 1)
    game.mark(0, 1)
    assert shown(game) == ["#1#"]


def test_a_mine_loses_and_shows_everything() -> None:
    game = laid("*.* .*. ..*")
    game.mark(0, 0)  # rightly
    game.mark(0, 1)  # wrongly
    game.open(2, 2)
    assert game.state == "lost"
    assert shown(game) == ["Fx*", "#*#", "##X"]
    assert game.mines_left == 4 - 2


def test_a_lost_game_takes_no_more_clicks() -> None:
    game = laid("*..")
    game.open(0, 0)
    before = game.board()
    game.open(0, 2)
    game.mark(0, 1)
    game.chord(0, 1)
    assert game.board() == before


def test_a_win_shows_the_mines_and_no_flags_and_the_counter_shows_none_left() -> None:
    game = laid("*..*")
    game.mark(0, 0)
    game.mark(0, 3)
    game.mark(0, 3)  # a question mark over a mine
    game.open(0, 1)
    game.open(0, 2)
    assert game.state == "won"
    assert shown(game) == ["*11*"]
    assert game.mines_left == 0


def test_a_chord_needs_as_many_flags_as_the_number() -> None:
    game = laid("*.. ... ..*")
    game.open(1, 1)
    game.mark(0, 0)
    game.chord(1, 1)
    assert shown(game) == ["F##", "#2#", "###"]
    game.mark(2, 2)
    game.chord(1, 1)
    assert shown(game) == ["*10", "121", "01*"]
    assert game.state == "won"


def test_a_chord_with_a_wrong_flag_loses() -> None:
    game = laid("*.. ...")
    game.open(0, 1)
    game.mark(1, 0)
    game.chord(0, 1)
    assert game.state == "lost"
    assert shown(game) == ["X10", "x10"]


def test_a_chord_on_a_covered_cell_does_nothing() -> None:
    game = laid("*.. ...")
    game.chord(0, 1)
    assert shown(game) == ["###", "###"]


def test_too_many_flags_make_the_counter_negative() -> None:
    game = laid("*...")
    for col in range(3):
        game.mark(0, col)
    assert game.mines_left == -2


def test_restarting_keeps_the_mines_so_the_first_click_can_lose() -> None:
    game = Game(LEVELS["beginner"], seed=7)
    game.open(4, 4)
    mines = game.mines
    assert mines is not None
    row, col = np.argwhere(mines)[0]
    game.restart()
    assert game.board() == Board.covered(9, 9, 10)
    game.open(int(row), int(col))
    assert game.state == "lost"
    assert game.mines is mines


def test_a_new_game_lays_new_mines_after_its_first_click() -> None:
    game = Game(LEVELS["beginner"], seed=7)
    game.open(0, 0)
    game.new(8)
    assert game.mines is None
    assert game.three_bv is None
    game.open(0, 0)
    assert game.state in ("playing", "won")


def test_flags_may_be_set_before_the_first_click_and_stay() -> None:
    game = Game(LEVELS["beginner"], seed=3)
    game.mark(0, 0)
    game.open(1, 1)
    assert shown(game)[0][0] == "F"
    assert shown(game)[1][1] == "0"


def test_nobody_can_move_the_mines() -> None:
    mines = laid("*.. ...").mines
    assert mines is not None
    with pytest.raises(ValueError, match="read-only"):
        mines[0, 0] = False


def test_games_without_a_seed_are_any_of_all_that_seeds_can_name() -> None:
    seeds = [Game(LEVELS["beginner"]).seed for _ in range(50)]
    assert len(set(seeds)) == 50
    assert max(seeds) < 2**32


@pytest.mark.parametrize(("row", "col"), [(-1, 0), (0, -1), (9, 0), (0, 9), (10, 0), (0, 10)])
def test_a_cell_outside_the_board_is_named(row: int, col: int) -> None:
    game = Game(LEVELS["beginner"])
    with pytest.raises(BoardError, match=f"row {row + 1}, column {col + 1}"):
        game.open(row, col)


def test_a_board_full_of_mines_loses_at_the_first_click() -> None:
    game = Game(Level(2, 2, 4))
    game.open(0, 0)
    assert game.state == "lost"


levels = st.builds(
    lambda rows, cols, share: Level(rows, cols, int(rows * cols * share)),
    st.integers(1, 12),
    st.integers(1, 12),
    st.floats(0, 0.95),
)
seeds = st.integers(0, 2**32 - 1)


@given(levels, seeds, st.data())
def test_the_first_click_opens_an_area_when_there_is_room(level: Level, seed: int, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, level.rows - 1))
    col = data.draw(st.integers(0, level.cols - 1))
    assume(level.mines <= level.rows * level.cols - 9)
    game = Game(level, seed=seed)
    game.open(row, col)
    assert game.board().cells[row, col] == 0
    assert game.mines is not None
    assert np.count_nonzero(game.mines) == level.mines


@given(levels, seeds, st.sampled_from(["open", "safe"]))
def test_the_first_click_never_loses_while_a_cell_is_free(level: Level, seed: int, rule: Rule) -> None:
    game = Game(level, rule, seed)
    game.open(0, 0)
    assert game.state != "lost"


@given(levels, seeds, st.lists(st.tuples(st.sampled_from("omc"), st.integers(0, 11), st.integers(0, 11)), max_size=60))
def test_any_sequence_of_clicks_keeps_the_board_true(
    level: Level, seed: int, clicks: list[tuple[str, int, int]]
) -> None:
    game = Game(level, seed=seed)
    ever_marked = np.zeros((level.rows, level.cols), dtype=np.bool_)
    for kind, row, col in clicks:
        act = {"o": game.open, "m": game.mark, "c": game.chord}[kind]
        act(row % level.rows, col % level.cols)
        ever_marked[row % level.rows, col % level.cols] |= kind == "m"
        _check(game, ever_marked)


def _check(game: Game, ever_marked: NDArray[np.bool_]) -> None:
    cells = game.board().cells
    if game.mines is None:
        assert (cells >= Cell.COVERED).all()
        return
    opened = cells <= 8
    numbers = count_around(game.mines)
    assert (cells[opened] == numbers[opened]).all()
    assert not (opened & game.mines).any()
    beside_zero = count_around(cells == 0) > 0
    if game.state in ("playing", "won"):
        assert not (beside_zero & (cells == Cell.COVERED) & ~ever_marked).any()
        assert (game.state == "won") == bool((opened | game.mines).all())
    if game.state == "won":
        assert ((cells == Cell.MINE) == game.mines).all()
    if game.state == "lost":
        assert (cells == Cell.EXPLODED).any()
        assert ((cells == Cell.MINE) | (cells == Cell.EXPLODED) | (cells == Cell.FLAG))[game.mines].all()
        assert not (cells == Cell.FLAG)[~game.mines].any()


@given(seeds)
def test_three_bv_clicks_win_and_none_of_them_is_wasted(seed: int) -> None:
    game = Game(Level(6, 7, 8), seed=seed)
    game.open(0, 0)
    mines = game.mines
    assert mines is not None
    game.restart()
    clicks = 0
    numbers = count_around(mines)
    for zeros_only in (True, False):
        for row, col in np.argwhere(~mines & ((numbers == 0) | (not zeros_only))):
            if game.board().cells[row, col] == Cell.COVERED:
                game.open(int(row), int(col))
                clicks += 1
    assert game.state == "won"
    assert clicks == game.three_bv
