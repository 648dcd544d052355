"""Grabbing the screen, with a stand-in for mss."""

from __future__ import annotations

import mss
import pytest

from bot.desktop import GrabError, Rect
from bot.desktop.screen import MssScreen


class Locked:
    """A connection that grabs nothing; counts those that are open."""

    open = 0

    def __init__(self) -> None:
        Locked.open += 1

    def grab(self, region: dict[str, int]) -> None:
        raise mss.ScreenShotError("the screen is locked")

    def close(self) -> None:
        Locked.open -= 1


def test_grabs_that_fail_leave_no_connection_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows has 10,000 drawing handles for a program, and a coach looks forty times a second."""
    monkeypatch.setattr(mss, "MSS", Locked)
    screen = MssScreen()
    for _ in range(3):
        with pytest.raises(GrabError):
            screen.grab(Rect(0, 0, 10, 10))
    assert Locked.open == 0
