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
from bot.desktop.timing import Deadline, Timing
from bot.desktop.x11_connection import Connection

_NUMBERS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}


class AnsweredMouse:
    """The mouse, which waits for the window manager after each click."""

    def __init__(self, connection: Connection, timing: Timing) -> None:
        self._x = connection  # the window's own: moves and questions must reach the server in order
        self.timing = timing
        self._question = self._x.atom("_NET_REQUEST_FRAME_EXTENTS")
        self._answer = self._x.atom("_NET_FRAME_EXTENTS")
        self._answers = self._question in self._x.values(self._x.root, "_NET_SUPPORTED")
        self._has_answered = False
        self._slate = self._new_slate()
        self._broken_off = False
        """Whether a press or a release was begun and never ended, as when Ctrl-C came in its midst."""

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
        self._broken_off = True
        xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)
        xtest.fake_input(self._x.display, X.ButtonPress, _NUMBERS[button])
        self._x.display.flush()
        self._broken_off = False

    def release(self, button: Button, x: int, y: int) -> None:
        """Release it there, and wait until the window manager has let it through.

        Xlib that was interrupted in its midst takes itself for busy and sends nothing any more, so that a button would
        stay down: then it is released through a connection of its own.
        """
        with suppress(NoScreenError):
            anew, self._broken_off = self._broken_off, True
            connection = Connection() if anew else self._x
            xtest.fake_input(connection.display, X.MotionNotify, x=x, y=y)
            xtest.fake_input(connection.display, X.ButtonRelease, _NUMBERS[button])
            if self._answers and not anew:
                self._await_manager()
            else:
                connection.display.sync()
            self._broken_off = False

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
