"""The doctor on a real screen with a real game."""

from __future__ import annotations

import sys

import pytest

from bot.desktop import Rect
from bot.doctor import Check, examine
from tests.live import user
from tests.live.winemine_board import WineMineBoard


def findings(window_text: str | None = None) -> dict[str, Check]:
    return {check.name: check for check in examine(window_text)}


def test_a_healthy_game_passes_every_check(winemine: WineMineBoard) -> None:
    checks = findings()
    assert {name: check.finding for name, check in checks.items() if check.status != "pass"} == {}
    assert '"WineMine"' in checks["window"].finding
    assert "9×9" in checks["board"].finding
    assert '"winemine"' in checks["skin"].finding


def test_a_window_that_is_not_there_is_named_with_what_to_do(winemine: WineMineBoard) -> None:
    last = list(examine("no such game"))[-1]
    assert (last.name, last.status) == ("window", "fail")
    assert '"no such game"' in last.finding
    assert last.fix


@pytest.mark.skipif(sys.platform == "win32", reason="windows of the same process cover nothing there")
def test_what_covers_the_board_is_named(winemine: WineMineBoard) -> None:
    x, y = winemine.place(4, 4)
    with user.other_window(Rect(x - 30, y - 30, 60, 60), focused=False):
        cover = findings()["cover"]
    assert cover.status == "warn"
    assert "in the way" in cover.finding
