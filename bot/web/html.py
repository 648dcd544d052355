"""Pages for a browser, each one file: what all of them share, and the game's tiles as one picture to draw boards with.

A page is a template whose names in double braces are replaced. Its own style and script may run and nothing else: a
browser knows them by their hashes. What is data stands in the page as JSON and is never taken for part of it.
`marks.js` draws what the solver says over a board, for every page that shows one.

A row of the sheet of tiles is a kind of tile, a column one of the tints between the board's light corner and its dark
one: many of raised tiles, whose tints differ widely, few of open ones. Open tiles come with every shadow that raised
neighbours throw. The page chooses by the place on the board, as the clone's painter does.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.board import Cell
from bot.clone.tiles import MAP_COLS, MAP_ROWS, TileArtist, TileLook, covered_tints, open_tints

MARKS = Path(__file__).with_name("marks.js")


def filled(template: str, title: str, data: Any, **parts: str) -> str:
    """Return a page: first its parts put in, then the hashes of its style and script, then its title and data."""
    for name, part in {"MARKS": MARKS.read_text(encoding="utf-8"), **parts}.items():
        template = template.replace("{{" + name + "}}", part)
    for element in ("style", "script"):
        template = template.replace("{{" + element.upper() + "_HASH}}", hash_of(template, element))
    # "<" can't occur in the data, so nothing in it ends the element it stands in.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return template.replace("{{TITLE}}", html.escape(title)).replace("{{DATA}}", text)


def hash_of(template: str, element: str) -> str:
    """Return by which a browser knows that the page's own style or script may run, and nothing else."""
    found = re.search(f"<{element}>(.*?)</{element}>", template, re.DOTALL)
    assert found is not None
    return "sha256-" + base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()


TILE = 48
"""Pixels of a tile; larger than most screens show it, so that it is only ever made smaller."""

RAISED_TINTS, SUNK_TINTS = 16, 4

RAISED = (Cell.COVERED, Cell.FLAG, Cell.QUESTION, Cell.WRONG_FLAG)
SUNK = (*range(9), Cell.MINE, Cell.EXPLODED)
SHADOWS = ((False, False), (True, False), (False, True), (True, True))


@lru_cache(maxsize=1)
def sheet() -> tuple[bytes, dict[str, Any]]:
    """Return the picture, a WebP, and where what is in it: the rows of each kind of tile."""
    artist = TileArtist("blue", "mines")
    covered, opened = covered_tints("blue"), open_tints("blue")
    looks = [(TileLook(value), RAISED_TINTS) for value in RAISED]
    looks += [
        (TileLook(value, shadow_top=top, shadow_left=left), SUNK_TINTS) for value in SUNK for top, left in SHADOWS
    ]
    rows = []
    for look, tints in looks:
        # Along the diagonal of the board, where the tints go from the lightest to the darkest.
        share = np.linspace(0, 1, tints)
        places = zip(
            (share * (MAP_ROWS - 1)).round().astype(int), (share * (MAP_COLS - 1)).round().astype(int), strict=True
        )
        tiles = [artist.draw(look, covered[place], opened[place], TILE, TILE) for place in places]
        tiles += [np.zeros_like(tiles[0])] * (RAISED_TINTS - tints)
        rows.append(np.concatenate(tiles, axis=1))
    picture = np.concatenate(rows)
    encoded = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, 92])[1].tobytes()
    where = {
        "tile": TILE,
        "raised_tints": RAISED_TINTS,
        "sunk_tints": SUNK_TINTS,
        "map": [MAP_ROWS, MAP_COLS],
        "raised": {str(value): row for row, value in enumerate(RAISED)},
        "sunk": {str(value): len(RAISED) + len(SHADOWS) * number for number, value in enumerate(SUNK)},
    }
    return encoded, where
