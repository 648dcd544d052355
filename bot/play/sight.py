"""What is seen of the game's window: a picture that stands still, where the tiles are in it, and what they show.

`Still` and `Sight` are values that are handed on: whoever clicks asks them where a tile is on the screen. `grab_window`
and `settle` are how anybody gets a picture that stands still; each picture is preceded by the question whether the user
wants to stop. Nothing here knows a tile by its look.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import numpy as np

from bot.desktop import Desktop, GrabError, Rect
from bot.desktop.timing import Timing
from bot.picture import Picture
from bot.play.events import InDoubtError
from bot.play.timer import Timer
from bot.vision.grid import Grid
from bot.vision.reader import NoBoardError, Reading

LEAST_TRIES = 5
"""Time that has run out counts only after so many tries: a computer that wakes up has slept through any deadline."""


@dataclass(frozen=True)
class Still:
    """A picture of the window that stood still, where the window was on the screen, and where its tiles are in it."""

    picture: Picture
    client: Rect
    grid: Grid

    @property
    def board(self) -> Rect:
        """The tiles on the screen, all of them."""
        return self._on_screen(self.grid.box)

    def tile(self, row: int, col: int) -> Rect:
        """Return one tile on the screen."""
        return self._on_screen(self.grid.tile(row, col))

    def middle_of(self, row: int, col: int, aside: tuple[float, float] = (0.0, 0.0)) -> tuple[int, int]:
        """Return the pixel of the screen in the middle of a tile, or so many tiles to the right and below of it."""
        x, y = self.grid.center(row, col)
        return self._pixel(x + aside[0] * self.grid.pitch_x, y + aside[1] * self.grid.pitch_y)

    def above(self, tiles: float) -> tuple[int, int]:
        """Return the pixel of the screen that is so many tiles above the middle of the board's upper edge."""
        left, top, right, _ = self.grid.box
        return self._pixel((left + right) / 2, top - tiles * self.grid.pitch_y)

    @property
    def margin(self) -> tuple[int, int]:
        """A pixel of the screen where a pointer lights no tile: half a tile from the board's left top corner."""
        grid = self.grid
        return self._pixel(max(grid.left - grid.pitch_x / 2, 1), max(grid.top - grid.pitch_y / 2, 1))

    def _pixel(self, x: float, y: float) -> tuple[int, int]:
        return self.client.left + round(x), self.client.top + round(y)

    def _on_screen(self, box: tuple[float, float, float, float]) -> Rect:
        left, top, right, bottom = (round(edge) for edge in box)
        return Rect(self.client.left + left, self.client.top + top, right - left, bottom - top)


@dataclass(frozen=True)
class Sight(Still):
    """A still picture that was read, and what was noticed while it was waited for."""

    reading: Reading
    began: float
    """When its first picture was grabbed."""
    moved: bool
    """Whether tiles were seen to change between two pictures since the look began."""
    hurried: bool
    """Whether the game was ever told to hurry, because its picture went on moving."""


def board_part(picture: Picture, grid: Grid | None) -> Picture:
    """Return the part of a picture that shows the board; all of it as long as that is not known."""
    if grid is None:
        return picture
    left, top, right, bottom = (max(0, round(edge)) for edge in grid.box)
    return picture[top:bottom, left:right]


def equal(one: Picture, other: Picture) -> bool:
    """Whether two pictures are the same to the last pixel."""
    return one.shape == other.shape and np.array_equal(one, other)


DARK = 110
"""Grey level: what no hundredth of a window's points reaches is dimmed; covered tiles of the darkest known look do."""


def no_board(reason: NoBoardError, picture: Picture | None, seconds: float) -> NoBoardError:
    """Return what to tell a person in whose window no board was seen for so long, and what to do about it."""
    dark = picture is not None and float(np.quantile(picture.max(axis=2), 0.99)) < DARK
    seen = f"{reason}, in {seconds:.1f} s of looking"
    dimmed = ", and it is dark: if the screen or another program dims it, end that" if dark else ""
    todo = "uncover it; another window is named by --window, a look not known yet is learnt by minebot calibrate"
    return NoBoardError(f"{seen}{dimmed}: {todo} (minebot doctor tells more)")


def grab_window(desktop: Desktop, timing: Timing, timer: Timer) -> tuple[Picture, Rect]:
    """Return a picture of the window and where it was taken, trying again for a while when the screen gives none.

    Raises `StopRequestedError` when the user wants to stop, and `GrabError` when no picture is to be had.
    """
    desktop.obey_the_user()
    client = desktop.window.client()
    deadline = desktop.clock.now() + timing.grab_timeout
    for tries in count(1):
        try:
            with timer.on("grab", desktop.clock):
                return desktop.screen.grab(client), client
        except GrabError:
            if desktop.clock.now() > deadline and tries > LEAST_TRIES:
                raise
            timer.sleep(timing.grab_retry, desktop.clock)
    raise AssertionError("unreachable")


def settle(
    desktop: Desktop,
    timer: Timer,
    grab: Callable[[], Picture],
    apart: float,
    deadline: float,
    *,
    part: Callable[[Picture], Picture] = lambda picture: picture,
    meanwhile: Callable[[Picture], None] = lambda picture: None,
    moves: Callable[[Picture, Picture], None] = lambda earlier, later: None,
) -> Picture:
    """Return the first picture whose `part` equals that of the one before it, grabbed so many seconds earlier.

    Between the two `meanwhile` is told of the first one; `moves` is told of two that differ. Raises `InDoubtError` when
    the picture does not stand still before the deadline.
    """
    clock = desktop.clock
    picture = grab()
    for looks in count(1):
        seen_at = clock.now()
        meanwhile(picture)
        timer.sleep(seen_at + apart - clock.now(), clock)
        again = grab()
        if picture.shape == again.shape and equal(part(picture), part(again)):
            return again
        moves(picture, again)
        if clock.now() > deadline and looks > LEAST_TRIES:
            raise InDoubtError("the picture does not stand still", again)
        picture = again
    raise AssertionError("unreachable")
