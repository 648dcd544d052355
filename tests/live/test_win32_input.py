"""How the Windows clone takes input and asks: what is known of the Windows 7 game, tried with raw events.

Every fact here is one that a hand on the real game depends on.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from ctypes import wintypes
from pathlib import Path

import pytest

if sys.platform != "win32":
    pytest.skip("the Windows Python runs these: test_windows_python.py", allow_module_level=True)
assert sys.platform == "win32"

# ruff: noqa: E402
import mss
import numpy as np
import win32api
import win32con
import win32gui

from bot.board import Board
from bot.clone.animation import opening_seconds
from bot.clone.engine import Layout
from bot.clone.game import Game
from bot.clone.painter import Painter
from bot.clone.tiles import Tile
from bot.clone.win32.window import keep_aspect
from bot.desktop import Rect
from bot.desktop.timing import wait_until
from bot.level import LEVELS
from bot.picture import Picture
from tests.live import stage, user
from tests.live.win32_hand import ENTER, ESC, F2, F15, Hand, controls

BEGINNER = LEVELS["beginner"]
MIDDLE = (4, 4)


class Stage:
    """One clone at a time, at beginner's level; it is kept for the next test that wants the same."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running = ExitStack()
        self._options: tuple[str, ...] | None = None
        self._hand: Hand | None = None

    def start(self, *options: str) -> Hand:
        """Return a hand over a new game."""
        if self._hand is None or options != self._options:
            self.end()
            words = ("--level", "beginner", "--seed", "5", *options)
            self._hand = Hand(BEGINNER, self._running.enter_context(stage.win32_clone(self._folder, *words)))
            self._options = options
        self._hand.begin()
        return self._hand

    def end(self) -> None:
        """End the clone that runs, if one does."""
        self._hand = None
        self._running.close()


@pytest.fixture(scope="module")
def clones(tmp_path_factory: pytest.TempPathFactory, windows_python: Path) -> Iterator[Stage]:
    clones = Stage(tmp_path_factory.mktemp("clone"))
    yield clones
    clones.end()


@pytest.fixture
def still(clones: Stage) -> Hand:
    """A new game without animations."""
    return clones.start("--no-animations")


@pytest.fixture
def own(clones: Stage) -> Iterator[Hand]:
    """A new game without animations, in a window that a test may resize and close."""
    yield clones.start("--no-animations")
    clones.end()


@pytest.fixture
def slow(clones: Stage) -> Hand:
    """A new game without animations, in which each drawing takes long."""
    return clones.start("--no-animations", "--draw-ms", "600")


@pytest.fixture
def moving(clones: Stage) -> Hand:
    """A new game with animations."""
    return clones.start()


def opened(hand: Hand, *tiles: Tile) -> Game:
    """Return the hand's game after some clicks."""
    game = Game(BEGINNER, "open", hand.seed)
    for tile in tiles:
        game.open(*tile)
    return game


def covered(game: Game, mine: bool) -> list[Tile]:
    """Return the covered tiles of a game that has begun, with mines or without."""
    assert game.mines is not None
    wanted = (game.board().cells == 9) & (game.mines == mine)
    return [(int(row), int(col)) for row, col in np.argwhere(wanted)]


# The window


def test_the_window_has_the_class_the_child_and_the_menu_of_the_real_one(still: Hand) -> None:
    assert win32gui.GetWindowText(still.window) == "Minesweeper"
    assert win32gui.GetMenu(still.window)
    style = win32gui.GetWindowLong(still.child, win32con.GWL_STYLE)
    assert style & 0x1F == 0x0B  # simple
    assert not style & 0x0100  # notify
    assert win32gui.GetClassLong(still.window, win32con.GCL_STYLE) & win32con.CS_DBLCLKS == 0
    left, top, width, height = still.client()
    assert win32gui.GetWindowRect(still.child) == (left, top, left + width + 1, top + height + 1)


def test_another_level_gets_the_real_games_size(own: Hand) -> None:
    for command, size in ((21, (348, 351)), (22, (600, 351)), (20, (222, 225))):
        win32gui.PostMessage(own.window, win32con.WM_COMMAND, command, 0)
        own.until(lambda size=size: own.client()[2:] == size)


