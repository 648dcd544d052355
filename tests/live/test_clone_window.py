"""The clone in a real window on a virtual screen, played with a real mouse and keyboard."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from bot.board import Cell
from bot.clone.game import Game
from bot.clone.painter import Design, Painter
from bot.desktop.timing import Seconds, wait_until
from bot.level import LEVELS
from bot.picture import Picture
from tests.live import stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the clone's window is tested on Linux")

LEVEL, SEED = LEVELS["beginner"], 3
PATIENCE, POLL = Seconds(20), Seconds(0.02)
ANSWERED = Seconds(8)
"""How long a dialog may take to go before its key counts as lost: one too many would be the next game's."""
LEFT, MIDDLE, RIGHT = 1, 2, 3
RETURN, F2 = 0xFF0D, 0xFFBF


@dataclass
class CloneByHand:
    """The clone's window, as a person with a mouse sees and uses it."""

    x: Any
    painter: Painter
    pointer: tuple[int, int] | None = None
    """The tile under the mouse. It stays there: a window manager may hold a click back while the mouse moves on."""
    held: bool = False
    """Whether a button is down, so that nothing is lit."""

    def window(self, title: str) -> Any:
        """The window of a title, or None."""
        for identifier in self.x.client_windows():
            if self.x.names(identifier).title == title and self.x.is_viewable(identifier):
                return self.x.window(identifier)
        return None

    def client(self) -> tuple[int, int]:
        """Where the picture of the game begins on the screen: below the menu."""
        window = self.window("Minesweeper")
        corner = self.x.root.translate_coords(window, 0, 0)
        return corner.x, corner.y + window.get_geometry().height - self.painter.size[1]

    def tiles(self) -> Picture:
        """What is seen of the tiles."""
        from Xlib import X

        left, top = self.client()
        rect = self.painter.board_rect
        image = self.x.root.get_image(left + rect.left, top + rect.top, rect.width, rect.height, X.ZPixmap, 0xFFFFFFFF)
        return np.frombuffer(image.data, dtype=np.uint8).reshape(rect.height, rect.width, 4)[..., :3]

    def shows(self, game: Game, pressed: tuple[tuple[int, int], ...] = ()) -> bool:
        """Whether the window comes to show exactly this game, the tile under the mouse lit."""
        rect = self.painter.board_rect
        hover = None if self.held else self.pointer
        picture = self.painter.paint(game.board(), state=game.state, hover=hover, pressed=pressed)
        expected = picture[rect.top : rect.top + rect.height, rect.left : rect.left + rect.width].copy()
        return wait_until(lambda: np.array_equal(self.tiles(), expected), PATIENCE, POLL)

    def button(self, tile: tuple[int, int], button: int, *downs: bool) -> None:
        """Press (True) or release a mouse button on a tile, all in one go."""
        from Xlib import X
        from Xlib.ext import xtest

        left, top = self.client()
        x, y = self.painter.tile_center(*tile)
        self.point(left + int(x), top + int(y))
        self.pointer, self.held = tile, downs[-1]
        for down in downs:
            xtest.fake_input(self.x.display, X.ButtonPress if down else X.ButtonRelease, button)
        self.x.display.sync()

    def click(self, tile: tuple[int, int], button: int) -> None:
        self.button(tile, button, True, False)

    def tap(self, symbol: int) -> None:
        from Xlib import X
        from Xlib.ext import xtest

        for kind in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(self.x.display, kind, self.x.display.keysym_to_keycode(symbol))
        self.x.display.sync()

    def point(self, x: int, y: int) -> None:
        from Xlib import X
        from Xlib.ext import xtest

        xtest.fake_input(self.x.display, X.MotionNotify, x=x, y=y)
        self.x.display.sync()


@pytest.fixture
def clone(live_screen: None) -> Iterator[CloneByHand]:
    """The clone, new, with the mouse away from it."""
    from bot.desktop.x11.connection import Connection

    with stage.clone(SEED, "--no-animations"):
        clone = CloneByHand(Connection(), Painter(LEVEL.rows, LEVEL.cols, Design(pitch=stage.CLONE_PITCH)))
        clone.point(1, 1)
        assert clone.shows(Game(LEVEL))
        yield clone


@pytest.fixture
def game() -> Game:
    """The same game without a window, to compare with."""
    return Game(LEVEL, seed=SEED)


def a_mine(game: Game) -> tuple[int, int]:
    assert game.mines is not None
    row, col = np.argwhere(game.mines & (game.board().cells == Cell.COVERED))[0]
    return int(row), int(col)


