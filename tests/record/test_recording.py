"""A stranger's recording: it leads nowhere, fills nothing, and nonsense in it is refused in one sentence."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.cli import run
from bot.record import RecordingError
from bot.record.recorder import MANIFEST
from bot.record.recording import load_recording
from bot.record.replay import replay
from tests.record.games import first, rewrite


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
        (set_at(0, "format", value=3), "format is 3"),
        (set_at(0, "style", value="wild"), '"style" is not one of'),
        (set_at(1, "reading", value=[]), '"reading" is not an object'),
        (set_at(1, "reading", "cells", value=["##", "#"]), "line 2"),
        (set_at(1, "reading", "cells", value=["#" * 70_000]), "more than"),
        (set_at(1, "reading", "grid", "pitch_x", value=1), "pitch"),
        (set_at(1, "reading", "grid", "pitch_y", value=1000), "pitch"),
        (set_at(1, "reading", "mines", value=500), "do not fit"),
        (set_at(1, "reading", "state", value="lo\x1b[2Jst"), '"state" is not one of'),
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


def test_nothing_in_a_recording_commands_the_terminal(game: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rewrite(game, set_at(1, "reading", "skin", value="win7\x1b]2;evil\a"))
    assert run(["replay", str(game)]) == 4
    told = capsys.readouterr().out
    assert 'the skin was "win7' in told
    assert not {"\x1b", "\a"} & set(told)
    rewrite(game, set_at(1, "reading", "cells", value=["##", "#\x1b]2;evil\a"]))
    assert run(["replay", str(game)]) == 2
    assert "\x1b" not in capsys.readouterr().err


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
