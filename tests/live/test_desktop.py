"""The desktop's promises, kept on a real screen with a real game: on X11, and with a Windows Python inside of Wine."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest

from bot.desktop import (
    BusyError,
    Click,
    CoveredError,
    MovedError,
    NoWindowError,
    Rect,
    StopRequestedError,
    open_desktop,
)
from bot.desktop.timing import FAST, HUMAN, Seconds, wait_until
from bot.picture import Picture, load
from tests.live import user
from tests.live.winemine_board import WineMineBoard

ROOT = Path(__file__).parents[2]
COVERED = load(ROOT / "templates" / "winemine" / "covered.png")
FLAG = load(ROOT / "templates" / "winemine" / "flag.png")

PATIENCE = Seconds(10)
START = Seconds(60)
"""A program of its own has to load first."""
POLL = Seconds(0.01)


def places_that_show(tile: Picture, board: WineMineBoard) -> set[tuple[int, int]]:
    return {place for place, picture in board.tiles(board.look()).items() if np.array_equal(picture, tile)}


def every_place(board: WineMineBoard) -> set[tuple[int, int]]:
    return {(row, col) for row in range(board.level.rows) for col in range(board.level.cols)}


def test_the_game_is_found_without_being_named(winemine: WineMineBoard) -> None:
    assert winemine.desktop.window.title == "WineMine"


@pytest.mark.parametrize("text", ["winemine", "WineM"])
def test_the_game_is_found_by_a_part_of_its_name(winemine: WineMineBoard, text: str) -> None:
    assert open_desktop(text, FAST).window.title == "WineMine"


def test_a_window_that_is_not_there_is_named_in_the_error(winemine: WineMineBoard) -> None:
    with pytest.raises(NoWindowError, match='"no such game"'):
        open_desktop("no such game", FAST)


def test_the_client_area_is_grabbed_to_the_pixel(winemine: WineMineBoard) -> None:
    assert places_that_show(COVERED, winemine) == every_place(winemine)


def test_a_batch_of_clicks_lands_on_its_tiles_and_on_no_others(winemine: WineMineBoard) -> None:
    chosen = {place for place in every_place(winemine) if sum(place) % 3}
    winemine.click_all(sorted(chosen), "right")
    assert places_that_show(FLAG, winemine) == chosen


def test_a_left_click_opens_and_f2_starts_again(winemine: WineMineBoard) -> None:
    winemine.click(4, 4)
    assert (4, 4) not in places_that_show(COVERED, winemine)
    winemine.desktop.keys.tap("f2")
    assert wait_until(lambda: places_that_show(COVERED, winemine) == every_place(winemine), PATIENCE, POLL)


def test_no_click_is_made_before_a_board_was_found(winemine: WineMineBoard) -> None:
    fresh = open_desktop(None, FAST)
    with pytest.raises(CoveredError):
        fresh.mouse.click([Click(*winemine.place(4, 4), "left")])
    assert places_that_show(COVERED, winemine) == every_place(winemine)


def test_a_click_beside_the_board_is_refused(winemine: WineMineBoard) -> None:
    x, y = winemine.place(0, 0)
    with pytest.raises(CoveredError, match="outside the board"):
        winemine.desktop.mouse.click([Click(x - 16, y, "left")])
    assert places_that_show(COVERED, winemine) == every_place(winemine)


def test_a_click_into_another_window_is_refused_and_the_ones_before_it_are_made(winemine: WineMineBoard) -> None:
    x, y = winemine.place(4, 4)
    with user.other_window(Rect(x - 4, y - 4, 60, 60), focused=False):
        assert not winemine.desktop.window.owns(x, y)
        with pytest.raises(CoveredError, match="covered by another window"):
            winemine.click_all([(0, 0), (4, 4), (8, 8)], "right")
    assert winemine.desktop.window.owns(x, y)
    assert places_that_show(FLAG, winemine) == {(0, 0)}
    assert places_that_show(COVERED, winemine) == every_place(winemine) - {(0, 0)}


def test_a_window_that_has_moved_is_not_clicked_until_its_board_is_found_again(winemine: WineMineBoard) -> None:
    before = winemine.desktop.window.client()
    user.move_window(winemine.desktop.window, before.left + 200, before.top + 130)
    with pytest.raises(MovedError):
        winemine.click(4, 4, "right")
    again = WineMineBoard(winemine.desktop, winemine.level)
    again.click(4, 4, "right")
    assert places_that_show(FLAG, again) == {(4, 4)}


def test_a_minimised_window_is_said_to_be_so_and_brought_back(winemine: WineMineBoard) -> None:
    window = winemine.desktop.window
    before = window.client()
    user.minimise(window)

    def complaint() -> str:
        try:
            window.client()
        except NoWindowError as error:
            return str(error)
        return ""

    assert "minimised" in wait_until(complaint, PATIENCE, POLL)
    window.bring_to_front()
    assert window.client()[2:] == before[2:]
    user.await_standstill(window)  # for the next test: on a busy computer it is put in its place later


def test_the_users_own_mouse_movement_stops_the_bot(winemine: WineMineBoard) -> None:
    winemine.click(0, 0, "right")
    assert winemine.desktop.keys.stop_requested() is None
    user.move_pointer(700, 500)
    assert wait_until(winemine.desktop.keys.stop_requested, PATIENCE, POLL) == "the mouse was moved by hand"
    with pytest.raises(StopRequestedError, match="moved by hand"):
        winemine.click(8, 8, "right")
    assert places_that_show(FLAG, winemine) == {(0, 0)}


def test_a_pointer_pushed_into_the_corner_stops_the_bot(winemine: WineMineBoard) -> None:
    winemine.click(0, 0, "right")
    user.move_pointer(0, 0)
    try:
        with pytest.raises(StopRequestedError, match="corner"):
            winemine.click(8, 8, "right")
    finally:
        user.move_pointer(700, 500)
    assert places_that_show(FLAG, winemine) == {(0, 0)}


def test_parking_never_trips_the_fail_safe(winemine: WineMineBoard) -> None:
    winemine.desktop.mouse.park(0, 0)
    assert winemine.desktop.keys.stop_requested() is None


def test_a_tap_on_esc_stops_the_bot_even_between_two_looks(winemine: WineMineBoard) -> None:
    assert winemine.desktop.keys.stop_requested() is None
    user.press("esc")
    assert wait_until(winemine.desktop.keys.stop_requested, PATIENCE, POLL) == "Esc was pressed"
    with pytest.raises(StopRequestedError, match="Esc"):
        winemine.click(4, 4)


@pytest.mark.skipif(sys.platform == "win32", reason="X11 tells of keys in a thread of its own")
def test_a_watch_for_esc_that_is_let_go_at_once_ends_in_silence(live_screen: None) -> None:
    from bot.desktop.x11.input import EscRecord

    done = threading.Event()

    def spin() -> None:
        while not done.is_set():
            pass

    busy = [threading.Thread(target=spin) for _ in range(3)]  # or the watch's own thread is never late
    for thread in busy:
        thread.start()
    try:
        for _ in range(8):
            EscRecord()  # an error in its thread fails the test
    finally:
        done.set()
        for thread in busy:
            thread.join()


@pytest.mark.parametrize(("key", "name"), [("pause", "Pause"), ("f12", "F12")])
def test_another_key_stops_the_bot_too_when_it_was_chosen(
    winemine: WineMineBoard, key: Literal["pause", "f12"], name: str
) -> None:
    keys = open_desktop(None, FAST, key).keys

    def press_and_look() -> str | None:  # again and again: a watch takes a moment to begin
        user.press(key)
        return keys.stop_requested()

    assert wait_until(press_and_look, PATIENCE, POLL) == f"{name} was pressed"
    assert winemine.desktop.keys.stop_requested() is None


def test_without_the_focus_nothing_is_clicked_or_typed_until_it_is_back(winemine: WineMineBoard) -> None:
    window = winemine.desktop.window
    with user.other_window(Rect(800, 600, 120, 80), focused=True):
        assert wait_until(lambda: not window.is_foreground(), PATIENCE, POLL)
        with pytest.raises(StopRequestedError, match="focus"):
            winemine.click(4, 4, "right")
        with pytest.raises(StopRequestedError, match="focus"):
            winemine.desktop.keys.tap("f2")
        window.bring_to_front()
        assert window.is_foreground()
        winemine.click(8, 8, "right")
        assert places_that_show(FLAG, winemine) == {(8, 8)}


def test_a_dialog_of_the_game_is_found_named_and_answered_by_keyboard(winemine: WineMineBoard) -> None:
    desktop = winemine.desktop
    assert desktop.window.dialog() is None
    dialog = user.open_dialog(desktop.window)
    assert dialog.title == "Custom Game"
    assert wait_until(desktop.window.is_foreground, PATIENCE, POLL), "it is its dialog that has the focus"

    def answered() -> bool:  # again, as the player does: a dialog is seen before it listens
        if desktop.window.dialog() is not None:
            desktop.keys.tap("esc")
        return desktop.window.dialog() is None

    assert wait_until(answered, PATIENCE, Seconds(0.2))
    assert desktop.keys.stop_requested() is None, "the bot's own Esc is not the user's"


def test_the_dialog_that_the_game_waits_for_gets_the_focus(winemine: WineMineBoard) -> None:
    desktop = winemine.desktop
    user.open_dialog(desktop.window)
    with user.other_window(Rect(800, 600, 120, 80), focused=True):
        assert wait_until(lambda: not desktop.window.is_foreground(), PATIENCE, POLL)
        desktop.window.bring_to_front()
        desktop.keys.tap("esc")
        assert wait_until(lambda: desktop.window.dialog() is None, PATIENCE, POLL)


def test_a_game_whose_menu_is_open_gets_no_click_and_no_key(winemine: WineMineBoard) -> None:
    desktop, place = winemine.desktop, winemine.place(4, 4)
    window: Any = desktop.window
    user.press("alt", "g")
    assert wait_until(lambda: window.standing(*place).busy, PATIENCE, POLL)
    with pytest.raises(BusyError, match="menu"):
        desktop.mouse.click([Click(*place, "right")])
    with pytest.raises(BusyError, match="menu"):
        desktop.keys.tap("f2")
    user.press("alt")
    assert wait_until(lambda: not window.standing(*place).busy, PATIENCE, POLL)
    assert places_that_show(COVERED, winemine) == every_place(winemine)


@pytest.mark.parametrize(("key", "name"), [("shift", "Shift"), ("ctrl", "Ctrl"), ("alt", "Alt")])
def test_nothing_is_clicked_or_typed_beside_a_key_that_makes_something_else_of_it(
    winemine: WineMineBoard, key: str, name: str
) -> None:
    """Ctrl and Esc open Windows' start menu, Alt and F2 many a launcher; Shift makes a chord of WineMine's click."""
    desktop, place = winemine.desktop, winemine.place(4, 4)
    window: Any = desktop.window
    with user.holding(key):
        assert wait_until(lambda: window.standing(*place).busy, PATIENCE, POLL) == f"{name} is held down"
        with pytest.raises(BusyError, match=f"{name} is held down"):
            desktop.mouse.click([Click(*place, "left")])
        with pytest.raises(BusyError, match=f"{name} is held down"):
            desktop.keys.tap("f2")
    if key == "alt" and sys.platform != "win32":  # by itself it goes to the game's menu, and once more back
        user.press("alt")
    assert wait_until(lambda: not window.standing(*place).busy, PATIENCE, POLL)
    assert places_that_show(COVERED, winemine) == every_place(winemine)


@pytest.mark.skipif(sys.platform != "win32", reason="a locked screen of X11 is a window that holds mouse and keyboard")
def test_a_locked_screen_of_windows_stops_the_bot(winemine: WineMineBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wine has no lock; what Windows answers then is told by others: its input belongs to another desktop."""
    import pywintypes
    import win32api

    def refuse() -> tuple[int, int]:
        raise pywintypes.error(5, "GetCursorPos", "Access is denied.")

    desktop, place = winemine.desktop, winemine.place(4, 4)
    monkeypatch.setattr(win32api, "GetCursorPos", refuse)
    with pytest.raises(StopRequestedError, match="locked"):
        desktop.obey_the_user()
    with pytest.raises(StopRequestedError, match="locked"):
        desktop.mouse.click([Click(*place, "left")])
    with pytest.raises(StopRequestedError, match="locked"):
        desktop.keys.tap("f2")
    monkeypatch.undo()
    assert places_that_show(COVERED, winemine) == every_place(winemine)


