"""What the user does to a live game: takes the mouse, presses keys, puts windows in the way.

The same on X11 and on Windows; none of it goes through the bot's own mouse and keyboard.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from queue import Queue
from typing import Any, Literal
from unittest import mock

from bot.desktop import Dialog, Rect, Window
from bot.desktop.input import load_pyautogui
from bot.desktop.timing import FAST, Seconds, pause, wait_until

PATIENCE = Seconds(10)
POLL = Seconds(0.01)


@contextmanager
def _without_fail_safe() -> Iterator[Any]:
    gui = load_pyautogui()
    gui.FAILSAFE = False
    try:
        yield gui
    finally:
        gui.FAILSAFE = True


def move_pointer(x: int, y: int) -> None:
    """Move the mouse by hand."""
    with _without_fail_safe() as gui:
        gui.moveTo(x, y)
        assert wait_until(lambda: tuple(gui.position()) == (x, y), PATIENCE, POLL)


def pointer() -> tuple[int, int]:
    """Return where the mouse is."""
    x, y = load_pyautogui().position()
    return int(x), int(y)


def push_pointer(x: int, y: int) -> None:
    """Push the mouse somewhere, even while the bot moves it too."""
    with _without_fail_safe() as gui:
        gui.moveTo(x, y)


def click() -> None:
    """Click with the left button where the mouse is."""
    with _without_fail_safe() as gui:
        gui.click()


def press(*keys: str) -> None:
    """Press keys together."""
    with _without_fail_safe() as gui:
        gui.hotkey(*keys)


def open_dialog(window: Window) -> Dialog:
    """Open WineMine's dialog for a custom level through its menu, as a person does: again where a key was lost."""
    tries = count()

    def opened() -> Dialog | None:
        if next(tries) % 2 == 0:  # else the menu may be open already
            press("alt", "g")
        press("c")
        return wait_until(window.dialog, Seconds(1), POLL)

    dialog = wait_until(opened, PATIENCE, POLL)
    assert dialog is not None
    return dialog


def await_standstill(window: Window) -> None:
    """Wait until a window stays where it is."""

    def stays() -> bool:
        before = window.client()
        pause(Seconds(1))
        return window.client() == before

    assert wait_until(stays, PATIENCE, POLL)


def leave_dialogs(window: Window) -> None:
    """Press Esc until the game has no dialog: the first may come before the dialog has the focus."""

    def left() -> bool:
        if window.dialog() is not None:
            press("esc")
        return window.dialog() is None

    assert wait_until(left, PATIENCE, Seconds(0.2))


if sys.platform == "win32":
    import win32api
    import win32con
    import win32gui

    from bot.desktop.windows.window import Win32Window

    @contextmanager
    def other_window(place: Rect, focused: bool) -> Iterator[None]:
        """Another program's window on top of everything, with or without the focus."""
        style = win32con.WS_POPUP
        handle = win32gui.CreateWindowEx(win32con.WS_EX_TOPMOST, "EDIT", "in the way", style, *place, 0, 0, 0, None)
        win32gui.ShowWindow(handle, win32con.SW_SHOW if focused else win32con.SW_SHOWNOACTIVATE)
        if focused:
            win32gui.SetForegroundWindow(handle)
        try:
            yield
        finally:
            win32gui.DestroyWindow(handle)

    def hidden_then_closed(after: Seconds) -> Window:
        """Return a window that has been hidden and is gone after so long, as one that is being closed slowly."""
        made: Queue[int] = Queue()

        def close_slowly() -> None:  # a window lives and goes with its thread
            made.put(win32gui.CreateWindow("Static", "closes", win32con.WS_POPUP, 0, 0, 90, 60, 0, 0, 0, None))
            time.sleep(after)

        threading.Thread(target=close_slowly).start()
        return Win32Window(made.get(), FAST)

    @contextmanager
    def holding(key: str) -> Iterator[None]:
        """Hold a key down for the length of the block: Windows is made to say so.

        Wine forgets one that is only pretended whenever X11 tells it of the keys that are down.
        """
        codes = {"shift": win32con.VK_SHIFT, "ctrl": win32con.VK_CONTROL, "alt": win32con.VK_MENU}
        asked = win32api.GetAsyncKeyState

        def answer(code: int) -> int:
            return 0x8000 if code == codes[key] else asked(code)

        with mock.patch.object(win32api, "GetAsyncKeyState", answer):
            yield

    def _handle(window: Window) -> int:
        return int(win32gui.FindWindow("WineMine", None))

    def move_window(window: Window, x: int, y: int) -> None:
        """Drag the game's window somewhere else."""
        before = window.client()
        flags = win32con.SWP_NOSIZE | win32con.SWP_NOZORDER | win32con.SWP_NOACTIVATE
        win32gui.SetWindowPos(_handle(window), 0, x, y, 0, 0, flags)
        assert wait_until(lambda: window.client() != before, PATIENCE, POLL)

    def minimise(window: Window) -> None:
        """Minimise the game's window."""
        win32gui.ShowWindow(_handle(window), win32con.SW_MINIMIZE)

    def buttons_down() -> bool:
        """Whether any mouse button is down."""
        return any(
            win32api.GetAsyncKeyState(button) & 0x8000
            for button in (win32con.VK_LBUTTON, win32con.VK_RBUTTON, win32con.VK_MBUTTON)
        )

