"""The light in which a picture shows a board: by how much all of its pixels are brighter or darker than drawn.

A dimmed or overexposed screen, a warm tint, a night light: every channel of every pixel was multiplied by a number and
cut off at white. Promises those three numbers, found from the board's tiles against a skin's, and the picture without
their effect. A light that is hardly odd, or explains the tiles hardly better than none, is none: then nothing is done
to the picture at all. Other changes, as of gamma or contrast, are left to the judge, which bears them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.picture import Picture
from bot.vision.matcher import INNER, Floats, Tiles, drawn_tiles, light_patterns, line_light, product
from bot.vision.skin import Skin

LEAST_ODD = 0.08
"""How far from 1 a channel's gain must be, as a logarithm: 8 % brighter or darker is read well as it is."""

LEAST_GAINED, LEAST_GAINED_CUT_OFF, TELLING = 4.5, 2.0, 0.05
"""Grey levels by which a light must bring tiles nearer to templates, those of them that it brings nearest: this share.

Covered tiles fit about as well in any light, and are most of many boards; a few open ones tell. Where tiles are cut off
at white, it is known that there is too much light, and less of a gain is believed.
"""

WHITE = 250
"""Brighter pixels are cut off: they tell nothing of the gain but that it is high."""

MOST_WHITE, MOSTLY = 0.01, 0.5
"""The share of tiles that may be white, something may lie in front of them, and of the pixels of such a tile."""

STARTS = (
    (1.0, 1.0, 1.0),
    (0.8, 0.8, 0.8),
    (0.6, 0.6, 0.6),
    (1.3, 1.3, 1.3),
    (0.7, 0.87, 1.0),
    (0.36, 0.61, 0.85),
)
"""Gains (blue, green, red) to begin with: what tiles show and the light are found by turns, from each of them on."""

DARKEST, BRIGHTEST = 0.25, 1.6
"""The least and the highest gain in question."""

GREEN_OF_BLUE, OFF_WHITE = 0.39, 0.18
"""How much of what a warm screen's light lacks in blue it lacks in green, and how far it may be from that (logarithms).

So it is of the warm tint and of the night light of the trials, whose windows are found to be off by up to 0.13. In
drawn pictures whose blanks looked covered in the light that was found, of another theme mostly, it was 0.24 and more.
"""

PROMISING, ROUNDS = 3, 2
"""So many of the starts are followed further than a first round, for so many more."""

DARK = 32
"""Grey levels of a channel that tell little of the light: a board may have next to none of a colour."""

PARTS = 5
"""Parts of a tile, across and down, whose mean colours are enough to find the light by."""

SAMPLE = 64
"""So many tiles of a board, spread over it, are enough too."""

FEWEST = 8
"""With fewer tiles that have lines around them there is nothing to find a light by."""

LINES = 0.8
"""How dark the two darkest sides of a tile are at most, as a part of its inside: what has no lines is no tile."""

FAR = 12.0
"""Grey levels from its template at which a tile has half a say in what the light is."""

MOST_OFF = 40.0
"""Grey levels: what is farther from all templates is no tile, however far."""

SHADES = 16
"""So many shades of a channel are told apart: a drawing is off by as much on a hundred tiles as on one."""

COMMON = 0.03
"""The share of all pixels from which on a shade has its full say."""

NOISE = 15.0
"""Grey levels that a shade of our drawings is off by, about, since they are not the game's own."""

USUAL_GAIN = 0.3
"""How far gains usually are from 1: it decides where a board shows too few shades to tell."""

ODD = 0.1
"""How much nearer tiles must be in a light that is stranger by a whole logarithm."""


@dataclass(frozen=True)
class Light:
    """A gain for each channel: blue, green and red."""

    gains: tuple[float, float, float] = (1.0, 1.0, 1.0)

    @property
    def is_a_screens(self) -> bool:
        """Whether a screen can be of this light: anything between blue and red by way of white, not green or purple."""
        blue, green, red = np.log(self.gains).tolist()
        return bool(abs(green - red - GREEN_OF_BLUE * (blue - red)) <= OFF_WHITE)

    def undone(self, picture: Picture) -> Picture:
        """Return the picture as it was before; what was cut off at white is anything above."""
        if self == DAYLIGHT:
            return picture
        return _mapped(picture, np.arange(256)[:, None] / np.array(self.gains))

    def through(self, skin: Skin) -> Skin:
        """Return a skin whose tiles have lost what this light cuts off, and nothing else.

        Tiles that overexposure has made alike are alike to whoever compares with these.
        """
        if max(self.gains) <= 1:
            return skin
        whitest = 255 / np.array(self.gains)
        shades = np.minimum(np.arange(256)[:, None], whitest)
        tiles = {value: _mapped(pictures, shades) for value, pictures in skin.tiles.items()}
        return replace(skin, tiles=tiles)


