"""The keyboard, both ways: taps for the game's window, and the user's Esc that stops the bot.

The backend brings the watch for Esc, which only looks: the key still reaches whoever it was meant for.
"""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Protocol

from bot.desktop import Desktop, Key, StopRequestedError, Window
from bot.desktop.buttons import Buttons, held, load_pyautogui, release_on_signals
from bot.desktop.mouse import Pointer
from bot.desktop.screen import MssScreen
from bot.desktop.timing import Timing, pause


class EscWatch(Protocol):
    """Knows whether the user has pressed Esc, or the other stop key, since the watch began."""

    def pressed(self) -> str:
        """Return the name of the key that is down or was pressed earlier, empty for none; own taps don't count."""

    def own_tap(self) -> AbstractContextManager[None]:
        """Return the block in which the bot taps Esc itself."""


class Keyboard:
    """The `Keys` of a real desktop."""

    def __init__(self, window: Window, timing: Timing, pointer: Pointer, esc: EscWatch) -> None:
        self._window = window
        self._timing = timing
        self._pointer = pointer
        self._esc = esc

    def tap(self, key: Key) -> None:
        """Press and release a key. Raises `StopRequestedError` when it would go to a window that is not the game's."""
        if not self._window.is_foreground():
            raise StopRequestedError("another window took the focus")
        gui = load_pyautogui()
        press, release = partial(gui.keyDown, key, _pause=False), partial(gui.keyUp, key, _pause=False)
        with self._esc.own_tap() if key == "esc" else nullcontext(), held(press, release):
            pause(self._timing.key_hold)

    def stop_requested(self) -> str | None:
        """Return why the user wants to stop: Esc, the mouse moved by hand, the fail-safe corner; or None."""
        return self._pointer.stop_requested()


def assemble(window: Window, buttons: Buttons, esc: EscWatch, timing: Timing) -> Desktop:
    """Return the desktop made of a backend's own parts and of the screen, mouse and keyboard that all backends share.

    From here on a signal to end the program lets it release its buttons first.
    """
    pointer = Pointer(window, timing, buttons, esc.pressed)
    release_on_signals()
    return Desktop(window, MssScreen(), pointer, Keyboard(window, timing, pointer, esc))
