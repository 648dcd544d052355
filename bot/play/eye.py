"""Looks at the game's window until what it sees can be relied on, and says where the tiles are.

`Still` and `Sight` are values that are handed on: whoever clicks asks them where a tile is on the screen. `grab_window`
and `settle` are how anybody gets a picture that stands still; each picture is preceded by the question whether the user
wants to stop. `Eye` never returns a picture that still moves; it finds the board again when the window was moved or
resized, or when a reading leaves doubts. It does not know what would be doubtful: it is told.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from bot.desktop import Desktop, Dialog, GrabError, Outcome, Rect
from bot.desktop.timing import Timing
from bot.picture import Picture
from bot.play.events import InDoubtError, Timer
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

    @property
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


class Eye:
    """Looks at one desktop's game with one reader."""

    def __init__(self, desktop: Desktop, reader: Reader, timing: Timing, timer: Timer) -> None:
        self.picture: Picture | None = None
        """The last picture that stood still, whether or not there was a board in it."""
        self._desktop = desktop
        self._reader = reader
        self._timing = timing
        self._timer = timer
        self._client: Rect | None = None
        self._grid: Grid | None = None
        """Where the tiles are; None to find them at the next look."""
        self._trusted: Grid | None = None
        """Where they were when a reading last left no doubts, while the window was where it is now."""
        self._believed: Sight | None = None
        """The last one without doubts."""
        self._early: Reading | None = None
        """What the last picture shows on the known grid, read before it was known to stand still."""
        self._began: float | None = None
        self._told_to_hurry_at = 0.0
        self._moved = self._hurried = False

    def look(self, doubt: Callable[[Reading], str]) -> Sight:
        """Return the sight of a settled picture without doubts; of a game that is over, the best there is.

        Raises `InDoubtError` when there is none to be had and `NoBoardError` when there is no board.
        """
        failure: Exception | None = None
        began = self._desktop.clock.now()
        ended: Sight | None = None
        outcome: Outcome | None = None
        self._moved = False
        waits = [0.0, *self._timing.doubt_pauses]
        last = len(waits) - 1
        for number, wait in enumerate(waits):
            self._timer.sleep(wait, self._desktop.clock)
            try:
                sight = self.read()
            except InDoubtError:  # it moves for good, but a dialog may have told how the game ended
                dialog = self._desktop.window.dialog()
                if dialog is None or dialog.outcome is None or self._believed is None:
                    raise
                return self._ended_as_told(self._believed, dialog.outcome)
            except NoBoardError as error:
                failure = error
            else:
                reason = doubt(sight.reading)
                if not reason:
                    self._trusted, self._believed = sight.grid, sight
                    return sight
                failure = InDoubtError(reason + if_dimmed(sight.picture), sight.picture)
                if outcome is not None and self._of_the_same_size(sight.reading):
                    # The dialog has told how the game ended, whatever can be read of the board beside it.
                    return self._ended_as_told(sight, outcome)
                ended = sight if sight.over else None
            dialog = self._prepare_to_look_again(number)
            if dialog is not None:
                outcome = dialog.outcome
                if number == last:
                    waits.append(self._timing.effect_least)  # a dialog that came so late hides the end no longer
        if outcome is not None and self._believed is not None:
            return self._ended_as_told(self._believed, outcome)
        if ended is None:
            assert failure is not None
            if isinstance(failure, NoBoardError):
                failure = no_board(failure, self.picture, self._desktop.clock.now() - began)
            raise failure
        return ended

    def _ended_as_told(self, sight: Sight, outcome: Outcome) -> Sight:
        """Return the last picture with the board that was seen, of a game whose end a dialog tells."""
        picture = sight.picture if self.picture is None else self.picture
        return replace(sight, picture=picture, reading=replace(sight.reading, state=outcome), hurried=self._hurried)

    def _of_the_same_size(self, reading: Reading) -> bool:
        """Whether a reading is of a board as large as the last one without doubts, and not of a strip of it."""
        return self._believed is None or self._believed.reading.board.cells.shape == reading.board.cells.shape

    def _prepare_to_look_again(self, number: int) -> Dialog | None:
        """Return the game's dialog, if it had one, which is no longer in front of the board.

        Most likely the picture was caught half painted, so nothing changes before the second look. Then the game's own
        dialog is pushed off the board, for the one that tells of an end hides how the game ended; or a show of it is
        cut short, so that the dialog comes. The board is looked for anew and where it was last, in turn.
        """
        if number == 0:
            return None
        dialog = self._desktop.window.dialog()
        if dialog is not None:
            self._desktop.window.push_aside(dialog)
        elif self._desktop.mouse.in_step:
            self._hurry()
        self._grid = self._trusted if number % 2 == 0 else None
        return dialog

    def await_change(self, sight: Sight, row: int, col: int, patience: float) -> None:
        """Return when a tile no longer looks as it did, or when the patience is at its end.

        Only this tile is grabbed, which is much cheaper than looking at the board.
        """
        place = sight.tile(row, col)
        left, top = place.left - sight.client.left, place.top - sight.client.top
        before = sight.picture[top : top + place.height, left : left + place.width]
        clock = self._desktop.clock
        deadline = clock.now() + patience
        while clock.now() < deadline:
            self._desktop.obey_the_user()
            with self._timer.on("grab", clock), suppress(GrabError):
                if not np.array_equal(self._desktop.screen.grab(place), before):
                    return
            self._timer.sleep(self._timing.settle_poll, clock)

    def read(self) -> Sight:
        """Return what is seen once two pictures in a row are equal, on the known grid while there is one.

        On a known grid the first picture is read while the game has time to change it: what moves is not waited for
        twice. Raises `NoBoardError` when there is no board and `InDoubtError` when the picture never stands still.
        """
        clock = self._desktop.clock
        deadline = clock.now() + self._timing.settle_timeout
        self._told_to_hurry_at = clock.now()
        self._began = None
        self.picture = picture = settle(
            self._desktop,
            self._timer,
            self._grab,
            self._settled_after(),
            deadline,
            meanwhile=self._read_early,
            moves=self._note_a_move,
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
            self._began = self._desktop.clock.now()
        self._early = None if self._grid is None else self._understand(picture, self._grid)

    def _note_a_move(self, earlier: Picture, later: Picture) -> None:
        """Take down that the picture moves; tell the game to hurry when it has done so for long."""
        if self._grid is not None and not equal(board_part(earlier, self._grid), board_part(later, self._grid)):
            self._moved = self._moved or earlier.shape == later.shape
        clock = self._desktop.clock
        if self._desktop.mouse.in_step and clock.now() > self._told_to_hurry_at + self._timing.hurry:
            self._told_to_hurry_at = clock.now()
            self._hurried = True
            self._hurry()

    def _hurry(self) -> None:
        """End fades and shows by a key that means nothing, unless the user has gone elsewhere since the last look."""
        self._desktop.obey_the_user()
        self._desktop.keys.tap("f15")

    def _settled_after(self) -> float:
        """Return how far apart two equal pictures must be: who draws in ticks shows the same all through one."""
        return self._timing.tick if self._desktop.mouse.in_step else self._timing.settle_poll

    def _understand(self, picture: Picture, grid: Grid | None) -> Reading:
        with self._timer.on("read", self._desktop.clock):
            return self._reader.read(picture, grid)

    def forget(self) -> None:
        """Find the board anew at the next look."""
        self._grid = None

    def _grab(self) -> Picture:
        picture, client = grab_window(self._desktop, self._timing, self._timer)
        if client != self._client:
            self._client = client
            self._grid = self._trusted = None
        return picture
