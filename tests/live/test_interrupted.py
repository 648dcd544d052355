"""Ctrl-C at every single line of a click and of a key, on a real X server: nothing stays down, and it is obeyed."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

import pytest

from bot.desktop import Desktop, open_desktop
from bot.desktop.input import Keyboard, Pointer
from bot.desktop.timing import FAST, wait_until
from tests.live import user
from tests.live.stage import click, tap

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a Windows thread that waits does not paint its window")

TITLE = "a window to click on"
POINTS = int(os.environ.get("MINEBOT_INTERRUPT_POINTS", "60"))
"""At how many lines, evenly spread over all that run, Ctrl-C comes once: a click and its waiting have a thousand."""

WHERE = (
    "input.py",
    "signals.py",
    "contextlib.py",
    "display.py",
    "_pyautogui_x11.py",
)
"""The files at whose lines Ctrl-C comes: ours, and those of Xlib and pyautogui that send."""


@pytest.fixture
def target(live_screen: None) -> Iterator[None]:
    """A window that takes clicks and keys, and does nothing with them."""
    from Xlib import X

    from bot.desktop.x11.connection import Connection

    x = Connection()
    window = x.root.create_window(100, 100, 200, 200, 0, X.CopyFromParent)
    window.set_wm_name(TITLE)
    window.map()
    x.display.sync()
    assert wait_until(lambda: x.is_viewable(window.id), user.PATIENCE, user.POLL)
    yield
    window.destroy()
    x.display.sync()


@contextmanager
def ctrl_c_at_line(number: int, within: FunctionType) -> Iterator[Callable[[], int]]:
    """Send Ctrl-C at the so-manieth line that runs within a function; yields how many lines have run."""
    lines, inside = 0, False

    def trace(frame: FrameType, event: str, _argument: Any) -> Any:
        nonlocal lines, inside
        if frame.f_code is within.__code__ and event in ("call", "return"):
            inside = event == "call"
        if inside and event == "line" and Path(frame.f_code.co_filename).name in WHERE:
            lines += 1
            if lines == number:
                signal.raise_signal(signal.SIGINT)
        return trace

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.settrace(trace)
    try:
        yield lambda: lines
    finally:
        sys.settrace(None)
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize(("act", "within"), [(click, Pointer._press_and_release), (tap, Keyboard.tap)])
def test_nothing_stays_down(target: None, act: Callable[[Desktop], None], within: FunctionType) -> None:
    def interrupted(number: int) -> int:
        """Act while Ctrl-C comes at a line; return how many lines have run."""
        desktop = open_desktop(TITLE, FAST)
        desktop.window.bring_to_front()
        obeyed = False
        with ctrl_c_at_line(number, within) as lines:
            try:
                act(desktop)
            except KeyboardInterrupt:
                obeyed = True
        assert not user.buttons_down(), f"a button is down after Ctrl-C at line {number}"
        assert not user.keys_down(), f"a key is down after Ctrl-C at line {number}"
        assert obeyed == (0 < number <= lines()), f"Ctrl-C at line {number} was not obeyed"
        return lines()

    whole = interrupted(0)
    assert whole > POINTS
    for point in range(POINTS):
        interrupted(1 + point * whole // POINTS)
        user.pointer()  # pyautogui still answers
        gc.collect()  # an interrupted connection is held by the frames of its interrupt
