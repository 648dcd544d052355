"""The clone behind the desktop's promises, with no screen at all.

A `CloneDesktop` is a virtual screen with one window in which a `Program` runs: the real game's way of taking input, in
time that is skipped instead of waited for. The bot's own mouse plays it, with all its checks and waits; what the bot
sees of it is pixels. A `Program` runs an `Engine` as the real loop does: what was sent waits until the thread gets
round to it, all that waits is taken before the next tick, a drawing may follow a tick and takes its time, and big
changes stall everything. Where the pointer was at each moment is remembered, because a message that is taken late sees
the pointer where it is by then. Nothing else ever goes wrong on this desktop; on the one of `chaos/desktop.py`
everything does.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from bot.clone.engine import MANY_TILES, MOST_BEHIND, TICK, WORDS, Answer, Engine, Point, Scene
from bot.clone.game import Game
from bot.clone.painter import Design, Painter, paint_dialog
from bot.clone.tiles import Tile
from bot.desktop import Button, Click, Desktop, Dialog, Key, Rect, Standing, StopRequestedError
from bot.desktop.input import InStep, Pointer
from bot.desktop.timing import FAST, Clock
from bot.picture import Picture

LONGEST_NAP = 0.0156
"""Seconds that a sleep of a millisecond takes where nobody has asked Windows for a finer clock."""


@dataclass
class Burden:
    """What slows a program down, in seconds; as it stands here, nothing does."""

    draw: float = 0.0
    """What a drawing takes."""
    stall: float = 0.0
    """How long nothing is done after a big opening or a new board."""
    nap: float = 0.001
    """How long the idle thread sleeps before it looks for messages again, at most."""


class _Message(NamedTuple):
    sent: float
    nap: float
    take: Callable[[float], None]
    is_move: bool


class Program:
    """An engine with its queue, its ticks and its drawings. `frame` is what the screen shows."""

    def __init__(
        self,
        game: Game,
        now: float,
        place: Callable[[tuple[int, int]], Point],
        *,
        animate: bool = False,
        tips: bool = False,
        burden: Burden | None = None,
        seed: int = 0,
    ) -> None:
        self.burden = burden or Burden()
        self._place = place
        """Turns a pixel of the screen into a place of the layout."""
        self._chance = Random(seed)
        self._pointer: deque[tuple[float, tuple[int, int]]] = deque([(now, (0, 0))])
        self._queue: deque[_Message] = deque()
        self._drawn: deque[tuple[float, Scene]] = deque()
        self._free = self._taking = now
        self.engine = Engine(game, self._cursor, now, animate=animate, tips=tips)
        self.frame = self.engine.scene()
        self.shows: Callable[[float, Scene], None] = lambda moment, scene: None
        """Is told of each drawing when it comes to the screen."""

    def _cursor(self) -> Point:
        """Return where the pointer is at the moment that is being lived through."""
        pixel = self._pointer[0][1]
        for moment, there in self._pointer:
            if moment > self._taking:
                break
            pixel = there
        return self._place(pixel)

    @property
    def pointer(self) -> tuple[int, int]:
        """Where the pointer is now, as a pixel of the screen."""
        return self._pointer[-1][1]

    def point(self, now: float, pixel: tuple[int, int], inside: bool) -> None:
        """Move the pointer to a pixel of the screen, inside the client area or not. Moves that wait become one."""
        self._pointer.append((now, pixel))
        while len(self._pointer) > 1 and self._pointer[1][0] <= self._free:
            self._pointer.popleft()
        if not inside:
            self.send(now, lambda taken: self.engine.leave())
        elif not (self._queue and self._queue[-1].is_move):
            self._send(now, lambda taken: self.engine.move(), is_move=True)

    def send(self, now: float, take: Callable[[float], None]) -> None:
        """Put a message into the queue; `take` is called with the time when the program gets round to it."""
        self._send(now, take, is_move=False)

    def _send(self, now: float, take: Callable[[float], None], is_move: bool) -> None:
        self._queue.append(_Message(now, self._chance.uniform(0, self.burden.nap), take, is_move))

    def answered(self, now: float) -> float:
        """Return when the program answers a message that is not put into the queue but handed over at its next look."""
        self.run(now)
        return max(self._free, now) + self._chance.uniform(0, self.burden.nap)

    def run(self, until: float) -> None:
        """Do everything that happens until a moment."""
        while self.engine.question is None:
            due = max(self._free, self.engine.now + TICK)
            message = self._queue[0] if self._queue else None
            if message is not None and message.sent <= due:
                # What waits while the thread is busy is taken once it is free; what comes while it naps, after that.
                taken = self._free if message.sent <= self._free else message.sent + message.nap
                if taken > until:
                    break
                self._queue.popleft()
                self._take(message, taken)
                continue
            if message is None and until - due > MOST_BEHIND:
                due = until  # nobody has looked for long, or the computer has slept
            if due > until:
                break
            self._free = self._taking = due
            self.engine.tick(due)
            self._draw()
        else:
            self._wait_for_an_answer(until)
        while self._drawn and self._drawn[0][0] <= until:
            moment, self.frame = self._drawn.popleft()
            self.shows(moment, self.frame)

    def _wait_for_an_answer(self, until: float) -> None:
        """While a dialog is open only keys are heard, and nothing is drawn after a last picture."""
        while self._queue and self._queue[0].sent <= until and self.engine.question is not None:
            message = self._queue.popleft()
            self._take(message, max(message.sent, self._free))
        self._draw()

    def _take(self, message: _Message, now: float) -> None:
        self._free = self._taking = now
        message.take(now)
        if self.engine.rebuilt > MANY_TILES:
            self._free += self.burden.stall
        self.engine.rebuilt = 0

    def _draw(self) -> None:
        if self.engine.changed:
            self.engine.changed = False
            self._free += self.burden.draw
            self._drawn.append((self._free, self.engine.scene()))


WALLPAPER = (120, 84, 40)
"""Blue, green, red of the desktop behind the window."""

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
        return time.perf_counter() + self._skipped

    def sleep(self, seconds: float) -> None:
        """Return at once, as if that long had passed."""
        self._skipped += max(seconds, 0.0)


class CloneDesktop:
    """A game, drawn somewhere on a virtual screen, that is seen and clicked like a real one.

    `stop` is asked, before each look and click, why the user wants to stop; nobody else can, there is no window.
    Each F2 or "Play again" deals the game of the next seed.
    """

    def __init__(
        self,
        game: Game,
        design: Design | None = None,
        *,
        clock: Clock | None = None,
        animate: bool = False,
        burden: Burden | None = None,
        stop: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.game = game
        self.clock: Clock = clock or SkippingClock()
        self.painter = Painter(game.level.rows, game.level.cols, design or Design())
        self.position = (120, 90)
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
        return "Minesweeper"

    def client(self) -> Rect:
        return Rect(*self.position, *self.painter.size)

    def is_foreground(self) -> bool:
        return True

    def bring_to_front(self) -> None:
        """Nothing is ever in front of it."""

    def focus_is_free(self) -> bool:
        return False

    def keys_blocked(self) -> str:
        return ""

    def owns(self, x: int, y: int) -> bool:
        return self.client().contains(x, y)

    def standing(self, x: int, y: int) -> Standing:
        busy = "" if self.dialog() is None else "the game waits for an answer to a dialog"
        return Standing(self.client(), self.is_foreground(), self.owns(x, y), self.program.pointer, busy)

    def dialog(self) -> Dialog | None:
        self._run()
        question = self.program.engine.question
        if question is None:
            self._aside = False
            return None
        return Dialog(WORDS[question][0], outcome=None if question == "new game" else question)

    def push_aside(self, dialog: Dialog) -> None:
        self._aside = True

    def play_again(self, dialog: Dialog) -> bool:
        if dialog.outcome is None:
            return False
        self._run()
        self.program.engine.answer("again", self.clock.now())
        return True

    # Screen

    def grab(self, rect: Rect) -> Picture:
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
        return True

    def confine(self, board: Rect, client: Rect) -> None:
        self._pointer.confine(board, client)

    def click(self, clicks: list[Click]) -> int:
        return self._pointer.click(clicks)

    def park(self, x: int, y: int) -> None:
        self._pointer.park(x, y)

    # The mouse itself, and what the program lets others see of it

    def move(self, x: int, y: int) -> None:
        now = self.clock.now()
        self.program.run(now)
        self.program.point(now, (x, y), inside=self.owns(x, y))

    def press(self, button: Button, x: int, y: int) -> None:
        self.program.send(self.clock.now(), lambda taken: self.program.engine.down(button, taken))

    def release(self, button: Button, x: int, y: int) -> None:
        self.program.send(self.clock.now(), lambda taken: self.program.engine.up(button))

    def captured(self) -> bool:
        self._run()
        return self.program.engine.captured

    def round_trip(self) -> bool:
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
