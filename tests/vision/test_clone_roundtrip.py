"""Whatever the clone paints reads back as what it painted: any size, theme, state, and through a poor picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell, count_around
from bot.clone.painter import Design, Painter
from bot.picture import Picture
from bot.vision.reader import Reader
from bot.vision.skin import Skin
from bot.words import Pieces, Theme

SIZES = ((9, 9), (16, 16), (16, 30), (8, 8), (24, 30), (10, 14))
SKIN = Skin.load("win7")


def random_board(random: np.random.Generator, lost: bool) -> Board:
    """Return a board as a game could show it: numbers that count their mines, some opened, flagged or questioned."""
    rows, cols = SIZES[int(random.integers(len(SIZES)))]
    mines = random.random((rows, cols)) < random.uniform(0.1, 0.35)
    around = count_around(mines)
    seen = (random.random((rows, cols)) < random.uniform(0.0, 0.9)) & ~mines
    for _ in range(max(rows, cols)):  # a blank opens what is around it
        seen |= count_around(seen & (around == 0)) > 0
    cells = np.where(seen, around, Cell.COVERED).astype(np.uint8)
    marks = random.random((rows, cols))
    cells[mines] = np.where(marks < 0.5, Cell.FLAG, np.where(marks < 0.55, Cell.QUESTION, Cell.COVERED))[mines]
    if lost:
        cells[mines & (cells != Cell.FLAG)] = Cell.MINE
        places = np.argwhere(cells == Cell.MINE)
        if len(places):
            cells[tuple(places[0])] = Cell.EXPLODED
    return Board(cells)


def random_picture(seed: int) -> tuple[Board, Picture]:
    random = np.random.default_rng(seed)
    lost = random.random() < 0.25
    board = random_board(random, lost)
    themes: tuple[Theme, ...] = ("blue", "green")
    kinds: tuple[Pieces, ...] = ("mines", "flowers")
    largest = 26 if board.cells.size > 300 else 60  # large tiles on large boards add seconds and no new cases
    pitch = float(random.uniform(12, largest))
    design = Design(themes[seed % 2], kinds[seed // 2 % 2], pitch)
    hover = (int(random.integers(board.rows)), int(random.integers(board.cols))) if random.random() < 0.5 else None
    painter = Painter(board.rows, board.cols, design)
    return board, painter.paint(board, hover=hover, state="lost" if lost else "playing").copy()


def wrong(board: Board, seen: Board) -> list[tuple[int, int]]:
    assert seen.cells.shape == board.cells.shape
    places = np.argwhere((seen.cells != board.cells) & (seen.cells != Cell.UNREAD))
    return [(row, col) for row, col in places.tolist()]


@pytest.mark.parametrize("first", range(0, 120, 20))
def test_every_picture_of_the_clone_reads_back_to_its_board(first: int) -> None:
    for seed in range(first, first + 20):
        board, picture = random_picture(seed)
        seen = Reader(SKIN).read(picture).board
        assert np.array_equal(seen.cells, board.cells), f"seed {seed}: {wrong(board, seen)}"


@pytest.mark.parametrize("first", range(1000, 1060, 20))
def test_a_poor_picture_is_read_rightly_or_doubted(first: int) -> None:
    for seed in range(first, first + 20):
        board, picture = random_picture(seed)
        reading = Reader(SKIN).read(worn(picture, seed))
        assert wrong(board, reading.board) == [], f"seed {seed}"
        assert len(reading.doubts) <= 0.02 * board.cells.size, f"seed {seed}: {len(reading.doubts)} doubts"


def worn(picture: Picture, seed: int) -> Picture:
    """Return the picture after a JPEG, a palette of few colours, a resize or a change of brightness."""
    random = np.random.default_rng(seed)
    kind = seed % 4
    if kind == 0:
        return np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, [1, 75])[1], cv2.IMREAD_COLOR), dtype=np.uint8)
    if kind == 1:
        return np.asarray(picture // 24 * 24 + 12, dtype=np.uint8)
    if kind == 2:
        scale = random.uniform(1.02, 1.4)
        return np.asarray(cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    return np.asarray(255 * (picture / 255.0) ** random.uniform(0.85, 1.2), dtype=np.uint8)
