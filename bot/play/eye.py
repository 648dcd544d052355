"""Looks at the game's window until it stands still, and says where the tiles are and what they show.

`Still` and `Sight` are values that are handed on: whoever clicks asks them where a tile is on the screen. A
`TimedDesktop` is how anybody gets a picture that stands still; each is preceded by the question whether the user wants
to stop. `Eye` never returns a picture that still moves, and finds the board again when the window was moved or
resized. It changes nothing: what is to be done about a picture that does not come to rest, or about doubts, is for
others (`player.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from typing import Literal

import numpy as np

from bot.desktop import Desktop, GrabError, Rect
from bot.desktop.timing import Deadline, Timing
from bot.picture import Picture
from bot.play.events import InDoubtError
from bot.vision.grid import Grid
from bot.vision.reader import NoBoardError, Reader, Reading

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

    @property
    def around(self) -> list[tuple[int, int]]:
        """Pixels of the window a tile beside the board, at its corners and its sides' middles.

        A window that hides whole rows or columns, so that the rest looks like a smaller board, is in front of some.
        """
        grid, (left, top, right, bottom) = self.grid, self.grid.box
        width, height = self.client.width, self.client.height
        across = [min(max(x, 0), width - 1) for x in (left - grid.pitch_x, (left + right) / 2, right + grid.pitch_x)]
        down = [min(max(y, 0), height - 1) for y in (top - grid.pitch_y, (top + bottom) / 2, bottom + grid.pitch_y)]
        return [self._pixel(x, y) for x in across for y in down if (x, y) != (across[1], down[1])]

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
    """Whether tiles were seen to change between two pictures since the last clicks."""
    hurried: bool
    """Whether the game was ever told to hurry, because its picture went on moving."""

    @cached_property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.reading.state != "playing"


def board_part(picture: Picture, grid: Grid | None) -> Picture:
    """Return the part of a picture that shows the board; all of it as long as that is not known."""
    if grid is None:
        return picture
    left, top, right, bottom = (max(0, round(edge)) for edge in grid.box)
    return picture[top:bottom, left:right]


def equal(one: Picture, other: Picture) -> bool:
    """Whether two pictures are the same to the last pixel."""
    return one.shape == other.shape and np.array_equal(one, other)


def is_plain(picture: Picture) -> bool:
    """Whether a picture is of one colour all over."""
    return bool((picture == picture[:1, :1]).all())


DARK = 110
"""Grey level: what no hundredth of a window's points reaches is dimmed; covered tiles of the darkest known look do."""


def if_dimmed(picture: Picture) -> str:
    """Return what to add to the reason why a picture can't be read, nothing when it is as bright as it should be."""
    dark = float(np.quantile(picture.max(axis=2), 0.99)) < DARK
    return ", and it is dark: if the screen or another program dims it, end that" if dark else ""


def no_board(reason: NoBoardError, picture: Picture | None, seconds: float) -> NoBoardError:
    """Return what to tell a person in whose window no board was seen for so long, and what to do about it."""
    seen = f"{reason}, in {seconds:.1f} s of looking"
    dimmed = "" if picture is None else if_dimmed(picture)
    todo = "uncover it; another window is named by --window, a look not known yet is learnt by minebot calibrate"
    return NoBoardError(f"{seen}{dimmed}: {todo} (minebot doctor tells more)")


Spending = Literal["repaint", "grab", "read", "decide", "click"]


@dataclass
class Timer:
    """The seconds spent on each so far."""

    repaint: float = 0.0
    grab: float = 0.0
    read: float = 0.0
    decide: float = 0.0
    click: float = 0.0


class TimedDesktop:
    """A desktop, how long to wait there for what, and where the seconds went."""

    def __init__(self, desktop: Desktop, timing: Timing) -> None:
        self.desktop = desktop
        self.timing = timing
        self.timer = Timer()
        self.clock = desktop.clock

    @contextmanager
    def spending(self, on: Spending) -> Iterator[None]:
        """Count the seconds of a block."""
        start = self.clock.now()
        try:
            yield
        finally:
            setattr(self.timer, on, getattr(self.timer, on) + self.clock.now() - start)

    def sleep(self, seconds: float) -> None:
        """Wait for the game, and count that; returns at once for nothing or less."""
        if seconds > 0:
            with self.spending("repaint"):
                self.clock.sleep(seconds)

    def grab_window(self) -> tuple[Picture, Rect]:
        """Return a picture of the window and where it was taken, trying again for a while when the screen gives none.

        Raises `StopRequestedError` when the user wants to stop, and `GrabError` when no picture is to be had.
        """
        self.desktop.obey_the_user()
        client = self.desktop.window.client()
        deadline = self.clock.now() + self.timing.grab_timeout
        for tries in count(1):
            try:
                with self.spending("grab"):
                    return self.desktop.screen.grab(client), client
            except GrabError:
                if self.clock.now() > deadline and tries > LEAST_TRIES:
                    raise
                self.sleep(self.timing.grab_retry)
        raise AssertionError("unreachable")

    def await_drawing(self) -> None:
        """Return once the window is of more than one colour: one just opened has nothing drawn in it for a while."""
        deadline = Deadline(self.timing.new_game_timeout, self.clock)
        while is_plain(self.grab_window()[0]) and not deadline.passed:
            self.sleep(self.timing.window_poll)

    def settle(
        self,
        grab: Callable[[], Picture],
        apart: float,
        *,
        part: Callable[[Picture], Picture] = lambda picture: picture,
        meanwhile: Callable[[Picture], None] = lambda picture: None,
        moves: Callable[[Picture, Picture], None] = lambda earlier, later: None,
    ) -> Picture:
        """Return the first picture whose `part` equals that of the one before it, grabbed so many seconds earlier.

        Between the two `meanwhile` is told of the first one; `moves` is told of two that differ. Raises `InDoubtError`
        when the picture does not stand still in time.
        """
        deadline = self.clock.now() + self.timing.settle_timeout
        picture = grab()
        for looks in count(1):
            seen_at = self.clock.now()
            meanwhile(picture)
            self.sleep(seen_at + apart - self.clock.now())
            again = grab()
            if picture.shape == again.shape and equal(part(picture), part(again)):
                return again
            moves(picture, again)
            if self.clock.now() > deadline and looks > LEAST_TRIES:
                raise InDoubtError("the picture does not stand still", again)
            picture = again
        raise AssertionError("unreachable")


