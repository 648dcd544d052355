"""What the solver knows, drawn on the picture it came from.

Safe tiles are green with a tick, mines red with a cross, and where the bot must guess every covered tile carries its
chance of a mine in per cent; the move has a yellow frame, a flag that is certainly wrong an orange one, crossed out.
Marks keep to the inside of their tiles, are drawn for the tile's own size and stay legible from 16 pixels up. Colours
are never the only sign. It decides nothing and reads nothing.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell, count_around
from bot.clone.glyphs import BOLD, outline
from bot.heat import heat
from bot.picture import Picture
from bot.solver.decision import Decision
from bot.vision.grid import Grid

Hints = Literal["safe", "odds", "all"]
"""Which marks to draw: what is certain; the odds where it must guess; or both with the move."""

Layer = NDArray[np.float32]
"""Shape (height, width, 4): blue, green, red from 0 to 255 and how much it covers from 0 to 1."""

Colour = tuple[int, int, int]
"""Blue, green, red."""

SAFE, MINED, MOVE, WRONG = (62, 158, 30), (46, 34, 196), (0, 224, 255), (0, 140, 255)
WHITE, BLACK = (255, 255, 255), (0, 0, 0)

FINE = 8
"""Every pixel is drawn as so many by so many, for smooth edges."""

_TICK = ((0.26, 0.54), (0.43, 0.70), (0.75, 0.32))
_CROSS = (((0.31, 0.31), (0.69, 0.69)), ((0.69, 0.31), (0.31, 0.69)))


def annotate(picture: Picture, grid: Grid, board: Board, decision: Decision, hints: Hints = "all") -> Picture:
    """Return a copy of the picture with the marks on it. `grid` says where in the picture the board is."""
    drawn: Picture = picture.copy()
    near = count_around(board.cells <= 8) > 0
    if decision.move is not None:
        near[decision.move.row, decision.move.col] = True
    for row, col in np.argwhere(board.hidden).tolist():
        layer = _mark(board, decision, hints, bool(near[row, col]), row, col, _size(grid, row, col))
        if layer is not None:
            _lay(drawn, layer, grid, row, col)
    if hints != "safe":
        for row, col in decision.wrong_flags:
            _lay(drawn, _wrong(*_size(grid, row, col)), grid, row, col)
    if hints == "all" and decision.move is not None:
        row, col = decision.move.row, decision.move.col
        _lay(drawn, _frame(*_size(grid, row, col), MOVE), grid, row, col)
    return drawn


def _mark(
    board: Board, decision: Decision, hints: Hints, near: bool, row: int, col: int, size: tuple[int, int]
) -> Layer | None:
    """Return what a hidden tile gets, or None. Flags that may be right are left alone."""
    chance = decision.odds[row, col]
    if board.cells[row, col] == Cell.FLAG or np.isnan(chance):
        return None
    if chance == 0.0:
        return _tile(*size, SAFE, "tick") if hints != "odds" or decision.must_guess else None
    if chance == 1.0:
        return _tile(*size, MINED, "cross") if hints != "odds" else None
    if not decision.must_guess or hints == "safe":
        return None
    text = str(min(max(round(100 * chance), 1), 99))
    return _tile(*size, _bgr(heat(round(100 * chance))), text) if near else _faint(*size, text)


def _bgr(colour: Colour) -> Colour:
    red, green, blue = colour
    return blue, green, red


def _size(grid: Grid, row: int, col: int) -> tuple[int, int]:
    left, top, right, bottom = _pixels(grid, row, col)
    return right - left, bottom - top


def _pixels(grid: Grid, row: int, col: int) -> tuple[int, int, int, int]:
    """Return a tile's inside in whole pixels, without the lines around it."""
    left, top, right, bottom = grid.tile(row, col)
    return round(left) + 1, round(top) + 1, round(right), round(bottom)


def _lay(picture: Picture, layer: Layer, grid: Grid, row: int, col: int) -> None:
    """Blend a layer onto a tile; what lies outside of the picture is left out."""
    left, top, right, bottom = _pixels(grid, row, col)
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    if x0 >= x1 or y0 >= y1:
        return
    part = layer[y0 - top : y1 - top, x0 - left : x1 - left]
    cover = part[..., 3:]
    below = picture[y0:y1, x0:x1]
    picture[y0:y1, x0:x1] = np.rint(below * (1 - cover) + part[..., :3] * cover).astype(np.uint8)


# Layers, each drawn once for every size


MOST_LAYERS = 512
"""Kept at a time: two signs and 99 numbers at four sizes, since where a pitch is no whole number tiles differ."""


