"""The program's one thread, in time that somebody else counts.

A `Program` runs an `Engine` as the real loop does: what was sent waits until the thread gets round to it, all that
waits is taken before the next tick, a drawing may follow a tick and takes its time, and big changes stall everything.
Where the pointer was at each moment is remembered, because a message that is taken late sees the pointer where it is by
then. Nothing happens by itself: `run` does all that has happened until a moment.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from bot.clone.engine import MOST_BEHIND, TICK, Engine, Point, Scene
from bot.clone.game import Game

BIG = 60
"""Tiles made anew in one go that make the program stall."""

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
        if self.engine.rebuilt > BIG:
            self._free += self.burden.stall
        self.engine.rebuilt = 0

    def _draw(self) -> None:
        if self.engine.changed:
            self.engine.changed = False
            self._free += self.burden.draw
            self._drawn.append((self._free, self.engine.scene()))
