"""The mouse on Windows, and the watch for the user's Esc."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

assert sys.platform == "win32", "this is the Windows backend"

# ruff: noqa: E402
import win32api
import win32con

from bot.desktop.protocols import Button, Rect
from bot.desktop.windows.window import pointer_position
from bot.words import StopKey

_AT_PLACE = win32con.MOUSEEVENTF_ABSOLUTE | win32con.MOUSEEVENTF_MOVE | 0x4000  # of the virtual desktop
_VIRTUAL_SCREEN = (
    win32con.SM_XVIRTUALSCREEN,
    win32con.SM_YVIRTUALSCREEN,
    win32con.SM_CXVIRTUALSCREEN,
    win32con.SM_CYVIRTUALSCREEN,
)
_BUTTON_EVENTS = {
    "left": (win32con.MOUSEEVENTF_LEFTDOWN, win32con.MOUSEEVENTF_LEFTUP),
    "right": (win32con.MOUSEEVENTF_RIGHTDOWN, win32con.MOUSEEVENTF_RIGHTUP),
    "middle": (win32con.MOUSEEVENTF_MIDDLEDOWN, win32con.MOUSEEVENTF_MIDDLEUP),
}


class PlacedMouse:
    """The mouse through Windows' input events; left and right are what the user's settings call first and second."""

    def __init__(self) -> None:
        self._screen = _virtual_screen()
        self._pressed: dict[Button, Button] = {}

    def position(self) -> tuple[int, int]:
        return pointer_position()

    def move(self, x: int, y: int) -> None:
        # Every click begins with a move, so this is often enough to learn of a screen that has come or gone.
        self._screen = _virtual_screen()
        self._send(0, x, y)

    def press(self, button: Button, x: int, y: int) -> None:
        swapped: dict[Button, Button] = {"left": "right", "right": "left"}
        first_is_right = win32api.GetSystemMetrics(win32con.SM_SWAPBUTTON)
        self._pressed[button] = swapped.get(button, button) if first_is_right else button
        self._send(_BUTTON_EVENTS[self._pressed[button]][0], x, y)

    def release(self, button: Button, x: int, y: int) -> None:
        """Release it there: the button that was pressed, whatever the user has set meanwhile."""
        self._send(_BUTTON_EVENTS[self._pressed.get(button, button)][1], x, y)

    def _send(self, event: int, x: int, y: int) -> None:
        # Absolute places are told in 65536ths of the whole virtual screen, rounded up to land in the pixel.
        left, top, width, height = self._screen
        share_x, share_y = -(-(x - left) * 65536 // width), -(-(y - top) * 65536 // height)
        win32api.mouse_event(_AT_PLACE | event, share_x, share_y, 0, 0)


def _virtual_screen() -> Rect:
    """All screens together."""
    return Rect(*(win32api.GetSystemMetrics(metric) for metric in _VIRTUAL_SCREEN))


_DOWN, _PRESSED_SINCE = 0x8000, 0x0001

_STOP_KEYS: dict[StopKey, tuple[str, int]] = {
    "pause": ("Pause", win32con.VK_PAUSE),
    "scroll_lock": ("Scroll Lock", win32con.VK_SCROLL),
    "f12": ("F12", win32con.VK_F12),
}
"""What each stop key is called, and its virtual key."""


class AsyncEsc:
    """The watch for Esc and the other stop key: Windows remembers a press between two looks."""

    def __init__(self, stop_key: StopKey | None = None) -> None:
        self._keys = [("Esc", win32con.VK_ESCAPE)] + ([] if stop_key is None else [_STOP_KEYS[stop_key]])
        self._pressed = ""
        self._look()  # forgets what was pressed before the watch began

    def pressed(self) -> str:
        self._pressed = self._pressed or self._look()
        return self._pressed

    @contextmanager
    def own_tap(self) -> Iterator[None]:
        self.pressed()
        yield
        self._look()

    def _look(self) -> str:
        found = [name for name, key in self._keys if win32api.GetAsyncKeyState(key) & (_DOWN | _PRESSED_SINCE)]
        return found[0] if found else ""
