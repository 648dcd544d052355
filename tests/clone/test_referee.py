"""The referee's account: every act is told, with what it changed, and can be read along."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from bot.clone.game import Referee, WatchedGame
from bot.level import LEVELS


def told(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_each_act_is_told_at_once_with_its_tile_and_what_it_changed(tmp_path: Path) -> None:
    referee = Referee(tmp_path / "account")
    game = WatchedGame(referee, LEVELS["beginner"], "open", 5, True)
    game.open(4, 4)
    opened = int(np.count_nonzero(game.board().cells <= 8))
    game.open(4, 4)
    row, col = next((int(row), int(col)) for row, col in np.argwhere(game.board().cells == 9))
    game.mark(row, col)
    game.chord(4, 4)
    lines = told(tmp_path / "account")
    assert [(line["what"], line["tile"]) for line in lines[1:]] == [
        ("open", [4, 4]),
        ("open", [4, 4]),
        ("flag", [row, col]),
        ("chord", [4, 4]),
    ]
    assert [line["changed"] for line in lines[1:4]] == [opened, 0, 1]
    assert {line["seed"] for line in lines} == {5}
    assert lines[-1]["state"] == "playing"
    referee.close()


def test_new_games_and_restarts_are_told_apart(tmp_path: Path) -> None:
    referee = Referee(tmp_path / "account")
    game = WatchedGame(referee, LEVELS["beginner"], "open", 5, True)
    game.open(4, 4)
    game.restart()
    game.new(6)
    lines = told(tmp_path / "account")
    assert [(line["what"], line["seed"]) for line in lines] == [
        ("new game", 5),
        ("open", 5),
        ("restart", 5),
        ("new game", 6),
    ]
    referee.close()


def test_without_a_file_things_are_only_counted() -> None:
    referee = Referee()
    WatchedGame(referee, LEVELS["beginner"], "open", 5, True).mark(0, 0)
    assert referee.written == 2
