"""What a player relies on: counters, state, doubts, and a second picture read from what changed."""

from __future__ import annotations

import json
from dataclasses import replace

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell
from bot.clone.game import Game
from bot.clone.painter import Design, Painter, paint_dialog
from bot.level import Level
from bot.show.annotate import draw_reading
from bot.show.documents import reading_json
from bot.vision.reader import NoBoardError, Reader
from bot.vision.skin import Skin
from bot.words import Theme
from tests.vision.midgame import MIDGAME, SKIN

POINTER = ((0, 0), (0, 16), (4, 12), (7, 19), (10, 18), (7, 11), (12, 11))


@pytest.mark.parametrize("pitch", [12.0, 18.0, 27.5, 44.35, 70.0])
def test_counters_are_read_at_any_size(pitch: float) -> None:
    painter = Painter(9, 9, Design(pitch=pitch))
    for seconds, mines_left in ((0, 8), (347, -3), (29, 10), (561, 0)):
        reading = Reader(SKIN).read(painter.paint(MIDGAME, seconds=seconds, mines_left=mines_left))
        assert (reading.mines_left, reading.seconds) == (mines_left, seconds)


def test_an_empty_clock_is_no_number_and_the_counter_tells_the_mines() -> None:
    reading = Reader(SKIN).read(Painter(9, 9).paint(MIDGAME, seconds=None))
    assert reading.seconds is None
    assert reading.board == MIDGAME
    assert reading.board.mines == 10


def test_a_board_without_its_counters_has_no_number_of_mines() -> None:
    painter = Painter(9, 9, Design(pitch=20.0))
    left, top = (round(edge) for edge in painter.origin)
    picture = painter.paint(MIDGAME)[top - 2 : top + 182, left - 2 : left + 182].copy()
    reading = Reader(SKIN).read(picture)
    assert np.array_equal(reading.board.cells, MIDGAME.cells)
    assert reading.mines_left is None
    assert reading.board.mines is None


def test_the_end_of_a_game_is_seen() -> None:
    painter = Painter(9, 9)
    won = Board(np.where(MIDGAME.cells >= Cell.COVERED, Cell.FLAG, MIDGAME.cells))
    lost = MIDGAME.replace({(8, 8): Cell.EXPLODED, (0, 8): Cell.MINE})
    assert Reader(SKIN).read(painter.paint(MIDGAME)).state == "playing"
    assert Reader(SKIN).read(painter.paint(won, state="won")).state == "won"
    assert Reader(SKIN).read(painter.paint(lost, state="lost")).state == "lost"


def test_what_a_dialog_hides_is_doubted_and_not_invented() -> None:
    painter = Painter(16, 30, Design(pitch=24.0))
    cells = np.random.default_rng(1).choice([0, 1, 2, 9, 9, 10], size=(16, 30)).astype(np.uint8)
    reading = Reader(SKIN).read(paint_dialog(painter.paint(Board(cells), state="lost"), "lost"))
    seen = reading.board.cells
    assert reading.dialog
    assert reading.board.mines is None
    unread = seen == Cell.UNREAD
    assert 60 <= np.count_nonzero(unread) <= 200
    assert np.array_equal(seen[~unread], cells[~unread])


@pytest.mark.parametrize(
    ("rows", "cols", "pitch", "shown"), [(9, 9, 18.0, 0.8), (9, 9, 22.0, 1.7), (16, 16, 19.3, 0.6)]
)
def test_a_strip_of_the_last_row_below_a_dialog_is_a_board_when_its_counters_show(
    rows: int, cols: int, pitch: float, shown: float
) -> None:
    painter = Painter(rows, cols, Design("green", pitch=pitch))
    cells = np.random.default_rng(4).choice([0, 1, 2, 9, 9, 10], size=(rows, cols)).astype(np.uint8)
    picture = painter.paint(Board(cells), seconds=61, mines_left=7).copy()
    edge = round(painter.origin[1] + (rows - shown) * pitch)
    picture[:edge] = 240
    picture[edge - 2 : edge] = 90
    reading = Reader(SKIN).read(picture)
    seen = reading.board.cells
    assert (reading.board.rows, reading.board.cols) == (rows, cols)
    assert (reading.mines_left, reading.seconds) == (7, 61)
    assert reading.dialog
    assert (seen[: rows - 2] == Cell.UNREAD).all()
    assert np.array_equal(seen[seen != Cell.UNREAD], cells[seen != Cell.UNREAD])


