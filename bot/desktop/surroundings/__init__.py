"""What can be found out about the desktop around the game, for the doctor: scaling, rights, who covers a pixel.

It looks and changes nothing; whatever can't be known here is None.
"""

from __future__ import annotations

import sys
from typing import Protocol


class Surroundings(Protocol):
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


def look_around(window_text: str | None) -> Surroundings:
    """Return what there is around the game's window. Raises `NoWindowError` when there is no screen or no game."""
    if sys.platform == "win32":
        from bot.desktop.surroundings.windows import WindowsSurroundings

        return WindowsSurroundings(window_text)
    from bot.desktop.surroundings.x11 import X11Surroundings

    return X11Surroundings()
