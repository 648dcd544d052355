"""How well the tiles of a skin can be told apart.

Promises for every two kinds of cells how far their nearest likenesses are apart, in grey levels of the part of the tile
that differs most, whatever else they share. Other people's pictures differ from a skin by a few grey levels; what is
tens apart is safe.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from bot.vision.looks import apart, looks_at_any_size
from bot.vision.skin import Skin

GOOD = 25.0
"""Grey levels between two kinds of cells that make confusing them out of the question."""

Margins = dict[tuple[int, int], float]
"""Cell values, the smaller first, and how far apart they are."""


def margins(skin: Skin) -> Margins:
    """Return how far every two kinds of cells in a skin are apart; themes that can't meet on a board don't count."""
    looks = {value: looks_at_any_size(list(tiles)) for value, tiles in skin.tiles.items()}
    found: Margins = {}
    for one, other in combinations(sorted(looks), 2):
        distances = apart(looks[one], looks[other])
        for row, theme in enumerate(skin.themes[one]):
            for col, its in enumerate(skin.themes[other]):
                if theme and its and theme != its:
                    distances[row, col] = np.inf
        found[one, other] = float(distances.min())
    return found


def closest(found: Margins) -> tuple[tuple[int, int], float] | None:
    """Return the two kinds of cells that are hardest to tell apart, None when there are not two."""
    return min(found.items(), key=lambda item: item[1], default=None)