def test_any_size_shows_the_picture_in_the_middle_of_black(own: Hand) -> None:
    width, height = resize(own, 700, 400)
    across = round(222 * 400 / 225)
    assert (width, height) == (700, 400)

    def is_letterboxed() -> bool:
        seen = grab(own)
        left = (width - across) // 2
        dark = not seen[:, :left].any() and not seen[:, left + across :].any()
        return bool(dark and seen[:, left].any() and seen[:, left + across - 1].any())

    own.until(is_letterboxed)
    own.click((8, 8))
    assert own.account.acts() == [("open", (8, 8))]


def test_it_gets_no_smaller_than_the_game_itself(own: Hand) -> None:
    assert resize(own, 100, 100) == (222, 225)


@pytest.mark.parametrize(("drawn", "snapped"), [(225, 222), (230, 222), (240, 240), (436, 444), (450, 444)])
def test_sizing_by_hand_keeps_the_aspect_and_snaps_to_once_and_twice(drawn: int, snapped: int) -> None:
    wide, high = 8, 50
    window = wintypes.RECT(0, 0, drawn + wide, 300 + high)
    keep_aspect(Layout(9, 9), (wide, high), win32con.WMSZ_RIGHT, window)
    assert (window.right - wide, window.bottom - high) == (snapped, round(snapped * 225 / 222))


def test_sizing_by_the_left_upper_corner_keeps_the_other_one_in_place() -> None:
    window = wintypes.RECT(100, 100, 500, 900)
    keep_aspect(Layout(9, 9), (0, 0), win32con.WMSZ_TOPLEFT, window)
    assert (window.left, window.top, window.right, window.bottom) == (100, 900 - round(400 * 225 / 222), 500, 900)


def resize(hand: Hand, width: int, height: int) -> tuple[int, int]:
    """Give the window a client area and return which it then has."""
    left, top, right, bottom = win32gui.GetWindowRect(hand.window)
    _, _, wide, high = hand.client()
    size = right - left - wide + width, bottom - top - high + height
    win32gui.SetWindowPos(hand.window, 0, 20, 20, *size, win32con.SWP_NOZORDER)
    hand.let_it_handle()
    return hand.client()[2:]


def grab(hand: Hand) -> Picture:
    """Return the client area's pixels without alpha."""
    left, top, width, height = hand.client()
    with mss.MSS() as screen:
        area = {"left": left, "top": top, "width": width, "height": height}
        return np.asarray(screen.grab(area), dtype=np.uint8)[..., :3]


# Clicks


def test_a_click_opens_the_tile_and_a_right_press_marks_before_it_is_released(still: Hand) -> None:
    still.click(MIDDLE)
    mine = covered(opened(still, MIDDLE), mine=True)[0]
    still.to(mine)
    still.press("right")
    still.until(lambda: len(still.account.acts()) == 2)
    still.release("right")
    assert still.account.acts() == [("open", MIDDLE), ("flag", mine)]


def test_the_mouse_is_captured_from_the_press_to_the_release(still: Hand) -> None:
    still.to(MIDDLE)
    assert not still.captures()
    still.press()
    still.until(still.captures)
    assert still.account.acts() == []
    still.release()
    still.until(lambda: not still.captures())
    still.until(lambda: still.account.acts() == [("open", MIDDLE)])


def test_a_burst_acts_on_the_last_tile_only(slow: Hand) -> None:
    slow.to((0, 4))
    slow.until(slow.is_busy)  # it draws the glow
    for tile in ((0, 0), (8, 8)):
        slow.to(tile)
        slow.press()
        slow.release()
    slow.until(lambda: slow.account.acts())
    slow.let_it_handle()
    assert slow.account.acts() == [("open", (8, 8)), ("chord", (8, 8))]


def test_a_pointer_that_moves_on_before_the_press_is_handled_takes_the_click_along(slow: Hand) -> None:
    slow.to(MIDDLE)
    slow.until(slow.is_busy)  # it draws the glow: the move was handled, what follows waits
    slow.press()
    slow.release()
    slow.to((0, 0))
    slow.until(lambda: slow.account.acts() == [("open", (0, 0))])


def test_a_drag_opens_where_it_ends(still: Hand) -> None:
    still.to(MIDDLE)
    still.press()
    still.until(still.captures)
    still.to((0, 0))
    still.release()
    still.until(lambda: still.account.acts() == [("open", (0, 0))])


def test_middle_and_both_buttons_and_a_double_click_chord(still: Hand) -> None:
    still.click(MIDDLE)
    number = next((int(row), int(col)) for row, col in np.argwhere(opened(still, MIDDLE).board().cells == 1))
    still.click(number, "middle")
    still.press("left")
    still.click_here("right")
    still.release("left")
    still.let_it_handle()
    assert still.account.acts()[1:] == [("chord", number), ("chord", number)]
    still.click_here()
    still.click_here()
    assert ("chord", number) in still.account.acts()[3:]


