"""The clone's window, in the Windows 7 look, played from pixels while it is moved and resized under the bot's hand."""

from __future__ import annotations

import sys

import pytest

from bot.actions import Action
from bot.desktop import Click, Desktop, open_desktop
from bot.desktop.timing import FAST, Seconds, wait_until
from bot.play import Player, Settings, Watcher
from bot.vision.reader import Reader
from bot.vision.skin import Skin
from tests.live import stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the Windows Python of the live tests has no tkinter")

PATIENCE, POLL = Seconds(30), Seconds(0.02)
SEED = 10
"""This game and the next are won without a guess."""


def player(desktop: Desktop, watcher: Watcher | None = None) -> Player:
    return Player(desktop, Reader(Skin.load("win7")), Settings(style="noflags", strategy="csp"), watcher)


class Restless(Watcher):
    """Moves and resizes the window after the bot's first clicks."""

    def __init__(self, desktop: Desktop, places: list[dict[str, int]]) -> None:
        self._desktop = desktop
        self._places = places
        self.moved = 0

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        if self.moved < len(self._places):
            before = self._desktop.window.client()
            configure_window(**self._places[self.moved])
            assert wait_until(lambda: self._desktop.window.client() != before, PATIENCE, POLL)
            self.moved += 1


def configure_window(**place: int) -> None:
    """Move or resize the clone's window as a user would, through the window manager."""
    from bot.desktop.x11.connection import Connection

    x = Connection()
    clone = next(window for window in x.client_windows() if x.names(window).window_class == "Minesweeper")
    x.window(clone).configure(**place)
    x.display.sync()


def test_a_game_is_won_although_its_window_is_moved_and_resized(live_screen: None) -> None:
    with stage.clone(SEED, "--no-animations"):
        desktop = open_desktop(None, FAST)
        places = [{"x": 40, "y": 30}, {"width": 420, "height": 470}, {"x": 300, "width": 340, "height": 390}]
        restless = Restless(desktop, places)
        session = player(desktop, restless).play(1)
    assert session.stop is None
    assert restless.moved == 3
    assert session.games[0].won


def test_games_with_all_animations_are_won_one_after_the_other(live_screen: None) -> None:
    with stage.clone(SEED):
        session = player(open_desktop(None, FAST)).play(2)
    assert session.stop is None
    assert [game.won for game in session.games] == [True, True]


def test_games_are_played_on_from_the_dialog_that_the_last_one_left(live_screen: None) -> None:
    with stage.clone(SEED, "--no-animations"):
        for _ in range(4):
            desktop = open_desktop(None, FAST)
            session = player(desktop).play(1)
            assert session.stop is None
            assert wait_until(desktop.window.dialog, PATIENCE, POLL)
