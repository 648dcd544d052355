"""What a tile shows: its pixels against every template of a skin at once.

Promises for every tile the best cell value, the runner-up and how far apart they are. It decides nothing: the reader
says which margins are good enough.

All tiles are brought to one small canonical size, so that a skin made at one pitch serves every other, and compared
with all templates by one matrix product: normalised template matching, generalised in one respect. What light does to
a tile (its tint on the board, hover, the shadow of a covered neighbour on its upper or left rim) is a handful of fixed
patterns, and differences along those patterns count less than differences of shape.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.grid import Grid
from bot.vision.skin import Picture, Skin

SIDE = 12
"""Side of a canonical tile in pixels; its outermost pixel all around holds the line between tiles."""

INNER = SIDE - 2

Floats = NDArray[np.float32]
Tiles = NDArray[np.uint8]
"""Canonical tiles, shape (n, side, side, 3)."""

LIGHT_COUNTS = 0.3
"""How much a difference along a pattern of light counts, compared with one of shape."""


def canonical_tiles(picture: Picture, grid: Grid, side: int = SIDE, rim: int = 0) -> Tiles:
    """Return all tiles of a board in reading order at one size, shape (rows·cols, side + 2·rim, side + 2·rim, 3).

    With a `rim`, tiles reach so many canonical pixels over their neighbours.
    """
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
    transform = np.array(
        [
            [step_x / shrink, 0, start_x / shrink - 0.5],
            [0, step_y / shrink, start_y / shrink - 0.5],
        ]
    )
    size = grid.cols * side + 2 * rim, grid.rows * side + 2 * rim
    board = cv2.warpAffine(
        part, transform, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
    )
    windows = np.lib.stride_tricks.sliding_window_view(board, (side + 2 * rim, side + 2 * rim), axis=(0, 1))
    picked = windows[::side, ::side].transpose(0, 1, 3, 4, 2)
    return np.ascontiguousarray(picked).reshape(grid.rows * grid.cols, side + 2 * rim, side + 2 * rim, 3)


@dataclass(frozen=True)
class Matches:
    """The outcome for n tiles: best and second-best cell value, root-mean-square distances to each, and to the lines.

    Every array has shape (n,). Distances are in grey levels, 0 to 255.
    """

    best: NDArray[np.uint8]
    second: NDArray[np.uint8]
    distance: Floats
    next_distance: Floats
    lean: Floats
    template: NDArray[np.intp]
    frame: Floats

    @property
    def margin(self) -> Floats:
        """How much farther the second-best value is than the best, 0 for a tie, 1 for twice as far."""
        return np.asarray(self.next_distance / np.maximum(self.distance, 4.0) - 1, dtype=np.float32)


class Matcher:
    """A skin made ready for comparison. Immutable once made."""

    def __init__(self, skin: Skin) -> None:
        self.skin = skin
        pictures = [
            cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
            for variants in skin.tiles.values()
            for picture in variants
        ]
        values = [value for value, variants in skin.tiles.items() for _ in variants]
        order = np.argsort(values, kind="stable")
        self.values = np.array(values, dtype=np.uint8)[order]
        self.classes, starts = np.unique(self.values, return_index=True)
        self._starts = starts
        tiles = np.array(pictures, dtype=np.uint8)[order]
        templates = _inner(tiles)
        light = _light_patterns()
        self._light = light * np.sqrt(1 - LIGHT_COUNTS**2)
        seen = templates @ self._light
        weighted = templates - seen @ self._light.T
        self._weights = np.ascontiguousarray(np.concatenate([weighted.T, self._light], axis=1))
        self._energy = np.einsum("ij,ij->i", templates, templates) - np.einsum("ij,ij->i", seen, seen)
        self._class_of = np.searchsorted(self.classes, self.values)
        among = templates @ weighted.T
        self._apart = self._energy[:, None] + self._energy - 2 * among
        self._rims = _rims(tiles)

    def match(self, tiles: Tiles) -> Matches:
        """Return what each canonical tile shows. `tiles` has shape (n, SIDE, SIDE, 3)."""
        inner = _inner(tiles)
        products = inner @ self._weights
        across, light = products[:, : len(self.values)], products[:, len(self.values) :]
        energy = np.einsum("ij,ij->i", inner, inner) - np.einsum("ij,ij->i", light, light)
        squares = energy[:, None] + self._energy - 2 * across
        by_class = np.minimum.reduceat(squares, self._starts, axis=1)
        rows = np.arange(len(tiles))
        best = by_class.argmin(axis=1)
        nearest = np.maximum(by_class[rows, best], 0)
        template = squares.argmin(axis=1)
        squares[self._class_of[None, :] == best[:, None]] = np.inf
        rival = squares.argmin(axis=1)
        runner_up = np.maximum(squares[rows, rival], 0)
        lean = (runner_up - nearest) / np.maximum(self._apart[template, rival], 1)
        frame = np.sqrt(np.mean((_rims(tiles) - self._rims[template]) ** 2, axis=1))
        return Matches(
            best=self.classes[best],
            second=self.values[rival],
            distance=np.sqrt(nearest / inner.shape[1]),
            next_distance=np.sqrt(runner_up / inner.shape[1]),
            lean=lean,
            template=template,
            frame=frame,
        )


def _inner(tiles: Tiles) -> Floats:
    """Return the tiles without their lines, one row each, shape (n, INNER·INNER·3), centred on middle grey."""
    inner = tiles[:, 1:-1, 1:-1].reshape(len(tiles), -1).astype(np.float32)
    inner -= 128
    return inner


def _rims(tiles: Tiles) -> Floats:
    """Return how bright the four outermost lines of pixels of each tile are, shape (n, 4)."""
    light = tiles.max(axis=3)
    sides = [light[:, 0, 1:-1], light[:, -1, 1:-1], light[:, 1:-1, 0], light[:, 1:-1, -1]]
    return np.stack([side.mean(axis=1) for side in sides], axis=1).astype(np.float32)


def _light_patterns() -> Floats:
    """Return an orthonormal basis of what light does to a tile, shape (INNER·INNER·3, patterns).

    A constant for each channel, a slope across and down, and bands along the upper and the left rim.
    """
    slope = np.linspace(-0.5, 0.5, INNER)
    patterns = [np.ones((INNER, INNER, 1)) * np.eye(3)[channel] for channel in range(3)]
    patterns += [np.broadcast_to(shape[..., None], (INNER, INNER, 3)) for shape in np.meshgrid(slope, slope)]
    for width in (1, 2):
        band = (np.arange(INNER) < width).astype(float)
        patterns += [
            np.broadcast_to(band[:, None, None], (INNER, INNER, 3)),
            np.broadcast_to(band[None, :, None], (INNER, INNER, 3)),
        ]
    basis, _ = np.linalg.qr(np.stack([pattern.ravel() for pattern in patterns], axis=1))
    return basis.astype(np.float32)
