"""Pictures of boards as a desktop may show them, drawn by the clone's painter, with what is known of every tile.

Promises for a number always the same picture: a board of random size, theme and cells; digits in a random font, tiles
and pieces a little unlike the skin's; pointers, dialogs and windows in front; then what a desktop, a camera and the
program that stored it did to the picture. No picture of a real game has a part in it, and there is no end of it. The
numbers from 3,000,000 on are those that the veto of `bot/vision/doubt.py` is fitted to; measure on others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.bench import distort
from bot.bench.distort import PROMISED, Distorted, Mask, Random
from bot.board import Board, Cell, Cells, count_around
from bot.clone import pieces
from bot.clone.game import State
from bot.clone.painter import MAX_PITCH, MIN_PITCH, Design, Painter, paint_dialog
from bot.clone.pieces import MASTER, Box, Canvas, Sprite, glyph
from bot.clone.tiles import TileArtist
from bot.picture import Picture
from bot.vision.grid import Grid
from bot.words import Pieces, Theme

USUAL = 48.0
"""Pixels of a tile, up to which most of the pictures are."""

MOST_TILES, MOST_PIXELS, MOST_PIXELS_RESIZED = 480, 1_200_000, 3_600_000
"""A board has no more tiles, and no more pixels before and after the whole picture is resized; each costs time."""

FAINT = 0.3
"""How far a digit must have turned from its cover for it to be wrong to see the cover."""

ODD = {0.0: 0.15, 0.5: 0.35, 1.0: 0.5}
"""By how much tiles differ from the clone's own, 0 for not at all, and how many pictures do so."""


@dataclass(frozen=True)
class Drawn:
    """A picture, where its lattice is, about as exactly as a search would tell, and what is known of its tiles."""

    picture: Picture
    grid: Grid
    cells: Cells  # unread where nobody could tell
    hidden: NDArray[np.float32]  # (rows, cols): the share of each tile that something in front of it hides


