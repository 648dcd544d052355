"""The game's window on X11: found, measured, raised and watched through Xlib and EWMH.

Wine's programs and native ones alike. Coordinates are the root window's, which are physical pixels. A client area here
is the whole X client window; Wine draws a menu bar inside of it, and finding the board within is vision's part.
Nothing here moves the pointer or presses a key.
"""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from Xlib import XK, X, Xatom, error
from Xlib.display import Display
from Xlib.ext import record
from Xlib.protocol import event, rq

from bot.desktop import Desktop, DesktopError, Dialog, NoWindowError, Rect
from bot.desktop.buttons import PyautoguiButtons, without_chatter
from bot.desktop.keys import assemble
from bot.desktop.names import WindowNames, best_match
from bot.desktop.timing import Timing, wait_until

_BY_PAGER = 2
"""The EWMH source indication of a request made on the user's behalf; window managers refuse less to it."""

Value = TypeVar("Value")


class Connection:
    """A connection to the X server and the few questions that have to be asked. Closed when nobody holds it."""

    def __init__(self) -> None:
        name = os.environ.get("DISPLAY")
        if not name:
            raise NoWindowError("there is no screen here: DISPLAY is not set")
        # Xlib (and pyautogui, which uses it) insists on a file of passwords, even where a server asks for none.
        if "XAUTHORITY" not in os.environ and not Path("~/.Xauthority").expanduser().exists():
            os.environ["XAUTHORITY"] = os.devnull
        display = None
        with without_chatter(), suppress(error.DisplayError, error.XauthError, OSError):
            display = Display(name)
        if display is None:
            raise NoWindowError(f'there is no X server at DISPLAY "{name}"')
        self.display = display
        # Requests without an answer report their errors late, to a handler that would print them. Effects are verified.
        self.display.set_error_handler(lambda *_: None)
        self.root = self.display.screen().root
        weakref.finalize(self, _close, self.display)

    def window(self, identifier: int) -> Any:
        """Return the Xlib window object of an id."""
        return self.display.create_resource_object("window", identifier)

    def values(self, window: Any, name: str, kind: int = X.AnyPropertyType) -> list[int]:
        """Return a property's numbers; an empty list when the window or the property is not there."""
        with suppress(error.BadWindow):
            found = window.get_full_property(self.display.intern_atom(name), kind)
            if found is not None and found.format == 32:
                return list(found.value)
        return []

    def text(self, window: Any, name: str) -> str:
        """Return a property's text; empty when it is not there."""
        with suppress(error.BadWindow):
            found = window.get_full_property(self.display.intern_atom(name), X.AnyPropertyType)
            if found is not None and found.format == 8:
                value = found.value  # bytes only when it is not UTF-8
                return value if isinstance(value, str) else bytes(value).decode("latin-1")
        return ""

    def client_windows(self) -> list[int]:
        """Return the managed windows from top to bottom; all top-level ones when no window manager runs."""
        managed = self.values(self.root, "_NET_CLIENT_LIST_STACKING")
        return list(reversed(managed or [child.id for child in self.root.query_tree().children]))

    def names(self, identifier: int) -> WindowNames:
        """Return what a window is known by."""
        window = self.window(identifier)
        classes = self.text(window, "WM_CLASS").rstrip("\0").split("\0")
        title = self.text(window, "_NET_WM_NAME") or self.text(window, "WM_NAME")
        return WindowNames(title, classes[-1], self._program(window))

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


_SERVER_GONE = (error.ConnectionClosedError, OSError, TypeError)
"""What Xlib raises once the X server has ended; the last is a slip of its own, made while it reports the others."""


def _close(display: Display) -> None:
    with suppress(*_SERVER_GONE):
        display.close()
    display.display.socket.close()


