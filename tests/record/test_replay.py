"""What a replay finds: nothing when nothing has changed, and every change by name."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot import picture
from bot.cli import run
from bot.record.recorder import MANIFEST
from bot.record.recording import load_recording
from bot.record.replay import replay
from tests.record.games import first, rewrite


def test_nothing_differs_when_nothing_has_changed(played: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(played)]) == 0
    assert "0 differences" in capsys.readouterr().out


def test_a_tile_that_was_read_otherwise_is_named(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def misread(lines: list[dict[str, Any]]) -> None:
        cells = first(lines, "look")["reading"]["cells"]
        cells[2] = cells[2][:3] + "F" + cells[2][4:]

    rewrite(game, misread)
    assert run(["replay", str(game), "--json"]) == 4
    told = json.loads(capsys.readouterr().out)
    [difference] = [each for each in told["games"][0]["differences"] if "read" in each["what"]]
    assert difference == {"look": 1, "what": 'row 3, column 4 was read as "F", now as "#"'}


def test_other_odds_and_another_move_are_told(game: Path) -> None:
    def decide_otherwise(lines: list[dict[str, Any]]) -> None:
        decision = first(lines, "decision")["decision"]
        decision["odds"][0][0] += 0.001
        decision["move"]["col"] += 1

    rewrite(game, decide_otherwise)
    told = " ".join(map(str, replay(load_recording(game))))
    assert "the odds of row 1, column 1 were" in told
    assert "the move was open" in told


def test_another_picture_is_a_difference(game: Path) -> None:
    shutil.copy(game / "0001.png", game / "0002.png")
    told = [difference for difference in replay(load_recording(game)) if difference.look == 2]
    assert any('now as "#"' in difference.what for difference in told)


def test_a_picture_without_a_board_is_a_difference_and_its_decision_is_compared_all_the_same(game: Path) -> None:
    def spoil_the_odds(lines: list[dict[str, Any]]) -> None:
        first(lines, "decision")["decision"]["odds"][0][0] += 0.001

    recording = load_recording(game)
    for name, whole in {frame.picture: recording.picture(frame) for frame in recording.frames}.items():
        picture.save(game / name, whole)  # as in recordings of format 1
    picture.save(game / "0001.png", np.zeros((80, 80, 3), dtype=np.uint8))
    rewrite(game, spoil_the_odds)
    board, odds = replay(load_recording(game))
    assert str(board) == "look 1: the board is no longer found"
    assert str(odds).startswith("look 1: the odds of row 1, column 1 were")


def test_a_recording_of_a_killed_bot_is_replayed_as_far_as_it_goes(game: Path) -> None:
    file = game / MANIFEST
    file.write_bytes(file.read_bytes()[:-40])
    recording = load_recording(game)
    assert recording.result is None
    assert list(replay(recording)) == []
