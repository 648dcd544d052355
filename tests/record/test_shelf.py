"""What the data folder keeps of past play, and how little of it."""

import os
import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from bot import picture
from bot.cli import run
from bot.picture import Picture
from bot.record.recorder import ABANDONED_AFTER, DOUBTS, RING, keep_doubtful, keep_recording
from bot.record.recording import load_recording


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


def test_what_a_killed_bot_was_about_to_keep_is_cleared_away_but_not_what_another_bot_is_at(played: Path) -> None:
    shelf = Path(os.environ["MINEBOT_DATA"]) / "recordings"
    for name, age in ((".1.part", 2 * ABANDONED_AFTER), (".2.part", 0.0)):
        (shelf / name).mkdir(parents=True)
        os.utime(shelf / name, (time.time() - age,) * 2)
    keep_recording(played)
    assert [path.name for path in shelf.glob(".*")] == [".2.part"]


def shade(number: int) -> Picture:
    return np.full((4, 4, 3), number, dtype=np.uint8)


def test_the_last_doubtful_pictures_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    for number in range(DOUBTS + 3):
        monkeypatch.setattr(time, "strftime", lambda form, number=number: f"20260101-{number:06d}")
        kept.append(keep_doubtful(shade(number)))
    assert sorted(kept[0].parent.iterdir()) == kept[3:]
    assert np.array_equal(picture.load(kept[-1]), shade(DOUBTS + 2))


def test_an_old_picture_that_cant_be_removed_keeps_no_new_one_out() -> None:
    folder = keep_doubtful(shade(0)).parent
    for number in range(DOUBTS):
        (folder / f"0{number}.png").mkdir()  # stands for a file that is open on Windows
    assert np.array_equal(picture.load(keep_doubtful(shade(1))), shade(1))
