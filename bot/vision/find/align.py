"""A lattice moved by fractions of a pixel to where its tiles fit a skin best.

Lines tell where a lattice is, but what part of a line belongs to which tile differs from look to look. Promises a
lattice near the given one, of the same rows and columns, on which the tiles are at least as near to their templates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from bot.picture import Picture
from bot.vision.grid import Grid, of_whole_pixels, snapped
from bot.vision.matcher import Matcher, Tiles, canonical_tiles

MOST_MOVED = 0.6
"""Pixels that fitting tiles may move a corner: lines tell where it is, tiles only what part of a line is theirs."""

COARSE, BY_FAR = 20, 0.5
"""Pixels of a skin's tiles below which lines of one pixel decide, and how much nearer tiles are at whole pixels then.

Looks with such lines draw their tiles at whole pixels, and a lattice that is half a pixel off sees lines on both sides.
"""

FAMILIAR = 50.0
"""Grey levels from its nearest template up to which a tile has a say in where the lattice is."""


def aligned(picture: Picture, grid: Grid, matcher: Matcher, familiar: NDArray[np.bool_]) -> Grid:
    """Return the lattice shifted by up to a pixel to where its tiles are nearest to templates.

    `familiar`, shape (rows·cols,), tells which tiles look like a skin's at all: rows that have many of them decide.
    """
    rows = _spread_rows(familiar.reshape(grid.rows, grid.cols))

    def sample(candidate: Grid) -> Tiles:
        tops = (candidate.tile(row, 0)[1] for row in rows)
        return np.concatenate([canonical_tiles(picture, replace(candidate, top=top, rows=1)) for top in tops])

    def misfit(candidate: Grid, templates: NDArray[np.intp], known: NDArray[np.bool_]) -> float:
        return matcher.misfit(sample(candidate)[known], templates[known])

    def off(candidate: Grid) -> float:
        return float(matcher.match(sample(candidate)).distance.mean())

    # How far light from the left top draws the lines found depends on the look: on both axes alike.
    starts = [_shifted_x(_shifted_y(grid, pull), pull) for pull in (0.0, 0.4, -0.4)]
    if matcher.skin.tolerance is not None:  # taken from pixels, so whole ones are as likely
        starts += one_pixel_around(grid)
    middle = best = min(starts, key=off)
    for step in (0.5, 0.25):
        matches = matcher.match(sample(best))
        known = matches.distance <= FAMILIAR
        if known.any():
            best = _descend(partial(misfit, templates=matches.template, known=known), best, middle, step)
    if matcher.skin.tile < COARSE and matcher.skin.tolerance is None:
        exact = min(one_pixel_around(snapped(grid)), key=off)
        best = exact if off(exact) < BY_FAR * off(best) else best
    return best


AROUND = (0, 1, -1, 2, -2)
"""Pixels by which a lattice found in a smaller picture may be beside that of the picture itself."""


def to_the_pixel(picture: Picture, grid: Grid, matcher: Matcher) -> Grid:
    """Return the lattice of whole pixels near one that was found in a smaller picture, if its tiles are nearer by far.

    Games draw large tiles at whole pixels too, and a figure of thin lines is like itself only there.
    """
    rows = _spread_rows(np.ones((grid.rows, grid.cols), dtype=np.bool_))

    def off(candidate: Grid) -> float:
        lines = (replace(candidate, top=candidate.tile(row, 0)[1], rows=1) for row in rows)
        matches = matcher.match(np.concatenate([canonical_tiles(picture, line, exact=True) for line in lines]))
        return float((matches.distance + np.abs(matches.rim).sum(axis=1)).mean())  # a new board has only lines

    whole = of_whole_pixels(grid)
    for shifted in (_shifted_x, _shifted_y):
        whole = min((shifted(whole, distance) for distance in AROUND), key=off)
    return whole if off(whole) < BY_FAR * off(grid) else grid


def _spread_rows(familiar: NDArray[np.bool_]) -> list[int]:
    """Return three rows, far apart, among those that most tiles of look familiar: nothing hides them."""
    counts = np.count_nonzero(familiar, axis=1)
    clear = np.flatnonzero(counts >= 0.7 * counts.max())
    return sorted({int(clear[len(clear) * part // 6]) for part in (1, 3, 5)})


def _descend(misfit: Callable[[Grid], float], start: Grid, middle: Grid, step: float) -> Grid:
    """Return the lattice shifted and stretched in steps as long as that lowers the misfit, near the middle one."""
    best, lowest = start, misfit(start)
    most = max(MOST_MOVED, 0.014 * start.pitch)
    for move in (_shifted_x, _shifted_y, _stretched):
        for distance in (-step, step):
            while True:
                moved = move(best, distance)
                near = max(abs(new - old) for new, old in zip(moved.box, middle.box, strict=True)) <= most
                off = misfit(moved) if near else np.inf
                if off >= lowest:
                    break
                best, lowest = moved, off
    return best


def one_pixel_around(grid: Grid) -> list[Grid]:
    """Return the lattice and those one pixel beside it."""
    return [_shifted_x(_shifted_y(grid, down), right) for down in (0, 1, -1) for right in (0, 1, -1)]


def _shifted_x(grid: Grid, distance: float) -> Grid:
    return replace(grid, left=grid.left + distance)


def _shifted_y(grid: Grid, distance: float) -> Grid:
    return replace(grid, top=grid.top + distance)


def _stretched(grid: Grid, distance: float) -> Grid:
    """Return the lattice with its longer side grown by twice the distance, its middle where it was."""
    growth = 1 + 2 * distance / (max(grid.rows, grid.cols) * grid.pitch)
    return replace(
        grid,
        left=grid.left - (growth - 1) / 2 * grid.cols * grid.pitch_x,
        top=grid.top - (growth - 1) / 2 * grid.rows * grid.pitch_y,
        pitch_x=grid.pitch_x * growth,
        pitch_y=grid.pitch_y * growth,
    )
