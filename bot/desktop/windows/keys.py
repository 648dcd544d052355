"""The watch for the user's Esc on Windows."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

assert sys.platform == "win32", "this is the Windows backend"

# ruff: noqa: E402
import win32api
import win32con

from bot.desktop.protocols import StopKey

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
        """Return the key that the user has pressed since the watch began, or nothing; own taps don't count."""
        self._pressed = self._pressed or self._look()
        return self._pressed

    @contextmanager
    def own_tap(self) -> Iterator[None]:
        """The block in which the bot taps Esc itself."""
        self.pressed()
        yield
        self._look()

    def _look(self) -> str:
        found = [name for name, key in self._keys if win32api.GetAsyncKeyState(key) & (_DOWN | _PRESSED_SINCE)]
        return found[0] if found else ""
