"""Marks over the game's window that a person sees and the bot does not.

An overlay shows a picture's marks exactly where they belong, lets every click through and follows the window. What it
sees of the game is free of its own marks, so that reading goes on under them. Where a platform can't do that, the
marked picture is shown in a window beside the game instead. It never clicks and never takes the focus.
"""

from __future__ import annotations

import sys
from typing import Protocol

from bot.desktop.protocols import Rect
from bot.picture import Picture

_GAP = 8
"""Pixels between the game and a window beside it."""


class Overlay(Protocol):
    """A sheet of glass over the game."""

    @property
    def in_place(self) -> bool:
        """Whether the marks lie over the board, and not in a window beside it."""

    def see(self) -> Picture:
        """Return the game's client area without the marks, and follow the window.

        Raises `NoWindowError` when it is closed or minimised, `GrabError` when it can't be seen just now.
        """

    def show(self, seen: Picture, marked: Picture) -> None:
        """Show the marks: what differs between the picture that was seen and the same one with marks on it."""

    def clear(self) -> None:
        """Show no marks."""

    def close(self) -> None:
        """Take the glass away."""


def beside(client: Rect, width: int, screen_width: int) -> tuple[int, int]:
    """Return where a window of a width belongs: right of the game's client area, or left of it for want of room."""
    right = client.left + client.width + _GAP
    if right + width <= screen_width:
        return right, client.top
    return max(client.left - width - _GAP, 0), client.top


def open_overlay(window_text: str | None, beside: bool = False) -> Overlay:
    """Return an overlay for the game's window; with `beside` a window beside it. Raises `NoWindowError`."""
    if sys.platform == "win32":
        from bot.desktop.windows.overlay import WindowsOverlay

        return WindowsOverlay(window_text, beside)
    from bot.desktop.x11.overlay import X11Overlay

    return X11Overlay(window_text, beside)
