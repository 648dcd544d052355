"""A skin that a user makes of the Windows 7 game reads its other windows too: at other sizes, behind dialogs, lost."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.calibrate.from_pictures import examine, finish
from bot.clone.painter import Design, Painter, paint_dialog
from bot.level import LEVELS, Level
from bot.picture import Picture, load
from bot.vision.reader import Reader
from bot.vision.skin import Skin
from tests.clone.fixtures import lost_game, midgame
from tests.outside import outside

WINDOWS = outside("screenshots/win7")


def skin_of(pictures: list[tuple[str, Picture, Board | None]]) -> Skin:
    return finish("own", examine(pictures), {}).skin


def windows(theme: str) -> list[Any]:
    found = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(WINDOWS.glob("*.json"))]
    return [window for window in found if theme in window["skin"]]


def shown(window: Any) -> tuple[str, Picture, Board]:
    return window["image"], load(WINDOWS / window["image"]), Board.parse("\n".join(window["cells"]))


@pytest.mark.skipif(not WINDOWS.exists(), reason="there are no screenshots beside the checkout")
@pytest.mark.parametrize("theme", ["blue", "green"])
def test_five_windows_of_a_theme_make_a_skin_that_reads_others_without_a_wrong_cell(theme: str) -> None:
    five, others = windows(theme)[:5], windows(theme)[5::2]
    skin = skin_of([shown(window) for window in five])
    told, unread = 0, 0
    for window in others:
        name, picture, truth = shown(window)
        reading = Reader(skin).read(picture)
        seen = reading.board.cells
        assert seen.shape == truth.cells.shape, name
        assert reading.grid.box == pytest.approx(window["grid_box"], abs=3), name
        visible = truth.cells != Cell.UNREAD
        assert not (visible & (seen != truth.cells) & (seen != Cell.UNREAD)).any(), name
        known = visible & np.isin(truth.cells, list(skin.tiles))
        told += int(np.count_nonzero(known))
        unread += int(np.count_nonzero(known & (seen == Cell.UNREAD)))
    assert unread < 0.02 * told


@pytest.fixture(scope="module")
def without_mines() -> Skin:
    """A skin that has seen a game under way and no mine."""
    painter, game = Painter(16, 30, Design(pitch=34.0)), midgame(LEVELS["expert"], 4, flags=9, questions=2)
    return skin_of([("midgame", painter.paint(game.board(), mines_left=90), Board(game.board().cells))])


@pytest.mark.parametrize(
    ("level", "pitch"), [(Level(9, 15, 57), 47.0), (Level(16, 16, 70), 32.0), (Level(12, 14, 60), 30.0)]
)
def test_a_lost_board_behind_a_dialog_is_found_by_a_skin_that_has_never_seen_a_mine(
    without_mines: Skin, level: Level, pitch: float
) -> None:
    board = lost_game(level, 3).board()
    painter = Painter(level.rows, level.cols, Design(pitch=pitch))
    picture = paint_dialog(painter.paint(board, mines_left=12, state="lost"), "lost")
    reading = Reader(without_mines).read(picture)
    assert reading.board.cells.shape == board.cells.shape
    assert reading.grid.pitch == pytest.approx(pitch, abs=0.1)
    read = reading.board.cells != Cell.UNREAD
    assert np.array_equal(reading.board.cells[read], board.cells[read])
    assert np.count_nonzero(read) > 0.15 * board.cells.size
