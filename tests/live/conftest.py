"""Live tests drive real programs on a virtual screen; see `stage`.

Where the programs are missing they are skipped, unless MINEBOT_REQUIRE_LIVE=1 says that this machine must have them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

from bot.desktop import open_desktop
from bot.desktop.timing import FAST
from bot.level import LEVELS
from tests.live import stage
from tests.live.board import WineMineBoard


def skip_or_fail(reason: str) -> None:
    """End a test that can't run here: a failure where it must, a skip elsewhere."""
    if os.environ.get("MINEBOT_REQUIRE_LIVE") == "1":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="package")
def live_screen() -> Iterator[None]:
    """A screen on which programs can be started."""
    if stage.inside_wine():
        yield
        return
    missing = stage.missing_programs()
    if sys.platform == "win32" or missing:
        skip_or_fail(f"live tests need Linux with {', '.join(stage.PROGRAMS)}")
    with stage.screen():
        yield


@pytest.fixture
def winemine(live_screen: None) -> Iterator[WineMineBoard]:
    """WineMine at beginner level with question marks on, in front of everything."""
    with stage.winemine(LEVELS["beginner"], marks=True):
        yield WineMineBoard(open_desktop(None, FAST), LEVELS["beginner"])