def test_how_a_game_ended_is_not_made_up_where_a_dialog_hides_board_and_counter() -> None:
    painter = Painter(9, 9, Design(pitch=27.0))
    reader = Reader(SKIN)
    grid = reader.read(painter.paint(Board.covered(9, 9, 10), mines_left=10)).grid
    won = MIDGAME.replace({(8, 8): Cell.MINE})
    reading = reader.read(paint_dialog(painter.paint(won, mines_left=0, state="won"), "won"), grid)
    assert (reading.board.cells == Cell.UNREAD).all()
    assert reading.mines_left is None
    assert reading.state == "playing", "whoever knows more, such as the dialog's title, says otherwise"


def test_plain_parts_of_a_window_in_front_are_not_blank_tiles() -> None:
    painter = Painter(16, 16, Design(pitch=24.0))
    picture = painter.paint(Board.covered(16, 16)).copy()
    blank = Painter(16, 16, Design(pitch=24.0)).paint(Board(np.zeros((16, 16), dtype=np.uint8)))
    left, top = (round(edge + 4 * 24) for edge in painter.origin)
    picture[top : top + 190, left : left + 190] = 240
    island = slice(top + 72, top + 96), slice(left + 72, left + 96)
    picture[island] = blank[island]
    reading = Reader(SKIN).read(picture)
    assert reading.dialog
    assert (reading.board.cells[5:11, 5:11] == Cell.UNREAD).all()


def test_a_title_bar_as_high_as_a_row_is_no_row_of_covered_tiles() -> None:
    painter = Painter(16, 16, Design(pitch=27.0))
    picture = painter.paint(dealt(16, 16, 3), mines_left=7).copy()
    first, second, last = (round(painter.origin[1] + row * 27) for row in (0.8, 1.98, 15.2))
    picture[first:last] = 240
    picture[first:second] = (230, 190, 150)
    cells = Reader(SKIN).read(picture).board.cells
    assert cells.shape == (16, 16)
    assert (cells[1:15] == Cell.UNREAD).all()


def test_a_tile_under_a_mouse_pointer_is_right_or_doubted() -> None:
    painter = Painter(9, 9, Design(pitch=30.0))
    for row in range(9):
        for col in range(9):
            picture = painter.paint(MIDGAME).copy()
            x, y = (round(place) for place in painter.tile_center(row, col))
            arrow = np.array([(x - 6 + right, y - 8 + down) for right, down in POINTER], dtype=np.int32)
            cv2.fillPoly(picture, [arrow], (255, 255, 255))
            cv2.polylines(picture, [arrow], True, (0, 0, 0), 1)
            seen = Reader(SKIN).read(picture).board.cells
            assert np.array_equal(seen[seen != Cell.UNREAD], MIDGAME.cells[seen != Cell.UNREAD])
            assert np.count_nonzero(seen == Cell.UNREAD) <= 2


def test_on_a_known_grid_a_new_picture_is_read_as_by_a_new_reader() -> None:
    painter, random = Painter(9, 9, Design(pitch=21.3)), np.random.default_rng(5)
    reader = Reader(SKIN)
    grid = reader.read(painter.paint(MIDGAME)).grid
    board = MIDGAME
    for _ in range(12):
        place = (int(random.integers(9)), int(random.integers(9)))
        board = board.replace({place: int(random.choice([0, 1, 2, 3, Cell.COVERED, Cell.FLAG, Cell.QUESTION]))})
        reading = reader.read(painter.paint(board, mines_left=5), grid)
        assert np.array_equal(reading.board.cells, board.cells)
        assert reading.grid == grid
        assert reading.mines_left == 5


def test_what_was_doubted_for_its_surroundings_is_read_once_these_have_changed() -> None:
    painter, reader = Painter(9, 9, Design(pitch=30.0)), Reader(SKIN)
    free = painter.paint(MIDGAME).copy()
    left, top = (round(edge) for edge in painter.origin)
    behind_a_window = free.copy()
    behind_a_window[top + 30 : top + 180, left : left + 150] = 240
    hole = slice(top + 90, top + 120), slice(left + 30, left + 60)
    behind_a_window[hole] = free[hole]
    grid = reader.read(free).grid
    assert reader.read(behind_a_window, grid).board.cells[3, 1] == Cell.UNREAD
    assert np.array_equal(reader.read(free, grid).board.cells, MIDGAME.cells)


