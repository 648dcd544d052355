"""How long to go on searching, counted and not timed: a slow or busy computer finds what a quick one finds."""

from __future__ import annotations

from bot.picture import Picture
from bot.vision.grid import Grid

MOST = 1_800.0
"""Milliseconds of a quiet computer after which nothing new is begun, so that any picture is answered soon."""

PER_VIEW, PER_MEGAPIXEL = 40.0, 60.0
"""What finding the lattices in one view of a picture takes, whatever its size, and for each million pixels."""

PER_BOARD, PER_TILE = 30.0, 0.1
"""What trying one lattice as a board of one skin takes, and for each of its tiles."""


class Effort:
    """What a search has done so far, in milliseconds that it would take on a quiet computer."""

    def __init__(self) -> None:
        self._done = 0.0

    @property
    def spent(self) -> bool:
        """Whether it is time to come to an end."""
        return self._done > MOST

    def viewed(self, view: Picture) -> None:
        """Count one view of a picture that lattices were looked for in."""
        self._done += PER_VIEW + PER_MEGAPIXEL * view.shape[0] * view.shape[1] / 1e6

    def tried(self, grid: Grid) -> None:
        """Count one lattice that was tried as a board."""
        self._done += PER_BOARD + PER_TILE * grid.rows * grid.cols
