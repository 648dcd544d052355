"""Games that nobody has a skin for: flat tiles, faint lines, wide gaps, dark colours, another font.

A `Palette` paints boards as pictures, `board` is one to paint, `placed` where it then is; `desktop_of` puts the clone's
game behind it, so that it can be played from pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from bot.board import Board, Cell
from bot.clone.desktop import CloneDesktop
from bot.clone.engine import LEFT, TILE, TOP, Point, Scene
from bot.clone.game import Game
from bot.desktop import Rect
from bot.level import Level
from bot.picture import Picture
from bot.vision.grid import Grid
from tests.clone.fixtures import midgame

Colour = tuple[int, int, int]  # blue, green, red
MARGIN = 40


@dataclass(frozen=True)
class Palette:
    """How a made-up game looks; `gap` are the pixels between tiles, `checked` shades every other one.

    Figures are drawn by lines so `thick`, and by so much larger than usual.
    """

    around: Colour
    cover: Colour
    ground: Colour
    ink: tuple[Colour, ...]
    pitch: int = 30
    gap: int = 2
    checked: int = 0
    font: int = cv2.FONT_HERSHEY_DUPLEX
    thick: int = 2
    larger: float = 1.0

    @lru_cache(maxsize=128)  # noqa: B019 - palettes live as long as the tests
    def tile(self, value: int, shade: int) -> Picture:
        """Return one tile without the gap around it."""
        side = self.pitch - self.gap
        closed = value in (Cell.COVERED, Cell.FLAG, Cell.QUESTION)
        ground = (60, 60, 230) if value == Cell.EXPLODED else self.cover if closed else self.ground
        tile = np.full((side, side, 3), [min(255, channel + shade) for channel in ground], dtype=np.uint8)
        middle = side // 2
        if 1 <= value <= 8 or value == Cell.QUESTION:
            text, ink = ("?", self.ink[0]) if value == Cell.QUESTION else (str(value), self.ink[value - 1])
            scale = self.larger * side / 34
            (width, height), _ = cv2.getTextSize(text, self.font, scale, self.thick)
            corner = middle - width // 2, middle + height // 2
            cv2.putText(tile, text, corner, self.font, scale, ink, self.thick, cv2.LINE_AA)
        elif value in (Cell.FLAG, Cell.WRONG_FLAG):
            points = np.array([(0.3, 0.2), (0.75, 0.4), (0.3, 0.6)]) * side
            cv2.fillPoly(tile, [points.astype(np.int32)], (40, 40, 220))
            cv2.line(tile, (int(0.3 * side), int(0.2 * side)), (int(0.3 * side), int(0.85 * side)), self.ink[0], 2)
            if value == Cell.WRONG_FLAG:
                cv2.line(tile, (3, 3), (side - 4, side - 4), (200, 60, 200), 2)
        elif value in (Cell.MINE, Cell.EXPLODED):
            cv2.circle(tile, (middle, middle), side // 3, self.ink[-1], -1, cv2.LINE_AA)
        return tile

    def paint_board(self, board: Board) -> Picture:
        """Return a picture with the board in its middle."""
        height, width = (2 * MARGIN + count * self.pitch for count in (board.rows, board.cols))
        picture = np.full((height, width, 3), self.around, dtype=np.uint8)
        near = self.gap // 2
        for (row, col), value in np.ndenumerate(board.cells):
            tile = self.tile(int(value), self.checked * ((row + col) % 2))
            top, left = MARGIN + row * self.pitch + near, MARGIN + col * self.pitch + near
            picture[top : top + len(tile), left : left + len(tile)] = tile
        return picture


class _Painter:
    """A palette in the place of the clone's own painter; a `silent` game shows no mine but the one that went off."""

    def __init__(self, palette: Palette, level: Level, silent: bool) -> None:
        self._palette = palette
        self._silent = silent
        self._level = level
        self._painted: tuple[Board, Picture] | None = None
        self.size = 2 * MARGIN + level.cols * palette.pitch, 2 * MARGIN + level.rows * palette.pitch

    def show(self, scene: Scene) -> Picture:
        board = scene.board
        if self._silent:
            board = Board(np.where(board.cells == Cell.MINE, Cell.COVERED, board.cells))
        if self._painted is None or self._painted[0] != board:
            self._painted = board, self._palette.paint_board(board)
        return self._painted[1].copy()

    def layout_place(self, x: float, y: float) -> Point:
        scale = self._palette.pitch / TILE
        return Point(int(LEFT + (x - MARGIN) // scale), int(TOP + (y - MARGIN) // scale))


MESSAGE_SECONDS = 4.0


class Talking(CloneDesktop):
    """A message lies over the middle of the board for some seconds after the end, as in KMines."""

    ended: float | None = None

    def grab(self, region: Rect) -> Picture:
        picture, state = super().grab(region), self.program.frame.state
        self.ended = None if state == "playing" else self.ended or self.clock.now()
        if self.ended is not None and self.clock.now() < self.ended + MESSAGE_SECONDS:
            _say_over(picture, f"You have {state}")
        return picture


def _say_over(picture: Picture, text: str) -> None:
    """Lay a message with a sign and a text over the middle of a picture."""
    height, width = picture.shape[:2]
    middle, left, right = height // 2, MARGIN + 12, width - MARGIN - 12
    cv2.rectangle(picture, (left, middle - 40), (right, middle + 40), (250, 250, 250), -1)
    cv2.rectangle(picture, (left, middle - 40), (right, middle + 40), (40, 40, 40), 1)
    cv2.circle(picture, (left + 34, middle), 26, (230, 160, 60), -1)
    cv2.putText(picture, text, (left + 76, middle + 8), cv2.FONT_HERSHEY_DUPLEX, 0.9, (30, 30, 30), 2, cv2.LINE_AA)


def desktop_of(
    palette: Palette, level: Level, seed: int, silent: bool = False, kind: type[CloneDesktop] = CloneDesktop
) -> CloneDesktop:
    """Return a desktop with a game of that look on it."""
    desktop = kind(Game(level, "open", seed))
    desktop.painter = _Painter(palette, level, silent)  # type: ignore[assignment]
    return desktop


def board(seed: int = 3) -> Board:
    """Return a board under way, which shows all common cells."""
    return Board(midgame(Level(10, 12, 22), seed, flags=5, questions=2, opened=0.55).board().cells)


def placed(palette: Palette, truth: Board) -> Grid:
    """Return where the tiles are in the picture that a palette paints of a board."""
    return Grid(MARGIN, MARGIN, palette.pitch, palette.pitch, truth.rows, truth.cols)


BRIGHT = (
    (200, 60, 20),
    (30, 130, 30),
    (30, 30, 200),
    (120, 20, 20),
    (20, 20, 110),
    (130, 130, 20),
    (20, 20, 20),
    (110,) * 3,
)
PALE = (
    (255, 190, 120),
    (130, 230, 130),
    (130, 130, 255),
    (255, 140, 220),
    (90, 170, 255),
    (230, 230, 90),
    (240,) * 3,
    (170,) * 3,
)

PALETTES: Mapping[str, Palette] = {
    "flat on white": Palette((255, 255, 255), (190, 150, 90), (235, 235, 235), BRIGHT),
    "dark": Palette((24, 20, 20), (74, 62, 56), (40, 34, 32), PALE, pitch=36),
    "a lawn without lines": Palette((50, 120, 60), (70, 205, 160), (160, 195, 225), BRIGHT, 33, 0, checked=9),
    "wide gaps, another font": Palette(
        (245, 245, 245), (182, 189, 186), (222, 222, 222), BRIGHT, 40, 8, font=cv2.FONT_HERSHEY_COMPLEX
    ),
}

THIN = Palette((0, 0, 0), (128,) * 3, (255,) * 3, BRIGHT, 50, font=cv2.FONT_HERSHEY_PLAIN, thick=1, larger=0.6)
"""Thin figures on large tiles, as xbomb draws them."""
