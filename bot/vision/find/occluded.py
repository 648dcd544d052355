"""Boards behind a dialog: the rows of a lattice that something in front hides, told by what still shows around it.

`uncovered` completes a lattice of which the lower rows show. `strips` finds boards of which no more than a part of the
last row does: evenly spaced lines that stand on a common one. So little proves no board: it is for the reader to find
the counters below it.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.level import LEVELS
from bot.vision.find.edges import Edges, Profile
from bot.vision.find.fit import pull_of_light, sharpen_axis
from bot.vision.find.junctions import Points, junctions
from bot.vision.grid import FEWEST_TILES, LARGEST_PITCH, SMALLEST_PITCH, Grid

Shares = NDArray[np.float64]

TOP_MARGIN = 30 / 18
"""From the upper rim of the client area to the first row, in tiles, in the Windows 7 game."""


def uncovered(edges: Edges, grid: Grid) -> Grid:
    """Return the lattice with the rows that a dialog hides above it, when the window around tells how many they are.

    What tells the first row is the board's own upper rim, where it still shows, or else the upper rim of the client
    area, a known distance above.
    """
    pitch, bottom = grid.pitch_y, grid.box[3]
    inside, on_the_left, on_the_right = _lines_across(edges, grid)
    beside = np.minimum(on_the_left, on_the_right)
    through = (inside > 0.85) & (beside > 0.85)
    if not _dialog_above(through, grid):
        return grid
    above = max(0, int(grid.top - 0.5 * pitch))
    for rim in np.flatnonzero((inside > 0.85) & (beside < 0.3)):
        rows = (bottom - rim) / pitch
        if rim < above and rows > grid.rows and abs(rows - round(rows)) < 0.15:
            return replace(grid, top=bottom - round(rows) * pitch, rows=round(rows))
    for rim in np.flatnonzero(through):
        rows = (bottom - rim) / pitch - TOP_MARGIN
        if rim < above and rows > grid.rows and abs(rows - round(rows)) < 0.25 and _calm_below(edges, int(rim), grid):
            return replace(grid, top=bottom - round(rows) * pitch, rows=round(rows))
    return grid


def completed(edges: Edges, grid: Grid, rows: int) -> Grid:
    """Return a lattice that a dialog hides rows of with all its rows, if there is room for them."""
    inside, on_the_left, on_the_right = _lines_across(edges, grid)
    through = (inside > 0.85) & (np.maximum(on_the_left, on_the_right) > 0.85)
    missing = (rows - grid.rows) * grid.pitch_y
    if _dialog_above(through, grid) and missing < grid.top:
        return replace(grid, top=grid.top - missing, rows=rows)
    if _dialog_below(through, grid) and grid.box[3] + missing < len(through):
        return replace(grid, rows=rows)
    return grid


def _dialog_above(through: NDArray[np.bool_], grid: Grid) -> bool:
    """Whether the lower edge of a dialog lies near the first row: a line that runs on beyond the board.

    The end dialog is often wider than the board and covers its upper rows from rim to rim.
    """
    near = slice(max(0, int(grid.top - 1.2 * grid.pitch_y)), max(0, int(grid.top + 0.95 * grid.pitch_y)))
    return bool(through[near].any())


def _dialog_below(through: NDArray[np.bool_], grid: Grid) -> bool:
    """Whether the upper edge of a dialog lies near the last row."""
    bottom = grid.box[3]
    return bool(through[max(0, int(bottom - 0.95 * grid.pitch_y)) : int(bottom + 1.05 * grid.pitch_y)].any())


def _lines_across(edges: Edges, grid: Grid) -> tuple[Shares, Shares, Shares]:
    """Return how much of each row of pixels is an edge within the board, left and right of it; each of shape (height,).

    Where the picture ends beside the board there is no telling, and nothing counts.
    """
    pitch, (left, _, right, _) = grid.pitch_x, grid.box
    inside = _coverage(edges, left, right)
    if left < pitch or right + pitch > edges.down.shape[1]:
        return inside, np.zeros_like(inside), np.zeros_like(inside)
    on_the_left = _coverage(edges, left - 0.9 * pitch, left - 0.3 * pitch)
    return inside, on_the_left, _coverage(edges, right + 0.3 * pitch, right + 0.9 * pitch)


def _coverage(edges: Edges, left: float, right: float) -> NDArray[np.float64]:
    """Return for every row of pixels the share of it, between two columns, that is an edge; shape (height,)."""
    part = edges.down[:, max(0, int(left)) : max(1, int(right))] > 8
    return np.asarray(part.mean(axis=1)) if part.shape[1] else np.zeros(len(edges.down))


def _calm_below(edges: Edges, line: int, grid: Grid) -> bool:
    """Whether nothing is drawn just below a line: the blurred scenery above a board, not a menu or a title."""
    strip = edges.across[line + 2 : line + 2 + max(3, int(0.3 * grid.pitch)), int(grid.left) : int(grid.box[2])]
    return bool(strip.size and (strip > 16).mean() < 0.005)


ROWS_BY_COLS = {level.cols: level.rows for level in LEVELS.values()}
"""How high the board of a level is, by its width."""

SHORTEST_STRIP = 7
"""So many pixels of the last row must show."""

NARROWEST = 8
"""So many tiles across has the smallest board; so little of a picture proves nothing less."""

MOST_STRIPS = 12


def strips(edges: Edges) -> list[Grid]:
    """Return lattices of which only the last row shows, perhaps not wholly; the clearest first."""
    points = junctions(edges.across, edges.down, 24, SHORTEST_STRIP)
    bands = np.rint(points[:, 1] / 3)
    names, counts = np.unique(bands, return_counts=True)
    found = []
    for band in names[np.argsort(-counts)][:MOST_STRIPS]:
        line = points[abs(bands - band) <= 1]
        found += [row for pitch in _even_gaps(np.sort(line[:, 0])) if (row := _last_row(edges, pitch, line))]
    return [grid for _, grid in sorted(found, key=lambda candidate: -candidate[0])]


def _even_gaps(places: NDArray[np.float64]) -> list[float]:
    """Return the gaps between places, one or two apart, that are found most often."""
    gaps = np.concatenate([np.diff(places), places[2:] - places[:-2]])
    gaps = gaps[(gaps >= SMALLEST_PITCH) & (gaps <= LARGEST_PITCH)]
    if len(gaps) < FEWEST_TILES:
        return []
    near = abs(gaps[:, None] - gaps) <= 2
    best = np.argsort(-near.sum(axis=1))
    likely = float(gaps[near[best[0]]].mean())
    others = [gap for gap in gaps[best].tolist() if abs(gap - likely) > 4]
    return [likely, *others[:1]]


def _last_row(edges: Edges, pitch: float, line: Points) -> tuple[float, Grid] | None:
    """Return (clearness, row of tiles) for tiles that stand on a line, as far as lines between them follow."""
    bottom = float(np.median(line[:, 1]))
    shown = edges.across[max(0, int(bottom) - SHORTEST_STRIP) : max(1, int(bottom) - 1)]
    profile = cv2.reduce(shown, 0, cv2.REDUCE_AVG, dtype=cv2.CV_32F)[0]
    left, count = _phase(line[:, 0], pitch), max(2, round(float(np.ptp(line[:, 0])) / pitch))
    middle, pitch = sharpen_axis(profile, left, pitch, count)
    places = np.asarray(middle + (np.arange(-2 * count, 2 * count + 1) - count / 2) * pitch, dtype=np.float64)
    strength, between = _strength(profile, places, pitch), _strength(profile, places + pitch / 2, pitch)
    usual = np.median(strength[abs(places - middle) < count / 2 * pitch])
    gaps = places[strength < 0.2 * usual]
    drawn = (places > max(gaps[gaps < middle], default=0)) & (places < min(gaps[gaps > middle], default=np.inf))
    if usual < 24 or np.count_nonzero(drawn) <= NARROWEST:
        return None
    left, cols = float(places[drawn][0]) - pull_of_light(pitch), int(np.count_nonzero(drawn)) - 1
    clearness = float(strength[drawn].sum() - between[drawn].sum())
    return clearness, Grid(left, bottom - pitch, pitch, pitch, 1, cols)


def _phase(places: NDArray[np.float64], pitch: float) -> float:
    """Return the place nearest to the leftmost one from which most places are whole pitches away."""
    steps = (places[:, None] - places) / pitch
    origin = float(places[(abs(steps - np.rint(steps)) < 0.15).sum(axis=1).argmax()])
    return origin - round((origin - float(places.min())) / pitch) * pitch


def _strength(profile: Profile, places: NDArray[np.float64], pitch: float) -> NDArray[np.float32]:
    """Return the strongest edge near each place, 0 outside of the picture."""
    reach = max(1, round(0.08 * pitch))
    windows = np.rint(places).astype(int)[:, None] + np.arange(-reach, reach + 1)
    inside = (windows >= 1) & (windows < len(profile))
    return np.asarray(np.where(inside, profile[np.clip(windows, 0, len(profile) - 1)], 0).max(axis=1))
