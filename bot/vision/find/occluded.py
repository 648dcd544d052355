"""Boards behind a dialog: the rows of a lattice that something in front hides, told by what still shows around it.

`with_hidden_rows` completes a lattice of which some rows show. `strips` finds boards of which no more than a part of
the last row does: evenly spaced lines that stand on a common one. So little proves no board: it is for the reader to
find the counters below it. The numbers were set by hand, on games behind dialogs.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from bot.level import LEVELS
from bot.picture import Picture
from bot.vision.find.edges import Edges, Profile
from bot.vision.find.fit import pull_of_light, sharpen_axis
from bot.vision.find.junctions import Points, junctions
from bot.vision.grid import FEWEST_TILES, LARGEST_PITCH, SMALLEST_PITCH, STANDARD_SIZES, Grid

Shares = NDArray[np.float64]

ROWS_BY_COLS = {level.cols: level.rows for level in LEVELS.values()}
"""How high the board of a level is, by its width."""

TOP_MARGIN = 30 / 18
"""From the upper rim of the client area to the first row, in tiles, in the Windows 7 game."""

LOOKED_AT = 2
"""Tiles beyond both sides of a board that are looked at, and no more: lines that run past its frame show there."""

BESIDE = (0.3, 0.9)
"""From where to where, in tiles beyond both sides of a board, a line shows that runs on there: past the frame."""

AN_EDGE, THROUGH, ENDED = 8, 0.85, 0.3
"""Grey levels that make an edge; the share of a stretch that is one where a line runs through, or has ended."""

OFF_RIM, OFF_MARGIN = 0.15, 0.25
"""How far, in tiles, the rows that two lines tell may be from a whole number: the margin is drawn in whole pixels."""

OUTSIDE, WITHIN = 1.2, 0.95
"""Tiles outside and within a lattice where the edge of a dialog may lie that hides more of it."""

LEAST_DIALOG = 2.0
"""Tiles of height that a dialog has at least."""

MENU, RIM, SCENERY, PARTS = 0.1, 0.08, 0.5, 8
"""Tiles of height of a menu's end, of the rim below it and of the scenery below that; and so many parts across."""

LEAST_STEP, BY_FAR, MOST_UNEVEN = 0.5, 4.0, 6.0
"""Grey levels by which scenery differs from the menu, how many times what its own rows do, and what these do at most.

Each part is the mean of many pixels: too much light may leave both white but for a corner of the scenery. The rows of
a title or a menu, with text, differ by 8 and more.
"""


def with_hidden_rows(picture: Picture, grid: Grid, counted: bool) -> Grid:
    """Return a lattice of the Windows 7 game with the rows that a dialog hides, as it is when none does.

    What tells the first row is the board's own upper rim, where it still shows, or else the upper rim of the client
    area, a known distance above; or else how many rows a board of a level has. Below a board whose counters are
    `counted` there are no more rows.
    """
    if (grid.rows, grid.cols) in STANDARD_SIZES:
        return grid
    first = max(0, int(grid.left - LOOKED_AT * grid.pitch))
    near = picture[:, first : int(grid.box[2] + LOOKED_AT * grid.pitch)]
    return replace(_with_hidden_rows(near, grid.moved(-first, 0), counted), left=grid.left)


def _with_hidden_rows(picture: Picture, grid: Grid, counted: bool) -> Grid:
    pitch, bottom = grid.pitch_y, grid.box[3]
    inside, beside_least, beside_most = _lines_across(Edges.of(picture), grid)
    through = (inside > THROUGH) & (beside_most > THROUGH)
    above = through[max(0, int(grid.top - OUTSIDE * pitch)) : max(0, int(grid.top + WITHIN * pitch))].any()
    below = through[max(0, int(bottom - WITHIN * pitch)) : int(bottom + OUTSIDE * pitch)].any()
    board_rims = (inside > THROUGH) & (beside_least < ENDED)
    client_rims = _client_rims(picture, grid)
    tops = np.flatnonzero(through[: max(0, int(grid.top - LEAST_DIALOG * pitch))])
    client_rims[tops[-1] if len(tops) else 0 :] = False  # below it there is the dialog's own upper rim, or its title's
    countable = above and grid.rows > 1  # one row tells the pitch too poorly to count others by it
    for rims, margin, off in ((board_rims, 0.0, OFF_RIM), (client_rims, TOP_MARGIN, OFF_MARGIN)):
        for rim in np.flatnonzero(rims[: max(0, int(grid.top - pitch / 2))]) if countable else ():
            rows = (bottom - rim) / pitch - margin
            if round(rows) > grid.rows and abs(rows - round(rows)) < off:
                return replace(grid, top=bottom - round(rows) * pitch, rows=round(rows))
    missing = (ROWS_BY_COLS.get(grid.cols, 0) - grid.rows) * pitch
    if above and 0 < missing < grid.top:
        return replace(grid, top=grid.top - missing, rows=ROWS_BY_COLS[grid.cols])
    if below and not counted and 0 < missing < len(picture) - bottom:
        return replace(grid, rows=ROWS_BY_COLS[grid.cols])
    return grid