class Eye:
    """Looks at one desktop's game with one reader."""

    def __init__(self, at: TimedDesktop, reader: Reader) -> None:
        self.picture: Picture | None = None
        """The last picture that stood still, whether or not there was a board in it."""
        self._at = at
        self._reader = reader
        self._client: Rect | None = None
        self._grid: Grid | None = None
        """Where the tiles are; None to find them at the next look."""
        self._early: Reading | None = None
        """What the last picture shows on the known grid, read before it was known to stand still."""
        self._began: float | None = None
        self._restless_since = 0.0
        self._moved = self._hurried = False

    def await_change(self, sight: Sight, row: int, col: int, patience: float) -> None:
        """Return when a tile no longer looks as it did, or when the patience is at its end.

        Only this tile is grabbed, which is much cheaper than looking at the board.
        """
        self._moved = False
        at = self._at
        place = sight.tile(row, col)
        left, top = place.left - sight.client.left, place.top - sight.client.top
        before = sight.picture[top : top + place.height, left : left + place.width]
        deadline = at.clock.now() + patience
        while at.clock.now() < deadline:
            at.desktop.obey_the_user()
            with at.spending("grab"), suppress(GrabError):
                if not np.array_equal(at.desktop.screen.grab(place), before):
                    return
            at.sleep(at.timing.settle_poll)

    def read(self, hurry: Callable[[], bool]) -> Sight:
        """Return what is seen once two pictures in a row are equal, on the known grid while there is one.

        On a known grid the first picture is read while the game has time to change it: what moves is not waited for
        twice. `hurry` is called whenever it has moved for long, and says whether the game was told to hurry. Raises
        `NoBoardError` when there is no board and `InDoubtError` when the picture never stands still.
        """
        timing, in_step = self._at.timing, self._at.desktop.mouse.in_step
        self._restless_since = self._at.clock.now()
        self._began = None
        self.picture = picture = self._at.settle(
            self._grab,
            timing.tick if in_step else timing.settle_poll,  # who draws in ticks shows the same all through one
            meanwhile=self._read_early,
            moves=lambda earlier, later: self._note_a_move(earlier, later, hurry),
        )
        reading = self._early if self._grid is not None else None
        if reading is None:
            reading = self._understand(picture, None)
            self._grid = reading.grid
        assert self._client is not None
        assert self._began is not None
        return Sight(picture, self._client, reading.grid, reading, self._began, self._moved, self._hurried)

    def _read_early(self, picture: Picture) -> None:
        """Read a picture of which it is not known yet whether it stands still, where the tiles are known."""
        if self._began is None:
            self._began = self._at.clock.now()
        self._early = None if self._grid is None else self._understand(picture, self._grid)

    def _note_a_move(self, earlier: Picture, later: Picture, hurry: Callable[[], bool]) -> None:
        """Take down that the picture moves, and call `hurry` when it has done so for long."""
        if self._grid is not None and not equal(board_part(earlier, self._grid), board_part(later, self._grid)):
            self._moved = self._moved or earlier.shape == later.shape
        now = self._at.clock.now()
        if now > self._restless_since + self._at.timing.hurry:
            self._restless_since = now
            self._hurried = hurry() or self._hurried

    def _understand(self, picture: Picture, grid: Grid | None) -> Reading:
        with self._at.spending("read"):
            return self._reader.read(picture, grid)

    def recall(self, sight: Sight | None) -> None:
        """Look at the next look where the board was in a sight, if the window is where it was then."""
        self._grid = sight.grid if sight is not None and sight.client == self._client else None

    def forget(self) -> None:
        """Find the board anew at the next look."""
        self._grid = None

    def _grab(self) -> Picture:
        picture, client = self._at.grab_window()
        if client != self._client:
            self._client = client
            self._grid = None
        return picture
