"""Boards of large tiles, as a window that fills a large screen has them, and boards that the picture cuts off."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell
from bot.clone.painter import Design, Painter, paint_window
from bot.picture import Picture
from bot.vision.reader import NoBoardError, Reader, as_part
from bot.words import Theme
from tests.vision.midgame import MIDGAME, SKIN


@pytest.mark.parametrize("times", [2.2, 3.0, 5.0])
def test_large_tiles_are_read(times: float) -> None:
    drawn = Painter(9, 9, Design("green", pitch=40.0)).paint(MIDGAME)
    picture = cv2.resize(drawn, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR)
    reading = Reader(SKIN).read(np.asarray(picture, dtype=np.uint8))
    assert np.array_equal(reading.board.cells, MIDGAME.cells)
    assert abs(reading.grid.pitch - 40 * times) < 0.01 * 40 * times


@pytest.mark.parametrize("pitch", [10.0, 10.5, 11.0])
@pytest.mark.parametrize("theme", ["blue", "green"])
def test_tiles_of_ten_pixels_are_read_or_doubted(theme: Theme, pitch: float) -> None:
    drawn = Painter(9, 9, Design(theme, pitch=12.0)).paint(MIDGAME)
    picture = cv2.resize(drawn, None, fx=pitch / 12, fy=pitch / 12, interpolation=cv2.INTER_AREA)
    seen = Reader(SKIN).read(np.asarray(picture, dtype=np.uint8)).board.cells
    assert seen.shape == (9, 9)
    assert np.array_equal(seen[seen != Cell.UNREAD], MIDGAME.cells[seen != Cell.UNREAD])
    assert np.count_nonzero(seen == Cell.UNREAD) <= 6


def screen_with_sheet(pitch: int, sheet: int) -> Picture:
    """Return a 4K desktop with a beginner's game beside a ruled sheet of square cells."""
    screen = np.full((2160, 3840, 3), (120, 90, 60), dtype=np.uint8)
    screen[60:2100, 1920:3820] = 255
    screen[60:2100, 1920:3820:sheet] = 150
    screen[60:2100:sheet, 1920:3820] = 200
    window = paint_window(Painter(9, 9, Design("green", pitch=float(pitch))).paint(MIDGAME))
    screen[200 : 200 + window.shape[0], 60 : 60 + window.shape[1]] = window
    return screen


@pytest.mark.parametrize(("pitch", "sheet"), [(24, 27), (31, 28), (18, 37)])
def test_a_game_is_found_beside_a_large_sheet_of_squares(pitch: int, sheet: int) -> None:
    reading = Reader(SKIN).read(screen_with_sheet(pitch, sheet))
    assert np.array_equal(reading.board.cells, MIDGAME.cells)


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 90, 3), (3, 3, 3), (47, 300, 3)])
def test_a_picture_too_small_for_any_board_has_none(shape: tuple[int, int, int]) -> None:
    with pytest.raises(NoBoardError):
        Reader().read(np.zeros(shape, dtype=np.uint8))


CUSTOM = Board.parse("\n".join(["001#####01", "001#####11", "0012####10", "0001####10", "0001112111", "0000001#1#"]))


def test_a_picture_that_ends_at_the_tiles_shows_a_part_of_a_board() -> None:
    painter = Painter(6, 10, Design(pitch=24.0))
    left, top = (round(edge) for edge in painter.origin)
    whole = painter.paint(CUSTOM).copy()
    assert Reader(SKIN).read(whole).board.cut == frozenset()
    part = Reader(SKIN).read(whole[:, : left + 8 * 24].copy()).board
    assert part.cut == {"right"}
    assert part.mines is None
    assert np.array_equal(part.cells, CUSTOM.cells[:, :8])
    corner = Reader(SKIN).read(whole[top + 24 :, left + 48 :].copy()).board
    assert corner.cut == {"top", "left"}
    assert Reader(SKIN).read(whole[top - 16 :, left - 16 :].copy()).board.cut == frozenset()


def test_a_line_of_tiles_that_the_picture_cuts_is_dropped() -> None:
    painter = Painter(6, 10, Design(pitch=24.0))
    left, _ = (round(edge) for edge in painter.origin)
    part = Reader(SKIN).read(painter.paint(CUSTOM)[:, : left + 8 * 24 + 13].copy()).board
    assert part.cut == {"right"}
    assert np.array_equal(part.cells, CUSTOM.cells[:, :8])


def test_a_board_of_a_usual_size_is_a_part_only_when_told() -> None:
    painter = Painter(9, 9, Design(pitch=20.0))
    left, top = (round(edge) for edge in painter.origin)
    picture = painter.paint(MIDGAME)[top - 2 : top + 182, left - 2 : left + 182].copy()
    reading = Reader(SKIN).read(picture)
    assert reading.board.cut == frozenset()
    assert as_part(reading, picture).board.cut == {"top", "right", "bottom", "left"}


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("columns", [5, 14, 20])
@pytest.mark.parametrize("shows", ["lower rim", "counter"])
def test_columns_behind_a_window_that_ends_below_the_board_are_missed(side: str, columns: int, shows: str) -> None:
    """What is left looks like a whole board, of 16 × 16 even: its rim goes on, or it is not in the middle any more."""
    painter = Painter(16, 30, Design(pitch=16.0))
    cells = np.full((16, 30), Cell.COVERED)
    cells[5:9, 8:22], cells[6:8, 9:21] = 1, 0
    picture = painter.paint(Board(cells, 99)).copy()
    left, top = (round(edge) for edge in painter.origin)
    end = top + 16 * 16 - 5 if shows == "lower rim" else top + 16 * 16 + 6
    inner = left + 16 * columns + 7 if side == "left" else left + 16 * (30 - columns) - 7
    hidden = slice(0, inner) if side == "left" else slice(inner, None)
    picture[top - 10 : end, hidden] = 245
    picture[top - 10 : top + 12, hidden] = (150, 160, 90)
    reading = Reader(SKIN).read(picture)
    board = reading.board
    assert side in board.cut or reading.dialog
    shown = cells[:, 30 - board.cols :] if side == "left" else cells[:, : board.cols]
    assert np.array_equal(board.cells[:, 1:-1], shown[:, 1:-1])
