"""What a tile shows: its pixels against every template of a skin at once.

Promises for every tile the best cell value, the runner-up and how far apart they are. It decides nothing: the reader
says which margins are good enough.

All tiles are brought to one small canonical size, so that a skin made at one pitch serves every other, and compared
with all templates by one matrix product: normalised template matching, generalised in one respect. What light does to
a tile (its tint on the board, hover, the shadow of a covered neighbour on its upper or left rim) is a handful of fixed
patterns, and differences along those patterns count less than differences of shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.skin import PLAIN, Skin

SIDE, INNER = 12, 10
"""Side of a canonical tile in pixels, with and without its outermost pixels, which hold the lines between tiles."""

Floats = NDArray[np.float32]
Tiles = NDArray[np.uint8]
"""Canonical tiles, shape (n, side, side, 3)."""

FLAT = 2.0
"""Grey levels by which the pixels of a tile may vary that is of one colour all over."""

NO_RIVAL = 255.0
"""Grey levels: how far the rival is in a skin that has none, with a single kind of cell. None is farther."""

LIGHT_COUNTS, TINT_COUNTS = 0.3, 0.5
"""How much a difference along a pattern of light, and one of overall tint, counts compared with one of shape."""


def canonical_tiles(
    picture: Picture, grid: Grid, side: int = SIDE, rim: int = 0, known: bool = False, exact: bool = False
) -> Tiles:
    """Return all tiles of a board in reading order at one size, shape (rows·cols, side + 2·rim, side + 2·rim, 3).

    With a `rim`, tiles reach so many canonical pixels over their neighbours. What it takes to look at a `known` grid
    is kept, since it will be looked at again. Tiles that are made smaller are alike wherever they are when it is done
    `exact`, down to thin lines; otherwise it is done sooner.
    """
    if exact and grid.pitch > side:
        return _cut(_made_smaller(picture, grid, side, rim), grid, side, rim)
    shrink = max(1, int(grid.pitch // side))
    left, top, right, bottom = grid.box
    reach = int(grid.pitch)
    x0, y0 = max(0, int(left) - reach) // shrink * shrink, max(0, int(top) - reach) // shrink * shrink
    part = picture[y0 : int(bottom) + reach, x0 : int(right) + reach]
    if shrink > 1:
        size = part.shape[1] // shrink, part.shape[0] // shrink
        whole = part[: size[1] * shrink, : size[0] * shrink]
        part = np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    step_x, step_y = grid.pitch_x / side, grid.pitch_y / side
    start_x, start_y = left - x0 - (rim - 0.5) * step_x, top - y0 - (rim - 0.5) * step_y
    size = grid.cols * side + 2 * rim, grid.rows * side + 2 * rim
    where = step_x / shrink, step_y / shrink, start_x / shrink - 0.5, start_y / shrink - 0.5
    if known:
        across, down = _maps(*where, *size)
        warped = cv2.remap(part, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    else:
        transform = np.array([[where[0], 0, where[2]], [0, where[1], where[3]]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        warped = cv2.warpAffine(part, transform, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    board = np.asarray(warped, dtype=np.uint8)
    return _cut(board, grid, side, rim)


def _made_smaller(picture: Picture, grid: Grid, side: int, rim: int) -> Picture:
    """Return a board and so many pixels around it with tiles of `side` pixels, each the mean of what it was there."""
    across, down = round(grid.pitch_x), round(grid.pitch_y)
    zoom_x, zoom_y = grid.pitch_x / across, grid.pitch_y / down
    left, top = grid.left - grid.pitch_x + zoom_x / 2 - 0.5, grid.top - grid.pitch_y + zoom_y / 2 - 0.5
    transform = np.array([[zoom_x, 0, left], [0, zoom_y, top]])
    size = (grid.cols + 2) * across, (grid.rows + 2) * down
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    whole = cv2.warpAffine(picture, transform, size, flags=flags, borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(whole, ((grid.cols + 2) * side, (grid.rows + 2) * side), interpolation=cv2.INTER_AREA)
    return np.asarray(small[side - rim : rim - side, side - rim : rim - side], dtype=np.uint8)


def _cut(board: Picture, grid: Grid, side: int, rim: int) -> Tiles:
    """Return the tiles of a board that has tiles of `side` pixels, and so many pixels around it."""
    if rim == 0:
        tiles = board.reshape(grid.rows, side, grid.cols, side, 3).swapaxes(1, 2)
        return np.ascontiguousarray(tiles).reshape(grid.rows * grid.cols, side, side, 3)
    windows = np.lib.stride_tricks.sliding_window_view(board, (side + 2 * rim, side + 2 * rim), axis=(0, 1))
    picked = windows[::side, ::side].transpose(0, 1, 3, 4, 2)
    tiles = np.ascontiguousarray(picked, dtype=np.uint8)
    return tiles.reshape(grid.rows * grid.cols, side + 2 * rim, side + 2 * rim, 3)


def one_tile(
    picture: Picture, grid: Grid, row: int, col: int, side: int = SIDE, rim: int = 0, exact: bool = False
) -> Tiles:
    """Return a single tile as `canonical_tiles` would, shape (side + 2·rim, side + 2·rim, 3)."""
    left, top, _, _ = grid.tile(row, col)
    alone = replace(grid, left=left, top=top, rows=1, cols=1)
    return np.asarray(canonical_tiles(picture, alone, side, rim, exact=exact)[0])


@lru_cache(maxsize=4)
def _maps(
    step_x: float, step_y: float, start_x: float, start_y: float, width: int, height: int
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return where each pixel of the canonical tiles lies in the picture, in the form that OpenCV is fastest with."""
    across = np.float32(start_x) + np.arange(width, dtype=np.float32) * np.float32(step_x)
    down = np.float32(start_y) + np.arange(height, dtype=np.float32) * np.float32(step_y)
    every_x, every_y = np.meshgrid(across, down)
    places, fractions = cv2.convertMaps(every_x, every_y, cv2.CV_16SC2)
    return np.asarray(places), np.asarray(fractions)