class X11Window:
    """The `Window` of an X11 desktop."""

    def __init__(self, connection: Connection, identifier: int, timing: Timing) -> None:
        self._x = connection
        self._id = identifier
        self._window = connection.window(identifier)
        self._timing = timing

    @property
    def title(self) -> str:
        """The title as the user sees it."""
        return self._x.names(self._id).title

    def client(self) -> Rect:
        """Return the X client window's place on the screen. Raises `NoWindowError` when closed or minimised."""
        try:
            if self._window.get_attributes().map_state != X.IsViewable:
                raise NoWindowError("the game's window is minimised or on another workspace")
            size = self._window.get_geometry()
            corner = self._x.root.translate_coords(self._window, 0, 0)
        except (error.BadWindow, error.BadDrawable) as reason:
            raise NoWindowError("the game's window was closed") from reason
        return Rect(corner.x, corner.y, size.width, size.height)

    def is_foreground(self) -> bool:
        """Whether the window, or a dialog of it, has the focus."""
        return any(self._x.belongs_to(active, self._id) for active in self._active())

    def _active(self) -> list[int]:
        active = self._x.values(self._x.root, "_NET_ACTIVE_WINDOW", Xatom.WINDOW)
        if active:
            return active
        focus = self._x.display.get_input_focus().focus
        return [focus if isinstance(focus, int) else focus.id]

    def bring_to_front(self) -> None:
        """Show it, raise it and give it the focus: by the window manager, else by force.

        Raises `NoWindowError` when it is closed and `DesktopError` when neither helps.
        """
        for step in (self._ask_window_manager, self._take_focus):
            step()
            if wait_until(self._is_in_front, self._timing.focus_timeout, self._timing.window_poll):
                return
        self.client()
        raise DesktopError("the game's window can't be brought to the front")

    def _is_in_front(self) -> bool:
        return self._x.is_viewable(self._id) and self.is_foreground()

    def _ask_window_manager(self) -> None:
        kind = self._x.display.intern_atom("_NET_ACTIVE_WINDOW")
        message = event.ClientMessage(
            window=self._window, client_type=kind, data=(32, [_BY_PAGER, X.CurrentTime, 0, 0, 0])
        )
        self._x.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._x.display.flush()

    def _take_focus(self) -> None:
        self._window.configure(stack_mode=X.Above)
        self._window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self._x.display.flush()

    def owns(self, x: int, y: int) -> bool:
        """Whether the topmost window at this pixel of the screen is the game's own, and not its frame or its dialog."""
        window = self._x.root
        with suppress(error.BadWindow):
            while True:
                inner = window.translate_coords(self._x.root, x, y).child
                if inner == X.NONE:
                    return False
                if inner.id == self._id:
                    return True
                window = inner
        return False

    def dialog(self) -> Dialog | None:
        """Return the topmost dialog that belongs to the game, if any."""
        for identifier in self._x.client_windows():
            if identifier != self._id and self._x.belongs_to(identifier, self._id) and self._x.is_viewable(identifier):
                return Dialog(self._x.names(identifier).title, handle=identifier)
        return None


class EscRecord:
    """The watch for Esc: the X server's RECORD extension tells of every key, and takes none away.

    A thread of its own listens, so a short tap between two looks is not missed. It ends when nobody holds the watch.
    """

    def __init__(self) -> None:
        control, listener = Connection(), Connection()
        if not control.display.has_extension("RECORD"):
            raise DesktopError("this X server has no RECORD extension, so Esc can't be watched")
        context = control.display.record_create_context(0, [record.AllClients], [_KEY_PRESSES])
        control.display.sync()
        self._presses: list[int] = []
        self._own = 0
        escape = control.display.keysym_to_keycode(XK.XK_Escape)
        # The thread knows the list of presses but not the watch, which could otherwise never be let go.
        threading.Thread(target=_listen, args=(listener, context, escape, self._presses), daemon=True).start()
        weakref.finalize(self, _stop_listening, control, context)

    def pressed(self) -> bool:
        """Whether the user has pressed Esc since the watch began; the bot's own taps don't count."""
        return len(self._presses) > self._own

    @contextmanager
    def own_tap(self) -> Iterator[None]:
        """The block in which the bot taps Esc itself."""
        self._own += 1
        yield


_KEY_PRESSES = {
    "core_requests": (0, 0),
    "core_replies": (0, 0),
    "ext_requests": (0, 0, 0, 0),
    "ext_replies": (0, 0, 0, 0),
    "delivered_events": (0, 0),
    "device_events": (X.KeyPress, X.KeyPress),
    "errors": (0, 0),
    "client_started": False,
    "client_died": False,
}
"""What RECORD is asked to tell."""


def _listen(listener: Connection, context: int, key: int, presses: list[int]) -> None:
    """Note the time of every press of a key, until the recording is stopped."""

    def note(reply: Any) -> None:
        data = reply.data
        while reply.category == record.FromServer and data:
            pressed, data = rq.EventField(None).parse_binary_value(data, listener.display.display, None, None)
            if pressed.type == X.KeyPress and pressed.detail == key:
                presses.append(pressed.time)

    with suppress(*_SERVER_GONE):
        listener.display.record_enable_context(context, note)


def _stop_listening(control: Connection, context: int) -> None:
    with suppress(*_SERVER_GONE):
        control.display.record_disable_context(context)
        control.display.record_free_context(context)
        control.display.sync()


def find_window(connection: Connection, text: str | None, timing: Timing) -> X11Window:
    """Return the game's window: the one a text names, otherwise a known game. Raises `NoWindowError`."""
    windows = [identifier for identifier in connection.client_windows() if connection.owner(identifier) is None]
    index = best_match([connection.names(identifier) for identifier in windows], text)
    if index is None:
        wanted = "no Minesweeper window" if text is None else f'no window with "{text}" in its title, class or program'
        raise NoWindowError(f"there is {wanted} on the screen")
    return X11Window(connection, windows[index], timing)


def open_x11_desktop(window_text: str | None, timing: Timing) -> Desktop:
    """Return the desktop of the X server that DISPLAY names. Raises `NoWindowError`."""
    window = find_window(Connection(), window_text, timing)
    return assemble(window, PyautoguiButtons(), EscRecord(), timing)