def test_two_clicks_on_one_tile_never_make_a_double_click(winemine: WineMineBoard) -> None:
    start = time.monotonic()
    winemine.click_all([(4, 4), (4, 4)], "right")
    assert time.monotonic() - start >= FAST.double_click_guard


def test_at_human_pace_the_pointer_travels_and_the_click_still_lands(winemine: WineMineBoard) -> None:
    board = WineMineBoard(open_desktop(None, HUMAN), winemine.level)
    user.move_pointer(700, 500)
    board.click_all([(0, 0), (8, 8)], "right")
    assert places_that_show(FLAG, board) == {(0, 0), (8, 8)}


HOLDING = """
import dataclasses, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may ignore these
if sys.platform != "win32":
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
from bot.desktop import Click, open_desktop
from bot.desktop.timing import FAST, Seconds
desktop = open_desktop(None, dataclasses.replace(FAST, button_hold=Seconds(60)))
desktop.mouse.confine(desktop.window.client(), desktop.window.client())
desktop.mouse.click([Click(int(sys.argv[1]), int(sys.argv[2]), "left")])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that ends a program politely")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_bot_that_is_told_to_end_lets_go_of_the_button(winemine: WineMineBoard, name: str) -> None:
    number = signal.Signals[name]
    x, y = winemine.place(4, 4)
    with subprocess.Popen([sys.executable, "-c", HOLDING, str(x), str(y)], cwd=ROOT, stderr=subprocess.PIPE) as bot:
        assert wait_until(user.buttons_down, START, POLL)
        bot.send_signal(number)
        _, complaint = bot.communicate()
    assert bot.returncode == 128 + number or "KeyboardInterrupt" in complaint.decode()
    assert not user.buttons_down()
