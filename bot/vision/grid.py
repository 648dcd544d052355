"""The lattice of a board's tiles as a value: where it begins, how far its lines are apart, how many tiles it has.

Nothing here looks at a picture; `find/` finds lattices, `reader.py` reads what is on them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from bot.level import LEVELS

SMALLEST_PITCH, LARGEST_PITCH = 11.5, 84.0
STANDARD_SIZES = {(level.rows, level.cols) for level in LEVELS.values()}
FEWEST_TILES = 4  # across and down: what people crop out of a board is at least so large


@dataclass(frozen=True)
class Grid:
    """A lattice of tiles: its left top corner in the picture and its pitch, in pixels and fractions of them."""

    left: float
    top: float
    pitch_x: float
    pitch_y: float
    rows: int
    cols: int

    def tile(self, row: int, col: int) -> tuple[float, float, float, float]:
        """Return a tile's left, top, right and bottom."""
        left, top = self.left + col * self.pitch_x, self.top + row * self.pitch_y
        return left, top, left + self.pitch_x, top + self.pitch_y

    def center(self, row: int, col: int) -> tuple[float, float]:
        """Return the x and y of a tile's middle."""
        return self.left + (col + 0.5) * self.pitch_x, self.top + (row + 0.5) * self.pitch_y

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the whole lattice."""
        return self.left, self.top, self.left + self.cols * self.pitch_x, self.top + self.rows * self.pitch_y

    @cached_property
    def pitch(self) -> float:
        """The mean of both pitches."""
        return (self.pitch_x + self.pitch_y) / 2

    def scaled(self, times: float) -> Grid:
        """Return the lattice as it lies in a picture so many times as large."""
        left, top, pitch_x, pitch_y = (times * each for each in (self.left, self.top, self.pitch_x, self.pitch_y))
        return Grid(left, top, pitch_x, pitch_y, self.rows, self.cols)

    def moved(self, right: float, down: float) -> Grid:
        """Return the lattice with its corner so many pixels farther right and down."""
        return replace(self, left=self.left + right, top=self.top + down)


SAME_LINES = 0.15
"""How far, as a part of the finer pitch, lines of two lattices may lie apart to be the same."""


def same(one: Grid, other: Grid) -> bool:
    """Whether two lattices cover nearly the same tiles, or one every second, third … line of the other's."""
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    shared = max(0.0, right - left) * max(0.0, bottom - top)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one.box, other.box)]
    if shared <= 0.6 * min(areas):
        return False
    fine, coarse = sorted((one, other), key=lambda grid: grid.pitch)
    # Lines that coincide at both ends of what is shared do so all along, but for a whole line more or less.
    steps = np.array(
        [(x - fine.left) / fine.pitch_x for x in _lines_near(coarse.left, coarse.pitch_x, left, right)]
        + [(y - fine.top) / fine.pitch_y for y in _lines_near(coarse.top, coarse.pitch_y, top, bottom)]
    )
    return bool((abs(steps - np.rint(steps)) <= SAME_LINES).all())


def _lines_near(start: float, pitch: float, low: float, high: float) -> tuple[float, float, float]:
    """Return the lines of a lattice nearest to both ends of a stretch and to its middle."""
    return tuple(start + round((place - start) / pitch) * pitch for place in (low, (low + high) / 2, high))  # type: ignore[return-value]


def next_lines(grid: Grid) -> Iterator[tuple[Grid, Grid]]:
    """Yield for every side the lattice with one more line of tiles there, and that line alone."""
    left, top, right, bottom = grid.box
    above, before = top - grid.pitch_y, left - grid.pitch_x
    yield replace(grid, top=above, rows=grid.rows + 1), replace(grid, top=above, rows=1)
    yield replace(grid, rows=grid.rows + 1), replace(grid, top=bottom, rows=1)
    yield replace(grid, left=before, cols=grid.cols + 1), replace(grid, left=before, cols=1)
    yield replace(grid, cols=grid.cols + 1), replace(grid, left=right, cols=1)


MOST_STRETCHED = 0.06
"""How much wider than high tiles may be, or higher than wide: pictures are enlarged a little unevenly at most."""


def square(grid: Grid) -> bool:
    """Whether the tiles of a lattice are about square, as those of all games are."""
    return 1 - MOST_STRETCHED < grid.pitch_x / grid.pitch_y < 1 + MOST_STRETCHED


CUT = 0.1
"""How much of a tile, as a part of the pitch, the rim of the picture may cut off."""


def in_picture(grid: Grid, shape: tuple[int, ...]) -> bool:
    """Whether a lattice lies within a picture of a shape, but for a little of its outermost tiles."""
    left, top, right, bottom = grid.box
    reach = CUT * grid.pitch
    return left >= -reach and top >= -reach and right <= shape[1] + reach and bottom <= shape[0] + reach


def squared(pitch_x: float, pitch_y: float, cols: int, rows: int) -> tuple[float, float]:
    """Return one pitch for both when they are as near as they must be on square tiles, else both as they are."""
    doubt = 0.01 + 2.5 / (min(pitch_x, pitch_y) * max(1, min(cols, rows)))
    if abs(pitch_x / pitch_y - 1) > doubt:
        return pitch_x, pitch_y
    # The longer side knows the pitch better: the error of a straight fit falls with the cube of its length.
    pitch = float(np.average([pitch_x, pitch_y], weights=[cols**3, rows**3]))
    return pitch, pitch


LONGEST_STRETCH = 0.7
"""Pixels by which a lattice may be longer or shorter than with a pitch of whole pixels to be taken for such a one."""


def snapped(grid: Grid) -> Grid:
    """Return a lattice whose pitch is a whole number with lines between pixels, where such games draw them.

    Tiles of few pixels are then the same to the last one wherever they are; half a pixel beside, they blur.
    """
    pitch = round(grid.pitch)
    off = max(abs(grid.pitch_x - pitch) * grid.cols, abs(grid.pitch_y - pitch) * grid.rows)
    return grid if off > LONGEST_STRETCH else of_whole_pixels(grid)


def of_whole_pixels(grid: Grid) -> Grid:
    """Return the lattice with a pitch of whole pixels and its lines between pixels, its middle where it was."""
    pitch = round(grid.pitch)
    middle_x, middle_y = grid.center((grid.rows - 1) // 2, (grid.cols - 1) // 2)
    left = round(middle_x - pitch * ((grid.cols - 1) // 2 + 0.5))
    top = round(middle_y - pitch * ((grid.rows - 1) // 2 + 0.5))
    return Grid(float(left), float(top), float(pitch), float(pitch), grid.rows, grid.cols)
