"""What the desktop says of a game that is not there, or no longer."""

from __future__ import annotations

import sys

import pytest

from bot.desktop import CoveredError, NoScreenError, NoWindowError, StopRequestedError, open_desktop
from bot.desktop.timing import FAST, Seconds, wait_until
from bot.level import LEVELS
from tests.live import stage, user
from tests.live.winemine_board import WineMineBoard

PATIENCE = Seconds(10)
POLL = Seconds(0.01)


def test_without_a_game_there_is_no_window(live_screen: None) -> None:
    with pytest.raises(NoWindowError, match="no Minesweeper window"):
        open_desktop(None, FAST)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has a screen at all times")
def test_a_server_that_has_ended_is_told_whatever_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.desktop.x11.connection import Connection
    from bot.desktop.x11.input import XTestMouse
    from bot.desktop.x11.window import X11Window

    with stage.x_server("640x480x24") as display:
        monkeypatch.setenv("DISPLAY", display)
        connection = Connection()
        mouse = XTestMouse(X11Window(connection, connection.root.id, FAST))
        mouse.move(5, 5)
        mouse.position()
    for _ in range(2):
        with pytest.raises(NoScreenError, match="the X server has ended"):
            mouse.position()


@pytest.mark.skipif(sys.platform != "win32", reason="X11 says of a window that is gone only that it has no names")
def test_a_window_that_closes_while_the_game_is_looked_for_is_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = 0x123456
    monkeypatch.setattr("bot.desktop.windows.window._top_level_windows", lambda: [gone])
    with pytest.raises(NoWindowError, match="no Minesweeper window"):
        open_desktop(None, FAST)


def test_a_window_that_hides_before_it_is_gone_was_closed(live_screen: None) -> None:
    with pytest.raises(NoWindowError, match="closed"):
        user.hidden_then_closed(Seconds(0.1)).client()


def test_a_closed_window_is_said_to_be_so(live_screen: None) -> None:
    with stage.winemine(LEVELS["beginner"]) as process:
        board = WineMineBoard(open_desktop(None, FAST), LEVELS["beginner"])
        process.terminate()
        process.wait()

        def complaint() -> str:
            try:
                board.click(0, 0)
            except (NoWindowError, StopRequestedError, CoveredError) as error:
                return str(error)
            return ""

        assert wait_until(complaint, PATIENCE, POLL)
        with pytest.raises(NoWindowError, match="closed"):
            board.desktop.window.client()
        with pytest.raises(NoWindowError, match="closed"):
            board.desktop.window.bring_to_front()