def _lines_across(edges: Edges, grid: Grid) -> tuple[Shares, Shares, Shares]:
    """Return how much of each row of pixels, shape (height,), is an edge: within the board, and beside it.

    Of both sides beside it, first that with less and then that with more. Where the picture ends there, nothing counts.
    """
    pitch, (left, _, right, _) = grid.pitch_x, grid.box
    inside = _coverage(edges, left, right)
    if left < pitch or right + pitch > edges.down.shape[1]:
        return inside, np.zeros_like(inside), np.zeros_like(inside)
    near, far = (part * pitch for part in BESIDE)
    sides = _coverage(edges, left - far, left - near), _coverage(edges, right + near, right + far)
    return inside, np.minimum(*sides), np.maximum(*sides)


def _coverage(edges: Edges, left: float, right: float) -> NDArray[np.float64]:
    """Return for every row of pixels the share of it, between two columns, that is an edge; shape (height,)."""
    part = edges.down[:, max(0, int(left)) : max(1, int(right))] > AN_EDGE
    return np.asarray(part.mean(axis=1)) if part.shape[1] else np.zeros(len(edges.down))


def _client_rims(picture: Picture, grid: Grid) -> NDArray[np.bool_]:
    """Return which rows of pixels may be the upper rim of the client area: even scenery below, another colour above."""
    rims = np.zeros(len(picture), dtype=np.bool_)
    menu, rim, scenery = (max(least, round(part * grid.pitch)) for least, part in ((2, MENU), (1, RIM), (2, SCENERY)))
    shown = picture[: max(0, int(grid.top))]
    count = len(shown) - menu - rim - scenery + 1
    if count > 0:
        parts = cv2.resize(shown, (PARTS, len(shown)), interpolation=cv2.INTER_AREA).astype(np.float64)
        above = sliding_window_view(parts, menu, axis=0)[:count].mean(axis=-1)
        below = sliding_window_view(parts, scenery, axis=0)[menu + rim :]
        uneven = below.std(axis=-1).max(axis=(1, 2))
        steps = np.abs(above - below.mean(axis=-1)).max(axis=(1, 2))
        first = menu + rim // 2
        rims[first : first + count] = (steps > np.maximum(LEAST_STEP, BY_FAR * uneven)) & (uneven < MOST_UNEVEN)
    return rims


SHORTEST_STRIP, CLEAR_LINE = 7, 24
"""So many pixels of the last row must show, and lines between its tiles must be so strong, in grey levels."""

BAND, ONE_GAP, OTHER_GAP = 3, 2, 4
"""Pixels of height in which junctions are of one line, by which gaps are the same, and from which on they are not."""

NO_LINE, ON_PITCH, NEAR_PLACE = 0.2, 0.15, 0.08
"""How strong a line is that is none, where the usual one is 1; tiles by which places are off whole pitches,
and by which a line is beside its place."""

NARROWEST = 8
"""So many tiles across has the smallest board; so little of a picture proves nothing less."""

MOST_STRIPS = 12
"""So many bands with the most junctions are tried: below them there is text, whose junctions are fewer."""


def strips(edges: Edges) -> list[Grid]:
    """Return lattices of which only the last row shows, perhaps not wholly; the clearest first."""
    points = junctions(edges.across, edges.down, CLEAR_LINE, SHORTEST_STRIP)
    bands = np.rint(points[:, 1] / BAND)
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
    near = abs(gaps[:, None] - gaps) <= ONE_GAP
    best = np.argsort(-near.sum(axis=1))
    likely = float(gaps[near[best[0]]].mean())
    others = [gap for gap in gaps[best].tolist() if abs(gap - likely) > OTHER_GAP]
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
    gaps = places[strength < NO_LINE * usual]
    drawn = (places > max(gaps[gaps < middle], default=0)) & (places < min(gaps[gaps > middle], default=np.inf))
    if usual < CLEAR_LINE or np.count_nonzero(drawn) <= NARROWEST:
        return None
    left, cols = float(places[drawn][0]) - pull_of_light(pitch), int(np.count_nonzero(drawn)) - 1
    clearness = float(strength[drawn].sum() - between[drawn].sum())
    return clearness, Grid(left, bottom - pitch, pitch, pitch, 1, cols)


def _phase(places: NDArray[np.float64], pitch: float) -> float:
    """Return the place nearest to the leftmost one from which most places are whole pitches away."""
    steps = (places[:, None] - places) / pitch
    origin = float(places[(abs(steps - np.rint(steps)) < ON_PITCH).sum(axis=1).argmax()])
    return origin - round((origin - float(places.min())) / pitch) * pitch


def _strength(profile: Profile, places: NDArray[np.float64], pitch: float) -> NDArray[np.float32]:
    """Return the strongest edge near each place, 0 outside of the picture."""
    reach = max(1, round(NEAR_PLACE * pitch))
    windows = np.rint(places).astype(int)[:, None] + np.arange(-reach, reach + 1)
    inside = (windows >= 1) & (windows < len(profile))
    return np.asarray(np.where(inside, profile[np.clip(windows, 0, len(profile) - 1)], 0).max(axis=1))
