"""The coach over real windows: marks that a person sees, that clicks fall through and that readings never hold."""

from __future__ import annotations

import random
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from bot.clone.game import Game
from bot.coach.advice import Advice, Coach, Watch
from bot.desktop import GrabError, NoWindowError, Overlay, Rect, open_overlay
from bot.desktop.screen import MssScreen
from bot.desktop.timing import FAST, Seconds, wait_until
from bot.level import LEVELS
from bot.picture import Picture
from bot.show.annotate import annotate
from bot.vision.reader import Reader
from tests.ear import Ear
from tests.live import stage
from tests.live.winemine_board import WineMineBoard
from tests.program import started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the overlay of Windows is tried out by hand")

PATIENCE, POLL = Seconds(30), Seconds(0.02)
SEED = 3


class Table:
    """A game on the screen with the coach looking on."""

    def __init__(self, overlay: Overlay, client: Any) -> None:
        self.overlay = overlay
        self.client = client
        self.ear = Ear()
        self.watch = Watch(overlay, Coach(Reader(), mines=10), self.ear, think=0.0)
        self.screen = MssScreen()

    def steps(self, number: int = 3) -> None:
        for _ in range(number):
            self.watch.step()

    @property
    def advice(self) -> Advice:
        return self.ear.advice[-1]

    def expected(self) -> Picture:
        """What the screen must show: what is seen, with the marks on it."""
        advice = self.advice
        return annotate(self.overlay.see(), advice.reading.grid, advice.board, advice.decision)

    def on_screen(self) -> Picture:
        return self.screen.grab(self.client())

    def shows_marks(self) -> bool:
        """Whether the screen comes to show the game with the marks, to the pixel."""

        def look() -> bool:
            self.steps(1)
            return bool(self.ear.advice) and np.array_equal(self.on_screen(), self.expected())

        return wait_until(look, PATIENCE, POLL)

    def place(self, row: int, col: int) -> tuple[int, int]:
        x, y = self.advice.reading.grid.center(row, col)
        return self.client().left + round(x), self.client().top + round(y)

    def click(self, row: int, col: int) -> None:
        """Click a tile as a person does, through the marks."""
        from Xlib import X
        from Xlib.ext import xtest

        from bot.desktop.x11.connection import Connection

        x = Connection()
        px, py = self.place(row, col)
        for kind, details in ((X.MotionNotify, {"x": px, "y": py}), (X.ButtonPress, {}), (X.ButtonRelease, {})):
            xtest.fake_input(x.display, kind, 0 if kind == X.MotionNotify else 1, **details)
            x.display.sync()

    def comes_to_show(self, game: Game) -> bool:
        """Whether the coach comes to see this game."""

        def look() -> bool:
            self.steps(1)
            return bool(self.ear.advice) and np.array_equal(self.advice.board.cells, game.board().cells)

        return wait_until(look, PATIENCE, POLL)


@pytest.fixture
def window(live_screen: None) -> Iterator[Any]:
    """The clone in a window, new."""
    from bot.desktop.x11 import find_window

    with stage.clone(SEED, "--no-animations"):
        yield find_window("Minesweeper", FAST)


@pytest.fixture
def table(window: Any) -> Iterator[Table]:
    """The clone with the coach looking on, after the first click."""
    overlay = open_overlay("Minesweeper")
    table = Table(overlay, window.client)
    game = Game(LEVELS["beginner"], seed=SEED)
    assert table.comes_to_show(game)
    game.open(4, 4)
    table.click(4, 4)
    assert table.comes_to_show(game)
    yield table
    overlay.close()


@contextmanager
def red_window(place: Rect) -> Iterator[None]:
    """A window of another program, on top of everything."""
    from Xlib import X

    from bot.desktop.x11.connection import Connection

    x = Connection()
    red = x.root.create_window(*place, 0, X.CopyFromParent, background_pixel=0xFF0000, override_redirect=True)
    red.map()
    red.configure(stack_mode=X.Above)
    x.display.sync()
    try:
        yield
    finally:
        red.destroy()
        x.display.sync()


def test_the_marks_are_on_the_screen_and_not_in_what_is_seen(table: Table) -> None:
    assert table.overlay.in_place
    assert table.shows_marks()
    assert not np.array_equal(table.on_screen(), table.overlay.see())


def test_a_click_falls_through_the_marks_into_the_game(table: Table) -> None:
    assert table.shows_marks()
    game = Game(LEVELS["beginner"], seed=SEED)
    game.open(4, 4)
    safe = table.advice.decision.safe[0]
    table.click(*safe)
    game.open(*safe)
    assert table.comes_to_show(game)
    assert table.shows_marks()


def test_the_marks_follow_the_window(table: Table, window: Any) -> None:
    from bot.desktop.x11.connection import Connection

    assert table.shows_marks()
    before = table.client()
    x = Connection()
    x.window(window.identifier).configure(x=before.left + 150, y=before.top + 90)
    x.display.sync()
    assert wait_until(lambda: table.client() != before, PATIENCE, POLL)
    assert table.shows_marks()


