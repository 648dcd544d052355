"""A skin, its theme, the light and the exact lattice that together explain a board: chosen, and returned as values.

Nothing here remembers anything, so that one candidate leaves no trace on the next. Whether what was chosen is a board
at all is for `reader.py` to say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bot.picture import Picture
from bot.vision.certainty import certain_at_sight, tilelike
from bot.vision.find.align import COARSE, FAMILIAR, aligned, one_pixel_around, to_the_pixel
from bot.vision.find.search import smaller
from bot.vision.grid import Grid, snapped
from bot.vision.judge import Judge
from bot.vision.light import DAYLIGHT, Light, find_light, is_cut_off
from bot.vision.matcher import Matches, Tiles, canonical_tiles, matcher_for
from bot.vision.skin import Skin

FEWEST_KNOWN, SMALLEST_SHARE = 8, 0.08
"""So many tiles, and such a part of all, must look familiar before a lattice can be a board."""

MOSTLY = 0.8
"""The share of tiles that look familiar in plain light from which on a board is tried before other light is."""

KNOWN, KNOWN_COLOUR = 40, 60
"""Grey levels from its nearest template, overall and in mean colour, up to which a tile looks familiar."""


SMALL = 24.0
"""Pixels of a tile that are enough to choose and align by: larger tiles are looked at from farther away."""


@dataclass(frozen=True)
class Part:
    """A lattice cut out of a picture, so much smaller that its tiles are of a middling size, and its place there."""

    picture: Picture
    grid: Grid
    level: int
    corner: tuple[int, int]  # of the part in the whole picture

    @classmethod
    def of(cls, picture: Picture, grid: Grid) -> Part:
        """Return the part of a picture that a lattice covers, with a tile around it."""
        level, reach = max(1, int(grid.pitch // SMALL)), int(grid.pitch)
        x, y = max(0, int(grid.left) - reach), max(0, int(grid.top) - reach)
        cut = smaller(picture[y : int(grid.box[3]) + reach, x : int(grid.box[2]) + reach], level)
        return cls(cut, grid.moved(-x, -y).scaled(1 / level), level, (x, y))

    def restored(self, grid: Grid) -> Grid:
        """Return a lattice of the part as one of the whole picture."""
        return grid.scaled(self.level).moved(*self.corner)


def light_on(picture: Picture, grid: Grid, skin: Skin) -> Light:
    """Return the light in which a lattice's tiles are nearest to a skin's.

    A skin taken from a game's own pixels is of the light that these were taken in.
    """
    return DAYLIGHT if skin.tolerance is not None else find_light(_spread_tiles(picture, grid, LARGEST), skin)


def recognise(picture: Picture, grid: Grid, skin: Skin) -> float:
    """Return the share of the lattice's visible tiles that look like tiles of a skin as they are, 0 when too few do.

    Tiles of few pixels, taken as they are, look like themselves only where they are cut to the pixel.
    """
    if skin.tolerance is not None or (skin.tile < COARSE and round(grid.pitch) == skin.tile):
        grid = max(one_pixel_around(snapped(grid)), key=lambda place: _share(picture, place, skin, FEW))
    return _share(picture, grid, skin, ENOUGH)


def recognise_in_light(picture: Picture, grid: Grid, skin: Skin, share: float) -> tuple[float, Light]:
    """Return the share of tiles that look like a skin's, as they are or with the light undone, and that light."""
    light = light_on(picture, grid, skin)
    return share if light == DAYLIGHT else max(share, _share(light.undone(picture), grid, skin, ENOUGH)), light


FEW, ENOUGH, LARGEST = 120, 400, 1_000
"""Tiles of a lattice, spread over it, that tell where it fits to the pixel, if it is a board, and its light."""


def _spread_tiles(picture: Picture, grid: Grid, most: int) -> Tiles:
    """Return the canonical tiles of a lattice, of one with too many those of rows spread over it."""
    step = -(-grid.rows * grid.cols // most)
    if step == 1:
        return canonical_tiles(picture, grid)
    tops = (grid.tile(row, 0)[1] for row in range(step // 2, grid.rows, step))
    return np.concatenate([canonical_tiles(picture, replace(grid, top=top, rows=1)) for top in tops])


def _share(picture: Picture, grid: Grid, skin: Skin, most: int) -> float:
    matches = matcher_for(skin).match(_spread_tiles(picture, grid, most))
    in_sight = tilelike(matches)
    known = in_sight & (matches.distance <= KNOWN) & (matches.colour <= KNOWN_COLOUR)
    if np.count_nonzero(known) < max(FEWEST_KNOWN, SMALLEST_SHARE * len(known)):
        return 0.0
    return float(np.count_nonzero(known) / np.count_nonzero(in_sight))


@dataclass(frozen=True)
class Choice:
    """A skin, a lattice of its tiles, the light that they are in, and a judge of them in it."""

    skin: Skin
    grid: Grid
    light: Light
    judge: Judge


def take(picture: Picture, grid: Grid, skin: Skin, light: Light) -> Choice:
    """Return the choice of a skin, a lattice and a light as given, with the board's theme."""
    theme = _theme(skin, matcher_for(skin).match(canonical_tiles(light.undone(picture), grid)))
    return _choice(picture, grid, skin, light, theme)


def settle(whole: Picture, part: Part, grid: Grid, skin: Skin, light: Light) -> Choice:
    """Return the choice of the lattice, moved to where its tiles fit best in a light, and of the light found there.

    The part's lattice is moved, and that of the whole picture if it is larger and the skin knows its pixels.
    """
    picture = part.picture
    lit = light.undone(picture)
    matches = matcher_for(skin).match(canonical_tiles(lit, grid))
    theme = _theme(skin, matches)
    familiar = tilelike(matches) & (matches.distance <= FAMILIAR)
    exact = aligned(lit, grid, matcher_for(skin, theme), familiar)
    choice = _choice(picture, exact, skin, light_on(picture, exact, skin), theme)
    place = part.restored(exact)
    if part.level > 1 and skin.tolerance is not None:
        place = to_the_pixel(whole, place, matcher_for(skin, theme))
    return replace(choice, grid=place)


def _choice(picture: Picture, grid: Grid, skin: Skin, light: Light, theme: str | None) -> Choice:
    odd = light != DAYLIGHT or (skin.tolerance is None and is_cut_off(canonical_tiles(picture, grid)))
    judge = Judge(light.through(skin), theme, strict=odd, knows_plain=light.is_a_screens)
    return Choice(skin, grid, light, judge)


def _theme(skin: Skin, matches: Matches) -> str | None:
    """Return the theme of most tiles that are read at sight; `matches` are of the skin in all its themes."""
    themes = matcher_for(skin).themes[matches.template[certain_at_sight(matches)]]
    names, counts = np.unique(themes[themes != ""], return_counts=True)
    return str(names[counts.argmax()]) if len(names) else None
