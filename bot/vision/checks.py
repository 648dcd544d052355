"""What tiles say about each other: a second witness for the reader, after each tile was judged by itself.

Three kinds of checks. The rules of the game: which tiles cannot stand beside each other. Mines: only the one that went
off has another hue than the rest, whatever happened to a picture's colours, and it shows a mine. Windows in front: the
one rectangle of tiles that such a window hides, and what only seems to show through it. A check tells what is to be
doubted, never what it is instead.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Cell, Cells, count_around
from bot.vision.matcher import Floats, Tiles, line_light
from bot.vision.skin import PLAIN


def starved_numbers(cells: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which numbers have too little room around them for their mines; shape (rows, cols)."""
    could_hide = (cells >= Cell.COVERED) & (cells != Cell.WRONG_FLAG)
    starved = (cells <= 8) & (count_around(could_hide) < cells)
    # At the rim of a cropped picture, room may lie outside of it.
    starved[[0, -1]] = starved[:, [0, -1]] = False
    return np.asarray(starved)


def enclosed_blanks(cells: NDArray[np.uint8], unread: bool = False) -> NDArray[np.bool_]:
    """Return which blanks touch a tile that is not open, or, if asked, may be none; shape (rows, cols).

    A blank opens everything around it. Only while a flood still runs over the board, or where a flag is wrong, may it
    be otherwise.
    """
    closed = (cells >= Cell.COVERED) & (cells <= Cell.QUESTION)
    if unread:
        closed |= cells == Cell.UNREAD
    return np.asarray((cells == 0) & (count_around(closed) > 0))


FEWEST_MINES = 3
"""So many mines are needed to see what is usual in a picture."""

OTHER_HUE = 5.0
"""Grey levels of red, beyond those of green and blue, by which a mine may differ from the usual one."""

LEAST_FIGURE = 16.0
"""Grey levels by which the middle of a tile varies, any channel, at least, when there is a mine in it that went off.

Ten of them in pictures of the original artwork, as they are and in light of 1.4 times, have 32 and more.
"""

RIM = 2


def odd_mines(tiles: Tiles, values: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Return which of the canonical tiles were read as mines and are not like the others; shape (n,)."""
    odd = np.zeros(len(values), dtype=np.bool_)
    mines = np.flatnonzero(values == Cell.MINE)
    if len(mines) >= FEWEST_MINES:
        red = _redness(tiles[mines])
        odd[mines] = np.abs(red - np.median(red)) > OTHER_HUE
    return odd


def flat_explosions(tiles: Tiles) -> NDArray[np.bool_]:
    """Return which of some canonical tiles, all read as mines that went off, show no mine; shape (n,)."""
    spread = tiles[:, RIM:-RIM, RIM:-RIM].std(axis=(1, 2), dtype=np.float32).max(axis=1)
    return np.asarray(spread < LEAST_FIGURE)


def _redness(tiles: Tiles) -> Floats:
    """Return by how much red exceeds the other colours in the middle of each tile, shape (n,)."""
    blue, green, red = tiles[:, RIM:-RIM, RIM:-RIM].mean(axis=(1, 2), dtype=np.float32).T
    return np.asarray(red - (blue + green) / 2)


LINELESS = 0.88
"""How bright the darkest side of a plain tile is beside its inside at most.

Of the plain tiles of real games none was above 0.82, whatever light, noise or blur was put upon the pictures, of 38,000
drawn ones 1 in 1,600; of the parts of windows in front that were taken for blanks 97 in 100 are, for covers 40.
"""

DARKEST = 8.0
"""Grey levels: a tile that is darker shows no lines, and nobody can say whether it has any."""


def lineless(tiles: Tiles) -> NDArray[np.bool_]:
    """Return which canonical tiles have no dark side at all, as parts of other windows have none; shape (n,)."""
    inside = tiles[:, 1:-1, 1:-1].max(axis=3).mean(axis=(1, 2), dtype=np.float32)
    return np.asarray(line_light(tiles).min(axis=1) > LINELESS * np.maximum(inside, DARKEST))


FEWEST_HIDDEN, MOSTLY = 3, 0.7
"""So many tiles of what a window hides are unread at least, and such a share: plain parts may look like blank tiles."""


def hidden_block(unread: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rectangle that a window in front of the board hides, all False when there is none."""
    block = np.zeros_like(unread)
    if np.count_nonzero(unread) < FEWEST_HIDDEN:
        return block
    count, _, stats, _ = cv2.connectedComponentsWithStats(unread.astype(np.uint8), connectivity=4)
    if count > 1:
        left, top, width, height, _ = max(stats[1:].tolist(), key=lambda stat: stat[4])
        rows, cols = _without_thin_rims(unread, slice(top, top + height), slice(left, left + width))
        inside = unread[rows, cols]
        if np.count_nonzero(inside) >= max(FEWEST_HIDDEN, MOSTLY * inside.size):
            block[rows, cols] = True
    return block


def _without_thin_rims(unread: NDArray[np.bool_], rows: slice, cols: slice) -> tuple[slice, slice]:
    """Return a part of the board without outer lines of which too little is unread: tiles beside a window."""
    while rows.stop - rows.start > 1 and cols.stop - cols.start > 1:
        inside = unread[rows, cols]
        lines = [inside[0], inside[-1], inside[:, 0], inside[:, -1]]
        thinnest = min(range(4), key=lambda side: float(lines[side].mean()))
        if lines[thinnest].mean() >= MOSTLY:
            break
        rows = slice(rows.start + (thinnest == 0), rows.stop - (thinnest == 1))
        cols = slice(cols.start + (thinnest == 2), cols.stop - (thinnest == 3))
    return rows, cols


def islands(cells: Cells) -> NDArray[np.bool_]:
    """Return which tiles seem to show through a window in front of the board; shape (rows, cols).

    A window has plain parts that look like blank tiles, but no holes: blanks within its outline, and whatever is read
    in its very midst, are not the board.
    """
    unread = cells == Cell.UNREAD
    block = hidden_block(unread)
    if not block.any():
        return block
    midst = cv2.erode(block.astype(np.uint8), np.ones((3, 3), np.uint8), borderValue=0).astype(np.bool_)
    _, labels = cv2.connectedComponents((~unread).astype(np.uint8), connectivity=4)
    real = labels[~block | (~midst & (cells != 0))]
    return np.asarray(~np.isin(labels, real))


def plain_beside_window(cells: Cells) -> NDArray[np.bool_]:
    """Return which plain tiles touch what a window in front of the board hides; shape (rows, cols)."""
    block = hidden_block(cells == Cell.UNREAD)
    if not block.any():
        return block
    around = cv2.dilate(block.astype(np.uint8), np.ones((3, 3), np.uint8)).astype(np.bool_)
    return np.asarray(around & ~block & np.isin(cells, PLAIN))
