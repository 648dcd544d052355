"""The user's things are the user's alone: pictures of a screen may show more than a game."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import numpy as np
import pytest

from bot import files
from bot.files import make_private, write_whole
from bot.play import Settings, Stop
from bot.record.recorder import Recorder, keep_doubtful
from bot.vision.skin import Skin

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="on Windows a user's folder is his by its place")


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_what_is_made_is_the_users_alone_whatever_the_shell_allows(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        make_private(tmp_path / "data" / "doubts")
        files.append_line(tmp_path / "data" / "games.jsonl", {"won": True})
    finally:
        os.umask(before)
    assert [rights(tmp_path / "data"), rights(tmp_path / "data" / "doubts")] == [0o700, 0o700]
    assert rights(tmp_path / "data" / "games.jsonl") == 0o600


def test_a_folder_that_is_there_keeps_its_rights(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o755)
    make_private(tmp_path / "shared")
    assert rights(tmp_path / "shared") == 0o755


def test_nobody_else_sees_the_pictures_that_were_doubted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path / "data"))
    kept = keep_doubtful(np.zeros((4, 4, 3), np.uint8))
    assert kept.is_file()
    assert rights(tmp_path / "data") == 0o700


def test_a_file_in_a_folder_of_the_users_alone_is_so_too(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        make_private(tmp_path / "own")
        (tmp_path / "shared").mkdir()
        for folder in ("own", "shared"):
            write_whole(tmp_path / folder / "picture.png", b"pixels")
    finally:
        os.umask(before)
    assert rights(tmp_path / "own" / "picture.png") == 0o600
    assert rights(tmp_path / "shared" / "picture.png") == 0o644


def test_a_recording_is_the_users_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        recorder = Recorder(tmp_path / "recordings", Settings(), pytest.fail)
        recorder.stopped(Stop("doubt", "a reason", np.zeros((9, 9, 3), dtype=np.uint8)))
    finally:
        os.umask(before)
    made = [path for path in (tmp_path / "recordings").rglob("*") if path.name != ".lock"]
    assert {path.suffix for path in made} == {"", ".jsonl", ".png"}
    assert all(rights(path) == (0o700 if path.is_dir() else 0o600) for path in made), made
    assert rights(tmp_path / "recordings") == 0o700


def test_a_skin_is_no_more_open_than_the_folder_it_lies_in(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        make_private(tmp_path / "own")
        (tmp_path / "shared").mkdir()
        for folder in ("own", "shared"):
            Skin.load("win7").save(tmp_path / folder / "mine")
    finally:
        os.umask(before)
    assert rights(tmp_path / "own" / "mine") == 0o700
    assert {rights(file) for file in (tmp_path / "own" / "mine").iterdir()} == {0o600}
    assert rights(tmp_path / "shared" / "mine" / "skin.toml") == 0o666
