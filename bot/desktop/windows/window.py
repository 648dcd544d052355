"""The game's window on Windows: found, measured, raised and watched through pywin32.

Nothing here moves the pointer, and no key is pressed but the unassigned one with which Windows lets a program take the
foreground.
"""

from __future__ import annotations

import ctypes
import sys
from contextlib import contextmanager, suppress

assert sys.platform == "win32", "this is the Windows backend"


# ruff: noqa: E402
import sys
from collections.abc import Iterator
from pathlib import PureWindowsPath
from typing import NamedTuple

import pywintypes
import win32api
import win32clipboard
import win32con
import win32gui
import win32process
import win32security

from bot.desktop.input import AtOnce, InStep
from bot.desktop.names import WindowNames, find_game, takes_clicks_where_made
from bot.desktop.protocols import (
    ANSWER_POLL,
    ANSWER_TIMEOUT,
    CLOSING,
    DesktopError,
    Dialog,
    Handshake,
    NoPictureError,
    NoWindowError,
    Outcome,
    Rect,
    Standing,
    StopRequestedError,
)
from bot.desktop.timing import FAST, WALL, Seconds, Timing, pause, wait_until
from bot.picture import bitmap_file

_USER32 = ctypes.WinDLL("user32")

STAYS = Seconds(0.05)
"""How long a window must have been in front to be taken for it; a window manager under Wine takes less to act."""

_DIALOG_CLASS = "#32770"

_PLAY_AGAIN = win32con.IDCANCEL
_EXITS: dict[int, Outcome] = {1027: "won", 1004: "lost"}
"""What the Windows 7 game numbers the buttons of its end dialogs: the one that deals a new game, and the one that
leaves, by which the two dialogs can be told apart in any language."""

_BLOCKING = {
    0x0002: "its window is being moved or resized",
    0x0004: "its menu is open",
    0x0008: "a menu is open",
    0x0010: "a menu is open",
}
"""The flags of `GetGUIThreadInfo` that say that a window does not hear the mouse, in words."""

_MODIFIERS = {
    win32con.VK_SHIFT: "Shift",
    win32con.VK_CONTROL: "Ctrl",
    win32con.VK_MENU: "Alt",
    win32con.VK_LWIN: "the Windows key",
    win32con.VK_RWIN: "the Windows key",
}
"""Keys that make another click of a click and another key of a key: Ctrl and Esc together open the start menu."""

_UNASSIGNED_KEY = 0xE8
"""A virtual key that Windows promises to leave unused."""

_QUERY_LIMITED_INFORMATION = 0x1000
_LONGEST_PATH = 32768
_ACCESS_DENIED = 5
_DOWN = 0x8000


def pointer_position() -> tuple[int, int]:
    """Return where the pointer is; Windows tells nobody while another desktop than ours has the screen.

    Raises `StopRequestedError` then.
    """
    try:
        return win32api.GetCursorPos()
    except pywintypes.error as reason:
        raise StopRequestedError("the screen is locked, or Windows asks for permission") from reason


