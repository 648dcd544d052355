"""What an X11 desktop tells about itself."""

from __future__ import annotations

import os
import re
from contextlib import suppress

from Xlib import X, error

from bot.desktop.x11_connection import Connection

_UNSCALED_DPI = 96
"""Dots an inch of an unscaled screen."""


class X11Surroundings:
    """The `Surroundings` on X11. Raises `NoWindowError` when there is no X server."""

    def __init__(self) -> None:
        self._x = Connection()

    @property
    def system(self) -> str:
        """The desktop in a few words."""
        manager = self._x.values(self._x.root, "_NET_SUPPORTING_WM_CHECK")
        name = self._x.text(self._x.window(manager[0]), "_NET_WM_NAME") if manager else ""
        return f"X11 with {name}" if name else "X11 without a window manager"

    @property
    def physical_pixels(self) -> bool:
        """X11 knows no others."""
        return True

    @property
    def scale(self) -> float | None:
        """The scaling that programs are asked for."""
        found = re.search(r"^Xft\.dpi:\s*([0-9.]+)", self._x.text(self._x.root, "RESOURCE_MANAGER"), re.MULTILINE)
        return float(found[1]) / _UNSCALED_DPI if found else None

    @property
    def out_of_reach(self) -> bool:
        """X11 lets every program click every window."""
        return False

    @property
    def hindrance(self) -> str | None:
        """Wayland shows other programs' windows to none of them."""
        if os.environ.get("WAYLAND_DISPLAY"):
            return "this is Wayland, where only windows of X11 programs can be seen and clicked"
        if not self._x.display.has_extension("XTEST"):
            return "this X server has no XTEST extension, so nothing can be clicked"
        return None

    def at(self, x: int, y: int) -> str:
        """Return the title of the topmost window at a pixel."""
        window = self._x.root
        with suppress(error.BadWindow):
            while (inner := window.translate_coords(self._x.root, x, y).child) != X.NONE:
                window = inner
                title = self._x.names(window.id).title
                if title:
                    return title
        return "the desktop" if window == self._x.root else "a window without a title"
