"""Clicks tiles, and leaves the board so that no tile is lit by the pointer.

`Hand` makes the clicks that actions stand for and remembers when each tile was clicked, so that a click that is made
again is never taken for a double-click, and is aimed at another part of the tile: a game may take no notice of a
pointer that comes back to the very same place. Whether a click had an effect is not known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from bot.desktop import BusyError, Button, Click, Desktop, Rect
from bot.desktop.timing import Timing
from bot.plan import Action, ActionKind
from bot.play.eye import Eye
from bot.play.spent import Spent

_BUTTONS: dict[ActionKind, Button] = {"open": "left", "flag": "right", "unflag": "right", "chord": "middle"}

AIMS = ((0.0, 0.0), (0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.0, -0.2))
"""Where to click a tile the first time and when that had no effect, from its middle, in tiles."""


class Hand:
    """The hand on one desktop's mouse; the eye tells it where the tiles are."""

    def __init__(self, desktop: Desktop, eye: Eye, timing: Timing, spent: Spent) -> None:
        self._desktop = desktop
        self._eye = eye
        self._timing = timing
        self._spent = spent
        self._last_click: dict[tuple[int, int, Button], float] = {}
        self._tries: Counter[tuple[int, int, Button]] = Counter()

    def begin(self) -> None:
        """Forget the clicks of the last game."""
        self._last_click.clear()
        self._tries.clear()

    def without_retries(self, actions: list[Action]) -> list[Action]:
        """Return the actions whose tile was not clicked a moment ago; none if there are chords: they need all flags."""
        if any(action.kind == "chord" for action in actions):
            return []
        long_ago = self._desktop.clock.now() - self._timing.retry_after
        return [action for action in actions if self._last_click.get(_key(action), -np.inf) <= long_ago]

    def click(self, actions: Sequence[Action], fades: bool | None) -> list[Click]:
        """Click and park; return the clicks that were sent. Raises what the mouse raises, such as `MovedError`.

        Where tiles fade the next click would be swallowed: a key that means nothing is pressed after each click that
        may open an area. While it is not known whether they do, what the last click opens is left alone, to be seen.
        """
        clock, mouse = self._desktop.clock, self._desktop.mouse
        self._wait_out_double_clicks(actions)
        self._spent.sleep(self._timing.reaction, clock)
        clicks = [self._click_for(action) for action in actions]
        self._eye.obey_the_user()
        sent = 0
        try:
            with self._spent.on("click", clock):
                if mouse.in_step:
                    sent = self._one_by_one(clicks, fades)
                else:
                    sent = mouse.click(clicks)
                mouse.park(*self._eye.margin())
        finally:  # some were made even when not all could be
            self._last_click.update({_key(action): clock.now() for action in actions})
        return clicks[:sent]

    def _one_by_one(self, clicks: Sequence[Click], fades: bool | None) -> int:
        """Click until the game does not take one or has no time for more, and return how many clicks were sent.

        One that the game was not seen to take may have had its effect all the same, on a busy computer: it is the last,
        and the board will tell.
        """
        for number, click in enumerate(clicks):
            if number:
                self._desktop.clock.sleep(self._timing.between_clicks)
            try:
                if not self._desktop.mouse.click([click]):
                    return number + 1
            except BusyError:
                if number == 0:
                    raise
                return number
            is_last = number == len(clicks) - 1
            if click.button != "right" and (fades or (fades is None and not is_last)):
                with suppress(BusyError):  # the next click will tell
                    self._desktop.keys.tap("f15")
        return len(clicks)

    def _click_for(self, action: Action) -> Click:
        tries = self._tries[_key(action)]
        self._tries[_key(action)] += 1
        return Click(*self._eye.middle_of(action.row, action.col, AIMS[tries % len(AIMS)]), _BUTTONS[action.kind])

    def click_beside_the_board(self, x: int, y: int) -> None:
        """Click one pixel of the game's window that is no tile; from then on nothing until the board is found anew."""
        self._eye.obey_the_user()
        self._eye.forget()
        with self._spent.on("click", self._desktop.clock):
            self._desktop.mouse.confine(Rect(x, y, 1, 1))
            self._desktop.mouse.click([Click(x, y, "left")])

    def _wait_out_double_clicks(self, actions: Sequence[Action]) -> None:
        """Sleep until no action can join an earlier click on its tile to a double-click."""
        last = max(self._last_click.get(_key(action), -np.inf) for action in actions)
        self._spent.sleep(last + self._timing.retry_after - self._desktop.clock.now(), self._desktop.clock)


def _key(action: Action) -> tuple[int, int, Button]:
    """Only clicks of one button on one tile can make a double-click: a number just opened may be chorded at once."""
    return action.row, action.col, _BUTTONS[action.kind]
