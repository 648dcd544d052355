"""Esc in the terminal, for games that have no window of their own."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PRESSED = "Esc was pressed"
ESC = "\x1b"
OTHER_KEYS = rb"\x1b[\[O][0-9;]*[A-Za-z~]"
"""What terminals send for arrows and the like; it begins with Esc, and comes whole."""

Question = Callable[[], str | None]
"""Why the user wants to stop, or None."""

if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def _typed_keys() -> Iterator[Question]:
        """Keys come at once on Windows."""

        def pressed() -> str | None:
            keys = []
            while msvcrt.kbhit():
                keys.append(msvcrt.getwch())
            return PRESSED if ESC in keys else None

        yield pressed

else:
    import select
    import termios
    import tty

    @contextmanager
    def _typed_keys() -> Iterator[Question]:
        """Let the terminal hand over keys at once and unseen, instead of lines; in the end it is as before."""
        terminal = sys.stdin.fileno()

        def ours() -> bool:
            """Whether the terminal is ours to ask: a job in the background that does so is stopped."""
            return os.tcgetpgrp(terminal) == os.getpgrp()

        def pressed() -> str | None:
            while ours() and select.select([terminal], [], [], 0)[0]:
                keys = os.read(terminal, 64)
                if not keys:
                    return None
                if ESC.encode() in re.sub(OTHER_KEYS, b"", keys):
                    return PRESSED
            return None

        if not ours():
            yield lambda: None
            return
        before = termios.tcgetattr(terminal)
        try:
            tty.setcbreak(terminal, termios.TCSANOW)
            yield pressed
        finally:
            if ours():
                termios.tcsetattr(terminal, termios.TCSANOW, before)


@contextmanager
def escape_key() -> Iterator[Question]:
    """Give a question whether Esc has been pressed; without a terminal that types to us it never is."""
    if not sys.stdin.isatty():
        yield lambda: None
        return
    with _typed_keys() as pressed:
        yield pressed
