"""What is kept of a game while it is played, also when the disk is full or the game stops in doubt."""

import json
import os
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot import picture
from bot.board import Cell
from bot.cli import run
from bot.clone.desktop import CloneDesktop
from bot.clone.game import Game
from bot.level import Level
from bot.picture import Picture
from bot.play import Player, Watcher
from bot.play.events import Everyone
from bot.record import RecordingError
from bot.record.recorder import MANIFEST, Recorder
from bot.record.recording import load_recording
from bot.vision.reader import Reader, Reading
from tests.record.games import BEGINNER, SETTINGS, record


def test_a_recording_holds_every_look_decision_and_the_end(played: Path) -> None:
    recording = load_recording(played)
    assert recording.result is not None
    assert recording.result.get("clicks", int) > 0
    assert len(recording.frames) >= 2
    assert all(frame.reading is not None for frame in recording.frames)
    assert recording.frames[0].decision is not None
    assert recording.frames[0].clicked
    times = [frame.at for frame in recording.frames]
    assert times[0] == 0  # a recording begins with the first look, not with the recorder
    assert times == sorted(times)


def test_only_changed_pictures_are_kept(played: Path) -> None:
    recording = load_recording(played)
    names = list(dict.fromkeys(frame.picture for frame in recording.frames))
    assert sorted(path.name for path in played.glob("*.png")) == names
    pictures = [picture.load(played / name) for name in names]
    assert not any(np.array_equal(one, two) for one, two in pairwise(pictures))


def test_pictures_come_back_as_they_were_in_any_order_and_take_little_room(tmp_path: Path) -> None:
    class Witness(Watcher):
        def __init__(self) -> None:
            self.pictures: list[Picture] = []

        def looked(self, reading: Reading, picture: Picture) -> None:
            self.pictures.append(picture.copy())

    witness = Witness()
    recorder = Recorder(tmp_path, SETTINGS, pytest.fail)
    desktop = CloneDesktop(Game(Level(16, 30, 70), seed=8))
    Player(desktop.desktop(), Reader(), SETTINGS, Everyone([witness, recorder])).play(1)
    recording = load_recording(tmp_path / "game-0001")
    assert len(recording.frames) == len(witness.pictures) > 10
    for number in (*range(len(recording.frames)), -1, 3, 0):
        assert np.array_equal(recording.picture(recording.frames[number]), witness.pictures[number])
    assert sum(file.stat().st_size for file in recording.folder.iterdir()) < 3_000_000


def test_a_picture_of_another_size_below_is_refused(game: Path) -> None:
    picture.save(game / "0001.png", np.zeros((80, 80, 3), dtype=np.uint8))
    recording = load_recording(game)
    with pytest.raises(RecordingError, match="not as large as"):
        recording.picture(recording.frames[1])
    (game / "0001.png").unlink()
    with pytest.raises(RecordingError, match=r"0001\.png"):
        recording.picture(recording.frames[1])


def test_every_game_gets_a_folder_and_none_is_written_over(tmp_path: Path) -> None:
    record(tmp_path, games=2)
    record(tmp_path)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["game-0001", "game-0002", "game-0003"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit for a file's size to stand for a full disk")
def test_when_the_disk_is_full_play_goes_on_with_one_warning_and_nothing_is_half_written(tmp_path: Path) -> None:
    import resource

    record(tmp_path / "warm-up")
    whole = (tmp_path / "warm-up" / "game-0001" / MANIFEST).stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    warnings: list[str] = []
    for number, size in enumerate((2_000, whole - 30)):  # too little for a picture; too little for the last line
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
        try:
            session = record(tmp_path / str(number), warnings=warnings)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert session.stop is None
        assert len(warnings) == number + 1
        assert "play goes on" in warnings[-1]
        game = tmp_path / str(number) / "game-0001"
        assert not list(game.glob("*.part"))
        for line in (game / MANIFEST).read_bytes().splitlines(keepends=True):
            assert line.endswith(b"\n")
            json.loads(line)
        for file in game.glob("*.png"):
            picture.load(file)


def test_a_folder_that_cant_be_made_is_refused_before_play_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    assert run(["play", "--clone", "--record", str(in_the_way / "recording")]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "can't record to" in err


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the administrator may write everywhere")
def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RecordingError, match="Permission denied"):
        Recorder(tmp_path / "recording", SETTINGS, print)


def test_a_stop_in_doubt_is_recorded_with_what_was_seen(tmp_path: Path) -> None:
    game = Game(BEGINNER, seed=5)
    clone = CloneDesktop(game)
    real_board = game.board

    def impossible() -> Any:
        board = real_board()
        return board.replace({(0, 0): 0, (0, 1): Cell.COVERED}) if game.state != "new" else board

    game.board = impossible  # type: ignore[method-assign]
    warnings: list[str] = []
    session = Player(clone.desktop(), Reader(), SETTINGS, Recorder(tmp_path, SETTINGS, warnings.append)).play(1)
    assert session.stop is not None
    recording = load_recording(tmp_path / "game-0001")
    assert recording.stop == session.stop.reason
    assert recording.frames[-1].reading is None
    assert session.stop.picture is not None
    assert np.array_equal(recording.picture(recording.frames[-1]), session.stop.picture)
