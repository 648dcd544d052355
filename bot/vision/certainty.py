"""How sure is sure: every number that decides whether evidence makes a tile certain, in one place.

The evidence is a tile's match (`matcher.Matches`: distance, margin, lean, colour, rim, relief) and, where that leaves
doubt, its correlation with the skin's figures (`correlate.py`). Promises nothing but yes or no. The numbers are fitted
by hand to pictures of the real game: `minebot bench read FOLDER`, and with `--distort`, tells what a change does.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.vision.matcher import Matches
from bot.vision.skin import PLAIN

Bools = NDArray[np.bool_]

# Distances from the nearest template, in grey levels.
SAME = 7.5
"""Up to here a tile is its template to the eye: even strange sides are forgiven."""
ALMOST_SAME = 10
"""Up to here a blank's colour may be off a little more."""
EVEN = 12
"""Up to here a blank is even enough, however much its pixels vary."""
NEAR = 14
"""Up to here the direction alone tells: towards the template, not towards its rival."""
OTHER_LIGHT = 18
"""Up to here a plain tile, which has no font to differ in, may be off for its light."""
OTHER_FONT = 24
"""From here on, as real fonts are from drawn ones, the next value must be farther by more."""
FARTHEST = 46
"""From here on nothing is certain."""

# Margins: how much farther the next value is, 1 for twice as far.
MARGIN, MARGIN_OF_OTHER_FONT = 0.15, 0.3
"""What a clear match has at least, and one that is as far away as another font."""
MARGIN_OF_PLAIN = 0.35
"""What a plain tile has at least that is not near: between covered and blank there is nothing but light."""
MARGIN_FOR_LITTLE_LEAN = 0.4
"""What makes up for a small lean."""
MARGIN_WITHOUT_LINES = 0.25
"""What a figure has at least that lacks a line around it."""

# Leans: 1 exactly on the template, 0 half way to its rival.
LEAN_WHEN_FAR, SMALL_LEAN, LEAN, LEAN_OF_SAME = 0.15, 0.25, 0.5, 0.6
"""The least of a tile that is far from its template, of one with a large margin, of a near one, of the very same."""

# Colours: by how much the mean colour is off in the worst channel, in grey levels.
COLOUR, COLOUR_AGAIN = 20, 15
"""The most for a blank, which is nothing but its colour, at first sight and once the picture's colours are known."""
COLOUR_OF_ALMOST_SAME = 6
"""How much more that may be on a tile almost the same as its template."""
COLOUR_OF_SAME, VERY_COLOUR = 16, 6
"""The most for a tile whose sides are strange, and for one whose sides may be anything."""

# Rims: by how much the brightest and the second brightest side are brighter than the template's, in grey levels.
RIM, SECOND_RIM = 118, 85
"""The most for what has lines around it: one side may be hidden."""
SECOND_RIM_OF_FIGURE = 100
"""The most on the second side for a clear figure."""
SECOND_RIM_OF_SAME, SECOND_RIM_OF_SAME_COLOUR, SECOND_RIM_BESIDE_NO_LINE = 95, 120, 10
"""The most for a tile that is the same as its template, of exactly its colour, or with one side that has no line."""
SECOND_RIM_OF_A_TILE, SECOND_RIM_OF_A_FIGURE_TILE = 120, 125
"""What is brighter is no tile at all and not looked at again; a figure is given a little more."""

LEAST_RELIEF, MOST_RELIEF = 0.35, 2.3
"""How much the pixels of a covered tile must vary, and those of a blank may, where 1 is as in the skin's drawings.

Part of a window may have the colour of a tile, or leave but a part of one: then it varies too little or too much.
"""

# Correlations with figures, 1 for the same shape; a lead is how much higher it is than that of any other figure.
LIKENESS, LEAD = 0.8, 0.1
"""What makes a figure certain by itself."""
STRIKING, STRIKING_LEAD = 0.86, 0.18
"""The same where a plain tile is possible."""
VERY_LIKE, LEAD_OF_VERY_LIKE = 0.88, 0.07
"""A flag and a crossed flag differ by no more than thin lines: so high, a smaller lead is enough."""
CONFIRMING_LEAD, CONFIRMING_LEAD_OVER_PLAIN = 0.05, 0.2
"""The least lead that confirms what the match had found less clearly, and where a plain tile is possible."""
CONFIRMED_MARGIN, CONFIRMED_MARGIN_OF_LESS, CONFIRMED_MARGIN_OVER_PLAIN = 0.1, 0.15, 0.2
"""The margins that the match must have for it: with a high correlation, a lower one, where a plain tile is possible."""
LESS_LIKE = 0.65
"""That lower correlation."""
UNLIKE = 0.7
"""Below it, a tile is like no figure."""
PLAIN_MARGIN, PLAIN_LEAN = 0.1, 0.25
"""The least of a plain tile that is like no figure."""


