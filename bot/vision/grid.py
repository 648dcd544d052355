"""Where the tiles are: a picture's tile lattice, found from straight lines alone.

Promises the corner and the pitch of every regular lattice of squares in a picture as fractions of a pixel, for tiles of
12 to 80 pixels, whatever its colours, on a bare board or a whole desktop, with a dialog or a window over part of it.
It does not know what a tile shows: a spreadsheet is a lattice too, and only the reader, which knows skins, says
whether a lattice is a board.

How: edges that run straight for longer than a letter are lines; where a line across meets a line down is a junction;
junctions one pitch apart, across and down, hang together as a net; the net with a least-squares fit is the lattice.
Junctions are local, so nothing elsewhere on the desktop can spoil them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.level import LEVELS
from bot.picture import Picture

Mask = NDArray[np.uint8]
Profile = NDArray[Any]  # float32, one value per column or row of pixels
Lines = NDArray[Any]  # float64, places of lines in pixels
Points = NDArray[np.float64]

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


def find_grid(picture: Picture) -> Grid | None:
    """Return the best lattice in the picture, or None when there is none."""
    return next(iter(find_grids(picture)), None)


def find_grids(picture: Picture) -> list[Grid]:
    """Return the lattices in the picture, the largest and most regular first. It may be empty."""
    if min(picture.shape[:2]) < FEWEST_TILES * SMALLEST_PITCH:
        return []
    look = _Look.of(picture)
    for threshold in (24, 5):  # most looks draw their lines clearly; a few only hint at them
        settled: list[tuple[float, Grid]] = []
        for scale in (1, 2):  # at half the size, the thick lines of large tiles are as thin as those of small ones
            for _, grid in sorted(_nets(look, threshold, scale), key=lambda candidate: -candidate[0])[:6]:
                if not any(_same(grid, other) for _, other in settled):
                    settled += _settle(look, grid)
            if any(framed > max(40, 0.8 * grid.rows * grid.cols) for framed, grid in settled):
                break
        if settled:
            break
    settled.sort(key=lambda candidate: -candidate[0])
    return _distinct(_uncovered(look, grid) for _, grid in settled)


def _distinct(grids: Iterable[Grid]) -> list[Grid]:
    kept: list[Grid] = []
    for grid in grids:
        if not any(_same(grid, other) for other in kept):
            kept.append(grid)
    return kept


@dataclass(frozen=True)
class _Look:
    """How much a pixel's brightness differs from its neighbour's, each of shape (height, width)."""

    across: Mask  # from the one on its left
    down: Mask  # from the one above it

    @classmethod
    def of(cls, picture: Picture) -> _Look:
        blue, green, red = cv2.split(picture)
        light = cv2.max(cv2.max(blue, green), red)  # dark blue is as far from a black line as white is
        across, down = (np.zeros(light.shape, dtype=np.uint8) for _ in range(2))
        cv2.absdiff(light[:, 1:], light[:, :-1], dst=across[:, 1:])
        cv2.absdiff(light[1:], light[:-1], dst=down[1:])
        return cls(across, down)


def _nets(look: _Look, threshold: int, scale: int) -> Iterator[tuple[float, Grid]]:
    """Yield every net of junctions at one scale as (score, lattice in the full picture's pixels)."""
    across, down = look.across, look.down
    if scale > 1:
        across, down = _shrink(across), _shrink(down)
    points = _junctions(across, down, threshold)
    if len(points) < (FEWEST_TILES + 1) ** 2 // 2:
        return
    points *= scale
    for pitch, net in sorted(_connected(points, scale), key=lambda found: -len(found[1]))[:8]:
        fitted = _fit(pitch, net, points, scale)
        if fitted is not None:
            yield fitted


def _shrink(mask: Mask) -> Mask:
    """Return the largest of every 2×2 pixels, so that thin lines stay as strong as they are."""
    height, width = (size // 2 * 2 for size in mask.shape)
    pairs = cv2.max(mask[0:height:2, :width], mask[1:height:2, :width])
    return np.asarray(cv2.max(np.ascontiguousarray(pairs[:, 0::2]), np.ascontiguousarray(pairs[:, 1::2])))


LINE, GAP = 15, 5
"""A line runs for at least so many pixels, and may be interrupted for so many (where it crosses another)."""


def _junctions(across: Mask, down: Mask, threshold: int) -> Points:
    """Return where lines across and lines down meet, shape (n, 2), x and y."""
    vertical = _lines(across, threshold, (1, GAP), (1, LINE))
    horizontal = _lines(down, threshold, (GAP, 1), (LINE, 1))
    reach = np.ones((3, 3), np.uint8)
    crossing = cv2.bitwise_and(cv2.dilate(vertical, reach), cv2.dilate(horizontal, reach))
    # Half the size is exact enough here and four times as fast.
    _, _, _, centers = cv2.connectedComponentsWithStats(
        _shrink(np.asarray(cv2.dilate(crossing, reach), dtype=np.uint8)), connectivity=8
    )
    return np.asarray(centers[1:] * 2 + 0.5, dtype=np.float64)


def _lines(steps: Mask, threshold: int, gap: tuple[int, int], length: tuple[int, int]) -> Mask:
    edges = cv2.threshold(steps, threshold, 255, cv2.THRESH_BINARY)[1]
    joined = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones(gap[::-1], np.uint8))
    return np.asarray(cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones(length[::-1], np.uint8)))


