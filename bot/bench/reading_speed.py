"""How fast one expert frame is read: the same yardstick on every machine, drawn by the clone.

A frame on a known grid, when nothing changed and when every tile did; a whole desktop, cold, with finding the board;
and the usual way, each template over the whole board, on the same frame. Nothing of the real game is needed for it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from bot.bench.read import timed
from bot.bench.usual_way import read_the_usual_way, usual_templates
from bot.board import Board, Cell, count_around
from bot.clone.painter import Painter, Style, paint_window
from bot.level import LEVELS, Level
from bot.picture import Picture
from bot.vision.reader import Reader
from bot.vision.skin import Skin

PASSES = 30
DESKTOP = (1080, 1920)


@dataclass(frozen=True)
class FrameSpeed:
    """Milliseconds for an expert frame at one size of tiles, the best of many passes."""

    pitch: float
    tiles: int
    same_ms: float
    all_ms: float
    desktop_ms: float
    usual_ms: float

    @property
    def ratio(self) -> float:
        """How many times as long the usual way takes for all tiles."""
        return self.usual_ms / self.all_ms


def frame_speed(pitch: float = 18.0, passes: int = PASSES) -> FrameSpeed:
    """Measure reading at one pitch, with the skin known but for the desktop, where it is found too."""
    level, skin = LEVELS["expert"], Skin.load("win7")
    painter = Painter(level.rows, level.cols, Style(pitch=pitch))
    frame = painter.paint(_midgame(level), seconds=99).copy()
    frames = [frame, np.asarray(frame ^ 3, dtype=np.uint8)]  # every pixel differs, so every tile is read again
    reader = Reader(skin)
    grid = reader.read(frames[0]).grid
    turns = iter(frames[::-1] * passes)
    all_ms, _ = timed(lambda: reader.read(next(turns), grid), 2 * passes)
    same_ms, _ = timed(lambda: reader.read(frame, grid), passes)
    desktop = _desktop(paint_window(frame))
    desktop_ms, _ = timed(lambda: Reader().read(desktop), passes)
    templates = usual_templates(skin, grid)
    usual_ms, _ = timed(lambda: read_the_usual_way(frame, grid, templates), max(1, passes // 10))
    return FrameSpeed(pitch, level.rows * level.cols, same_ms, all_ms, desktop_ms, usual_ms)


def _midgame(level: Level) -> Board:
    """Return a board half way through a game: its larger part open, most mines flagged."""
    random = np.random.default_rng(1)
    mines = random.permutation(level.rows * level.cols).reshape(level.rows, level.cols) < level.mines
    seen = random.random(mines.shape) < 0.7
    for _ in range(max(mines.shape)):  # a blank opens what is around it
        seen |= count_around(seen & ~mines & (count_around(mines) == 0)) > 0
    cells = np.where(mines, Cell.FLAG, count_around(mines))
    return Board(np.where(seen, cells, Cell.COVERED).astype(np.uint8), level.mines)


def _desktop(window: Picture) -> Picture:
    """Return a screen with a few windows of text and the game's in front."""
    height, width = DESKTOP
    shade = np.linspace((150, 100, 40), (90, 60, 20), height).astype(np.uint8)
    screen: Picture = np.ascontiguousarray(np.broadcast_to(shade[:, None], (height, width, 3)))
    for left, top in ((60, 40), (700, 120), (1300, 60), (200, 600), (1200, 560)):
        screen[top : top + 420, left : left + 560] = 248
        for line in range(18):
            place = (left + 12, top + 30 + 22 * line)
            text = "for row in range(rows): total += board[row].count(9)"
            cv2.putText(screen, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1, cv2.LINE_AA)
    left, top = (width - window.shape[1]) // 2, (height - window.shape[0]) // 2
    screen[top : top + window.shape[0], left : left + window.shape[1]] = window
    return screen
