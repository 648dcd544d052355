"""Windows' part of a desktop, through pywin32.

Importing this package makes the process aware of every monitor's scaling, so that all coordinates are physical pixels;
it must come before mss and pyautogui, because the first caller decides.
"""

import ctypes
import sys
from contextlib import suppress

assert sys.platform == "win32", "this is the Windows backend"


def _become_dpi_aware() -> None:
    """Ask for physical pixels, by the newest of three calls that this Windows knows.

    Each may answer that the awareness is set already (by a manifest, or by Wine): that is as good.
    """
    per_monitor_v2, per_monitor = -4, 2
    user32 = ctypes.WinDLL("user32")
    with suppress(AttributeError, OSError):
        if user32.SetProcessDpiAwarenessContext(ctypes.c_void_p(per_monitor_v2)):
            return
    with suppress(AttributeError, OSError):
        if ctypes.WinDLL("shcore").SetProcessDpiAwareness(per_monitor) == 0:
            return
    with suppress(AttributeError, OSError):
        user32.SetProcessDPIAware()


_become_dpi_aware()

# ruff: noqa: E402
from bot.desktop.windows.input import AsyncEsc, PlacedMouse
from bot.desktop.windows.window import Win32Window, find_window

__all__ = ["AsyncEsc", "PlacedMouse", "Win32Window", "find_window"]
