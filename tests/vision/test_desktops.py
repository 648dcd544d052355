"""A game among other lattices: ruled sheets beside and behind it, several screens in one picture. And sheets alone."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import Board
from bot.clone.game import Game
from bot.clone.painter import Design, Painter, paint_window
from bot.level import Level
from bot.picture import Picture
from bot.vision.find.search import MOST_EFFORT
from bot.vision.reader import NoBoardError, Reader
from bot.vision.skin import user_folder
from tests.calibrate.madeup import PALETTES, board
from tests.calibrate.test_from_pictures import skin_of


def sheet(width: int, height: int, pitch: int, digits: int = 0, filled: int = 0) -> Picture:
    """Return a ruled sheet of square cells, some with a digit, some filled with a colour."""
    random = np.random.default_rng([width, height, pitch])
    ruled = np.full((height, width, 3), 250, dtype=np.uint8)
    ruled[::pitch] = ruled[:, ::pitch] = 170
    for number in range(digits + filled):
        x, y = int(random.integers(width // pitch)) * pitch, int(random.integers(height // pitch)) * pitch
        if number < filled:
            colour = tuple(int(each) for each in random.integers(0, 256, 3))
            cv2.rectangle(ruled, (x + 1, y + 1), (x + pitch - 1, y + pitch - 1), colour, -1)
        else:
            place, text = (x + pitch // 4, y + 3 * pitch // 4), str(random.integers(1, 9))
            cv2.putText(ruled, text, place, cv2.FONT_HERSHEY_SIMPLEX, pitch / 45, (90, 40, 20), 1, cv2.LINE_AA)
    return ruled


def window(rows: int, cols: int, pitch: float) -> tuple[Board, Picture]:
    """Return a game under way, and its window."""
    game = Game(Level(rows, cols, rows * cols // 6), seed=rows)
    game.open(rows // 2, cols // 2)
    painter = Painter(rows, cols, Design("green", pitch=pitch))
    return game.board(), paint_window(painter.paint(game.board(), seconds=61))


def screen(width: int, height: int, *things: tuple[int, int, Picture]) -> Picture:
    """Return a screen with things on it, each with its place, the last in front."""
    shown = np.full((height, width, 3), (120, 90, 60), dtype=np.uint8)
    for left, top, thing in things:
        shown[top : top + thing.shape[0], left : left + thing.shape[1]] = thing
    return shown


@pytest.mark.parametrize(
    ("rows", "cols", "pitch", "ruled", "digits"),
    [(24, 30, 18.5, 36, 0), (9, 9, 20.0, 24, 300), (16, 16, 17.0, 27, 0), (16, 30, 22.0, 15, 500)],
)
def test_a_game_in_front_of_a_sheet_of_squares_is_found(
    rows: int, cols: int, pitch: float, ruled: int, digits: int
) -> None:
    truth, game = window(rows, cols, pitch)
    reading = Reader().read(screen(1920, 1080, (60, 70, sheet(1720, 900, ruled, digits)), (700, 130, game)))
    assert reading.board.cells.tolist() == truth.cells.tolist()


@pytest.mark.parametrize(
    ("rows", "cols", "pitch", "ruled"), [(16, 16, 35.2, 22), (17, 23, 31.1, 22), (9, 9, 21.5, 44), (16, 30, 28.2, 13)]
)
def test_a_game_beside_a_sheet_of_squares_on_a_4k_screen_is_found(
    rows: int, cols: int, pitch: float, ruled: int
) -> None:
    truth, game = window(rows, cols, pitch)
    picture = screen(3840, 2160, (1809, 542, sheet(2024, 1584, ruled, 200, 100)), (513, 877, game))
    assert Reader().read(picture).board.cells.tolist() == truth.cells.tolist()


def test_a_game_on_one_of_three_screens_is_found() -> None:
    truth, game = window(16, 16, 31.6)
    screens = [
        screen(2560, 1440, (106, 129, sheet(2330, 1180, 18, 300))),
        screen(2560, 1440, (57, 137, sheet(2357, 1180, 19, 0, 300))),
        screen(1920, 1440, (54, 70, sheet(1700, 870, 36)), (850, 30, game)),
    ]
    assert Reader().read(np.hstack(screens)).board.cells.tolist() == truth.cells.tolist()


@pytest.mark.parametrize("pitch", [15, 19, 25, 36])
def test_sheets_that_are_nearly_empty_are_no_board(pitch: int) -> None:
    with pytest.raises(NoBoardError):
        Reader().read(screen(1920, 1080, (60, 70, sheet(1720, 900, pitch, 0, 9)), (800, 200, sheet(850, 450, 25, 60))))


def test_a_picture_without_a_board_is_given_up_after_a_limited_effort_with_any_number_of_skins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path))
    for number, palette in enumerate([*PALETTES.values(), PALETTES["dark"]]):
        skin_of(palette, board()).save(user_folder() / f"look-{number}")
    for width, height in ((1280, 900), (4200, 3000)):
        reader = Reader()
        with pytest.raises(NoBoardError):
            reader.read(screen(width, height, (60, 70, sheet(width - 120, height - 140, 20, 900, 900))))
        assert reader.effort.done <= 1.6 * MOST_EFFORT  # what was begun is brought to its end
