"""Exact lattices: a rough one moved onto its lines, and cut to the tiles that are framed by them.

Promises lines known to fractions of a pixel and a rim that follows the framed tiles, with whatever a dialog hides
between them. A lattice without enough framed tiles is none. The numbers were set by hand, on pictures of games.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.find.edges import Edges, Lines, Mask, Profile, best_comb, straight
from bot.vision.grid import FEWEST_TILES, SMALLEST_PITCH, STANDARD_SIZES, Grid, square, squared

FINER, MOSTLY_FRAMED = (2, 3), 0.7
"""Parts of a pitch that may be the true one, and the share of such parts of framed tiles that are framed then."""

MOST_TURNS = 8
"""So many times lines and rims are settled by turns; a few are enough, but two answers may take turns for ever."""


def settle(edges: Edges, rough: Grid) -> list[tuple[float, Grid]]:
    """Return (score, lattice) with exact lines and rims for a rough one, or nothing when its tiles are not framed."""
    best = _settle_at(edges, rough)
    for divisor in FINER:  # junctions may have been missed so that only every second or third line was seen
        if best is None or rough.pitch / divisor < SMALLEST_PITCH:
            break
        framed, grid = best
        finer = replace(
            grid,
            pitch_x=grid.pitch_x / divisor,
            pitch_y=grid.pitch_y / divisor,
            rows=grid.rows * divisor,
            cols=grid.cols * divisor,
        )
        if np.count_nonzero(_framed(edges, finer) >= FRAMED) > MOSTLY_FRAMED * divisor**2 * framed:
            found = _settle_at(edges, finer)
            best = found if found and found[0] > MOSTLY_FRAMED * divisor**2 * framed else best
    return [] if best is None or not square(best[1]) else [best]


def _settle_at(edges: Edges, grid: Grid) -> tuple[float, Grid] | None:
    """Return (number of framed tiles, lattice) for a rough lattice, or None when it is none."""
    score = 0.0
    for _ in range(MOST_TURNS):
        before = grid
        grid = _sharpen(edges, grid)
        cut = _cut(_framed(edges, grid), grid)
        if cut is None:
            return None
        score, grid = cut
        if (grid.rows, grid.cols) == (before.rows, before.cols) and abs(grid.left - before.left) < grid.pitch / 2:
            break
    return score, _within(grid, edges.across.shape)


def _sharpen(edges: Edges, grid: Grid) -> Grid:
    """Return the lattice moved and stretched so that its lines lie on the lines of the picture."""
    left, top, right, bottom = grid.box
    height, width = edges.across.shape
    rows = slice(max(int(top), 0), min(int(bottom) + 1, height))
    cols = slice(max(int(left), 0), min(int(right) + 1, width))
    across = cv2.reduce(edges.across[rows], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[0]
    down = cv2.reduce(edges.down[:, cols], 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[:, 0]
    middle_x, pitch_x = sharpen_axis(across, left, grid.pitch_x, grid.cols)
    middle_y, pitch_y = sharpen_axis(down, top, grid.pitch_y, grid.rows)
    if min(grid.cols, grid.rows) < FEWEST_TILES:  # of one or two lines no pitch can be told
        pitch_x = pitch_y = pitch_x if grid.cols > grid.rows else pitch_y
    pitch_x, pitch_y = squared(pitch_x, pitch_y, grid.cols, grid.rows)
    left = middle_x - grid.cols / 2 * pitch_x - pull_of_light(pitch_x)
    top = middle_y - grid.rows / 2 * pitch_y - pull_of_light(pitch_y)
    return replace(grid, left=float(left), top=float(top), pitch_x=float(pitch_x), pitch_y=float(pitch_y))


LEAST_PULL, PULL = 0.4, 0.015
"""How far the light side of a line draws its middle away: pixels at least, and tiles."""


def pull_of_light(pitch: float) -> float:
    """Return how far the bevel that follows a line, lit from the left top in every look, draws its middle away."""
    return max(LEAST_PULL, PULL * pitch)


LEAST_SMOOTH, SMOOTH = 1.2, 0.05
"""Pixels at least, and tiles, over which a profile is smoothed, so that both edges of a line are one peak."""

MOST_ROUGH, ROUGH, WRONG_PITCH = 3.0, 0.12, 0.02
"""How far a rough lattice's lines may be off: so many tiles, but not more pixels; and as much as its pitch is."""

TRIED, REST = 31, 0.75
"""Places tried along that reach, and by which part of it the last line may be off beside the middle one."""

FEWEST_TRUSTED, SURE_OFF, STRAY = 3, 0.7, 2
"""So many lines make a straight fit. Of them those count that are off by so many pixels, or times what is usual."""


