"""Rough lattices: junctions of lines that hang together as a net, or else what repeats in a whole picture.

Edges that run straight for longer than a letter are lines; where a line across meets a line down is a junction;
junctions one pitch apart, across and down, hang together as a net; the net with a least-squares fit is a rough
lattice. Junctions are local, so nothing elsewhere on a desktop can spoil them. Lines are known to a pixel or two
only, and whether the tiles between are framed is not asked: `fit.py` does both. The numbers were set by hand, on
pictures of games and of desktops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.vision.find.edges import Edges, Mask, Profile, shrink, straight
from bot.vision.grid import FEWEST_TILES, LARGEST_PITCH, SMALLEST_PITCH, Grid, square, squared

Points = NDArray[np.float64]


def nets(edges: Edges, threshold: int, scale: int) -> Iterator[tuple[float, Grid]]:
    """Yield every net of junctions at one scale as (score, lattice in the full picture's pixels)."""
    across, down = edges.across, edges.down
    if scale > 1:
        across, down = shrink(across), shrink(down)
    points = junctions(across, down, threshold)
    if len(points) < (FEWEST_TILES + 1) ** 2 // 2:
        return
    points *= scale
    claimed = np.zeros(len(points), dtype=np.bool_)
    fitted = 0
    for pitch, net in sorted(_connected(points, scale), key=lambda found: -len(found[1])):
        if np.count_nonzero(claimed[net]) > MOSTLY_CLAIMED * len(net):
            continue
        found = _fit(pitch, points[net], points, scale)
        if found is not None:
            yield found
            claimed[net] = True
        fitted += 1
        if fitted == MOST_FITTED:
            break


MOST_FITTED = 12
"""So many nets at most are fitted, the largest first: each takes time, and a desktop has few lattices."""

MOSTLY_CLAIMED = 0.5
"""The share of a net's junctions that may be those of a larger one: a ruled sheet is also one of every second line."""


LINE, GAP = 15, 5
"""A line runs for at least so many pixels, and may be interrupted for so many (where it crosses another)."""


def junctions(across: Mask, down: Mask, threshold: int, least_height: int = LINE) -> Points:
    """Return where lines across and lines down, these of at least some height, meet: shape (n, 2), x and y."""
    vertical = _lines(across, threshold, (1, GAP), (1, least_height))
    horizontal = _lines(down, threshold, (GAP, 1), (LINE, 1))
    reach = np.ones((3, 3), np.uint8)
    crossing = cv2.bitwise_and(cv2.dilate(vertical, reach), cv2.dilate(horizontal, reach))
    # Half the size is exact enough here and four times as fast.
    _, _, _, centers = cv2.connectedComponentsWithStats(
        shrink(np.asarray(cv2.dilate(crossing, reach), dtype=np.uint8)), connectivity=8
    )
    return np.asarray(centers[1:] * 2 + 0.5, dtype=np.float64)


def _lines(steps: Mask, threshold: int, gap: tuple[int, int], length: tuple[int, int]) -> Mask:
    edges = cv2.threshold(steps, threshold, 255, cv2.THRESH_BINARY)[1]
    joined = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones(gap[::-1], np.uint8))
    return np.asarray(cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones(length[::-1], np.uint8)))


LEAST_STRAY, STRAY = 1.5, 0.05
"""By how much a gap may differ from the pitch: pixels at least, and tiles."""

LEAST_NET = 2 * FEWEST_TILES
"""So many junctions make a net: those around one line of tiles."""


def _connected(points: Points, slack: float) -> Iterator[tuple[float, NDArray[np.intp]]]:
    """Yield (pitch, which points) for every set of junctions that hang together by steps of one pitch."""
    right = _neighbours(points, 0, slack)
    below = _neighbours(points, 1, slack)
    for pitch in _likely_pitches(right.gaps, below.gaps):
        reach = max(LEAST_STRAY, STRAY * pitch) * slack
        steps = np.concatenate([pairs.members[abs(pairs.gaps - pitch) <= reach] for pairs in (right, below)])
        labels = _components(len(points), steps)
        names, sizes = np.unique(labels, return_counts=True)
        for name in names[sizes >= LEAST_NET]:
            yield pitch, np.flatnonzero(labels == name)


