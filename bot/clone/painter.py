"""A game as a picture: the Windows 7 look at any pitch.

A `Painter` promises the client area of the game's window: background, frame, tiles and counters, as the real game
shows them for a board, a hovering mouse and any moment of an animation. Only tiles that changed are painted again,
so that thousands of games can be played through pixels. It knows no rules and no time: `game.py` says what there is
to see, `animation.py` how it moves.

What is around the client area (a landscape, the frame, title and menu, dialogs) is never read by the bot; it is here
because real screenshots have it, and a reader must see past it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Board, BoardError, Cell
from bot.clone import pieces
from bot.clone.engine import ANSWERS, LEFT, TILE, TOP, WORDS, Layout, Point, Scene, tip_tiles
from bot.clone.game import State
from bot.clone.pieces import (
    Canvas,
    Colour,
    Sprite,
    Weight,
    arc,
    bgr,
    ellipse,
    glyph,
    mix,
    outline,
    over,
    polygons,
    ramp,
    rectangle,
    soft,
    stroke,
    to_picture,
)
from bot.clone.tiles import MAP_COLS, MAP_ROWS, SEPARATOR, Effect, Tile, TileArtist, TileLook, covered_tints, open_tints
from bot.desktop import Rect
from bot.picture import Picture
from bot.words import Pieces, Theme

__all__ = ["MAX_PITCH", "MIN_PITCH", "Design", "Painter", "paint_dialog", "paint_window"]

MIN_PITCH, MAX_PITCH = 12.0, 80.0
"""Between these sizes of a tile, in pixels, everything can be drawn."""

_CACHE_BYTES = 64_000_000

# How a tile's looks are packed into one number, so that what changed is one comparison of arrays.
_SHADOW_TOP, _SHADOW_LEFT, _HOVER, _PRESSED, _FOCUS, _WON, _LOST = (1 << bit for bit in range(4, 11))
_ANIMATED = -1


@dataclass(frozen=True)
class Design:
    """How a game looks: theme, what its mines are, and the size of a tile in pixels (fractions too).

    Raises `BoardError` when the pitch is outside what can be drawn.
    """

    theme: Theme = "blue"
    pieces: Pieces = "mines"
    pitch: float = 18.0

    def __post_init__(self) -> None:
        if not MIN_PITCH <= self.pitch <= MAX_PITCH:
            raise BoardError(f"a tile of {self.pitch:g} pixels cannot be drawn: {MIN_PITCH:g} to {MAX_PITCH:g} can")

    def resized(self, pitch: float) -> Design:
        """Return the same design at another pitch, or at the nearest one that can be drawn."""
        return replace(self, pitch=min(max(pitch, MIN_PITCH), MAX_PITCH))


class Painter:
    """Paints games of one size in one design.

    `size` is the client area's width and height in pixels, `origin` where the first tile begins in it, as floats.
    Tiles are drawn by the design's artist, or by another.
    """

    def __init__(self, rows: int, cols: int, design: Design | None = None, artist: TileArtist | None = None) -> None:
        self.rows, self.cols, self.design = rows, cols, design or Design()
        pitch = self.design.pitch
        self.origin = (LEFT / TILE * pitch, TOP / TILE * pitch)
        width, height = Layout(rows, cols).size
        self.size = (round(width / TILE * pitch), round(height / TILE * pitch))
        self._xs = [round(self.origin[0] + col * pitch) for col in range(cols + 1)]
        self._ys = [round(self.origin[1] + row * pitch) for row in range(rows + 1)]
        self._artist = artist or TileArtist(self.design.theme, self.design.pieces)
        self._covered = _middle(covered_tints(self.design.theme), rows, cols)
        self._opened = _middle(open_tints(self.design.theme), rows, cols)
        self._finished: dict[tuple[int, int, int], Picture] = {}
        self._cached_bytes = 0
        self._canvas = paint_scenery(self.size, self.board_rect, pitch)
        paint_icons(self._canvas, pitch, self.design.pieces)
        self._clock = Counter(self._canvas, "left", self.design.theme, pitch)
        self._mines = Counter(self._canvas, "right", self.design.theme, pitch)
        self._codes: NDArray[np.int32] = np.full((rows, cols), _ANIMATED, dtype=np.int32)

    @property
    def board_rect(self) -> Rect:
        """The rectangle of all tiles in the client area."""
        return Rect(self._xs[0], self._ys[0], self._xs[-1] - self._xs[0], self._ys[-1] - self._ys[0])

    def tile_center(self, row: int, col: int) -> tuple[float, float]:
        """Return the middle of a tile in the client area."""
        pitch = self.design.pitch
        return self.origin[0] + (col + 0.5) * pitch, self.origin[1] + (row + 0.5) * pitch

    def layout_place(self, x: float, y: float) -> Point:
        """Return the layout pixel that a point of the client area belongs to."""
        scale = self.design.pitch / TILE
        return Point(int(x // scale), int(y // scale))

    def show(self, scene: Scene) -> Picture:
        """Return a picture of a scene, to keep."""
        canvas = self.paint(
            scene.board,
            hover=scene.hover,
            pressed=scene.pressed,
            seconds=scene.seconds,
            mines_left=scene.mines_left,
            state=scene.state,
            fading=scene.fading,
            effects=scene.effects,
        )
        picture: Picture = canvas.copy()
        if scene.tip:
            first, *_, last = tip_tiles(self.rows, self.cols)
            area = picture[self._ys[first[0]] : self._ys[last[0] + 1], self._xs[first[1]] : self._xs[last[1] + 1]]
            paint_tip(area, scene.tip)
        return picture

    def paint(
        self,
        board: Board,
        *,
        hover: Tile | None = None,
        pressed: Collection[Tile] = (),
        focus: Tile | None = None,
        seconds: int | None = 0,
        mines_left: int | None = None,
        state: State = "playing",
        fading: Mapping[Tile, float] | None = None,
        effects: Mapping[Tile, tuple[Effect, float]] | None = None,
    ) -> Picture:
        """Return the client area; the painter paints into the same picture again next time, so copy it to keep it.

        `seconds` None leaves the clock empty, as before a first click; `mines_left` None shows what the board says.
        `state` decides what flags look like at the end. `fading` tells of opening tiles how far they have turned from
        cover (0: nothing is seen yet) to themselves (1); `effects` of tiles in an animation which one, and how far.
        Raises `BoardError` for a board of another size.
        """
        if board.cells.shape != (self.rows, self.cols):
            raise BoardError(f"a {board.rows}×{board.cols} board cannot be painted on {self.rows}×{self.cols} tiles")
        codes = self._code(board, state)
        for tile, bit in [(hover, _HOVER), (focus, _FOCUS), *((tile, _PRESSED) for tile in pressed)]:
            if tile is not None:
                codes[tile] |= bit
        fading, effects = fading or {}, effects or {}
        still = codes.copy()
        for tile in (*fading, *effects):
            codes[tile] = _ANIMATED
        for row, col in np.argwhere((codes != self._codes) | (codes == _ANIMATED)).tolist():
            code = int(still[row, col])
            if codes[row, col] == _ANIMATED:
                effect, amount = effects.get((row, col), (None, 0.0))
                look = _look(code, fading.get((row, col), 1.0), effect, amount)
                self._put(row, col, self._draw(row, col, look))
            else:
                self._put(row, col, self._tile(row, col, code))
        self._codes = codes
        self._clock.show(seconds)
        self._mines.show(board.mines_left if mines_left is None else mines_left)
        return self._canvas

    def _code(self, board: Board, state: State) -> NDArray[np.int32]:
        """Return every tile's looks packed into a number, without what depends on mouse, keyboard and animation."""
        cells = board.cells
        raised = (cells == Cell.COVERED) | (cells == Cell.QUESTION) | (cells == Cell.UNREAD)
        flags = (cells == Cell.FLAG) | (cells == Cell.WRONG_FLAG)
        if state != "lost":
            raised |= flags
        if state == "won":
            raised |= cells == Cell.MINE
        codes = cells.astype(np.int32)
        # The frame around the board throws a shadow too.
        above, left = np.ones_like(raised), np.ones_like(raised)
        above[1:], left[:, 1:] = raised[:-1], raised[:, :-1]
        codes[above & ~raised] |= _SHADOW_TOP
        codes[left & ~raised] |= _SHADOW_LEFT
        if state == "lost":
            codes[flags] |= _LOST
        elif state == "won":
            codes[flags | (cells == Cell.MINE)] |= _WON
        return codes

    def _tile(self, row: int, col: int, code: int) -> Picture:
        key = (row, col, code)
        tile = self._finished.get(key)
        if tile is None:
            tile = self._draw(row, col, _look(code))
            if self._cached_bytes > _CACHE_BYTES:
                self._finished.clear()
                self._cached_bytes = 0
            self._finished[key] = tile
            self._cached_bytes += tile.nbytes
        return tile

    def _draw(self, row: int, col: int, look: TileLook) -> Picture:
        width, height = self._xs[col + 1] - self._xs[col], self._ys[row + 1] - self._ys[row]
        return self._artist.draw(look, self._covered[row, col], self._opened[row, col], width, height)

    def _put(self, row: int, col: int, tile: Picture) -> None:
        self._canvas[self._ys[row] : self._ys[row + 1], self._xs[col] : self._xs[col + 1]] = tile


