"""What a Windows desktop tells about itself, and the picture in its clipboard."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress

assert sys.platform == "win32", "this is the Windows backend"

# ruff: noqa: E402
import pywintypes
import win32clipboard
import win32con
import win32gui

from bot.desktop.environment import ANSWER_POLL, ANSWER_TIMEOUT, NoPictureError
from bot.desktop.timing import FAST, wait_until
from bot.desktop.windows.window import find_window
from bot.picture import bitmap_file

_UNSCALED_DPI = 96
_SYSTEM_AWARE = 1


class WindowsEnvironment:
    """The `Environment` on Windows. Raises `NoWindowError` when there is no game."""

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


def copied() -> bytes:
    """Return the picture in the clipboard: the PNG where a program has put one there, else the bitmap."""
    if not wait_until(_opened, ANSWER_TIMEOUT, ANSWER_POLL):
        raise NoPictureError("another program keeps the clipboard to itself; try again")
    try:
        png = win32clipboard.RegisterClipboardFormat("PNG")
        for kind in (png, win32con.CF_DIB):
            if win32clipboard.IsClipboardFormatAvailable(kind):
                raw = bytes(win32clipboard.GetClipboardData(kind))
                return raw if kind == png else bitmap_file(raw)
    except pywintypes.error as error:
        raise NoPictureError(f"the clipboard does not hand its picture over: {error.strerror}") from error
    finally:
        win32clipboard.CloseClipboard()  # type: ignore[no-untyped-call]
    raise NoPictureError("there is no picture in the clipboard: press Alt+PrtScn in the game, then try again")


def _opened() -> bool:
    """Open the clipboard, unless another program has it open just now."""
    try:
        win32clipboard.OpenClipboard()
    except pywintypes.error:
        return False
    return True