def certain_at_sight(matches: Matches, off_colour: float = COLOUR) -> Bools:
    """Return which matches leave no doubt.

    Near a template the direction tells: towards it and not towards its rival. Farther away it must be nearer by far
    than the next; a plain tile has no font and is never so far. A strange side is forgiven only to a clear figure or
    an exact likeness.
    """
    distance, margin, lean, figure = matches.distance, matches.margin, matches.lean, is_figure(matches)
    clear = (margin >= np.where(distance > OTHER_FONT, MARGIN_OF_OTHER_FONT, MARGIN)) & (lean >= LEAN_WHEN_FAR)
    clear &= figure | ((margin >= MARGIN_OF_PLAIN) & (distance < OTHER_LIGHT))
    near = (lean >= LEAN) | (lean >= SMALL_LEAN) & (margin >= MARGIN_FOR_LITTLE_LEAN)
    right = np.where(distance < NEAR, near, clear & (distance <= FARTHEST))
    most_off = off_colour + COLOUR_OF_ALMOST_SAME * (distance < ALMOST_SAME)
    right &= (matches.best != 0) | (matches.colour <= most_off)
    right &= (matches.best != Cell.COVERED) | (matches.relief >= LEAST_RELIEF)
    right &= (matches.best != 0) | (matches.relief <= MOST_RELIEF) | (distance < EVEN)
    very_clear = (margin >= MARGIN_WITHOUT_LINES) & figure & (matches.rim[:, 1] <= SECOND_RIM_OF_FIGURE)
    return np.asarray(right & (tilelike(matches) | very_clear | _same_as_template(matches)))


def _same_as_template(matches: Matches) -> Bools:
    same = (matches.distance < SAME) & (matches.lean >= LEAN_OF_SAME) & (matches.colour <= COLOUR_OF_SAME)
    by_first_side = np.where(matches.rim[:, 0] <= RIM, SECOND_RIM_OF_SAME, SECOND_RIM_BESIDE_NO_LINE)
    most = np.where(matches.colour <= VERY_COLOUR, SECOND_RIM_OF_SAME_COLOUR, by_first_side)
    return np.asarray(same & (matches.rim[:, 1] <= most))


def is_figure(matches: Matches) -> Bools:
    """Return which tiles are nearest to something else than a plain tile."""
    return np.asarray((matches.best != 0) & (matches.best != Cell.COVERED))


def tilelike(matches: Matches) -> Bools:
    """Return which tiles have lines around them, at least nothing much brighter."""
    return np.asarray((matches.rim[:, 0] <= RIM) & (matches.rim[:, 1] <= SECOND_RIM))


def perhaps_a_tile(matches: Matches) -> Bools:
    """Return which tiles are worth a second look."""
    most = np.where(is_figure(matches), SECOND_RIM_OF_A_FIGURE_TILE, SECOND_RIM_OF_A_TILE)
    return np.asarray(tilelike(matches) | (matches.rim[:, 1] <= most))


def plain_after_all(matches: Matches, index: int, figure: int, likeness: float) -> bool:
    """Whether a tile nearest to a plain one is just that: what else it might be is not even what it is most alike."""
    plain = matches.best[index] in PLAIN and matches.rim[index, 0] <= RIM
    leans = matches.lean[index] >= PLAIN_LEAN and matches.margin[index] >= PLAIN_MARGIN
    even = matches.best[index] != 0 or matches.relief[index] <= MOST_RELIEF
    return bool(plain and leans and even and figure != matches.second[index] and likeness < UNLIKE)


def certain_by_likeness(likeness: float, lead: float, plain: bool) -> bool:
    """Whether correlation alone is enough; where a plain tile is possible, only to a striking figure."""
    if plain:
        return likeness >= STRIKING and lead >= STRIKING_LEAD
    return likeness >= LIKENESS and lead >= (LEAD_OF_VERY_LIKE if likeness >= VERY_LIKE else LEAD)


def confirmed(likeness: float, lead: float, margin: float, plain: bool) -> bool:
    """Whether correlation confirms what the match had found less clearly."""
    if plain:
        enough = lead >= CONFIRMING_LEAD_OVER_PLAIN and margin >= CONFIRMED_MARGIN_OVER_PLAIN
        return likeness >= LIKENESS and enough
    alike = likeness >= LIKENESS and margin >= CONFIRMED_MARGIN
    return lead >= CONFIRMING_LEAD and (alike or (likeness >= LESS_LIKE and margin >= CONFIRMED_MARGIN_OF_LESS))
