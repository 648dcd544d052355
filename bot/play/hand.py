"""Clicks tiles, and leaves the board so that no tile is lit by the pointer.

`Hand` makes the clicks that actions stand for and remembers when each tile was clicked, so that a click that is made
again is never taken for a double-click. Whether it had an effect is not known here.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bot.desktop import Button, Click, Desktop, Rect
from bot.desktop.timing import Timing
from bot.plan import Action, ActionKind
from bot.play.eye import Eye
from bot.play.spent import Spent

_BUTTONS: dict[ActionKind, Button] = {"open": "left", "flag": "right", "unflag": "right", "chord": "middle"}


class Hand:
    """The hand on one desktop's mouse; the eye tells it where the tiles are."""

    def __init__(self, desktop: Desktop, eye: Eye, timing: Timing, spent: Spent) -> None:
        self._desktop = desktop
        self._eye = eye
        self._timing = timing
        self._spent = spent
        self._last_click: dict[tuple[int, int, Button], float] = {}

    def without_retries(self, actions: list[Action]) -> list[Action]:
        """Return the actions whose tile was not clicked a moment ago; none if there are chords: they need all flags."""
        if any(action.kind == "chord" for action in actions):
            return []
        long_ago = self._desktop.clock.now() - self._timing.retry_after
        return [action for action in actions if self._last_click.get(_key(action), -np.inf) <= long_ago]

    def click(self, actions: Sequence[Action]) -> list[Click]:
        """Click and park; returns the clicks. Raises what the mouse raises, such as `MovedError`."""
        clock = self._desktop.clock
        self._wait_out_double_clicks(actions)
        self._spent.sleep(self._timing.reaction, clock)
        clicks = [Click(*self._eye.middle_of(action.row, action.col), _BUTTONS[action.kind]) for action in actions]
        self._eye.obey_the_user()
        try:
            with self._spent.on("click", clock):
                self._desktop.mouse.click(clicks)
                self._desktop.mouse.park(*self._eye.margin())
        finally:  # some were made even when not all could be
            self._last_click.update({_key(action): clock.now() for action in actions})
        return clicks

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
