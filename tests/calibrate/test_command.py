"""`minebot calibrate` and `minebot skins` as a user meets them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import Board
from bot.cli import run
from bot.picture import save
from bot.vision.skin import Skin
from tests.calibrate.madeup import PALETTES, board


@pytest.fixture
def shot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A screenshot of a game never seen and the text of its board; skins are written to a folder of the test's own."""
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path / "data"))
    truth = board()
    save(tmp_path / "shot.png", PALETTES["dark"].paint_board(truth))
    (tmp_path / "shot.txt").write_text(f"{truth}\n", encoding="utf-8")
    return tmp_path / "shot.png", tmp_path / "shot.txt"


def test_a_skin_is_written_with_a_sheet_and_found_by_its_name(
    shot: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    image, truth = map(str, shot)
    assert run(["calibrate", image, "--board", truth, "--name", "dusk", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["read_back"] == [{"image": image, "right": 120, "unread": 0, "wrong": 0}]
    assert "8" in document["missing"]
    assert Path(document["sheet"]).is_file()
    assert run(["read", image, "--quiet"]) == 0
    assert Board.parse(capsys.readouterr().out) == Board.parse(shot[1].read_text(encoding="utf-8"))
    assert run(["skins"]) == 0
    assert "dusk: calibrated from 1 picture" in capsys.readouterr().out


def test_pictures_of_one_name_in_two_folders_have_each_its_own_truth(
    shot: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "other").mkdir()
    other, turned = tmp_path / "other" / "shot.png", Board(np.flipud(board().cells).copy())
    save(other, PALETTES["dark"].paint_board(turned))
    other.with_suffix(".txt").write_text(f"{turned}\n", encoding="utf-8")
    truths = ["--board", str(shot[1]), "--board", str(other.with_suffix(".txt"))]
    assert run(["calibrate", str(shot[0]), str(other), *truths, "--name", "dusk", "--json"]) == 0
    checked = json.loads(capsys.readouterr().out)["read_back"]
    assert [(check["image"], check["right"], check["wrong"]) for check in checked] == [
        (str(shot[0]), 120, 0),
        (str(other), 120, 0),
    ]


def test_what_is_not_sure_is_asked_and_with_yes_refused(
    shot: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["calibrate", str(shot[0]), "--name", "dusk", "--yes"]) == 4
    assert "not sure" in capsys.readouterr().err
    assert not (tmp_path / "data" / "templates" / "dusk").exists()


def test_a_skin_is_not_overwritten_unasked(
    shot: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "data" / "templates" / "dusk"
    Skin.load("winemine").save(folder)
    before = (folder / "skin.toml").read_bytes()
    command = ["calibrate", str(shot[0]), "--board", str(shot[1]), "--name", "dusk"]
    assert run(command) == 2
    assert "--yes" in capsys.readouterr().err
    assert (folder / "skin.toml").read_bytes() == before
    assert run([*command, "--yes"]) == 0
    assert (folder / "skin.toml").read_bytes() != before


def test_a_question_shows_the_tile_and_the_choices(shot: tuple[Path, Path], tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="Windows has no such terminals")
    ours, its = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    command = [sys.executable, "-m", "bot", "calibrate", str(shot[0]), "--name", "dusk"]
    with subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environment) as process:
        os.close(its)
        shown = b""
        # The space behind the question comes once the terminal is ready: an end of input before that can be lost.
        while not re.search(rb"perhaps one of[^\n]*\?:[^\n]* $", shown) and (more := os.read(ours, 65536)):
            shown += more
        os.write(ours, b"\x04")
        process.wait()
        os.close(ours)
    assert shown.decode().count("▀") > 100
    assert "X mine that went off" in shown.decode()


def test_a_truth_that_tells_nothing_is_refused(
    shot: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shot[1].read_text(encoding="utf-8")
    shot[1].write_text("\n".join("." * len(row) for row in text.splitlines()), encoding="utf-8")
    assert run(["calibrate", str(shot[0]), "--board", str(shot[1]), "--name", "dusk"]) == 2
    assert "of no tile it is known what it is" in capsys.readouterr().err
    assert not (tmp_path / "data" / "templates").exists()


def test_a_wrong_truth_is_refused_and_nothing_is_written(
    shot: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = shot[1].read_text(encoding="utf-8")
    shot[1].write_text(("2" if text[0] != "2" else "1") + text[1:], encoding="utf-8")
    assert run(["calibrate", str(shot[0]), "--board", str(shot[1]), "--name", "dusk"]) == 2
    assert "row 1, column 1 is called" in capsys.readouterr().err
    assert not (tmp_path / "data" / "templates").exists()


def test_a_picture_without_a_board_is_nothing_to_work_on(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "grey.png"), np.full((200, 300, 3), 128, np.uint8))
    assert run(["calibrate", str(tmp_path / "grey.png"), "--name", "grey", "--to", str(tmp_path / "grey")]) == 3


def test_a_folder_that_holds_something_else_is_left_alone(shot: tuple[Path, Path], tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary", encoding="utf-8")
    to = ["--to", str(tmp_path / "mine")]
    assert run(["calibrate", str(shot[0]), "--board", str(shot[1]), "--name", "dusk", *to]) == 2
    assert [file.name for file in (tmp_path / "mine").iterdir()] == ["diary.txt"]


def test_a_broken_skin_is_named_and_the_others_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path))
    broken = tmp_path / "templates" / "broken"
    Skin.load("winemine").save(broken)
    (broken / "flag.png").unlink()
    assert run(["skins"]) == 2
    printed = capsys.readouterr()
    assert "win7:" in printed.out
    assert str(broken / "flag.png") in printed.err


@pytest.mark.parametrize("name", ["../flag.png", "/etc/passwd", "..\\\\flag.png", "C:flag.png"])
def test_no_name_in_a_skin_leads_out_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path))
    folder = tmp_path / "templates" / "spy"
    Skin.load("winemine").save(folder)
    file = folder / "skin.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("flag.png", name, 1), encoding="utf-8")
    assert run(["skins"]) == 2
    assert "is not a file in the skin's own folder" in capsys.readouterr().err