def _connected(points: Points, slack: float) -> Iterator[tuple[float, Points]]:
    """Yield (pitch, points) for every set of junctions that hang together by steps of one pitch."""
    right = _neighbours(points, 0, slack)
    below = _neighbours(points, 1, slack)
    for pitch in _likely_pitches(right.gaps, below.gaps):
        reach = max(1.5, 0.05 * pitch) * slack
        steps = np.concatenate([pairs.members[abs(pairs.gaps - pitch) <= reach] for pairs in (right, below)])
        labels = _components(len(points), steps)
        names, sizes = np.unique(labels, return_counts=True)
        for name in names[sizes >= max(FEWEST_TILES * 2, 0.1 * sizes.max())]:
            yield pitch, points[labels == name]


@dataclass(frozen=True)
class _Pairs:
    members: NDArray[np.int64]  # shape (n, 2): which point and which neighbour
    gaps: NDArray[np.float64]  # shape (n,): pixels between them


def _neighbours(points: Points, axis: int, slack: float) -> _Pairs:
    """Return each point's next few neighbours along an axis (0 right of it, 1 below it), off that line by little."""
    along, aside = points[:, axis], points[:, 1 - axis]
    off = 2.0 * slack
    members, gaps = [], []
    for shift in (0.0, off):  # two rows of bands, so that near points share one of either
        band = np.floor((aside + shift) / (2 * off))
        order = np.lexsort((along, band))
        for step in (1, 2, 3):
            first, second = order[:-step], order[step:]
            gap = along[second] - along[first]
            fits = (band[first] == band[second]) & (abs(aside[first] - aside[second]) <= off)
            fits &= (gap >= SMALLEST_PITCH) & (gap <= LARGEST_PITCH)
            members.append(np.stack([first[fits], second[fits]], axis=1))
            gaps.append(gap[fits])
    return _Pairs(np.concatenate(members), np.concatenate(gaps))


def _likely_pitches(right: NDArray[np.float64], below: NDArray[np.float64]) -> list[float]:
    """Return the gaps that occur most often both across and down, most frequent first."""
    bins = np.arange(SMALLEST_PITCH - 2, LARGEST_PITCH + 2, 0.5)
    kernel = np.array([0.5, 1, 1, 1, 0.5])
    counts = [np.convolve(np.histogram(gaps, bins)[0], kernel, "same") for gaps in (right, below)]
    common = np.minimum(*counts)
    pitches: list[float] = []
    while len(pitches) < 6 and common.max() >= FEWEST_TILES * 2:
        peak = int(common.argmax())
        pitches.append(float(bins[peak] + 0.25))
        common[max(peak - 3, 0) : peak + 4] = 0
    return pitches


