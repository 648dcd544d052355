"""The overlay on Windows: a layered window on top of the game, through which every click falls.

It is excluded from capture (Windows 10 2004 and later), so that what is grabbed from the screen never holds the marks.
Whether that works here is tried out and not believed; where it does not, the marked picture is shown in a window
beside the game.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from ctypes import wintypes

assert sys.platform == "win32", "this is the Windows backend"

# ruff: noqa: E402
import numpy as np
import pywintypes
import win32api
import win32con
import win32gui

from bot.desktop.protocols import Rect, beside
from bot.desktop.screen import MssScreen
from bot.desktop.timing import FAST
from bot.desktop.windows.window import find_window
from bot.picture import Picture, bitmap_header

_EXCLUDE_FROM_CAPTURE = 0x11
_PROBE_SIDE, _PROBE_COLOUR = 16, (1, 254, 3)
"""The square of pixels, and its blue, green, red, with which the exclusion is tried out; no desktop has one of it."""

_EX_STYLE = (
    win32con.WS_EX_LAYERED
    | win32con.WS_EX_TRANSPARENT
    | win32con.WS_EX_TOPMOST
    | win32con.WS_EX_TOOLWINDOW
    | win32con.WS_EX_NOACTIVATE
)


class WindowsOverlay:
    """The `Overlay` of a Windows desktop."""

    def __init__(self, window_text: str | None, beside: bool = False) -> None:
        self._game = find_window(window_text, FAST)
        self.title = self._game.title
        self._screen = MssScreen()
        self._client = self._game.client()
        self._shown = False
        self._width = 0
        self._handle = _make_window()
        self.in_place = not beside and self._is_left_out_of_captures()

    def _is_left_out_of_captures(self) -> bool:
        """Ask for it, then show a few pixels and look whether they are seen."""
        user32 = ctypes.WinDLL("user32")
        if not user32.SetWindowDisplayAffinity(wintypes.HWND(self._handle), _EXCLUDE_FROM_CAPTURE):
            return False
        probe = Rect(self._client.left, self._client.top, _PROBE_SIDE, _PROBE_SIDE)
        _update(self._handle, probe, _opaque(np.full((_PROBE_SIDE, _PROBE_SIDE, 3), _PROBE_COLOUR, dtype=np.uint8)))
        win32gui.ShowWindow(self._handle, win32con.SW_SHOWNOACTIVATE)
        win32gui.PumpWaitingMessages()
        _wait_for_compositor()
        seen = self._screen.grab(probe)
        win32gui.ShowWindow(self._handle, win32con.SW_HIDE)
        return not bool((seen == _PROBE_COLOUR).all(axis=2).any())

    def see(self) -> Picture:
        win32gui.PumpWaitingMessages()
        client = self._game.client()
        if client != self._client:
            if client[2:] != self._client[2:]:
                self.clear()
            self._client = client
            self._move()
        return self._screen.grab(client)

    def show(self, seen: Picture, marked: Picture) -> None:
        height, width = marked.shape[:2]
        layer = _opaque(marked)
        if self.in_place:
            layer[~(seen != marked).any(axis=2)] = 0
        self._width = width
        _update(self._handle, Rect(*self._place(), width, height), layer)
        if not self._shown:
            win32gui.ShowWindow(self._handle, win32con.SW_SHOWNOACTIVATE)
            self._shown = True
        win32gui.PumpWaitingMessages()

    def clear(self) -> None:
        if self._shown and self.in_place:
            win32gui.ShowWindow(self._handle, win32con.SW_HIDE)
            self._shown = False

    def close(self) -> None:
        with suppress(pywintypes.error):
            win32gui.DestroyWindow(self._handle)

    def _place(self) -> tuple[int, int]:
        """Return where the glass belongs: over the game or beside it."""
        if self.in_place:
            return self._client.left, self._client.top
        return beside(self._client, self._width, win32api.GetSystemMetrics(win32con.SM_CXSCREEN))

    def _move(self) -> None:
        flags = win32con.SWP_NOSIZE | win32con.SWP_NOACTIVATE
        with suppress(pywintypes.error):
            win32gui.SetWindowPos(self._handle, win32con.HWND_TOPMOST, *self._place(), 0, 0, flags)


def _make_window() -> int:
    """Return a window of a class that every Windows has, so that none needs to be registered."""
    style = win32con.WS_POPUP
    return int(win32gui.CreateWindowEx(_EX_STYLE, "STATIC", "minebot coach", style, 0, 0, 1, 1, 0, 0, 0, None))


def _opaque(picture: Picture) -> Picture:
    """Return a picture with a fourth channel that covers everything, shape (height, width, 4)."""
    layer = np.full((*picture.shape[:2], 4), 255, dtype=np.uint8)
    layer[..., :3] = picture
    return layer


def _wait_for_compositor() -> None:
    """Return once what was drawn is on the screen."""
    with suppress(AttributeError, OSError):
        ctypes.WinDLL("dwmapi").DwmFlush()


def _update(handle: int, place: Rect, layer: Picture) -> None:
    """Give a layered window its place and its pixels, shape (height, width, 4): blue, green, red, cover.

    Each pixel is covered wholly or not at all, so that colours need not be multiplied.
    """
    gdi32 = ctypes.WinDLL("gdi32")
    gdi32.CreateDIBSection.restype = wintypes.HBITMAP
    gdi32.CreateCompatibleDC.restype = wintypes.HDC
    gdi32.SelectObject.restype = wintypes.HGDIOBJ
    header = bitmap_header(place.width, place.height)
    memory = ctypes.c_void_p()
    canvas = gdi32.CreateCompatibleDC(None)
    bitmap = gdi32.CreateDIBSection(wintypes.HDC(canvas), header, 0, ctypes.byref(memory), None, 0)
    assert memory.value is not None
    before = gdi32.SelectObject(wintypes.HDC(canvas), wintypes.HGDIOBJ(bitmap))
    try:
        raw = np.ascontiguousarray(layer).tobytes()
        ctypes.memmove(memory.value, raw, len(raw))
        blend = (win32con.AC_SRC_OVER, 0, 255, win32con.AC_SRC_ALPHA)
        corner, size = (place.left, place.top), (place.width, place.height)
        win32gui.UpdateLayeredWindow(handle, 0, corner, size, canvas, (0, 0), 0, blend, win32con.ULW_ALPHA)
    finally:
        gdi32.SelectObject(wintypes.HDC(canvas), wintypes.HGDIOBJ(before))
        gdi32.DeleteObject(wintypes.HGDIOBJ(bitmap))
        gdi32.DeleteDC(wintypes.HDC(canvas))