@lru_cache(maxsize=MOST_LAYERS)
def _tile(width: int, height: int, colour: Colour, sign: str) -> Layer:
    """A tinted tile with a tick, a cross or a number."""
    layer = _flat(width, height, colour, 0.84)
    return _ink(layer, _sign(width, height, sign), WHITE, 1.0)


@lru_cache(maxsize=256)
def _faint(width: int, height: int, text: str) -> Layer:
    """A number that does not ask for attention: one of the many that are all the same."""
    number = _sign(width, height, text)
    shadow = cv2.GaussianBlur(number, (0, 0), max(height / 22, 0.6)).astype(np.float32)
    below = _ink(_flat(width, height, BLACK, 0.0), np.minimum(shadow * 1.6, 1.0), BLACK, 0.35)
    return _ink(below, number, WHITE, 0.62)


@lru_cache(maxsize=64)
def _frame(width: int, height: int, colour: Colour) -> Layer:
    """A frame with a thin dark edge inside, so that it stands out on any ground."""
    thick = max(2, round(width / 10))
    layer = _flat(width, height, colour, 1.0)
    layer[thick : height - thick, thick : width - thick] = (*BLACK, 0.6)
    edge = thick + max(1, round(width / 30))
    layer[edge : height - edge, edge : width - edge, 3] = 0.0
    return layer


@lru_cache(maxsize=64)
def _wrong(width: int, height: int) -> Layer:
    """A flag's tile, framed and crossed out from corner to corner."""
    strike = _strokes(width, height, (((0.12, 0.12), (0.88, 0.88)),), 0.13)
    outer = _strokes(width, height, (((0.12, 0.12), (0.88, 0.88)),), 0.21)
    return _ink(_ink(_frame(width, height, WRONG), outer, BLACK, 0.7), strike, WRONG, 1.0)


def _flat(width: int, height: int, colour: Colour, cover: float) -> Layer:
    layer = np.empty((height, width, 4), dtype=np.float32)
    layer[:] = (*colour, cover)
    return layer


def _ink(layer: Layer, mask: NDArray[np.float32], colour: Colour, strength: float) -> Layer:
    """Return a layer with ink over it, where the mask (height, width) from 0 to 1 says."""
    ink = (mask * strength)[..., None]
    below = layer[..., 3:] * (1 - ink)
    cover = ink + below
    colours = (np.array(colour, dtype=np.float32) * ink + layer[..., :3] * below) / np.maximum(cover, 1e-6)
    return np.concatenate([colours, cover], axis=2).astype(np.float32)


def _sign(width: int, height: int, sign: str) -> NDArray[np.float32]:
    """Return where a tick, a cross or a number of one or two digits has ink, shape (height, width), from 0 to 1."""
    if sign == "tick":
        return _strokes(width, height, (_TICK,), 0.13)
    if sign == "cross":
        return _strokes(width, height, _CROSS, 0.13)
    # Whole pixels of height and width keep small digits sharp.
    tall = max(7, round(height * 0.52))
    wide = max(4, round(tall * 0.62))
    gap = max(1, round(wide * 0.22))
    left = (width - len(sign) * wide - (len(sign) - 1) * gap) // 2
    top = (height - tall) // 2
    canvas = np.zeros((height * FINE, width * FINE), dtype=np.uint8)
    for number, digit in enumerate(sign):
        corner = np.array([left + number * (wide + gap), top])
        narrow = 0.75 if digit == "1" else 1.0  # stretched to the width of the others a 1 would look fat
        shift = np.array([(1 - narrow) / 2, 0.0])
        shapes = [(corner + (shape * (narrow, 1.0) + shift) * (wide, tall)) * FINE for shape in outline(BOLD[digit])]
        cv2.fillPoly(canvas, [np.rint(shape).astype(np.int32) for shape in shapes], 255)
    return _shrunk(canvas, width, height)


def _strokes(
    width: int, height: int, lines: tuple[tuple[tuple[float, float], ...], ...], thick: float
) -> NDArray[np.float32]:
    """Return where lines, given in shares of a tile, have ink."""
    canvas = np.zeros((height * FINE, width * FINE), dtype=np.uint8)
    scale = np.array([width * FINE, height * FINE])
    thickness = max(round(thick * height * FINE), FINE)
    for line in lines:
        points = np.rint(np.array(line) * scale).astype(np.int32)
        cv2.polylines(canvas, [points], isClosed=False, color=255, thickness=thickness)
    return _shrunk(canvas, width, height)


def _shrunk(canvas: NDArray[np.uint8], width: int, height: int) -> NDArray[np.float32]:
    small = cv2.resize(canvas, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small / 255, dtype=np.float32)
