"""Live tests drive real programs on a virtual screen; see `stage`.

They take longer than all others together, so only MINEBOT_LIVE=1 (or naming a file of theirs) runs them. Otherwise, and
where programs are missing, only `test_programs` is collected, which says so.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.desktop import open_desktop
from bot.desktop.timing import FAST
from bot.level import LEVELS
from tests.live import stage, user
from tests.live.winemine_board import WineMineBoard

if not stage.wanted() or stage.missing_programs():
    collect_ignore = [file.name for file in Path(__file__).parent.glob("test_*.py") if file.stem != "test_programs"]


@pytest.hookimpl(tryfirst=True)  # before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the live tests on one worker: they share a screen and a Wine prefix."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("live"))


@pytest.fixture(scope="package")
def live_screen() -> Iterator[None]:
    """A screen on which programs can be started."""
    if stage.inside_wine():
        yield
    else:
        with stage.screen():
            yield


@pytest.fixture(scope="package")
def windows_python(live_screen: None) -> Path:
    """A Windows Python with the bot's libraries. It is only downloaded where all live tests are to run."""
    if sys.platform == "win32":
        return Path(sys.executable)
    folder = stage.cache_folder()
    if stage.wanted():
        subprocess.run([stage.ROOT / ".ci" / "wine-python.sh", folder], check=True)
    if not (folder / "winpython").exists():
        pytest.skip(f"no Windows Python yet: .ci/wine-python.sh {folder} makes one")
    return folder / "winpython"


@pytest.fixture(scope="module")
def running_winemine(live_screen: None) -> Iterator[None]:
    """WineMine at beginner level with question marks on."""
    with stage.winemine(LEVELS["beginner"], marks=True):
        yield


@pytest.fixture
def winemine(running_winemine: None) -> WineMineBoard:
    """A new game of it, in front of everything and without the dialog that a failed test may have left open."""
    user.leave_dialogs(open_desktop(None, FAST).window)
    board = WineMineBoard(open_desktop(None, FAST), LEVELS["beginner"])  # one that has seen no Esc
    board.new()
    return board
