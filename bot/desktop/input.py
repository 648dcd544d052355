"""The mouse and the keyboard: every click is checked at the moment of clicking, and nothing stays down.

Promised: no click outside the confined board, none into a window that is not the game's, none once the window has moved
since the board was found, none after the user has taken the mouse, pressed Esc, pushed the pointer into a corner of
the screen or gone to another window. Never are two clicks under way: the pointer moves on once the game has handled the
last one. No button or key stays down however the program ends, short of being killed outright. Whether a click had any
effect is not known here: read the board again.

How it is known that a game has handled a click: the Windows 7 game asks where the pointer is when it gets round to a
click, not where it was when the click was sent. So the pointer must stay until then, and how long that takes nobody can
know beforehand. But the game holds ("captures") the mouse from the moment it handles a press until it handles the
release, and it answers a message that does nothing at its next look into its queue. `InStep` waits for both.

`Keyboard` taps keys for the game's window and knows of the user's Esc that stops the bot. The backend brings the watch
for Esc, which only looks: the key still reaches whoever it was meant for. pyautogui, which types and has the fail-safe,
is loaded here and nowhere else: late, because without a screen it can't be imported, and with its pause after every
call turned off. The fail-safe stays on, except while something is released, which must not fail.
"""

from __future__ import annotations

import atexit
import io
import math
import random
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, redirect_stdout
from functools import cache, partial
from random import Random
from types import FrameType
from typing import Any, NoReturn, Protocol

from bot import signals
from bot.desktop.protocols import (
    BusyError,
    Click,
    CoveredError,
    DesktopError,
    Device,
    EscWatch,
    Handshake,
    InterveningError,
    Key,
    KeyDevice,
    MovedError,
    Rect,
    StopRequestedError,
    Target,
    insist_on_focus,
)
from bot.desktop.timing import Clock, Deadline, Timing, pause, wait_until

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


TRIPS_AFTER_RELEASE = 2
"""Messages to and fro once the mouse is no longer held. It is let go of just before the release is acted upon: one
message can only be answered after that, and one is for those games that let go a little earlier."""

TRIPS_BLIND = 9
"""Messages to and fro that prove alone that a move, a press and a release were handled: a game looks for them twice per
message of its own queue, and two may be answered at one look."""

PRESSES_UNHEARD = 2
"""A program that has not held the mouse after so many presses, and never before, is one that does not."""


class Answers(Protocol):
    """What a game lets others see of its input."""

    def captured(self) -> bool:
        """Whether it holds the mouse just now."""

    def round_trip(self) -> bool:
        """Send it a message that does nothing and return when it has answered; False when it does not in time."""


class AtOnce:
    """The handshake with a game that takes a click where it was made, however late: there is nothing to wait for."""

    in_step = False

    def moved(self) -> None:
        """Return at once."""

    def pressed(self) -> bool:
        """Return at once."""
        return True

    def released(self) -> None:
        """Return at once."""


class InStep:
    """The handshake with a game that asks where the pointer is when it gets round to a click."""

    in_step = True

    def __init__(self, game: Answers, timing: Timing, clock: Clock) -> None:
        self._game = game
        self._timing = timing
        self._clock = clock
        self._held_before = False
        self._unheard = 0
        self._held = False

    def moved(self) -> None:
        """Return once the game has looked into its queue since the pointer was moved.

        It presses where its last move was. And under Wine it is the game that learns from X11 where the pointer is and
        tells everybody: one that was held up in the midst of that tells an older place, which is seen after this.
        """
        self._trip()

    def pressed(self) -> bool:
        """Return once the game holds the mouse, and whether it does; of one that never does nothing is known."""
        timing = self._timing
        if not self._held_before and self._unheard >= PRESSES_UNHEARD:
            return True
        self._held = wait_until(self._game.captured, timing.capture_timeout, timing.capture_poll, self._clock)
        self._held_before = self._held_before or self._held
        self._unheard = 0 if self._held else self._unheard + 1
        return self._held

    def released(self) -> None:
        timing = self._timing
        trips = TRIPS_BLIND
        if self._held:
            self._held = False
            let_go = wait_until(
                lambda: not self._game.captured(), timing.game_timeout, timing.capture_poll, self._clock
            )
            trips = TRIPS_AFTER_RELEASE if let_go else TRIPS_BLIND
        for _ in range(trips):
            self._trip()

    def _trip(self) -> None:
        if not self._game.round_trip():
            raise DesktopError("the game does not answer any more: it hangs, or is very busy")


