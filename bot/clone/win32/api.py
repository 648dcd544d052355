"""What the clone's window needs of Windows, declared once for ctypes: functions, structures and numbers.

Nothing is decided here. The functions belong to library objects of our own, so that what they are declared to take
disturbs no one else in the process. pywin32 is not used: it has no task dialogs, and its window procedures hide what
fails in them.
"""

from __future__ import annotations

import ctypes
import sys
from ctypes import wintypes
from typing import Any

assert sys.platform == "win32", "this is a part of the Windows window"

user32: Any = ctypes.WinDLL("user32", use_last_error=True)
gdi32: Any = ctypes.WinDLL("gdi32")
kernel32: Any = ctypes.WinDLL("kernel32")
comctl32: Any = ctypes.WinDLL("comctl32")

RESULT = ctypes.c_ssize_t
POINTER = ctypes.c_void_p

WindowProcedure = ctypes.WINFUNCTYPE(RESULT, wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM)

# Messages
WM_DESTROY, WM_SIZE, WM_ACTIVATE, WM_PAINT, WM_CLOSE, WM_ERASEBKGND = 0x0002, 0x0005, 0x0006, 0x000F, 0x0010, 0x0014
WM_MOUSEACTIVATE, WM_GETMINMAXINFO = 0x0021, 0x0024
WM_KEYDOWN, WM_INITDIALOG, WM_COMMAND, WM_INITMENU = 0x0100, 0x0110, 0x0111, 0x0116
WM_MOUSEMOVE, WM_LBUTTONDOWN, WM_LBUTTONUP = 0x0200, 0x0201, 0x0202
WM_RBUTTONDOWN, WM_RBUTTONUP, WM_MBUTTONDOWN, WM_MBUTTONUP = 0x0204, 0x0205, 0x0207, 0x0208
WM_ENTERMENULOOP, WM_SIZING, WM_ENTERSIZEMOVE, WM_MOUSELEAVE = 0x0211, 0x0214, 0x0231, 0x02A3

# Styles
WS_OVERLAPPEDWINDOW, WS_CLIPCHILDREN = 0x00CF0000, 0x02000000
WS_CHILD, WS_VISIBLE, WS_POPUP, WS_CAPTION, WS_SYSMENU = 0x40000000, 0x10000000, 0x80000000, 0x00C00000, 0x00080000
WS_TABSTOP = 0x00010000
SS_SIMPLE = 0x000B
BS_DEFPUSHBUTTON, BS_AUTOCHECKBOX = 0x0001, 0x0003
DS_MODALFRAME, DS_SHELLFONT = 0x0080, 0x0048
CW_USEDEFAULT = -0x80000000

# Answers and other numbers
HTCLIENT, MA_ACTIVATEANDEAT = 1, 2
MK_SHIFT, MK_CONTROL = 0x0004, 0x0008
PM_NOREMOVE = 0
GWLP_WNDPROC = -4
SW_SHOW = 5
SWP_NOSIZE, SWP_NOZORDER, SWP_NOACTIVATE = 0x0001, 0x0004, 0x0010
SPI_GETWORKAREA = 0x0030
TME_LEAVE = 0x0002
IDC_ARROW, IDI_APPLICATION = 32512, 32512
BLACKNESS, SRCCOPY = 0x00000042, 0x00CC0020
COLORONCOLOR = 3
MF_STRING, MF_POPUP, MF_SEPARATOR, MF_CHECKED = 0x0000, 0x0010, 0x0800, 0x0008
FVIRTKEY, VK_F2 = 0x01, 0x71
IDCANCEL = 2


class WindowClass(ctypes.Structure):
    """WNDCLASSEXW."""

    _fields_ = [
        ("size", wintypes.UINT),
        ("style", wintypes.UINT),
        ("procedure", WindowProcedure),
        ("class_extra", ctypes.c_int),
        ("window_extra", ctypes.c_int),
        ("instance", wintypes.HINSTANCE),
        ("icon", wintypes.HICON),
        ("cursor", POINTER),
        ("background", wintypes.HBRUSH),
        ("menu", wintypes.LPCWSTR),
        ("name", wintypes.LPCWSTR),
        ("small_icon", wintypes.HICON),
    ]


class TrackMouse(ctypes.Structure):
    """TRACKMOUSEEVENT."""

    _fields_ = [
        ("size", wintypes.DWORD),
        ("flags", wintypes.DWORD),
        ("window", wintypes.HWND),
        ("hover", wintypes.DWORD),
    ]


class MinMaxInfo(ctypes.Structure):
    """MINMAXINFO."""

    _fields_ = [
        ("reserved", wintypes.POINT),
        ("max_size", wintypes.POINT),
        ("max_position", wintypes.POINT),
        ("min_track", wintypes.POINT),
        ("max_track", wintypes.POINT),
    ]


class PaintStruct(ctypes.Structure):
    """PAINTSTRUCT."""

    _fields_ = [
        ("dc", wintypes.HDC),
        ("erase", wintypes.BOOL),
        ("area", wintypes.RECT),
        ("restore", wintypes.BOOL),
        ("update", wintypes.BOOL),
        ("reserved", ctypes.c_byte * 32),
    ]


