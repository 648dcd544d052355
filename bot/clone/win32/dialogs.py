"""The dialogs of the clone's Windows window: real, modal and owned by it, with the ids and keys of the Windows 7 game.

`ask` opens one and returns the id of the answer; meanwhile the game's window is disabled and nothing of the game runs.
Ends of games are plain dialogs (class #32770), questions are task dialogs, or plain dialogs where there are none. What
an answer means is not known here: `window.py` does what it says.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable
from ctypes import wintypes
from dataclasses import dataclass
from typing import Literal

assert sys.platform == "win32", "this is a part of the Windows window"

# ruff: noqa: E402
from bot.clone.engine import ANSWERS, WORDS
from bot.clone.win32 import api

AGAIN = KEEP = NEW = CANCEL = BEGINNER = api.IDCANCEL
"""The Cancel id, which Esc, Alt+F4 and the X give: play again, keep playing, a new game, do not exit, beginner."""

EXIT_WON, EXIT_LOST, RESTART_LOST = 1027, 1004, 1005
QUIT, RESTART = 100, 101
SAVE, DO_NOT_SAVE = 110, 111
CONTINUE = 120
INTERMEDIATE, ADVANCED = 130, 131
_NO_BUTTON = 99
"""A default id that no button has: the first link then is what Enter takes."""


@dataclass(frozen=True)
class Prompt:
    """A question: its words, its buttons in order (id and label), and which of them Enter takes."""

    kind: Literal["plain", "links", "buttons"]
    title: str
    text: str
    buttons: tuple[tuple[int, str], ...]
    default: int
    details: tuple[str, ...] = ()
    check_box: str = ""


def end_of_game(won: bool, seconds: int, level: str) -> Prompt:
    """Return "Game Won" or "Game Lost"; games of a level of one's own have no statistics."""
    title, text = WORDS["won" if won else "lost"]
    details = (f"Time: {seconds} seconds", f"Level: {level}") if level else (f"Time: {seconds} seconds",)
    if won:
        return Prompt("plain", title, text, ((EXIT_WON, "E&xit"), (AGAIN, "&Play again")), AGAIN, details)
    buttons = ((EXIT_LOST, "E&xit"), (RESTART_LOST, "&Restart this game"), (AGAIN, "&Play again"))
    return Prompt("plain", title, text, buttons, AGAIN, details)


NEW_GAME = Prompt(
    "links",
    *WORDS["new game"],
    tuple(zip((QUIT, RESTART, KEEP), (label for label, _ in ANSWERS["new game"]), strict=True)),
    _NO_BUTTON,
)
CHANGED_SETTINGS = Prompt(
    "links",
    "Game Settings",
    "These settings will not apply to the game in progress. What do you want to do?",
    ((QUIT, "Quit and start a new game with the new settings"), (KEEP, "Finish the game")),
    KEEP,
)
EXIT = Prompt(
    "buttons",
    "Exit Game",
    "Do you want to save the game in progress?",
    ((SAVE, "&Save"), (DO_NOT_SAVE, "Do&n't save"), (CANCEL, "Cancel")),
    SAVE,
)
SAVED_GAME = Prompt(
    "buttons",
    "Saved Game Found",
    "Do you want to continue your saved game?",
    ((CONTINUE, "&Yes"), (NEW, "&No")),
    CONTINUE,
    check_box="Always continue saved games",
)
DIFFICULTY = Prompt(
    "links",
    "Select Difficulty",
    "What level of difficulty do you want to play?",
    ((BEGINNER, "Beginner"), (INTERMEDIATE, "Intermediate"), (ADVANCED, "Advanced")),
    BEGINNER,
)


def ask(owner: int, dialog: Prompt) -> int:
    """Open a dialog over its owner and return the id of what was chosen.

    Ctrl-C closes it and goes on to the caller.
    """
    if dialog.kind != "plain":
        answer = _ask_by_task_dialog(owner, dialog)
        if answer is not None:
            return answer
    return _ask_by_plain_dialog(owner, dialog)


