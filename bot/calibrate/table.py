"""A game of unknown look on the desktop: where its tiles are, clicks on them, and a new game when one is over.

Promises pictures that stand still and clicks that hit the board and nothing else. It knows no tile by its look: what is
new, what is over and what is covered, others tell it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from bot.calibrate.pages import Page, best_lattice
from bot.desktop import Button, Click, Desktop, Key, Rect, StopRequestedError
from bot.desktop.timing import Seconds, Timing
from bot.picture import Picture
from bot.play.session import InDoubtError
from bot.vision.lattice import Grid
from bot.vision.reader import NoBoardError
from bot.vision.skin import NEW_GAME_KEYS, NewGame

STANDSTILL = Seconds(0.1)
"""A picture that stays the same for so long is final; games that animate change it more often."""

NO_EFFECT = Seconds(1.2)
"""A click that has changed nothing for so long has no effect."""

MESSAGE_GONE = Seconds(6.0)
"""What a game says over its board at the end, it has taken away by then, if it ever does."""

ANSWERS: tuple[Key, ...] = ("enter", "esc", "enter", "esc")

FACES = (1.7, 1.0, 2.4)
"""How many tiles above the middle of the board a face may be that deals a new game."""


class Table:
    """The window of a game, and where the tiles are in it."""

    def __init__(self, desktop: Desktop, timing: Timing) -> None:
        self.desktop = desktop
        self.new_game_by: NewGame | None = None
        self._timing = timing
        self._client = desktop.window.client()
        self._grid: Grid | None = None
        self._last_click: dict[tuple[int, int], float] = {}
        self._only_restarts: set[NewGame] = set()

    def find(self) -> Page:
        """Return a page of the window, with the lattice found anew. Raises `NoBoardError` when there is none."""
        self._grid = None
        picture = self._settled()
        grid = best_lattice(picture)
        if grid is None:
            raise NoBoardError(f'no board found in the window "{self.desktop.window.title}"')
        self._grid = grid
        self._confine_to_the_board()
        return self._page(picture)

    def look(self) -> Page:
        """Return a page of the board where it was last found."""
        return self._page(self._settled())

    def look_behind_dialogs(self) -> Page:
        """Return a page of the board with the game's own dialog pushed aside: closing it might begin a new game."""
        dialog = self.desktop.window.dialog()
        if dialog is not None:
            self.desktop.window.push_aside(dialog)
        return self.look()

    def look_when_changed(self, seen: Page) -> Page | None:
        """Return a page once the board looks otherwise than a page that was seen; None when it stays as it is."""
        clock = self.desktop.clock
        deadline = clock.now() + MESSAGE_GONE
        while clock.now() < deadline:
            if not np.array_equal(self._board(self._grab()), self._board(seen.picture)):
                return self.look()
            self._wait()
        return None

    def click(self, cells: list[tuple[int, int]], button: Button = "left") -> Page:
        """Click tiles, leave the board and return what it then shows, at once or after a while without any effect."""
        before = self._board(self._grab())
        clock = self.desktop.clock
        ready = max(self._last_click.get(cell, -np.inf) for cell in cells) + self._timing.retry_after
        if ready > clock.now():
            clock.sleep(ready - clock.now())
        self.desktop.mouse.click([Click(*self._middle(row, col), button) for row, col in cells])
        self._leave_the_board()
        self._last_click |= dict.fromkeys(cells, clock.now())
        deadline = clock.now() + NO_EFFECT
        while clock.now() < deadline and np.array_equal(self._board(self._grab()), before):
            clock.sleep(self._timing.settle_poll)
        return self.look_behind_dialogs()

    def start_anew(self, is_new: Callable[[Page], bool]) -> Page:
        """Start a new game in whatever way the game knows, and return the page of it.

        Raises `InDoubtError` when no way leads to a page that is called new.
        """
        for way in self._ways():
            self._close_dialogs()
            self._take(way)
            page = self._await_new_game(is_new)
            if page is not None:
                self.new_game_by = way
                return page
        raise InDoubtError("no new game appears after F2, Ctrl+R, Ctrl+N and a click above the board", self._settled())

    def it_was_no_new_game(self) -> None:
        """Don't begin a game again in the way that the last one was begun: it deals the same mines once more."""
        if self.new_game_by is not None:
            self._only_restarts.add(self.new_game_by)
            self.new_game_by = None

    def _close_dialogs(self) -> None:
        """Answer what a finished game asks, such as a winner's name: by Enter, or by Esc where that is not enough."""
        for key in ANSWERS:
            if self.desktop.window.dialog() is None:
                return
            self.desktop.keys.tap(key)
            deadline = self.desktop.clock.now() + NO_EFFECT
            while self.desktop.window.dialog() is not None and self.desktop.clock.now() < deadline:
                self._wait()

    def _ways(self) -> Iterator[NewGame]:
        """Yield the ways to try: the one that is known, a few times, then all others that have not failed to deal."""
        known = self.new_game_by
        if known is not None:
            yield from (known,) * 3
        for way in (*NEW_GAME_KEYS, *FACES):
            if way not in self._only_restarts and way != known:
                yield way

    def _take(self, way: NewGame) -> None:
        if isinstance(way, str):
            self.desktop.keys.tap(way)
            return
        assert self._grid is not None
        left, top, right, _ = self._grid.box
        x, y = round((left + right) / 2), round(top - way * self._grid.pitch_y)
        if y > 0:
            spot = self._client.left + x, self._client.top + y
            self.desktop.mouse.confine(Rect(*spot, 1, 1))
            self.desktop.mouse.click([Click(*spot, "left")])
            self._confine_to_the_board()
            self._leave_the_board()

    def _await_new_game(self, is_new: Callable[[Page], bool]) -> Page | None:
        deadline = self.desktop.clock.now() + self._timing.dialog_timeout
        while True:
            try:
                page = self.look()
            except InDoubtError:
                return None
            if is_new(page):
                return page
            if self.desktop.clock.now() > deadline:
                return None
            self._close_dialogs()
            self._wait()

    def _wait(self) -> None:
        self.desktop.clock.sleep(STANDSTILL)

    def _page(self, picture: Picture) -> Page:
        assert self._grid is not None
        return Page("the window", picture, self._grid)

    def _settled(self) -> Picture:
        """Return the window's picture once its board stands still."""
        deadline = self.desktop.clock.now() + self._timing.settle_timeout
        picture = self._grab()
        while True:
            self._wait()
            again = self._grab()
            if picture.shape == again.shape and np.array_equal(self._board(picture), self._board(again)):
                return again
            if self.desktop.clock.now() > deadline:
                raise InDoubtError("the picture does not stand still", again)
            picture = again

    def _grab(self) -> Picture:
        reason = self.desktop.keys.stop_requested()
        if reason is not None:
            raise StopRequestedError(reason)
        client = self.desktop.window.client()
        if client != self._client:
            if self._grid is not None:
                raise InDoubtError("the window was moved or resized; leave it where it is while it is calibrated")
            self._client = client
        return self.desktop.screen.grab(client)

    def _board(self, picture: Picture) -> Picture:
        """Return the part of a picture that shows the board; all of it as long as that is not known."""
        if self._grid is None:
            return picture
        left, top, right, bottom = (max(0, round(edge)) for edge in self._grid.box)
        return picture[top:bottom, left:right]

    def _confine_to_the_board(self) -> None:
        assert self._grid is not None
        left, top, right, bottom = (round(edge) for edge in self._grid.box)
        self.desktop.mouse.confine(Rect(self._client.left + left, self._client.top + top, right - left, bottom - top))

    def leave_the_window(self) -> None:
        """Put the pointer where it lights nothing, before the board is known: into the window's left top corner."""
        self.desktop.mouse.park(self._client.left + 2, self._client.top + 2)

    def _leave_the_board(self) -> None:
        """Park the pointer a bit off the board's left top corner, where it lights no tile."""
        assert self._grid is not None
        x = max(round(self._grid.left - self._grid.pitch_x / 2), 1)
        y = max(round(self._grid.top - self._grid.pitch_y / 2), 1)
        self.desktop.mouse.park(self._client.left + x, self._client.top + y)

    def _middle(self, row: int, col: int) -> tuple[int, int]:
        assert self._grid is not None
        x, y = self._grid.center(row, col)
        return self._client.left + round(x), self._client.top + round(y)
