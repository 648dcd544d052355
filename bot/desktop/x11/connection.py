"""A connection to the X server and the questions the bot asks of it."""

from __future__ import annotations

import os
import re
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from Xlib import X, Xatom, error
from Xlib.display import Display

from bot.desktop.input import without_chatter
from bot.desktop.names import WindowNames
from bot.desktop.protocols import ANSWER_POLL, ANSWER_TIMEOUT, KINDS, NoPictureError, NoScreenError
from bot.desktop.timing import wait_until
from bot.picture import LARGEST_FILE

Request: TypeAlias = tuple[Any, dict[str, Any]]
"""One of Xlib's request classes, and what it asks for."""


class Connection:
    """A connection to the server that DISPLAY names, closed when nobody holds it.

    Raises `NoScreenError` when there is no server, and from every question once it has ended.
    """

    def __init__(self) -> None:
        name = os.environ.get("DISPLAY")
        if not name:
            raise NoScreenError("there is no screen here: DISPLAY is not set")
        # Xlib (and pyautogui, which uses it) insists on a file of passwords, even where a server asks for none.
        if "XAUTHORITY" not in os.environ and not Path("~/.Xauthority").expanduser().exists():
            os.environ["XAUTHORITY"] = os.devnull
        display = None
        with without_chatter(), suppress(error.DisplayError, error.XauthError, OSError):
            display = Display(name)
        if display is None:
            raise NoScreenError(f'there is no X server at DISPLAY "{name}"')
        self.display = display
        _tell_when_it_is_gone(display.display)
        # Requests without an answer report their errors late, to a handler that would print them. Effects are verified.
        self.display.set_error_handler(lambda *_: None)
        self.root = self.display.screen().root
        self._atoms: dict[str, int] = {}
        weakref.finalize(self, _close, self.display)

    def close(self) -> None:
        """End the connection now; the server takes back all windows and settings that were made through it."""
        _close(self.display)

    def atom(self, name: str) -> int:
        """Return the server's number for a name; it is asked for once."""
        if name not in self._atoms:
            self._atoms[name] = int(self.display.intern_atom(name))
        return self._atoms[name]

    def window(self, identifier: int) -> Any:
        """Return the Xlib window object of an id."""
        return self.display.create_resource_object("window", identifier)

    def ask(self, *questions: Request) -> list[Any]:
        """Put questions to the server all at once and return the answers: one wait instead of many.

        Raises the first error, as Xlib does.
        """
        asked = [kind(self.display.display, 1, **details) for kind, details in questions]
        for question in asked:
            question.reply()
        return asked

    def values(self, window: Any, name: str, kind: int = X.AnyPropertyType) -> list[int]:
        """Return a property's numbers; an empty list when the window or the property is not there."""
        with suppress(error.BadWindow):
            found = window.get_full_property(self.atom(name), kind)
            if found is not None and found.format == 32:
                return list(found.value)
        return []

    def text(self, window: Any, name: str) -> str:
        """Return a property's text; empty when it is not there."""
        with suppress(error.BadWindow):
            found = window.get_full_property(self.atom(name), X.AnyPropertyType)
            if found is not None and found.format == 8:
                value = found.value  # bytes only when it is not UTF-8
                return value if isinstance(value, str) else bytes(value).decode("latin-1")
        return ""

    def client_windows(self) -> list[int]:
        """Return the managed windows from top to bottom; all top-level ones when no window manager runs."""
        told = self.root.get_full_property(self.atom("_NET_CLIENT_LIST_STACKING"), X.AnyPropertyType)
        return list(reversed(told.value if told else [child.id for child in self.root.query_tree().children]))

    def names(self, identifier: int) -> WindowNames:
        """Return what a window is known by."""
        window = self.window(identifier)
        classes = self.text(window, "WM_CLASS").rstrip("\0").split("\0")
        title = self.text(window, "_NET_WM_NAME") or self.text(window, "WM_NAME")
        # Old programs don't tell their process; the first of their classes is how they were called.
        return WindowNames(title, classes[-1], self._program(window) or classes[0].rpartition("/")[2])

    def _program(self, window: Any) -> str:
        for process in self.values(window, "_NET_WM_PID", Xatom.CARDINAL):
            with suppress(OSError):
                return Path(f"/proc/{process}/comm").read_text(encoding="utf-8", errors="replace").strip()
        return ""

    def owner(self, identifier: int) -> int | None:
        """Return the window that a dialog belongs to."""
        owners = self.values(self.window(identifier), "WM_TRANSIENT_FOR", Xatom.WINDOW)
        return owners[0] if owners and owners[0] not in (X.NONE, self.root.id) else None

    def belongs_to(self, identifier: int, ancestor: int) -> bool:
        """Whether a window is another one or, over any number of owners, a dialog of it."""
        seen = set()
        current: int | None = identifier
        while current is not None and current not in seen:
            if current == ancestor:
                return True
            seen.add(current)
            current = self.owner(current)
        return False

    def is_viewable(self, identifier: int) -> bool:
        """Whether a window is there and shown."""
        with suppress(error.BadWindow):
            return bool(self.window(identifier).get_attributes().map_state == X.IsViewable)
        return False


def _tell_when_it_is_gone(server: Any) -> None:
    """Let Xlib raise `NoScreenError` at the server's end and ever after: by itself it may wait for answers for ever."""
    exchange = server.send_and_recv

    def send_and_recv(**wanted: Any) -> None:
        try:
            exchange(**wanted)
        except (error.ConnectionClosedError, OSError, TypeError) as reason:
            if isinstance(reason, TypeError) and not isinstance(reason.__context__, OSError):
                raise  # it is no slip of Xlib's, made while it reports the server's end
            server.close_internal("server")
            server.socket_error = NoScreenError("the X server has ended")
            raise server.socket_error from reason

    server.send_and_recv = send_and_recv


def _close(display: Display) -> None:
    """End the connection without a word: whoever was interrupted in the midst of Xlib could wait for ever."""
    display.display.close_internal("client")


_UNSCALED_DPI = 96
"""Dots an inch of an unscaled screen."""

_SILENT = "the program that holds the clipboard does not answer: copy the picture again"


class X11Environment:
    """The `Environment` on X11. Raises `NoWindowError` when there is no X server."""

    def __init__(self) -> None:
        self._x = Connection()

    @property
    def system(self) -> str:
        manager = self._x.values(self._x.root, "_NET_SUPPORTING_WM_CHECK")
        name = self._x.text(self._x.window(manager[0]), "_NET_WM_NAME") if manager else ""
        return f"X11 with {name}" if name else "X11 without a window manager"

    @property
    def physical_pixels(self) -> bool:
        return True

    @property
    def scale(self) -> float | None:
        found = re.search(r"^Xft\.dpi:\s*([0-9.]+)", self._x.text(self._x.root, "RESOURCE_MANAGER"), re.MULTILINE)
        return float(found[1]) / _UNSCALED_DPI if found else None

    @property
    def out_of_reach(self) -> bool:
        return False

    @property
    def hindrance(self) -> str | None:
        if os.environ.get("WAYLAND_DISPLAY"):
            return "this is Wayland, where only windows of X11 programs can be seen and clicked"
        if not self._x.display.has_extension("XTEST"):
            return "this X server has no XTEST extension, so nothing can be clicked"
        return None

    def at(self, x: int, y: int) -> str:
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
