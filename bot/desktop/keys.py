"""The keyboard, both ways: taps for the game's window, and the user's Esc that stops the bot.

The backend brings the watch for Esc, which only looks: the key still reaches whoever it was meant for.
"""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from functools import partial

from bot.desktop.buttons import held, load_pyautogui, nothing_left_down, stop_at_corners
from bot.desktop.mouse import Pointer
from bot.desktop.protocols import BusyError, EscWatch, InterveningError, Key, KeyDevice, Target, insist_on_focus
from bot.desktop.timing import Deadline, Timing, pause


class AutoGuiKeys:
    """The keyboard itself, through pyautogui."""

    def __init__(self) -> None:
        self._gui = load_pyautogui()

    def press(self, name: str) -> None:
        """Press a key."""
        self._gui.keyDown(name, _pause=False)

    def release(self, name: str) -> None:
        """Release it."""
        self._gui.keyUp(name, _pause=False)


class Keyboard:
    """The `Keys` of a real desktop."""

    def __init__(self, window: Target, timing: Timing, device: KeyDevice, pointer: Pointer, esc: EscWatch) -> None:
        self._window = window
        self._device = device
        self._timing = timing
        self._pointer = pointer
        self._esc = esc

    def tap(self, key: Key) -> None:
        """Press and release a key.

        Raises `FocusLostError` or `BusyError` when it would go to a window that is not the game's, and
        `StopRequestedError` when the user wants to stop.
        """
        deadline = Deadline(self._timing.held_timeout)
        while True:
            stop_at_corners()
            self._pointer.obey_the_user()
            blocked = self._window.keys_blocked()
            if blocked:
                raise BusyError(blocked)
            insist_on_focus(self._window)
            try:
                return self._press_and_release(key)
            except InterveningError:  # at the next look it is seen for what it is, or is gone
                if deadline.passed:
                    raise
                pause(self._timing.window_poll)

    def _press_and_release(self, key: Key) -> None:
        own_tap = self._esc.own_tap() if key == "esc" else nullcontext()
        with own_tap, nothing_left_down(), ExitStack() as down:
            for name in key.split("+"):
                down.enter_context(held(partial(self._device.press, name), partial(self._device.release, name)))
            pause(self._timing.key_hold)

    def stop_requested(self) -> str | None:
        """Return why the user wants to stop: Esc, the mouse moved by hand, the fail-safe corner; or None."""
        return self._pointer.stop_requested()