def a_one_with_its_mine(game: Game) -> tuple[tuple[int, int], tuple[int, int]]:
    """An open 1 beside more than one covered cell, and the mine it tells of."""
    board, mines = game.board(), game.mines
    assert mines is not None
    for row, col in np.argwhere(board.cells == 1).tolist():
        around = list(board.neighbours(row, col))
        if sum(board.cells[cell] == Cell.COVERED for cell in around) > 1:
            return (row, col), next(cell for cell in around if mines[cell])
    raise AssertionError("this board has no such 1")


def test_the_left_button_opens_when_it_goes_up_and_the_right_one_flags_when_it_goes_down(
    clone: CloneByHand, game: Game
) -> None:
    clone.button((4, 4), LEFT, True)
    assert clone.shows(game, pressed=((4, 4),))
    clone.button((4, 4), LEFT, False)
    game.open(4, 4)
    assert clone.shows(game)
    clone.button((0, 0), RIGHT, True)
    game.mark(0, 0)
    assert clone.shows(game)
    clone.button((0, 0), RIGHT, False)
    assert clone.shows(game)


@pytest.mark.parametrize("way", ["middle", "both", "double"])
def test_a_chord_opens_what_is_around_a_number(clone: CloneByHand, game: Game, way: str) -> None:
    clone.click((4, 4), LEFT)
    game.open(4, 4)
    assert clone.shows(game)
    number, mine = a_one_with_its_mine(game)
    clone.click(mine, RIGHT)
    game.mark(*mine)
    assert clone.shows(game)
    if way == "middle":
        clone.click(number, MIDDLE)
    elif way == "both":
        clone.button(number, LEFT, True)
        clone.click(number, RIGHT)
        clone.button(number, LEFT, False)
    else:
        clone.button(number, LEFT, True, False, True, False)
    before = game.board()
    game.chord(*number)
    assert game.board() != before
    assert clone.shows(game)


def test_a_loss_shows_the_mines_and_a_dialog_and_enter_plays_again(clone: CloneByHand, game: Game) -> None:
    clone.click((4, 4), LEFT)
    game.open(4, 4)
    assert clone.shows(game)
    mine = a_mine(game)
    clone.click(mine, LEFT)
    game.open(*mine)
    assert wait_until(lambda: clone.window("Game Lost"), PATIENCE, POLL)

    def answered() -> bool:  # again where the key was lost: a dialog is seen before it listens
        clone.tap(RETURN)
        return wait_until(lambda: clone.window("Game Lost") is None, ANSWERED, POLL)

    assert wait_until(answered, PATIENCE, POLL)
    game.new(SEED + 1)
    clone.pointer = None  # nothing is lit until the mouse moves again
    assert clone.shows(game)


def test_f2_deals_the_next_game_and_asks_first_when_one_is_on(clone: CloneByHand, game: Game) -> None:
    clone.tap(F2)
    game.new(SEED + 1)
    assert clone.shows(game)
    clone.click((0, 0), LEFT)
    game.open(0, 0)
    assert clone.shows(game)
    clone.tap(F2)
    assert wait_until(lambda: clone.window("New Game"), PATIENCE, POLL)


def test_a_larger_window_shows_larger_tiles(clone: CloneByHand, game: Game) -> None:
    clone.click((4, 4), LEFT)
    game.open(4, 4)
    assert clone.shows(game)
    window = clone.window("Minesweeper")
    menu = window.get_geometry().height - clone.painter.size[1]
    clone.painter = Painter(LEVEL.rows, LEVEL.cols, Design(pitch=2 * stage.CLONE_PITCH))
    width, height = clone.painter.size
    window.configure(width=width, height=height + menu)
    clone.x.display.sync()
    assert clone.shows(game)


def test_ctrl_c_while_it_is_busy_closes_it_and_is_told_in_one_sentence(live_screen: None) -> None:
    """tkinter prints whatever ends one of its callbacks, and goes on."""
    code = (
        "import sys; from bot.cli import run; from bot.clone.window import CloneWindow\n"
        "def interrupted(window, event): raise KeyboardInterrupt\n"
        "CloneWindow._on_resize = interrupted; sys.exit(run(['clone', '--level', 'beginner']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=float(PATIENCE))
    assert (ran.returncode, ran.stderr.strip()) == (130, "minebot: stopped: Ctrl-C was pressed")