def test_the_same_picture_again_is_the_same_reading() -> None:
    reader, picture = Reader(SKIN), Painter(9, 9).paint(MIDGAME)
    first = reader.read(picture)
    assert reader.read(picture, first.grid) is first


def test_the_skin_is_chosen_by_itself() -> None:
    assert Reader().read(Painter(9, 9, Design(theme="green")).paint(MIDGAME)).skin == "win7"


def with_fewer_blue_tiles(*values: int) -> Skin:
    """The skin with no other tiles of its blue theme than some; the green one has all."""
    kept = {
        value: [number for number, theme in enumerate(themes) if theme != "blue" or value in values]
        for value, themes in SKIN.themes.items()
    }
    themes = {value: tuple(SKIN.themes[value][number] for number in numbers) for value, numbers in kept.items()}
    return replace(SKIN, tiles={value: SKIN.tiles[value][numbers] for value, numbers in kept.items()}, themes=themes)


@pytest.mark.parametrize("figures", [(), (1,), (1, 2)])
def test_a_theme_of_which_a_skin_has_few_figures_is_read_as_far_as_they_go(figures: tuple[int, ...]) -> None:
    skin = with_fewer_blue_tiles(0, int(Cell.COVERED), *figures)
    seen = Reader(skin).read(Painter(9, 9, Design(pitch=18.0)).paint(MIDGAME)).board.cells
    known = np.isin(MIDGAME.cells, (0, Cell.COVERED, *figures))
    assert np.array_equal(seen[known], MIDGAME.cells[known])
    assert (seen[~known] == Cell.UNREAD).all()


def test_doubts_by_a_skin_of_one_kind_of_tile_are_finite_numbers() -> None:
    covered = int(Cell.COVERED)
    skin = replace(SKIN, tiles={covered: SKIN.tiles[covered]}, themes={covered: SKIN.themes[covered]})
    reading = Reader(skin).read(Painter(9, 9).paint(MIDGAME))
    assert reading.doubts
    json.dumps(reading_json(reading), allow_nan=False)


def test_no_board_is_an_error_and_not_an_empty_board() -> None:
    with pytest.raises(NoBoardError, match="no board"):
        Reader().read(np.full((200, 300, 3), 200, dtype=np.uint8))


def test_a_picture_that_ends_within_the_known_board_shows_no_board() -> None:
    picture, reader = Painter(9, 9, Design(pitch=30.0)).paint(MIDGAME), Reader(SKIN)
    grid = reader.read(picture).grid
    for part in (picture[:200], picture[:, :200], picture[:1, :1], picture[:0]):
        with pytest.raises(NoBoardError, match="ends within the board"):
            reader.read(part, grid)
    assert np.array_equal(reader.read(picture, grid).board.cells, MIDGAME.cells)


def test_a_drawn_reading_marks_doubts_in_red() -> None:
    painter = Painter(9, 9, Design(pitch=32.0))
    picture = painter.paint(MIDGAME).copy()
    x, y = (round(place) for place in painter.tile_center(4, 4))
    cv2.circle(picture, (x, y), 14, (200, 60, 240), -1)
    reading = Reader(SKIN).read(picture)
    assert [(doubt.row, doubt.col) for doubt in reading.doubts] == [(4, 4)]
    drawn = draw_reading(picture, reading)
    assert drawn.shape == picture.shape
    left, top, _, _ = (round(edge) for edge in reading.grid.tile(4, 4))
    blue, green, red = drawn[top + 10, left + 1].tolist()
    assert red > 200
    assert max(blue, green) < 100


def test_a_board_is_read_in_its_own_theme_whatever_lies_beside_it() -> None:
    """Blue numbers that can be no game are looked at first, being more; a green game is read as green all the same."""
    numbers = Board((np.arange(100).reshape(10, 10) % 6 + 3).astype(np.uint8))
    pictures = [
        Painter(10, 10, Design("blue", pitch=20.0)).paint(numbers),
        Painter(9, 9, Design("green", pitch=20.0)).paint(MIDGAME),
    ]
    high, wide = max(each.shape[0] for each in pictures), sum(each.shape[1] for each in pictures)
    desktop = np.full((high + 40, wide + 60, 3), (120, 90, 60), dtype=np.uint8)
    left = 20
    for picture in reversed(pictures):
        desktop[20 : 20 + picture.shape[0], left : left + picture.shape[1]] = picture
        left += picture.shape[1] + 20
    assert Reader(SKIN).read(desktop).board.cells.tolist() == MIDGAME.cells.tolist()


