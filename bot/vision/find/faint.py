"""Lattices in looks that nobody has drawn a skin for: flat tiles, faint lines, wide gaps, very large tiles.

Promises the same as `grid.find_grids`, for more kinds of pictures and at several times the cost: the picture is looked
at as it is, with faint contrasts made strong, and from farther away, where gaps are lines and large tiles small. A line
of tiles beyond the rim of a lattice that looks like the tiles inside belongs to it. Whether a lattice is a board is for
others to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np

from bot.picture import Picture
from bot.vision.find.edges import Profile, best_comb
from bot.vision.find.search import Effort, find_grids, smaller
from bot.vision.grid import FEWEST_TILES, STANDARD_SIZES, Grid, in_picture, next_lines, snapped
from bot.vision.matcher import canonical_tiles
from bot.vision.similarity import SIDE, Looks, apart, apart_from_others, looks_of

MOST_LATTICES = 6

MOST_TILES = 2_500
"""A lattice of more is a sheet: comparing all of its tiles with each other would take seconds."""

LIKE = 12.0
"""Grey levels: a tile this near to one inside of a lattice looks like it."""


def find_faint_grids(picture: Picture, effort: Effort | None = None) -> list[Grid]:
    """Return the lattices in the picture, each grown as far as tiles look alike, those with most tiles first.

    It begins with no further view once the effort, where there is a limit to it, is spent.
    """
    found: list[Grid] = []
    for view, scale in _views(picture):
        if effort is not None and effort.spent:
            break
        if effort is not None:
            effort.viewed(view)
        for grid in [grid for grid in find_grids(view) if grid.rows * grid.cols <= MOST_TILES][:3]:
            if effort is not None:
                effort.tried(grid)
            grown = grow(picture, fitted := trim(picture, grid.scaled(scale)))
            if grown != fitted:
                grown = grow(picture, _straightened(picture, grown))
            exact = snapped(grown)
            if not any(_nearly_equal(exact, other) or _only_adds_to(exact, other) for other in found):
                found.append(exact)
    return sorted(found, key=lambda grid: -grid.rows * grid.cols)[:MOST_LATTICES]


def _views(picture: Picture) -> Iterator[tuple[Picture, int]]:
    """Yield the picture in several ways, each with how much smaller it is."""
    for scale in (1, 2, 4):
        height, width = picture.shape[0] // scale, picture.shape[1] // scale
        if min(height, width) >= 32:
            view = smaller(picture, scale)
            yield view, scale
            yield _strong(view), scale


def _strong(picture: Picture) -> Picture:
    """Return the picture with what differs from its surroundings made to differ six times as much."""
    around = cv2.blur(picture, (31, 31)).astype(np.float32)
    return np.asarray(np.clip((picture - around) * 6 + 128, 0, 255), dtype=np.uint8)


def _nearly_equal(one: Grid, other: Grid) -> bool:
    """Whether two lattices have the same tiles to within a tenth of one."""
    reach = 0.1 * one.pitch
    same_size = (one.rows, one.cols) == (other.rows, other.cols)
    return same_size and all(abs(mine - its) <= reach for mine, its in zip(one.box, other.box, strict=True))


def _only_adds_to(grid: Grid, other: Grid) -> bool:
    """Whether a lattice is one of a standard size with a line or two more: bars beside a whole board."""
    more = grid.rows - other.rows, grid.cols - other.cols
    if (other.rows, other.cols) not in STANDARD_SIZES or not (0 < sum(more) <= 2 and min(more) >= 0):
        return False
    reach = 0.15 * other.pitch
    inside = grid.left <= other.left + reach and grid.top <= other.top + reach
    inside &= grid.box[2] >= other.box[2] - reach and grid.box[3] >= other.box[3] - reach
    return inside and abs(grid.pitch - other.pitch) < 0.02 * other.pitch


def grow(picture: Picture, grid: Grid) -> Grid:
    """Return the lattice with all lines of tiles around it that look like tiles inside of it."""
    inside = looks_of(canonical_tiles(picture, grid, SIDE))
    inside = inside[np.unique(inside.reshape(len(inside), -1).round(-1), axis=0, return_index=True)[1]]
    for _ in range(4 * max(grid.rows, grid.cols)):
        for larger, line in next_lines(grid):
            if in_picture(line, picture.shape) and _belongs(looks_of(canonical_tiles(picture, line, SIDE)), inside):
                grid = larger
                break
        else:
            return grid
    return grid


def trim(picture: Picture, grid: Grid) -> Grid:
    """Return the lattice without lines at its rim that are alike all along but like nothing inside: a title, a bar.

    A board of a standard size has none.
    """
    while min(grid.rows, grid.cols) > FEWEST_TILES and (grid.rows, grid.cols) not in STANDARD_SIZES:
        smaller = next((inside for inside, outside in _cut_off(grid) if _strange(picture, inside, outside)), None)
        if smaller is None:
            return grid
        grid = smaller
    return grid


MOST_LINES_BESIDE = 3
"""So many lines of tiles may be beside a board on one side that are not its own: a frame with a bar behind it."""


def _cut_off(grid: Grid) -> Iterator[tuple[Grid, list[Grid]]]:
    """Yield for every side the lattice without some of its outermost lines of tiles there, and those lines."""
    for depth in range(1, MOST_LINES_BESIDE + 1):
        if grid.rows - depth >= FEWEST_TILES:
            rows = [replace(grid, top=grid.top + row * grid.pitch_y, rows=1) for row in range(grid.rows)]
            fewer = replace(grid, rows=grid.rows - depth)
            yield replace(fewer, top=grid.top + depth * grid.pitch_y), rows[:depth]
            yield fewer, rows[-depth:]
        if grid.cols - depth >= FEWEST_TILES:
            cols = [replace(grid, left=grid.left + col * grid.pitch_x, cols=1) for col in range(grid.cols)]
            narrower = replace(grid, cols=grid.cols - depth)
            yield replace(narrower, left=grid.left + depth * grid.pitch_x), cols[:depth]
            yield narrower, cols[-depth:]


def _strange(picture: Picture, grid: Grid, lines: list[Grid]) -> bool:
    """Whether some lines of tiles beside a lattice are like nothing on it: alike all along, or like none of it."""
    inside = looks_of(canonical_tiles(picture, grid, SIDE))
    for line in lines:
        looks = looks_of(canonical_tiles(picture, line, SIDE))
        like_inside = (apart(looks, inside).min(axis=1) <= LIKE).mean()
        even = (apart(np.median(looks, axis=0)[None], looks) <= LIKE).mean() >= 0.6
        if like_inside >= 0.3 or not (even or (like_inside == 0 and _repeats(inside))):
            return False
    return True


def _repeats(looks: Looks) -> bool:
    """Whether nearly every tile has its like among the others, as on a board that nothing lies upon."""
    return bool((apart_from_others(looks).min(axis=1) <= LIKE).mean() >= 0.95)


def _belongs(line: Looks, inside: Looks) -> bool:
    """Whether nearly all of a line's tiles look like tiles inside. A line of bare ground looks like anything."""
    alike = apart(line, inside).min(axis=1) <= LIKE
    bare = np.ptp(line, axis=(0, 1)).max() < 2
    return bool(alike.mean() >= 0.9 and not bare)


