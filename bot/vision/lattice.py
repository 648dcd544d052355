"""The lattice of a board's tiles as a value: where it begins, how far its lines are apart, how many tiles it has.

Nothing here looks at a picture; `grid.py` finds lattices, `reader.py` reads what is on them.
"""

from __future__ import annotations

from dataclasses import dataclass

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

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the whole lattice."""
        return self.left, self.top, self.left + self.cols * self.pitch_x, self.top + self.rows * self.pitch_y

    @property
    def pitch(self) -> float:
        """The mean of both pitches."""
        return (self.pitch_x + self.pitch_y) / 2


def same(one: Grid, other: Grid) -> bool:
    """Whether two lattices cover nearly the same tiles."""
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    shared = max(0.0, right - left) * max(0.0, bottom - top)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one.box, other.box)]
    return shared > 0.6 * min(areas)


def squared(pitch_x: float, pitch_y: float, cols: int, rows: int) -> tuple[float, float]:
    """Return one pitch for both when they are as near as they must be on square tiles, else both as they are."""
    doubt = 0.01 + 2.5 / (min(pitch_x, pitch_y) * max(1, min(cols, rows)))
    if abs(pitch_x / pitch_y - 1) > doubt:
        return pitch_x, pitch_y
    # The longer side knows the pitch better: the error of a straight fit falls with the cube of its length.
    pitch = float(np.average([pitch_x, pitch_y], weights=[cols**3, rows**3]))
    return pitch, pitch
