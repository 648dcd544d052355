"""Knows when a game has handled a click, by what the game lets others see of it.

The Windows 7 game asks where the pointer is when it gets round to a click, not where it was when the click was sent. So
the pointer must stay until then, and how long that takes nobody can know beforehand: a drawing, a big opening, a busy
computer. But the game holds ("captures") the mouse from the moment it handles a press until it handles the release, and
it answers a message that does nothing at its next look into its queue. `InStep` waits for both.
"""

from __future__ import annotations

from typing import Protocol

from bot.desktop.protocols import DesktopError
from bot.desktop.timing import Clock, Timing, wait_until

TRIPS_AFTER_RELEASE = 2
"""Messages to and fro once the mouse is no longer held. It is let go of just before the release is acted upon: one
message can only be answered after that, and one is for those games that let go a little earlier."""

TRIPS_BLIND = 9
"""Messages to and fro that prove alone that a move, a press and a release were handled: a game looks for them twice per
message of its own queue, and two may be answered at one look."""

PRESSES_UNHEARD = 2
"""A program that has not held the mouse after so many presses, and never before, is one that does not."""


class Answers(Protocol):
    """What a game lets others see of its input."""

    def captured(self) -> bool:
        """Whether it holds the mouse just now."""

    def round_trip(self) -> bool:
        """Send it a message that does nothing and return when it has answered; False when it does not in time."""


class AtOnce:
    """The handshake with a game that takes a click where it was made, however late: there is nothing to wait for."""

    in_step = False

    def moved(self) -> None:
        """Return at once."""

    def pressed(self) -> bool:
        """Return at once."""
        return True

    def released(self) -> None:
        """Return at once."""


class InStep:
    """The handshake with a game that asks where the pointer is when it gets round to a click."""

    in_step = True

    def __init__(self, game: Answers, timing: Timing, clock: Clock) -> None:
        self._game = game
        self._timing = timing
        self._clock = clock
        self._held_before = False
        self._unheard = 0
        self._held = False

    def moved(self) -> None:
        """Return once the game has looked into its queue since the pointer was moved.

        It presses where its last move was. And under Wine it is the game that learns from X11 where the pointer is and
        tells everybody: one that was held up in the midst of that tells an older place, which is seen after this.
        """
        self._trip()

    def pressed(self) -> bool:
        """Return once the game holds the mouse, and whether it does; of one that never does nothing is known."""
        timing = self._timing
        if not self._held_before and self._unheard >= PRESSES_UNHEARD:
            return True
        self._held = wait_until(self._game.captured, timing.capture_timeout, timing.capture_poll, self._clock)
        self._held_before = self._held_before or self._held
        self._unheard = 0 if self._held else self._unheard + 1
        return self._held

    def released(self) -> None:
        """Return once the game has handled all that was sent. Raises `DesktopError` when it answers no more."""
        timing = self._timing
        trips = TRIPS_BLIND
        if self._held:
            self._held = False
            let_go = wait_until(
                lambda: not self._game.captured(), timing.game_timeout, timing.capture_poll, self._clock
            )
            trips = TRIPS_AFTER_RELEASE if let_go else TRIPS_BLIND
        for _ in range(trips):
            self._trip()

    def _trip(self) -> None:
        if not self._game.round_trip():
            raise DesktopError("the game does not answer any more: it hangs, or is very busy")
