"""Buttons and keys go down here, and come up again whatever happens; and the keyboard, both ways.

`Keyboard` taps keys for the game's window and knows of the user's Esc that stops the bot. The backend brings the watch
for Esc, which only looks: the key still reaches whoever it was meant for. pyautogui, which types and has the fail-safe,
is loaded here and nowhere else: late, because without a screen it can't be imported, and with its pause after every
call turned off. The fail-safe stays on, except while something is released, which must not fail.
"""

from __future__ import annotations

import atexit
import io
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout
from functools import cache, partial
from types import FrameType
from typing import TYPE_CHECKING, Any

from bot import signals
from bot.desktop.protocols import (
    BusyError,
    DesktopError,
    EscWatch,
    InterveningError,
    Key,
    KeyDevice,
    StopRequestedError,
    Target,
    insist_on_focus,
)
from bot.desktop.timing import Deadline, Timing, pause

if TYPE_CHECKING:
    from bot.desktop.mouse import Pointer  # which holds its buttons by this module

IN_CORNER = "the pointer was pushed into a corner of the screen"

_quiet = threading.RLock()

_releases: list[Callable[[], None]] = []
"""How to release each button and key that is down or about to go down."""


@contextmanager
def without_chatter() -> Iterator[None]:
    """Keep Xlib from printing its worries about passwords to stdout and from warning of its own unclosed files.

    One thread at a time: both are the whole program's.
    """
    with _quiet, redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)
        yield


@cache
def load_pyautogui() -> Any:
    """Import pyautogui, with no pause of its own. Raises `DesktopError` when it can't be used here."""
    try:
        with without_chatter():
            import pyautogui
    except (Exception, SystemExit) as error:  # without tkinter, one of its parts calls sys.exit
        raise DesktopError(f"pyautogui can't be used here: {error}") from error
    pyautogui.PAUSE = 0
    atexit.register(release_everything)
    return pyautogui


def stop_at_corners() -> None:
    """Ask pyautogui's fail-safe. Raises `StopRequestedError` in our own words when it has struck."""
    gui = load_pyautogui()
    try:
        with signals.put_off():  # as below: interrupted, it would never answer again in this process
            gui.failSafeCheck()
    except gui.FailSafeException as error:
        raise StopRequestedError(IN_CORNER) from error


@contextmanager
def nothing_left_down() -> Iterator[None]:
    """The block in which buttons and keys are `held`: however it ends, none of them stays down.

    It stands around `held` because a Ctrl-C can come in the very moment in which that one begins to release.
    """
    try:
        yield
    finally:
        release_everything()


@contextmanager
def held(press: Callable[[], None], release: Callable[[], None]) -> Iterator[None]:
    """Hold a button or a key down for the length of a block, itself in a block with `nothing_left_down`."""
    _releases.append(release)  # before it goes down: an interrupt in between must not leave it down
    try:
        with signals.put_off():  # Xlib that is interrupted in its midst takes itself for busy, and sends nothing more
            press()
        yield
    finally:
        release_everything()


def release_everything() -> None:
    """Release what is still down; does nothing when nothing is."""
    if not _releases:
        return
    with signals.put_off(), _without_fail_safe():
        while _releases:
            _releases[-1]()
            _releases.pop()


@contextmanager
def _without_fail_safe() -> Iterator[None]:
    """Keep pyautogui, where it is in use, from refusing to release a key in a corner of the screen."""
    if not load_pyautogui.cache_info().currsize:
        yield
        return
    gui = load_pyautogui()
    fail_safe, gui.FAILSAFE = gui.FAILSAFE, False
    try:
        yield
    finally:
        gui.FAILSAFE = fail_safe


def release_on_signals() -> None:
    """Let a program that is told to end unwind first: SIGTERM, SIGHUP and SIGBREAK become `SystemExit`.

    A handler that someone else has set stays. Does nothing outside the main thread, where Python allows none.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _exit_on_signal)


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    sys.exit(128 + number)


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
