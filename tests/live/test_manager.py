"""The X11 mouse beside a slow window manager: it waits for the answer to its own question, not to an older one."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from bot.desktop.timing import FAST, Seconds
from tests.live import stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="X11 alone has window managers")


@contextmanager
def manager(answers: int) -> Iterator[tuple[list[float], threading.Event]]:
    """A screen whose window manager answers so many questions, all from the second on only once it is let.

    Yields when it answered, and what lets it.
    """
    from Xlib import X

    from bot.desktop.x11_connection import Connection

    with stage.x_server("640x480x24") as name, pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "DISPLAY", name)
        x, answered, let = Connection(), list[float](), threading.Event()
        atom = x.display.intern_atom("ATOM")
        question, answer = x.atom("_NET_REQUEST_FRAME_EXTENTS"), x.atom("_NET_FRAME_EXTENTS")
        x.root.change_property(x.atom("_NET_SUPPORTED"), atom, 32, [question])
        x.root.change_attributes(event_mask=X.SubstructureRedirectMask)
        x.display.sync()

        def manage() -> None:
            while len(answered) < answers:
                came = x.display.next_event()
                if came.type == X.ClientMessage and came.client_type == question:
                    if answered:
                        let.wait()
                        time.sleep(0.2)
                    came.window.change_property(answer, x.atom("CARDINAL"), 32, [1, 1, 1, 1])
                    answered.append(time.monotonic())
                    x.display.flush()

        thread = threading.Thread(target=manage)
        thread.start()
        try:
            yield answered, let
            thread.join()
        finally:
            let.set()


def test_an_answer_that_comes_too_late_is_not_taken_for_the_next_one() -> None:
    from bot.desktop.x11_connection import Connection
    from bot.desktop.x11_mouse import LetThrough, XTestMouse

    def click() -> float:
        """Click and return when the pointer may move on."""
        mouse.press("left", 100, 100)
        mouse.release("left", 100, 100)
        handshake.released()
        return time.monotonic()

    with manager(4) as (answered, let):
        connection = Connection()
        mouse, handshake = XTestMouse(connection), LetThrough(connection, FAST)
        first = click()
        handshake.timing = replace(FAST, answer_timeout=Seconds(0.1))
        click()
        assert len(answered) == 1, "the manager was not waited for any longer"
        handshake.timing = replace(FAST, answer_timeout=Seconds(60))
        let.set()
        later = [click(), click()]
    assert first >= answered[0]
    assert later[0] >= answered[2]
    assert later[1] >= answered[3]