@dataclass(frozen=True)
class Matches:
    """The outcome for n tiles; arrays have shape (n,), distances are root mean squares in grey levels, 0 to 255."""

    best: NDArray[np.uint8]  # the nearest cell value
    second: NDArray[np.uint8]  # the next one
    distance: Floats  # of the nearest template
    next_distance: Floats  # of the nearest template of another value
    plain_distance: Floats  # shape (n, 2): of the nearest template of a blank and of a covered tile
    lean: Floats  # 1 exactly on the nearest template, 0 half way between it and its rival, whatever else differs
    apart: Floats  # how far the nearest template and its rival are from each other
    template: NDArray[np.intp]  # which is nearest
    rival: NDArray[np.intp]  # which is nearest among those of other values
    colour: Floats  # by how much its mean colour is off, in the worst channel
    rim: Floats  # shape (n, 2): how much brighter the two brightest sides of the tile are than that template's
    relief: Floats  # how much its pixels vary, 1 as much as the template's
    likeness: Floats  # the correlation with that template, light aside: 1 for the same shape, however faint
    next_likeness: Floats  # that with the rival
    strength: Floats  # how strong the shape is, 1 as strong as the template's

    def only(self, where: NDArray[np.intp]) -> Matches:
        """Return the outcome for some of the tiles."""
        return Matches(*(getattr(self, each.name)[where] for each in fields(self)))

    @cached_property
    def margin(self) -> Floats:
        """How much farther the second-best value is than the best, 0 for a tie, 1 for twice as far."""
        return np.asarray(self.next_distance / np.maximum(self.distance, 4.0) - 1, dtype=np.float32)


@lru_cache(maxsize=32)
def matcher_for(skin: Skin, theme: str | None = None) -> Matcher:
    """Return the matcher of a skin, or of one theme of it; made once and kept."""
    return Matcher(skin, theme)


