"""Every wait of the bot, by name.

A `Timing` holds all durations that playing on a desktop needs; the three presets are what `--pace` chooses from.
Nothing else in the bot sleeps: it calls `pause`, `wait_until`, a `Deadline` or its desktop's clock with one of these
names. No wait here guesses how long a game animates; those are polls with a limit.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NewType, Protocol, TypeVar

from bot.words import Pace

Seconds = NewType("Seconds", float)


Found = TypeVar("Found")


class Clock(Protocol):
    """Time, so that a game without a screen can be played without waiting."""

    def now(self) -> float:
        """Return seconds since some fixed moment; never goes back."""

    def sleep(self, seconds: float) -> None:
        """Return after at least this long."""


class RealClock:
    """The time on the wall."""

    def now(self) -> float:
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """Return after at least this long; at once for nothing or less."""
        pause(Seconds(seconds))


WALL = RealClock()


@dataclass(frozen=True)
class Timing:
    """How long to wait for what. All durations are seconds."""

    # The hand
    button_hold: Seconds
    """Between pressing and releasing a button."""
    between_clicks: Seconds
    """Between the clicks of one batch; at human pace the travel of the pointer comes on top."""
    double_click_guard: Seconds
    """Two clicks on one pixel are never closer than this: the game would take them for a double-click, a chord."""
    key_hold: Seconds
    """Between pressing and releasing a key."""
    pointer_speed: float
    """Pixels a second that the pointer travels along a curved path; 0 means it jumps."""
    pointer_step: Seconds
    """Between two positions of a travelling pointer."""
    pointer_timeout: Seconds
    """How long the pointer may take to be reported where it was put before someone else must have moved it."""
    held_timeout: Seconds
    """How long another program may hold the mouse or the keyboard: a window manager does so while it looks at a press,
    a menu or a locked screen for longer."""
    capture_timeout: Seconds
    """How long a game may take to hold the mouse after a press before the press counts as eaten."""
    capture_poll: Seconds
    """Between two questions whether the game holds the mouse."""
    game_timeout: Seconds
    """How long a game may take to answer a message that does nothing before it counts as hung."""
    shown_after: Seconds
    """What a game of this kind may take to show what it has done, at most: a tick, a drawing and two refreshes."""
    reaction: Seconds
    """What a person takes to look before acting on a new picture; nothing at the other paces."""

    # The eye
    settle_poll: Seconds
    """Between two looks while waiting for the picture to stand still."""
    tick: Seconds
    """The same for a game that draws in ticks: longer than one of the Windows 7 game's, a thirtieth of a second."""
    hurry: Seconds
    """How long a picture may move before the game is told to hurry: longer than drawing it twice."""
    settle_timeout: Seconds
    """How long a picture may keep changing (ripples, explosions, the beam of a win) before the bot gives up."""
    effect_timeout: Seconds
    """How long a click may take to change the picture before it counts as lost, while nothing is known of the game."""
    effect_least: Seconds
    """The same for the quickest of games."""
    effect_slack: float
    """How many times longer than the slowest effect seen so far it may take, within the two limits above."""
    retry_after: Seconds
    """Before a lost click is tried again: longer than the double-click time."""
    doubt_pauses: tuple[Seconds, ...]
    """Before each further look at a doubtful picture, such as one caught half painted; the last look's doubt stands.

    Together they outlast the beam of light that passes over a won game for three seconds.
    """
    grab_retry: Seconds
    """Before a failed grab (a lock screen, a mode change) is tried again."""
    grab_timeout: Seconds
    """How long grabs may go on failing."""

    # The window
    window_poll: Seconds
    """Between two looks at a window's state while waiting for it."""
    focus_timeout: Seconds
    """How long one step of the ladder to the foreground may take to show its effect."""
    dialog_timeout: Seconds
    """How long an end dialog may take to appear or to go away."""
    new_game_timeout: Seconds
    """How long a new game may take to show a covered board."""
    deal: Seconds
    """How long a board may take to be dealt, tile by tile; until then it looks like a smaller one."""

    # The person who looks on
    linger: Seconds
    """How long a decision stays in the terminal where the game itself takes no time; guesses stay longer."""
    coach_poll: Seconds
    """Between two looks of the coach; with looking, reading and deciding an answer comes within a tenth of a second."""


FAST = Timing(
    button_hold=Seconds(0.0),
    between_clicks=Seconds(0.0),
    double_click_guard=Seconds(0.55),
    key_hold=Seconds(0.0),
    pointer_speed=0.0,
    pointer_step=Seconds(0.008),
    pointer_timeout=Seconds(0.2),
    held_timeout=Seconds(0.5),
    capture_timeout=Seconds(0.5),
    capture_poll=Seconds(0.001),
    game_timeout=Seconds(10.0),
    shown_after=Seconds(0.1),
    reaction=Seconds(0.0),
    settle_poll=Seconds(0.002),
    tick=Seconds(0.036),
    hurry=Seconds(0.15),
    settle_timeout=Seconds(15.0),
    effect_timeout=Seconds(2.0),
    effect_least=Seconds(0.15),
    effect_slack=10.0,
    retry_after=Seconds(0.6),
    doubt_pauses=(Seconds(0.002), Seconds(0.01), Seconds(0.05), Seconds(0.25), Seconds(1.0), Seconds(2.5)),
    grab_retry=Seconds(0.25),
    grab_timeout=Seconds(10.0),
    window_poll=Seconds(0.01),
    focus_timeout=Seconds(1.0),
    dialog_timeout=Seconds(3.0),
    new_game_timeout=Seconds(10.0),
    deal=Seconds(1.5),
    linger=Seconds(0.0),
    coach_poll=Seconds(0.025),
)
"""As quick as the game repaints."""

STEADY = replace(
    FAST,
    button_hold=Seconds(0.01),
    between_clicks=Seconds(0.03),
    key_hold=Seconds(0.03),
    settle_poll=Seconds(0.02),
    effect_timeout=Seconds(3.0),
    linger=Seconds(0.15),
)
"""For slow machines, remote screens and for watching."""

HUMAN = replace(
    STEADY,
    button_hold=Seconds(0.06),
    between_clicks=Seconds(0.08),
    key_hold=Seconds(0.06),
    pointer_speed=1400.0,
    reaction=Seconds(0.25),
    linger=Seconds(0.6),
)
"""As a good player moves."""

PRESETS: dict[Pace, Timing] = {"fast": FAST, "steady": STEADY, "human": HUMAN}


def pause(duration: Seconds) -> None:
    """Sleep; returns at once for nothing or less."""
    if duration > 0:
        time.sleep(duration)


def until_next_second() -> Seconds:
    """Return how long the second that the computer's clock shows still lasts."""
    return Seconds(1 - time.time() % 1)


class Deadline:
    """A moment in the future."""

    def __init__(self, after: Seconds, clock: Clock = WALL) -> None:
        self._clock = clock
        self._end = clock.now() + after

    @property
    def left(self) -> Seconds:
        """The time left; never negative."""
        return Seconds(max(0.0, self._end - self._clock.now()))

    @property
    def passed(self) -> bool:
        """Whether the moment is over."""
        return self._clock.now() >= self._end


def wait_until(look: Callable[[], Found], timeout: Seconds, poll: Seconds, clock: Clock = WALL) -> Found:
    """Look until something true is seen and return it; at the end of the time return the last, false, look.

    Looks at least once, and once more when the time has run out.
    """
    deadline = Deadline(timeout, clock)
    while True:
        late = deadline.passed
        found = look()
        if found or late:
            return found
        clock.sleep(min(poll, deadline.left))
