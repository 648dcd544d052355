"""What is around the game: scaling, rights, who covers a pixel, for the doctor; and the picture in the clipboard.

It asks and changes nothing. What can't be known of the desktop is None; what was copied stays in the clipboard.
"""

from __future__ import annotations

import os
import sys
from typing import Protocol

from bot.desktop.protocols import DesktopError, NoScreenError
from bot.desktop.timing import Seconds

ANSWER_TIMEOUT, ANSWER_POLL = Seconds(5.0), Seconds(0.005)
"""How long the program that a picture was copied in may be silent: a large one is only made once it is asked for."""

KINDS = ("image/png", "image/bmp", "image/jpeg", "image/webp")
"""The forms of a picture that can be read, best first."""

ON_WAYLAND = 'on Wayland "wl-paste --type image/png | minebot dry-run -" passes it on'


class Environment(Protocol):
    """What a backend can tell beside the promises that playing needs."""

    @property
    def system(self) -> str:
        """The desktop in a few words: "Windows 10.0.19045", "X11 with Openbox"."""

    @property
    def physical_pixels(self) -> bool:
        """Whether coordinates are physical pixels, whatever the scaling."""

    @property
    def scale(self) -> float | None:
        """The scaling of the screen with the game: 1.25 for 125 %."""

    @property
    def out_of_reach(self) -> bool:
        """Whether the game runs with more rights than the bot, so that clicks vanish without a word."""

    @property
    def hindrance(self) -> str | None:
        """Why this kind of desktop may show no pixels or take no clicks, or None."""

    def at(self, x: int, y: int) -> str:
        """Return the title of the topmost window at a pixel; "the desktop" when there is none."""


def find_environment(window_text: str | None) -> Environment:
    """Return what there is around the game's window. Raises `NoWindowError` when there is no screen or no game."""
    if sys.platform == "win32":
        from bot.desktop.windows.environment import WindowsEnvironment

        return WindowsEnvironment(window_text)
    from bot.desktop.x11.environment import X11Environment

    return X11Environment()


class NoPictureError(DesktopError):
    """There is no picture in the clipboard, or nobody hands it over; the message is a sentence with the next step."""


def copied_picture() -> bytes:
    """Return the picture in the clipboard. Raises `NoPictureError`, and `NoScreenError` where there is no clipboard."""
    if sys.platform == "win32":
        from bot.desktop.windows.environment import copied

        return copied()
    from bot.desktop.x11.environment import copied

    if not os.environ.get("WAYLAND_DISPLAY"):
        return copied()
    try:
        return copied()  # many Wayland desktops share what was copied with programs for X11
    except (NoPictureError, NoScreenError) as error:
        raise NoPictureError(f"{error}; {ON_WAYLAND}") from error
