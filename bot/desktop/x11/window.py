"""The game's window on X11: found, measured, raised and watched through Xlib and EWMH.

Wine's programs and native ones alike. Coordinates are the root window's, which are physical pixels. A client area here
is the whole X client window; Wine draws a menu bar inside of it, and finding the board within is vision's part.

Before a button or a key is pressed all other programs are made to wait: the server is grabbed, for less than a
millisecond. Nothing can come between the last look and the press then. But a window manager looks at a press before it
lets it through, to whatever is there at that later moment. So the press is first taken by us and then let through,
which the server does at once and past all who wait for presses at or around the game's window.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from Xlib import X, Xatom, error
from Xlib.ext import xtest
from Xlib.protocol import event, request

from bot import signals
from bot.desktop.names import find_game
from bot.desktop.protocols import CLOSING, DesktopError, Dialog, InterveningError, NoWindowError, Rect, Standing
from bot.desktop.timing import Timing, wait_until
from bot.desktop.x11.connection import Connection, Request

_MODIFIERS = {
    X.ShiftMask: "Shift",
    X.ControlMask: "Ctrl",
    X.Mod1Mask: "Alt",
    X.Mod4Mask: "the Windows key",
}
"""Keys that make another click of a click and another key of a key."""


def _key_held(pointer: Any) -> str:
    """Return, from an answer about the pointer, that such a key is held down; nothing when none is."""
    held = [name for mask, name in _MODIFIERS.items() if pointer.mask & mask]
    return f"{held[0]} is held down" if held else ""


_BY_PAGER = 2
"""The EWMH source indication of a request made on the user's behalf; window managers refuse less to it."""


def _translation(source: int, target: int, x: int, y: int) -> Request:
    """Ask what a place of one window is in another, and which of that one's children is there."""
    return request.TranslateCoords, {"src_wid": source, "dst_wid": target, "src_x": x, "src_y": y}


def _first_of(window: int, property_: int, kind: int) -> Request:
    """Ask for the first number of a window's property."""
    asked = {"delete": 0, "window": window, "property": property_, "type": kind, "long_offset": 0, "long_length": 1}
    return request.GetProperty, asked


def _identifier(window: Any) -> int:
    return int(getattr(window, "id", window))


class _HiddenError(NoWindowError):
    """The game's window is there, but not to be seen."""


