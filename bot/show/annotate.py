"""What the solver knows, drawn on the picture it came from.

Safe tiles are green with a tick, mines red with a cross, and where the bot must guess every covered tile carries its
chance of a mine in per cent; the move has a yellow frame, a flag that is certainly wrong an orange one, crossed out.
Marks keep to the inside of their tiles, are drawn for the tile's own size and stay legible from 16 pixels up. Colours
are never the only sign. Rows and columns are numbered beside the board. It decides nothing and reads nothing.

`draw_reading` shows instead what was read, for a person to check: the lattice, what every tile was taken for, doubts
in red.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Board, Cell, count_around
from bot.clone.pieces import outline
from bot.picture import Picture
from bot.show.terminal import heat
from bot.solver.decision import Decision
from bot.vision.grid import CUT, Grid
from bot.vision.reader import Reading
from bot.vision.skin import PLAIN
from bot.words import Hints

Layer = NDArray[np.float32]
"""Shape (height, width, 4): blue, green, red from 0 to 255 and how much it covers from 0 to 1."""

_Colour = tuple[int, int, int]
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
    _number_lines(drawn, grid)
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


def _bgr(colour: _Colour) -> _Colour:
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
    """Blend a layer onto a tile."""
    left, top, _, _ = _pixels(grid, row, col)
    _blend(picture, layer, left, top)


def _blend(picture: Picture, layer: Layer, left: int, top: int) -> None:
    """Blend a layer onto a place; what lies outside of the picture is left out."""
    height, width = picture.shape[:2]
    right, bottom = left + layer.shape[1], top + layer.shape[0]
    x0, y0, x1, y1 = max(left, 0), max(top, 0), min(right, width), min(bottom, height)
    if x0 >= x1 or y0 >= y1:
        return
    part = layer[y0 - top : y1 - top, x0 - left : x1 - left]
    cover = part[..., 3:]
    below = picture[y0:y1, x0:x1]
    picture[y0:y1, x0:x1] = np.rint(below * (1 - cover) + part[..., :3] * cover).astype(np.uint8)


# Rulers: the numbers of rows and columns, as people are told them


RULER = 0.38
"""Height of a ruler's digits in tiles; a strip of them with its rims fits between a classic board and its counters."""

UNDER = 0.55
"""How much a number covers that has to stand on a tile, for want of room beside the board."""


def with_room_for_rulers(picture: Picture, grid: Grid) -> tuple[Picture, Grid]:
    """Return the picture, extended where it ends too close to the board for its rulers, and where the board is then."""
    tall = _ruler_height(grid)
    (wide, high), rim = _ruler_size(grid), _rim(tall)
    left = max(0, wide + rim - round(grid.left)) if grid.left < wide else 0
    top = max(0, high + rim - round(grid.top)) if grid.top < high else 0
    extended = cv2.copyMakeBorder(picture, top, 0, left, 0, cv2.BORDER_CONSTANT, value=MARGIN)
    return np.asarray(extended, np.uint8), replace(grid, left=grid.left + left, top=grid.top + top)


MARGIN = (244, 244, 244)
"""Of a picture that had to be extended."""


def _number_lines(picture: Picture, grid: Grid) -> None:
    """Number the rows left of the board and the columns above it; small, on the tiles' rim, where no room is left.

    A side on which the board goes on beyond the picture has no numbers: nothing is beside it.
    """
    tall = _ruler_height(grid)
    rim = _rim(tall)
    wide, high = _ruler_size(grid)
    left, top = round(grid.left), round(grid.top)
    if grid.left >= -CUT * grid.pitch_x:
        for row in range(grid.rows):
            text = str(row + 1)
            beside = left - _long(text, tall) - 3 * rim if left >= wide else max(left, 0)
            _write(picture, text, tall, beside, round(grid.center(row, 0)[1] - tall / 2) - rim, left >= wide)
    if grid.top >= -CUT * grid.pitch_y:
        for col in range(grid.cols):
            text = str(col + 1)
            above = top - tall - 3 * rim if top >= high else max(top, 0)
            _write(picture, text, tall, round(grid.center(0, col)[0] - _long(text, tall) / 2) - rim, above, top >= high)


def _write(picture: Picture, text: str, tall: int, left: int, top: int, beside: bool) -> None:
    """Write a number, dark on a light ground and light on a dark one."""
    rim = _rim(tall)
    ground = picture[max(top, 0) : max(top + tall + 2 * rim, 0), max(left, 0) : max(left + _long(text, tall), 0)]
    light = ground.size > 0 and float(np.median(ground)) > 127
    _blend(picture, _ruler_number(text, tall, light, 1.0 if beside else UNDER), left, top)


def _ruler_height(grid: Grid) -> int:
    return max(SMALLEST_DIGIT, round(RULER * grid.pitch))


def _rim(tall: int) -> int:
    """Return the width of the soft edge around a ruler's number, which is also its distance to the board."""
    return max(1, round(tall / 8))


