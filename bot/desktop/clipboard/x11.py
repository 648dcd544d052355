"""The clipboard of X11: the program that something was copied in is asked for it, and hands large things over in parts.

The words are those of the ICCCM, chapter 2: a selection has an owner, which converts it to a target.
"""

from __future__ import annotations

from typing import Any

from Xlib import X

from bot.desktop.clipboard import ANSWER_POLL, ANSWER_TIMEOUT, KINDS, NoPictureError
from bot.desktop.timing import wait_until
from bot.desktop.x11_connection import Connection
from bot.picture import LARGEST_FILE

_SILENT = "the program that holds the clipboard does not answer: copy the picture again"


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
