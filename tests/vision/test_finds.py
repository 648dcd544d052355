"""Pictures that were once read wrongly or not at all, where they are at hand: each is read now, and rightly."""

from __future__ import annotations

import json

import numpy as np
import pytest

from bot.bench.distort import DISTORTIONS, DistortedLine, bench_distorted
from bot.bench.read import find_truths
from bot.board import Board, Cell
from bot.picture import load
from bot.vision.reader import Reader, Reading
from bot.vision.skin import Skin
from tests.outside import outside

FINDS = outside("screenshots/finds")

pytestmark = pytest.mark.skipif(not FINDS.is_dir(), reason="the pictures are not beside the project")


def read(name: str) -> Reading:
    return Reader().read(load(next(file for file in FINDS.glob(f"{name}.*") if file.suffix != ".json")))


@pytest.mark.parametrize("name", ["dark25-green", "warm-tint-green", "bright15", "extra-row-jpeg85"])
def test_light_and_compression_make_no_tile_another(name: str) -> None:
    truth = Board.parse("\n".join(json.loads((FINDS / f"{name}.json").read_text(encoding="utf-8"))["cells"])).cells
    reading = read(name)
    seen = reading.board.cells
    assert seen.shape == truth.shape
    known = (seen != Cell.UNREAD) & (truth != Cell.UNREAD)
    assert np.array_equal(seen[known], truth[known])
    assert np.count_nonzero(seen == Cell.UNREAD) <= 0.02 * seen.size
    assert reading.state == "playing"


@pytest.mark.parametrize("name", ["green-12px-9x9-read-as-7x9", "green-12px-9x9-read-as-8x9"])
def test_a_board_of_small_tiles_has_all_its_rows(name: str) -> None:
    reading = read(name)
    assert (reading.board.rows, reading.board.cols, reading.mines_left) == (9, 9, 10)
    assert reading.doubts == ()


def test_a_mine_that_went_off_in_a_corner_ends_the_game() -> None:
    reading = read("green-24px-exploded-corner-doubted")
    assert reading.board.cells[15, 0] == Cell.EXPLODED
    assert reading.state == "lost"


@pytest.mark.parametrize(("name", "size"), [("winemine-no-board", (16, 30)), ("winemine-doubted-1", (9, 9))])
def test_thin_bright_lines_leave_no_doubt(name: str, size: tuple[int, int]) -> None:
    reading = read(name)
    assert (reading.board.rows, reading.board.cols) == size
    assert reading.doubts == ()
    assert reading.problems == []


def test_a_board_whose_covers_are_still_to_come_is_a_game_under_way() -> None:
    reading = read("dealing-20x24")
    assert (reading.board.rows, reading.board.cols) == (20, 24)
    assert reading.state == "playing"


WIN7 = FINDS.parent / "win7"


def distorted(name: str, distortion: str) -> DistortedLine:
    truth = next(each for each in find_truths(WIN7) if each.file.stem == name)
    change = next(each for each in DISTORTIONS if each.name == distortion)
    (line,) = bench_distorted([truth], Skin.load("win7"), distortions=[change])
    return line


@pytest.mark.parametrize(
    ("name", "distortion"),
    [
        ("win7-11-018", "blur 1 px"),  # a dialog's title bar was a seventeenth row
        ("win7-11-018", "notification"),  # six columns of sixteen were missing
        ("win7-11-026", "brightness × 1.4"),  # three rows of nine, below a dialog as white as the frame
        ("win7-12-013", "brightness × 1.4"),
    ],
)
def test_what_a_dialog_leaves_of_a_board_is_no_whole_board_of_another_size(name: str, distortion: str) -> None:
    line = distorted(name, distortion)
    assert (line.other_size, line.wrong) == (0, 0), line.misread


@pytest.mark.parametrize(
    ("name", "distortion"),
    [
        ("win7-12-004", "blur 1 px"),  # strokes of blurred digits halved the tiles
        ("win7-11-021", "noise 8 %"),  # rows above a dialog were not told by what is above it
        ("win7-12-013", "brightness × 1.4"),  # nor where too much light leaves a corner of that
    ],
)
def test_a_board_behind_a_dialog_has_all_its_rows_in_poor_pictures(name: str, distortion: str) -> None:
    line = distorted(name, distortion)
    assert (line.found, line.wrong) == (1, 0), line.misread


@pytest.mark.parametrize(
    ("name", "distortion"),
    [("win7-12-011", "contrast 70 %"), ("win7-11-012", "blur 1 px")],  # 31 and 8 flags were doubted, crossed or not
)
def test_flags_are_told_from_crossed_ones_by_their_shape_in_poor_pictures(name: str, distortion: str) -> None:
    line = distorted(name, distortion)
    assert line.doubted <= 2, line.misread
    assert line.wrong == 0, line.misread
