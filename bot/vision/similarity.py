"""How alike tiles look, with no skin to compare them with.

Promises a distance between any two tiles that is small for two drawings of the same thing (a little shifted, blurred or
tinted) and large for two different things, however small the figure that differs: it is the largest difference of any
one part of the tile, in grey levels. Groups tiles by it. It does not know what a tile means.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

SIDE = 24
"""Side of the canonical tiles that looks are taken from, see `matcher.canonical_tiles`."""

PARTS = 10
"""Parts of a tile, across and down, that are compared one by one; the lines around the tile are left out."""

RIM = 2

Looks = NDArray[np.float32]
"""Shape (n, PARTS·PARTS, 3): the mean colour of each part of n tiles."""

CLOSEST, FARTHEST = 3.0, 45.0
"""What differs less is the same look, what differs more is another one; in between the tiles themselves tell."""


def looks_of(tiles: NDArray[np.uint8]) -> Looks:
    """Return the looks of canonical tiles, which have the shape (n, SIDE, SIDE, 3)."""
    looks = np.empty((len(tiles), PARTS, PARTS, 3), dtype=np.float32)
    for number, tile in enumerate(tiles):
        soft = cv2.GaussianBlur(tile, (0, 0), 0.8)[RIM:-RIM, RIM:-RIM].astype(np.float32)
        looks[number] = cv2.resize(soft, (PARTS, PARTS), interpolation=cv2.INTER_AREA)
    return looks.reshape(len(tiles), PARTS * PARTS, 3)


def looks_at_any_size(tiles: Sequence[NDArray[np.uint8]]) -> Looks:
    """Return the looks of tiles that are all of one size, whichever it is."""
    resized = [cv2.resize(tile, (SIDE, SIDE), interpolation=cv2.INTER_AREA) for tile in tiles]
    return looks_of(np.array(resized, dtype=np.uint8))


def apart(looks: Looks, others: Looks) -> NDArray[np.float32]:
    """Return how far each look is from each of the others, shape (len(looks), len(others))."""
    distances = np.empty((len(looks), len(others)), dtype=np.float32)
    for number, look in enumerate(looks):
        distances[number] = np.abs(others - look).max(axis=(1, 2), initial=0)
    return distances


def apart_from_others(looks: Looks) -> NDArray[np.float32]:
    """Return how far each look is from each, but infinitely far from itself; shape (len(looks), len(looks))."""
    distances = apart(looks, looks)
    np.fill_diagonal(distances, np.inf)
    return distances


def flat(looks: Looks) -> NDArray[np.float32]:
    """Return how far the middle of each tile is from one plain colour, shape (n,): small when there is no figure."""
    inner = looks.reshape(-1, PARTS, PARTS, 3)[:, 2:-2, 2:-2].reshape(len(looks), -1, 3)
    return np.asarray((inner.max(axis=1) - inner.min(axis=1)).max(axis=1), dtype=np.float32)


def ground_of(looks: Looks) -> NDArray[np.float32]:
    """Return the colour of the ground that each tile's figure stands on, shape (n, 3): the median around the middle."""
    parts = looks.reshape(-1, PARTS, PARTS, 3)
    ring = np.concatenate([parts[:, 1, 1:-1], parts[:, -2, 1:-1], parts[:, 1:-1, 1], parts[:, 1:-1, -2]], axis=1)
    return np.asarray(np.median(ring, axis=1), dtype=np.float32)


def group(looks: Looks) -> NDArray[np.intp]:
    """Return a number for each look, equal for looks that belong together; 0, 1, … from the largest group on.

    Two looks belong together when a chain of looks leads from one to the other, no step of it longer than the longest
    step that is still unlike the jump to another thing. Light that changes gradually over a board breaks no chain.
    """
    if len(looks) == 0:
        return np.zeros(0, dtype=np.intp)
    leader = _leaders(looks)
    names, index = np.unique(leader, return_inverse=True)
    distances = apart(looks[names], looks[names])
    steps = _spanning_steps(distances)
    label = np.arange(len(names))
    limit = _longest_step(np.array([length for length, _, _ in steps]))
    for length, one, other in steps:
        if length <= limit:
            label[label == label[one]] = label[other]
    return _by_size(label[index])


def _leaders(looks: Looks) -> NDArray[np.intp]:
    """Return for each look the first one that is practically the same; there are far fewer of them than of tiles."""
    leader = np.full(len(looks), -1, dtype=np.intp)
    for number in range(len(looks)):
        if leader[number] < 0:
            rest = np.flatnonzero(leader < 0)
            same = rest[np.abs(looks[rest] - looks[number]).max(axis=(1, 2)) <= CLOSEST / 2]
            leader[same] = number
    return leader


def _spanning_steps(distances: NDArray[np.float32]) -> list[tuple[float, int, int]]:
    """Return the steps (length, one, other) of the shortest tree through all looks, shortest first."""
    count = len(distances)
    nearest, via = distances[0].copy(), np.zeros(count, dtype=np.intp)
    outside = np.ones(count, dtype=np.bool_)
    outside[0] = False
    steps = []
    for _ in range(count - 1):
        joined = int(np.where(outside, nearest, np.inf).argmin())
        steps.append((float(nearest[joined]), joined, int(via[joined])))
        outside[joined] = False
        closer = distances[joined] < nearest
        nearest[closer], via[closer] = distances[joined][closer], joined
    return sorted(steps)


def _longest_step(lengths: NDArray[np.float64]) -> float:
    """Return the longest step within a look: below the widest gap, as a ratio, that lies between the two limits."""
    between = np.clip(np.concatenate([[CLOSEST], lengths, [FARTHEST]]), CLOSEST, FARTHEST)
    between.sort()
    widest = int((between[1:] / between[:-1]).argmax())
    return float(between[widest])


def _by_size(label: NDArray[np.intp]) -> NDArray[np.intp]:
    names, index, counts = np.unique(label, return_inverse=True, return_counts=True)
    rank = np.empty(len(names), dtype=np.intp)
    rank[np.argsort(-counts, kind="stable")] = np.arange(len(names))
    return np.asarray(rank[index])
