"""The signals that tell a program to end: obeyed at the first one, whatever is going on.

Python turns a signal into an exception at the next step of its own, which may be inside of a callback whose caller
drops it: llvmlite's while machine code loads, numpy's while it looks for an attribute, OpenCV's while it looks at an
argument. So the signal is remembered, whoever turns in a loop asks `obey`, and an exception that has vanished without
anybody saying `obeyed` lets the signal come once more. Python up to 3.11 makes another error of it while a class is
made: an error that comes to the program's top while a signal waits to be obeyed is what became of that signal. While a
library is imported it waits, for what is built on numpy makes an ImportError of it then, or crashes.
"""

from __future__ import annotations

import _thread
import ctypes
import signal
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from types import FrameType

REASONS = {
    "SIGINT": "Ctrl-C was pressed",
    "SIGTERM": "the system asked it to end",
    "SIGHUP": "its terminal was closed",
    "SIGBREAK": "Ctrl-Break was pressed",
}
"""The signals that are obeyed, and why they come."""

_EXIT_BASE = 128
"""A program that a signal has ended exits with this and the signal's number, as shells have it: 130 after Ctrl-C."""


class Interrupted(KeyboardInterrupt):
    """A signal has told the program to end. Whoever catches it and goes on, to print results, calls `obeyed`."""

    def __init__(self, number: int) -> None:
        super().__init__(REASONS[signal.Signals(number).name])
        self.exit_code = _EXIT_BASE + number


_STOPS = [getattr(signal, name) for name in ("SIGTSTP",) if hasattr(signal, name)]
"""Ctrl-Z, which is left to the system. Only it must not stop the program in a block that must not be left half done."""

_number: int | None = None
"""The signal that has come."""
_obeyed = False
_watch: weakref.ref[Interrupted] | None = None
"""Sees the exception vanish that the signal was turned into."""

_late = False
"""Whether it waits for the end of an import."""

_IMPORT_POLL = 0.01
"""Seconds after which a signal that waits for the end of an import comes again."""

_hooks = sys.excepthook, sys.unraisablehook
"""What says which exceptions were dropped while no signal has come."""
_SAY_NOTHING: Callable[..., object] = slice
"""Takes what such a hook is given. It has no step of Python's own, in which a signal could come again."""


def listen() -> None:
    """From now on turn each of the signals into `Interrupted`, except one that is ignored, as under nohup."""
    for number in _numbers():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _receive)


def obey() -> None:
    """Raise `Interrupted` when a signal has come that nobody has obeyed yet; for the turns of loops."""
    if _number is not None and is_waiting() and threading.current_thread() is threading.main_thread():
        raise Interrupted(_number)


def is_waiting() -> bool:
    """Whether a signal has come that nobody has obeyed yet."""
    return _number is not None and not _obeyed


def obeyed() -> None:
    """Say that what the signal was to end has ended."""
    global _obeyed, _watch
    _obeyed, _watch = True, None


def received() -> Interrupted | None:
    """Return the signal that has come, obeyed or not."""
    return None if _number is None else Interrupted(_number)


def begin_anew() -> None:
    """Forget what has come: another command begins."""
    global _number, _obeyed, _watch, _late
    if _number is not None:
        sys.excepthook, sys.unraisablehook = _hooks
    _number, _obeyed, _watch, _late = None, False, None, False


def ignore() -> None:
    """Ignore them all from now on: the program ends anyway, or its parent sees to it."""
    for number in _numbers():
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def put_off() -> Iterator[None]:
    """Let whatever signal comes wait for the end of a short block that must not be left half done.

    Whoever handles signals, `listen` or a program that uses ours, then handles it as if it had come at the end.
    """
    if threading.current_thread() is not threading.main_thread():  # no signal is handled in any other
        yield
        return
    with ExitStack() as waiting:
        for number in (*_numbers(), *_STOPS):
            waiting.enter_context(_put_off(number))
        yield


@contextmanager
def put_off_for_good_in_children() -> Iterator[None]:
    """As `put_off`; and a program that is started in the block hears of none, where the system lets it inherit that.

    A terminal sends Ctrl-C to every program in it, also to one that has not come far enough to ignore it.
    """
    with put_off():
        if sys.platform == "win32":
            yield
            return
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _numbers())
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _put_off(number: int) -> Iterator[None]:
    handler = signal.getsignal(number)
    if not callable(handler) and (handler is not signal.SIG_DFL or number not in _STOPS):
        yield
        return
    came = list[FrameType | None]()
    try:
        signal.signal(number, lambda _number, frame: came.append(frame))
        yield
    finally:
        signal.signal(number, handler)
        if came and callable(handler):
            handler(number, came[0])
        elif came:
            signal.raise_signal(number)


def _numbers() -> list[int]:
    return [getattr(signal, name) for name in REASONS if hasattr(signal, name)]


def _receive(number: int, frame: FrameType | None) -> None:
    """Raise the signal's exception. From now on nothing is said of one that is dropped: it comes again."""
    global _number, _obeyed, _hooks, _late
    if _late and _obeyed:  # by who asked meanwhile
        _late = False
        return
    if _number is None:
        _hooks = sys.excepthook, sys.unraisablehook
        sys.excepthook = sys.unraisablehook = _SAY_NOTHING
    _number, _obeyed, _late = number, False, _imports_a_library(frame)
    if _late:
        _thread.start_new_thread(_come_later, (number,))
    else:
        raise _watched(number)


def _imports_a_library(frame: FrameType | None) -> bool:
    """Whether what goes on, as far as it is not our own code, is an import."""
    while frame is not None and str(frame.f_globals.get("__name__")).partition(".")[0] != __package__:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _come_later(number: int) -> None:
    time.sleep(_IMPORT_POLL)
    _COMES_AGAIN[number](None)


def _watched(number: int) -> Interrupted:
    """Return the exception for a signal, which comes again when the exception is dropped.

    It must have no name in the frame that raises it: its traceback holds that frame, and the two would keep each other.
    """
    global _watch
    interrupt = Interrupted(number)
    _watch = weakref.ref(interrupt, _COMES_AGAIN[number])
    return interrupt


def _comes_again(number: int) -> Callable[[object], object]:
    """Return what lets a signal come again, as soon as Python goes on.

    It is called wherever the exception happens to be dropped, so none of its steps may be Python's own: there and then
    the signal would be turned into an exception, and be dropped again.
    """
    come = ctypes.pythonapi.PyErr_SetInterruptEx
    come.argtypes, come.restype = [ctypes.c_int, ctypes.py_object], None  # it ignores the second, the reference
    return partial(come, number)


_COMES_AGAIN = {number: _comes_again(number) for number in _numbers()}