class Win32Window:
    """The `Window` of a Windows desktop."""

    def __init__(self, handle: int, timing: Timing) -> None:
        self.handle = handle
        self._timing = timing

    @property
    def title(self) -> str:
        return win32gui.GetWindowText(self.handle)

    def client(self) -> Rect:
        try:
            if win32gui.IsIconic(self.handle):
                raise NoWindowError("the game's window is minimised")
            _, _, width, height = win32gui.GetClientRect(self.handle)
            left, top = win32gui.ClientToScreen(self.handle, (0, 0))
        except pywintypes.error as reason:
            raise NoWindowError("the game's window was closed") from reason
        if not win32gui.IsWindowVisible(self.handle):
            # One that is being closed is hidden before it is gone.
            if wait_until(lambda: not win32gui.IsWindow(self.handle), CLOSING, self._timing.window_poll):
                raise NoWindowError("the game's window was closed")
            raise NoWindowError("the game's window is hidden")
        return Rect(left, top, width, height)

    def is_foreground(self) -> bool:
        return self._belongs(win32gui.GetForegroundWindow())

    def _belongs(self, handle: int) -> bool:
        """Whether a window is the game's or, over any number of owners, a dialog of it."""
        seen = set()
        while handle and handle not in seen:
            if handle == self.handle:
                return True
            seen.add(handle)
            handle = _owner(handle)
        return False

    def focus_is_free(self) -> bool:
        return not win32gui.GetForegroundWindow()

    def bring_to_front(self) -> None:
        """Show it, raise it and give it the focus, or its dialog. Windows may refuse: each way is tried and verified.

        Raises `NoWindowError` when it is closed and `DesktopError` when nothing helps.
        """
        if not win32gui.IsWindow(self.handle):
            raise NoWindowError("the game's window was closed")
        for step in (self._ask, self._ask_as_the_foreground_thread, self._ask_after_a_key):
            if win32gui.IsIconic(self.handle):
                win32gui.ShowWindow(self.handle, win32con.SW_RESTORE)
            with suppress(pywintypes.error):  # a refusal; the next step may be let through
                step()
            if wait_until(self._stays_in_front, self._timing.focus_timeout, self._timing.window_poll):
                return
        if not self.is_foreground():
            raise DesktopError("the game's window can't be brought to the front")

    def _front(self) -> int:
        """Return the window that keys are meant for: the dialog when there is one, whose answer the game waits for."""
        dialog = self.dialog()
        return self.handle if dialog is None else dialog.handle

    def _is_in_front(self) -> bool:
        return not win32gui.IsIconic(self.handle) and win32gui.GetForegroundWindow() == self._front()

    def _stays_in_front(self) -> bool:
        """Whether it is in front, and is so a moment later too: one just minimised may be so again, by a late wish."""
        if not self._is_in_front():
            return False
        pause(STAYS)
        return self._is_in_front()

    def _ask(self) -> None:
        # Wine focuses without raising, hence the second call; a dialog of the game keeps its place on top.
        win32gui.SetForegroundWindow(self._front())
        win32gui.BringWindowToTop(self._front())

    def _ask_as_the_foreground_thread(self) -> None:
        """While attached to the thread that has the focus, a program may hand it on."""
        foreground, _ = win32process.GetWindowThreadProcessId(win32gui.GetForegroundWindow())
        own = win32api.GetCurrentThreadId()
        if foreground in (0, own):
            return
        win32process.AttachThreadInput(own, foreground, True)
        try:
            self._ask()
        finally:
            win32process.AttachThreadInput(own, foreground, False)

    def _ask_after_a_key(self) -> None:
        """The program that had the last input may take the foreground."""
        win32api.keybd_event(_UNASSIGNED_KEY, 0, 0, 0)
        win32api.keybd_event(_UNASSIGNED_KEY, 0, win32con.KEYEVENTF_KEYUP, 0)
        self._ask()

    def owns(self, x: int, y: int) -> bool:
        """Whether the topmost window at this pixel of the screen is the game's own, and not a dialog of it."""
        at_pixel = win32gui.WindowFromPoint((x, y))
        return bool(at_pixel) and win32gui.GetAncestor(at_pixel, win32con.GA_ROOT) == self.handle

    def standing(self, x: int, y: int) -> Standing:
        return Standing(self.client(), self.is_foreground(), self.owns(x, y), pointer_position(), self._busy())

    def _busy(self) -> str:
        """Return why the game would not take a click as one, as a sentence; nothing when it would."""
        if not win32gui.IsWindowEnabled(self.handle):
            return "the game waits for an answer to a dialog"
        blocking = self._blocking()
        return f"the game takes no clicks: {blocking}" if blocking else _key_held()

    def keys_blocked(self) -> str:
        blocking = self._blocking()
        return f"the game takes no keys: {blocking}" if blocking else _key_held()

    def _blocking(self) -> str:
        """Return why the game hears neither mouse nor keys as it should; nothing when it does."""
        flags = _gui_thread(self.handle).flags
        return next((why for flag, why in _BLOCKING.items() if flags & flag), "")

    def dialog(self) -> Dialog | None:
        for handle in _top_level_windows():
            if handle != self.handle and _class_of(handle) == _DIALOG_CLASS and self._belongs(handle):
                buttons = _buttons(handle)
                ids = {_control_id(button) for button in buttons}
                outcomes = [outcome for number, outcome in _EXITS.items() if number in ids and _PLAY_AGAIN in ids]
                return Dialog(
                    win32gui.GetWindowText(handle),
                    handle=handle,
                    outcome=outcomes[0] if outcomes else None,
                    choices=tuple(win32gui.GetWindowText(button).replace("&", "") for button in buttons),
                )
        return None

    def play_again(self, dialog: Dialog) -> bool:
        """Press the button that deals a new game, by its number; nobody else can be hit by that."""
        if dialog.outcome is None:
            return False
        with suppress(pywintypes.error):  # answered or gone meanwhile
            win32gui.PostMessage(win32gui.GetDlgItem(dialog.handle, _PLAY_AGAIN), win32con.BM_CLICK, 0, 0)
        return True

    def captured(self) -> bool:
        """Whether the game holds the mouse: it does from the press that it handles to the release that it handles."""
        return bool(_gui_thread(self.handle).captured)

    def round_trip(self) -> bool:
        """Send the game's picture a message that does nothing and return when it has answered; False when not.

        The main window might take even that for something; the control it draws in lives on the same thread.
        """
        target = _child(self.handle) or self.handle
        timeout = round(1000 * self._timing.game_timeout)
        try:
            win32gui.SendMessageTimeout(target, win32con.WM_NULL, 0, 0, win32con.SMTO_NORMAL, timeout)
        except pywintypes.error as reason:
            if reason.winerror == _ACCESS_DENIED:  # one with more rights than we have; its clicks are lost anyway
                WALL.sleep(self._timing.shown_after)
                return True
            return False
        return True

    def handshake(self) -> Handshake:
        """Return how to wait for this game: every program may ask late where the pointer is, unless it is known not to.

        The control in which the Windows 7 game draws tells it from XP's, whose window is of the same class.
        """
        names = _names(self.handle)
        if takes_clicks_where_made(names) and not _child(self.handle):
            return AtOnce()
        return InStep(self, self._timing, WALL)

    def push_aside(self, dialog: Dialog) -> None:
        client = self.client()
        flags = win32con.SWP_NOSIZE | win32con.SWP_NOZORDER | win32con.SWP_NOACTIVATE
        with suppress(pywintypes.error):  # answered or gone meanwhile
            win32gui.SetWindowPos(dialog.handle, 0, client.left + client.width, client.top, 0, 0, flags)

    def is_out_of_reach(self) -> bool:
        """Whether the game runs with more rights than the bot, so that Windows drops our clicks without a word."""
        _, process = win32process.GetWindowThreadProcessId(self.handle)
        return _is_elevated(process) and not _is_elevated(win32api.GetCurrentProcessId())


