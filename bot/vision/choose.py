"""A skin, its theme and the exact lattice that together explain a board: chosen, and returned as values.

Nothing here remembers anything, so that one candidate leaves no trace on the next. Whether what was chosen is a board
at all is for `reader.py` to say.
"""

from __future__ import annotations

import numpy as np

from bot.picture import Picture
from bot.vision.align import FAMILIAR, aligned, one_pixel_around
from bot.vision.judge import Judge, certain_at_sight, tilelike
from bot.vision.lattice import Grid
from bot.vision.matcher import canonical_tiles, matcher_for
from bot.vision.skin import Skin

FEWEST_KNOWN, SMALLEST_SHARE = 8, 0.08
"""So many tiles, and such a part of all, must look familiar before a lattice can be a board."""

KNOWN, KNOWN_COLOUR = 40, 60
"""Grey levels from its nearest template, overall and in mean colour, up to which a tile looks familiar."""


def recognise(picture: Picture, grid: Grid, skin: Skin) -> float:
    """Return the share of the lattice's visible tiles that look like tiles of a skin, 0 when too few do.

    Tiles of few pixels, taken as they are, look like themselves only where they are cut to the pixel.
    """
    places = [grid] if skin.tolerance is None else one_pixel_around(grid)
    return max(_share(picture, place, skin) for place in places)


def _share(picture: Picture, grid: Grid, skin: Skin) -> float:
    matches = matcher_for(skin).match(canonical_tiles(picture, grid))
    in_sight = tilelike(matches)
    known = in_sight & (matches.distance <= KNOWN) & (matches.colour <= KNOWN_COLOUR)
    if np.count_nonzero(known) < max(FEWEST_KNOWN, SMALLEST_SHARE * len(known)):
        return 0.0
    return float(np.count_nonzero(known) / np.count_nonzero(in_sight))


def settle(picture: Picture, grid: Grid, skin: Skin) -> tuple[Judge, Grid]:
    """Return a judge of the board's theme, and the lattice moved to where its tiles fit best."""
    matcher = matcher_for(skin)
    matches = matcher.match(canonical_tiles(picture, grid))
    themes = matcher.themes[matches.template[certain_at_sight(matches)]]
    names, counts = np.unique(themes[themes != ""], return_counts=True)
    theme = str(names[counts.argmax()]) if len(names) else None
    familiar = tilelike(matches) & (matches.distance <= FAMILIAR)
    return Judge(skin, theme), aligned(picture, grid, matcher_for(skin, theme), familiar)
