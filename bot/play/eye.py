"""Looks at the game's window until what it sees can be relied on.

`Eye` never returns a picture that still moves, and knows where the tiles are: it finds the board again when the window
was moved or resized, or when a reading leaves doubts. It does not know what would be doubtful: it is told. While it
looks it watches for the user's wish to stop, and it lets the mouse click nowhere but on the board.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import count

import numpy as np

from bot.desktop import Desktop, Dialog, GrabError, Outcome, Rect, StopRequestedError, insist_on_focus
from bot.desktop.timing import Timing
from bot.picture import Picture
from bot.play.progress import over
from bot.play.session import InDoubtError
from bot.play.spent import Spent
from bot.vision.grid import Grid
from bot.vision.reader import NoBoardError, Reader, Reading

LEAST_TRIES = 5
"""Time that has run out counts only after so many tries: a computer that wakes up has slept through any deadline."""


class Eye:
    """Looks at one desktop's game with one reader."""

    def __init__(self, desktop: Desktop, reader: Reader, timing: Timing, spent: Spent) -> None:
        self.picture: Picture | None = None
        """The last picture that stood still."""
        self._desktop = desktop
        self._reader = reader
        self._timing = timing
        self._spent = spent
        self._client: Rect | None = None
        self._grid: Grid | None = None
        """Where the tiles are; None to find them at the next look."""
        self._trusted: Grid | None = None
        """Where they were when a reading last left no doubts, while the window was where it is now."""
        self._believed: Reading | None = None
        """The last reading without doubts."""
        self.animated: bool | None = None
        """Whether the game fades its tiles and shows its ends; None while nothing was seen of either."""
        self.looked_at = 0.0
        """When the last look began."""
        self.moved = False
        """Whether tiles were seen to change between two pictures; whoever wants to know sets it back before."""

    def look(self, doubt: Callable[[Reading], str]) -> Reading:
        """Return a reading of a settled picture without doubts; of a game that is over, the best there is.

        Raises `InDoubtError` when there is none to be had and `NoBoardError` when there is no board.
        """
        failure: Exception = InDoubtError("nothing was looked at")
        ended: Reading | None = None
        outcome: Outcome | None = None
        waits = [0.0, *self._timing.doubt_pauses]
        last = len(waits) - 1
        for number, wait in enumerate(waits):
            self._spent.sleep(wait, self._desktop.clock)
            try:
                reading = self.read()
            except InDoubtError:  # it moves for good, but a dialog may have told how the game ended
                dialog = self._desktop.window.dialog()
                if dialog is None or dialog.outcome is None or self._believed is None:
                    raise
                return replace(self._believed, state=dialog.outcome)
            except NoBoardError as error:
                failure = error
            else:
                reason = doubt(reading)
                if not reason:
                    self._trusted, self._believed = self._grid, reading
                    return reading
                failure = InDoubtError(reason, self.picture)
                if outcome is not None and self._of_the_same_size(reading):
                    # The dialog has told how the game ended, whatever can be read of the board beside it.
                    return replace(reading, state=outcome)
                ended = reading if over(reading) else None
            dialog = self._prepare_to_look_again(number)
            if dialog is not None:
                outcome = dialog.outcome
                if number == last:
                    waits.append(self._timing.effect_least)  # a dialog that came so late hides the end no longer
        if outcome is not None and self._believed is not None:
            return replace(self._believed, state=outcome)
        if ended is None:
            raise failure
        return ended

    def _of_the_same_size(self, reading: Reading) -> bool:
        """Whether a reading is of a board as large as the last one without doubts, and not of a strip of it."""
        return self._believed is None or self._believed.board.cells.shape == reading.board.cells.shape

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
            self._desktop.keys.tap("f15")
        if number % 2 == 0 and self._trusted is not None:
            self._adopt(self._trusted)
        else:
            self._grid = None
        return dialog

    def await_change(self, row: int, col: int, patience: float) -> None:
        """Return when a tile no longer looks as in the last picture, or when the patience is at its end.

        Only this tile is grabbed, which is much cheaper than looking at the board.
        """
        assert self._grid is not None
        assert self._client is not None
        assert self.picture is not None
        left, top, right, bottom = (round(edge) for edge in self._grid.tile(row, col))
        before = self.picture[top:bottom, left:right]
        place = Rect(self._client.left + left, self._client.top + top, right - left, bottom - top)
        clock = self._desktop.clock
        deadline = clock.now() + patience
        while clock.now() < deadline:
            self.obey_the_user()
            with self._spent.on("grab", clock), suppress(GrabError):
                if not np.array_equal(self._desktop.screen.grab(place), before):
                    return
            self._spent.sleep(self._timing.settle_poll, clock)

    def read(self) -> Reading:
        """Return what is seen once two pictures in a row are equal, on the known grid while there is one.

        On a known grid the first picture is read while the game has time to change it: what moves is not waited for
        twice. Raises `NoBoardError` when there is no board and `InDoubtError` when the picture never stands still.
        """
        clock = self._desktop.clock
        hurried = clock.now()
        deadline = hurried + self._timing.settle_timeout
        picture = self._grab()
        self.looked_at = clock.now()
        for looks in count(1):
            seen_at, grid = clock.now(), self._grid
            reading = None if grid is None else self._understand(picture, grid)
            self._spent.sleep(seen_at + self._settled_after() - clock.now(), clock)
            again = self._grab()
            if picture.shape == again.shape and np.array_equal(picture, again):
                self.picture = again
                if reading is not None and self._grid is not None:
                    return reading
                reading = self._understand(again, None)
                if self._adopt(reading.grid):
                    return reading
                again = self._grab()
            self.moved = self.moved or self._tiles_differ(picture, again)
            if self._desktop.mouse.in_step and clock.now() > hurried + self._timing.hurry:
                # Fades and shows end at a key that means nothing; who has none takes no notice.
                hurried = clock.now()
                self.animated = True
                self._desktop.keys.tap("f15")
            if clock.now() > deadline and looks > LEAST_TRIES:
                raise InDoubtError("the picture does not stand still", again)
            picture = again
        raise AssertionError("unreachable")

    def _tiles_differ(self, one: Picture, other: Picture) -> bool:
        """Whether two pictures of the window show other tiles, whatever its clock shows."""
        if self._grid is None or one.shape != other.shape:
            return False
        left, top, right, bottom = (round(edge) for edge in self._grid.box)
        return not np.array_equal(one[top:bottom, left:right], other[top:bottom, left:right])

    def _settled_after(self) -> float:
        """Return how far apart two equal pictures must be: who draws in ticks shows the same all through one."""
        return self._timing.tick if self._desktop.mouse.in_step else self._timing.settle_poll

    def _understand(self, picture: Picture, grid: Grid | None) -> Reading:
        with self._spent.on("read", self._desktop.clock):
            return self._reader.read(picture, grid)

    def forget(self) -> None:
        """Find the board anew at the next look."""
        self._grid = None

    def obey_the_user(self) -> None:
        """Raise `StopRequestedError` when the user wants to stop or has gone to another window.

        Raises `NoWindowError` when the game's own was closed or minimised.
        """
        reason = self._desktop.keys.stop_requested()
        if reason is not None:
            raise StopRequestedError(reason)
        insist_on_focus(self._desktop.window, self._desktop.clock)

    def middle_of(self, row: int, col: int, aside: tuple[float, float] = (0.0, 0.0)) -> tuple[int, int]:
        """Return the pixel of the screen in the middle of a tile, or so many tiles to the right and below of it."""
        assert self._grid is not None
        assert self._client is not None
        x, y = self._grid.center(row, col)
        x, y = x + aside[0] * self._grid.pitch_x, y + aside[1] * self._grid.pitch_y
        return self._client.left + round(x), self._client.top + round(y)

    def above(self, tiles: float) -> tuple[int, int]:
        """Return the pixel of the screen that is so many tiles above the middle of the board's upper edge."""
        grid = self._grid or self._trusted
        assert grid is not None
        assert self._client is not None
        left, top, right, _ = grid.box
        x, y = (left + right) / 2, top - tiles * grid.pitch_y
        return self._client.left + round(x), self._client.top + round(y)

    def margin(self) -> tuple[int, int]:
        """Return a pixel of the screen where a pointer lights no tile: half a tile from the board's left top corner."""
        assert self._grid is not None
        assert self._client is not None
        grid, client = self._grid, self._client
        x = max(round(grid.left - grid.pitch_x / 2), 1)
        y = max(round(grid.top - grid.pitch_y / 2), 1)
        return client.left + x, client.top + y

    def _grab(self) -> Picture:
        self.obey_the_user()
        client = self._desktop.window.client()
        if client != self._client:
            self._client = client
            self._grid = self._trusted = None
        deadline = self._desktop.clock.now() + self._timing.grab_timeout
        for tries in count(1):
            try:
                with self._spent.on("grab", self._desktop.clock):
                    return self._desktop.screen.grab(client)
            except GrabError:
                if self._desktop.clock.now() > deadline and tries > LEAST_TRIES:
                    raise
                self._spent.sleep(self._timing.grab_retry, self._desktop.clock)
        raise AssertionError("unreachable")

    def _adopt(self, grid: Grid) -> bool:
        """Remember where the tiles are and let the mouse click nowhere else, unless the window has moved since."""
        assert self._client is not None
        left, top, right, bottom = grid.box
        self._grid = grid
        self._desktop.mouse.confine(
            Rect(
                self._client.left + round(left),
                self._client.top + round(top),
                round(right) - round(left),
                round(bottom) - round(top),
            )
        )
        # The mouse takes the window's place for the one in which the board was seen.
        return self._desktop.window.client() == self._client