def sharpen_axis(profile: Profile, origin: float, pitch: float, count: int) -> tuple[float, float]:
    """Return (middle of the lattice, pitch) of the evenly spaced lines in a profile, near the given ones.

    First the comb that gathers most edges (a line has one on either side; smoothing joins them into one peak), then
    a straight fit through the middles of the single lines. The board's frame draws rim lines thicker outwards, so
    only the lines inside are trusted.
    """
    if count < 2:
        return origin + pitch * count / 2, pitch
    width = max(LEAST_SMOOTH, SMOOTH * pitch)
    smooth = cv2.GaussianBlur(profile.reshape(1, -1), (0, 0), width, borderType=cv2.BORDER_REPLICATE)[0]
    index = np.arange(1, count) - count / 2
    reach = min(MOST_ROUGH, ROUGH * pitch) + WRONG_PITCH * pitch
    shifts = np.linspace(-reach, reach, TRIED)
    middle, pitch = best_comb(smooth, origin + pitch * count / 2, pitch, index, shifts, shifts / (REST * count))
    for _ in range(2):
        lines = middle + index * pitch
        found, trust = _line_middles(profile, lines, pitch)
        if np.count_nonzero(trust) < FEWEST_TRUSTED or pitch < SMALLEST_PITCH / 2:
            break
        off = (found - lines)[trust]
        stray = abs(off - np.median(off))
        keep = stray <= max(SURE_OFF, STRAY * float(np.median(stray)))
        middle, pitch = straight(index[trust][keep], found[trust][keep])
    return middle, pitch


LINE_REACH, FAINT = 0.12, 0.1
"""Tiles around its place in which a line's middle is, and how strong it is for that, where the usual one is 1."""


def _line_middles(profile: Profile, lines: Lines, pitch: float) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the middle of the edges near each of the given places, and which of them can be trusted."""
    reach = max(2, round(LINE_REACH * pitch))
    window = np.rint(lines).astype(int)[:, None] + np.arange(-reach, reach + 1)
    visible = (window > 0) & (window < len(profile))
    weight = np.where(visible, profile[np.clip(window, 0, len(profile) - 1)], 0) ** 2
    total = weight.sum(axis=1)
    trust = total > FAINT * np.median(total)
    return (weight * window).sum(axis=1) / np.maximum(total, 1e-6), trust


MARGIN = 3
"""How many tiles beyond each rim of a rough lattice are looked at."""


LEAST_LINE, LINE, USUAL = 5.0, 0.16, 80
"""Grey levels by which a side of a tile is a line: at least, and as a part of the percentile that is usual."""

FRAMED = 3
"""So many sides of a tile that are lines make it framed; a neighbour's shade or a window may hide the fourth."""


def _framed(edges: Edges, grid: Grid) -> NDArray[np.uint8]:
    """Return how many sides of each tile are lines, 0 to 4, shape (rows + 2·MARGIN, cols + 2·MARGIN)."""
    xs = grid.left + np.arange(-MARGIN, grid.cols + MARGIN + 1) * grid.pitch_x
    ys = grid.top + np.arange(-MARGIN, grid.rows + MARGIN + 1) * grid.pitch_y
    vertical = _segments(edges.across, xs, ys, grid.pitch)
    horizontal = _segments(edges.down.T, ys, xs, grid.pitch).T
    inner = slice(MARGIN, -MARGIN)
    usual = np.percentile(np.concatenate([vertical[inner, inner].ravel(), horizontal[inner, inner].ravel()]), USUAL)
    enough = max(LEAST_LINE, LINE * float(usual))
    sides = (vertical[:, :-1] >= enough).astype(np.uint8) + (vertical[:, 1:] >= enough)
    sides += (horizontal[:-1] >= enough).astype(np.uint8) + (horizontal[1:] >= enough)
    return np.asarray(sides)


OFF_LINE, CORNER = 0.06, 0.2
"""Tiles by which a side may lie off its line, and that are left out at both of its ends, where tiles are round."""


def _segments(steps: Mask, lines: Lines, bounds: Lines, pitch: float) -> NDArray[np.float32]:
    """Return how strong each line is between each two bounds, shape (bounds − 1, lines).

    The strength is the mean edge along the middle of the segment, at the best offset from the line. Beyond the
    picture there is nothing; a line on the picture's very rim counts as strong, for its other side is out of sight.
    """
    height, width = steps.shape
    reach = max(1, round(OFF_LINE * pitch))
    offsets = np.arange(-reach, reach + 1)
    columns = np.rint(lines).astype(int)[:, None] + offsets
    visible = (columns >= 1) & (columns < width)
    picked = steps[:, np.clip(columns, 0, width - 1).ravel()].astype(np.int32)
    sums = np.zeros((height + 1, picked.shape[1]), dtype=np.int32)
    np.cumsum(picked, axis=0, out=sums[1:])
    start = np.clip(np.rint(bounds[:-1] + CORNER * pitch), 0, height).astype(int)
    end = np.clip(np.rint(bounds[1:] - CORNER * pitch), 0, height).astype(int)
    means = (sums[end] - sums[start]) / max(1.0, (1 - 2 * CORNER) * pitch)
    strength = np.where(visible, means.reshape(len(start), len(lines), len(offsets)), 0).max(axis=2)
    at_rim = (abs(lines) <= RIM * pitch) | (abs(lines - width) <= RIM * pitch)
    strength[:, at_rim] = 255
    return np.asarray(strength, dtype=np.float32)


