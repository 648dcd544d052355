"""The lattice is found to the pixel: on a bare board, in a window, on a desktop, behind a dialog, at any pitch."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell
from bot.clone.painter import Design, Painter, client_offset, paint_dialog, paint_window
from bot.picture import Picture
from bot.vision.find.search import Grid, find_grids
from bot.words import Theme

SIZES = ((9, 9), (16, 16), (16, 30), (8, 8), (24, 30))
THEMES: tuple[Theme, ...] = ("blue", "green")


def painted(seed: int) -> tuple[Painter, Picture]:
    random = np.random.default_rng(seed)
    rows, cols = SIZES[seed % len(SIZES)]
    painter = Painter(rows, cols, Design(THEMES[seed % 2], "mines", float(random.uniform(12, 60))))
    cells = random.choice([0, 1, 2, 3, 4, Cell.COVERED, Cell.COVERED, Cell.COVERED, Cell.FLAG], size=(rows, cols))
    return painter, painter.paint(Board(cells.astype(np.uint8))).copy()


def assert_on(grid: Grid, painter: Painter, offset: tuple[float, float] = (0, 0)) -> None:
    assert (grid.rows, grid.cols) == (painter.rows, painter.cols)
    pitch = painter.design.pitch
    left, top = painter.origin[0] + offset[0], painter.origin[1] + offset[1]
    true = (left, top, left + painter.cols * pitch, top + painter.rows * pitch)
    assert max(abs(mine - edge) for mine, edge in zip(grid.box, true, strict=True)) <= 1


@pytest.mark.parametrize("seed", range(30))
def test_corners_are_within_a_pixel_at_any_pitch(seed: int) -> None:
    painter, picture = painted(seed)
    assert_on(find_grids(picture)[0], painter)


@pytest.mark.parametrize("seed", range(8))
def test_a_window_on_a_busy_desktop_is_found(seed: int) -> None:
    painter, picture = painted(seed)
    random = np.random.default_rng(seed)
    window = paint_window(picture)
    height, width = window.shape[:2]
    desktop = np.full((height + 320, width + 500, 3), random.integers(0, 256, 3), dtype=np.uint8)
    for line in range(40):
        place = (int(random.integers(0, 200)), 20 + line * 24)
        cv2.putText(desktop, "the quick brown fox = [jumps(over)]", place, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (9, 99, 9), 1)
    cv2.rectangle(desktop, (30, 30), (400, 260), (235, 235, 235), -1)
    left, top = int(random.integers(0, 400)), int(random.integers(0, 300))
    desktop[top : top + height, left : left + width] = window
    chrome = client_offset()
    assert_on(find_grids(desktop)[0], painter, (left + chrome[0], top + chrome[1]))


def test_a_dialog_in_front_hides_tiles_and_not_the_lattice() -> None:
    painter = Painter(16, 30, Design(pitch=24.0))
    picture = paint_dialog(painter.paint(Board.covered(16, 30)), "lost")
    assert_on(find_grids(picture)[0], painter)


def test_a_board_cut_out_of_its_window_keeps_whole_tiles_only() -> None:
    painter = Painter(16, 30, Design(pitch=30.0))
    picture = painter.paint(Board.covered(16, 30))
    left, top = (round(edge) for edge in painter.origin)
    grid = find_grids(picture[top + 50 : top + 310, left + 45 : left + 400].copy())[0]
    assert (grid.rows, grid.cols) == (8, 11)


def test_two_boards_are_two_lattices_the_larger_first() -> None:
    small, large = Painter(9, 9, Design(pitch=20.0)), Painter(16, 16, Design(pitch=26.0))
    pictures = [small.paint(Board.covered(9, 9)), large.paint(Board.covered(16, 16))]
    desktop = np.full((700, 1000, 3), 90, dtype=np.uint8)
    desktop[20 : 20 + pictures[0].shape[0], 20 : 20 + pictures[0].shape[1]] = pictures[0]
    desktop[100 : 100 + pictures[1].shape[0], 400 : 400 + pictures[1].shape[1]] = pictures[1]
    assert [(grid.rows, grid.cols) for grid in find_grids(desktop)[:2]] == [(16, 16), (9, 9)]


@pytest.mark.parametrize("shape", [(1, 1), (3, 500), (40, 40), (300, 300)])
def test_a_picture_with_nothing_in_it_has_no_lattice(shape: tuple[int, int]) -> None:
    assert find_grids(np.full((*shape, 3), 128, dtype=np.uint8)) == []


def test_a_grid_knows_its_tiles() -> None:
    grid = Grid(10.0, 20.0, 18.5, 18.0, 3, 4)
    assert grid.tile(1, 2) == (47.0, 38.0, 65.5, 56.0)
    assert grid.center(0, 0) == (19.25, 29.0)
    assert grid.box == (10.0, 20.0, 84.0, 74.0)
