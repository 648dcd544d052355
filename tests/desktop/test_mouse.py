"""The mouse that every desktop is played with: no click but into the game's board, one at a time, none left down."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from bot.clone.desktop import Burden, CloneDesktop
from bot.clone.game import Game
from bot.desktop import (
    BusyError,
    Button,
    Click,
    CoveredError,
    FocusLostError,
    MovedError,
    Rect,
    Standing,
    StopRequestedError,
)
from bot.level import LEVELS


class Watched(CloneDesktop):
    """A clone that counts presses, and on which things can be in the way."""

    def __init__(self, burden: Burden | None = None) -> None:
        self.down: list[Button] = []
        self.presses = 0
        self.foreground, self.cover, self.stop = True, Rect(0, 0, 0, 0), ""
        super().__init__(Game(LEVELS["beginner"], seed=1), burden=burden)
        self.acted: list[tuple[int, int]] = []
        self.program.engine.acted = lambda act, tile: self.acted.append(tile)
        self.board = Rect(self.position[0] + 30, self.position[1] + 30, 9 * 18, 9 * 18)
        self.confine(self.board, self.client())

    def is_foreground(self) -> bool:
        return self.foreground

    def owns(self, x: int, y: int) -> bool:
        return super().owns(x, y) and not self.cover.contains(x, y)

    def stop_requested(self) -> str | None:
        return self.stop or None

    def press(self, button: Button, x: int, y: int) -> None:
        self.presses += 1
        self.down.append(button)
        super().press(button, x, y)

    def release(self, button: Button, x: int, y: int) -> None:
        self.down.remove(button)
        super().release(button, x, y)

    def at(self, row: int, col: int) -> tuple[int, int]:
        return self.board.left + 18 * col + 9, self.board.top + 18 * row + 9


def test_clicks_go_to_their_tiles_however_slow_the_game_is() -> None:
    for burden in (Burden(), Burden(draw=0.035, stall=0.3, nap=0.0156), Burden(draw=0.2)):
        clone = Watched(burden)
        tiles = [(4, 4), (0, 0), (0, 8), (8, 8), (8, 0)]
        assert clone.click([Click(*clone.at(*tile), "left") for tile in tiles]) == len(tiles)
        clone.park(*clone.position)
        clone.clock.sleep(1)
        clone.grab(clone.client())
        assert clone.acted == tiles
        assert clone.down == []


class ToldLate(Watched):
    """Wine's way: a game that was held up tells everybody an older place, and the newer one a moment later."""

    older: tuple[int, int] | None = None
    later: tuple[int, int] | None = None

    def move(self, x: int, y: int) -> None:
        self.older = self.program.pointer if self.board.contains(*self.program.pointer) else None
        super().move(x, y)

    def press(self, button: Button, x: int, y: int) -> None:
        self.look_into_the_queue()
        super().press(button, x, y)

    def round_trip(self) -> bool:
        self.look_into_the_queue()
        return super().round_trip()

    def look_into_the_queue(self) -> None:
        if self.older is not None:
            newer = self.program.pointer
            super().move(*self.older)
            self.older = None
            self.later = newer

    def release(self, button: Button, x: int, y: int) -> None:
        super().release(button, x, y)
        self.clock.sleep(0.05)
        self.tell_the_newer()

    def standing(self, x: int, y: int) -> Standing:
        told = super().standing(x, y)
        self.tell_the_newer()
        return told

    def tell_the_newer(self) -> None:
        if self.later is not None:
            super().move(*self.later)
            self.later = None


def test_a_click_waits_until_the_game_no_longer_tells_an_older_place_of_the_pointer() -> None:
    clone = ToldLate()
    tiles = [(4, 4), (0, 0), (0, 8)]
    assert clone.click([Click(*clone.at(*tile), "left") for tile in tiles]) == len(tiles)
    assert clone.acted == tiles


def spoil(clone: Watched, how: str) -> None:
    if how == "moved":
        clone.position = (clone.position[0] + 1, clone.position[1])
    elif how == "covered":
        clone.cover = clone.client()
    elif how == "no focus":
        clone.foreground = False
    elif how == "asked to stop":
        clone.stop = "Esc was pressed"
    elif how == "dialog":
        clone.program.engine.question = "new game"


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ("moved", MovedError),
        ("covered", CoveredError),
        ("no focus", FocusLostError),
        ("asked to stop", StopRequestedError),
        ("dialog", BusyError),
    ],
)
def test_nothing_is_pressed_when_something_is_in_the_way(how: str, error: type[Exception]) -> None:
    clone = Watched()
    spoil(clone, how)
    with pytest.raises(error):
        clone.click([Click(*clone.at(4, 4), "left")])
    assert clone.presses == 0


