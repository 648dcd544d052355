"""Whole games of a real Minesweeper, played from pixels with a real mouse: on X11, and by Windows Python in Wine.

What the bot reads is held against the tests' own eye at every look: WineMine paints a cell the same to the last pixel
every time, and the tests know where its tiles are. So is where it clicks. MINEBOT_LIVE_GAMES sets how many expert games
are played; the summary is printed, for pytest -s to show.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest

from bot.actions import Action
from bot.bench.playing import summed_up
from bot.board import Board, Cell
from bot.desktop import Click, Key, Keys, Rect, open_desktop
from bot.desktop.timing import FAST, Seconds
from bot.level import LEVELS, Level
from bot.picture import Picture
from bot.play import GameResult, Player, Settings, Watcher
from bot.show.documents import live_json
from bot.solver.decision import Decision
from bot.vision.reader import Reader, Reading
from bot.vision.skin import Skin
from bot.words import ClickStyle
from tests.live import stage, user
from tests.live.winemine_board import WineMineBoard

SKIN = Skin.load("winemine")
EXPERT_GAMES = int(os.environ.get("MINEBOT_LIVE_GAMES", "3"))


class Witness(Watcher):
    """Holds every reading against the pixels, and every end against what the board then shows."""

    def __init__(
        self,
        board: WineMineBoard,
        before_click: Callable[[], object] = lambda: None,
        after_click: Callable[[], object] = lambda: None,
    ) -> None:
        self.misread: list[str] = []
        self.misplaced: list[str] = []
        self.looks = 0
        self._board = board
        self._before_click = before_click
        self._after_click = after_click

    def looked(self, reading: Reading, picture: Picture) -> None:
        self.looks += 1
        for place, tile in self._board.tiles(picture).items():
            read = int(reading.board.cells[place])
            if not np.array_equal(SKIN.tiles[read][0], tile):
                self.misread.append(f"{place} was read as {read}")

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        self._before_click()

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        for action, click in zip(actions, clicks, strict=True):
            if not self._board.is_on(action.row, action.col, click):
                self.misplaced.append(f"{action} was made at {click}")
        self._after_click()

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        if result.stopped is None:
            assert reading is not None
            if result.won == (reading.board.cells == Cell.EXPLODED).any():
                self.misread.append(f"game {number} was taken for {'won' if result.won else 'lost'}")


@contextmanager
def table(level: Level, style: ClickStyle = "noflags") -> Iterator[tuple[WineMineBoard, Callable[[Watcher], Player]]]:
    """WineMine at a level, and a player for it."""
    with stage.winemine(level):
        board = WineMineBoard(open_desktop(None, FAST), level)
        settings = Settings(style=style, strategy="best", think=0.0)
        yield board, lambda watcher: Player(board.desktop, Reader(SKIN), settings, watcher)


def test_expert_games_are_played_without_a_misread(live_screen: None) -> None:
    with table(LEVELS["expert"]) as (board, player):
        witness = Witness(board)
        expert = player(witness)
        session = expert.play(EXPERT_GAMES)
        print(json.dumps(live_json(summed_up(session, expert.timer))))
        assert session.stop is None
        assert len(session.games) == EXPERT_GAMES
        assert witness.looks > EXPERT_GAMES
        assert witness.misread == []
        assert witness.misplaced == []


@pytest.mark.parametrize("style", ["flags", "chords", "noflags"])
def test_beginner_games_are_won_in_every_style(live_screen: None, style: ClickStyle) -> None:
    with table(LEVELS["beginner"], style) as (board, player):
        witness = Witness(board)
        for _ in range(6):
            session = player(witness).play(1)
            assert session.stop is None
            if session.games[0].won:
                break
        else:
            pytest.fail("six games were lost in a row: one chance in 10,000")
        assert witness.misread == []


def test_the_smiley_deals_where_f2_does_nothing(live_screen: None) -> None:
    class WithoutF2:
        def __init__(self, keys: Keys) -> None:
            self._keys = keys

        def tap(self, key: Key) -> None:
            assert key == "f2"

        def stop_requested(self) -> str | None:
            return self._keys.stop_requested()

    with table(LEVELS["beginner"]) as (board, _):
        desktop = replace(board.desktop, keys=WithoutF2(board.desktop.keys))
        settings = Settings("noflags", "best", 0.0, timing=replace(FAST, dialog_timeout=Seconds(0.1)))
        session = Player(desktop, Reader(SKIN), settings).play(3)
        assert session.stop is None
        assert len(session.games) == 3


def test_a_game_that_someone_has_begun_is_played_on(live_screen: None) -> None:
    with table(LEVELS["beginner"]) as (board, player):
        board.click(0, 0)
        board.click(8, 8, "right")
        session = player(Witness(board)).play(1)
        assert session.stop is None
        assert len(session.games) == 1


def test_a_window_that_is_dragged_away_in_mid_game_is_followed(live_screen: None) -> None:
    with table(LEVELS["expert"]) as (board, player):
        places = iter([(300, 200), (90, 400), (500, 120)])

        def drag() -> None:
            place = next(places, None)
            if place is not None:
                user.move_window(board.desktop.window, *place)

        witness = Witness(board, before_click=drag)
        session = player(witness).play(3)
        assert session.stop is None
        assert next(places, None) is None, "the window was dragged every time"
        assert witness.misread == []


def test_a_window_in_front_of_the_board_stops_the_bot_before_it_clicks_there(live_screen: None) -> None:
    with table(LEVELS["expert"]) as (board, player):
        left, top = board.place(0, 0)
        with user.other_window(Rect(left, top, 16 * 30, 16 * 16), focused=False):
            session = player(Witness(board)).play(1)
        assert session.stop is not None
        assert session.games[0].clicks == 0
        assert set(np.unique(covered_board(board).cells)) == {Cell.COVERED}


def covered_board(board: WineMineBoard) -> Board:
    """The board as it is, read from a picture with nothing in front of it."""
    return Reader(SKIN).read(board.look()).board
