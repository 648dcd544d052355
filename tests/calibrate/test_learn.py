"""Numbers that the rules force are learnt during play, and no others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from bot.board import Board, Cell
from bot.calibrate.build import make_skin
from bot.calibrate.learn import LearningReader, forced_numbers
from bot.calibrate.samples import Sample
from bot.vision.grid import Grid
from bot.vision.reader import Doubt, Reader, Reading
from bot.vision.skin import Skin
from tests.calibrate.madeup import PALETTES, THIN, board, placed

DARK = PALETTES["dark"]

FORCES_A_3 = Board.parse("1221\n2FF1\n2F31\n1110\n0000")


def skin_without_a_3() -> Skin:
    training = board()
    told = np.where(training.cells == 3, Cell.UNREAD, training.cells).astype(np.uint8)
    sample = Sample("picture", DARK.paint_board(training), placed(DARK, training))
    return make_skin("growing", [(sample, told)], origin="test")


def test_an_unknown_number_that_the_rules_force_is_learnt(tmp_path: Path) -> None:
    picture = DARK.paint_board(FORCES_A_3)
    skin = replace(skin_without_a_3(), folder=tmp_path / "growing")
    sentences: list[str] = []
    reader = LearningReader(skin, sentences.append)
    first = reader.read(picture)
    assert forced_numbers(first) == {(2, 2): 3}
    assert first.doubts
    again = reader.read(picture)
    assert again.board.cells[2, 2] == 3
    assert sentences == ["learnt what a 3 looks like, from row 3, column 3"]
    assert "3" in Skin.load(tmp_path / "growing").known


def test_a_number_is_learnt_for_the_game_where_the_skin_cant_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    picture, sentences = DARK.paint_board(FORCES_A_3), list[str]()
    reader = LearningReader(replace(skin_without_a_3(), folder=tmp_path / "file" / "growing"), sentences.append)
    reader.read(picture)
    assert reader.read(picture).board.cells[2, 2] == 3
    learnt, but = sentences
    assert "learnt what a 3 looks like" in learnt
    assert "can't be written" in but


def test_a_number_that_is_none_of_those_known_is_forced_when_the_rules_allow_but_one_of_the_others() -> None:
    truth = Board.parse("00000\n00111\n013##\n01###\n01###")
    seen = truth.replace({(2, 2): int(Cell.UNREAD)})
    doubted = Reading(seen, Grid(0, 0, 20, 20, 5, 5), "growing", (Doubt(2, 2, "2", 0.1),))
    assert forced_numbers(doubted, {0, 1, 2, 4}) == {(2, 2): 3}
    assert forced_numbers(doubted, {0, 4}) == {}


def test_a_new_game_has_nothing_to_force() -> None:
    new = Board.covered(9, 9).replace({(4, 4): int(Cell.UNREAD)})
    doubted = Reading(new, Grid(0, 0, 20, 20, 9, 9), "growing", (Doubt(4, 4, "1", 0.1),))
    assert forced_numbers(doubted) == forced_numbers(doubted, set(range(8))) == {}


def test_thin_figures_on_large_tiles_are_read_wherever_they_are() -> None:
    truth = board(4)
    skin = make_skin(
        "thin", [(Sample("picture", THIN.paint_board(truth), placed(THIN, truth)), truth.cells)], origin=""
    )
    new = Board.covered(truth.rows, truth.cols)
    for seed, beside in ((5, 0), (6, 7), (7, 13)):
        other, reader = board(seed), Reader(skin)
        grid = reader.read(THIN.paint_board(new)[beside:, beside:]).grid
        seen = reader.read(THIN.paint_board(other)[beside:, beside:], grid).board.cells
        known = np.isin(other.cells, list(skin.tiles))
        assert np.array_equal(seen[known], other.cells[known])


def test_lines_that_change_their_colour_at_the_end_are_learnt_too() -> None:
    truth, under_way = board(4), replace(THIN, larger=0.7)
    looks = (under_way, replace(under_way, around=(0, 255, 0)))
    samples = [Sample("picture", look.paint_board(truth), placed(look, truth)) for look in looks]
    skin = make_skin("lines", [(sample, truth.cells) for sample in samples], origin="")
    for sample in samples:
        assert np.array_equal(Reader(skin).read(sample.picture).board.cells, truth.cells)
