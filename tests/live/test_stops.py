"""What stops the bot on a real screen: each is named in the output and in the exit code, and no button stays down."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from bot.cli import run
from bot.desktop import Rect, open_desktop
from bot.desktop.timing import FAST, PRESETS, Seconds, wait_until
from bot.level import LEVELS
from tests.live import stage, user
from tests.live.winemine_board import WineMineBoard
from tests.program import started

ROOT = Path(__file__).parents[2]
PATIENCE, POLL = Seconds(30), Seconds(0.005)
FIRST_CLICK = Seconds(240)
"""How long the bot may take to begin: where it never played before, its solver has to be compiled."""
AWAY = (700, 500)
"""Where the pointer is before the bot has begun and after it has ended."""
PLAY = ["play", "--games", "30", "--style", "noflags", "--think", "0", "--json"]

Meddling = Callable[[Callable[[], bool]], object]
"""What a user does to the bot; it is given a question, whether the bot has stopped."""


@pytest.fixture
def game(live_screen: None) -> Iterator[tuple[WineMineBoard, subprocess.Popen[bytes]]]:
    """An expert game in front of everything, and its process."""
    with stage.winemine(LEVELS["expert"]) as process:
        user.move_pointer(*AWAY)
        yield WineMineBoard(open_desktop(None, FAST), LEVELS["expert"]), process
    user.move_pointer(*AWAY)


Game = tuple[WineMineBoard, "subprocess.Popen[bytes]"]


@contextmanager
def meddled(begun: Callable[[], object], meddle: Meddling) -> Iterator[None]:
    """A user who waits until something has begun and then meddles, while the block plays."""
    stopped = threading.Event()

    def wait_and_meddle() -> None:
        if wait_until(lambda: begun() or stopped.is_set(), FIRST_CLICK, POLL) and not stopped.is_set():
            meddle(stopped.is_set)

    hand = threading.Thread(target=wait_and_meddle)
    hand.start()
    try:
        yield
    finally:
        stopped.set()
        hand.join()


def has_clicked() -> bool:
    """Whether the bot has begun: it has moved the pointer from where the user left it."""
    return user.pointer() != AWAY


def played(meddle: Meddling, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Play until the user, who waits for the first click, has stopped the bot: its exit code and its reason."""
    with meddled(has_clicked, meddle):
        code = run(PLAY)
    out, err = capsys.readouterr()
    reason = json.loads(out)["games"][-1]["stopped"]
    assert f"minebot: stopped: {reason}" in err
    assert not user.buttons_down()
    return code, reason


def again_and_again(act: Callable[[], object]) -> Meddling:
    """A user who insists: between two looks of the bot its own next move undoes what was done."""
    return lambda stopped: wait_until(lambda: (act(), stopped())[1], PATIENCE, POLL)


def test_esc(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(lambda stopped: user.press("esc"), capsys) == (130, "Esc was pressed")


def test_the_users_hand_on_the_mouse(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    push = again_and_again(lambda: user.push_pointer(900, 700))
    assert played(push, capsys) == (130, "the mouse was moved by hand")


def test_the_pointer_in_a_corner(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    push = again_and_again(lambda: user.push_pointer(0, 0))
    assert played(push, capsys) == (130, "the pointer was pushed into a corner of the screen")


def test_another_window_with_the_focus(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    def open_a_window(stopped: Callable[[], bool]) -> None:
        with user.other_window(Rect(800, 600, 120, 80), focused=True):
            wait_until(stopped, PATIENCE, POLL)

    assert played(open_a_window, capsys) == (130, "the game lost the focus")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows gives clicks to nobody but the window under them")
@pytest.mark.parametrize("what", ["pointer", "keyboard"])
def test_a_program_that_takes_all_clicks_or_keys_gets_none_of_ours(
    game: Game, what: Literal["pointer", "keyboard"], capsys: pytest.CaptureFixture[str]
) -> None:
    taken: list[Any] = []

    def grab(stopped: Callable[[], bool]) -> None:
        with user.grabbed(what) as got:
            wait_until(stopped, PATIENCE, POLL)
        taken.extend(got)

    code, reason = played(grab, capsys)
    assert taken == []
    assert (code, reason[:26]) == (4, "another program holds the ")


@pytest.mark.skipif(sys.platform == "win32", reason="a Windows thread that waits does not paint its window")
def test_another_window_over_the_board(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    left, top = game[0].place(0, 0)

    def cover(stopped: Callable[[], bool]) -> None:
        with user.other_window(Rect(left + 100, top, 200, 240), focused=False):
            wait_until(stopped, PATIENCE, POLL)

    code, reason = played(cover, capsys)
    assert code == 4
    assert "covered" in reason or "in front of the board" in reason or "can't read" in reason


def test_a_closed_window(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    _, process = game
    assert played(lambda stopped: process.terminate(), capsys) == (3, "the game's window was closed")


def test_a_minimised_window(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    board, _ = game
    minimised = "the game's window is minimised"
    code, reason = played(lambda stopped: user.minimise(board.desktop.window), capsys)
    assert (code, reason[: len(minimised)]) == (3, minimised)


@pytest.fixture(autouse=True)
def hears_ctrl_c() -> Iterator[None]:
    """As in a terminal: a shell's background jobs ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press_ctrl_c() -> None:
    """Ctrl-C from another thread."""
    if sys.platform == "win32":
        signal.raise_signal(signal.SIGINT)
    else:
        os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c(game: Game, capsys: pytest.CaptureFixture[str]) -> None:
    assert played(lambda stopped: press_ctrl_c(), capsys) == (130, "Ctrl-C was pressed")


@pytest.mark.parametrize("how", ["Ctrl-C", "closed"])
def test_whatever_comes_while_a_button_is_down_it_is_let_go(
    game: Game, how: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, process = game
    hold = Seconds(60) if how == "Ctrl-C" else Seconds(2)
    monkeypatch.setitem(PRESETS, "fast", replace(FAST, button_hold=hold))
    meddle: dict[str, Meddling] = {
        "Ctrl-C": lambda stopped: press_ctrl_c(),
        "closed": lambda stopped: process.terminate(),
    }
    with meddled(user.buttons_down, meddle[how]):
        code = run(PLAY)
    assert not user.buttons_down()
    assert code == (130 if how == "Ctrl-C" else 3)
    assert "minebot: stopped: " in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that ends a program politely")
def test_sigterm(game: Game) -> None:
    with started(*PLAY) as bot:
        assert wait_until(has_clicked, FIRST_CLICK, POLL)
        bot.send_signal(signal.SIGTERM)
        bot.communicate(timeout=PATIENCE)
    assert bot.returncode == 128 + signal.SIGTERM
    assert not user.buttons_down()
