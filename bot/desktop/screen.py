"""What the eye sees, by mss: rectangles of the screen as BGR pictures.

One mss connection is kept open per thread. It shows whatever is on the screen, other windows on top included; whether
the pixels are the game's is the window's to say.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress

import cv2
import mss
import numpy as np

from bot.desktop.protocols import GrabError, Rect
from bot.picture import Picture

OFF_THE_SCREEN = "a part of the game is off the screen: move its window until all of it shows, then start the bot again"
"""Windows would give black pixels for that part, and the rest would pass for a smaller board."""


class MssScreen:
    """The `Screen` of a real desktop."""

    def __init__(self) -> None:
        self._of_thread = threading.local()

    def grab(self, rect: Rect) -> Picture:
        """Return the pixels of a rectangle of the screen: C-contiguous, shape (height, width, 3), dtype uint8, BGR.

        Raises `GrabError` when that fails just now: a lock screen, a mode change, a rectangle partly off the screen.
        """
        region = {"left": rect.left, "top": rect.top, "width": rect.width, "height": rect.height}
        try:
            connection = self._connection()
            inside = _holds(connection.monitors[0], rect)
            shot = connection.grab(region) if inside else None
        except (mss.ScreenShotError, OSError) as error:
            self._disconnect()  # a connection that failed once may stay broken
            raise GrabError(f"the screen can't be grabbed at {tuple(rect)}") from error
        if shot is None:
            self._disconnect()  # a new one knows of monitors that have come since
            raise GrabError(OFF_THE_SCREEN)
        bgra = np.frombuffer(shot.raw, dtype=np.uint8).reshape(shot.height, shot.width, 4)
        picture = cv2.cvtColor(bgra, cv2.COLOR_BGRA2BGR)
        assert picture.dtype == np.uint8
        return picture.view(np.uint8)

    def _connection(self) -> mss.MSS:
        connection: mss.MSS | None = getattr(self._of_thread, "connection", None)
        if connection is None:
            connection = self._of_thread.connection = mss.MSS()
        return connection

    def _disconnect(self) -> None:
        connection: mss.MSS | None = getattr(self._of_thread, "connection", None)
        self._of_thread.connection = None
        if connection is not None:
            with suppress(mss.ScreenShotError, OSError):
                connection.close()  # nobody else gives its handles back


def _holds(screen: Mapping[str, int], rect: Rect) -> bool:
    """Whether a rectangle lies wholly on the screen, which all monitors make up together."""
    right, bottom = screen["left"] + screen["width"], screen["top"] + screen["height"]
    return (
        screen["left"] <= rect.left
        and screen["top"] <= rect.top
        and rect.left + rect.width <= right
        and rect.top + rect.height <= bottom
    )
