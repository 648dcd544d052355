"""Clicks tiles where a sight shows them, and leaves the board so that no tile is lit by the pointer.

`Hand` makes the clicks that actions stand for and remembers when each tile was clicked, so that a click that is made
again is never taken for a double-click, and is aimed at another part of the tile: a game may take no notice of a
pointer that comes back to the very same place. The user's wish to stop is asked for before every key and every batch of
clicks. Whether a click had an effect is not known here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from bot.actions import Action
from bot.desktop import BusyError, Button, Click, Key, Rect
from bot.play.eye import Still, TimedDesktop
from bot.words import ActionKind

_BUTTONS: dict[ActionKind, Button] = {"open": "left", "flag": "right", "unflag": "right", "chord": "middle"}

AIMS = ((0.0, 0.0), (0.2, 0.0), (-0.2, 0.0), (0.0, 0.2), (0.0, -0.2))
"""Where to click a tile the first time and when that had no effect, from its middle, in tiles."""


class Hand:
    """The hand on one desktop's mouse and keyboard."""

    def __init__(self, at: TimedDesktop) -> None:
        self._at = at
        self._desktop = at.desktop
        self._timing = at.timing
        self._last_click: dict[tuple[int, int, Button], float] = {}
        self._tries: Counter[tuple[int, int, Button]] = Counter()

    def begin(self) -> None:
        """Forget the clicks of the last game."""
        self._last_click.clear()
        self._tries.clear()

    def ready(self, actions: list[Action]) -> list[Action]:
        """Return the actions that can be done now, all if none can.

        Those whose tile was clicked a moment ago wait, and chords wait for their flags: one opens mines where a flag is
        missing, so a game that has to be waited for must have shown them before.
        """
        if any(action.kind == "chord" for action in actions):
            if not self._desktop.mouse.in_step:
                return actions
            return [action for action in actions if action.kind == "flag"] or actions
        long_ago = self._at.clock.now() - self._timing.retry_after
        return [action for action in actions if self._last_click.get(_key(action), -np.inf) <= long_ago] or actions

    def do(self, actions: Sequence[Action], sight: Still, fades: bool | None = None) -> list[Click]:
        """Click and park; return the clicks that were sent. Raises what the mouse raises, such as `MovedError`.

        Where tiles fade the next click would be swallowed: a key that means nothing is pressed after each click that
        may open an area. While it is not known whether they do, what the last click opens is left alone, to be seen.
        """
        mouse = self._desktop.mouse
        last = max(self._last_click.get(_key(action), -np.inf) for action in actions)
        double_click_over = max(last + self._timing.retry_after - self._at.clock.now(), 0.0)
        self._at.sleep(double_click_over + self._timing.reaction)
        mouse.confine(sight.board, sight.client)
        clicks = [self._click_for(action, sight) for action in actions]
        self._desktop.obey_the_user()
        sent = 0
        try:
            with self._at.spending("click"):
                if mouse.in_step:
                    sent = self._one_by_one(clicks, fades)
                else:
                    sent = mouse.click(clicks)
                mouse.park(*sight.margin)
        finally:  # some were made even when not all could be
            self._last_click.update({_key(action): self._at.clock.now() for action in actions})
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
                    self.tap("f15")
        return len(clicks)

    def _click_for(self, action: Action, sight: Still) -> Click:
        tries = self._tries[_key(action)]
        self._tries[_key(action)] += 1
        return Click(*sight.middle_of(action.row, action.col, AIMS[tries % len(AIMS)]), _BUTTONS[action.kind])

    def tap(self, key: Key) -> None:
        """Press a key. Raises what the keyboard raises, such as `FocusLostError`."""
        self._desktop.obey_the_user()
        self._desktop.keys.tap(key)

    def hurry(self) -> bool:
        """End fades and shows by a key that means nothing, where the game knows them; whether it was pressed."""
        if not self._desktop.mouse.in_step:
            return False
        self.tap("f15")
        return True

    def ask_for_a_new_game(self, way: Key | float, sight: Still) -> None:
        """Press a key, or click the face so many tiles above the board and leave it.

        Nothing is clicked outside of the window, nor when it has moved since it was seen.
        """
        if isinstance(way, str):
            self.tap(way)
            return
        x, y = sight.above(way)
        self._desktop.obey_the_user()
        if self._desktop.window.client() != sight.client or not sight.client.contains(x, y):
            return
        mouse = self._desktop.mouse
        with self._at.spending("click"):
            mouse.confine(Rect(x, y, 1, 1), sight.client)
            try:
                mouse.click([Click(x, y, "left")])
            finally:  # the face is allowed for this one click
                mouse.confine(sight.board, sight.client)
            mouse.park(*sight.margin)


def _key(action: Action) -> tuple[int, int, Button]:
    """Only clicks of one button on one tile can make a double-click: a number just opened may be chorded at once."""
    return action.row, action.col, _BUTTONS[action.kind]
