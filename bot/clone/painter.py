"""A game as a picture: the Windows 7 look at any pitch.

A `Painter` promises the client area of the game's window: background, frame, tiles and counters, as the real game
shows them for a board, a hovering mouse and any moment of an animation. Only tiles that changed are painted again,
so that thousands of games can be played through pixels. It knows no rules and no time: `game.py` says what there is
to see, `animation.py` how it moves, `chrome.py` what is around the client area.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, BoardError, Cell
from bot.clone.chrome import Counter, paint_dialog, paint_icons, paint_scenery, paint_tip, paint_window
from bot.clone.engine import LEFT, TILE, TOP, Layout, Point, Scene, tip_tiles
from bot.clone.game import State
from bot.clone.tiles import MAP_COLS, MAP_ROWS, Effect, Tile, TileArtist, TileLook, covered_tints, open_tints
from bot.desktop import Rect
from bot.picture import Picture
from bot.words import Pieces, Theme

__all__ = ["MAX_PITCH", "MIN_PITCH", "Painter", "Style", "paint_dialog", "paint_window"]

MIN_PITCH, MAX_PITCH = 12.0, 80.0
"""Between these sizes of a tile, in pixels, everything can be drawn."""

_CACHE_BYTES = 64_000_000

# How a tile's looks are packed into one number, so that what changed is one comparison of arrays.
_SHADOW_TOP, _SHADOW_LEFT, _HOVER, _PRESSED, _FOCUS, _WON, _LOST = (1 << bit for bit in range(4, 11))
_ANIMATED = -1


@dataclass(frozen=True)
class Style:
    """How a game looks: theme, what its mines are, and the size of a tile in pixels (fractions too).

    Raises `BoardError` when the pitch is outside what can be drawn.
    """

    theme: Theme = "blue"
    pieces: Pieces = "mines"
    pitch: float = 18.0

    def __post_init__(self) -> None:
        if not MIN_PITCH <= self.pitch <= MAX_PITCH:
            raise BoardError(f"a tile of {self.pitch:g} pixels cannot be drawn: {MIN_PITCH:g} to {MAX_PITCH:g} can")


class Painter:
    """Paints games of one size in one style.

    `size` is the client area's width and height in pixels, `origin` where the first tile begins in it, as floats.
    Tiles are drawn by the style's artist, or by another.
    """

    def __init__(self, rows: int, cols: int, style: Style | None = None, artist: TileArtist | None = None) -> None:
        self.rows, self.cols, self.style = rows, cols, style or Style()
        pitch = self.style.pitch
        self.origin = (LEFT / TILE * pitch, TOP / TILE * pitch)
        width, height = Layout(rows, cols).size
        self.size = (round(width / TILE * pitch), round(height / TILE * pitch))
        self._xs = [round(self.origin[0] + col * pitch) for col in range(cols + 1)]
        self._ys = [round(self.origin[1] + row * pitch) for row in range(rows + 1)]
        self._artist = artist or TileArtist(self.style.theme, self.style.pieces)
        self._covered = _middle(covered_tints(self.style.theme), rows, cols)
        self._opened = _middle(open_tints(self.style.theme), rows, cols)
        self._finished: dict[tuple[int, int, int], Picture] = {}
        self._cached_bytes = 0
        self._canvas = paint_scenery(self.size, self.board_rect, pitch)
        paint_icons(self._canvas, pitch, self.style.pieces)
        self._clock = Counter(self._canvas, "left", self.style.theme, pitch)
        self._mines = Counter(self._canvas, "right", self.style.theme, pitch)
        self._codes: NDArray[np.int32] = np.full((rows, cols), _ANIMATED, dtype=np.int32)

    @property
    def board_rect(self) -> Rect:
        """The rectangle of all tiles in the client area."""
        return Rect(self._xs[0], self._ys[0], self._xs[-1] - self._xs[0], self._ys[-1] - self._ys[0])

    def tile_center(self, row: int, col: int) -> tuple[float, float]:
        """Return the middle of a tile in the client area."""
        pitch = self.style.pitch
        return self.origin[0] + (col + 0.5) * pitch, self.origin[1] + (row + 0.5) * pitch

    def layout_place(self, x: float, y: float) -> Point:
        """Return the layout pixel that a point of the client area belongs to."""
        scale = self.style.pitch / TILE
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