@dataclass(frozen=True)
class _Pairs:
    members: NDArray[np.int64]  # shape (n, 2): which point and which neighbour
    gaps: NDArray[np.float64]  # shape (n,): pixels between them


OFF_THE_LINE, NEXT = 2.0, (1, 2, 3)
"""Pixels by which junctions of one line may lie aside of each other, and which of the next ones are looked at."""


def _neighbours(points: Points, axis: int, slack: float) -> _Pairs:
    """Return each point's next few neighbours along an axis (0 right of it, 1 below it), off that line by little."""
    along, aside = points[:, axis], points[:, 1 - axis]
    off = OFF_THE_LINE * slack
    members, gaps = [], []
    for shift in (0.0, off):  # two rows of bands, so that near points share one of either
        band = np.floor((aside + shift) / (2 * off))
        order = np.lexsort((along, band))
        for step in NEXT:
            first, second = order[:-step], order[step:]
            gap = along[second] - along[first]
            fits = (band[first] == band[second]) & (abs(aside[first] - aside[second]) <= off)
            fits &= (gap >= SMALLEST_PITCH) & (gap <= LARGEST_PITCH)
            members.append(np.stack([first[fits], second[fits]], axis=1))
            gaps.append(gap[fits])
    return _Pairs(np.concatenate(members), np.concatenate(gaps))


MOST_PITCHES = 12
"""So many distances between junctions are tried; each ruled sheet has three or four, its own and multiples of it."""


BIN, SPREAD = 0.5, (0.5, 0.8, 1, 1.1, 1, 0.8, 0.5)
"""Pixels of gap that are counted together, and how much bins beside count: junctions are known to two pixels."""