@pytest.mark.parametrize(("rows", "cols"), [(12, 14), (10, 12)])
def test_a_last_row_below_a_dialog_is_no_board_of_one_row(rows: int, cols: int) -> None:
    painter = Painter(rows, cols, Design("green", pitch=20.0))
    cells = np.random.default_rng(4).choice([0, 1, 2, 9, 9, 10], size=(rows, cols)).astype(np.uint8)
    picture = painter.paint(Board(cells), seconds=61, mines_left=7).copy()
    edge = round(painter.origin[1] + (rows - 1) * 20.0)
    picture[:edge] = 240
    picture[edge - 2 : edge] = 90
    with pytest.raises(NoBoardError):
        Reader(SKIN).read(picture)


def dealt(rows: int, cols: int, seed: int) -> Board:
    """Return a game under way."""
    game = Game(Level(rows, cols, rows * cols // 6), seed=seed)
    game.open(rows // 2, cols // 2)
    game.open(0, 0)
    return game.board()


@pytest.mark.parametrize(
    ("theme", "rows", "cols", "pitch"), [("green", 12, 14, 24.0), ("blue", 16, 30, 18.0), ("blue", 10, 12, 14.0)]
)
@pytest.mark.parametrize("shown", [2.0, 2.4, 3.15])
@pytest.mark.parametrize("where", ["top", "bottom"])
def test_rows_that_a_dialog_leaves_are_never_a_whole_board(
    theme: Theme, rows: int, cols: int, pitch: float, shown: float, where: str
) -> None:
    painter = Painter(rows, cols, Design(theme, pitch=pitch))
    picture = painter.paint(dealt(rows, cols, 3), seconds=61, mines_left=7).copy()
    left, right = (round(painter.origin[0] + col * pitch) for col in (-0.5, cols + 0.5))
    first = painter.origin[1] + (shown if where == "top" else -1) * pitch
    last = painter.origin[1] + (rows - shown if where == "bottom" else rows + 2) * pitch
    cv2.rectangle(picture, (left, round(first)), (right, round(last)), (240, 240, 240), -1)
    cv2.rectangle(picture, (left, round(first)), (right, round(last)), (90, 90, 90), 1)
    try:
        reading = Reader(SKIN).read(picture)
    except NoBoardError:
        return
    board = reading.board
    hidden = "top" if where == "bottom" else "bottom"
    assert (board.rows, board.cols) == (rows, cols) or hidden in board.cut or reading.doubts


@pytest.mark.parametrize(("rows", "cols"), [(3, 9), (6, 10), (8, 30)])
def test_a_small_board_with_its_frame_all_around_is_whole(rows: int, cols: int) -> None:
    for pitch in (14.0, 18.0, 27.0):
        picture = Painter(rows, cols, Design(pitch=pitch)).paint(Board.covered(rows, cols, 5), mines_left=5)
        board = Reader(SKIN).read(picture).board
        assert (board.rows, board.cols, board.mines) == (rows, cols, 5)


@pytest.mark.parametrize("colour", ["blank", "cover"])
def test_a_plain_window_of_a_tile_s_colour_is_no_tile(colour: str) -> None:
    painter = Painter(16, 16, Design("green", pitch=20.0))
    board = dealt(16, 16, 3)
    picture = painter.paint(board, seconds=61, mines_left=7).copy()
    row, col = np.argwhere(board.cells == (0 if colour == "blank" else Cell.COVERED))[0].tolist()
    x, y = (round(place) for place in painter.tile_center(row, col))
    shade = picture[y - 4 : y + 4, x - 4 : x + 4].reshape(-1, 3).mean(axis=0)
    left, top = (round(edge) for edge in painter.origin)
    window = np.s_[top + 87 : top + 213, left + 93 : left + 246]
    picture[window] = shade
    hidden = np.zeros((16, 16), dtype=np.bool_)
    hidden[5:10, 5:12] = True
    seen = Reader(SKIN).read(picture).board.cells
    assert (seen[hidden] == Cell.UNREAD).all()
