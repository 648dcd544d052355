"""Recordings: what is kept of a game, what a replay finds, and what a stranger's recording can't do."""

import json
import os
import shutil
import sys
import zipfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot import picture
from bot.board import Cell
from bot.cli import run
from bot.record import RecordingError
from bot.record.recorder import MANIFEST, Recorder
from bot.record.recording import load_recording
from bot.record.replay import replay
from bot.record.shelf import RING, keep_recording
from tests.record.games import SETTINGS, first, record, rewrite


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded game."""
    folder = tmp_path_factory.mktemp("played")
    record(folder)
    return folder / "game-0001"


@pytest.fixture
def game(played: Path, tmp_path: Path) -> Path:
    """The same in a folder that a test may spoil."""
    return Path(shutil.copytree(played, tmp_path / "game"))


# What is kept


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


def test_every_game_gets_a_folder_and_none_is_written_over(tmp_path: Path) -> None:
    record(tmp_path, games=2)
    record(tmp_path)
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["game-0001", "game-0002", "game-0003"]


# What a replay finds


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


def test_a_picture_without_a_board_is_a_difference(game: Path) -> None:
    picture.save(game / "0001.png", np.zeros((80, 80, 3), dtype=np.uint8))
    assert "the board is no longer found" in next(replay(load_recording(game))).what


def test_a_recording_of_a_killed_bot_is_replayed_as_far_as_it_goes(game: Path) -> None:
    file = game / MANIFEST
    file.write_bytes(file.read_bytes()[:-40])
    recording = load_recording(game)
    assert recording.result is None
    assert list(replay(recording)) == []


# A full disk


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


# A stranger's recording


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "..\\secret.png", "C:secret.png", "0001.png\0", ""])
def test_no_picture_outside_the_folder_is_read(game: Path, name: str) -> None:
    shutil.copy(game / "0001.png", game.parent / "secret.png")

    def lead_outside(lines: list[dict[str, Any]]) -> None:
        first(lines, "look")["picture"] = name

    rewrite(game, lead_outside)
    with pytest.raises(RecordingError, match="line 2"):
        load_recording(game)


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights on Windows")
def test_no_link_is_followed(game: Path) -> None:
    (game / "0001.png").rename(game.parent / "secret.png")
    (game / "0001.png").symlink_to(game.parent / "secret.png")
    with pytest.raises(RecordingError, match="link"):
        list(replay(load_recording(game)))


def test_a_picture_that_would_fill_the_memory_is_refused(game: Path) -> None:
    file = game / "0001.png"
    raw = bytearray(file.read_bytes())
    raw[16:24] = (30_000).to_bytes(4, "big") * 2
    file.write_bytes(raw)
    with pytest.raises(RecordingError, match="too large for a screenshot"):
        list(replay(load_recording(game)))


def set_at(*keys: Any, value: Any) -> Callable[[list[dict[str, Any]]], None]:
    def change(lines: list[dict[str, Any]]) -> None:
        target: Any = lines
        for key in keys[:-1]:
            target = target[key]
        target[keys[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (set_at(0, "format", value=2), "format is 2"),
        (set_at(0, "style", value="wild"), '"style" is not one of'),
        (set_at(1, "reading", value=[]), '"reading" is not an object'),
        (set_at(1, "reading", "cells", value=["##", "#"]), "line 2"),
        (set_at(1, "reading", "cells", value=["#" * 70_000]), "more than"),
        (set_at(1, "reading", "grid", "pitch_x", value=1), "pitch"),
        (set_at(1, "reading", "grid", "pitch_y", value=1000), "pitch"),
        (set_at(1, "reading", "mines", value=500), "do not fit"),
        (set_at(1, "at", value="now"), '"at" is not a number'),
        (set_at(2, "decision", "odds", value=[[0.5]]), "odds"),
        (set_at(2, "decision", "odds", 0, 0, value=10**400), '"odds" is not a number'),
        (set_at(2, "decision", "safe", value=[[99, 0]]), "beside the board"),
        (set_at(2, "actions", value=[{"kind": "shoot", "row": 0, "col": 0, "risk": 0}]), '"kind"'),
    ],
)
def test_a_recording_with_nonsense_in_it_is_refused_in_one_sentence(
    game: Path, change: Callable[[list[dict[str, Any]]], None], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(game, change)
    assert run(["replay", str(game)]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert MANIFEST in err
    assert len(err.splitlines()) == 1


@pytest.mark.parametrize("text", [b"", b"no json\n{}\n", b"[" * 100_000 + b"\n{}\n", b"\xff\xfe\n{}\n"])
def test_what_is_no_recording_is_refused(tmp_path: Path, text: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / MANIFEST).write_bytes(text)
    assert run(["replay", str(tmp_path)]) == 2
    assert MANIFEST in capsys.readouterr().err


def test_a_folder_without_a_recording_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(tmp_path)]) == 2
    assert "is no recording" in capsys.readouterr().err
    assert run(["replay", str(tmp_path / "none")]) == 2
    assert "no such folder" in capsys.readouterr().err
    assert run(["replay"]) == 2
    assert run(["replay", "--last"]) == 2
    assert "no game has been recorded yet" in capsys.readouterr().err


# The ring and the bundle


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


def test_a_recording_whose_files_say_that_they_are_from_1970_is_bundled(game: Path, tmp_path: Path) -> None:
    os.utime(game / MANIFEST, (0, 0))
    bundle = tmp_path / "report.zip"
    assert run(["replay", str(game), "--bundle", str(bundle), "--quiet"]) == 0
    assert run(["replay", str(bundle), "--quiet"]) == 0


def test_the_ring_holds_a_few_games_and_drops_the_oldest(played: Path) -> None:
    for _ in range(RING + 2):
        keep_recording(played)
    kept = list((Path(os.environ["MINEBOT_DATA"]) / "recordings").iterdir())
    assert len(kept) == RING
    assert all(load_recording(folder).frames for folder in kept)


@pytest.mark.parametrize("name", ["../evil.png", "/tmp/evil.png", "game/../../evil.png", "run.sh", "a/b/0001.png"])
def test_a_bundle_with_other_files_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    bundle = tmp_path / "evil.zip"
    with zipfile.ZipFile(bundle, "w") as content:
        content.writestr(name, "evil")
    assert run(["replay", str(bundle)]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["evil.zip"]


def test_a_file_that_is_no_bundle_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "letter.zip"
    file.write_text("dear sirs")
    assert run(["replay", str(file)]) == 2
    assert "no bundle" in capsys.readouterr().err


def test_a_stop_in_doubt_is_recorded_with_what_was_seen(tmp_path: Path) -> None:
    from bot.clone.desktop import CloneDesktop
    from bot.clone.game import Game
    from bot.play import Player
    from bot.vision.reader import Reader

    game = Game(SETTINGS.level or pytest.fail("no level"), seed=5)
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