def _mapped(pixels: NDArray[np.uint8], shades: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return pixels of any shape (…, 3) with shades of each channel replaced by others, which have shape (256, 3)."""
    table = np.clip(np.rint(shades), 0, 255).astype(np.uint8)[None]
    flat = np.ascontiguousarray(pixels).reshape(-1, pixels.shape[-2], 3)
    return np.asarray(cv2.LUT(flat, table), dtype=np.uint8).reshape(pixels.shape)


DAYLIGHT = Light()
"""That of a picture to which nothing was done."""


def find_light(tiles: Tiles, skin: Skin) -> Light:
    """Return the light in which canonical tiles are nearest to a skin's; `DAYLIGHT` when they hardly need another."""
    lined = _lined(tiles)
    if len(lined) < FEWEST:
        return DAYLIGHT
    seen = _parts(lined[:: 1 + (len(lined) - 1) // SAMPLE])
    themes = [_Theme.of(skin, theme) for theme in skin.theme_names or (None,)]
    plain = min((theme.nearest(seen, np.ones(3, dtype=np.float32))[1] for theme in themes), key=np.mean)
    least = LEAST_GAINED_CUT_OFF if is_cut_off(tiles) else LEAST_GAINED
    telling = max(FEWEST // 2, round(TELLING * len(seen)))
    if np.sort(plain)[-telling:].mean() < least:
        return DAYLIGHT  # no light can bring them nearer by so much
    fits = [_Fit.of(theme, seen, np.array(start, dtype=np.float32)) for theme in themes for start in STARTS]
    fits = sorted((fit.improved(seen) for fit in fits), key=lambda fit: fit.cost)[:PROMISING]
    for _ in range(ROUNDS):
        fits = [fit.improved(seen) for fit in fits]
    best = min(fits, key=lambda fit: fit.cost)
    gains, distances = best.gains, best.distances
    if float(np.abs(np.log(gains)).max()) < LEAST_ODD:
        return DAYLIGHT
    if np.sort(plain - distances)[-telling:].mean() < least:
        return DAYLIGHT
    blue, green, red = gains.tolist()
    return Light((blue, green, red))


def is_cut_off(tiles: Tiles) -> bool:
    """Whether overexposure has made some tiles white in two channels: no game's own tiles are."""
    bright = (_lined(tiles)[:, 1:-1, 1:-1] >= WHITE).astype(np.uint8)
    white = (bright[..., 0] + bright[..., 1] + bright[..., 2] >= 2).mean(axis=(1, 2)) > MOSTLY
    return bool(np.count_nonzero(white) > MOST_WHITE * len(white))


def have_lines(tiles: Tiles) -> NDArray[np.bool_]:
    """Return which of canonical tiles have lines around them, as parts of other windows have not; shape (n,)."""
    return np.asarray(np.sort(line_light(tiles), axis=1)[:, :2].mean(axis=1) <= LINES * _inside_light(tiles))


def _lined(tiles: Tiles) -> Tiles:
    return np.asarray(tiles[have_lines(tiles)])


def is_other_light(before: Tiles, after: Tiles) -> bool:
    """Whether the light on a board may have changed: no tile is as before, and together they are brighter or darker."""
    means = [np.array(cv2.mean(tiles.reshape(-1, 1, 3))[:3]) + DARK for tiles in (before, after)]
    if np.abs(np.log(means[1] / means[0])).max() < LEAST_ODD:
        return False
    return bool((before != after).reshape(len(before), -1).any(axis=1).all())


@dataclass(frozen=True)
class _Theme:
    """The templates of one theme of a skin as mean colours of their parts, made ready for comparison."""

    parts: Floats  # (m, PARTS², 3)
    weights: Floats  # (PARTS²·3, m)
    energy: Floats  # (m,)
    forgiven: Floats  # (PARTS²·3, patterns)

    @classmethod
    @lru_cache(maxsize=64)
    def of(cls, skin: Skin, theme: str | None) -> _Theme:
        """Return a theme of a skin; made once and kept."""
        parts, forgiven = _parts(drawn_tiles(skin, theme)), light_patterns(PARTS)
        rows = parts.reshape(len(parts), -1) - 128
        light = rows @ forgiven
        energy = np.einsum("ij,ij->i", rows, rows) - np.einsum("ij,ij->i", light, light)
        return cls(parts, np.ascontiguousarray((rows - light @ forgiven.T).T), energy, forgiven)

    def nearest(self, seen: Floats, gains: Floats) -> tuple[NDArray[np.intp], Floats]:
        """Return which template each tile, shape (n, PARTS², 3), is nearest to in a light, and how near."""
        rows = np.minimum(seen / gains, 255).reshape(len(seen), -1) - 128
        light = product(rows, self.forgiven)
        squares = self.energy - 2 * product(rows, self.weights)
        nearest = squares.argmin(axis=1)
        squares = squares[np.arange(len(rows)), nearest] + np.einsum("ij,ij->i", rows, rows)
        squares -= np.einsum("ij,ij->i", light, light)
        return nearest, np.minimum(np.sqrt(np.maximum(squares, 0) / rows.shape[1]), MOST_OFF)


@dataclass(frozen=True)
class _Fit:
    """Gains, and how far tiles are from a theme's templates with them; arrays have a number for each tile."""

    theme: _Theme
    gains: Floats  # (3,)
    template: NDArray[np.intp]
    distances: Floats

    @classmethod
    def of(cls, theme: _Theme, seen: Floats, gains: Floats) -> _Fit:
        """Return how well given gains fit."""
        return cls(theme, gains, *theme.nearest(seen, gains))

    def improved(self, seen: Floats) -> _Fit:
        """Return the gains that fit best if tiles show what they seem to."""
        weight = (seen < WHITE) / (1 + (self.distances[:, None, None] / FAR) ** 2)
        return _Fit.of(self.theme, seen, _fitted(self.theme.parts[self.template], seen, weight))

    @property
    def cost(self) -> float:
        """How far tiles are from templates, a little more in an odder light."""
        return float(self.distances.mean() * (1 + ODD * np.abs(np.log(self.gains)).mean()))


def _fitted(drawn: Floats, seen: Floats, weight: NDArray[np.float64]) -> Floats:
    """Return the gains that best turn drawn colours into seen ones, all of shape (n, parts, 3).

    Every shade of a channel is one witness, and that gains are near 1 is another.
    """
    shade = (np.minimum((drawn * (SHADES / 256)).astype(np.intp), SHADES - 1) + SHADES * np.arange(3)).ravel()

    def by_shade(values: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.bincount(shade, values.ravel(), 3 * SHADES).reshape(3, SHADES))

    counts = by_shade(weight)
    x, y = (by_shade(weight * each) / np.maximum(counts, 1e-9) for each in (drawn, seen))
    share = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1e-9)
    trust = np.minimum(share / COMMON, 1) / NOISE**2
    gains = ((trust * x * y).sum(axis=1) + USUAL_GAIN**-2) / ((trust * x * x).sum(axis=1) + USUAL_GAIN**-2)
    return np.asarray(np.clip(gains, DARKEST, BRIGHTEST), dtype=np.float32)


def _parts(tiles: Tiles) -> Floats:
    """Return the mean colours of the parts of tiles without their lines, shape (n, PARTS², 3)."""
    size = INNER // PARTS
    split = tiles[:, 1:-1, 1:-1].reshape(len(tiles), PARTS, size, PARTS, size, 3)
    return np.asarray(split.mean(axis=(2, 4), dtype=np.float32).reshape(len(tiles), PARTS * PARTS, 3))


def _inside_light(tiles: Tiles) -> Floats:
    """Return how bright the inside of each tile is, shape (n,)."""
    inside = tiles[:, 1:-1, 1:-1]
    light = np.maximum(np.maximum(inside[..., 0], inside[..., 1]), inside[..., 2])
    return np.asarray(light.reshape(len(tiles), -1).sum(axis=1, dtype=np.uint32) / np.float32(INNER * INNER))
