"""Every picture in fixtures/screenshots reads as the text beside it says: dropping a pair into a folder adds a test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.picture import load
from bot.vision.reader import Reader

FIXTURES = Path(__file__).parents[2] / "fixtures" / "screenshots"
PICTURES = sorted(FIXTURES.glob("*/*.png"))


@pytest.mark.parametrize("file", PICTURES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_picture_reads_as_the_text_beside_it(file: Path) -> None:
    truth = Board.parse(file.with_suffix(".txt").read_text(encoding="utf-8"))
    reading = Reader().read(load(file))
    assert reading.board.cells.shape == truth.cells.shape
    visible = truth.cells != Cell.UNREAD
    shown = Board(np.where(visible, reading.board.cells, Cell.UNREAD), reading.board.mines)
    assert str(shown) == str(truth)


def test_there_are_fixtures() -> None:
    assert PICTURES
