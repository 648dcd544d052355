"""How many rows and columns a board has: small ones, blurred ones, and what a dialog leaves of one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.bench.distort import blurred, jpeg
from bot.board import Board, Cell
from bot.clone.painter import Design, Painter, client_offset, paint_dialog, paint_window
from bot.picture import Picture
from bot.vision.reader import Reader
from bot.words import Theme
from tests.vision.midgame import SKIN
from tests.vision.test_reader import dealt

RANDOM = np.random.default_rng(0)


def read(picture: Picture) -> Board:
    return Reader(SKIN).read(picture).board


@pytest.mark.parametrize(("cols", "pitch"), [(12, 14.0), (18, 21.0), (23, 19.0), (25, 28.5)])
@pytest.mark.parametrize("theme", ["blue", "green"])
def test_a_board_of_two_rows_is_whole(cols: int, pitch: float, theme: Theme) -> None:
    board = Board.parse("\n".join(["01#" * 10, "01#" * 10]))
    board = Board(board.cells[:, :cols], 9)
    picture = paint_window(Painter(2, cols, Design(theme, pitch=pitch)).paint(board, seconds=24))
    reading = Reader(SKIN).read(picture)
    assert reading.board == board
    assert (reading.mines_left, reading.seconds) == (9, 24)


@pytest.mark.parametrize("cols", [20, 27])
def test_the_scenery_below_the_frame_is_no_row_of_blanks(cols: int) -> None:
    cells = np.zeros((11, cols), dtype=np.uint8)
    cells[:2, :2] = cells[:2, -2:] = 1
    cells[0, 0] = cells[0, -1] = Cell.COVERED
    picture = Painter(11, cols, Design(pitch=28.0)).paint(Board(cells), seconds=263)
    assert read(paint_dialog(paint_window(picture), "won")).cells.shape == (11, cols)


def test_the_lower_rim_of_the_window_is_not_the_upper_of_a_dialog() -> None:
    picture = Painter(10, 16, Design("green", pitch=16.0)).paint(Board.covered(10, 16, 34), seconds=537)
    screen = np.full((473, 658, 3), (12, 234, 226), dtype=np.uint8)
    screen[106 : 106 + picture.shape[0], 39 : 39 + picture.shape[1]] = picture
    board = read(blurred(0.85).apply(screen, RANDOM)[0])
    assert (board.rows, board.cols, board.mines) == (10, 16, 34)


def behind_a_dialog(rows: int, cols: int, pitch: float, left: int) -> Picture:
    """Return a window with a dialog over it, as wide as the window, below which some rows are left."""
    painter = Painter(rows, cols, Design(pitch=pitch))
    return behind(paint_window(painter.paint(dealt(rows, cols, 3), seconds=61)), pitch, rows - left)


def behind(picture: Picture, pitch: float, hidden: float) -> Picture:
    """Return a window with a dialog over the uppermost rows of its board, as wide as the window."""
    top, last = client_offset()[1] + round(0.8 * pitch), client_offset()[1] + round((30 / 18 + hidden) * pitch)
    picture[top:last] = 240
    picture[top : top + 24] = (226, 190, 150)
    picture[[top, last - 1]] = (74, 62, 52)
    return picture


def enlarged(picture: Picture) -> Picture:
    return np.asarray(cv2.resize(picture, None, fx=4, fy=4, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


@pytest.mark.parametrize(("rows", "cols", "pitch"), [(10, 11, 20.0), (13, 12, 18.0), (12, 20, 24.0)])
@pytest.mark.parametrize("change", ["none", "JPEG", "brighter", "darker", "enlarged", "blurred"])
def test_rows_behind_a_dialog_are_told_by_the_window_above_it(rows: int, cols: int, pitch: float, change: str) -> None:
    picture = behind_a_dialog(rows, cols, pitch, 3)
    if change == "JPEG":
        picture = jpeg(60).apply(picture, RANDOM)[0]
    elif change == "enlarged":
        picture = enlarged(picture)
    elif change == "blurred":
        picture = blurred(1.0).apply(picture, RANDOM)[0]
    elif change != "none":
        picture = np.clip(picture * (1.3 if change == "brighter" else 0.7), 0, 255).astype(np.uint8)
    assert read(picture).cells.shape == (rows, cols)


@pytest.mark.parametrize(("rows", "cols", "pitch", "shown"), [(16, 16, 18.0, 10), (16, 30, 20.0, 21)])
def test_columns_that_a_notification_hides_are_told_by_a_row_above_it(
    rows: int, cols: int, pitch: float, shown: int
) -> None:
    picture = behind_a_dialog(rows, cols, pitch, left=4)
    left = client_offset()[0] + Painter(rows, cols, Design(pitch=pitch)).origin[0] + shown * pitch
    top = client_offset()[1] + round((30 / 18 + rows - 3) * pitch)
    picture[top + 2 :, round(left) + 2 :] = (40, 30, 25)
    board = read(picture)
    assert (board.rows, board.cols, board.cut) == (rows, cols, frozenset())


@pytest.mark.parametrize(("left", "shown", "lower"), [(2.5, 7, 1.6), (2.6, 6, 1.3)])
def test_a_dialog_and_a_notification_leave_a_board(left: float, shown: int, lower: float) -> None:
    cells = np.full((9, 10), Cell.COVERED, dtype=np.uint8)
    cells[-1, 3] = 1
    painter = Painter(9, 10, Design(pitch=20.0))
    picture = behind(paint_window(painter.paint(Board(cells), seconds=1)), 20.0, 9 - left)
    top = client_offset()[1] + round((30 / 18 + 9 - lower) * 20)
    picture[top:, round(client_offset()[0] + painter.origin[0] + shown * 20) :] = (40, 30, 25)
    assert read(picture).cells.shape == (9, 10)
