"""Distorting labelled pictures: the table counts what a person would, and our own drawings stand most of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.bench.distort import DISTORTIONS, Distortion, bench_distorted
from bot.bench.read import find_truths
from bot.board import Board
from bot.clone.painter import Design, Painter
from bot.picture import Picture, save
from bot.vision.skin import Skin
from tests.bench.test_read import BOARD

SKIN = Skin.load("win7")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a blue and a green board and their truths."""
    folder = tmp_path_factory.mktemp("labelled")
    for theme, pitch in (("blue", 24.0), ("green", 19.5)):
        save(folder / f"{theme}.png", Painter(9, 9, Design(theme, pitch=pitch)).paint(BOARD))  # type: ignore[arg-type]
        (folder / f"{theme}.txt").write_text(str(BOARD), encoding="utf-8")
    return folder


@pytest.mark.parametrize("distortion", DISTORTIONS, ids=lambda each: str(each.name))
def test_no_distortion_makes_a_tile_another(folder: Path, distortion: Distortion) -> None:
    (line,) = bench_distorted(find_truths(folder), SKIN, 1, [distortion])
    assert (line.pictures, line.found, line.other_size) == (2, 2, 0)
    assert line.wrong == 0, line.misread
    assert line.doubted <= 0.05 * line.tiles


def test_what_is_wrong_doubted_and_hidden_is_counted(folder: Path, tmp_path: Path) -> None:
    lie = BOARD.replace({(0, 0): 5})
    save(tmp_path / "lie.png", Painter(9, 9, Design(pitch=20.0)).paint(BOARD))
    (tmp_path / "lie.txt").write_text(str(lie), encoding="utf-8")

    def blot(picture: Picture, random: np.random.Generator) -> tuple[Picture, np.ndarray | None]:
        spoiled, hidden = picture.copy(), np.zeros(picture.shape[:2], dtype=np.bool_)
        spoiled[100:112, 100:112] = (200, 60, 240)
        hidden[100:112, 100:112] = random.random() < 2
        return spoiled, hidden

    (line,) = bench_distorted(find_truths(tmp_path), SKIN, 1, [Distortion("blot", blot)])
    assert (line.tiles, line.wrong, line.wrong_pictures, line.doubted) == (81, 1, 1, 0)
    assert line.misread == ("lie.png: wrong: 5 at row 1, column 1 read as 0",)


def test_the_same_seed_gives_the_same_table(folder: Path) -> None:
    noise = [each for each in DISTORTIONS if each.name.startswith(("noise", "mouse"))]
    first, second = (bench_distorted(find_truths(folder), SKIN, 3, noise) for _ in range(2))
    assert first == second


def test_a_board_of_another_size_is_not_found_but_told(tmp_path: Path) -> None:
    save(tmp_path / "small.png", Painter(9, 9, Design(pitch=20.0)).paint(BOARD))
    (tmp_path / "small.txt").write_text(str(Board.covered(9, 8)), encoding="utf-8")
    (line,) = bench_distorted(find_truths(tmp_path), SKIN, 1, DISTORTIONS[:1])
    assert (line.found, line.other_size) == (0, 1)
    assert line.misread == ("small.png: read with another number of rows or columns",)
