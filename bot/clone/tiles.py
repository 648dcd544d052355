"""One tile of the Windows 7 board, in every state, at any size.

`TileArtist.draw` promises a finished tile for a `TileLook`: the tint of its place on the board, relief, shadows, and
what lies on it. It does not know which tile is where; `painter.py` asks for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.clone import pieces
from bot.clone.pieces import Canvas, Colour, Sprite, bgr, ellipse, over, polygons, ramp, rectangle, soft, to_picture
from bot.picture import Picture
from bot.words import Pieces, Theme

Tile = tuple[int, int]
"""Row and column, 0-based."""

Effect = Literal["still covered", "silver", "flash", "dealt", "raised", "shine", "disarmed"]
"""What an animation does to a tile: its mine not to be seen yet, silver, or in the ball of light of an explosion (the
show of a loss); its cover fading in (a deal: an open blank at 0, covered at 1); a flag going up (dark at 0); the bar of
a win passing over; a mine of a won game coming into sight (covered at 0)."""

SEPARATOR: Colour = (9, 10, 15)
HOVER_LIGHT: Colour = (34, 67, 60)

MAP_ROWS, MAP_COLS = 24, 30
"""The tints are laid out for the largest board; a smaller one shows the middle of it."""

# Mean tint of covered blue tiles on the map: one line for each of _ROWS, one colour for each of _COLS.
_ROWS = (4, 8, 12, 16, 19)
_COLS = (0, 5, 10, 15, 20, 25, 29)
_BLUE = (
    (
        (165, 217, 252),
        (154, 208, 251),
        (126, 185, 246),
        (107, 160, 238),
        (91, 133, 228),
        (80, 114, 218),
        (74, 103, 212),
    ),
    ((143, 202, 249), (130, 188, 246), (110, 161, 239), (91, 132, 227), (77, 107, 214), (68, 92, 203), (63, 85, 197)),
    ((121, 174, 242), (108, 156, 236), (88, 126, 224), (73, 101, 210), (66, 88, 199), (62, 81, 195), (60, 78, 194)),
    ((97, 139, 229), (87, 123, 222), (75, 103, 211), (66, 86, 198), (61, 79, 192), (61, 79, 195), (60, 78, 198)),
    ((82, 114, 217), (75, 102, 209), (69, 92, 202), (64, 83, 196), (62, 81, 197), (62, 81, 201), (62, 81, 204)),
)

# The other tints follow one line from the top left (0) to the bottom right (1) of the map.
_Line = tuple[tuple[float, Colour], ...]
_GREEN: _Line = (
    (0.0, (144, 230, 154)),
    (0.09, (133, 224, 142)),
    (0.25, (105, 205, 109)),
    (0.4, (87, 181, 85)),
    (0.5, (79, 166, 75)),
    (0.62, (68, 143, 61)),
    (0.72, (65, 135, 57)),
    (0.9, (67, 142, 66)),
)
_OPEN: dict[Theme, _Line] = {
    "blue": (
        (0.0, (229, 241, 249)),
        (0.09, (225, 237, 246)),
        (0.25, (214, 228, 241)),
        (0.4, (200, 212, 231)),
        (0.54, (189, 197, 222)),
        (0.7, (176, 182, 213)),
        (0.9, (179, 188, 218)),
    ),
    "green": (
        (0.0, (215, 250, 218)),
        (0.25, (206, 244, 209)),
        (0.42, (193, 233, 195)),
        (0.57, (172, 216, 172)),
        (0.72, (162, 208, 162)),
        (0.9, (164, 210, 165)),
    ),
}
_SHADE: dict[Theme, Colour] = {"blue": (0.3, 0.5, 0.92), "green": (0.45, 0.62, 0.4)}
"""What is left of a covered tile's tint (red, green, blue) in its deepest shade: blue glass stays blue."""


