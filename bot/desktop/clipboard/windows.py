"""The clipboard of Windows."""

from __future__ import annotations

import pywintypes
import win32clipboard
import win32con

from bot.desktop.clipboard import ANSWER_POLL, ANSWER_TIMEOUT, NoPictureError
from bot.desktop.timing import wait_until
from bot.picture import bitmap_file


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
