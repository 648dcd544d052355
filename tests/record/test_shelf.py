"""What the data folder keeps of past play, and how little of it."""

import os
import shutil
from pathlib import Path

import pytest

from bot.cli import run
from bot.record.recording import load_recording
from bot.record.shelf import RING, keep_recording


def test_play_keeps_the_last_games_and_one_file_holds_the_last(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["play", "--clone", "--level", "beginner", "--think", "0", "--seed", "9", "--quiet"]
    assert run([*arguments, "--record", str(tmp_path / "kept")]) == 0
    shutil.rmtree(tmp_path / "kept")
    bundle = tmp_path / "report.zip"
    assert run(["replay", "--last", "--bundle", str(bundle), "--quiet"]) == 0
    assert run(["replay", str(bundle)]) == 0
    assert "0 differences" in capsys.readouterr().out


def test_the_ring_holds_a_few_games_and_drops_the_oldest(played: Path) -> None:
    for _ in range(RING + 2):
        keep_recording(played)
    kept = list((Path(os.environ["MINEBOT_DATA"]) / "recordings").iterdir())
    assert len(kept) == RING
    assert all(load_recording(folder).frames for folder in kept)