@lru_cache(maxsize=4)
def covered_tints(theme: Theme) -> NDArray[np.float32]:
    """Return the tint of every covered tile of the map, shape (MAP_ROWS, MAP_COLS, 3), BGR."""
    if theme == "green":
        return _along_the_diagonal(_GREEN)
    table = np.array(_BLUE, dtype=np.float64)[..., ::-1]
    # Two rows beyond the measured ones keep the slope at the rim.
    rows = np.array((0, *_ROWS, MAP_ROWS - 1), dtype=np.float64)
    table = np.concatenate([2 * table[:1] - table[1:2], table, table[-1:] + (table[-1:] - table[-2:-1])])
    tints = np.empty((MAP_ROWS, MAP_COLS, 3))
    for channel in range(3):
        by_col = [np.interp(np.arange(MAP_COLS), _COLS, line[:, channel]) for line in table]
        for col in range(MAP_COLS):
            tints[:, col, channel] = np.interp(np.arange(MAP_ROWS), rows, [line[col] for line in by_col])
    return np.clip(tints, 0, 255).astype(np.float32)


@lru_cache(maxsize=4)
def open_tints(theme: Theme) -> NDArray[np.float32]:
    """Return the tint of every open tile of the map, shape (MAP_ROWS, MAP_COLS, 3), BGR."""
    return _along_the_diagonal(_OPEN[theme])


def _along_the_diagonal(line: _Line) -> NDArray[np.float32]:
    row, col = np.mgrid[0:MAP_ROWS, 0:MAP_COLS]
    way = (row / (MAP_ROWS - 1) + col / (MAP_COLS - 1)) / 2
    channels = [np.interp(way, [at for at, _ in line], [colour[i] for _, colour in line]) for i in (2, 1, 0)]
    return np.stack(channels, axis=2).astype(np.float32)


def _covered_shade() -> Canvas:
    """Return where a raised tile of glass is darker than its tint: inside its rim and towards the bottom right."""
    canvas = Canvas()
    black = (0.0, 0.0, 0.0)
    canvas.lay(soft(1 - rectangle((0.14, 0.14, 0.88, 0.86), 0.05), 0.02), black, 0.3)
    canvas.lay(rectangle((0.09, 0.09, 0.91, 0.91), 0.05) * ramp((0.45, 0.4), (1.05, 1.0)), black, 0.5)
    return canvas


def _covered_relief() -> Canvas:
    """Return what makes a shaded tint a raised tile of glass: rim, bevel, sheen, and the dark line around it."""
    canvas = Canvas()
    body = rectangle((0.12, 0.12, 0.89, 0.89), 0.05)
    sheen = polygons([[(0.12, 0.12), (0.88, 0.12), (0.88, 0.32), (0.62, 0.45), (0.35, 0.58), (0.12, 0.64)]])
    canvas.lay(soft(sheen, 0.03) * body, (255, 255, 255), 0.08)
    canvas.lay(soft(ellipse(0.32, 0.3, 0.26, 0.22), 0.12) * body, (255, 255, 255), 0.1)
    reflection = polygons([[(0.55, 0.8), (0.81, 0.8), (0.81, 0.5), (0.765, 0.56), (0.765, 0.765), (0.58, 0.765)]])
    canvas.lay(soft(reflection, 0.012), (255, 255, 255), 0.15)
    line = rectangle((0.062, 0.062, 0.938, 0.938), 0.06) - rectangle((0.09, 0.09, 0.91, 0.91), 0.05)
    fade = 1 - 0.8 * ramp((0.35, 0.35), (0.75, 0.75))
    canvas.lay(np.clip(line, 0, 1) * fade, (255, 255, 255), 0.26)
    rim = 1 - rectangle((0.05, 0.05, 0.95, 0.95), 0.06)
    canvas.lay(np.clip(rim, 0, 1) * ramp((0.45, 0.45), (0.75, 0.75)), (190, 220, 255), 0.22)
    canvas.lay(soft(ellipse(0.17, 0.155, 0.04, 0.032), 0.012), (255, 255, 255), 0.6)
    canvas.lay(np.clip(1 - rectangle((0.026, 0.026, 0.974, 0.974), 0.035), 0, 1), SEPARATOR)
    return canvas


