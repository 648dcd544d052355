"""What a Windows desktop tells about itself."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

assert sys.platform == "win32", "this is the Windows backend"

# ruff: noqa: E402
import win32con
import win32gui

from bot.desktop.timing import FAST
from bot.desktop.windows import find_window

_UNSCALED_DPI = 96
_SYSTEM_AWARE = 1


class WindowsSurroundings:
    """The `Surroundings` on Windows. Raises `NoWindowError` when there is no game."""

    def __init__(self, window_text: str | None) -> None:
        self._window = find_window(window_text, FAST)
        self._user32 = ctypes.WinDLL("user32")

    @property
    def system(self) -> str:
        """The desktop in a few words."""
        version = sys.getwindowsversion()
        return f"Windows {version.major}.{version.minor}.{version.build}"

    @property
    def physical_pixels(self) -> bool:
        """Whether Windows tells us of every monitor's own pixels."""
        with suppress(AttributeError):
            context = ctypes.c_void_p(self._user32.GetThreadDpiAwarenessContext())
            return int(self._user32.GetAwarenessFromDpiAwarenessContext(context)) > _SYSTEM_AWARE
        return bool(self._user32.IsProcessDPIAware())

    @property
    def scale(self) -> float | None:
        """The scaling of the game's window."""
        with suppress(AttributeError):  # before Windows 10
            dots = int(self._user32.GetDpiForWindow(ctypes.c_void_p(self._window.handle)))
            return dots / _UNSCALED_DPI if dots else None
        return None

    @property
    def out_of_reach(self) -> bool:
        """Whether the game runs as administrator and we do not."""
        return self._window.is_out_of_reach()

    @property
    def hindrance(self) -> str | None:
        """Nothing that is known of."""
        return None

    def at(self, x: int, y: int) -> str:
        """Return the title of the topmost window at a pixel."""
        handle = win32gui.WindowFromPoint((x, y))
        if not handle:
            return "the desktop"
        return win32gui.GetWindowText(win32gui.GetAncestor(handle, win32con.GA_ROOT)) or "a window without a title"
