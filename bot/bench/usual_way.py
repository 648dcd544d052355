"""The way in which most bots read a board, to hold ours against.

Each template is matched over the whole board, and every place above a threshold is taken. It is told the lattice that
we find ourselves.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Cell, Cells
from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.skin import Skin

THRESHOLD = 0.8


def usual_templates(skin: Skin, grid: Grid) -> list[tuple[int, NDArray[np.uint8]]]:
    """Return one template for each cell value and theme, at the board's own pitch and without the lines."""
    size = max(8, round(grid.pitch_x)), max(8, round(grid.pitch_y))
    rim = max(1, size[0] // 10)
    templates = []
    for value, pictures in skin.tiles.items():
        for theme in dict.fromkeys(skin.themes[value]):
            picture = pictures[skin.themes[value].index(theme)]
            resized = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
            templates.append((value, resized[rim:-rim, rim:-rim]))
    return templates


def read_the_usual_way(picture: Picture, grid: Grid, templates: list[tuple[int, NDArray[np.uint8]]]) -> Cells:
    """Return the cells as most bots read them: the best hit above the threshold in every tile, else unread."""
    left, top, right, bottom = (round(edge) for edge in grid.box)
    board = picture[max(0, top) : bottom, max(0, left) : right]
    cells = np.full((grid.rows, grid.cols), Cell.UNREAD, dtype=np.uint8)
    best = np.full((grid.rows, grid.cols), THRESHOLD)
    for value, template in templates:
        hits = cv2.matchTemplate(board, template, cv2.TM_CCOEFF_NORMED)
        height, width = template.shape[:2]
        for y, x in np.argwhere(hits >= THRESHOLD).tolist():
            row, col = int((y + height / 2) / grid.pitch_y), int((x + width / 2) / grid.pitch_x)
            if row < grid.rows and col < grid.cols and hits[y, x] > best[row, col]:
                best[row, col], cells[row, col] = hits[y, x], value
    return cells
