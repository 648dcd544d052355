"""The recorded pictures of the clone are what it draws today, and the skins that we draw are what is shipped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board
from bot.picture import Picture, load
from tests.clone.fixtures import FIXTURES, FOLDER
from tools.draw_templates import draw_classic_templates, draw_templates

TEMPLATES = Path(__file__).parents[2] / "templates"


def assert_alike(one: Picture, other: Picture) -> None:
    """Equal but for what versions of the drawing library make of an edge."""
    assert one.shape == other.shape
    assert np.abs(one.astype(int) - other.astype(int)).mean() < 1


@pytest.mark.parametrize("name", FIXTURES)
def test_a_fixture_is_what_the_clone_draws(name: str) -> None:
    drawn = FIXTURES[name]()
    assert Board.parse((FOLDER / f"{name}.txt").read_text(encoding="utf-8")) == drawn.board
    assert_alike(load(FOLDER / f"{name}.png"), drawn.picture)


@pytest.mark.parametrize(("name", "draw"), [("win7", draw_templates), ("winxp", draw_classic_templates)])
def test_a_shipped_skin_is_what_we_draw(name: str, draw: Callable[[Path], None], tmp_path: Path) -> None:
    draw(tmp_path)
    shipped = TEMPLATES / name
    assert {file.name for file in tmp_path.iterdir()} == {file.name for file in shipped.iterdir()}
    assert (tmp_path / "skin.toml").read_text() == (shipped / "skin.toml").read_text()
    for file in tmp_path.glob("*.png"):
        assert_alike(load(file), load(shipped / file.name))