HAND_TREMBLE = 3
"""A pointer at most this many pixels from where it was left has not been taken: rounding, a nudged table."""

MOVED_BY_HAND = "the mouse was moved by hand"

DOUBLE_CLICK_REACH = 4
"""Two clicks at most this many pixels apart can make a double-click."""

_BOW = 0.15
"""How far, as a share of the distance, a path may stray to the side."""


class Pointer:
    """The `Mouse` of a real desktop."""

    def __init__(
        self,
        window: Target,
        timing: Timing,
        device: Device,
        handshake: Handshake,
        stop_key_pressed: Callable[[], str],
        *,
        corners: Iterable[tuple[int, int]],
        clock: Clock,
    ) -> None:
        self._window = window
        self._timing = timing
        self._device = device
        self._handshake = handshake
        self._stop_key_pressed = stop_key_pressed
        self._corners = frozenset(corners)
        self._clock = clock
        self._random = random.Random()
        self._board: Rect | None = None
        self._client: Rect | None = None
        self._left_at: tuple[int, int] | None = None
        self._last_click: tuple[Click, float] | None = None

    @property
    def in_step(self) -> bool:
        return self._handshake.in_step

    def confine(self, board: Rect, client: Rect) -> None:
        self._board, self._client = board, client

    def click(self, clicks: list[Click]) -> int:
        """Click one after the other, each checked as the module promises; return how many the game took.

        Raises `StopRequestedError`, `MovedError`, `BusyError`, `CoveredError` or `NoWindowError`; the click at fault
        and those after it are not made. A press that the game does not take is the last.
        """
        for number, click in enumerate(clicks):
            if number:
                self._clock.sleep(self._timing.between_clicks)
            self._wait_out_double_click(click)
            self._check_confined(click)
            self.obey_the_user()
            self._move(click.x, click.y)
            self._handshake.moved()
            if not self._press_once_free(click):
                return number
            self._last_click = click, self._clock.now()
        return len(clicks)

    def _press_once_free(self, click: Click) -> bool:
        """Click when nothing is in the way, and return whether the game took it.

        What comes in the very moment of the press is seen for what it is at the next look, or is gone by then.
        """
        deadline = Deadline(self._timing.held_timeout, self._clock)
        while True:
            self._check_target(click)
            try:
                return self._press_and_release(click)
            except InterveningError:
                if deadline.passed:
                    raise
                self._clock.sleep(self._timing.window_poll)

    def _press_and_release(self, click: Click) -> bool:
        """Return whether the game took the click, once it has."""
        press = partial(self._device.press, click.button, click.x, click.y)
        release = partial(self._device.release, click.button, click.x, click.y)
        with nothing_left_down(), held(press, release):
            heard = self._handshake.pressed()
            self._clock.sleep(self._timing.button_hold)
        self._handshake.released()
        return heard

    def park(self, x: int, y: int) -> None:
        """Move the pointer out of the way, without clicking; next to a screen's corner rather than into it."""
        self.obey_the_user()
        if (x, y) in self._corners:
            x += HAND_TREMBLE if x == 0 else -HAND_TREMBLE
        self._move(x, y)
        if not self._is_at((x, y)):
            self._left_at = self._device.position()  # the screen ends before

    def stop_requested(self) -> str | None:
        key = self._stop_key_pressed()
        if key:
            return f"{key} was pressed"
        at = self._device.position()
        if at in self._corners:
            return IN_CORNER
        if self._left_at is None or _near(at, self._left_at) or self._is_at(self._left_at):
            return None
        return self._moved_by_hand()

    def _moved_by_hand(self, *earlier: tuple[int, int]) -> str:
        """Return what the user did: one who makes for a corner has been elsewhere before."""
        return IN_CORNER if self._corners & {*earlier, self._device.position()} else MOVED_BY_HAND

    def obey_the_user(self) -> None:
        """Raise `StopRequestedError` when the user wants to stop."""
        reason = self.stop_requested()
        if reason is not None:
            raise StopRequestedError(reason)

    def _check_confined(self, click: Click) -> None:
        if self._board is None:
            raise CoveredError("there is no board to click in yet")
        if not self._board.contains(click.x, click.y):
            raise CoveredError(f"({click.x}, {click.y}) is outside the board {tuple(self._board)}")

    def _check_target(self, click: Click) -> None:
        """The last look before the button goes down."""
        standing = self._window.standing(click.x, click.y)
        if not standing.foreground:
            insist_on_focus(self._window, self._clock)
            standing = self._window.standing(click.x, click.y)
        if standing.client != self._client:
            raise MovedError("the game's window was moved or resized")
        if standing.busy:
            raise BusyError(standing.busy)
        if not standing.owned:
            if self._window.dialog() is not None:  # the game's own, as the one that tells of its end
                raise BusyError("the game waits for an answer to a dialog")
            raise CoveredError(f"({click.x}, {click.y}) is covered by another window")
        if not _near(standing.pointer, (click.x, click.y)) and not self._is_at((click.x, click.y)):
            self._explain_absence(click)

    def _wait_out_double_click(self, click: Click) -> None:
        if self._last_click is None:
            return
        last, when = self._last_click
        if click.button == last.button and _near((click.x, click.y), (last.x, last.y), DOUBLE_CLICK_REACH):
            self._clock.sleep(when + self._timing.double_click_guard - self._clock.now())

    def _explain_absence(self, click: Click) -> NoReturn:
        """Say why the pointer is not where it was put: a screen that ends before, or the user.

        A screen that ends before leaves it straight beside or straight above where it was to go, every time.
        """
        elsewhere = self._device.position()
        self._device.move(click.x, click.y)
        if (elsewhere[0] == click.x or elsewhere[1] == click.y) and self._is_at(elsewhere):
            self._left_at = elsewhere
            raise CoveredError(f"the pointer can't reach ({click.x}, {click.y}): that is off the screen")
        raise StopRequestedError(self._moved_by_hand(elsewhere))

    def _move(self, x: int, y: int) -> None:
        """Bring the pointer to a pixel, at human pace along a curve."""
        if self._timing.pointer_speed:
            stride = self._timing.pointer_speed * self._timing.pointer_step
            for step_x, step_y in curve(self._device.position(), (x, y), stride, self._random):
                self._jump(step_x, step_y)
                self._clock.sleep(self._timing.pointer_step)
                self.obey_the_user()
        self._jump(x, y)

    def _jump(self, x: int, y: int) -> None:
        """Put the pointer on a pixel. Raises `StopRequestedError` when it was moved since the last look."""
        left_at, self._left_at = self._left_at, (x, y)
        was = self._device.move(x, y)
        if left_at is not None and was is not None and not _near(was, left_at):
            raise StopRequestedError(self._moved_by_hand(was))

    def _is_at(self, place: tuple[int, int]) -> bool:
        """Whether the pointer is at a pixel. It gets a moment's grace: Wine tells old positions after new ones."""
        return wait_until(
            lambda: _near(self._device.position(), place),
            self._timing.pointer_timeout,
            self._timing.pointer_step,
            self._clock,
        )