class X11Window:
    """The `Window` of an X11 desktop."""

    def __init__(self, connection: Connection, identifier: int, timing: Timing) -> None:
        self.connection = self._x = connection
        self.identifier = identifier
        self._window = connection.window(identifier)
        self._timing = timing
        self._frames: list[int] = []
        """The window manager's windows around the game's, from the outside in, when they were last seen."""
        self._stood: Rect | None = None
        """Where the client area was when it was last asked how things stand."""

    @property
    def title(self) -> str:
        return self._x.names(self.identifier).title

    def client(self) -> Rect:
        return self._ask_patiently()[0]

    def standing(self, x: int, y: int) -> Standing:
        """Return how things stand for a click at a pixel, all as the server sees it at one moment."""
        root, frames = self._x.root.id, self._frames
        try:
            client, (active, pointer, *inside) = self._ask_patiently(
                _first_of(root, self._x.atom("_NET_ACTIVE_WINDOW"), Xatom.WINDOW),
                (request.QueryPointer, {"window": root}),
                *(_translation(root, frame, x, y) for frame in (root, *frames)),
            )
        except NoWindowError:
            if not frames:
                raise
            self._frames = []  # perhaps only the window manager's frame is gone
            return self.standing(x, y)
        self._stood = client
        return Standing(
            client=client,
            foreground=list(active.value[1]) == [self.identifier] or self.is_foreground(),
            owned=self._leads_here(inside) or self.owns(x, y),
            pointer=(pointer.root_x, pointer.root_y),
            busy=_key_held(pointer) or self._pointer_held(),
        )

    def _leads_here(self, inside: list[Any]) -> bool:
        """Whether the way from the root to a pixel, as asked for in `standing`, ends in the game's own window."""
        return [_identifier(answer.child) for answer in inside] == [*self._frames, self.identifier]

    @contextmanager
    def clicked_for_sure(self, x: int, y: int) -> Iterator[None]:
        """The block in which a button is pressed at a pixel: it goes to the game's window, whatever others do.

        Raises `InterveningError` when things are no longer as `standing` found them.
        """
        root = self._x.root.id
        with self._others_waiting():
            xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)
            client, inside = self._ask(*(_translation(root, frame, x, y) for frame in (root, *self._frames)))
            if client != self._stood or not self._leads_here(inside):
                raise InterveningError("a window came over the board")
            if self._grab_pointer(X.GrabModeSync) != X.GrabSuccess:
                raise InterveningError("another program took the mouse")
            self._x.display.allow_events(X.SyncPointer, X.CurrentTime)
            yield
            self._x.display.allow_events(X.ReplayPointer, X.CurrentTime)
            self._x.display.ungrab_pointer(X.CurrentTime)

    @contextmanager
    def typed_for_sure(self) -> Iterator[None]:
        """The block in which a key is pressed: it goes to the game or its dialog, whatever others do.

        Raises `InterveningError` when neither has the keyboard.
        """
        with self._others_waiting():
            focus = self._focus()
            if focus is None:
                raise InterveningError("another window took the keyboard")
            if self._grab_keyboard(focus, X.GrabModeSync) != X.GrabSuccess:
                raise InterveningError("another program took the keyboard")
            self._x.display.allow_events(X.SyncKeyboard, X.CurrentTime)
            yield
            self._x.display.allow_events(X.ReplayKeyboard, X.CurrentTime)
            self._x.display.ungrab_keyboard(X.CurrentTime)

    @contextmanager
    def _others_waiting(self) -> Iterator[None]:
        """The block in which the server listens to nobody but us. No other program may be waited for in it."""
        with signals.put_off():
            while self._x.display.pending_events():  # the presses that we let through
                self._x.display.next_event()
            self._x.display.grab_server()
            try:
                yield
            except (error.BadWindow, error.BadDrawable) as reason:
                raise NoWindowError("the game's window was closed") from reason
            finally:
                self._x.display.ungrab_server()
                self._x.display.sync()

    def _focus(self) -> Any:
        """Return the window that keys go to, if it is the game's or one of its dialogs', or a part of them."""
        focus = window = self._x.display.get_input_focus().focus
        while window not in (X.NONE, X.PointerRoot, self._x.root):
            if self._x.belongs_to(window.id, self.identifier):
                return focus
            window = window.query_tree().parent
        return None

    def _pointer_held(self) -> str:
        """Return that another program takes all clicks, as one with an open menu or a locked screen does."""
        return "" if self._can_grab("pointer") else "another program holds the mouse: a menu is open, or a screen lock"

    def keys_blocked(self) -> str:
        """Return that another program takes all keys, as a launcher or a locked screen does; nothing when none does.

        The game's own open menu holds the mouse alone, and takes the keys too. A held key makes another one of ours.
        """
        if not self._can_grab("keyboard"):
            return "another program holds the keyboard: a menu, or a screen lock"
        return _key_held(self._x.root.query_pointer()) or self._pointer_held()

    def _can_grab(self, what: Literal["pointer", "keyboard"]) -> bool:
        """Whether nobody grabs the pointer or the keyboard: the only way to know is to do it, and give it back at once.

        Grabbed for the game's own window, so that no pointer seems to leave it. A window manager grabs for a moment, to
        look at a press before it lets it through.
        """
        display = self._x.display

        def free() -> bool:
            if what == "pointer":
                status, release = self._grab_pointer(), display.ungrab_pointer
            else:
                status, release = self._grab_keyboard(self._window), display.ungrab_keyboard
            if status != X.GrabSuccess:
                return False
            release(X.CurrentTime)
            display.flush()
            return True

        try:
            return wait_until(free, self._timing.held_timeout, self._timing.window_poll)
        except error.BadWindow as reason:
            raise NoWindowError("the game's window was closed") from reason

    def _grab_pointer(self, mode: int = X.GrabModeAsync) -> int:
        mask = X.ButtonPressMask
        return int(self._window.grab_pointer(False, mask, mode, X.GrabModeAsync, X.NONE, X.NONE, X.CurrentTime))

    def _grab_keyboard(self, window: Any, mode: int = X.GrabModeAsync) -> int:
        return int(window.grab_keyboard(False, X.GrabModeAsync, mode, X.CurrentTime))

    def _ask(self, *questions: Request) -> tuple[Rect, list[Any]]:
        """Return the client area and the answers to further questions. Raises `NoWindowError`."""
        try:
            attributes, size, corner, *answers = self._x.ask(
                (request.GetWindowAttributes, {"window": self.identifier}),
                (request.GetGeometry, {"drawable": self.identifier}),
                _translation(self.identifier, self._x.root.id, 0, 0),
                *questions,
            )
        except (error.BadWindow, error.BadDrawable) as reason:
            raise NoWindowError("the game's window was closed") from reason
        if attributes.map_state != X.IsViewable:
            raise _HiddenError("the game's window is minimised or on another workspace")
        return Rect(corner.x, corner.y, size.width, size.height), answers

    def _ask_patiently(self, *questions: Request) -> tuple[Rect, list[Any]]:
        """Ask the same, and of a hidden window once more: one that is being closed may be hidden before it is gone."""
        try:
            return self._ask(*questions)
        except _HiddenError:
            wait_until(self._is_gone, CLOSING, self._timing.window_poll)
            return self._ask(*questions)

    def _is_gone(self) -> bool:
        try:
            self._window.get_attributes()
        except error.BadWindow:
            return True
        return False

    def is_foreground(self) -> bool:
        return any(self._x.belongs_to(active, self.identifier) for active in self._active())

    def _active(self) -> list[int]:
        active = self._x.values(self._x.root, "_NET_ACTIVE_WINDOW", Xatom.WINDOW)
        if active:
            return active
        return [_identifier(self._x.display.get_input_focus().focus)]

    def focus_is_free(self) -> bool:
        return not any(self._active()) or self._active() == [X.PointerRoot]

    def bring_to_front(self) -> None:
        """Show it, raise it and give it the focus, or its dialog: by the window manager, else by force.

        Raises `NoWindowError` when it is closed and `DesktopError` when neither helps.
        """
        for step in (self._ask_window_manager, self._take_focus):
            step(self._x.window(self._front()))
            if wait_until(self._is_in_front, self._timing.focus_timeout, self._timing.window_poll):
                return
        self.client()
        if not self.is_foreground():
            raise DesktopError("the game's window can't be brought to the front")

    def _front(self) -> int:
        """Return the window that keys are meant for: the dialog when there is one, whose answer the game waits for."""
        dialog = self.dialog()
        return self.identifier if dialog is None else dialog.handle

    def _is_in_front(self) -> bool:
        return self._x.is_viewable(self.identifier) and self._front() in self._active()

    def _ask_window_manager(self, window: Any) -> None:
        kind = self._x.atom("_NET_ACTIVE_WINDOW")
        message = event.ClientMessage(window=window, client_type=kind, data=(32, [_BY_PAGER, X.CurrentTime, 0, 0, 0]))
        self._x.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._x.display.flush()

    def _take_focus(self, window: Any) -> None:
        window.configure(stack_mode=X.Above)
        window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self._x.display.flush()

    def owns(self, x: int, y: int) -> bool:
        """Whether the topmost window at this pixel of the screen is the game's own, and not its frame or its dialog."""
        window, frames = self._x.root, list[int]()
        with suppress(error.BadWindow):
            while True:
                inner = window.translate_coords(self._x.root, x, y).child
                if inner == X.NONE:
                    return False
                if inner.id == self.identifier:
                    self._frames = frames
                    return True
                frames.append(inner.id)
                window = inner
        return False

    def dialog(self) -> Dialog | None:
        for identifier in self._x.client_windows():
            if (
                identifier != self.identifier
                and self._x.belongs_to(identifier, self.identifier)
                and self._x.is_viewable(identifier)
            ):
                return Dialog(self._x.names(identifier).title, handle=identifier)
        return None

    def push_aside(self, dialog: Dialog) -> None:
        client = self.client()
        self._x.window(dialog.handle).configure(x=client.left + client.width, y=client.top)
        self._x.display.flush()

    def play_again(self, dialog: Dialog) -> bool:
        """Return that a dialog's buttons are not known here: X11 tells nothing of what is in a window."""
        return False


def find_window(text: str | None, timing: Timing) -> X11Window:
    """Return the game's window: the one a text names, otherwise a known game. Raises `NoWindowError`."""
    connection = Connection()
    windows = [identifier for identifier in connection.client_windows() if connection.owner(identifier) is None]
    index = find_game([connection.names(identifier) for identifier in windows], text)
    return X11Window(connection, windows[index], timing)