class Matcher:
    """A skin, or one theme of it, made ready for comparison. Immutable once made."""

    def __init__(self, skin: Skin, theme: str | None = None) -> None:
        self.skin, self.theme = skin, theme
        values, themes, pictures = zip(*skin.variants(theme), strict=True)
        self.values, self.themes = np.array(values, dtype=np.uint8), np.array(themes)
        self.figures = len(np.setdiff1d(self.values, PLAIN))  # kinds of cells that are not plain
        tiles = _canonical(pictures)
        self.templates = inner(tiles)
        self._classes = np.unique(self.values, return_inverse=True)[1]
        self._light = light_patterns(INNER)
        seen = self.templates @ self._light
        weighted = self.templates - seen @ self._light.T
        averaging = np.tile(np.eye(3), (self.templates.shape[1] // 3, 1)) * (3 / self.templates.shape[1])
        columns = [-2 * weighted.T, self._light, averaging]
        self._weights = np.ascontiguousarray(np.concatenate(columns, axis=1), dtype=np.float32)
        self._energy = np.einsum("ij,ij->i", self.templates, self.templates) - np.einsum("ij,ij->i", seen, seen)
        # Templates come in the order of their values.
        self._plain = [tuple(np.searchsorted(self.values, (value, value + 1)).tolist()) for value in PLAIN]
        same = self._classes == np.arange(self._classes[-1] + 1)[:, None]
        self._own_value = np.where(same, np.float32(np.inf), np.float32(0))
        self._apart = self._energy[:, None] + self._energy - 2 * self.templates @ weighted.T
        self._rims = line_light(tiles)
        self._colours = self.templates @ averaging
        lengths = np.einsum("ij,ij->i", self.templates, self.templates)
        self._variation = _variation(lengths, np.asarray(self._colours, dtype=np.float32))
        self.ground = self._grounds(tiles)

    def _grounds(self, tiles: Tiles) -> NDArray[np.intp]:
        """Return for each template the plain tile, covered or blank, that it is drawn upon: the one alike around it."""
        plain = np.flatnonzero(np.isin(self.values, PLAIN))
        if len(plain) == 0:
            return np.arange(len(tiles))
        rim = SIDE // 6
        around = np.concatenate([tiles[:, rim, rim:-rim], tiles[:, rim:-rim, rim]], axis=1).astype(np.float32)
        apart = np.abs(around[:, None] - around[plain][None]).mean(axis=(2, 3))
        return np.asarray(plain[apart.argmin(axis=1)])

    def match(self, tiles: Tiles, shift: Floats | None = None) -> Matches:
        """Return what each canonical tile shows. `tiles` has shape (n, SIDE, SIDE, 3).

        `shift`, shape (n, inner pixels), is taken off the tiles first: how such tiles are known to differ from their
        templates in this picture.
        """
        pixels = inner(tiles)
        if shift is not None:
            pixels -= shift
        products, count = product(pixels, self._weights), len(self.values)
        light, colour = products[:, count:-3], products[:, -3:]
        lengths = np.einsum("ij,ij->i", pixels, pixels)
        energy = lengths - np.einsum("ij,ij->i", light, light)
        squares = products[:, :count]  # of the distances, but for the energy of the tile itself
        squares += self._energy
        rows = np.arange(len(tiles))
        template = squares.argmin(axis=1)
        nearest = np.maximum(squares[rows, template] + energy, 0)
        plain = [squares[:, start:end].min(axis=1, initial=np.inf) + energy for start, end in self._plain]
        squares += self._own_value[self._classes[template]]
        rival = squares.argmin(axis=1)
        runner_up = np.clip(squares[rows, rival] + energy, 0, NO_RIVAL**2 * pixels.shape[1])
        apart = np.maximum(self._apart[template, rival], 1)
        faint = FLAT**2 * pixels.shape[1]  # what has no shape at all is alike
        own, known = energy + faint, self._energy + faint
        common, next_common = (own + known[template] - nearest) / 2, (own + known[rival] - runner_up) / 2
        return Matches(
            best=self.values[template],
            second=self.values[rival],
            distance=np.sqrt(nearest / pixels.shape[1]),
            next_distance=np.sqrt(runner_up / pixels.shape[1]),
            plain_distance=np.sqrt(np.maximum(np.stack(plain, axis=1), 0) / pixels.shape[1]),
            lean=(runner_up - nearest) / apart,
            apart=np.sqrt(apart / pixels.shape[1]),
            template=template,
            colour=np.abs(colour - self._colours[template]).max(axis=1),
            rim=np.sort(line_light(tiles) - self._rims[template], axis=1)[:, :-3:-1],
            # A cover of one flat colour has none, and a tile need not have more.
            relief=(_variation(lengths, colour) + FLAT) / (self._variation[template] + FLAT),
            rival=rival,
            likeness=common / np.sqrt(own * known[template]),
            next_likeness=next_common / np.sqrt(own * known[rival]),
            strength=common / known[template],
        )

    def toward(self, shift: Floats, value: int) -> Floats:
        """Return how far a shift of each template, shape (templates, pixels), is one to a value's: 1 is all the way."""
        to = np.flatnonzero(self.values == value)
        along = product(shift, self._weights[:, : len(self.values)]) / -2
        own = along[np.arange(len(shift)), np.arange(len(shift))]
        return np.asarray(((along[:, to] - own[:, None]) / np.maximum(self._apart[:, to], 1)).max(axis=1, initial=0))

    def misfit(self, tiles: Tiles, template: NDArray[np.intp]) -> float:
        """Return the mean distance of tiles from given templates."""
        off = inner(tiles) - self.templates[template]
        light = product(off, self._light)
        squares = np.einsum("ij,ij->i", off, off) - np.einsum("ij,ij->i", light, light)
        return float(np.sqrt(np.maximum(squares, 0) / off.shape[1]).mean())


ON_ONE_CORE = 500_000
"""So many multiplications at a time leaves a linear algebra library to the core that asks for them.

OpenBLAS, which NumPy comes with, wakes a second core from 2 · 2¹⁸ of them on.
"""


def product(rows: Floats, columns: Floats) -> Floats:
    """Return the matrix product of (n, k) and (k, m), computed on one core.

    A large product is shared among all cores, which wait for each other: for milliseconds where one of them is busy,
    as it is when a game runs beside us. A stack of small ones is not.
    """
    count, most = len(rows), max(1, ON_ONE_CORE // columns.size)
    height = next((each for each in range(most, most // 2, -1) if count % each == 0), most)  # which saves a copy
    stacks = -(-count // height)
    if count != stacks * height:
        padded = np.zeros((stacks * height, rows.shape[1]), dtype=np.float32)
        padded[:count] = rows
        rows = padded
    products = np.matmul(rows.reshape(stacks, height, -1), columns)
    return np.asarray(products.reshape(stacks * height, -1)[:count], dtype=np.float32)


def drawn_tiles(skin: Skin, theme: str | None) -> Tiles:
    """Return all templates of a skin, or of one theme of it, as canonical tiles."""
    return _canonical([picture for _, _, picture in skin.variants(theme)])


def _canonical(pictures: Sequence[Picture]) -> Tiles:
    small = [cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for picture in pictures]
    return np.array(small, dtype=np.uint8)


def inner(tiles: Tiles) -> Floats:
    """Return the tiles without the lines between them, one row each, as differences from middle grey."""
    pixels = tiles[:, 1:-1, 1:-1].reshape(len(tiles), INNER * INNER * 3).astype(np.float32)
    pixels -= 128
    return pixels


def unit_rows(tiles: Floats) -> Floats:
    """Return tiles, shape (n, side, side, 3), as rows for correlation: channel by channel, no mean, unit length."""
    centred = tiles - tiles.mean(axis=(1, 2), keepdims=True)
    rows = centred.transpose(0, 3, 1, 2).reshape(len(tiles), -1)
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-3), dtype=np.float32)


def _variation(lengths: Floats, means: Floats) -> Floats:
    """Return the standard deviation of each tile's pixels from its mean colour, given their squared length; (n,)."""
    squares = lengths / (INNER * INNER * 3) - (means * means).mean(axis=1)
    return np.asarray(np.sqrt(np.maximum(squares, 0)), dtype=np.float32)


_PLACES = np.arange(SIDE * SIDE * 3).reshape(SIDE, SIDE, 3)
_SIDES = np.stack([_PLACES[0, 1:-1], _PLACES[-1, 1:-1], _PLACES[1:-1, 0], _PLACES[1:-1, -1]])
"""Where the outermost pixels of a canonical tile are in it, side by side; shape (4, INNER, 3)."""
_BY_CHANNEL = np.ascontiguousarray(_SIDES.transpose(2, 0, 1).reshape(3, -1))


def line_light(tiles: Tiles) -> Floats:
    """Return how bright the four outermost lines of pixels of each tile are, shape (n, 4)."""
    flat = tiles.reshape(len(tiles), -1)
    blue, green, red = (flat[:, places] for places in _BY_CHANNEL)
    light = np.maximum(np.maximum(blue, green), red).reshape(len(tiles), 4, INNER)
    return np.asarray(light.sum(axis=2, dtype=np.uint16) / np.float32(INNER), dtype=np.float32)


def light_patterns(side: int) -> Floats:
    """Return what light does to a tile, shape (side·side·3, patterns): orthogonal, each as long as is to be forgiven.

    Brightness as a whole, a slope across and down, bands along the upper and the left rim; and two of overall tint.
    """
    slope = np.linspace(-0.5, 0.5, side)
    colours = [(1, 1, 1), (1, 0, -1), (1, -2, 1)]
    shapes = [np.ones((side, side)), *np.meshgrid(slope, slope)]
    for width in (0.1, 0.2):
        band = np.broadcast_to(np.arange(side) < round(width * side), (side, side)).astype(float)
        shapes += [band, band.T]
    patterns = [shapes[0][..., None] * np.array(colour) for colour in colours]
    patterns += [np.repeat(shape[..., None], 3, axis=2) for shape in shapes[1:]]
    basis, _ = np.linalg.qr(np.stack([pattern.ravel() for pattern in patterns], axis=1))
    counts = np.full(basis.shape[1], LIGHT_COUNTS)
    counts[1:3] = TINT_COUNTS
    return np.asarray(basis * np.sqrt(1 - counts**2), dtype=np.float32)
