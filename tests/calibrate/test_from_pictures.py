"""Skins from screenshots: proved, told or asked for. Wrong truths are refused by the cell, strangers never misread."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from bot.board import SYMBOLS, Board, Cell
from bot.calibrate import CalibrationError
from bot.calibrate.build import closest, make_skin, margins
from bot.calibrate.from_pictures import examine, finish
from bot.calibrate.samples import Sample
from bot.picture import load
from bot.vision.reader import Reader
from bot.vision.skin import Skin
from tests.calibrate.madeup import PALETTES, Palette, board, placed
from tests.outside import outside

OTHER = outside("screenshots/other")
DARK = PALETTES["dark"]


def skin_of(palette: Palette, truth: Board) -> Skin:
    found = examine([("picture", palette.paint_board(truth), truth)])
    return finish("made-up", found, {}).skin


@pytest.mark.parametrize("look", ["dark", "a lawn without lines"])
def test_a_skin_made_with_its_truth_reads_other_boards_at_other_sizes(look: str) -> None:
    palette = PALETTES[look]
    skin = skin_of(palette, board())
    nearest = closest(margins(skin))
    assert nearest is not None
    assert nearest[1] > 20
    for pitch in (palette.pitch, 2 * palette.pitch - 13):
        truth = board(seed=8)
        seen = Reader(skin).read(replace(palette, pitch=pitch).paint_board(truth)).board.cells
        known = np.isin(truth.cells, list(skin.tiles))
        assert ((seen == truth.cells) | (seen == Cell.UNREAD)).all()
        assert (seen[known] == truth.cells[known]).mean() > 0.97


def test_a_tile_that_the_skin_has_never_seen_is_doubted_whatever_it_resembles() -> None:
    truth = board()
    without = np.where(np.isin(truth.cells, (3, Cell.FLAG)), Cell.UNREAD, truth.cells).astype(np.uint8)
    sample = Sample("picture", DARK.paint_board(truth), placed(DARK, truth))
    skin = make_skin("partial", [(sample, without)], origin="test")
    seen = Reader(skin).read(sample.picture).board.cells
    assert (seen[without == Cell.UNREAD] == Cell.UNREAD).all()
    assert np.array_equal(seen[without != Cell.UNREAD], truth.cells[without != Cell.UNREAD])


@pytest.mark.parametrize("seed", range(6))
def test_one_wrong_cell_of_a_truth_is_refused_by_name(seed: int) -> None:
    truth = board()
    generator = np.random.default_rng(seed)
    row, col = (int(each) for each in np.argwhere(truth.cells < Cell.QUESTION)[generator.integers(80)])
    other = (int(truth.cells[row, col]) + 1 + seed) % 10
    wrong = truth.replace({(row, col): other})
    with pytest.raises(CalibrationError, match=f"row {row + 1}, column {col + 1} "):
        examine([("picture", DARK.paint_board(truth), wrong)])


def test_a_truth_of_another_size_is_refused_with_both_sizes() -> None:
    truth = board()
    with pytest.raises(CalibrationError, match=r"has 20×20 cells, the picture shows 10×12"):
        examine([("picture", DARK.paint_board(truth), Board.covered(20, 20))])


def test_what_is_named_without_a_truth_is_named_rightly() -> None:
    truth = board()
    found = examine([("picture", PALETTES["flat on white"].paint_board(truth), None)])
    named = [look for look in found.looks if look.value is not None]
    assert sum(look.count for look in named) > 0.5 * truth.cells.size
    for look in named:
        _, row, col = look.where
        assert SYMBOLS[look.value or 0] == SYMBOLS[truth.cells[row, col]], look.proof
    for look in found.open_questions:
        _, row, col = look.where
        assert int(truth.cells[row, col]) in look.candidates


@pytest.mark.skipif(not OTHER.exists(), reason="there are no screenshots beside the project")
@pytest.mark.parametrize("name", ["google-01", "online-01", "win10-02"])
def test_a_picture_of_another_game_is_read_back_by_the_skin_made_of_it(name: str) -> None:
    told = json.loads((OTHER / f"{name}.json").read_text(encoding="utf-8"))
    truth = Board.parse("\n".join(told["cells"]))
    picture = load(OTHER / told["image"])
    skin = finish("other", examine([(name, picture, truth)]), {}).skin
    assert np.array_equal(Reader(skin).read(picture).board.cells, truth.cells)
