"""The keyboard, both ways: taps for the game's window, and the user's Esc that stops the bot.

The backend brings the watch for Esc, which only looks: the key still reaches whoever it was meant for.
"""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from functools import partial

from bot.desktop import BusyError, Key, insist_on_focus
from bot.desktop.buttons import held, load_pyautogui, nothing_left_down, stop_at_corners
from bot.desktop.mouse import Pointer
from bot.desktop.parts import EscWatch, Target
from bot.desktop.timing import Timing, pause


class Keyboard:
    """The `Keys` of a real desktop."""

    def __init__(self, window: Target, timing: Timing, pointer: Pointer, esc: EscWatch) -> None:
        self._window = window
        self._timing = timing
        self._pointer = pointer
        self._esc = esc

    def tap(self, key: Key) -> None:
        """Press and release a key.

        Raises `FocusLostError` or `BusyError` when it would go to a window that is not the game's, and
        `StopRequestedError` when the user wants to stop.
        """
        gui = load_pyautogui()
        stop_at_corners()
        self._pointer.obey_the_user()
        blocked = self._window.keys_blocked()
        if blocked:
            raise BusyError(blocked)
        insist_on_focus(self._window)
        own_tap = self._esc.own_tap() if key == "esc" else nullcontext()
        with own_tap, nothing_left_down(), ExitStack() as down:
            for part in key.split("+"):
                press, release = partial(gui.keyDown, part, _pause=False), partial(gui.keyUp, part, _pause=False)
                down.enter_context(held(press, release))
            pause(self._timing.key_hold)

    def stop_requested(self) -> str | None:
        """Return why the user wants to stop: Esc, the mouse moved by hand, the fail-safe corner; or None."""
        return self._pointer.stop_requested()
