"""A reading drawn over its picture, for a person to check: the lattice, what every tile was read as, doubts in red."""

from __future__ import annotations

import cv2
import numpy as np

from bot.board import SYMBOLS
from bot.picture import Picture
from bot.vision.lattice import Grid
from bot.vision.reader import Reading
from bot.vision.skin import PLAIN

Colour = tuple[int, int, int]  # blue, green, red

LINE: Colour = (0, 220, 255)
INK: Colour = (255, 255, 255)
TAG: Colour = (90, 40, 0)
DOUBT: Colour = (30, 30, 255)


LEGIBLE = 40
"""Pixels that a tile needs for its label; pictures with smaller tiles are enlarged."""


def draw_reading(picture: Picture, reading: Reading) -> Picture:
    """Return a copy of the picture, enlarged when its tiles are small, with the reading drawn over it."""
    grid, doubts = reading.grid, {(doubt.row, doubt.col): doubt.best for doubt in reading.doubts}
    scale = max(1, round(LEGIBLE / grid.pitch))
    canvas: Picture = np.repeat(np.repeat(picture, scale, axis=0), scale, axis=1)
    _redden(canvas, [_box(grid, place, scale) for place in doubts])
    _draw_lines(canvas, grid, scale)
    for place, value in np.ndenumerate(reading.board.cells):
        box = _box(grid, place, scale)
        if place in doubts:
            cv2.rectangle(canvas, (box[0] + 1, box[1] + 1), (box[2] - 1, box[3] - 1), DOUBT, 1)
            _label(canvas, box, f"{doubts[place]}?", DOUBT)
        elif value not in PLAIN:
            _label(canvas, box, SYMBOLS[value], TAG)
    return canvas


def _box(grid: Grid, place: tuple[int, ...], scale: int) -> list[int]:
    return [round(edge * scale) for edge in grid.tile(*place)]


def _redden(canvas: Picture, boxes: list[list[int]]) -> None:
    """Lay a red veil over tiles, through which they still show."""
    for left, top, right, bottom in boxes:
        part = canvas[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
        part[:] = (0.65 * part + 0.35 * np.array(DOUBT)).astype(np.uint8)


def _draw_lines(canvas: Picture, grid: Grid, scale: int) -> None:
    left, top, right, bottom = (round(edge * scale) for edge in grid.box)
    for col in range(grid.cols + 1):
        x = round((grid.left + col * grid.pitch_x) * scale)
        cv2.line(canvas, (x, top), (x, bottom), LINE, 1)
    for row in range(grid.rows + 1):
        y = round((grid.top + row * grid.pitch_y) * scale)
        cv2.line(canvas, (left, y), (right, y), LINE, 1)


def _label(canvas: Picture, box: list[int], text: str, tag: Colour) -> None:
    """Write on a small tag in the left top corner of a tile, where figures leave room."""
    size = 0.42 * (box[3] - box[1]) / 32
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left, top = box[0] + 1, box[1] + 1
    cv2.rectangle(canvas, (left, top), (left + width + 3, top + height + 4), tag, -1)
    cv2.putText(canvas, text, (left + 2, top + height + 2), cv2.FONT_HERSHEY_SIMPLEX, size, INK, 1, cv2.LINE_AA)