class _Failure:
    """What failed inside a procedure that Windows called: it cannot pass through Windows by itself."""

    def __init__(self) -> None:
        self.reason: BaseException | None = None

    def run(self, act: Callable[[], int], close: Callable[[], object]) -> int:
        """Do something for Windows; when it fails, close the dialog."""
        try:
            return act()
        except BaseException as reason:
            self.reason = reason
            close()
            return 0

    def go_on(self) -> None:
        """Let the caller have what failed."""
        if self.reason is not None:
            raise self.reason


_BEAT_MS = 100
"""How often a dialog runs Python, so that Ctrl-C is noticed."""


# Plain dialogs, from a template in memory. Sizes are dialog units.

_BUTTON, _STATIC = 0x0080, 0x0082
_WIDTH, _MARGIN, _LINE, _BUTTON_HEIGHT = 220, 10, 12, 16


def _ask_by_plain_dialog(owner: int, dialog: Prompt) -> int:
    ids = [number for number, _ in dialog.buttons]
    failure = _Failure()

    def procedure(window: int, message: int, wparam: int, lparam: int) -> int:
        return failure.run(lambda: act(window, message, wparam), lambda: api.user32.EndDialog(window, api.IDCANCEL))

    def act(window: int, message: int, wparam: int) -> int:
        if message == api.WM_INITDIALOG:
            _centre(window, owner)
            api.user32.SetTimer(window, 1, _BEAT_MS, None)
            api.user32.SetFocus(api.user32.GetDlgItem(window, dialog.default if dialog.default in ids else ids[0]))
            return 0  # the focus is where it belongs
        if message == api.WM_COMMAND and wparam >> 16 == 0 and wparam & 0xFFFF in (*ids, api.IDCANCEL):
            api.user32.EndDialog(window, wparam & 0xFFFF)
            return 1
        return 0

    template = _template(dialog)
    kept = api.WindowProcedure(procedure)
    answer = api.user32.DialogBoxIndirectParamW(api.own_program(), template, owner, kept, 0)
    failure.go_on()
    if answer <= 0:
        raise ctypes.WinError(ctypes.get_last_error())
    return int(answer)


def _centre(window: int, owner: int) -> None:
    inner, outer = wintypes.RECT(), wintypes.RECT()
    api.user32.GetWindowRect(window, ctypes.byref(inner))
    api.user32.GetWindowRect(owner, ctypes.byref(outer))
    x = (outer.left + outer.right - inner.right + inner.left) // 2
    y = (outer.top + outer.bottom - inner.bottom + inner.top) // 2
    flags = api.SWP_NOSIZE | api.SWP_NOZORDER | api.SWP_NOACTIVATE
    api.user32.SetWindowPos(window, None, max(x, 0), max(y, 0), 0, 0, flags)


def _template(dialog: Prompt) -> ctypes.Array[ctypes.c_char]:
    """Return the dialog as DLGTEMPLATE and its items."""
    child = api.WS_CHILD | api.WS_VISIBLE
    items = []
    y = _MARGIN
    for line in (dialog.text, "", *dialog.details):
        items.append(_item(child, _MARGIN, y, _WIDTH - 2 * _MARGIN, _LINE, 0xFFFF, _STATIC, line))
        y += _LINE
    if dialog.check_box:
        style = child | api.WS_TABSTOP | api.BS_AUTOCHECKBOX
        items.append(_item(style, _MARGIN, y, _WIDTH - 2 * _MARGIN, _LINE, 10, _BUTTON, dialog.check_box))
        y += _LINE
    y += _MARGIN
    width = (_WIDTH - _MARGIN) // len(dialog.buttons)
    for place, (number, label) in enumerate(dialog.buttons):
        style = child | api.WS_TABSTOP | (api.BS_DEFPUSHBUTTON if number == dialog.default else 0)
        x = _MARGIN + place * width
        items.append(_item(style, x, y, width - _MARGIN, _BUTTON_HEIGHT, number, _BUTTON, label))
    style = api.WS_POPUP | api.WS_CAPTION | api.WS_SYSMENU | api.DS_MODALFRAME | api.DS_SHELLFONT
    height = y + _BUTTON_HEIGHT + _MARGIN
    head = struct.pack("<IIHhhhhHH", style, 0, len(items), 0, 0, _WIDTH, height, 0, 0)
    head += _text(dialog.title) + struct.pack("<H", 9) + _text("MS Shell Dlg")
    data = b"".join(_aligned(part) for part in (head, *items))
    return ctypes.create_string_buffer(data, len(data))