def draw(number: int) -> Drawn:
    """Return the picture of a number from 0 on."""
    random = np.random.default_rng([2009, number])
    largest = PROMISED[1] if random.random() < 0.3 else USUAL
    pitch = _between(random, PROMISED[0], largest)
    most = max(25, min(MOST_TILES, round(MOST_PIXELS / pitch**2)))
    rows = int(random.integers(4, 25))
    cols = int(np.clip(random.integers(4, 31), 4, max(4, most // rows)))
    cells, state = _a_game(random, rows, cols) if random.random() < 0.5 else _anything(random, rows, cols)
    picture, grid, cells = _painted(random, cells, state, pitch)
    picture, hidden = _behind_something(random, picture, pitch)
    shares = np.array([_share(hidden, grid, row, col) for row, col in np.ndindex(rows, cols)], dtype=np.float32)
    if random.random() < 0.4:  # as enlarged screens and shared pictures are
        picture, grid = _resized(random, picture, grid)
    for change, odds in CHANGES if random.random() < 0.8 else ():
        if random.random() < odds:
            picture = change(random).apply(picture, random)[0]
    off = np.clip(random.normal(0, 0.012 * grid.pitch + 0.12, 2), -0.06 * grid.pitch, 0.06 * grid.pitch)
    grid = replace(grid, left=grid.left + off[0], top=grid.top + off[1])
    return Drawn(picture, grid, cells, shares.reshape(rows, cols))


def _between(random: Random, least: float, most: float) -> float:
    """Return a number between two, each doubling as likely as the next."""
    return float(np.exp(random.uniform(np.log(least), np.log(most))))


def _a_game(random: Random, rows: int, cols: int) -> tuple[Cells, State]:
    """Return the cells of a game that is being played or lost."""
    mines = random.random((rows, cols)) < random.uniform(0.08, 0.3)
    numbers = count_around(mines)
    seen = random.random(mines.shape) < random.uniform(0.1, 0.9)
    for _ in range(max(rows, cols)):
        seen |= count_around(seen & ~mines & (numbers == 0)) > 0
    cells = np.where(seen, np.where(mines, Cell.FLAG, numbers), Cell.COVERED).astype(np.uint8)
    if random.random() < 0.7 or not mines.any():
        return cells, "playing"
    cells[mines] = np.where(random.random(int(mines.sum())) < 0.3, Cell.FLAG, Cell.MINE)
    cells[(cells == Cell.COVERED) & (random.random(mines.shape) < 0.05)] = Cell.WRONG_FLAG
    cells[tuple(random.choice(np.argwhere(mines)))] = Cell.EXPLODED
    return cells, "lost"


def _anything(random: Random, rows: int, cols: int) -> tuple[Cells, State]:
    """Return cells that need be no game, so that what is rare in one is seen often."""
    usual = np.array([0.15, *[0.05] * 8, 0.2, *[0.03] * 5])
    weights = random.dirichlet(np.full(15, 0.5)) + usual
    cells = random.choice(15, (rows, cols), p=weights / weights.sum()).astype(np.uint8)
    return cells, "lost" if random.random() < 0.5 else "playing"


def _painted(random: Random, cells: Cells, state: State, pitch: float) -> tuple[Picture, Grid, Cells]:
    """Return a board's picture, its lattice, and the cells that can be told."""
    theme: Theme = "green" if random.random() < 0.5 else "blue"
    kind: Pieces = "flowers" if random.random() < 0.5 else "mines"
    drawn_pitch = float(np.clip(pitch, MIN_PITCH, MAX_PITCH))
    if random.random() < 0.5:
        drawn_pitch = float(round(drawn_pitch))
    rows, cols = cells.shape
    painter = Painter(rows, cols, Design(theme, kind, drawn_pitch), OddArtist(random, theme, kind))
    told, fading = cells.copy(), {}
    for row, col in np.argwhere((cells >= 1) & (cells <= 8) & (random.random(cells.shape) < 0.02)).tolist():
        fading[row, col] = amount = float(random.uniform(0.02, 1))
        if amount < FAINT:
            told[row, col] = Cell.UNREAD
    hover = (int(random.integers(rows)), int(random.integers(cols))) if random.random() < 0.5 else None
    if hover is not None and cells[hover] == Cell.QUESTION:
        told[hover] = Cell.UNREAD  # white on what may be nearly white
    shown = painter.paint(Board(cells), hover=hover, seconds=99, mines_left=10, state=state, fading=fading)
    grid = Grid(*painter.origin, drawn_pitch, drawn_pitch, rows, cols)
    if abs(drawn_pitch / pitch - 1) <= 0.02:
        return shown.copy(), grid, told
    how = cv2.INTER_AREA if pitch < drawn_pitch else int(random.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC)))
    return *_scaled(shown, grid, pitch / drawn_pitch, how), told


def _scaled(picture: Picture, grid: Grid, factor: float, how: int) -> tuple[Picture, Grid]:
    height, width = picture.shape[:2]
    size = max(1, round(width * factor)), max(1, round(height * factor))
    x, y = size[0] / width, size[1] / height
    scaled = np.asarray(cv2.resize(picture, size, interpolation=how), dtype=np.uint8)
    return scaled, Grid(grid.left * x, grid.top * y, grid.pitch_x * x, grid.pitch_y * y, grid.rows, grid.cols)


def _resized(random: Random, picture: Picture, grid: Grid) -> tuple[Picture, Grid]:
    least = max(0.7, PROMISED[0] / grid.pitch)
    most = min(4.0, PROMISED[1] / grid.pitch, (MOST_PIXELS_RESIZED / picture[..., 0].size) ** 0.5)
    factor = _between(random, least, max(1.0, most))
    ways = (cv2.INTER_LINEAR, cv2.INTER_CUBIC, cv2.INTER_NEAREST) if factor > 1 else (cv2.INTER_AREA, cv2.INTER_LINEAR)
    return _scaled(picture, grid, factor, int(random.choice(ways)))


class OddArtist(TileArtist):
    """Draws tiles that differ from the clone's own as those of a real game might: other fonts, pieces, reliefs."""

    def __init__(self, random: Random, theme: Theme, kind: Pieces) -> None:
        super().__init__(theme, kind, "middle" if random.random() < 0.3 else "right")
        self._random = random
        self._odd: dict[str, Sprite] = {}
        self._much = float(random.choice(list(ODD), p=list(ODD.values())))
        self._digit_mask = FONTS[int(random.integers(len(FONTS)))]
        self._weight = float(random.uniform(-1, 1))
        self._slant = float(random.normal(0, 0.06))
        self._box = random.uniform(-0.045, 0.045, 4)

    def _sprite(self, name: str, size: tuple[int, int]) -> Sprite:
        if self._much == 0:
            return super()._sprite(name, size)
        key = (name, *size)
        if key not in self._sprites:
            if name not in self._odd:
                self._odd[name] = self._draw_odd(name)
            reduced = cv2.resize(self._odd[name], size, interpolation=cv2.INTER_AREA)
            self._sprites[key] = np.asarray(reduced, dtype=np.float32)
        return self._sprites[key]

    def _draw_odd(self, name: str) -> Sprite:
        random, much = self._random, self._much
        if name[0].isdigit():
            return self._digit(int(name[0]))
        pixels = super()._sprite(name, (MASTER, MASTER)).copy()
        if name in ("shade", "covered"):
            pixels *= np.float32(np.clip(random.normal(1, 0.18 * much), 0.4, 1.0))
        elif name in ("shadow-top", "shadow-left", "open"):
            pixels = _warped(random, pixels, 0.008 * much)
            pixels *= np.float32(np.clip(random.normal(0.97, 0.06 * much), 0.7, 1.0))
        else:
            pixels = _warped(random, pixels, 0.05 * much)
            tint = 1 + random.normal(0, 0.06 * much, 3)
            pixels[..., :3] = np.minimum(pixels[..., :3] * tint, 255 * pixels[..., 3:])
        return pixels

    def _digit(self, number: int) -> Sprite:
        box = np.array(pieces.digit_box(number, self._digits)) + self._much * self._box
        left, top, right, bottom = box.tolist()
        lean = np.array([[1, -self._slant, self._slant * MASTER / 2], [0, 1, 0]])
        mask = cv2.warpAffine(
            self._digit_mask(number, (left, top, right, bottom), self._weight), lean, (MASTER, MASTER)
        )
        red, green, blue = np.clip(pieces.INKS[number] + self._random.normal(0, 14 * self._much, 3), 0, 255).tolist()
        canvas = Canvas()
        canvas.lay(np.asarray(mask, dtype=np.float32), (red, green, blue))
        return canvas.pixels


def _warped(random: Random, pixels: Sprite, much: float) -> Sprite:
    """Return pixels stretched, turned and moved by about so much of their size."""
    side = pixels.shape[0]
    linear = np.eye(2) + random.normal(0, much, (2, 2)) * ((1, 0.5), (0.5, 1))
    middle = np.full(2, side / 2)
    shift = middle - linear @ middle + random.normal(0, much * side * 0.6, 2)
    moved = cv2.warpAffine(pixels, np.column_stack([linear, shift]), (side, side), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(moved, dtype=np.float32)


DigitMask = Callable[[int, Box, float], NDArray[np.float32]]
"""Makes the mask of a digit in a box, of a weight from -1, light, to 1, bold."""


def _outlined(weight: pieces.Weight, lighter: float, bolder: float) -> DigitMask:
    """Return the font of our own outlines; lines may be thinner and thicker by parts of a tile."""

    def mask(number: int, box: Box, heavy: float) -> NDArray[np.float32]:
        drawn = glyph(pieces.outline(weight, str(number)), box)
        by = 1 + round(abs(heavy) * MASTER * (bolder if heavy > 0 else lighter))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (by, by))
        return np.asarray((cv2.dilate if heavy > 0 else cv2.erode)(drawn, kernel), dtype=np.float32)

    return mask


def _hershey(font: int, thin: float, thick: float) -> DigitMask:
    """Return one of OpenCV's fonts; `thin` and `thick` lines are parts of a digit's height."""

    def mask(number: int, box: Box, heavy: float) -> NDArray[np.float32]:
        sheet = np.zeros((400, 400), dtype=np.uint8)
        width = round(np.interp(heavy, (-1, 1), (thin, thick)) * 200)
        cv2.putText(sheet, str(number), (100, 300), font, 8.0, 255, width, cv2.LINE_AA)
        x, y, wide, high = cv2.boundingRect(sheet)
        left, top, right, bottom = (round(edge * MASTER) for edge in box)
        drawn = np.zeros((MASTER, MASTER), dtype=np.float32)
        digit = cv2.resize(
            sheet[y : y + high, x : x + wide], (right - left, bottom - top), interpolation=cv2.INTER_AREA
        )
        drawn[top:bottom, left:right] = digit / 255
        return drawn

    return mask


FONTS: tuple[DigitMask, ...] = (
    *[_outlined("bold", 0.045, 0.03)] * 2,
    *[_outlined("thin", 0.01, 0.06)] * 2,
    _hershey(cv2.FONT_HERSHEY_SIMPLEX, 0.1, 0.22),
    _hershey(cv2.FONT_HERSHEY_DUPLEX, 0.08, 0.2),
    _hershey(cv2.FONT_HERSHEY_COMPLEX, 0.06, 0.16),
    _hershey(cv2.FONT_HERSHEY_TRIPLEX, 0.05, 0.14),
)


def _behind_something(random: Random, picture: Picture, pitch: float) -> tuple[Picture, Mask]:
    """Return the picture with one to three things in front of it, perhaps, and which of its pixels they hide."""
    hidden = np.zeros(picture.shape[:2], dtype=np.bool_)
    for _ in range(0 if random.random() < 0.55 else int(random.integers(1, 4))):
        what, smaller_side = random.random(), min(picture.shape[:2])
        if what < 0.15:
            picture, mask = distort.with_pointer(picture, random)
        elif what < 0.25 and smaller_side > 220:
            picture, mask = _with_dialog(picture, random)
        elif what < 0.35 and smaller_side > 120:
            picture, mask = distort.with_toast(picture, random)
        elif what < 0.45:
            picture, mask = _with_line(picture, random, pitch)
        else:
            picture, mask = _with_window(picture, random, pitch)
        hidden |= mask
    return picture, hidden


def _share(hidden: Mask, grid: Grid, row: int, col: int) -> float:
    left, top, right, bottom = (round(edge) for edge in grid.tile(row, col))
    return float(hidden[top:bottom, left:right].mean())


def _with_dialog(picture: Picture, random: Random) -> tuple[Picture, Mask]:
    drawn = paint_dialog(picture, "won" if random.random() < 0.5 else "lost")
    x, y, wide, high = cv2.boundingRect((drawn != picture).any(axis=2).astype(np.uint8))
    mask = np.zeros(picture.shape[:2], dtype=np.bool_)
    mask[y : y + high, x : x + wide] = True
    return drawn, mask


def _with_line(picture: Picture, random: Random, pitch: float) -> tuple[Picture, Mask]:
    """Return the picture with a line or a box that somebody drew."""
    drawn, (height, width) = picture.copy(), picture.shape[:2]
    start, end = (random.random((2, 2)) * (width, height)).astype(int).tolist()
    thick = int(random.integers(1, max(2, round(pitch / 6)) + 1))
    paint = cv2.line if random.random() < 0.4 else cv2.rectangle
    paint(drawn, start, end, random.integers(0, 256, 3).tolist(), thick)
    return drawn, (drawn != picture).any(axis=2)


def _with_window(picture: Picture, random: Random, pitch: float) -> tuple[Picture, Mask]:
    """Return the picture with a window of something else in front: plain or shaded, of text, ruled, or of blobs."""
    drawn, (height, width) = picture.copy(), picture.shape[:2]
    mask = np.zeros((height, width), dtype=np.bool_)
    wide, high = (random.uniform(0.5, 0.6 * size / pitch + 1) * pitch for size in (width, height))
    left, top = random.uniform(-0.3 * wide, width - 0.5 * wide), random.uniform(-0.3 * high, height - 0.5 * high)
    place = slice(max(0, round(top)), round(top + high)), slice(max(0, round(left)), round(left + wide))
    area = drawn[place]
    if min(area.shape[:2]) < 3:
        return drawn, mask
    mask[place] = True
    colour = random.uniform(0, 256, 3) if random.random() < 0.5 else np.full(3, random.uniform(150, 256))
    kind = random.random()
    down, across = np.meshgrid(*(np.linspace(-1, 1, size) for size in area.shape[:2]), indexing="ij")
    slopes = random.normal(0, 25, 2) if kind < 0.5 else (0, 0)
    area[:] = np.clip(colour + (slopes[0] * across + slopes[1] * down)[..., None], 0, 255).astype(np.uint8)
    ink = random.integers(0, 256, 3).tolist()
    if kind < 0.45:
        size = float(random.uniform(0.25, 1.2) * pitch / 24)
        for line in range(int(random.integers(1, 14))):
            text = "".join(random.choice(list("0123456789 Time score: won lost games ok cancel"), 24))
            at = int(random.integers(0, 1 + area.shape[1] // 3)), round((line + 1) * 30 * size + 4)
            cv2.putText(area, text, at, cv2.FONT_HERSHEY_SIMPLEX, max(0.2, size), ink, 1, cv2.LINE_AA)
    elif kind < 0.6:
        step = max(4, round(pitch * random.uniform(0.5, 2)))
        area[::step] = area[:, ::step] = ink
    elif kind < 0.75:
        for _ in range(int(random.integers(1, 20))):
            middle = (random.random(2) * area.shape[1::-1]).astype(int).tolist()
            radius = max(1, round(random.uniform(0.05, 0.5) * pitch))
            cv2.circle(area, middle, radius, random.integers(0, 256, 3).tolist(), -1, cv2.LINE_AA)
    if random.random() < 0.6:
        cv2.rectangle(area, (0, 0), (area.shape[1] - 1, area.shape[0] - 1), random.integers(0, 256, 3).tolist(), 1)
    return drawn, mask


def _light(random: Random) -> distort.Distortion:
    """Return another light: gain, tint, gamma or contrast, one of them or a few."""
    gained, tinted, bent, flattened = random.random(4) < (0.5, 0.25, 0.35, 0.35)
    gains = np.full(3, random.uniform(0.55, 1.45) if gained else 1.0)
    if tinted:
        green, blue = np.sort(random.uniform(0.4, 1.0, 2))[::-1]
        gains *= (1.0, green, blue) if random.random() < 0.6 else random.uniform(0.7, 1.2, 3)
    gamma = float(np.exp(random.normal(0, 0.2))) if bent else 1.0
    contrast = float(random.uniform(0.6, 1.2)) if flattened else 1.0
    pivot = float(random.choice((0.0, 128.0, 255.0)))

    def change(light: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.clip(pivot + contrast * (255 * (light / 255) ** gamma - pivot), 0, 255) * gains)

    return distort.curve("light", change)


def _palette(random: Random) -> distort.Distortion:
    """Return few colours, as in a GIF: the same steps everywhere, dithered or not."""
    steps, dithered = float(random.choice((8, 16, 32, 51))), random.random() < 0.5

    def apply(picture: Picture, random: Random) -> Distorted:
        grain = random.uniform(-0.5, 0.5, (*picture.shape[:2], 1)) if dithered else 0.0
        return np.clip(np.rint(picture / steps + grain) * steps, 0, 255).astype(np.uint8), None

    return distort.Distortion("palette", apply)


CHANGES: tuple[tuple[Callable[[Random], distort.Distortion], float], ...] = (
    (lambda random: distort.blurred(float(random.uniform(0.3, 1.2))), 0.3),
    (_light, 0.55),
    (_palette, 0.08),
    (lambda random: distort.noisy(float(random.uniform(0.005, 0.1))), 0.12),
    (lambda random: distort.jpeg(int(random.integers(45, 96))), 0.25),
)
"""What is done to pictures, in this order, and to how many of them."""