def test_a_window_in_front_of_the_game_is_in_front_of_the_marks_and_does_not_hide_the_board(table: Table) -> None:
    assert table.shows_marks()
    safe = table.advice.decision.safe[0]
    x, y = table.place(*safe)
    seen = table.overlay.see()
    with red_window(Rect(x - 6, y - 6, 12, 12)):

        def is_in_front() -> bool:
            table.steps(1)
            return bool((table.screen.grab(Rect(x - 6, y - 6, 12, 12)) == (0, 0, 255)).all())

        assert wait_until(is_in_front, PATIENCE, POLL)
        assert np.array_equal(table.overlay.see(), seen)


def test_a_change_takes_less_than_a_tenth_of_a_second_of_the_processor(table: Table) -> None:
    game = Game(LEVELS["beginner"], seed=SEED)
    game.open(4, 4)
    answers: list[float] = []
    while game.state == "playing" and table.advice.decision.safe and len(answers) < 8:
        safe = table.advice.decision.safe[0]
        told = len(table.ear.advice)
        table.click(*safe)
        game.open(*safe)
        while len(table.ear.advice) == told:
            start = time.thread_time()  # of the processor: what other programs take is not the coach's
            table.watch.step()
            answer = time.thread_time() - start
        answers.append(answer)
        assert table.comes_to_show(game)
    assert FAST.coach_poll + sorted(answers)[len(answers) // 2] < 0.1, answers


def test_when_the_coach_leaves_the_game_is_as_it_was(table: Table) -> None:
    assert table.shows_marks()
    seen = table.overlay.see()
    table.overlay.close()
    assert wait_until(lambda: np.array_equal(table.on_screen(), seen), PATIENCE, POLL)


def test_ctrl_c_ends_the_coach_at_any_moment(window: Any) -> None:
    moments = random.Random(1)
    for _ in range(8):
        with started("coach", "--window", window.title) as coach:
            assert coach.stderr is not None
            assert "watching" in coach.stderr.readline()
            time.sleep(moments.uniform(0, 2))
            coach.send_signal(signal.SIGINT)
            _, said = coach.communicate(timeout=PATIENCE)
        assert coach.returncode == 130, said
        assert "Traceback" not in said


def test_beside_the_game_the_marked_picture_is_shown_whole(window: Any) -> None:
    overlay = open_overlay("Minesweeper", beside=True)
    table = Table(overlay, window.client)
    assert not overlay.in_place
    assert table.comes_to_show(Game(LEVELS["beginner"], seed=SEED))
    client = window.client()

    def beside() -> bool:
        table.steps(1)
        frame = table.screen.grab(
            Rect(client.left + client.width, client.top - 40, client.width + 40, client.height + 80)
        )
        wanted = table.expected()
        rows, cols = frame.shape[0] - wanted.shape[0], frame.shape[1] - wanted.shape[1]
        return any(
            np.array_equal(frame[top : top + wanted.shape[0], left : left + wanted.shape[1]], wanted)
            for top in range(rows)
            for left in range(cols)
            if np.array_equal(frame[top, left : left + 8], wanted[0, :8])
        )

    assert wait_until(beside, PATIENCE, POLL)
    overlay.close()


@pytest.fixture
def running_winemine(live_screen: None) -> Iterator[None]:
    """WineMine for one test only: the next one starts and ends its own, and must not meet another."""
    with stage.winemine(LEVELS["beginner"], marks=True):
        yield


def test_winemine_is_coached_too(winemine: WineMineBoard) -> None:
    overlay = open_overlay("winemine")
    table = Table(overlay, winemine.desktop.window.client)

    def sees(*, hidden: bool) -> bool:
        table.steps(1)
        return bool(table.ear.advice) and bool(table.advice.board.hidden[4, 4]) == hidden

    try:
        for _ in range(20):  # until an opening makes something certain
            winemine.click(4, 4)
            assert wait_until(lambda: sees(hidden=False), PATIENCE, POLL)
            if table.advice.decision.safe and table.advice.reading.state == "playing":
                break
            winemine.new()
            assert wait_until(lambda: sees(hidden=True), PATIENCE, POLL)
        assert table.advice.reading.skin == "winemine"
        assert table.advice.decision.safe
        assert table.shows_marks()
        row, col = table.advice.decision.safe[0]
        winemine.click(row, col)

        def opened() -> bool:
            table.steps(1)
            return not table.advice.board.hidden[row, col]

        assert wait_until(opened, PATIENCE, POLL)
    finally:
        overlay.close()


def test_a_closed_game_ends_the_coach(live_screen: None) -> None:
    with stage.winemine(LEVELS["beginner"]) as process:
        overlay = open_overlay("winemine")
        overlay.see()
        process.terminate()
        process.wait()

        def closed() -> bool:
            try:
                overlay.see()
            except NoWindowError:
                return True
            except GrabError:  # on its way out
                return False
            return False

        assert wait_until(closed, PATIENCE, POLL)
        overlay.close()