def _open_relief() -> Canvas:
    """Return what makes a flat tint an open tile: a light bevel, and the dark line around it."""
    canvas = Canvas()
    canvas.lay(ramp((0.5, 0.45), (0.0, 0.0)), (255, 255, 255), 0.16)
    canvas.lay(ramp((0.5, 0.55), (1.0, 1.0)), (150, 160, 200), 0.12)
    bevel = np.clip(1 - rectangle((0.125, 0.125, 0.925, 0.92), 0.03), 0, 1)
    canvas.lay(soft(bevel, 0.012), (246, 248, 244), 0.5)
    canvas.lay(np.clip(1 - rectangle((0.056, 0.056, 0.998, 0.998), 0.02), 0, 1), SEPARATOR)
    return canvas


def _shadow(side: Literal["top", "left"]) -> Canvas:
    """Return what a raised neighbour above or on the left throws onto an open tile."""
    canvas = Canvas()
    band = rectangle((0.05, 0.05, 1.0, 0.165) if side == "top" else (0.06, 0.05, 0.172, 1.0))
    dark = rectangle((0.0, 0.0, 1.0, 0.058) if side == "top" else (0.0, 0.0, 0.084, 1.0))
    canvas.lay(band, (140, 141, 143), 0.93)
    canvas.lay(dark, SEPARATOR)
    return canvas


def _mine_at_rest(kind: Pieces) -> Canvas:
    if kind == "flowers":
        return pieces.flower((112, 119, 124), (100, 107, 112), (0.36, 0.62))
    return pieces.mine((166, 170, 179), (88, 93, 104), alpha=0.95)


def _mine_hit(kind: Pieces) -> Canvas:
    if kind == "flowers":
        return pieces.flower((242, 88, 96), (204, 120, 52), (0.8, 0.95))
    return pieces.mine((224, 138, 146), (108, 60, 76))


def _mine_of_a_won_game(kind: Pieces) -> Canvas:
    if kind == "flowers":
        return pieces.flower((110, 122, 170), (60, 68, 120), (0.6, 0.7), 0.5, 0.51)
    return pieces.mine((110, 122, 170), (30, 36, 90), 0.5, 0.51, alpha=0.7)


def _inside_open_tile(canvas: Canvas) -> Canvas:
    canvas.cut(rectangle((0.056, 0.056, 0.998, 0.998)))
    return canvas


@lru_cache(maxsize=128)
def _canvas(name: str, theme: Theme, kind: Pieces) -> Canvas:
    """Return one of the drawings a tile is made of."""
    if name[0].isdigit():
        return pieces.digit(int(name[0]), "middle" if name.endswith("-middle") else "right")
    draw = {
        "shade": _covered_shade,
        "covered": _covered_relief,
        "open": _open_relief,
        "shadow-top": lambda: _shadow("top"),
        "shadow-left": lambda: _shadow("left"),
        "flag": pieces.flag,
        "flag-dark": lambda: pieces.flag(darkness=1.0),
        "question": pieces.question_mark,
        "mine": lambda: _inside_open_tile(_mine_at_rest(kind)),
        "exploded": lambda: _inside_open_tile(_mine_hit(kind)),
        "silver": lambda: pieces.mine((252, 252, 252), (48, 50, 54), 0.5, 0.51),
        "dim": lambda: _mine_of_a_won_game(kind),
        "cross": pieces.cross,
        "flash": pieces.flash,
    }
    return draw[name]()


@dataclass(frozen=True)
class TileLook:
    """All that decides what one tile looks like, but for its tint and size.

    `fade` is how far an opening tile has turned from its cover into itself, 1 when it has. `amount` belongs to the
    effect.
    """

    value: int
    shadow_top: bool = False
    shadow_left: bool = False
    hover: bool = False
    pressed: bool = False
    focus: bool = False
    state: Literal["playing", "won", "lost"] = "playing"
    fade: float = 1.0
    effect: Effect | None = None
    amount: float = 0.0

    @property
    def raised(self) -> bool:
        """Whether the tile stands above open ones and throws a shadow on them."""
        if self.value in (Cell.FLAG, Cell.WRONG_FLAG):
            return self.state != "lost"
        if self.value == Cell.MINE:
            return self.state == "won"
        return self.value in (Cell.COVERED, Cell.QUESTION, Cell.UNREAD) and not self.pressed


