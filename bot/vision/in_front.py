"""What a window in front of a board hides, told by the tiles that could not be read.

Promises the one rectangle of tiles that such a window covers, or none, and which tiles read within it are parts of the
window. It looks at cells alone, not at pixels: for the lattice behind a dialog see `behind.py`.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Cell, Cells
from bot.vision.skin import PLAIN

MOSTLY = 0.7
"""How much of what a window hides is unread: plain parts of it may look like blank tiles."""


def hidden_block(unread: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rectangle that a window in front of the board hides, all False when there is none."""
    block = np.zeros_like(unread)
    count, _, stats, _ = cv2.connectedComponentsWithStats(unread.astype(np.uint8), connectivity=4)
    if count > 1:
        left, top, width, height, _ = max(stats[1:].tolist(), key=lambda stat: stat[4])
        rows, cols = _without_thin_rims(unread, slice(top, top + height), slice(left, left + width))
        inside = unread[rows, cols]
        if np.count_nonzero(inside) >= max(3, MOSTLY * inside.size):
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
