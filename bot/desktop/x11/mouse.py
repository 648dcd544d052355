"""The mouse on X11, through XTest."""

from __future__ import annotations

from contextlib import suppress

from Xlib import X
from Xlib.ext import xtest

from bot.desktop.protocols import Button, NoScreenError
from bot.desktop.x11.window import X11Window

_NUMBERS: dict[Button, int] = {"left": 1, "middle": 2, "right": 3}


class XTestMouse:
    """The mouse itself, moved and pressed through a window's own connection."""

    def __init__(self, window: X11Window) -> None:
        self._window = window
        self._x = window.connection
        self._down: set[Button] = set()

    def position(self) -> tuple[int, int]:
        """Return where the pointer is."""
        at = self._x.root.query_pointer()
        return at.root_x, at.root_y

    def move(self, x: int, y: int) -> None:
        """Put the pointer on a pixel of the screen."""
        xtest.fake_input(self._x.display, X.MotionNotify, x=x, y=y)
        self._x.display.flush()

    def press(self, button: Button, x: int, y: int) -> None:
        """Press a button at a pixel of the game's window. Raises `InterveningError` when it is another's by now."""
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