def _key_held() -> str:
    """Return that a key is held down which makes something else of what we send; nothing when none is."""
    held = [name for key, name in _MODIFIERS.items() if win32api.GetAsyncKeyState(key) & _DOWN]
    return f"{held[0]} is held down" if held else ""


def find_window(text: str | None, timing: Timing) -> Win32Window:
    """Return the game's window: the one a text names, otherwise a known game. Raises `NoWindowError`."""
    handles = [handle for handle in _top_level_windows() if not _owner(handle)]
    return Win32Window(handles[find_game([_names(handle) for handle in handles], text)], timing)


def _top_level_windows() -> list[int]:
    """The visible top-level windows, from top to bottom."""
    handles: list[int] = []
    win32gui.EnumWindows(lambda handle, _: handles.append(handle), None)
    return [handle for handle in handles if win32gui.IsWindowVisible(handle)]


class _GuiThread(NamedTuple):
    """What a window's thread is about: flags, and the window that holds the mouse."""

    flags: int
    captured: int


class _GuiThreadInfo(ctypes.Structure):
    """Windows' own record; pywin32 does not have it."""

    _fields_ = (
        ("cbSize", ctypes.c_uint32),
        ("flags", ctypes.c_uint32),
        ("hwndActive", ctypes.c_void_p),
        ("hwndFocus", ctypes.c_void_p),
        ("hwndCapture", ctypes.c_void_p),
        ("hwndMenuOwner", ctypes.c_void_p),
        ("hwndMoveSize", ctypes.c_void_p),
        ("hwndCaret", ctypes.c_void_p),
        ("rcCaret", ctypes.c_int32 * 4),
    )


def _gui_thread(handle: int) -> _GuiThread:
    """Ask what a window's thread is about; nothing is known of one that has ended."""
    thread, _ = win32process.GetWindowThreadProcessId(handle)
    info = _GuiThreadInfo(cbSize=ctypes.sizeof(_GuiThreadInfo))
    _USER32.GetGUIThreadInfo(thread, ctypes.byref(info))
    return _GuiThread(info.flags, info.hwndCapture or 0)


def _child(handle: int) -> int:
    """The control of class Static in which the Windows 7 game draws; 0 where there is none."""
    try:
        return int(win32gui.FindWindowEx(handle, 0, "Static", None))
    except pywintypes.error:
        return 0


def _buttons(dialog: int) -> list[int]:
    """The push buttons of a dialog, from top to bottom and left to right."""
    found: list[int] = []
    with suppress(pywintypes.error):  # a dialog without controls, or one that is going
        win32gui.EnumChildWindows(dialog, lambda handle, _: found.append(handle), None)
    placed = []
    for handle in found:
        if _class_of(handle) == "Button" and win32gui.IsWindowVisible(handle):
            with suppress(pywintypes.error):
                left, top, _, _ = win32gui.GetWindowRect(handle)
                placed.append((top, left, handle))
    return [handle for _, _, handle in sorted(placed)]


