"""The clone behind the desktop's promises, with no screen at all.

A `CloneDesktop` is a virtual screen with one window in which a `Game` is drawn; clicks and keys act on the game as
Windows 7 would take them. What the bot sees of it is pixels. Waiting takes no time here, but counts. Nothing ever goes
wrong on this desktop; on the one of `faulty.py` everything does.
"""

from __future__ import annotations

import time

import numpy as np

from bot.clone.game import Game
from bot.clone.look import Painter, Style, paint_dialog
from bot.desktop import Click, Clock, CoveredError, Desktop, Dialog, Key, MovedError, Rect
from bot.picture import Picture

WALLPAPER = (120, 84, 40)
"""Blue, green, red of the desktop behind the window."""

DIALOG_DELAY = 0.3
"""Seconds between the end of a game and its dialog."""


class SkippingClock:
    """The time on the wall plus every wait that was skipped."""

    def __init__(self) -> None:
        self._skipped = 0.0

    def now(self) -> float:
        """Return seconds since some fixed moment; never goes back."""
        return time.perf_counter() + self._skipped

    def sleep(self, seconds: float) -> None:
        """Return at once, as if that long had passed."""
        self._skipped += max(seconds, 0.0)


class CloneDesktop:
    """A game, drawn at `position` of a virtual screen, that is seen and clicked like a real one.

    Each F2 or "Play again" deals the game of the next seed.
    """

    def __init__(
        self,
        game: Game,
        style: Style | None = None,
        position: tuple[int, int] = (120, 90),
        clock: Clock | None = None,
    ) -> None:
        self.game = game
        self.clock: Clock = clock or SkippingClock()
        self.painter = Painter(game.level.rows, game.level.cols, style or Style())
        self.position = position
        self._pointer = (0, 0)
        self._confined: Rect | None = None
        self._confined_in: Rect | None = None
        self._started: float | None = None
        self._ended: float | None = None
        self._dialog_aside = False

    def desktop(self) -> Desktop:
        """Return this clone as the desktop that play expects."""
        return Desktop(window=self, screen=self, mouse=self, keys=self, clock=self.clock)

    # Window

    @property
    def title(self) -> str:
        """The title as the user sees it."""
        return "Minesweeper"

    def client(self) -> Rect:
        """Return the client area on the screen."""
        return Rect(*self.position, *self.painter.size)

    def is_foreground(self) -> bool:
        """Whether the window has the focus: always."""
        return True

    def bring_to_front(self) -> None:
        """Nothing is ever in front of it."""

    def owns(self, x: int, y: int) -> bool:
        """Whether the topmost window at this pixel is the game's own."""
        return self.client().contains(x, y)

    def dialog(self) -> Dialog | None:
        """Return the end dialog, some time after the end of a game."""
        if self._ended is None or self.clock.now() < self._ended + DIALOG_DELAY:
            return None
        return Dialog("Game Won" if self.game.state == "won" else "Game Lost")

    def push_aside(self, dialog: Dialog) -> None:
        """Move the end dialog beside the window."""
        self._dialog_aside = True

    # Screen

    def grab(self, rect: Rect) -> Picture:
        """Return the pixels of a rectangle of the virtual screen."""
        if rect == self.client():
            return self._paint()
        screen = wallpaper(rect)
        paste(screen, rect, self._paint(), self.position)
        return screen

    def _paint(self) -> Picture:
        canvas = self.painter.paint(
            self.game.board(),
            hover=None if self.dialog() else self._tile_at(*self._pointer),
            seconds=self._seconds(),
            mines_left=self.game.mines_left,
            state=self.game.state,
        )
        dialog = self.dialog()
        if dialog is None or self._dialog_aside:
            picture: Picture = canvas.copy()
            return picture
        return paint_dialog(canvas, "won" if self.game.state == "won" else "lost")

    def _seconds(self) -> int:
        if self._started is None:
            return 0
        end = self.clock.now() if self._ended is None else self._ended
        return min(int(end - self._started), 999)

    # Mouse

    def confine(self, board: Rect) -> None:
        """From now on click only inside this rectangle of the screen, and only while the window stays where it is."""
        self._confined, self._confined_in = board, self.client()

    def click(self, clicks: list[Click]) -> None:
        """Click one after the other; a dialog in front swallows them, as a modal one does."""
        for click in clicks:
            if self._confined is None or not self._confined.contains(click.x, click.y):
                raise CoveredError(f"a click at {click.x}, {click.y} would be outside the board")
            if self.client() != self._confined_in:
                raise MovedError("the game's window was moved or resized")
            self._pointer = (click.x, click.y)
            tile = self._tile_at(click.x, click.y)
            if tile is not None and self.dialog() is None:
                self._act(click, *tile)

    def _act(self, click: Click, row: int, col: int) -> None:
        act = {"left": self.game.open, "right": self.game.mark, "middle": self.game.chord}[click.button]
        act(row, col)
        if self._started is None and self.game.state != "new":
            self._started = self.clock.now()
        if self._ended is None and self.game.state in ("won", "lost"):
            self._ended = self.clock.now()

    def park(self, x: int, y: int) -> None:
        """Move the pointer out of the way, without clicking."""
        self._pointer = (x, y)

    def _tile_at(self, x: int, y: int) -> tuple[int, int] | None:
        return self.painter.tile_at(x - self.position[0], y - self.position[1])

    # Keys

    def tap(self, key: Key) -> None:
        """F2 starts a new game, and so does Enter on an end dialog."""
        if key == "f2" or (key == "enter" and self.dialog() is not None):
            self.game.new(self.game.seed + 1)
            self._started = self._ended = None
            self._dialog_aside = False

    def stop_requested(self) -> str | None:
        """Nobody is there to want a stop."""
        return None


def wallpaper(rect: Rect) -> Picture:
    """Return what a rectangle of the screen shows where there is no window."""
    return np.full((rect.height, rect.width, 3), WALLPAPER, dtype=np.uint8)


def paste(screen: Picture, rect: Rect, picture: Picture, place: tuple[int, int]) -> None:
    """Put a picture, whose left top corner is at a place of the whole screen, on the part of it that `rect` is."""
    x, y = place[0] - rect.left, place[1] - rect.top
    left, top = max(x, 0), max(y, 0)
    right, bottom = min(x + picture.shape[1], rect.width), min(y + picture.shape[0], rect.height)
    if left < right and top < bottom:
        screen[top:bottom, left:right] = picture[top - y : bottom - y, left - x : right - x]
