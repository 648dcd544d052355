"""A game of unknown look on the desktop: where its tiles are, clicks on them, and a new game when one is over.

Promises pictures that stand still and clicks that hit the board and nothing else; it settles and clicks as play does.
It knows no tile by its look: what is new, what is over and what is covered, others tell it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal

from bot.actions import Action
from bot.calibrate.samples import Sample, best_lattice
from bot.desktop import Desktop, Key
from bot.desktop.timing import Seconds, Timing
from bot.picture import Picture
from bot.play.events import InDoubtError
from bot.play.eye import Still, TimedDesktop, board_part, equal
from bot.play.hand import Hand
from bot.play.new_game import take_the_focus_back
from bot.vision.grid import Grid
from bot.vision.reader import NoBoardError
from bot.vision.skin import NEW_GAME_KEYS, NewGame

STANDSTILL = Seconds(0.1)
"""A picture that stays the same for so long is final; games that animate change it more often."""

NO_EFFECT = Seconds(1.2)
"""A click that has changed nothing for so long has no effect."""

MESSAGE_GONE = Seconds(6.0)
"""What a game says over its board at the end, it has taken away by then, if it ever does."""

MOST_CHANGES = 4
"""After so many in a row it is no message that comes and goes."""

ANSWERS: tuple[Key, ...] = ("enter", "esc", "enter", "esc")

LETTERS = frozenset({"s"})
"""Keys that other games may take for something else: tried when nothing else deals a new game."""

FACES = (1.7, 1.0, 2.4)
"""How many tiles above the middle of the board a face may be that deals a new game."""


class GameWindow:
    """The window of a game, and where the tiles are in it."""

    def __init__(self, desktop: Desktop, timing: Timing) -> None:
        self.desktop = desktop
        self.new_game_by: NewGame | None = None
        self._timing = timing
        self._at = TimedDesktop(desktop, timing)
        self._hand = Hand(self._at)
        self._client = desktop.window.client()
        self._grid: Grid | None = None
        self._only_restarts: set[NewGame] = set()

    def find(self) -> Sample:
        """Return a sample of the window, with the lattice found anew. Raises `NoBoardError` when there is none."""
        self._grid = None
        picture = self._settled()
        grid = best_lattice(picture)
        if grid is None:
            raise NoBoardError(
                f'no board found in the window "{self.desktop.window.title}": begin a new game in it, all of it in '
                "sight, or name another window with --window"
            )
        self._grid = grid
        return self._sample(picture)

    def look(self) -> Sample:
        """Return a sample of the board where it was last found."""
        return self._sample(self._settled())

    def look_behind_dialogs(self) -> Sample:
        """Return a sample of the board with the game's own dialog pushed aside: closing it might begin a new game."""
        dialog = self.desktop.window.dialog()
        if dialog is not None:
            self.desktop.window.push_aside(dialog)
        return self.look()

    def looks_until_still(self, seen: Sample) -> Iterator[Sample]:
        """Yield a sample whenever the board looks otherwise than before, until it stays as it is: messages go."""
        clock = self.desktop.clock
        for _ in range(MOST_CHANGES):
            deadline = clock.now() + MESSAGE_GONE
            while equal(self._board(self._grab()), self._board(seen.picture)):
                if clock.now() > deadline:
                    return
                self._wait()
            seen = self.look()
            yield seen

    def click(self, cells: list[tuple[int, int]], button: Literal["left", "right"] = "left") -> Sample:
        """Click tiles, leave the board and return what it then shows, at once or after a while without any effect."""
        picture = self._grab()
        actions = [Action("open" if button == "left" else "flag", row, col) for row, col in cells]
        self._hand.do(actions, self._still(picture))
        clock = self.desktop.clock
        deadline = clock.now() + NO_EFFECT
        while clock.now() < deadline and equal(self._board(self._grab()), self._board(picture)):
            clock.sleep(self._timing.settle_poll)
        return self.look_behind_dialogs()

    def start_anew(self, is_new: Callable[[Sample], bool]) -> Sample:
        """Start a new game in whatever way the game knows, and return the sample of it.

        Raises `InDoubtError` when no way leads to a sample that is called new.
        """
        for way in self._ways():
            self._close_dialogs()
            self._hand.ask_for_a_new_game(way, self._still(self._grab()))
            sample = self._await_new_game(is_new)
            if sample is not None:
                self.new_game_by = way
                self._hand.begin()
                return sample
        raise InDoubtError(
            "no new game appears after F2, Ctrl+R, Ctrl+N, a click above the board and S", self._settled()
        )

    def it_was_no_new_game(self) -> None:
        """Don't begin a game again in the way that the last one was begun: it deals the same mines once more."""
        if self.new_game_by is not None:
            self._only_restarts.add(self.new_game_by)
            self.new_game_by = None

    def _close_dialogs(self) -> None:
        """Answer what a finished game asks, such as a winner's name: by Enter, or by Esc where that is not enough."""
        for key in ANSWERS:
            if self.desktop.window.dialog() is None:
                return
            self._hand.tap(key)
            deadline = self.desktop.clock.now() + NO_EFFECT
            while self.desktop.window.dialog() is not None and self.desktop.clock.now() < deadline:
                self._wait()
            if self.desktop.window.dialog() is None:
                take_the_focus_back(self.desktop, self._timing)

    def _ways(self) -> Iterator[NewGame]:
        """Yield the ways to try: the one that is known, a few times, then all others that have not failed to deal."""
        known = self.new_game_by
        if known is not None:
            yield from (known,) * 3
        for way in sorted((*NEW_GAME_KEYS, *FACES), key=LETTERS.__contains__):
            if way not in self._only_restarts and way != known:
                yield way

    def _await_new_game(self, is_new: Callable[[Sample], bool]) -> Sample | None:
        deadline = self.desktop.clock.now() + self._timing.dialog_timeout
        while True:
            try:
                sample = self.look()
            except InDoubtError:
                return None
            if is_new(sample):
                return sample
            if self.desktop.clock.now() > deadline:
                return None
            self._close_dialogs()
            self._wait()

    def _wait(self) -> None:
        self.desktop.clock.sleep(STANDSTILL)

    def _sample(self, picture: Picture) -> Sample:
        assert self._grid is not None
        return Sample("the window", picture, self._grid)

    def _still(self, picture: Picture) -> Still:
        assert self._grid is not None
        return Still(picture, self._client, self._grid)

    def _settled(self) -> Picture:
        """Return the window's picture once its board stands still."""
        return self._at.settle(self._grab, STANDSTILL, part=self._board)

    def _grab(self) -> Picture:
        picture, client = self._at.grab_window()
        if client != self._client:
            if self._grid is not None:
                raise InDoubtError("the window was moved or resized; leave it where it is while it is calibrated")
            self._client = client
        return picture

    def _board(self, picture: Picture) -> Picture:
        return board_part(picture, self._grid)

    def leave_the_window(self) -> None:
        """Put the pointer where it lights nothing, before the board is known: into the window's left top corner."""
        self.desktop.obey_the_user()
        self.desktop.mouse.park(self._client.left + 2, self._client.top + 2)
