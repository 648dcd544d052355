"""Input on X11: buttons that wait until the game has taken them, and the watch for the user's Esc."""

from __future__ import annotations

import select
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from Xlib import XK, X
from Xlib.ext import record, xtest
from Xlib.protocol import event, rq

from bot.desktop import Button, DesktopError, StopKey
from bot.desktop.timing import Deadline, Timing
from bot.desktop.x11_connection import SERVER_GONE, Connection


class AnsweredButtons:
    """Buttons pressed through XTest, that are only let go of, or left, once the game has taken what came before.

    A program of Wine's that comes to a press when the pointer has already moved on takes it for the beginning of a
    drag, and a click is lost. EWMH's ping is answered in the order of events, so an answer means that the button came
    before. Where pings are not answered nothing is waited for.
    """

    def __init__(self, identifier: int, timing: Timing) -> None:
        self._x = Connection()
        self._timing = timing
        self._window = self._x.window(identifier)
        self._protocols = self._x.atom("WM_PROTOCOLS")
        self._ping = self._x.atom("_NET_WM_PING")
        self._answers = self._ping in self._x.values(self._window, "WM_PROTOCOLS")
        self._number = 0
        self._x.root.change_attributes(event_mask=X.SubstructureNotifyMask)  # answers are sent to the root window

    def press(self, button: Button, x: int, y: int) -> None:
        """Press a button at a pixel of the screen, and wait until the game knows."""
        xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)
        xtest.fake_input(self._x.display, X.ButtonPress, _NUMBERS[button])
        self._await_answer()

    def release(self, button: Button, x: int, y: int) -> None:
        """Release it there, and wait until the game knows."""
        with suppress(*SERVER_GONE):
            xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)
            xtest.fake_input(self._x.display, X.ButtonRelease, _NUMBERS[button])
            self._await_answer()

    def _await_answer(self) -> None:
        if not self._answers:
            self._x.display.sync()
            return
        self._number += 1
        data = [self._ping, self._number, self._window.id, 0, 0]
        message = event.ClientMessage(window=self._window, client_type=self._protocols, data=(32, data))
        deadline = Deadline(self._timing.answer_timeout)
        self._window.send_event(message)
        self._x.display.flush()
        while not self._was_answered() and not deadline.passed:
            select.select([self._x.display], [], [], deadline.left)

    def _was_answered(self) -> bool:
        """Take all events there are; whether the last ping's answer is among them."""
        answered = False
        while self._x.display.pending_events():
            came = self._x.display.next_event()
            if came.type & ~_SENT == X.ClientMessage and came.client_type == self._protocols:
                answered = answered or list(came.data[1][:2]) == [self._ping, self._number]
        return answered


_NUMBERS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}

_SENT = 0x80
"""The bit that marks an event's type when a program and not the server has sent it."""


_ESC = "Esc"
_STOP_KEYS: dict[StopKey, tuple[str, int]] = {
    "pause": ("Pause", XK.XK_Pause),
    "scroll_lock": ("Scroll Lock", XK.XK_Scroll_Lock),
    "f12": ("F12", XK.XK_F12),
}
"""What each stop key is called, and its X11 symbol."""


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
        # The thread knows the list of presses but not the watch, which could otherwise never be let go.
        threading.Thread(target=_listen, args=(listener, context, keys, self._presses), daemon=True).start()
        weakref.finalize(self, _stop_listening, control, context)

    def pressed(self) -> str:
        """Return the key that the user has pressed since the watch began, or nothing; own taps don't count."""
        others = [name for name in self._presses if name != _ESC]
        return others[0] if others else _ESC if len(self._presses) > self._own else ""

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


def _listen(listener: Connection, context: int, keys: dict[int, str], presses: list[str]) -> None:
    """Note the name of every key that is pressed, of those asked for, until the recording is stopped."""

    def note(reply: Any) -> None:
        data = reply.data
        while reply.category == record.FromServer and data:
            pressed, data = rq.EventField(None).parse_binary_value(data, listener.display.display, None, None)
            if pressed.type == X.KeyPress and pressed.detail in keys:
                presses.append(keys[pressed.detail])

    with suppress(*SERVER_GONE):
        listener.display.record_enable_context(context, note)


def _stop_listening(control: Connection, context: int) -> None:
    with suppress(*SERVER_GONE):
        control.display.record_disable_context(context)
        control.display.record_free_context(context)
        control.display.sync()
