"""The mouse on X11, through XTest, that goes on only once a click has arrived where it was meant to.

A window manager holds every press back until it has looked at it; where the pointer has moved on by then, the press
arrives there, and the click is lost. So each click waits until the manager has let it through: it takes what comes in
order, and after the button it is asked a question that every manager of EWMH's kind must answer.
"""

from __future__ import annotations

import select
from contextlib import suppress
from typing import Any

from Xlib import X
from Xlib.ext import xtest
from Xlib.protocol import event

from bot.desktop import Button, NoScreenError
from bot.desktop.handshake import AtOnce
from bot.desktop.timing import Deadline, Timing
from bot.desktop.x11_connection import Connection

_NUMBERS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}


class XTestMouse:
    """The mouse itself, moved and pressed through a window's own connection."""

    def __init__(self, connection: Connection) -> None:
        self._x = connection

    def position(self) -> tuple[int, int]:
        """Return where the pointer is."""
        at = self._x.root.query_pointer()
        return at.root_x, at.root_y

    def move(self, x: int, y: int) -> None:
        """Put the pointer on a pixel of the screen."""
        xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)
        self._x.display.flush()

    def press(self, button: Button, x: int, y: int) -> None:
        """Press a button at a pixel of the screen."""
        self._send(X.ButtonPress, button, x, y)

    def release(self, button: Button, x: int, y: int) -> None:
        """Release it there. Where the screen is gone there is nothing left to release."""
        with suppress(NoScreenError):
            self._send(X.ButtonRelease, button, x, y)

    def _send(self, kind: int, button: Button, x: int, y: int) -> None:
        xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)
        xtest.fake_input(self._x.display, kind, _NUMBERS[button])
        self._x.display.flush()


class LetThrough(AtOnce):
    """The handshake with the window manager: a click is over once it has let it through."""

    def __init__(self, connection: Connection, timing: Timing) -> None:
        self._x = connection  # the mouse's own: buttons and questions must reach the server in order
        self.timing = timing
        self._question = self._x.atom("_NET_REQUEST_FRAME_EXTENTS")
        self._answer = self._x.atom("_NET_FRAME_EXTENTS")
        self._answers = self._question in self._x.values(self._x.root, "_NET_SUPPORTED")
        self._has_answered = False
        self._slate = self._new_slate()

    def released(self) -> None:
        """Return once the window manager has let the click through."""
        if self._answers:
            self._await_manager()
        else:
            self._x.display.sync()

    def _new_slate(self) -> Any:
        """Return a window that is never shown: the manager is asked for the frame it would draw, and writes it there.

        An answer that comes too late is on the slate of its own question, and is not taken for that to the next one.
        """
        return self._x.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)

    def _await_manager(self) -> None:
        """Ask the manager and wait for its answer. One that never gives any is asked once only."""
        question = event.ClientMessage(window=self._slate, client_type=self._question, data=(32, [0] * 5))
        self._x.root.send_event(question, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._x.display.flush()
        deadline = Deadline(self.timing.answer_timeout)
        while not deadline.passed:
            while self._x.display.pending_events():
                came = self._x.display.next_event()
                if came.type == X.PropertyNotify and came.atom == self._answer and came.window.id == self._slate.id:
                    self._has_answered = True
                    return
            select.select([self._x.display], [], [], deadline.left)
        self._answers = self._has_answered
        self._slate = self._new_slate()
