"""The game's tiles as one picture, for the page to draw boards with.

A row of the sheet is a kind of tile, a column one of the tints between the board's light corner and its dark one. Open
tiles come with every shadow that raised neighbours throw. The page chooses as the clone's painter does; the tints
between are chosen by the place on the board, as in the real game.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from bot.board import Cell
from bot.clone.tiles import MAP_COLS, MAP_ROWS, TileArtist, TileLook, covered_tints, open_tints

TILE = 48
"""Pixels of a tile; larger than most screens show it, so that it is only ever made smaller."""

TINTS = 8

RAISED = (Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.WRONG_FLAG)
SUNK = (*range(9), Cell.MINE, Cell.EXPLODED)
SHADOWS = ((False, False), (True, False), (False, True), (True, True))


@lru_cache(maxsize=1)
def sheet() -> tuple[bytes, dict[str, Any]]:
    """Return the picture, a WebP, and where what is in it: the rows of each kind of tile."""
    artist = TileArtist("blue", "mines")
    covered, opened = covered_tints("blue"), open_tints("blue")
    looks = [TileLook(value) for value in RAISED]
    looks += [TileLook(value, shadow_top=top, shadow_left=left) for value in SUNK for top, left in SHADOWS]
    # Along the diagonal of the board, where the tints go from the lightest to the darkest.
    places = [
        (round(step * (MAP_ROWS - 1) / (TINTS - 1)), round(step * (MAP_COLS - 1) / (TINTS - 1)))
        for step in range(TINTS)
    ]
    rows = [
        np.concatenate([artist.draw(look, covered[place], opened[place], TILE, TILE) for place in places], axis=1)
        for look in looks
    ]
    picture = np.concatenate(rows)
    encoded = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, 92])[1].tobytes()
    where = {
        "tile": TILE,
        "tints": TINTS,
        "map": [MAP_ROWS, MAP_COLS],
        "raised": {str(value): row for row, value in enumerate(RAISED)},
        "sunk": {str(value): len(RAISED) + len(SHADOWS) * number for number, value in enumerate(SUNK)},
    }
    return encoded, where