def test_the_games_own_dialog_over_a_tile_is_not_taken_for_a_strangers_window() -> None:
    class Unannounced(Watched):
        """As on X11, where nothing tells of a dialog but that it is in front."""

        def standing(self, x: int, y: int) -> Standing:
            told = super().standing(x, y)
            return told._replace(busy="", owned=told.owned and not told.busy)

    clone = Unannounced()
    spoil(clone, "dialog")
    with pytest.raises(BusyError, match="waits for an answer"):
        clone.click([Click(*clone.at(4, 4), "left")])


@pytest.mark.parametrize("place", [(29, 40), (40, 29), (30 + 9 * 18, 40), (40, 30 + 9 * 18), (-500, -500)])
def test_nothing_is_pressed_outside_of_the_board(place: tuple[int, int]) -> None:
    clone = Watched()
    with pytest.raises(CoveredError, match="outside"):
        clone.click([Click(clone.position[0] + place[0], clone.position[1] + place[1], "left")])
    assert clone.presses == 0


@pytest.mark.parametrize(("seconds", "presses"), [(1.0, 1), (60.0, 0)])
def test_a_focus_that_no_window_has_is_waited_for_but_not_for_ever(seconds: float, presses: int) -> None:
    class OnItsWay(Watched):
        """A window manager that is slow to give the focus to the game."""

        given_at = 0.0

        def is_foreground(self) -> bool:
            return self.clock.now() > self.given_at

        def focus_is_free(self) -> bool:
            return not self.is_foreground()

    clone = OnItsWay()
    clone.given_at = clone.clock.now() + seconds
    with nullcontext() if presses else pytest.raises(FocusLostError):
        clone.click([Click(*clone.at(4, 4), "left")])
    assert clone.presses == presses


def test_what_comes_between_two_clicks_stops_the_second() -> None:
    class Interrupted(Watched):
        def release(self, button: Button, x: int, y: int) -> None:
            super().release(button, x, y)
            spoil(self, "covered")

    clone = Interrupted()
    with pytest.raises(CoveredError):
        clone.click([Click(*clone.at(4, 4), "left"), Click(*clone.at(0, 0), "left")])
    assert clone.presses == 1


def test_a_button_is_released_when_ctrl_c_comes_while_it_is_down() -> None:
    class Interrupted(Watched):
        def captured(self) -> bool:
            raise KeyboardInterrupt

    clone = Interrupted()
    with pytest.raises(KeyboardInterrupt):
        clone.click([Click(*clone.at(4, 4), "left")])
    assert clone.presses == 1
    assert clone.down == []


def test_a_press_that_the_game_does_not_take_ends_the_batch() -> None:
    class Deaf(Watched):
        def captured(self) -> bool:
            return False

    clone = Deaf()
    assert clone.click([Click(*clone.at(4, 4), "left"), Click(*clone.at(0, 0), "left")]) == 0
    assert clone.presses == 1
    assert clone.down == []


def test_a_pointer_that_jumps_between_the_last_look_and_the_move_stops_the_bot() -> None:
    class Jumping(Watched):
        """Moved by somebody else in the very moment before the bot moves it, and back for whoever looks."""

        jumps = False

        def move(self, x: int, y: int) -> tuple[int, int]:  # type: ignore[override]
            was = (700, 500) if self.jumps else self.program.pointer
            super().move(x, y)
            return was

    clone = Jumping()
    clone.click([Click(*clone.at(4, 4), "left")])
    clone.jumps = True
    with pytest.raises(StopRequestedError, match="moved by hand"):
        clone.click([Click(*clone.at(0, 0), "left")])
    assert clone.presses == 1


def test_a_mouse_that_is_taken_stops_the_bot() -> None:
    clone = Watched()
    clone.click([Click(*clone.at(4, 4), "left")])
    clone.move(500, 500)  # by somebody else
    with pytest.raises(StopRequestedError, match="moved by hand"):
        clone.click([Click(*clone.at(0, 0), "left")])
    assert clone.presses == 1
