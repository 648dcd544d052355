"""The live tests once more, run by a real Windows Python inside of Wine: pywin32, mss and pyautogui as on Windows."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live import stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="this is a Windows Python already")

ROOT = stage.ROOT
LIVE_TESTS = [
    f"tests/live/test_{name}.py"
    for name in ("absence", "desktop", "games", "stops", "win32_clone", "win32_games", "win32_input")
]


@pytest.mark.parametrize("tests", LIVE_TESTS)
def test_the_live_tests_pass_with_a_windows_python(windows_python: Path, tests: str) -> None:
    command = [str(windows_python), "-m", "pytest", "-q", "-p", "no:cacheprovider", tests]
    # What the two Pythons compile must not lie in one folder: they would throw each other's out.
    compiled = "Z:" + str(stage.cache_folder() / "compiled").replace("/", "\\")
    environment = os.environ | {
        "MINEBOT_LIVE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": compiled,
    }
    run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    print(run.stdout)
    assert run.returncode == 0


def test_the_wheel_runs_on_windows_outside_of_the_checkout(windows_python: Path, tmp_path: Path) -> None:
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(tmp_path / "site"),
        str(ROOT),
    ]
    subprocess.run(install, check=True)
    environment = os.environ | {
        "PYTHONPATH": "Z:" + str(tmp_path / "site").replace("/", "\\"),
        "MINEBOT_DATA": "Z:" + str(tmp_path / "data").replace("/", "\\"),
        "NUMBA_DISABLE_JIT": "1",  # what the wheel holds is asked here, and compiling would take a minute
    }
    picture = "Z:" + str(ROOT / "fixtures/screenshots/clone/smallest-tiles.png").replace("/", "\\")
    for words, said in (
        (["--version"], "minebot, version"),
        (["skins"], "win7"),
        (["read", picture], "mines:"),
        (["play", "--clone", "--level", "beginner", "--seed", "4", "--think", "0"], "won in"),
    ):
        command = [str(windows_python), "-m", "bot", *words]
        run = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, encoding="cp1252", check=False
        )
        assert run.returncode == 0, run.stdout
        assert said in run.stdout
