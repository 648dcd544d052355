"""A connection to the X server and the questions the bot asks of it."""

from __future__ import annotations

import os
import weakref
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from Xlib import X, Xatom, error
from Xlib.display import Display

from bot.desktop.keys import without_chatter
from bot.desktop.names import WindowNames
from bot.desktop.protocols import NoScreenError

Question: TypeAlias = tuple[Any, dict[str, Any]]
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

    def ask(self, *questions: Question) -> list[Any]:
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