def _near(a: tuple[int, int], b: tuple[int, int], reach: int = HAND_TREMBLE) -> bool:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= reach


def curve(start: tuple[int, int], end: tuple[int, int], stride: float, random: Random) -> list[tuple[int, int]]:
    """Return the pixels a hand would pass on its way, without the start and the end.

    `stride` is the mean distance between two of them. The path is a quadratic Bézier curve bowed to a random side, run
    through as a minimum-jerk movement: the profile of human reaching.
    """
    (x0, y0), (x2, y2) = start, end
    distance = math.hypot(x2 - x0, y2 - y0)
    bow = random.uniform(-_BOW, _BOW)
    x1 = (x0 + x2) / 2 - bow * (y2 - y0)
    y1 = (y0 + y2) / 2 + bow * (x2 - x0)
    steps = math.ceil(distance / stride)
    pixels = []
    for step in range(1, steps):
        share = step / steps
        t = share**3 * (10 - 15 * share + 6 * share**2)
        x = (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t**2 * x2
        y = (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t**2 * y2
        pixels.append((round(x), round(y)))
    return pixels


class AutoGuiKeys:
    """The keyboard itself, through pyautogui."""

    def __init__(self) -> None:
        self._gui = load_pyautogui()

    def press(self, name: str) -> None:
        self._gui.keyDown(name, _pause=False)

    def release(self, name: str) -> None:
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
            self._pointer.obey_the_user()
            stop_at_corners()
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
        return self._pointer.stop_requested()
