"""Draws fixtures/screenshots/clone: pictures of the clone and the boards they show, each named for its quirk.

Run `python -m tests.clone.fixtures` to draw them again after the look has changed. A text has the line `mines:` where
the picture's counter tells it, and `.` for tiles that something covers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from bot.board import Board, Cell
from bot.clone import animation
from bot.clone.game import Game
from bot.clone.painter import Design, EndKind, Painter, dialog_rect, paint_dialog, paint_window
from bot.level import LEVELS, Level
from bot.picture import Picture

FOLDER = Path(__file__).parents[2] / "fixtures" / "screenshots" / "clone"
LARGEST = Level(24, 30, 180)


@dataclass(frozen=True)
class Fixture:
    """A picture and the board that it shows."""

    picture: Picture
    board: Board


def midgame(level: Level, seed: int, flags: int = 0, questions: int = 0, opened: float = 0.6) -> Game:
    """A game in which a share of the safe cells is open and some mines are flagged or questioned."""
    game = Game(level, seed=seed)
    game.open(level.rows // 2, level.cols // 2)
    mines = game.mines
    assert mines is not None
    generator = np.random.default_rng(seed)
    safe = generator.permutation(np.argwhere(~mines))
    for row, col in safe[: int(len(safe) * opened)].tolist():
        game.open(row, col)
    places = generator.permutation(np.argwhere(mines)).tolist()
    for number, (row, col) in enumerate(places[: flags + questions]):
        for _ in range(1 if number < flags else 2):
            game.mark(row, col)
    return game


def lost_game(level: Level, seed: int) -> Game:
    """A lost game with right flags, a wrong one and a question mark."""
    game = midgame(level, seed, flags=6, questions=1, opened=0.35)
    assert game.mines is not None
    covered = game.board().cells == Cell.COVERED
    row, col = np.argwhere(covered & ~game.mines)[0].tolist()
    game.mark(row, col)
    game.open(*np.argwhere(covered & game.mines)[-1].tolist())
    assert game.state == "lost"
    return game


def won_game(level: Level, seed: int) -> Game:
    """A won game."""
    game = midgame(level, seed, opened=1.0)
    assert game.state == "won"
    return game


def first(game: Game, value: int) -> tuple[int, int]:
    """The first tile that shows a value."""
    row, col = np.argwhere(game.board().cells == value)[0].tolist()
    return row, col


def plain(game: Game, design: Design, seconds: int | None = 12) -> Fixture:
    painter = Painter(game.level.rows, game.level.cols, design)
    picture = painter.paint(game.board(), state=game.state, seconds=seconds, mines_left=game.mines_left)
    return Fixture(picture, as_told(game))


def as_told(game: Game) -> Board:
    """The board that a picture of a game tells of: the dim mines of a won one can be taken for covered tiles."""
    board = game.board()
    if game.state != "won":
        return board
    return Board(np.where(board.cells == Cell.MINE, Cell.UNREAD, board.cells).astype(np.uint8), board.mines)


def hovering(game: Game, design: Design, value: int) -> Fixture:
    painter = Painter(game.level.rows, game.level.cols, design)
    return Fixture(painter.paint(game.board(), hover=first(game, value), seconds=12), game.board())


def focused(game: Game, design: Design) -> Fixture:
    painter = Painter(game.level.rows, game.level.cols, design)
    return Fixture(painter.paint(game.board(), focus=first(game, Cell.COVERED)), game.board())


def in_a_window(fixture: Fixture) -> Fixture:
    return Fixture(paint_window(fixture.picture), fixture.board)


def on_a_desktop(fixture: Fixture, size: tuple[int, int], place: tuple[int, int]) -> Fixture:
    window = paint_window(fixture.picture)
    screen = np.empty((size[1], size[0], 3), dtype=np.uint8)
    screen[:] = np.linspace((150, 90, 20), (90, 50, 10), size[1]).astype(np.uint8)[:, None]
    x, y = place
    screen[y : y + window.shape[0], x : x + window.shape[1]] = window
    return Fixture(screen, fixture.board)


def board_only(game: Game, design: Design) -> Fixture:
    painter = Painter(game.level.rows, game.level.cols, design)
    left, top, width, height = painter.board_rect
    picture = painter.paint(game.board())[top : top + height, left : left + width]
    return Fixture(picture, Board(game.board().cells))


def behind_a_dialog(game: Game, design: Design, kind: EndKind) -> Fixture:
    """A tile that the dialog so much as touches is told as not to be read."""
    painter = Painter(game.level.rows, game.level.cols, design)
    picture = paint_dialog(painter.paint(game.board(), state=game.state, mines_left=game.mines_left), kind)
    rect = dialog_rect(painter.size, kind)
    cells = as_told(game).cells.copy()
    for row, col in np.ndindex(cells.shape):
        x, y = painter.tile_center(row, col)
        reach = design.pitch / 2 + 1
        beside = x + reach < rect.left or x - reach > rect.left + rect.width
        if not (beside or y + reach < rect.top or y - reach > rect.top + rect.height):
            cells[row, col] = Cell.UNREAD
    return Fixture(picture, Board(cells))


def rippling(design: Design) -> Fixture:
    """Digits at the rim of an opening that are still on their covers; a blue 1 could not be seen on one."""
    game = Game(LEVELS["expert"], seed=8)
    game.open(8, 14)
    cells = game.board().cells
    painter = Painter(game.level.rows, game.level.cols, design)
    digits = [(int(row), int(col)) for row, col in np.argwhere((cells >= 2) & (cells <= 8))]
    return Fixture(painter.paint(game.board(), fading=dict.fromkeys(digits, 0.1), seconds=0), game.board())


def cascading(design: Design) -> Fixture:
    """A lost game in the first moment: silver mines on their covers, a flash where one went off."""
    game = midgame(LEVELS["expert"], 21, opened=0.5)
    assert game.mines is not None
    game.open(*np.argwhere(game.mines)[40].tolist())
    painter = Painter(game.level.rows, game.level.cols, design)
    effects: animation.Effects = {}
    for row, col in np.argwhere(game.board().cells >= Cell.MINE).tolist():
        effects[row, col] = ("flash" if game.board().cells[row, col] == Cell.EXPLODED else "silver", 1.0)
    return Fixture(painter.paint(game.board(), state="lost", effects=effects), game.board())


def flags_going_up(design: Design) -> Fixture:
    game = midgame(LEVELS["intermediate"], 15, flags=12)
    painter = Painter(game.level.rows, game.level.cols, design)
    effects: animation.Effects = {}
    for number, (row, col) in enumerate(np.argwhere(game.board().cells == Cell.FLAG)[:4].tolist()):
        effects[row, col] = ("raised", number / 4)
    return Fixture(painter.paint(game.board(), effects=effects), game.board())


def too_many_flags(design: Design) -> Fixture:
    game = Game(LEVELS["beginner"], seed=2)
    game.open(4, 4)
    for row, col in np.argwhere(game.board().cells == Cell.COVERED)[:13].tolist():
        game.mark(row, col)
    return plain(game, design)


def every_digit(design: Design) -> Fixture:
    """A board made by hand that has all eight digits."""
    mines = np.zeros((9, 12), dtype=np.bool_)
    mines[1:4, 1:4] = mines[5:8, 5:8] = True
    mines[2, 2] = mines[6, 6] = False
    mines[7, 7] = False
    mines[2, 6] = mines[2, 8] = mines[1, 7] = mines[3, 7] = mines[1, 6] = mines[3, 8] = True
    game = Game.with_mines(mines)
    for row, col in np.argwhere(~mines).tolist():
        if (row, col) != (0, 0):  # with every safe cell open the game would be won
            game.open(row, col)
    return plain(game, design)


BEGINNER, INTERMEDIATE, EXPERT = LEVELS.values()

FIXTURES: dict[str, Callable[[], Fixture]] = {
    "new-game-clock-empty": lambda: plain(Game(EXPERT, seed=1), Design(), seconds=None),
    "default-size-midgame": lambda: plain(midgame(EXPERT, 2, flags=20, questions=3), Design(pitch=18.02)),
    "smallest-tiles": lambda: plain(midgame(INTERMEDIATE, 3, flags=8, questions=1), Design(pitch=12)),
    "largest-tiles": lambda: plain(midgame(BEGINNER, 4, flags=2, questions=1, opened=0.3), Design(pitch=80)),
    "fractional-pitch-blue": lambda: plain(midgame(INTERMEDIATE, 5, flags=14), Design(pitch=44.35)),
    "fractional-pitch-green": lambda: plain(midgame(INTERMEDIATE, 6, 9, 2), Design("green", "mines", 25.7)),
    "largest-board": lambda: plain(midgame(LARGEST, 7, flags=40, questions=5), Design("blue", "flowers", 16.3)),
    "every-digit": lambda: every_digit(Design(pitch=30.8)),
    "every-digit-green": lambda: every_digit(Design("green", "flowers", 20.2)),
    "hover-on-flag": lambda: hovering(midgame(BEGINNER, 9, flags=3, opened=0.3), Design(pitch=21.06), Cell.FLAG),
    "hover-on-covered": lambda: hovering(midgame(INTERMEDIATE, 10), Design("green"), Cell.COVERED),
    "hover-on-question-mark": lambda: hovering(midgame(INTERMEDIATE, 11, 4, 2), Design(pitch=33.3), Cell.QUESTION),
    "focused-by-keyboard": lambda: focused(midgame(INTERMEDIATE, 12), Design(pitch=24)),
    "too-many-flags": lambda: too_many_flags(Design(pitch=36.2)),
    "digits-over-covers": lambda: rippling(Design(pitch=24.2)),
    "dark-flags-going-up": lambda: flags_going_up(Design(pitch=31.5)),
    "silver-mines-cascading": lambda: cascading(Design(pitch=18)),
    "lost-mines": lambda: plain(lost_game(EXPERT, 13), Design(pitch=22.5)),
    "lost-flowers-green": lambda: plain(lost_game(INTERMEDIATE, 14), Design("green", "flowers", 31)),
    "won": lambda: plain(won_game(INTERMEDIATE, 16), Design(pitch=27)),
    "lost-behind-dialog": lambda: behind_a_dialog(lost_game(EXPERT, 17), Design(pitch=30), "lost"),
    "won-behind-dialog": lambda: behind_a_dialog(won_game(INTERMEDIATE, 18), Design("green", "mines", 35), "won"),
    "whole-window": lambda: in_a_window(plain(midgame(BEGINNER, 19, flags=4, opened=0.3), Design(pitch=21.06))),
    "whole-desktop": lambda: on_a_desktop(
        plain(midgame(EXPERT, 20, flags=25), Design(pitch=26.4)), (1280, 800), (190, 120)
    ),
    "board-only": lambda: board_only(midgame(EXPERT, 22, flags=12, questions=2), Design(pitch=18.02)),
}


def main() -> None:
    """Draw all fixtures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, draw in FIXTURES.items():
        fixture = draw()
        (FOLDER / f"{name}.png").write_bytes(
            cv2.imencode(".png", fixture.picture, [cv2.IMWRITE_PNG_COMPRESSION, 9])[1].tobytes()
        )
        (FOLDER / f"{name}.txt").write_text(f"{fixture.board}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
