"""The keyboard, both ways: taps for the game's window, and the user's Esc that stops the bot.

The backend brings the watch for Esc, which only looks: the key still reaches whoever it was meant for.
"""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from functools import partial

from bot.desktop import Desktop, FocusLostError, Key, Window
from bot.desktop.buttons import held, load_pyautogui, release_on_signals, stop_at_corners
from bot.desktop.mouse import Pointer
from bot.desktop.parts import Device, EscWatch, Target
from bot.desktop.screen import MssScreen
from bot.desktop.timing import Timing, pause


class Keyboard:
    """The `Keys` of a real desktop."""

    def __init__(self, window: Window, timing: Timing, pointer: Pointer, esc: EscWatch) -> None:
        self._window = window
        self._timing = timing
        self._pointer = pointer
        self._esc = esc

    def tap(self, key: Key) -> None:
        """Press and release a key. Raises `FocusLostError` when it would go to a window that is not the game's."""
        if not self._window.is_foreground():
            self._window.client()  # a window that was closed or minimised has lost more than the focus
            raise FocusLostError
        gui = load_pyautogui()
        stop_at_corners()
        with self._esc.own_tap() if key == "esc" else nullcontext(), ExitStack() as down:
            for part in key.split("+"):
                press, release = partial(gui.keyDown, part, _pause=False), partial(gui.keyUp, part, _pause=False)
                down.enter_context(held(press, release))
            pause(self._timing.key_hold)

    def stop_requested(self) -> str | None:
        """Return why the user wants to stop: Esc, the mouse moved by hand, the fail-safe corner; or None."""
        return self._pointer.stop_requested()


def assemble(window: Target, device: Device, esc: EscWatch, timing: Timing) -> Desktop:
    """Return the desktop made of a backend's own parts and of the screen, mouse and keyboard that all backends share.

    From here on a signal to end the program lets it release its buttons first.
    """
    pointer = Pointer(window, timing, device, esc.pressed)
    release_on_signals()
    return Desktop(window, MssScreen(), pointer, Keyboard(window, timing, pointer, esc))
