"""Drawn pictures: the same for a number, what is said of their tiles is so, and what is certain of it is right."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from bot.bench import drawn
from bot.bench.distort import PROMISED
from bot.bench.drawn import draw
from bot.bench.read_drawn import DrawnTrial, read_drawn, save_misread
from bot.board import Cell, Cells
from bot.cli import run
from bot.errors import Exit
from bot.picture import load
from bot.vision.reader import Reader

PICTURES = 12
NUMBERS = range(PICTURES)


@pytest.fixture(scope="module")
def trial() -> DrawnTrial:
    return read_drawn(PICTURES, 0, workers=1)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_number_is_a_picture_of_a_size_that_is_promised(number: int) -> None:
    picture, again = draw(number), draw(number)
    assert np.array_equal(picture.picture, again.picture)
    assert np.array_equal(picture.cells, again.cells)
    assert np.array_equal(picture.hidden, again.hidden)
    assert picture.grid == again.grid
    assert picture.cells.shape == picture.hidden.shape == (picture.grid.rows, picture.grid.cols)
    assert 0.99 * PROMISED[0] <= picture.grid.pitch <= 1.01 * PROMISED[1]


def test_numbers_differ() -> None:
    assert len({draw(number).picture.tobytes() for number in NUMBERS}) == PICTURES


def test_tiles_show_what_is_said_of_them(trial: DrawnTrial) -> None:
    """A lattice or cells beside the picture could not be read for certain, and rightly, on most tiles of all kinds."""
    *kinds, in_sight, hidden = trial.lines()
    assert all(line.certain - line.wrong > 0.75 * line.tiles for line in kinds)
    assert in_sight.tiles == sum(line.tiles for line in kinds)
    assert hidden.doubted > 0.5 * hidden.tiles > 0


def test_nothing_that_is_certain_is_wrong(trial: DrawnTrial) -> None:
    assert [(each.number, each.wrong) for each in trial.misread] == []


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("cover", ["window", "line"])
def test_all_that_something_in_front_changes_is_said_to_be_hidden(cover: str, seed: int) -> None:
    ground = np.full((200, 300, 3), 90, dtype=np.uint8)
    put = drawn._with_window if cover == "window" else drawn._with_line
    picture, mask = put(ground, np.random.default_rng(seed), 20.0)
    assert np.array_equal(picture[~mask], ground[~mask])
    assert mask.any()


def test_what_hides_tiles_is_counted_and_kept_apart(trial: DrawnTrial) -> None:
    counted = sum(line.tiles for line in trial.lines() if line.kind != "in sight")
    assert counted == sum(np.count_nonzero(draw(number).cells != Cell.UNREAD) for number in NUMBERS)


def test_a_tile_certain_and_wrong_is_counted_told_and_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    honest = draw(3)
    read = Reader().read(honest.picture, honest.grid).board.cells
    place = tuple(np.argwhere((read == honest.cells) & (read == Cell.COVERED) & (honest.hidden == 0))[0])
    lie: Cells = honest.cells.copy()
    lie[place] = 8
    monkeypatch.setattr("bot.bench.read_drawn.draw", lambda number: replace(honest, cells=lie))
    trial = read_drawn(1, 3, workers=1)
    assert [line.wrong for line in trial.lines()] == [0, 0, 1, 0, 1, 0]
    (picture,) = trial.misread
    assert picture.wrong == (f"8 at row {place[0] + 1}, column {place[1] + 1} read as #",)
    (file,) = save_misread(trial, tmp_path / "misread")
    assert np.array_equal(load(file), honest.picture)


def test_the_command_prints_the_same_document_on_one_core_and_on_two(capsys: pytest.CaptureFixture[str]) -> None:
    documents = []
    for workers in ("1", "2"):
        assert run(["bench", "read", "--drawn", "3", "--seed", "5", "--workers", workers, "--json"]) == Exit.DONE
        documents.append(json.loads(capsys.readouterr().out))
    assert documents[0] == documents[1]
    assert (documents[0]["pictures"], documents[0]["seed"], len(documents[0]["tiles"])) == (3, 5, 6)


@pytest.mark.parametrize(
    "arguments", [[], ["some", "--drawn", "3"], ["--drawn", "3", "--distort"], ["some", "--save", "misread"]]
)
def test_what_does_not_go_together_is_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "read", *arguments]) == Exit.UNUSABLE
    assert "Error: " in capsys.readouterr().err


def test_where_no_folder_can_be_is_said_before_anything_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    taken = tmp_path / "taken"
    taken.touch()
    assert run(["bench", "read", "--drawn", "1000000", "--save", str(taken)]) == 2
    assert "can't save pictures in" in capsys.readouterr().err