def _look(code: int, fade: float = 1.0, effect: Effect | None = None, amount: float = 0.0) -> TileLook:
    return TileLook(
        value=code & 15,
        shadow_top=bool(code & _SHADOW_TOP),
        shadow_left=bool(code & _SHADOW_LEFT),
        hover=bool(code & _HOVER),
        pressed=bool(code & _PRESSED),
        focus=bool(code & _FOCUS),
        state="won" if code & _WON else "lost" if code & _LOST else "playing",
        fade=fade,
        effect=effect,
        amount=amount,
    )


def _middle(tints: NDArray[np.float32], rows: int, cols: int) -> NDArray[np.float32]:
    """Return the tints of a board in the middle of the map; a board beyond the map repeats its rim."""
    row = np.clip(np.arange(rows) + (MAP_ROWS - rows) // 2, 0, MAP_ROWS - 1)
    col = np.clip(np.arange(cols) + (MAP_COLS - cols) // 2, 0, MAP_COLS - 1)
    return tints[np.ix_(row, col)]


BORDER, TITLE, MENU = 8, 30, 20
"""Heights and widths, in pixels, of the window's border, title and menu."""

EndKind = Literal["won", "lost"]

_SIZES: dict[EndKind, tuple[int, int]] = {"won": (327, 269), "lost": (428, 212)}


def client_offset() -> tuple[int, int]:
    """Return where the client area begins in a picture made by `paint_window`."""
    return BORDER, TITLE + MENU


def paint_window(client: Picture) -> Picture:
    """Return a client area inside a window: title, menu and border added around it."""
    height, width = client.shape[:2]
    left, top = client_offset()
    window = np.empty((height + top + BORDER, width + 2 * BORDER, 3), dtype=np.uint8)
    shine = np.linspace((235, 213, 188), (226, 190, 150), top).astype(np.uint8)
    window[:top] = shine[:, None]
    window[top:] = shine[-1]
    cv2.rectangle(window, (0, 0), (window.shape[1] - 1, window.shape[0] - 1), (74, 62, 52), 1)
    window[TITLE:top, left : left + width] = np.linspace((252, 250, 248), (240, 232, 226), MENU).astype(np.uint8)[
        :, None
    ]
    _write(window, "Minesweeper", (32, 20), 0.42, (20, 20, 20))
    _write(window, "Game", (left + 6, TITLE + 14), 0.4, (20, 20, 20))
    _write(window, "Help", (left + 56, TITLE + 14), 0.4, (20, 20, 20))
    cv2.circle(window, (19, 15), 6, (90, 90, 90), -1, cv2.LINE_AA)
    for number, colour in enumerate(((80, 80, 200), (205, 180, 150), (205, 180, 150))):
        right = window.shape[1] - 8 - number * 32
        if right - 30 > 140:
            cv2.rectangle(window, (right - 30, 2), (right, 19), colour, -1)
            cv2.rectangle(window, (right - 30, 2), (right, 19), (96, 84, 72), 1)
    window[top : top + height, left : left + width] = client
    return window


def dialog_rect(size: tuple[int, int], kind: EndKind) -> Rect:
    """Return where the dialog lies over a picture of a size (width, height); it may reach beyond a small one."""
    width, height = _SIZES[kind]
    return Rect((size[0] - width) // 2, (size[1] - height) // 2, width, height)


def paint_dialog(picture: Picture, kind: EndKind) -> Picture:
    """Return a copy of a picture with the dialog of a game's end in its middle."""
    rect = dialog_rect((picture.shape[1], picture.shape[0]), kind)
    dialog = np.full((rect.height, rect.width, 3), 240, dtype=np.uint8)
    dialog[:TITLE] = np.linspace((235, 213, 188), (226, 190, 150), TITLE).astype(np.uint8)[:, None]
    title, line = WORDS[kind]
    _write(dialog, title, (10, 20), 0.42, (20, 20, 20))
    _write(dialog, line, (24, 62), 0.4, (30, 30, 30))
    won = int(kind == "won")
    for number, line in enumerate(("Time: 1 seconds", "Games played: 1", f"Games won: {won}")):
        _write(dialog, line, (24, 90 + 22 * number), 0.4, (30, 30, 30))
    _paint_buttons(dialog, tuple(label for label, _ in ANSWERS[kind]))
    cv2.rectangle(dialog, (0, 0), (rect.width - 1, rect.height - 1), (74, 62, 52), 1)
    shown: Picture = picture.copy()
    left, top = max(rect.left, 0), max(rect.top, 0)
    visible = dialog[top - rect.top :, left - rect.left :][: shown.shape[0] - top, : shown.shape[1] - left]
    shown[top : top + visible.shape[0], left : left + visible.shape[1]] = visible
    return shown


def paint_tip(area: Picture, text: str) -> None:
    """Paint a tip over a part of the board."""
    area[:] = (225, 255, 255)
    height, width = area.shape[:2]
    cv2.rectangle(area, (0, 0), (width - 1, height - 1), (90, 90, 90), 1)
    _write(area, text, (4, height // 2 + 4), width / 400, (30, 30, 30))


def _paint_buttons(dialog: Picture, labels: tuple[str, ...]) -> None:
    height, width = dialog.shape[:2]
    each = (width - 24) // len(labels)
    for number, label in enumerate(labels):
        left, right = 16 + number * each, 16 + (number + 1) * each - 8
        default = number == len(labels) - 1
        cv2.rectangle(dialog, (left, height - 38), (right, height - 16), (250, 250, 250), -1)
        cv2.rectangle(
            dialog, (left, height - 38), (right, height - 16), (200, 140, 60) if default else (160, 160, 160), 1
        )
        _write(dialog, label, (left + max(4, (right - left - 7 * len(label)) // 2), height - 22), 0.38, (30, 30, 30))


def _write(picture: Picture, text: str, place: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)


# Colours from top left to bottom right; between them the light is blurred.
_LIGHT: tuple[tuple[Colour, ...], ...] = (
    ((214, 225, 238), (218, 229, 240), (205, 218, 232), (210, 221, 235), (178, 192, 213), (196, 210, 226)),
    ((208, 220, 234), (212, 224, 236), (204, 217, 231), (204, 216, 230), (168, 181, 203), (188, 202, 220)),
    ((182, 195, 215), (205, 217, 231), (206, 218, 232), (196, 209, 225), (176, 190, 210), (148, 160, 181)),
    ((196, 209, 226), (200, 213, 229), (203, 215, 230), (200, 212, 228), (190, 203, 220), (160, 174, 196)),
    ((191, 206, 224), (196, 210, 227), (200, 212, 228), (198, 210, 227), (190, 204, 222), (176, 191, 211)),
)
_BEVEL: Colour = (158, 177, 196)
_HALO: Colour = (112, 128, 152)


def paint_scenery(size: tuple[int, int], board: Rect, pitch: float) -> Picture:
    """Return a client area of a size (width, height) with everything but tiles and counters."""
    pixels = np.array([[colour[::-1] for colour in line] for line in _LIGHT], dtype=np.float32)
    pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC), dtype=np.float32)
    for reach, colour, strength in (
        (0.26, _HALO, 0.35),
        (0.2, _HALO, 0.6),
        (0.14, _BEVEL, 0.9),
        (0.07, SEPARATOR, 1.0),
    ):
        _lay_ring(pixels, board, max(1, round(reach * pitch)), colour, strength)
    return to_picture(pixels)


def _lay_ring(pixels: NDArray[np.float32], board: Rect, reach: int, colour: Colour, strength: float) -> None:
    top, left = max(board.top - reach, 0), max(board.left - reach, 0)
    area = pixels[top : board.top + board.height + reach, left : board.left + board.width + reach]
    area *= 1 - strength
    area += bgr(colour) * np.float32(strength)


Side = Literal["left", "right"]

# Places and sizes in tiles, but for the share of the width at which the icons stand.
_ICON_AT = {"left": 0.15, "right": 0.85}
_ABOVE_BOTTOM = 0.93
_PILL_FROM_ICON = 2.14
_PILL_SQUARE = 2.6  # the pill is drawn in a square of this side, of which the middle half is used
_PILL_BOX = (0.115, 0.31, 0.885, 0.69)
_ICON_SQUARE = 1.5
_DIGIT_WIDTH, _DIGIT_HEIGHT, _DIGIT_STEP = 0.5, 0.67, 0.53

_FILL: dict[Theme, tuple[Colour, Colour]] = {
    "blue": ((29, 60, 124), (62, 100, 172)),
    "green": ((22, 104, 20), (66, 170, 60)),
}


class Counter:
    """One counter on a picture. It paints again only when its number changes."""

    def __init__(self, picture: Picture, side: Side, theme: Theme, pitch: float) -> None:
        height, width = picture.shape[:2]
        towards_the_middle = 1 if side == "left" else -1
        x = width * _ICON_AT[side] + towards_the_middle * _PILL_FROM_ICON * pitch
        sprite = _pill(theme).sprite(round(_PILL_SQUARE * pitch), round(_PILL_SQUARE * pitch))
        sprite = sprite[len(sprite) // 4 : -(len(sprite) // 4)]
        self._area = _around(picture, x, height - _ABOVE_BOTTOM * pitch, sprite)
        self._empty = over(self._area.astype(np.float32), sprite)
        self._pitch = pitch
        self._shown: str | None = None

    def show(self, number: int | None) -> None:
        """Show a number, or nothing."""
        text = "" if number is None else str(number)
        if text == self._shown:
            return
        self._shown = text
        pixels = self._empty.copy()
        width, height = max(3, round(_DIGIT_WIDTH * self._pitch)), max(5, round(_DIGIT_HEIGHT * self._pitch))
        step = _DIGIT_STEP * self._pitch
        left = pixels.shape[1] / 2 - (step * (len(text) - 1) + width) / 2
        top = round(pixels.shape[0] / 2 - height / 2)
        for place, symbol in enumerate(text):
            x = round(left + place * step)
            window = pixels[top : top + height, x : x + width]
            window[:] = over(window, digit_sprite(symbol, width, height))
        self._area[:] = to_picture(pixels)


@lru_cache(maxsize=256)
def digit_sprite(symbol: str, width: int, height: int, weight: Weight = "thin") -> Sprite:
    """Return a white digit or minus of a counter, filling its size in pixels."""
    canvas = Canvas()
    if symbol == "-":
        canvas.lay(rectangle((0.1, 0.5, 0.9, 0.6 if weight == "thin" else 0.66)), (255, 255, 255))
    else:
        box = (0.14, 0.0, 0.88, 1.0) if symbol == "1" else (0.06, 0.0, 0.94, 1.0)
        canvas.lay(glyph(outline(weight, symbol), box), (255, 255, 255))
    return canvas.sprite(width, height)


def paint_icons(picture: Picture, pitch: float, kind: Pieces) -> None:
    """Paint the clock and the mine (or flower) beside the counters."""
    height, width = picture.shape[:2]
    drawings: tuple[tuple[Side, Canvas], ...] = (("left", _clock()), ("right", _mine_icon(kind)))
    for side, drawing in drawings:
        sprite = drawing.sprite(round(_ICON_SQUARE * pitch), round(_ICON_SQUARE * pitch))
        area = _around(picture, width * _ICON_AT[side], height - _ABOVE_BOTTOM * pitch, sprite)
        area[:] = to_picture(over(area.astype(np.float32), sprite))


def _around(picture: Picture, x: float, y: float, sprite: Sprite) -> NDArray[np.uint8]:
    """Return the part of a picture around a point that a sprite fills, pushed inside where it would leave it."""
    left = min(max(round(x - sprite.shape[1] / 2), 0), picture.shape[1] - sprite.shape[1])
    top = min(max(round(y - sprite.shape[0] / 2), 0), picture.shape[0] - sprite.shape[0])
    return picture[top : top + sprite.shape[0], left : left + sprite.shape[1]]


@lru_cache(maxsize=4)
def _pill(theme: Theme) -> Canvas:
    """Return a sunken panel: dark at its top left, a light edge at its bottom right."""
    canvas = Canvas()
    left, top, right, bottom = _PILL_BOX
    dark, light = _FILL[theme]
    canvas.lay(soft(rectangle((left - 0.015, top - 0.015, right, bottom), 0.04), 0.012), (86, 104, 136), 0.8)
    canvas.lay(soft(rectangle((left, top, right + 0.018, bottom + 0.018), 0.04), 0.006), (226, 234, 246), 0.9)
    canvas.lay(rectangle(_PILL_BOX, 0.035), dark)
    body = mix(dark, light, ramp((0.3, top), (0.6, bottom)))
    canvas.lay(soft(rectangle((left + 0.03, top + 0.03, right - 0.008, bottom - 0.008), 0.03), 0.01), body)
    return canvas


@lru_cache(maxsize=1)
def _disc() -> Canvas:
    canvas = Canvas()
    canvas.lay(soft(ellipse(0.51, 0.52, 0.44), 0.03), (60, 72, 100), 0.6)
    canvas.lay(ellipse(0.5, 0.5, 0.44), mix((240, 243, 248), (128, 138, 158), ramp((0.2, 0.15), (0.85, 0.9))))
    canvas.lay(ellipse(0.5, 0.5, 0.36), mix((150, 162, 186), (214, 222, 236), ramp((0.2, 0.15), (0.8, 0.85))))
    return canvas


@lru_cache(maxsize=1)
def _clock() -> Canvas:
    canvas = Canvas()
    canvas.lay_canvas(_disc())
    for angle in range(0, 360, 30):
        inner, outer = (arc(0.5, 0.5, radius, radius, angle, angle + 0.1)[0] for radius in (0.29, 0.33))
        canvas.lay(stroke(np.stack([inner, outer]), 0.02), (70, 82, 112))
    canvas.lay(stroke([(0.46, 0.56), (0.68, 0.3)], 0.025), (40, 48, 78))
    canvas.lay(stroke([(0.5, 0.5), (0.5, 0.78)], 0.025), (40, 48, 78))
    canvas.lay(polygons([[(0.5, 0.5), (0.66, 0.3), (0.7, 0.42)]]), (90, 140, 200), 0.35)
    return canvas


@lru_cache(maxsize=2)
def _mine_icon(kind: Pieces) -> Canvas:
    canvas = Canvas()
    canvas.lay_canvas(_disc())
    if kind == "flowers":
        piece = pieces.flower((222, 227, 235), (150, 160, 178), x=0.5, y=0.5)
        piece.cut(ellipse(0.5, 0.5, 0.37))
    else:
        piece = pieces.mine((235, 236, 240), (30, 32, 38), 0.5, 0.5)
        piece.cut(ellipse(0.5, 0.5, 0.42))
    canvas.lay_canvas(piece)
    return canvas