def _components(count: int, steps: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a label for each of `count` points, equal for points joined by steps."""
    labels = np.arange(count)
    first, second = steps[:, 0], steps[:, 1]
    while True:
        before = labels.copy()
        lower = np.minimum(labels[first], labels[second])
        np.minimum.at(labels, first, lower)
        np.minimum.at(labels, second, lower)
        labels = labels[labels]
        if np.array_equal(labels, before):
            return labels


def _fit(pitch: float, net: Points, points: Points, slack: float) -> tuple[float, Grid] | None:
    """Return (score, lattice) through a net, grown over all junctions that lie on it; None when they are no lattice."""
    axes = []
    for axis in (0, 1):
        fitted = _fit_axis(net[:, axis], pitch)
        if fitted is None:
            return None
        axes.append(fitted)
    (left, pitch_x), (top, pitch_y) = axes
    if not 0.94 < pitch_x / pitch_y < 1.06:
        return None
    across, down = (np.ptp(net[:, axis]) / pitch for axis in (0, 1))
    pitch_x, pitch_y = _squared(pitch_x, pitch_y, round(across), round(down))
    place = (points - (left, top)) / (pitch_x, pitch_y)
    node = np.rint(place).astype(int)
    on_node = (abs(place - node) * (pitch_x, pitch_y)).max(axis=1) <= max(1.5 * slack, 0.1 * pitch)
    nodes = np.unique(node[on_node], axis=0)
    span = _span(nodes, np.rint((net - (left, top)) / (pitch_x, pitch_y)).astype(int))
    if span is None:
        return None
    (first_col, last_col), (first_row, last_row) = span
    inside = (nodes >= (first_col, first_row)).all(axis=1) & (nodes <= (last_col, last_row)).all(axis=1)
    cols, rows = last_col - first_col, last_row - first_row
    filled = np.count_nonzero(inside) / ((cols + 1) * (rows + 1))
    if cols < FEWEST_TILES or rows < 1 or filled < 0.2:
        return None
    grid = Grid(left + first_col * pitch_x, top + first_row * pitch_y, pitch_x, pitch_y, rows, cols)
    return float(np.count_nonzero(inside)) * min(1.0, 2 * filled), grid


def _fit_axis(values: NDArray[np.float64], pitch: float) -> tuple[float, float] | None:
    """Return (origin, pitch) of the evenly spaced values nearest to most of the given ones."""
    origin = float(np.sort(values)[len(values) // 2])
    for reach in (4, 8, 16, 64):  # steps from the middle: the pitch sharpens as the net widens
        index = np.rint((values - origin) / pitch)
        near = (abs(index) <= reach) & (abs(values - origin - index * pitch) < 0.2 * pitch)
        if np.count_nonzero(near) < FEWEST_TILES or np.ptp(index[near]) < 1:
            continue
        origin, pitch = _straight(index[near], values[near])
    return (origin, pitch) if SMALLEST_PITCH <= pitch <= LARGEST_PITCH else None


def _straight(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """Return (value at 0, slope) of the straight line through points, by least squares."""
    x_mean, y_mean = float(x.mean()), float(y.mean())
    slope = float(((x - x_mean) * (y - y_mean)).sum() / max(1e-9, float(((x - x_mean) ** 2).sum())))
    return y_mean - slope * x_mean, slope


def _span(nodes: NDArray[np.int64], net: NDArray[np.int64]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the first and last line in use, across and down; rim lines that hardly any junction lies on are cut."""
    low, high = net.min(axis=0), net.max(axis=0)
    for _ in range(4):
        before = (*low, *high)
        for axis in (0, 1):
            other = 1 - axis
            within = nodes[(nodes[:, other] >= low[other]) & (nodes[:, other] <= high[other])]
            lines, counts = np.unique(within[:, axis], return_counts=True)
            enough = lines[counts >= max(2, 0.35 * (high[other] - low[other] + 1))]
            if len(enough) < 2:
                return None
            low[axis], high[axis] = enough[0], enough[-1]
        if (*low, *high) == before:
            break
    return (int(low[0]), int(high[0])), (int(low[1]), int(high[1]))


def _same(one: Grid, other: Grid) -> bool:
    """Whether two lattices cover nearly the same tiles."""
    left, top = max(one.box[0], other.box[0]), max(one.box[1], other.box[1])
    right, bottom = min(one.box[2], other.box[2]), min(one.box[3], other.box[3])
    shared = max(0.0, right - left) * max(0.0, bottom - top)
    areas = [(box[2] - box[0]) * (box[3] - box[1]) for box in (one.box, other.box)]
    return shared > 0.6 * min(areas)


def _settle(look: _Look, rough: Grid) -> list[tuple[float, Grid]]:
    """Return (score, lattice) with exact lines and rims for a rough one, or nothing when its tiles are not framed."""
    best = _settle_at(look, rough)
    for divisor in (2, 3):  # junctions may have been missed so that only every second or third line was seen
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
        if np.count_nonzero(_framed(look, finer) >= 3) > 0.7 * divisor**2 * framed:
            best = _settle_at(look, finer) or best
    return [] if best is None else [best]


def _settle_at(look: _Look, grid: Grid) -> tuple[float, Grid] | None:
    """Return (number of framed tiles, lattice) for a rough lattice, or None when it is none."""
    score = 0.0
    for _ in range(8):
        before = grid
        grid = _sharpen(look, grid)
        cut = _cut(_framed(look, grid), grid)
        if cut is None:
            return None
        score, grid = cut
        if (grid.rows, grid.cols) == (before.rows, before.cols) and abs(grid.left - before.left) < grid.pitch / 2:
            break
    return score, _within(grid, look.across.shape)


def _sharpen(look: _Look, grid: Grid) -> Grid:
    """Return the lattice moved and stretched so that its lines lie on the lines of the picture."""
    left, top, right, bottom = grid.box
    height, width = look.across.shape
    rows = slice(max(int(top), 0), min(int(bottom) + 1, height))
    cols = slice(max(int(left), 0), min(int(right) + 1, width))
    across = cv2.reduce(look.across[rows], 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[0]
    down = cv2.reduce(look.down[:, cols], 1, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[:, 0]
    middle_x, pitch_x = _sharpen_axis(across, left, grid.pitch_x, grid.cols)
    middle_y, pitch_y = _sharpen_axis(down, top, grid.pitch_y, grid.rows)
    pitch_x, pitch_y = _squared(pitch_x, pitch_y, grid.cols, grid.rows)
    left = middle_x - grid.cols / 2 * pitch_x - _pull_of_light(pitch_x)
    top = middle_y - grid.rows / 2 * pitch_y - _pull_of_light(pitch_y)
    return replace(grid, left=float(left), top=float(top), pitch_x=float(pitch_x), pitch_y=float(pitch_y))


def _squared(pitch_x: float, pitch_y: float, cols: int, rows: int) -> tuple[float, float]:
    """Return one pitch for both when they are as near as they must be on square tiles, else both as they are."""
    doubt = 0.01 + 2.5 / (min(pitch_x, pitch_y) * max(1, min(cols, rows)))
    if abs(pitch_x / pitch_y - 1) > doubt:
        return pitch_x, pitch_y
    # The longer side knows the pitch better: the error of a straight fit falls with the cube of its length.
    pitch = float(np.average([pitch_x, pitch_y], weights=[cols**3, rows**3]))
    return pitch, pitch


def _pull_of_light(pitch: float) -> float:
    """Return how far the bevel that follows a line, lit from the left top in every look, draws its middle away."""
    return max(0.4, 0.015 * pitch)


def _sharpen_axis(edges: Profile, origin: float, pitch: float, count: int) -> tuple[float, float]:
    """Return (middle of the lattice, pitch) of the evenly spaced lines in a profile, near the given ones.

    First the comb that gathers most edges (a line has one on either side; smoothing joins them into one peak), then
    a straight fit through the middles of the single lines. The board's frame draws rim lines thicker outwards, so
    only the lines inside are trusted.
    """
    if count < 2:
        return origin + pitch * count / 2, pitch
    smooth = cv2.GaussianBlur(edges.reshape(1, -1), (0, 0), max(1.2, 0.05 * pitch), borderType=cv2.BORDER_REPLICATE)[0]
    index = np.arange(1, count) - count / 2
    middle = origin + pitch * count / 2
    reach = min(3.0, 0.12 * pitch) + 0.02 * pitch
    shifts = np.linspace(-reach, reach, 31)
    stretches = shifts / (0.75 * count)
    combs = (middle + shifts)[:, None, None] + index * (pitch + stretches)[None, :, None]
    gathered = np.interp(combs, np.arange(len(smooth)), smooth, left=0, right=0).sum(axis=2)
    shift, stretch = np.unravel_index(int(gathered.argmax()), gathered.shape)
    middle, pitch = middle + float(shifts[shift]), pitch + float(stretches[stretch])
    for _ in range(2):
        lines = middle + index * pitch
        found, trust = _line_middles(edges, lines, pitch)
        if np.count_nonzero(trust) < 3 or pitch < SMALLEST_PITCH / 2:
            break
        off = (found - lines)[trust]
        keep = abs(off - np.median(off)) <= max(0.7, 2 * float(np.median(abs(off - np.median(off)))))
        middle, pitch = _straight(index[trust][keep], found[trust][keep])
    return middle, pitch


def _line_middles(edges: Profile, lines: Lines, pitch: float) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return the middle of the edges near each of the given places, and which of them can be trusted."""
    reach = max(2, round(0.12 * pitch))
    window = np.rint(lines).astype(int)[:, None] + np.arange(-reach, reach + 1)
    visible = (window > 0) & (window < len(edges))
    weight = np.where(visible, edges[np.clip(window, 0, len(edges) - 1)], 0) ** 2
    total = weight.sum(axis=1)
    trust = total > 0.1 * np.median(total)
    return (weight * window).sum(axis=1) / np.maximum(total, 1e-6), trust


MARGIN = 3
"""How many tiles beyond each rim of a rough lattice are looked at."""


def _framed(look: _Look, grid: Grid) -> NDArray[np.uint8]:
    """Return how many sides of each tile are lines, 0 to 4, shape (rows + 2·MARGIN, cols + 2·MARGIN)."""
    xs = grid.left + np.arange(-MARGIN, grid.cols + MARGIN + 1) * grid.pitch_x
    ys = grid.top + np.arange(-MARGIN, grid.rows + MARGIN + 1) * grid.pitch_y
    vertical = _segments(look.across, xs, ys, grid.pitch)
    horizontal = _segments(look.down.T, ys, xs, grid.pitch).T
    inner = slice(MARGIN, -MARGIN)
    usual = np.percentile(np.concatenate([vertical[inner, inner].ravel(), horizontal[inner, inner].ravel()]), 80)
    enough = max(5.0, 0.25 * float(usual))
    sides = (vertical[:, :-1] >= enough).astype(np.uint8) + (vertical[:, 1:] >= enough)
    sides += (horizontal[:-1] >= enough).astype(np.uint8) + (horizontal[1:] >= enough)
    return np.asarray(sides)


def _segments(steps: Mask, lines: Lines, bounds: Lines, pitch: float) -> NDArray[np.float32]:
    """Return how strong each line is between each two bounds, shape (bounds − 1, lines).

    The strength is the mean edge along the middle of the segment, at the best offset from the line. Beyond the
    picture there is nothing; a line on the picture's very rim counts as strong, for its other side is out of sight.
    """
    height, width = steps.shape
    reach = max(1, round(0.06 * pitch))
    offsets = np.arange(-reach, reach + 1)
    columns = np.rint(lines).astype(int)[:, None] + offsets
    visible = (columns >= 1) & (columns < width)
    picked = steps[:, np.clip(columns, 0, width - 1).ravel()].astype(np.int32)
    sums = np.zeros((height + 1, picked.shape[1]), dtype=np.int32)
    np.cumsum(picked, axis=0, out=sums[1:])
    start = np.clip(np.rint(bounds[:-1] + 0.2 * pitch), 0, height).astype(int)
    end = np.clip(np.rint(bounds[1:] - 0.2 * pitch), 0, height).astype(int)
    means = (sums[end] - sums[start]) / max(1.0, 0.6 * pitch)
    strength = np.where(visible, means.reshape(len(start), len(lines), len(offsets)), 0).max(axis=2)
    at_rim = (abs(lines) <= RIM * pitch) | (abs(lines - width) <= RIM * pitch)
    strength[:, at_rim] = 255
    return np.asarray(strength, dtype=np.float32)


RIM = 0.12
"""How much of a tile, as a part of the pitch, may be cut off at the picture's rim."""


def _cut(sides: NDArray[np.uint8], grid: Grid) -> tuple[float, Grid] | None:
    """Return (number of framed tiles, lattice) of the framed tiles, or None when there are too few."""
    framed, wholly_framed = sides >= 3, sides == 4
    low, high = np.array([0, 0]), np.array(framed.shape)
    for _ in range(3):
        for axis in (0, 1):
            part = slice(low[0], high[0]), slice(low[1], high[1])
            first, last = _run(framed[part].mean(axis=1 - axis), wholly_framed[part].sum(axis=1 - axis))
            low[axis], high[axis] = low[axis] + first, low[axis] + last + 1
    rows, cols = int(high[0] - low[0]), int(high[1] - low[1])
    if rows < 2 or cols < FEWEST_TILES:
        return None
    count = int(np.count_nonzero(framed[low[0] : high[0], low[1] : high[1]]))
    left = grid.left + (int(low[1]) - MARGIN) * grid.pitch_x
    top = grid.top + (int(low[0]) - MARGIN) * grid.pitch_y
    if count < 0.15 * rows * cols:
        return None
    return float(count), replace(grid, left=left, top=top, rows=rows, cols=cols)


def _run(share: NDArray[np.float64], whole: NDArray[np.int64]) -> tuple[int, int]:
    """Return the first and last line of a board, from the share of framed tiles in each line and how many are whole.

    Lines mostly framed belong to it, with whatever a dialog hides between them; from there it reaches as far as lines
    follow each other that have some wholly framed tiles, at the ends that stick out from under a dialog.
    """
    sure = np.flatnonzero(share >= min(0.5, 0.8 * float(share.max())))
    first, last = int(sure[0]), int(sure[-1])
    while first > 0 and share[first - 1] >= 0.12 and whole[first - 1] >= 2:
        first -= 1
    while last < len(share) - 1 and share[last + 1] >= 0.12 and whole[last + 1] >= 2:
        last += 1
    return first, last


def _within(grid: Grid, shape: tuple[int, ...]) -> Grid:
    """Return the lattice without tiles that the picture's rim cuts, unless they complete a standard board."""
    if (grid.rows, grid.cols) in STANDARD_SIZES:
        return grid
    left, top, right, bottom = grid.box
    visible = 0.025 * grid.pitch - _pull_of_light(grid.pitch)  # so much of the line itself must be in the picture
    cut_left, cut_top = int(left < visible), int(top < visible)
    cut_right, cut_bottom = int(right > shape[1] - visible), int(bottom > shape[0] - visible)
    return replace(
        grid,
        left=left + cut_left * grid.pitch_x,
        top=top + cut_top * grid.pitch_y,
        cols=grid.cols - cut_left - cut_right,
        rows=grid.rows - cut_top - cut_bottom,
    )


TOP_MARGIN = 30 / 18
"""From the upper rim of the client area to the first row, in tiles, in the Windows 7 game."""


def _uncovered(look: _Look, grid: Grid) -> Grid:
    """Return the lattice with the rows that a dialog hides above it, when the window around tells how many they are.

    The end dialog is often wider than the board and covers its upper rows from rim to rim. Its lower edge betrays it:
    a line that runs on beyond the board on both sides. What tells the first row is the board's own upper rim, where it
    still shows, or else the upper rim of the client area, a known distance above.
    """
    pitch, (left, top, right, bottom) = grid.pitch_y, grid.box
    if left < pitch or right + pitch > look.down.shape[1]:
        return grid
    inside = _coverage(look, left, right)
    beside = np.minimum(
        _coverage(look, left - 0.9 * pitch, left - 0.3 * pitch),
        _coverage(look, right + 0.3 * pitch, right + 0.9 * pitch),
    )
    through = (inside > 0.85) & (beside > 0.85)
    near_top = through[max(0, int(top - 1.2 * pitch)) : max(0, int(top + 0.3 * pitch))]
    if not near_top.any():
        return grid
    above = max(0, int(top - 0.5 * pitch))
    for rim in np.flatnonzero((inside > 0.85) & (beside < 0.3))[:]:
        rows = (bottom - rim) / pitch
        if rim < above and rows > grid.rows and abs(rows - round(rows)) < 0.15:
            return replace(grid, top=bottom - round(rows) * pitch, rows=round(rows))
    for rim in np.flatnonzero(through):
        rows = (bottom - rim) / pitch - TOP_MARGIN
        if rim < above and rows > grid.rows and abs(rows - round(rows)) < 0.25 and _calm_below(look, int(rim), grid):
            return replace(grid, top=bottom - round(rows) * pitch, rows=round(rows))
    return grid


def _coverage(look: _Look, left: float, right: float) -> NDArray[np.float64]:
    """Return for every row of pixels the share of it, between two columns, that is an edge; shape (height,)."""
    part = look.down[:, max(0, int(left)) : max(1, int(right))] > 8
    return np.asarray(part.mean(axis=1)) if part.shape[1] else np.zeros(len(look.down))


def _calm_below(look: _Look, line: int, grid: Grid) -> bool:
    """Whether nothing is drawn just below a line: the blurred scenery above a board, not a menu or a title."""
    strip = look.across[line + 2 : line + 2 + max(3, int(0.3 * grid.pitch)), int(grid.left) : int(grid.box[2])]
    return bool(strip.size and (strip > 16).mean() < 0.005)
