"""The mouse and the keyboard on X11, through XTest, and the watch for the user's Esc."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from Xlib import XK, X
from Xlib.ext import record, xtest
from Xlib.protocol import request, rq

from bot.desktop.protocols import Button, DesktopError, InterveningError, NoScreenError
from bot.desktop.x11.connection import Connection
from bot.desktop.x11.window import X11Window
from bot.words import StopKey

_ESC = "Esc"
_STOP_KEYS: dict[StopKey, tuple[str, int]] = {
    "pause": ("Pause", XK.XK_Pause),
    "scroll_lock": ("Scroll Lock", XK.XK_Scroll_Lock),
    "f12": ("F12", XK.XK_F12),
}
"""What each stop key is called, and its X11 symbol."""

_PATIENCE_S = 10.0
"""How long the server may take to begin: a round trip takes well below a millisecond, a loaded machine seconds."""


_SYMBOLS = {"enter": XK.XK_Return, "esc": XK.XK_Escape, "ctrl": XK.XK_Control_L}
"""What the keys are that Xlib knows by other names than we do; letters are their own, F2 is "F2"."""


class XTestKeys:
    """The keyboard itself, through a window's own connection."""

    def __init__(self, window: X11Window) -> None:
        self._window = window
        self._x = window.connection
        self._down: set[str] = set()

    def press(self, name: str) -> None:
        code = self._code(name)
        if code:  # else this keyboard has no such key, as many have no F15
            with self._window.typed_for_sure():
                self._down.add(name)
                xtest.fake_input(self._x.display, X.KeyPress, code)

    def release(self, name: str) -> None:
        """Release it. Where the screen is gone there is nothing left to release."""
        if name in self._down:
            with suppress(NoScreenError):
                xtest.fake_input(self._x.display, X.KeyRelease, self._code(name))
                self._x.display.sync()
            self._down.discard(name)

    def _code(self, name: str) -> int:
        symbol = _SYMBOLS.get(name) or XK.string_to_keysym(name) or XK.string_to_keysym(name.upper())
        return int(self._x.display.keysym_to_keycode(symbol))


class EscRecord:
    """The watch for Esc and the other stop key: the server's RECORD extension tells of every key, and takes none away.

    A thread of its own listens, so a short tap between two looks is not missed. It ends when nobody holds the watch.
    """

    def __init__(self, stop_key: StopKey | None = None) -> None:
        control, listener = Connection(), Connection()
        if not control.display.has_extension("RECORD"):
            raise DesktopError("this X server has no RECORD extension, so Esc can't be watched")
        context = control.display.record_create_context(0, [record.AllClients], [_KEY_PRESSES])
        control.display.sync()
        self._presses: list[str] = []
        self._own = 0
        watched = [(_ESC, XK.XK_Escape)] + ([] if stop_key is None else [_STOP_KEYS[stop_key]])
        keys = {control.display.keysym_to_keycode(symbol): name for name, symbol in watched}
        began = threading.Event()
        # The thread knows the list of presses but not the watch, which could otherwise never be let go.
        threading.Thread(target=_listen, args=(listener, context, keys, self._presses, began), daemon=True).start()
        # A key pressed before the server records would be missed, and a recording stopped before it began would still
        # begin, on a context that is gone.
        if not began.wait(_PATIENCE_S):
            raise DesktopError("the X server does not begin to tell of keys, so Esc can't be watched")
        weakref.finalize(self, _stop_listening, control, context)

    def pressed(self) -> str:
        others = [name for name in self._presses if name != _ESC]
        return others[0] if others else _ESC if len(self._presses) > self._own else ""

    @contextmanager
    def own_tap(self) -> Iterator[None]:
        self._own += 1
        try:
            yield
        except InterveningError:  # it was not tapped
            self._own -= 1
            raise


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


def _listen(
    listener: Connection, context: int, keys: dict[int, str], presses: list[str], began: threading.Event
) -> None:
    """Note the name of every key that is pressed, of those asked for, until the recording is stopped."""

    def note(reply: Any) -> None:
        if reply.category == record.StartOfData:
            began.set()
        data = reply.data
        while reply.category == record.FromServer and data:
            pressed, data = rq.EventField(None).parse_binary_value(data, listener.display.display, None, None)
            if pressed.type == X.KeyPress and pressed.detail in keys:
                presses.append(keys[pressed.detail])

    with suppress(NoScreenError):
        listener.display.record_enable_context(context, note)


def _stop_listening(control: Connection, context: int) -> None:
    with suppress(NoScreenError):
        control.display.record_disable_context(context)
        control.display.record_free_context(context)
        control.display.sync()


_NUMBERS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}


class XTestMouse:
    """The mouse itself, moved and pressed through a window's own connection."""

    def __init__(self, window: X11Window) -> None:
        self._window = window
        self._x = window.connection
        self._down: set[Button] = set()

    def position(self) -> tuple[int, int]:
        at = self._x.root.query_pointer()
        return at.root_x, at.root_y

    def move(self, x: int, y: int) -> tuple[int, int]:
        before = request.QueryPointer(self._x.display.display, 1, window=self._x.root.id)  # answered later
        xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)
        before.reply()
        return before.root_x, before.root_y

    def press(self, button: Button, x: int, y: int) -> None:
        with self._window.clicked_for_sure(x, y):
            self._down.add(button)
            xtest.fake_input(self._x.display, X.ButtonPress, _NUMBERS[button])

    def release(self, button: Button, x: int, y: int) -> None:
        """Release it there. It goes to the window that was pressed; where the screen is gone there is none."""
        if button in self._down:
            with suppress(NoScreenError):
                xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)
                xtest.fake_input(self._x.display, X.ButtonRelease, _NUMBERS[button])
                self._x.display.sync()
            self._down.discard(button)