def test_a_fade_swallows_a_press_and_the_next_one_works(moving: Hand) -> None:
    def second_press_came_during_the_fade() -> Tile | None:  # on a busy computer it may come too late to tell anything
        moving.begin()
        moving.click((0, 0))
        game = opened(moving, (0, 0))
        tile = covered(game, mine=False)[-1]
        moving.click(tile)
        moving.click(tile)
        began, pressed = (line["time"] for line in moving.account.lines()[:2])
        fading = [(int(row), int(col)) for row, col in np.argwhere(game.board().cells <= 8)]
        return tile if pressed - began < opening_seconds(fading, (0, 0)) else None

    tile = moving.until(second_press_came_during_the_fade)
    assert moving.account.acts() == [("open", (0, 0)), ("swallowed", tile), ("open", tile)]


def test_a_key_that_means_nothing_ends_a_fade(moving: Hand) -> None:
    moving.click((0, 0))
    moving.key(F15)
    moving.let_it_handle()
    tile = covered(opened(moving, (0, 0)), mine=False)[-1]
    moving.click(tile)
    assert moving.account.acts() == [("open", (0, 0)), ("open", tile)]


def test_a_left_click_is_dead_when_the_pointer_comes_back_to_the_very_same_place(still: Hand) -> None:
    left, top, _, _ = still.client()
    dull = Painter(BEGINNER.rows, BEGINNER.cols).paint(Board.covered(BEGINNER.rows, BEGINNER.cols, BEGINNER.mines))
    still.move(left + 5, top + 5)
    still.until(lambda: np.array_equal(grab(still), dull))
    still.to(MIDDLE)
    still.until(lambda: not np.array_equal(grab(still), dull))
    still.move(left + 60, top - 30)  # the title bar
    still.until(lambda: np.array_equal(grab(still), dull))
    still.to(MIDDLE)
    still.let_it_handle()
    still.click_here()
    assert still.account.acts() == [("lost press", MIDDLE)]
    still.click_here("right")
    still.click_here("right")
    still.click_here("right")
    still.to(MIDDLE, aside=3)
    still.click_here()
    assert still.account.acts()[1:] == [("flag", MIDDLE)] * 3 + [("open", MIDDLE)]


def test_the_press_that_activates_the_window_is_eaten(still: Hand) -> None:
    with user.other_window(Rect(0, 0, 60, 40), focused=True):
        still.until(lambda: win32gui.GetForegroundWindow() != still.window)
        still.to(MIDDLE)
        still.press()
        still.release()
        still.until(lambda: win32gui.GetForegroundWindow() == still.window)
        still.let_it_handle()
        assert still.account.acts() == [("eaten", MIDDLE)]
        still.click(MIDDLE)
        assert still.account.acts() == [("eaten", MIDDLE), ("open", MIDDLE)]


# Dialogs


def lose(hand: Hand) -> int:
    """Open a mine and return the dialog that follows."""
    hand.click(MIDDLE)
    hand.click(covered(opened(hand, MIDDLE), mine=True)[0])
    return hand.dialog()


def test_a_lost_game_asks_with_the_real_ids_while_the_window_is_disabled(still: Hand) -> None:
    dialog = lose(still)
    assert win32gui.GetWindowText(dialog) == "Game Lost"
    assert controls(dialog) == {1004: "Exit", 1005: "Restart this game", 2: "Play again"}
    assert not win32gui.IsWindowEnabled(still.window)
    assert not still.captures()


@pytest.mark.parametrize("key", [ENTER, ESC])
def test_enter_and_esc_play_again(still: Hand, key: int) -> None:
    dialog = lose(still)
    still.key(key)
    assert still.answered(dialog)
    assert [line["seed"] for line in still.account.lines("new game")] == [still.seed + 1]
    # The focus may go to and fro between the windows just now; a game that loses it lets go of the button by itself.
    still.to(MIDDLE)
    still.press()
    still.release()
    still.until(lambda: still.account.acts()[-1] == ("open", MIDDLE))


def test_closing_the_dialog_plays_again(still: Hand) -> None:
    dialog = lose(still)
    win32gui.PostMessage(dialog, win32con.WM_CLOSE, 0, 0)
    assert still.answered(dialog)
    still.until(lambda: len(still.account.lines("new game")) == 1)


