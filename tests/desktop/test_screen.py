"""Grabbing the screen, with a stand-in for mss."""

from __future__ import annotations

from types import SimpleNamespace

import mss
import pytest

from bot.desktop import GrabError, Rect
from bot.desktop.screen import MssScreen


class Locked:
    """A connection that grabs nothing; counts those that are open."""

    open = 0
    monitors = ({"left": 0, "top": 0, "width": 1920, "height": 1080},)

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


def test_a_window_partly_off_the_screen_is_not_grabbed_and_the_user_is_told_to_move_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Windows gives black pixels for what is off the screen: a board would look smaller than it is."""

    class TwoMonitors:
        """The second one is on the left of the first."""

        monitors = ({"left": -1280, "top": 0, "width": 3200, "height": 1080},)

        def grab(self, region: dict[str, int]) -> SimpleNamespace:
            width, height = region["width"], region["height"]
            return SimpleNamespace(raw=bytes(4 * width * height), width=width, height=height)

        def close(self) -> None:
            pass

    monkeypatch.setattr(mss, "MSS", TwoMonitors)
    screen = MssScreen()
    for inside in (Rect(-1280, 0, 200, 100), Rect(1720, 980, 200, 100)):
        assert screen.grab(inside).shape == (100, 200, 3)
    for outside in (Rect(-1281, 0, 200, 100), Rect(0, -1, 200, 100), Rect(1721, 0, 200, 100), Rect(0, 981, 200, 100)):
        with pytest.raises(GrabError, match="off the screen: move its window"):
            screen.grab(outside)
