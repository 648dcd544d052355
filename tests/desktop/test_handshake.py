"""When a click counts as handled, and what happens when a game does not take it, does not answer or never tells."""

from __future__ import annotations

import pytest

from bot.desktop import DesktopError
from bot.desktop.input import PRESSES_UNHEARD, TRIPS_AFTER_RELEASE, TRIPS_BLIND, AtOnce, InStep
from bot.desktop.timing import FAST


class Game:
    """A game whose thread gets round to a press and to a release some seconds after they were sent."""

    def __init__(self, press_after: float | None, release_after: float = 0.0) -> None:
        self.time = 0.0
        self.trips = 0
        self.answers = True
        self._press_after, self._release_after = press_after, release_after
        self._pressed_at = self._released_at = float("inf")

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds

    def press(self) -> None:
        self._released_at = float("inf")
        self._pressed_at = float("inf") if self._press_after is None else self.time + self._press_after

    def release(self) -> None:
        self._released_at = max(self.time, self._pressed_at) + self._release_after

    def captured(self) -> bool:
        return self._pressed_at <= self.time < self._released_at

    def round_trip(self) -> bool:
        self.trips += 1
        return self.answers


def click(game: Game, handshake: InStep) -> bool:
    handshake.moved()
    game.press()
    heard = handshake.pressed()
    game.release()
    handshake.released()
    return heard


@pytest.mark.parametrize(("press_after", "release_after"), [(0.0, 0.0), (0.035, 0.016), (0.3, 1.0)])
def test_the_pointer_may_go_on_once_the_game_has_let_go_of_the_mouse(press_after: float, release_after: float) -> None:
    game = Game(press_after, release_after)
    assert click(game, InStep(game, FAST, game))
    assert game.time >= press_after + release_after
    assert not game.captured()
    assert game.trips == 1 + TRIPS_AFTER_RELEASE


def test_a_press_that_is_eaten_is_told_and_proven_to_be_handled_all_the_same() -> None:
    game = Game(None)
    assert not click(game, InStep(game, FAST, game))
    assert game.time == pytest.approx(FAST.capture_timeout, abs=0.01)
    assert game.trips == 1 + TRIPS_BLIND


def test_a_program_that_never_holds_the_mouse_is_not_waited_for_for_ever() -> None:
    game = Game(None)
    handshake = InStep(game, FAST, game)
    for _ in range(PRESSES_UNHEARD):
        assert not click(game, handshake)
    before, trips = game.time, game.trips
    assert click(game, handshake)
    assert game.time == before
    assert game.trips == trips + 1 + TRIPS_BLIND


def test_one_that_held_it_once_is_always_waited_for() -> None:
    game = Game(0.01)
    handshake = InStep(game, FAST, game)
    assert click(game, handshake)
    game._press_after = None
    for _ in range(PRESSES_UNHEARD + 2):
        assert not click(game, handshake)


def test_a_game_that_hangs_is_named() -> None:
    game = Game(0.01)
    game.answers = False
    with pytest.raises(DesktopError, match="does not answer"):
        click(game, InStep(game, FAST, game))


def test_who_takes_clicks_where_they_are_made_is_not_waited_for() -> None:
    assert AtOnce().pressed()
    assert not AtOnce().in_step
