"""What a figure on a tile resembles: its shape against the figures of all known skins, whatever its colour and size.

Promises for a tile how well its figure correlates with each kind of figure that any known skin has, 1 being identity.
Fonts differ, so a likeness is evidence and never proof; the rules of the game or the user have the last word.
"""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.vision.skin import all_skins

SHAPE_HEIGHT, SHAPE_WIDTH = 20, 20

HAS_FIGURE = 60.0
"""Grey levels between the parts of a tile's middle: more on nearly all figures, less on nearly all plain tiles."""

CROP = 48
"""Pixels across a tile that is to be recognised by its shape, or by the user."""

FIGURES = (*range(1, 9), Cell.FLAG, Cell.QUESTION, Cell.MINE, Cell.WRONG_FLAG)
"""The cells that have a figure of their own; a mine that went off is a mine on another ground."""

Shape = NDArray[np.float32]
"""Shape (SHAPE_HEIGHT · SHAPE_WIDTH,), zero mean and unit length: how much of the figure each part of its box is."""


def shape_of(tile: NDArray[np.uint8]) -> Shape | None:
    """Return the shape of the figure on a tile of shape (side, side, 3), None when there is hardly any."""
    side = len(tile)
    rim = max(1, round(0.08 * side))
    inner = tile[rim : side - rim, rim : side - rim].astype(np.float32)
    ink = np.linalg.norm(inner - np.median(inner, axis=(0, 1)), axis=2)
    ink[_frame(ink > 0.5 * ink.max())] = 0
    usual = float(np.quantile(ink, 0.97))
    if ink.max() < 24 or usual == 0:
        return None
    ink = np.minimum(ink / usual, 1)
    rows, cols = (np.flatnonzero((ink > 0.5).sum(axis=axis) >= max(1, side / 24)) for axis in (1, 0))
    if len(rows) < 0.2 * side or len(cols) < 2:
        return None
    cut = ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    height, width = cut.shape
    fitted = min(SHAPE_WIDTH, max(2, round(width * SHAPE_HEIGHT / height)))
    canvas = np.zeros((SHAPE_HEIGHT, SHAPE_WIDTH), dtype=np.float32)
    start = (SHAPE_WIDTH - fitted) // 2
    canvas[:, start : start + fitted] = cv2.resize(cut, (fitted, SHAPE_HEIGHT), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(canvas, (0, 0), 1.0).ravel()
    soft -= soft.mean()
    return np.asarray(soft / max(float(np.linalg.norm(soft)), 1e-6), dtype=np.float32)


def _frame(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the ink that hangs together with the rim of the tile: its frame or bevel, no part of the figure."""
    _, pieces = cv2.connectedComponents(ink.astype(np.uint8), connectivity=8)
    at_rim = np.unique(np.concatenate([pieces[0], pieces[-1], pieces[:, 0], pieces[:, -1]]))
    return np.asarray(np.isin(pieces, at_rim[at_rim > 0]))


@lru_cache(maxsize=1)
def known_shapes() -> tuple[tuple[int, Shape], ...]:
    """Return the shapes of all figures in all skins that can be loaded, each with its cell value."""
    shapes = []
    for skin in all_skins()[0]:
        for value in FIGURES:
            for tile in skin.tiles.get(value, ()):
                shape = shape_of(tile)
                if shape is not None:
                    shapes.append((value, shape))
    return tuple(shapes)


def likeness(tile: NDArray[np.uint8]) -> dict[int, float]:
    """Return how well a tile's figure correlates with each kind of figure, best first; empty when it has none."""
    shape = shape_of(tile)
    if shape is None:
        return {}
    best: dict[int, float] = {}
    for value, known in known_shapes():
        best[value] = max(best.get(value, -1.0), float(shape @ known))
    return dict(sorted(best.items(), key=lambda item: -item[1]))