def _ruler_size(grid: Grid) -> tuple[int, int]:
    """Return the room that row numbers need in width and column numbers in height."""
    tall = _ruler_height(grid)
    return _long(str(grid.rows), tall) + 3 * _rim(tall), tall + 3 * _rim(tall)


# Layers, each drawn once for every size


MOST_LAYERS = 512
"""Kept at a time: two signs and 99 numbers at four sizes, since where a pitch is no whole number tiles differ."""


@lru_cache(maxsize=MOST_LAYERS)
def _tile(width: int, height: int, colour: _Colour, sign: str) -> Layer:
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


@lru_cache(maxsize=MOST_LAYERS)
def _ruler_number(text: str, tall: int, on_light: bool, strength: float) -> Layer:
    """A row's or column's number with a soft edge of the other brightness, so that it is legible on any ground."""
    rim = _rim(tall)
    width, height = _long(text, tall) + 2 * rim, tall + 2 * rim
    number = _digits(width, height, text, tall)
    edge = np.minimum(cv2.GaussianBlur(number, (0, 0), rim).astype(np.float32) * 2, 1.0)
    ink, around = (BLACK, WHITE) if on_light else (WHITE, BLACK)
    return _ink(_ink(_flat(width, height, around, 0.0), edge, around, 0.6 * strength), number, ink, strength)


@lru_cache(maxsize=64)
def _frame(width: int, height: int, colour: _Colour) -> Layer:
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


def _flat(width: int, height: int, colour: _Colour, cover: float) -> Layer:
    layer = np.empty((height, width, 4), dtype=np.float32)
    layer[:] = (*colour, cover)
    return layer


def _ink(layer: Layer, mask: NDArray[np.float32], colour: _Colour, strength: float) -> Layer:
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
    return _digits(width, height, sign, max(SMALLEST_DIGIT, round(height * 0.52)))


SMALLEST_DIGIT = 7
"""Pixels of height below which digits can't be told apart."""


def _digit_size(tall: int) -> tuple[int, int]:
    """Return a digit's width and the gap after it. Whole pixels keep small digits sharp."""
    wide = max(4, round(tall * 0.62))
    return wide, max(1, round(wide * 0.22))


def _digits(width: int, height: int, text: str, tall: int) -> NDArray[np.float32]:
    """Return where digits of a height have ink, in the middle of so many pixels."""
    wide, gap = _digit_size(tall)
    left = (width - _long(text, tall)) // 2
    top = (height - tall) // 2
    canvas = np.zeros((height * FINE, width * FINE), dtype=np.uint8)
    for number, digit in enumerate(text):
        corner = np.array([left + number * (wide + gap), top])
        narrow = 0.75 if digit == "1" else 1.0  # stretched to the width of the others a 1 would look fat
        shift = np.array([(1 - narrow) / 2, 0.0])
        shapes = [(corner + (shape * (narrow, 1.0) + shift) * (wide, tall)) * FINE for shape in outline("bold", digit)]
        cv2.fillPoly(canvas, [np.rint(shape).astype(np.int32) for shape in shapes], 255)
    return _shrunk(canvas, width, height)


def _long(text: str, tall: int) -> int:
    """Return how many pixels wide a number is."""
    wide, gap = _digit_size(tall)
    return len(text) * (wide + gap) - gap


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


LINE: _Colour = (0, 220, 255)
INK: _Colour = (255, 255, 255)
TAG: _Colour = (90, 40, 0)
DOUBT: _Colour = (30, 30, 255)


LEGIBLE = 40
"""Pixels that a tile needs for its label; pictures with smaller tiles are enlarged."""


def draw_reading(picture: Picture, reading: Reading) -> Picture:
    """Return a copy of the picture, enlarged when its tiles are small, with the reading drawn over it."""
    picture, grid = with_room_for_rulers(picture, reading.grid)
    doubts = {(doubt.row, doubt.col): doubt.best for doubt in reading.doubts}
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
    _number_lines(canvas, _enlarged(grid, scale))
    return canvas


def _enlarged(grid: Grid, scale: int) -> Grid:
    left, top, pitch_x, pitch_y = (scale * each for each in (grid.left, grid.top, grid.pitch_x, grid.pitch_y))
    return Grid(left, top, pitch_x, pitch_y, grid.rows, grid.cols)


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


def _label(canvas: Picture, box: list[int], text: str, tag: _Colour) -> None:
    """Write on a small tag in the left top corner of a tile, where figures leave room."""
    size = 0.42 * (box[3] - box[1]) / 32
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left, top = box[0] + 1, box[1] + 1
    cv2.rectangle(canvas, (left, top), (left + width + 3, top + height + 4), tag, -1)
    cv2.putText(canvas, text, (left + 2, top + height + 2), cv2.FONT_HERSHEY_SIMPLEX, size, INK, 1, cv2.LINE_AA)
