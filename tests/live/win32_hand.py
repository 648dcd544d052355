"""Raw input for a Windows window and raw questions about it: nothing of the bot's own hand is used."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from ctypes import wintypes
from typing import Any

assert sys.platform == "win32", "this is for tests inside of a Windows Python"

# ruff: noqa: E402
import win32api
import win32con
import win32gui
import win32process

from bot.clone.engine import LEFT, TILE, TOP, Layout
from bot.clone.tiles import Tile
from bot.desktop.timing import Seconds, wait_until
from bot.level import Level
from tests.live.stage import Account

PATIENCE, POLL = Seconds(60), Seconds(0.002)
F2, F15, ENTER, ESC = 0x71, 0x7E, 0x0D, 0x1B
DOWN = {"left": 0x0002, "right": 0x0008, "middle": 0x0020}
UP = {"left": 0x0004, "right": 0x0010, "middle": 0x0040}

_user32 = ctypes.WinDLL("user32")


class _ThreadInfo(ctypes.Structure):
    """GUITHREADINFO."""

    _fields_ = [
        ("size", wintypes.DWORD),
        ("flags", wintypes.DWORD),
        *((name, wintypes.HWND) for name in ("active", "focus", "capture", "menu", "moved", "caret")),
        ("caret_place", wintypes.RECT),
    ]


class Hand:
    """A hand over the clone's window."""

    def __init__(self, level: Level, account: Account) -> None:
        self.layout = Layout(level.rows, level.cols)
        self.account = account
        self.window = win32gui.FindWindow("Minesweeper", None)
        self.child = win32gui.FindWindowEx(self.window, 0, "Static", None)
        self._thread, _ = win32process.GetWindowThreadProcessId(self.window)
        self.seed = int(account.lines("new game")[-1]["seed"])
        self.until(lambda: win32gui.GetForegroundWindow() == self.window)

    def begin(self) -> None:
        """Have a new game, whatever there was, and an empty account."""
        games = len(self.account.lines("new game"))
        if self.account.lines("dialog") and not win32gui.IsWindowEnabled(self.window):
            self.choose(self.dialog(), 2)
        self.key(F2)
        self.until(lambda: self._asked_or_dealt(games))
        if len(self.account.lines("new game")) == games:
            self.choose(self.dialog(), 100)
        self.until(lambda: len(self.account.lines("new game")) > games)
        self.key(F15)  # ends the deal
        self.let_it_handle()
        self.seed = int(self.account.lines("new game")[-1]["seed"])
        self.account.forget()

    def _asked_or_dealt(self, games: int) -> bool:
        return len(self.account.lines("new game")) > games or not win32gui.IsWindowEnabled(self.window)

    def choose(self, dialog: int, button: int) -> None:
        """Click on a button of a dialog and wait until it is gone."""
        win32gui.PostMessage(win32gui.GetDlgItem(dialog, button), win32con.BM_CLICK, 0, 0)
        assert self.answered(dialog)

    def until(self, true: Callable[[], Any]) -> Any:
        """Return what becomes true, or fail."""
        result = wait_until(true, PATIENCE, POLL)
        assert result, self.account.lines()
        return result

    def client(self) -> tuple[int, int, int, int]:
        """Return left, top, width and height of the client area on the screen."""
        _, _, width, height = win32gui.GetClientRect(self.window)
        return *win32gui.ClientToScreen(self.window, (0, 0)), width, height

    def place(self, tile: Tile, aside: int = 0) -> tuple[int, int]:
        """Return the middle of a tile on the screen, or some layout pixels beside it."""
        left, top, width, height = self.client()
        scale, x, y = self.layout.fit(width, height)
        row, col = tile
        return (
            round(left + x + (LEFT + (col + 0.5) * TILE + aside) * scale),
            round(top + y + (TOP + (row + 0.5) * TILE) * scale),
        )

    def move(self, x: int, y: int) -> None:
        """Move the pointer there."""
        width, height = win32api.GetSystemMetrics(0), win32api.GetSystemMetrics(1)
        win32api.mouse_event(0x8001, -(-x * 65536 // width), -(-y * 65536 // height), 0, 0)

    def to(self, tile: Tile, aside: int = 0) -> None:
        """Move the pointer onto a tile."""
        self.move(*self.place(tile, aside))

    def press(self, button: str = "left") -> None:
        """Send a press, and wait for nothing."""
        win32api.mouse_event(DOWN[button], 0, 0, 0, 0)

    def release(self, button: str = "left") -> None:
        """Send a release, and wait for nothing."""
        win32api.mouse_event(UP[button], 0, 0, 0, 0)

    def key(self, key: int) -> None:
        """Send a key, down and up."""
        win32api.keybd_event(key, 0, 0, 0)
        win32api.keybd_event(key, 0, win32con.KEYEVENTF_KEYUP, 0)

    def click(self, tile: Tile, button: str = "left") -> None:
        """Click on a tile and wait until that was handled, whatever it did.

        The game answers between the move and the press, as the bot has it do: under Wine, whoever presses at once may
        find the pointer told to be where it was before.
        """
        self.to(tile)
        self.let_it_handle()
        self.click_here(button)

    def click_here(self, button: str = "left") -> None:
        """Click where the pointer is and wait until that was handled, whatever it did."""
        self.press(button)
        self.until(self.captures)
        self.release(button)
        self.until(lambda: not self.captures())
        self.let_it_handle()

    def captures(self) -> bool:
        """Whether the game holds the mouse."""
        info = _ThreadInfo(size=ctypes.sizeof(_ThreadInfo))
        _user32.GetGUIThreadInfo(self._thread, ctypes.byref(info))
        return bool(info.capture == self.window)

    def let_it_handle(self) -> None:
        """Return once the game has handled what was sent until now: nine answers of its child."""
        for _ in range(9):
            assert self._answers(round(1000 * PATIENCE))

    def is_busy(self) -> bool:
        """Whether the game's thread is drawing or stopped at this moment."""
        return not self._answers(60)

    def _answers(self, milliseconds: int) -> bool:
        nothing = ctypes.c_size_t()
        return bool(
            _user32.SendMessageTimeoutW(self.child, win32con.WM_NULL, 0, 0, 0, milliseconds, ctypes.byref(nothing))
        )

    def dialog(self) -> int:
        """Return the dialog of the game once it is there and has the focus."""

        def found() -> int:
            front = int(win32gui.GetForegroundWindow())
            is_dialog = bool(front) and win32gui.GetClassName(front) == "#32770"
            return front if is_dialog and win32gui.GetWindow(front, win32con.GW_OWNER) == self.window else 0

        return int(self.until(found))

    def answered(self, dialog: int) -> bool:
        """Wait until a dialog is gone and the game can be played again."""
        self.until(lambda: not win32gui.IsWindow(dialog))
        self.until(lambda: win32gui.IsWindowEnabled(self.window))
        return bool(self.until(lambda: win32gui.GetForegroundWindow() == self.window))


def controls(dialog: int) -> dict[int, str]:
    """Return the buttons of a dialog in order: ids and labels."""
    found: dict[int, str] = {}

    def note(handle: int, _: object) -> bool:
        if win32gui.GetClassName(handle) == "Button":
            found[win32gui.GetDlgCtrlID(handle)] = win32gui.GetWindowText(handle).replace("&", "")
        return True

    win32gui.EnumChildWindows(dialog, note, None)
    return found