class TileArtist:
    """Draws tiles of one theme, one kind of piece and one place for digits."""

    def __init__(self, theme: Theme, kind: Pieces, digits: pieces.DigitPlace = "right") -> None:
        self._theme = theme
        self._digits = digits
        self._kind = kind
        self._sprites: dict[tuple[str, int, int], Sprite] = {}

    def draw(
        self, look: TileLook, covered: NDArray[np.float32], opened: NDArray[np.float32], width: int, height: int
    ) -> Picture:
        """Return a tile of a size in pixels; `covered` and `opened` are its two tints, shape (3,), BGR."""
        size = (width, height)
        cover = look.amount if look.effect == "dealt" else 1 - look.fade
        if look.effect != "dealt" and (look.raised or look.effect in ("still covered", "silver", "flash")):
            cover = 1.0
        pixels = self._open(look, opened, size) if cover < 1 else self._raised(look, covered, size)
        if 0 < cover < 1:
            pixels = pixels * (1 - cover) + self._raised(look, covered, size) * cover
        for name, alpha in self._on_it(look):
            pixels = over(pixels, self._sprite(name, size), alpha)
        if look.effect == "shine":
            pixels = pixels + np.float32(150 * look.amount)
        return to_picture(pixels)

    def _raised(self, look: TileLook, tint: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
        tint = tint.copy()
        if look.value in (Cell.FLAG, Cell.MINE) and look.state == "won":
            tint = tint * np.float32(1 - 0.45 * (look.amount if look.effect == "disarmed" else 1.0))
        elif look.value == Cell.WRONG_FLAG:
            tint = tint * np.float32(0.82)
        if look.focus:
            tint = tint * np.float32(0.72) + np.float32(255 * 0.28)
        glass = tint * (1 - self._sprite("shade", size)[..., 3:] * (1 - bgr(_SHADE[self._theme])))
        if look.hover:
            glass = glass + bgr(HOVER_LIGHT)
        return over(np.minimum(glass, 255), self._sprite("covered", size))

    def _open(self, look: TileLook, tint: NDArray[np.float32], size: tuple[int, int]) -> NDArray[np.float32]:
        flat = np.broadcast_to(tint, (size[1], size[0], 3)).astype(np.float32)
        pixels = over(flat, self._sprite("open", size))
        if look.shadow_top:
            pixels = over(pixels, self._sprite("shadow-top", size))
        if look.shadow_left:
            pixels = over(pixels, self._sprite("shadow-left", size))
        return pixels

    def _on_it(self, look: TileLook) -> list[tuple[str, float]]:
        """Return the names and strengths of the drawings that lie on the tile, from below."""
        if look.effect in ("silver", "flash"):
            return [(look.effect, 1.0)]
        if look.effect in ("dealt", "still covered"):
            return []
        if look.value == Cell.MINE and look.state == "won":
            return [("dim", look.amount if look.effect == "disarmed" else 1.0)]
        if look.value == Cell.FLAG:
            under = {"playing": [], "won": [("dim", 1.0)], "lost": [("mine", 1.0)]}[look.state]
            dark = [("flag-dark", 1 - look.amount)] if look.effect == "raised" else []
            return [*under, ("flag", 1.0), *dark]
        names: dict[int, list[str]] = {
            Cell.QUESTION: ["question"],
            Cell.MINE: ["mine"],
            Cell.EXPLODED: ["exploded"],
            Cell.WRONG_FLAG: ["mine" if look.state == "lost" else "flag", "cross"],
        }
        if 1 <= look.value <= 8:
            return [(f"{look.value}-{self._digits}", 1.0)]
        return [(name, 1.0) for name in names.get(look.value, [])]

    def _sprite(self, name: str, size: tuple[int, int]) -> Sprite:
        key = (name, *size)
        sprite = self._sprites.get(key)
        if sprite is None:
            sprite = self._sprites[key] = _canvas(name, self._theme, self._kind).sprite(*size)
        return sprite
