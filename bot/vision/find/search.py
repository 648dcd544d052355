"""Where the tiles are: a picture's tile lattice, found from straight lines alone.

Promises the corner and the pitch of every regular lattice of squares in a picture as fractions of a pixel, for tiles of
12 to 80 pixels (larger and smaller ones in other views, see `search`), whatever its colours, on a bare board or a whole
desktop, with a dialog or a window over part of it.
It does not know what a tile shows: a spreadsheet is a lattice too, and only the reader, which knows skins, says
whether a lattice is a board.

How: `junctions.py` finds rough lattices from the junctions of lines, or from what repeats; `fit.py`
settles them on their exact lines and rims. How long to go on is counted and not timed (`Effort`): a slow or busy
computer finds what a quick one finds.
"""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from bot.picture import Picture
from bot.vision.find.edges import Edges
from bot.vision.find.fit import settle
from bot.vision.find.junctions import nets, repeats
from bot.vision.find.occluded import strips
from bot.vision.grid import FEWEST_TILES, SMALLEST_PITCH, Grid, same

__all__ = ["Effort", "Grid", "find_grids", "find_strips", "search", "smaller"]


def find_grids(picture: Picture) -> list[Grid]:
    """Return the lattices in the picture, the largest and most regular first. It may be empty."""
    if _too_small(picture):
        return []
    edges = Edges.of(picture)
    for threshold in (24, 5):  # most looks draw their lines clearly; a few only hint at them
        settled: list[tuple[float, Grid]] = []
        for scale in (1, 2):  # at half the size, the thick lines of large tiles are as thin as those of small ones
            for _, grid in sorted(nets(edges, threshold, scale), key=lambda candidate: -candidate[0])[:6]:
                if not any(same(grid, other) for _, other in settled):
                    settled += settle(edges, grid)
            if any(framed > max(40, 0.8 * grid.rows * grid.cols) for framed, grid in settled):
                break
        settled = settled or [found for grid in repeats(edges, threshold) for found in settle(edges, grid)]
        if settled:
            break
    settled.sort(key=lambda candidate: -candidate[0])
    return _distinct(settled)


MOST_EFFORT = 1_000.0
"""Milliseconds of a quiet computer after which nothing new is begun, so that any picture is answered soon."""

PER_VIEW, PER_MEGAPIXEL = 30.0, 25.0
"""What finding the lattices in one view of a picture takes, whatever its size, and for each million pixels."""

PER_LOOK = 5.0
"""What looking at a sample of a lattice's tiles with the eyes of one skin takes, and as much for finding its light."""

PER_BOARD, PER_TILE = 50.0, 0.03
"""What trying one lattice as a board of one skin takes, and for each of its tiles."""


class Effort:
    """What a search has done so far, in milliseconds that it would take on a quiet computer."""

    def __init__(self) -> None:
        self.done = 0.0

    @property
    def spent(self) -> bool:
        """Whether it is time to come to an end."""
        return self.done > MOST_EFFORT

    def viewed(self, view: Picture) -> None:
        """Count one view of a picture that lattices were looked for in."""
        self.done += PER_VIEW + PER_MEGAPIXEL * view.shape[0] * view.shape[1] / 1e6

    def looked(self) -> None:
        """Count one look at a sample of a lattice's tiles."""
        self.done += PER_LOOK

    def tried(self, grid: Grid) -> None:
        """Count one lattice that was tried as a board."""
        self.done += PER_BOARD + PER_TILE * grid.rows * grid.cols


VIEWS, VIEWS_OF_HUGE = (1, 2, 4, 0.8), (2, 4, 1)
"""How many times smaller a picture is looked at, one after the other: thick lines of large tiles become thin.

Tiles of ten pixels are large enough when it is looked at a little larger. A huge picture is no desktop with small tiles
but an enlarged one, and takes long to look at as it is.
"""

HUGE, LARGE = 12_000_000, 2_500_000
"""Pixels from which on a picture is huge, and too large to be looked at larger; a 4K desktop has 8 million."""


def search(picture: Picture, effort: Effort) -> Iterator[list[Grid]]:
    """Yield the lattices in the picture, then those that show when it is looked at in other sizes: a list for each."""
    pixels = picture.shape[0] * picture.shape[1]
    for times in VIEWS if pixels < HUGE else VIEWS_OF_HUGE:
        fits = min(picture.shape[:2]) >= times * FEWEST_TILES * SMALLEST_PITCH
        if fits and (times >= 1 or pixels < LARGE) and not effort.spent:
            view = smaller(picture, int(times)) if times >= 1 else _larger(picture, 1 / times)
            effort.viewed(view)
            yield [grid.scaled(times) for grid in find_grids(view)]


def _larger(picture: Picture, times: float) -> Picture:
    return np.asarray(cv2.resize(picture, None, fx=times, fy=times, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)


def smaller(picture: Picture, times: int) -> Picture:
    """Return a picture some times smaller."""
    if times == 1:
        return picture
    height, width = (side // times for side in picture.shape[:2])
    whole = picture[: height * times, : width * times]
    return np.asarray(cv2.resize(whole, (width, height), interpolation=cv2.INTER_AREA), dtype=np.uint8)


def find_strips(picture: Picture, effort: Effort) -> list[Grid]:
    """Return lattices of which no more than the last row shows below a dialog: boards only if their counters say so."""
    times = 1 if picture.shape[0] * picture.shape[1] < HUGE else 2
    if effort.spent or _too_small(view := smaller(picture, times)):
        return []
    effort.viewed(view)
    return [grid.scaled(times) for grid in strips(Edges.of(view))]


def _too_small(picture: Picture) -> bool:
    """Whether no board fits into a picture; one with sides of a pixel or two has nothing that could be compared."""
    return bool(min(picture.shape[:2]) < FEWEST_TILES * SMALLEST_PITCH)


def _distinct(settled: list[tuple[float, Grid]]) -> list[Grid]:
    kept: list[Grid] = []
    for _, grid in settled:
        if not any(same(grid, other) for other in kept):
            kept.append(grid)
    return kept