class Accelerator(ctypes.Structure):
    """ACCEL."""

    _fields_ = [("flags", wintypes.BYTE), ("key", wintypes.WORD), ("command", wintypes.WORD)]


def _declare(library: Any, result: Any, functions: dict[str, tuple[Any, ...]]) -> None:
    for name, arguments in functions.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments


_HWND, _INT, _UINT, _HDC, _TEXT = wintypes.HWND, ctypes.c_int, wintypes.UINT, wintypes.HDC, wintypes.LPCWSTR
_WPARAM, _LPARAM = wintypes.WPARAM, wintypes.LPARAM

_declare(
    user32,
    wintypes.BOOL,
    {
        "PeekMessageW": (POINTER, _HWND, _UINT, _UINT, _UINT),
        "GetMessageW": (POINTER, _HWND, _UINT, _UINT),
        "TranslateMessage": (POINTER,),
        "GetCursorPos": (POINTER,),
        "ScreenToClient": (_HWND, POINTER),
        "GetClientRect": (_HWND, POINTER),
        "GetWindowRect": (_HWND, POINTER),
        "AdjustWindowRectEx": (POINTER, wintypes.DWORD, wintypes.BOOL, wintypes.DWORD),
        "SystemParametersInfoW": (_UINT, _UINT, POINTER, _UINT),
        "SetWindowPos": (_HWND, _HWND, _INT, _INT, _INT, _INT, _UINT),
        "MoveWindow": (_HWND, _INT, _INT, _INT, _INT, wintypes.BOOL),
        "ShowWindow": (_HWND, _INT),
        "SetForegroundWindow": (_HWND,),
        "DestroyWindow": (_HWND,),
        "PostMessageW": (_HWND, _UINT, _WPARAM, _LPARAM),
        "ReleaseCapture": (),
        "TrackMouseEvent": (POINTER,),
        "EndPaint": (_HWND, POINTER),
        "InvalidateRect": (_HWND, POINTER, wintypes.BOOL),
        "AppendMenuW": (wintypes.HMENU, _UINT, ctypes.c_size_t, _TEXT),
        "CheckMenuRadioItem": (wintypes.HMENU, _UINT, _UINT, _UINT, _UINT),
        "CheckMenuItem": (wintypes.HMENU, _UINT, _UINT),
        "EndDialog": (_HWND, RESULT),
        "SetWindowTextW": (_HWND, _TEXT),
    },
)
_declare(
    user32,
    RESULT,
    {
        "DefWindowProcW": (_HWND, _UINT, _WPARAM, _LPARAM),
        "CallWindowProcW": (POINTER, _HWND, _UINT, _WPARAM, _LPARAM),
        "SendMessageW": (_HWND, _UINT, _WPARAM, _LPARAM),
        "DispatchMessageW": (POINTER,),
        "DialogBoxIndirectParamW": (POINTER, POINTER, _HWND, WindowProcedure, _LPARAM),
    },
)
_declare(
    user32,
    POINTER,
    {
        "CreateWindowExW": (
            wintypes.DWORD, _TEXT, _TEXT, wintypes.DWORD, _INT, _INT, _INT, _INT, _HWND, POINTER, POINTER, POINTER,
        ),
        "SetWindowLongPtrW": (_HWND, _INT, WindowProcedure),
        "LoadCursorW": (POINTER, POINTER),
        "LoadIconW": (POINTER, POINTER),
        "SetCapture": (_HWND,),
        "GetActiveWindow": (),
        "GetDC": (_HWND,),
        "BeginPaint": (_HWND, POINTER),
        "CreateMenu": (),
        "CreatePopupMenu": (),
        "CreateAcceleratorTableW": (POINTER, _INT),
        "GetDlgItem": (_HWND, _INT),
        "SetFocus": (_HWND,),
    },
)  # fmt: skip
_declare(
    user32,
    _INT,
    {
        "ReleaseDC": (_HWND, _HDC),
        "TranslateAcceleratorW": (_HWND, POINTER, POINTER),
    },
)
user32.RegisterClassExW.restype, user32.RegisterClassExW.argtypes = wintypes.ATOM, (POINTER,)
user32.PostQuitMessage.restype, user32.PostQuitMessage.argtypes = None, (_INT,)
user32.SetTimer.restype, user32.SetTimer.argtypes = ctypes.c_size_t, (_HWND, ctypes.c_size_t, _UINT, POINTER)
_declare(
    gdi32,
    _INT,
    {
        "StretchDIBits": (
            _HDC, _INT, _INT, _INT, _INT, _INT, _INT, _INT, _INT, POINTER, POINTER, _UINT, wintypes.DWORD,
        ),
        "SetStretchBltMode": (_HDC, _INT),
        "PatBlt": (_HDC, _INT, _INT, _INT, _INT, wintypes.DWORD),
        "GdiFlush": (),
    },
)  # fmt: skip
kernel32.Sleep.restype, kernel32.Sleep.argtypes = None, (wintypes.DWORD,)
kernel32.GetModuleHandleW.restype, kernel32.GetModuleHandleW.argtypes = POINTER, (_TEXT,)
kernel32.GetUserDefaultUILanguage.restype = wintypes.WORD


def own_program() -> Any:
    """Return the handle of this program, to which its window class belongs."""
    return kernel32.GetModuleHandleW(None)
