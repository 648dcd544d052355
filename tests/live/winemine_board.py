"""WineMine's board on the live screen, by row and column.

Knows where WineMine puts its tiles and digits, to the pixel: the tests' own eye, so that what the bot sees and does can
be told from what is there. It does not recognise anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.desktop import Button, Click, Desktop, Rect
from bot.desktop.timing import Seconds, pause, wait_until
from bot.level import Level
from bot.picture import Picture

TILE = 16
LEFT, TOP = 5, 33
RIGHT, BELOW = 5, 5
DIGIT_WIDTH, DIGIT_HEIGHT = 12, 23
STANDSTILL = Seconds(0.05)
"""WineMine repaints within milliseconds, on a busy machine within tens; what stays the same this long is final."""


class WineMineBoard:
    """WineMine's window, with its tiles by row and column."""

    def __init__(self, desktop: Desktop, level: Level) -> None:
        self.level = level
        self.desktop = desktop
        desktop.window.bring_to_front()
        # A window that is still opening has not its size yet.
        wide = LEFT + TILE * level.cols + RIGHT
        fits = wait_until(lambda: desktop.window.client().width == wide, Seconds(10), STANDSTILL)
        assert fits, f"{desktop.window.title} of {desktop.window.client()} is not {level}'s"
        self._client = desktop.window.client()
        self.menu = self._client.height - (TOP + TILE * level.rows + BELOW)
        self._left, self._top = self._client.left + LEFT, self._client.top + self.menu + TOP
        desktop.mouse.confine(Rect(self._left, self._top, TILE * level.cols, TILE * level.rows), self._client)
        self._fresh_face = self.face()

    def place(self, row: int, col: int) -> tuple[int, int]:
        """Return the middle of a tile on the screen."""
        return self._left + TILE * col + TILE // 2, self._top + TILE * row + TILE // 2

    def is_on(self, row: int, col: int, click: Click) -> bool:
        """Whether a click comes down on a tile: one that is made again is aimed beside the middle."""
        x, y = self.place(row, col)
        return max(abs(click.x - x), abs(click.y - y)) < TILE // 2

    def new(self) -> None:
        """Start a new game."""
        self.desktop.keys.tap("f2")
        self.look()

    def click(self, row: int, col: int, button: Button = "left") -> None:
        """Click a tile and leave the board."""
        self.click_all([(row, col)], button)

    def click_all(self, places: Sequence[tuple[int, int]], button: Button = "left") -> None:
        """Click tiles one after the other, leave the board and wait until the last of them looks different."""
        x, y = self.place(*places[-1])
        last = Rect(x - TILE // 2, y - TILE // 2, TILE, TILE)
        before = self.desktop.screen.grab(last)
        self.desktop.mouse.click([Click(*self.place(row, col), button) for row, col in places])
        self.desktop.mouse.park(self._left - 3, self._top - 3)
        wait_until(lambda: not np.array_equal(self.desktop.screen.grab(last), before), Seconds(5), STANDSTILL)

    def look(self) -> Picture:
        """Return the client area once it stands still."""

        def settled() -> Picture | None:
            first = self.desktop.screen.grab(self._client)
            pause(STANDSTILL)
            second = self.desktop.screen.grab(self._client)
            return second if np.array_equal(first, second) else None

        picture = wait_until(lambda: [found] if (found := settled()) is not None else [], Seconds(5), STANDSTILL)
        assert picture, "WineMine does not stand still"
        return picture[0]

    def tiles(self, picture: Picture) -> dict[tuple[int, int], Picture]:
        """Return every tile of a picture of the client area."""
        top = self.menu + TOP
        return {
            (row, col): picture[top + TILE * row :, LEFT + TILE * col :][:TILE, :TILE]
            for row in range(self.level.rows)
            for col in range(self.level.cols)
        }

    def face(self) -> Picture:
        """Return the smiley."""
        picture, middle = self.look(), self._client.width // 2
        return picture[self.menu + 4 : self.menu + TOP - 2, middle - 12 : middle + 12]

    def over(self) -> bool:
        """Whether the smiley tells of an end."""
        return not np.array_equal(self.face(), self._fresh_face)

    def mines_left(self, picture: Picture) -> list[Picture]:
        """Return the three digits of the right counter."""
        right, top = self._client.width - 4, self.menu + 5
        lefts = [right - DIGIT_WIDTH * place for place in (3, 2, 1)]
        return [picture[top : top + DIGIT_HEIGHT, left : left + DIGIT_WIDTH] for left in lefts]
