"""Screenshots that arrive in a folder are answered one by one, once each is whole."""

from __future__ import annotations

import json
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.cli import run
from bot.picture import PATIENCE, POLL, new_pictures
from tests.program import started

SHOT = Path(__file__).parents[1] / "fixtures" / "screenshots" / "clone" / "default-size-midgame.png"


class Looks:
    """A folder that somebody writes to between two looks: each step of a script happens at one of them."""

    def __init__(self, script: Iterator[None]) -> None:
        self._script = script
        self.number = 0

    def wait(self, _seconds: float) -> None:
        self.number += 1
        next(self._script, None)


def test_a_picture_is_given_once_it_is_whole_and_never_twice(tmp_path: Path) -> None:
    (tmp_path / "old.png").write_bytes(SHOT.read_bytes())
    raw, target = SHOT.read_bytes(), tmp_path / "new.PNG"

    def writer() -> Iterator[None]:
        (tmp_path / "letter.txt").write_text("no picture")
        target.write_bytes(raw[:1000])
        for _ in range(5):  # a slow disk
            yield
        target.write_bytes(raw)
        yield
        for _ in range(5):
            yield
        shutil.copy(SHOT, tmp_path / "second.png")

    looks = Looks(writer())
    pictures = new_pictures(tmp_path, looks.wait)
    assert next(pictures) == target
    assert looks.number in (7, 8)  # the first look at the whole file, and one that finds it the same
    assert next(pictures) == tmp_path / "second.png"


def test_one_that_never_ends_is_given_all_the_same(tmp_path: Path) -> None:
    def writer() -> Iterator[None]:
        (tmp_path / "cut.png").write_bytes(SHOT.read_bytes()[:1000])
        yield

    looks = Looks(writer())
    assert next(new_pictures(tmp_path, looks.wait)) == tmp_path / "cut.png"
    assert looks.number >= PATIENCE / POLL


def test_a_folder_that_is_not_there_is_said_to_be_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dry-run", "--watch", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.startswith(f'minebot: can\'t watch "{tmp_path / "none"}": ')


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends programs no signals but Ctrl-C")
def test_dry_run_answers_every_new_screenshot_until_ctrl_c(tmp_path: Path) -> None:
    answer = tmp_path / "answer.png"
    with started("dry-run", "--watch", str(tmp_path), "--json", "--think", "0", "--annotate", str(answer)) as watch:
        assert watch.stdout is not None
        assert watch.stderr is not None
        assert watch.stderr.readline() == f'minebot: waiting for new screenshots in "{tmp_path}"; Ctrl-C ends it\n'
        for name in ("first.png", "second.png"):
            shutil.copy(SHOT, tmp_path / name)
            told = json.loads(watch.stdout.readline())
            assert told["reading"]["image"] == str(tmp_path / name)
            assert answer.is_file()
        (tmp_path / "empty.png").write_bytes(b"")
        assert "empty.png" in json.loads(watch.stdout.readline())["error"]
        watch.send_signal(signal.SIGINT)
        out, err = watch.communicate(timeout=60)
    assert (out, watch.returncode) == ("", 130)
    assert err.splitlines()[-1] == "minebot: stopped: Ctrl-C was pressed"