def _control_id(handle: int) -> int:
    """The number of a dialog's control; 0 once it has gone."""
    try:
        return int(win32gui.GetDlgCtrlID(handle))
    except pywintypes.error:
        return 0


def _owner(handle: int) -> int:
    """The window that a dialog belongs to; 0 when there is none."""
    try:
        return int(win32gui.GetWindow(handle, win32con.GW_OWNER))
    except pywintypes.error:  # closed since it was listed
        return 0


def _names(handle: int) -> WindowNames:
    return WindowNames(win32gui.GetWindowText(handle), _class_of(handle), _program(handle))


def _class_of(handle: int) -> str:
    try:
        return win32gui.GetClassName(handle) or ""
    except pywintypes.error:  # closed since it was listed
        return ""


def _program(handle: int) -> str:
    """The file name of a window's program; empty when Windows does not let us know."""
    _, process_id = win32process.GetWindowThreadProcessId(handle)
    with suppress(pywintypes.error), _process(process_id) as process:
        path = ctypes.create_unicode_buffer(_LONGEST_PATH)
        length = ctypes.c_ulong(_LONGEST_PATH)
        kernel32 = ctypes.WinDLL("kernel32")  # pywin32 has only the call that elevated programs refuse
        if kernel32.QueryFullProcessImageNameW(ctypes.c_void_p(process), 0, path, ctypes.byref(length)):
            return PureWindowsPath(path.value).name
    return ""


def _is_elevated(process_id: int) -> bool:
    """Whether a process runs as administrator. One whose rights may not be looked at has more than we have."""
    try:
        with _process(process_id) as process:
            token = win32security.OpenProcessToken(process, win32con.TOKEN_QUERY)
            return bool(win32security.GetTokenInformation(token, win32security.TokenElevation))
    except pywintypes.error:
        return True


@contextmanager
def _process(process_id: int) -> Iterator[int]:
    """A handle to ask a process about itself."""
    handle = win32api.OpenProcess(_QUERY_LIMITED_INFORMATION, False, process_id)
    try:
        yield int(handle)
    finally:
        win32api.CloseHandle(handle)


_UNSCALED_DPI = 96
_SYSTEM_AWARE = 1


class WindowsEnvironment:
    """The `Environment` on Windows. Raises `NoWindowError` when there is no game."""

    def __init__(self, window_text: str | None) -> None:
        self._window = find_window(window_text, FAST)
        self._user32 = ctypes.WinDLL("user32")

    @property
    def system(self) -> str:
        version = sys.getwindowsversion()
        return f"Windows {version.major}.{version.minor}.{version.build}"

    @property
    def physical_pixels(self) -> bool:
        with suppress(AttributeError):
            context = ctypes.c_void_p(self._user32.GetThreadDpiAwarenessContext())
            return int(self._user32.GetAwarenessFromDpiAwarenessContext(context)) > _SYSTEM_AWARE
        return bool(self._user32.IsProcessDPIAware())

    @property
    def scale(self) -> float | None:
        with suppress(AttributeError):  # before Windows 10
            dots = int(self._user32.GetDpiForWindow(ctypes.c_void_p(self._window.handle)))
            return dots / _UNSCALED_DPI if dots else None
        return None

    @property
    def out_of_reach(self) -> bool:
        return self._window.is_out_of_reach()

    @property
    def hindrance(self) -> str | None:
        return None

    def at(self, x: int, y: int) -> str:
        handle = win32gui.WindowFromPoint((x, y))
        if not handle:
            return "the desktop"
        return win32gui.GetWindowText(win32gui.GetAncestor(handle, win32con.GA_ROOT)) or "a window without a title"


def copied() -> bytes:
    """Return the picture in the clipboard: the PNG where a program has put one there, else the bitmap."""
    if not wait_until(_opened, ANSWER_TIMEOUT, ANSWER_POLL):
        raise NoPictureError("another program keeps the clipboard to itself; try again")
    try:
        png = win32clipboard.RegisterClipboardFormat("PNG")
        for kind in (png, win32con.CF_DIB):
            if win32clipboard.IsClipboardFormatAvailable(kind):
                raw = bytes(win32clipboard.GetClipboardData(kind))
                return raw if kind == png else bitmap_file(raw)
    except pywintypes.error as error:
        raise NoPictureError(f"the clipboard does not hand its picture over: {error.strerror}") from error
    finally:
        win32clipboard.CloseClipboard()  # type: ignore[no-untyped-call]
    raise NoPictureError("there is no picture in the clipboard: press Alt+PrtScn in the game, then try again")


def _opened() -> bool:
    """Open the clipboard, unless another program has it open just now."""
    try:
        win32clipboard.OpenClipboard()
    except pywintypes.error:
        return False
    return True