RIM = 0.12
"""How much of a tile, as a part of the pitch, may be cut off at the picture's rim."""


FEWEST_FRAMED, FEWEST_ROWS = 0.15, 2
"""The share of a lattice's tiles that must be framed: a dialog may hide most of a board, and digits break lines.

One row of squares is found everywhere; what a dialog leaves of a board may be two.
"""


def _cut(sides: NDArray[np.uint8], grid: Grid) -> tuple[float, Grid] | None:
    """Return (number of framed tiles, lattice) of the framed tiles, or None when there are too few."""
    rows, cols = _block(sides, grow=False)
    if (rows.stop - rows.start, cols.stop - cols.start) not in STANDARD_SIZES:
        rows, cols = _block(sides, grow=True)
    height, width = rows.stop - rows.start, cols.stop - cols.start
    count = int(np.count_nonzero(sides[rows, cols] >= FRAMED))
    if height < FEWEST_ROWS or width < FEWEST_TILES or count < FEWEST_FRAMED * height * width:
        return None
    left, top = grid.left + (cols.start - MARGIN) * grid.pitch_x, grid.top + (rows.start - MARGIN) * grid.pitch_y
    return float(count), replace(grid, left=left, top=top, rows=height, cols=width)


def _block(sides: NDArray[np.uint8], grow: bool) -> tuple[slice, slice]:
    """Return the rows and columns that tiles with lines around them fill; see `_run`."""
    framed, wholly_framed = sides >= FRAMED, sides == 4
    low, high = [0, 0], list(framed.shape)
    for _ in range(3):
        for axis in (0, 1):
            part = slice(low[0], high[0]), slice(low[1], high[1])
            share, whole = (each[part].mean(axis=1 - axis) for each in (framed, wholly_framed))
            first, last = _run(share, whole, framed[part].shape[1 - axis] if grow else 0)
            low[axis], high[axis] = low[axis] + first, low[axis] + last + 1
    return slice(low[0], high[0]), slice(low[1], high[1])


MOST_OF_A_LINE, OF_THE_BEST, WHOLE = 0.5, 0.8, 0.3
"""Framed tiles of a line of the board, as a share of all or else of the best line's; and of wholly framed ones."""

AT_AN_END, WHOLLY = 0.12, 2
"""Of a line that sticks out from under a dialog, the share of framed tiles, and how many are wholly so."""


def _run(share: NDArray[np.float64], whole: NDArray[np.float64], length: int) -> tuple[int, int]:
    """Return the first and last line of a board, from the share of framed and of wholly framed tiles in each line.

    Lines mostly framed belong to it, with whatever a dialog hides between them; text beside a window is framed by
    chance, but hardly wholly so. From there the board reaches as far as lines of `length` tiles follow each other that
    have some wholly framed ones, at the ends that stick out from under a dialog; not at all when it is 0.
    """
    sure = share >= min(MOST_OF_A_LINE, OF_THE_BEST * float(share.max()))
    first = last = int(np.where(sure, share + whole, 0).argmax())
    while first > 0 and sure[first - 1]:
        first -= 1
    while last < len(share) - 1 and sure[last + 1]:
        last += 1
    certain = [first, *np.flatnonzero(sure & (whole >= WHOLE)).tolist(), last]
    first, last = min(certain), max(certain)
    while first > 0 and share[first - 1] >= AT_AN_END and whole[first - 1] * length >= WHOLLY:
        first -= 1
    while last < len(share) - 1 and share[last + 1] >= AT_AN_END and whole[last + 1] * length >= WHOLLY:
        last += 1
    return first, last


def _within(grid: Grid, shape: tuple[int, ...]) -> Grid:
    """Return the lattice without tiles that the picture's rim cuts, unless they complete a standard board."""
    if (grid.rows, grid.cols) in STANDARD_SIZES:
        return grid
    left, top, right, bottom = cut_by_rim(grid, shape)
    return replace(
        grid,
        left=grid.left + left * grid.pitch_x,
        top=grid.top + top * grid.pitch_y,
        cols=grid.cols - left - right,
        rows=grid.rows - top - bottom,
    )


SHADE, LEAST_LOST, LOST = 0.025, 0.3, 0.01
"""Tiles of a line that must be in sight left of and above a tile; pixels at least and tiles that may be cut off else.

So labelled the people who counted the rows and columns of pictures that others had cropped.
"""


def cut_by_rim(grid: Grid, shape: tuple[int, ...]) -> tuple[bool, bool, bool, bool]:
    """Return whether a picture of a shape cuts tiles of a lattice off: on the left, above, on the right, below."""
    left, top, right, bottom = grid.box
    # A tile's shade lies on the lines above and left of it: there, some of the line itself must be in the picture.
    shade, lost = SHADE * grid.pitch - pull_of_light(grid.pitch), max(LEAST_LOST, LOST * grid.pitch)
    return left < shade, top < shade, right > shape[1] + lost, bottom > shape[0] + lost
