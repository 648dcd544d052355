"""What clicks have changed: waits for it, and knows what they can't have changed.

`Effects` looks until all clicks of a batch have had their effect, or until it is clear that one was lost. It insists
that no other tile has changed, and learns how long a game takes and whether it fades what it opens. It clicks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from bot.actions import Action
from bot.board import Board, Cell, place
from bot.desktop import Desktop
from bot.desktop.timing import Timing
from bot.play.events import InDoubtError, Timer
from bot.play.eye import Eye, Sight
from bot.play.game import Progress

FADES_FROM = 4
"""Squares of the distance from the click, in tiles, from which on the Windows 7 game fades what it opens."""

FADE_SECONDS = 0.15
"""What the quickest of those fades takes."""


class Effects:
    """The effects of clicks on one desktop's game."""

    def __init__(self, desktop: Desktop, eye: Eye, timing: Timing, timer: Timer) -> None:
        self._desktop = desktop
        self._eye = eye
        self._timing = timing
        self._timer = timer
        self._fades: bool | None = None
        self._slowest = 0.0

    def fades(self, sight: Sight) -> bool | None:
        """Whether the game fades its tiles and shows its ends; None while nothing was seen of either."""
        return sight.hurried or self._fades

    def wait(self, actions: Sequence[Action], sight: Sight, game: Progress, look: Callable[[], Sight]) -> Sight:
        """Look until all clicks have had their effect, or until it is clear that one was lost.

        Raises `InDoubtError` when a tile has changed that nobody clicked.
        """
        before, clock = sight.reading.board, self._desktop.clock
        clicked_at = clock.now()
        patience = self._patience(game.rounds_in_vain)
        moved = False
        self._eye.await_change(sight, *actions[-1].shows_at(before), patience)
        while True:
            after = look()
            moved = moved or after.moved
            if self._unexplained(game, before, after):
                # The end of a game changes many tiles, and some paint it bit by bit.
                self._timer.sleep(self._timing.effect_least, clock)
                after = look()
                moved = moved or after.moved
                self._insist_on_the_right_tiles(game, before, after)
            board = after.reading.board
            waited = clock.now() - clicked_at
            lost = [] if after.over else [action for action in actions if not action.done(before, board)]
            if not lost:
                self._slowest = max(self._slowest, waited)
                if not self.fades(after) and opened_far(before, board, actions):
                    self._learn_fades(moved, after.began - clicked_at)
                return after
            if actions[-1].done(before, board):
                # A game takes clicks in their order: an earlier one was lost, or a busy computer still paints it.
                patience = min(patience, 2 * waited + self._timing.effect_least)
            if waited > patience:
                game.lost_clicks += len(lost)
                self._fades = self._fades or None  # perhaps it was a fade that swallowed them
                return after
            self._timer.sleep(self._timing.settle_poll, clock)

    def _patience(self, rounds_in_vain: int) -> float:
        """Return how long to wait for an effect. A game that has not answered may be busy: it gets ever longer."""
        timing = self._timing
        if rounds_in_vain or not self._slowest:
            return timing.effect_timeout * 2.0**rounds_in_vain
        return min(max(timing.effect_slack * self._slowest, timing.effect_least), timing.effect_timeout)

    def _unexplained(self, game: Progress, before: Board, after: Sight) -> set[tuple[int, int]]:
        """Return the tiles that have changed and that no click of this game explains.

        Where clicks are not waited for, one on a number that is open already may open what is around it: GNOME Mines
        does so, and a tile that is to be opened may be opened by another's flood just before it is clicked.
        """
        if after.reading.state == "won":
            return set()  # some games then flag the rest by themselves
        opened = game.opened
        if not self._desktop.mouse.in_step:
            opened = opened.union(*(before.neighbours(*tile) for tile in opened))
        return unexplained(before, after.reading.board, opened, game.marked)

    def _insist_on_the_right_tiles(self, game: Progress, before: Board, after: Sight) -> None:
        """Raise `InDoubtError` when a click acted elsewhere: nothing is sure any more then."""
        strange = self._unexplained(game, before, after)
        if not strange:
            return
        game.misplaced += len(strange)
        raise InDoubtError(
            f"{place(*min(strange))} changed although it was not clicked: a click acted on the wrong tile, "
            "or somebody else plays too",
            after.picture,
        )

    def _learn_fades(self, moved: bool, late: float) -> None:
        """Learn from an opening that reaches far, which was seen to move or was not.

        Who looks too late has missed a fade that there may have been, and knows no more than before.
        """
        if moved or late < FADE_SECONDS / 2:
            self._fades = moved


def unexplained(
    before: Board, after: Board, opened: set[tuple[int, int]], marked: set[tuple[int, int]]
) -> set[tuple[int, int]]:
    """Return the tiles that differ and that neither a click nor a flood from one explains.

    The end of a game shows what nobody clicked, but the mine that went off must have been.
    """
    if before.cells.shape != after.cells.shape:
        return set()
    ends = np.isin(after.cells, (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG))
    if ends.any():
        exploded = _places(after.cells == Cell.EXPLODED)  # several while the end is still shown
        return set() if exploded & opened else exploded
    changed = (before.cells != after.cells) & before.hidden & (after.cells != Cell.UNREAD)
    new = _places(changed & (after.cells <= 8))
    return new - _flood(after, new & opened, new) | _places(changed & after.hidden) - marked


def opened_far(before: Board, after: Board, actions: Sequence[Action]) -> bool:
    """Whether the last click has by itself opened tiles so far off that a game that fades at all fades them.

    Where an earlier click began the same flood, or a chord opened more than one, nobody can say whose they are.
    """
    row, col = actions[-1].row, actions[-1].col
    earlier = {(action.row, action.col) for action in actions[:-1]}
    new = _places(before.hidden & ~after.hidden)
    if actions[-1].kind == "chord":
        flooded = new if len(actions) == 1 else set()
    else:
        flooded = _flood(after, {(row, col)} & new, new)
    reaches = any((r - row) ** 2 + (c - col) ** 2 >= FADES_FROM for r, c in flooded)
    return reaches and not flooded & earlier


def _flood(board: Board, begun: set[tuple[int, int]], new: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return those of the newly opened tiles that were opened by clicks on some, or by the floods that these began."""
    flooded, flood = set(begun), list(begun)
    while flood:
        tile = flood.pop()
        if board.cells[tile] == 0:
            near = [other for other in board.neighbours(*tile) if other in new and other not in flooded]
            flooded.update(near)
            flood += near
    return flooded


def _places(which: NDArray[np.bool_]) -> set[tuple[int, int]]:
    return {(int(row), int(col)) for row, col in np.argwhere(which)}