def _item(style: int, x: int, y: int, width: int, height: int, number: int, kind: int, label: str) -> bytes:
    head = struct.pack("<IIhhhhHHH", style, 0, x, y, width, height, number, 0xFFFF, kind)
    return head + _text(label) + struct.pack("<H", 0)


def _text(text: str) -> bytes:
    return text.encode("utf-16-le") + b"\0\0"


def _aligned(part: bytes) -> bytes:
    return part + bytes(-len(part) % 4)


# Task dialogs

_CANCELLABLE, _COMMAND_LINKS, _TIMER, _OVER_THE_OWNER = 0x0008, 0x0010, 0x0800, 0x1000
_CLICK_BUTTON = 0x0466

_TaskProcedure = ctypes.WINFUNCTYPE(
    wintypes.LONG, wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM, ctypes.c_ssize_t
)


class _TaskButton(ctypes.Structure):
    """TASKDIALOG_BUTTON."""

    _pack_ = 1
    _fields_ = [("number", ctypes.c_int), ("label", wintypes.LPCWSTR)]


class _TaskDialog(ctypes.Structure):
    """TASKDIALOGCONFIG."""

    _pack_ = 1
    _fields_ = [
        ("size", wintypes.UINT),
        ("owner", wintypes.HWND),
        ("instance", wintypes.HINSTANCE),
        ("flags", ctypes.c_int),
        ("common_buttons", ctypes.c_int),
        ("title", wintypes.LPCWSTR),
        ("icon", api.POINTER),
        ("instruction", wintypes.LPCWSTR),
        ("content", wintypes.LPCWSTR),
        ("button_count", wintypes.UINT),
        ("buttons", ctypes.POINTER(_TaskButton)),
        ("default", ctypes.c_int),
        ("radio_count", wintypes.UINT),
        ("radios", api.POINTER),
        ("default_radio", ctypes.c_int),
        ("verification", wintypes.LPCWSTR),
        ("expanded", wintypes.LPCWSTR),
        ("expanded_control", wintypes.LPCWSTR),
        ("collapsed_control", wintypes.LPCWSTR),
        ("footer_icon", api.POINTER),
        ("footer", wintypes.LPCWSTR),
        ("callback", _TaskProcedure),
        ("callback_data", ctypes.c_ssize_t),
        ("width", wintypes.UINT),
    ]


def _ask_by_task_dialog(owner: int, dialog: Prompt) -> int | None:
    """Return the answer, or None where the common controls of this process have no task dialogs (before version 6)."""
    try:
        open_dialog = api.comctl32.TaskDialogIndirect
    except AttributeError:
        return None
    failure = _Failure()

    def procedure(window: int, notice: int, wparam: int, lparam: int, data: int) -> int:
        close = lambda: api.user32.SendMessageW(window, _CLICK_BUTTON, api.IDCANCEL, 0)  # noqa: E731
        return failure.run(lambda: 0, close)

    kept = _TaskProcedure(procedure)
    buttons = (_TaskButton * len(dialog.buttons))(*(_TaskButton(*button) for button in dialog.buttons))
    flags = _CANCELLABLE | _TIMER | _OVER_THE_OWNER | (_COMMAND_LINKS if dialog.kind == "links" else 0)
    config = _TaskDialog(
        size=ctypes.sizeof(_TaskDialog),
        owner=owner,
        flags=flags,
        title=dialog.title,
        instruction=dialog.text,
        button_count=len(buttons),
        buttons=buttons,
        default=dialog.default,
        verification=dialog.check_box or None,
        callback=kept,
    )
    answer = ctypes.c_int()
    problem = open_dialog(ctypes.byref(config), ctypes.byref(answer), None, None)
    failure.go_on()
    return None if problem else answer.value