def _straightened(picture: Picture, grid: Grid) -> Grid:
    """Return a lattice that has grown, moved and stretched to where most edges lie on its lines."""
    left, top, right, bottom = (max(0, round(edge)) for edge in grid.box)
    strong = _strong(picture)[top:bottom, left:right].astype(np.int16)
    across = np.abs(np.diff(strong, axis=1, prepend=strong[:, :1])).max(axis=2).mean(axis=0)
    down = np.abs(np.diff(strong, axis=0, prepend=strong[:1])).max(axis=2).mean(axis=1)
    start_x, pitch_x = _straightened_axis(across, grid.left - left, grid.pitch_x, grid.cols)
    start_y, pitch_y = _straightened_axis(down, grid.top - top, grid.pitch_y, grid.rows)
    return replace(grid, left=left + start_x, top=top + start_y, pitch_x=pitch_x, pitch_y=pitch_y)


def _straightened_axis(edges: Profile, start: float, pitch: float, count: int) -> tuple[float, float]:
    """Return the start and pitch, near the given ones, of the lines that most of a profile's edges lie on."""
    smooth = cv2.GaussianBlur(edges.astype(np.float32).reshape(1, -1), (0, 0), 0.7)[0]
    shifts = np.arange(-2.0, 2.01, 0.1)
    stretches = np.arange(-3.0, 3.01, 0.2) / count
    return best_comb(smooth, start, pitch, np.arange(1, count), shifts, stretches)
