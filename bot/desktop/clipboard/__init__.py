"""The picture in the clipboard, as the bytes of a picture file.

It asks and changes nothing: what was copied stays there.
"""

from __future__ import annotations

import os
import sys

from bot.desktop import DesktopError, NoScreenError
from bot.desktop.timing import Seconds

ANSWER_TIMEOUT, ANSWER_POLL = Seconds(5.0), Seconds(0.005)
"""How long the program that a picture was copied in may be silent: a large one is only made once it is asked for."""

KINDS = ("image/png", "image/bmp", "image/jpeg", "image/webp")
"""The forms of a picture that can be read, best first."""

ON_WAYLAND = 'on Wayland "wl-paste --type image/png | minebot dry-run -" passes it on'


class NoPictureError(DesktopError):
    """There is no picture in the clipboard, or nobody hands it over; the message is a sentence with the next step."""


def copied_picture() -> bytes:
    """Return the picture in the clipboard. Raises `NoPictureError`, and `NoScreenError` where there is no clipboard."""
    if sys.platform == "win32":
        from bot.desktop.clipboard.windows import copied

        return copied()
    from bot.desktop.clipboard.x11 import copied

    if not os.environ.get("WAYLAND_DISPLAY"):
        return copied()
    try:
        return copied()  # many Wayland desktops share what was copied with programs for X11
    except (NoPictureError, NoScreenError) as error:
        raise NoPictureError(f"{error}; {ON_WAYLAND}") from error