def _likely_pitches(right: NDArray[np.float64], below: NDArray[np.float64]) -> list[float]:
    """Return the gaps that occur most often both across and down, most frequent first."""
    bins = np.arange(SMALLEST_PITCH - 2, LARGEST_PITCH + 2, BIN)
    counts = [np.convolve(np.histogram(gaps, bins)[0], SPREAD, "same") for gaps in (right, below)]
    common = np.minimum(*counts)
    pitches: list[float] = []
    while len(pitches) < MOST_PITCHES and common.max() >= LEAST_NET:
        peak = int(common.argmax())
        pitches.append(float(bins[peak] + BIN / 2))
        common[max(peak - len(SPREAD) // 2, 0) : peak + len(SPREAD) // 2 + 1] = 0
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


LEAST_OFF_NODE, OFF_NODE = 1.5, 0.1
"""By how much a junction may lie beside its node of the lattice: pixels at least, and tiles."""

FEWEST_FILLED, WELL_FILLED = 0.2, 0.5
"""The share of a lattice's nodes that are junctions, at least, and from which on it counts in full."""


def _fit(pitch: float, net: Points, points: Points, slack: float) -> tuple[float, Grid] | None:
    """Return (score, lattice) through a net, grown over all junctions that lie on it; None when they are no lattice."""
    axes = []
    for axis in (0, 1):
        fitted = _fit_axis(net[:, axis], pitch)
        if fitted is None:
            return None
        axes.append(fitted)
    (left, pitch_x), (top, pitch_y) = axes
    if not square(Grid(left, top, pitch_x, pitch_y, 1, 1)):
        return None
    across, down = (np.ptp(net[:, axis]) / pitch for axis in (0, 1))
    pitch_x, pitch_y = squared(pitch_x, pitch_y, round(across), round(down))
    place = (points - (left, top)) / (pitch_x, pitch_y)
    node = np.rint(place).astype(int)
    on_node = (abs(place - node) * (pitch_x, pitch_y)).max(axis=1) <= max(LEAST_OFF_NODE * slack, OFF_NODE * pitch)
    nodes = np.unique(node[on_node], axis=0)
    span = _span(nodes, np.rint((net - (left, top)) / (pitch_x, pitch_y)).astype(int))
    if span is None:
        return None
    (first_col, last_col), (first_row, last_row) = span
    inside = (nodes >= (first_col, first_row)).all(axis=1) & (nodes <= (last_col, last_row)).all(axis=1)
    cols, rows = last_col - first_col, last_row - first_row
    filled = np.count_nonzero(inside) / ((cols + 1) * (rows + 1))
    if cols < FEWEST_TILES or rows < 1 or filled < FEWEST_FILLED:
        return None
    grid = Grid(left + first_col * pitch_x, top + first_row * pitch_y, pitch_x, pitch_y, rows, cols)
    return float(np.count_nonzero(inside)) * min(1.0, filled / WELL_FILLED), grid


REACHES, NEAR = (4, 8, 16, 64), 0.2
"""Steps from the middle that a fit takes in, one after the other as the pitch sharpens, and tiles that one is off."""


def _fit_axis(values: NDArray[np.float64], pitch: float) -> tuple[float, float] | None:
    """Return (origin, pitch) of the evenly spaced values nearest to most of the given ones."""
    origin = float(np.sort(values)[len(values) // 2])
    for reach in REACHES:
        index = np.rint((values - origin) / pitch)
        near = (abs(index) <= reach) & (abs(values - origin - index * pitch) < NEAR * pitch)
        if np.count_nonzero(near) < FEWEST_TILES or np.ptp(index[near]) < 1:
            continue
        origin, pitch = straight(index[near], values[near])
    return (origin, pitch) if SMALLEST_PITCH <= pitch <= LARGEST_PITCH else None


IN_USE, TURNS = 0.35, 4
"""The share of a line's nodes that are junctions if it is in use; and how often rows and columns are cut by turns."""


def _span(nodes: NDArray[np.int64], net: NDArray[np.int64]) -> tuple[tuple[int, int], tuple[int, int]] | None:
    """Return the first and last line in use, across and down; rim lines that hardly any junction lies on are cut."""
    low, high = net.min(axis=0), net.max(axis=0)
    for _ in range(TURNS):
        before = (*low, *high)
        for axis in (0, 1):
            other = 1 - axis
            within = nodes[(nodes[:, other] >= low[other]) & (nodes[:, other] <= high[other])]
            lines, counts = np.unique(within[:, axis], return_counts=True)
            enough = lines[counts >= max(2, IN_USE * (high[other] - low[other] + 1))]
            if len(enough) < 2:
                return None
            low[axis], high[axis] = enough[0], enough[-1]
        if (*low, *high) == before:
            break
    return (int(low[0]), int(high[0])), (int(low[1]), int(high[1]))


CLEAR = 0.3
"""How much the edges of a picture must repeat after one pitch, across and down, where 1 is exactly."""


def repeats(edges: Edges, threshold: int) -> list[Grid]:
    """Return lattices over the whole picture for the clearest distances after which edges repeat both ways.

    For boards whose lines are too broken to make junctions. On a desktop other things drown what repeats; on a picture
    of little more than a board it is found even where lines are dotted, or hidden by what is drawn beside them.
    """
    across, down = _share(edges.across, threshold, 0), _share(edges.down, threshold, 1)
    most = min(LARGEST_PITCH, len(across) / FEWEST_TILES, len(down) / FEWEST_TILES)
    pitches = np.arange(int(np.ceil(SMALLEST_PITCH)), int(most) + 1)
    if len(pitches) == 0:
        return []
    echo = np.minimum(_echo(across)[pitches], _echo(down)[pitches])
    grids = []
    for index in np.argsort(-echo)[:3]:
        pitch = int(pitches[index])
        if echo[index] >= CLEAR:
            left, top = _phase(across, pitch), _phase(down, pitch)
            rows, cols = (len(down) - 1 - top) // pitch, (len(across) - 1 - left) // pitch
            grids.append(Grid(float(left), float(top), float(pitch), float(pitch), rows, cols))
    return grids


def _share(steps: Mask, threshold: int, axis: int) -> Profile:
    """Return the share of each column (axis 0) or row (axis 1) of pixels that is an edge."""
    return np.asarray((steps > threshold).mean(axis=axis), dtype=np.float64)


def _echo(profile: Profile) -> Profile:
    """Return how much a profile is like itself after each number of pixels, 1 for identity; shape as the profile's."""
    centred = profile - profile.mean()
    spectrum = np.fft.rfft(centred, 2 * len(profile))
    echo = np.fft.irfft(spectrum * spectrum.conj())[: len(profile)]
    return np.asarray(echo / max(float(echo[0]), 1e-9))


def _phase(profile: Profile, pitch: int) -> int:
    """Return where the first of the lines is that are one pitch apart."""
    return int(np.argmax([profile[start::pitch].mean() for start in range(pitch)]))
