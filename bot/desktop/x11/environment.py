"""What an X11 desktop tells about itself, and the picture in its clipboard.

The program in which something was copied is asked for it, and hands large things over in parts. The words are those of
the ICCCM, chapter 2: a selection has an owner, which converts it to a target.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from typing import Any

from Xlib import X, error

from bot.desktop.environment import ANSWER_POLL, ANSWER_TIMEOUT, KINDS, NoPictureError
from bot.desktop.timing import wait_until
from bot.desktop.x11.connection import Connection
from bot.picture import LARGEST_FILE

_UNSCALED_DPI = 96
"""Dots an inch of an unscaled screen."""

_SILENT = "the program that holds the clipboard does not answer: copy the picture again"


class X11Environment:
    """The `Environment` on X11. Raises `NoWindowError` when there is no X server."""

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


def copied() -> bytes:
    """Return the picture in the clipboard, in the best form that its owner offers."""
    x = Connection()
    try:
        return _Requestor(x).picture()
    finally:
        x.close()


class _Requestor:
    """A window of ours, never shown, on which the owner of the clipboard lays its answers."""

    def __init__(self, x: Connection) -> None:
        self._x = x
        self._window = x.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
        self._selection = x.atom("CLIPBOARD")
        self._place = x.atom("MINEBOT_CLIPBOARD")

    def picture(self) -> bytes:
        if self._x.display.get_selection_owner(self._selection) == X.NONE:
            raise NoPictureError("the clipboard is empty: copy a screenshot of the game, then try again")
        self._convert("TARGETS")
        offered = self._x.values(self._window, "MINEBOT_CLIPBOARD")
        kind = next((kind for kind in KINDS if self._x.atom(kind) in offered), None)
        if kind is None:
            raise NoPictureError("there is no picture in the clipboard: copy a screenshot of the game, then try again")
        self._convert(kind)
        form, value = self._taken()
        return self._in_parts() if form == self._x.atom("INCR") else value

    def _convert(self, target: str) -> None:
        """Ask the owner for the clipboard in some form, and wait for the answer."""
        self._window.convert_selection(self._selection, self._x.atom(target), self._place, X.CurrentTime)
        if self._next(X.SelectionNotify).property == X.NONE:
            raise NoPictureError("the program that holds the clipboard does not hand it over: copy the picture again")

    def _in_parts(self) -> bytes:
        """Return an answer that comes in parts, each laid down once the one before was taken; an empty one ends it."""
        parts: list[bytes] = []
        while sum(map(len, parts)) <= LARGEST_FILE:
            while self._next(X.PropertyNotify).state != X.PropertyNewValue:
                pass
            _, part = self._taken()
            if not part:
                return b"".join(parts)
            parts.append(part)
        raise NoPictureError(f"the picture in the clipboard is too large: more than {LARGEST_FILE / 1e6:.3g} MB")

    def _taken(self) -> tuple[int, bytes]:
        """Take away what was laid down, and return its form and its bytes."""
        found = self._window.get_property(self._place, X.AnyPropertyType, 0, LARGEST_FILE // 4, delete=True)
        if found is None:
            return X.NONE, b""
        value = found.value  # text when it happens to be UTF-8
        return int(found.property_type), value.encode() if isinstance(value, str) else bytes(value)

    def _next(self, kind: int) -> Any:
        """Return the next event of a kind on our window, passing over others."""

        def arrived() -> Any:
            while self._x.display.pending_events():
                event = self._x.display.next_event()
                if event.type == kind and (kind != X.PropertyNotify or event.atom == self._place):
                    return event
            return None

        event = wait_until(arrived, ANSWER_TIMEOUT, ANSWER_POLL)
        if event is None:
            raise NoPictureError(_SILENT)
        return event
