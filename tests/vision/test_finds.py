"""Pictures that were once read wrongly, where they are at hand: each is read rightly now, or doubted."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board, Cell
from bot.picture import load
from bot.vision.reader import Reader

FINDS = Path(__file__).parents[2] / "../shared/screenshots/finds"

pytestmark = pytest.mark.skipif(not FINDS.is_dir(), reason="the pictures are not beside the project")


@pytest.mark.parametrize("name", ["dark25-green", "warm-tint-green", "bright15"])
def test_light_makes_no_tile_another(name: str) -> None:
    truth = Board.parse("\n".join(json.loads((FINDS / f"{name}.json").read_text(encoding="utf-8"))["cells"])).cells
    reading = Reader().read(load(FINDS / f"{name}.png"))
    seen = reading.board.cells
    assert seen.shape == truth.shape
    known = (seen != Cell.UNREAD) & (truth != Cell.UNREAD)
    assert np.array_equal(seen[known], truth[known])
    assert np.count_nonzero(seen == Cell.UNREAD) <= 0.02 * seen.size
    assert reading.state == "playing"