def test_restart_deals_the_same_mines_and_exit_ends_the_program(own: Hand) -> None:
    dialog = lose(own)
    own.choose(dialog, 1005)
    assert own.account.lines("restart")[-1]["seed"] == own.seed
    own.click(covered(opened(own, MIDDLE), mine=True)[0])
    win32gui.PostMessage(win32gui.GetDlgItem(own.dialog(), 1004), win32con.BM_CLICK, 0, 0)
    own.until(lambda: not win32gui.IsWindow(own.window))


def test_a_won_game_has_no_restart(still: Hand) -> None:
    game = opened(still, MIDDLE)
    still.click(MIDDLE)
    while game.state == "playing":
        tile = covered(game, mine=False)[0]
        game.open(*tile)
        still.click(tile)
    dialog = still.dialog()
    assert win32gui.GetWindowText(dialog) == "Game Won"
    assert controls(dialog) == {1027: "Exit", 2: "Play again"}


def test_a_press_skips_the_show_of_a_loss(moving: Hand) -> None:
    moving.click(MIDDLE)
    moving.key(F15)
    moving.let_it_handle()
    moving.click(covered(opened(moving, MIDDLE), mine=True)[0])
    moving.until(lambda: not moving.account.lines("dialog"))
    moving.key(F15)
    assert win32gui.GetWindowText(moving.dialog()) == "Game Lost"


@pytest.mark.parametrize(
    ("choice", "happens"), [("esc", "keep"), ("enter", "again"), (0, "again"), (1, "restart"), (2, "keep")]
)
def test_a_new_game_amid_a_game_is_asked_about(still: Hand, choice: str | int, happens: str) -> None:
    still.click(MIDDLE)
    still.key(F2)
    dialog = still.dialog()
    buttons = controls(dialog)
    assert [*buttons.values()] == ["Quit and start a new game", "Restart this game", "Keep playing"]
    assert [*buttons][2] == 2
    assert not win32gui.IsWindowEnabled(still.window)
    if isinstance(choice, int):
        still.choose(dialog, [*buttons][choice])
    else:
        still.key({"esc": ESC, "enter": ENTER}[choice])
    assert still.answered(dialog)
    still.until(lambda: [line["answer"] for line in still.account.lines("answer")] == [happens])


def test_a_new_game_before_the_first_opening_is_not_asked_about(still: Hand) -> None:
    still.click(MIDDLE, "right")
    still.key(F2)
    still.until(lambda: len(still.account.lines("new game")) == 1)
    assert not still.account.lines("dialog")


def test_closing_amid_a_game_asks_and_esc_stays(own: Hand) -> None:
    own.click(MIDDLE)
    win32gui.PostMessage(own.window, win32con.WM_CLOSE, 0, 0)
    dialog = own.dialog()
    assert len(controls(dialog)) == 3
    own.key(ESC)
    assert own.answered(dialog)
    win32gui.PostMessage(own.window, win32con.WM_CLOSE, 0, 0)
    own.dialog()
    own.key(ENTER)
    own.until(lambda: not win32gui.IsWindow(own.window))


@pytest.mark.parametrize(
    ("option", "title", "level"),
    [("--saved-game", "Saved Game Found", "9x9/10"), ("--choose-difficulty", "Select Difficulty", "9x9/10")],
)
def test_it_can_ask_when_it_starts(clones: Stage, tmp_path: Path, option: str, title: str, level: str) -> None:
    clones.end()
    words = ["--level", "intermediate" if "difficulty" in option else "beginner", option, "--no-animations"]
    with stage.win32_clone(tmp_path, *words) as account:
        window = win32gui.FindWindow("Minesweeper", None)
        dialog = wait_until(lambda: win32gui.FindWindow("#32770", title), user.PATIENCE, user.POLL)
        assert dialog
        assert win32gui.GetWindow(dialog, win32con.GW_OWNER) == window
        assert wait_until(lambda: win32gui.GetForegroundWindow() == dialog, user.PATIENCE, user.POLL)
        win32api.keybd_event(ESC, 0, 0, 0)
        win32api.keybd_event(ESC, 0, win32con.KEYEVENTF_KEYUP, 0)
        dealt = wait_until(lambda: len(account.lines("new game")) == 2, user.PATIENCE, user.POLL)
        assert dealt
        assert account.lines("new game")[-1]["level"] == level