else:
    from Xlib import X, Xutil
    from Xlib.protocol import event

    from bot.desktop.x11.connection import Connection
    from bot.desktop.x11.window import X11Window

    @contextmanager
    def holding(key: str) -> Iterator[None]:
        """Hold a key down for the length of the block."""
        with _without_fail_safe() as gui:
            gui.keyDown(key)
            try:
                yield
            finally:
                gui.keyUp(key)

    @contextmanager
    def other_window(place: Rect, focused: bool) -> Iterator[None]:
        """Another program's window on top of everything, with or without the focus."""
        x = Connection()
        window = x.root.create_window(*place, 0, X.CopyFromParent, override_redirect=not focused)
        window.set_wm_name("in the way")
        window.set_wm_normal_hints(flags=Xutil.USPosition)
        window.map()
        window.configure(stack_mode=X.Above)
        x.display.sync()
        assert wait_until(lambda: x.is_viewable(window.id), PATIENCE, POLL)
        if focused:
            window.set_input_focus(X.RevertToParent, X.CurrentTime)  # window managers keep it where clicks go
            x.display.sync()
        try:
            yield
        finally:
            window.destroy()
            x.display.sync()

    def hidden_then_closed(after: Seconds) -> Window:
        """Return a window that has been hidden and is gone after so long, as one that is being closed slowly."""
        x = Connection()
        window = x.root.create_window(0, 0, 90, 60, 0, X.CopyFromParent)
        x.display.sync()
        threading.Timer(after, x.close).start()  # its windows go with the program
        return X11Window(Connection(), window.id, FAST)

    @contextmanager
    def grabbed(what: Literal["pointer", "keyboard"]) -> Iterator[list[Any]]:
        """Another program takes all clicks or keys, as one with an open menu does; gives what it got, at the end."""
        x, got = Connection(), list[Any]()
        menu = x.root.create_window(900, 700, 50, 50, 0, X.CopyFromParent, override_redirect=True)
        menu.map()
        x.display.sync()
        at_once, mask = X.GrabModeAsync, X.ButtonPressMask

        def grab() -> bool:
            if what == "pointer":
                status = menu.grab_pointer(False, mask, at_once, at_once, X.NONE, X.NONE, X.CurrentTime)
            else:
                status = menu.grab_keyboard(False, at_once, at_once, X.CurrentTime)
            return bool(status == X.GrabSuccess)

        try:
            assert wait_until(grab, PATIENCE, Seconds(0.001))
            yield got
        finally:
            x.display.sync()
            while x.display.pending_events():
                came = x.display.next_event()
                if came.type in (X.ButtonPress, X.KeyPress):
                    got.append(came)
            x.close()

    def _window(x: Connection) -> Any:
        names = {identifier: x.names(identifier) for identifier in x.client_windows()}
        return x.window(next(identifier for identifier, name in names.items() if name.contain("winemine")))

    def move_window(window: Window, x: int, y: int) -> None:
        """Drag the game's window somewhere else."""
        connection, before = Connection(), window.client()
        _window(connection).configure(x=x, y=y)
        connection.display.flush()
        assert wait_until(lambda: window.client() != before, PATIENCE, POLL)

    def minimise(window: Window) -> None:
        """Minimise the game's window."""
        x = Connection()
        message = event.ClientMessage(
            window=_window(x),
            client_type=x.atom("WM_CHANGE_STATE"),
            data=(32, [Xutil.IconicState, 0, 0, 0, 0]),
        )
        x.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        x.display.sync()

    def buttons_down() -> bool:
        """Whether any mouse button is down."""
        x = Connection()
        return bool(x.root.query_pointer().mask & (X.Button1Mask | X.Button2Mask | X.Button3Mask))

    def keys_down() -> bool:
        """Whether any key is down."""
        x = Connection()
        return any(x.display.query_keymap())
