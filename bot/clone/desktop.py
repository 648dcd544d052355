"""The clone behind the desktop's promises, with no screen at all.

A `CloneDesktop` is a virtual screen with one window in which a `Program` runs: the real game's way of taking input,
in time that is skipped instead of waited for. The bot's own mouse plays it, with all its checks and waits; what the bot
sees of it is pixels. Nothing else ever goes wrong on this desktop; on the one of `chaos/desktop.py` everything does.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from bot.clone.engine import Answer, Button, Point, Scene
from bot.clone.game import Game
from bot.clone.painter import Painter, Style, Tile, paint_dialog
from bot.clone.program import Burden, Program
from bot.desktop import Click, Desktop, Dialog, Key, Rect, Standing, StopRequestedError
from bot.desktop.handshake import InStep
from bot.desktop.mouse import Pointer
from bot.desktop.timing import FAST, Clock
from bot.picture import Picture

WALLPAPER = (120, 84, 40)
"""Blue, green, red of the desktop behind the window."""

TITLES = {"won": "Game Won", "lost": "Game Lost", "new game": "New Game"}

_ANSWERS: dict[str, dict[Key, Answer]] = {
    "won": {"enter": "again", "esc": "again"},
    "lost": {"enter": "again", "esc": "again"},
    "new game": {"enter": "again", "esc": "keep"},
}
"""What the keys mean in each of the dialogs."""


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

    `stop` is asked, before each look and click, why the user wants to stop; nobody else can, there is no window.
    Each F2 or "Play again" deals the game of the next seed.
    """

    def __init__(
        self,
        game: Game,
        style: Style | None = None,
        position: tuple[int, int] = (120, 90),
        clock: Clock | None = None,
        *,
        animate: bool = False,
        burden: Burden | None = None,
        stop: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.game = game
        self.clock: Clock = clock or SkippingClock()
        self.painter = Painter(game.level.rows, game.level.cols, style or Style())
        self.position = position
        self._stop = stop
        self.program = Program(
            game, self.clock.now(), self._layout_place, animate=animate, burden=burden, seed=game.seed
        )
        self._pointer = Pointer(
            self, FAST, _Mouse(self), InStep(self, FAST, self.clock), self._stop_key, corners=(), clock=self.clock
        )
        self._aside = False
        """Whether the dialog was moved beside the window."""
        self._shown: tuple[Scene, Painter, Picture] | None = None

    def desktop(self) -> Desktop:
        """Return this clone as the desktop that play expects."""
        return Desktop(window=self, screen=self, mouse=self, keys=self, clock=self.clock)

    def _run(self) -> None:
        """Let the program do what it has done by now."""
        self.program.run(self.clock.now())

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

    def focus_is_free(self) -> bool:
        """Whether no window at all has the focus: never, there is always one."""
        return False

    def keys_blocked(self) -> str:
        """Return why a key would not reach the game: nothing is in its way."""
        return ""

    def owns(self, x: int, y: int) -> bool:
        """Whether the topmost window at this pixel is the game's own."""
        return self.client().contains(x, y)

    def standing(self, x: int, y: int) -> Standing:
        """Return how things stand for a click at a pixel of the screen."""
        busy = "" if self.dialog() is None else "the game waits for an answer to a dialog"
        return Standing(self.client(), self.is_foreground(), self.owns(x, y), self.program.pointer, busy)

    def dialog(self) -> Dialog | None:
        """Return the dialog that the program waits for."""
        self._run()
        question = self.program.engine.question
        if question is None:
            self._aside = False
            return None
        return Dialog(TITLES[question], outcome=None if question == "new game" else question)

    def push_aside(self, dialog: Dialog) -> None:
        """Move the dialog beside the window."""
        self._aside = True

    def play_again(self, dialog: Dialog) -> bool:
        """Press the button of an end dialog that deals a new game."""
        if dialog.outcome is None:
            return False
        self._run()
        self.program.engine.answer("again", self.clock.now())
        return True

    # Screen

    def grab(self, rect: Rect) -> Picture:
        """Return the pixels of a rectangle of the virtual screen."""
        picture = self._paint()
        if rect == self.client():
            return picture
        screen = wallpaper(rect)
        paste(screen, rect, picture, self.position)
        return screen

    def _paint(self) -> Picture:
        """Return the client area as the screen shows it; the caller's own."""
        self._run()
        dialog = self.dialog()
        frame = self.program.frame
        if self._shown is None or self._shown[0] is not frame or self._shown[1] is not self.painter:
            self._shown = frame, self.painter, self.painter.show(frame)
        picture = self._shown[2]
        if dialog is None or self._aside:
            return picture.copy()
        return paint_dialog(picture, "won" if dialog.outcome == "won" else "lost")

    # Mouse

    @property
    def in_step(self) -> bool:
        """Whether each click waits for the game to handle it: always."""
        return True

    def confine(self, board: Rect) -> None:
        """From now on click only inside this rectangle of the screen, and only while the window stays where it is."""
        self._pointer.confine(board)

    def click(self, clicks: list[Click]) -> int:
        """Click one after the other, each checked and waited for; return how many the game took."""
        return self._pointer.click(clicks)

    def park(self, x: int, y: int) -> None:
        """Move the pointer out of the way, without clicking."""
        self._pointer.park(x, y)

    # The mouse itself, and what the program lets others see of it

    def move(self, x: int, y: int) -> None:
        """Put the pointer on a pixel of the screen."""
        now = self.clock.now()
        self.program.run(now)
        self.program.point(now, (x, y), inside=self.owns(x, y))

    def press(self, button: Button, x: int, y: int) -> None:
        """Press a button."""
        self.program.send(self.clock.now(), lambda taken: self.program.engine.down(button, taken))

    def release(self, button: Button, x: int, y: int) -> None:
        """Release it."""
        self.program.send(self.clock.now(), lambda taken: self.program.engine.up(button))

    def captured(self) -> bool:
        """Whether the program holds the mouse."""
        self._run()
        return self.program.engine.captured

    def round_trip(self) -> bool:
        """Send the program a message that does nothing and return when it has answered."""
        now = self.clock.now()
        self.clock.sleep(self.program.answered(now) - now)
        return True

    def _layout_place(self, pixel: tuple[int, int]) -> Point:
        """Return the layout pixel that a pixel of the screen belongs to."""
        return self.painter.layout_place(pixel[0] - self.position[0], pixel[1] - self.position[1])

    def _tile_at(self, x: int, y: int) -> Tile | None:
        """Return the tile at a pixel of the screen."""
        return self.program.engine.layout.tile_at(self._layout_place((x, y)))

    # Keys

    def tap(self, key: Key) -> None:
        """Press a key; it goes to the dialog when there is one."""
        self.program.send(self.clock.now(), lambda taken: self._take_key(key, taken))

    def _take_key(self, key: Key, now: float) -> None:
        engine = self.program.engine
        if engine.question is None:
            engine.key(key)
        elif key in _ANSWERS[engine.question]:
            engine.answer(_ANSWERS[engine.question][key], now)

    def stop_requested(self) -> str | None:
        """Return why whoever looks on wants to stop, or None."""
        return self._stop()

    def _stop_key(self) -> str:
        """Ask whoever is there to want a stop once more, before each click."""
        reason = self.stop_requested()
        if reason is not None:
            raise StopRequestedError(reason)
        return ""


class _Mouse:
    """The mouse itself; `position` is the pointer's, where the desktop's is the window's."""

    def __init__(self, desktop: CloneDesktop) -> None:
        self.move, self.press, self.release = desktop.move, desktop.press, desktop.release
        self._program = desktop.program

    def position(self) -> tuple[int, int]:
        """Return where the pointer is."""
        return self._program.pointer


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
