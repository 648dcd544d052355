"""How the game moves: what every tile looks like some seconds after something happened.

Each function takes a time since an event and gives what `Painter.paint` wants as `fading` or `effects`; an empty
mapping says that the animation is over. There is no clock in here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.clone.look import Tile
from bot.clone.tiles import Effect

Fading = dict[Tile, float]
Effects = dict[Tile, tuple[Effect, float]]

DEAL_SECONDS = 1.1
RIPPLE_SECONDS_A_TILE = 0.03
FADE_SECONDS = 0.25
FLAG_SECONDS = 0.2
CASCADE_SECONDS = 1.0
FLASH_SECONDS = 0.3
SWEEP_SECONDS = 3.0


def deal_in(rows: int, cols: int, seconds: float) -> Effects:
    """Return tiles on their way in at the start of a game, from the top left and the bottom right at once."""
    effects: Effects = {}
    for row in range(rows):
        for col in range(cols):
            way = (row + col) / max(rows + cols - 2, 1)
            start = min(way, 1 - way) * 2 * (DEAL_SECONDS - FADE_SECONDS)
            there = (seconds - start) / FADE_SECONDS
            if there < 1:
                effects[row, col] = ("dealt", max(there, 0.0))
    return effects


def ripple(opened: Iterable[Tile], clicked: Tile, seconds: float) -> Fading:
    """Return how far opening tiles have turned: those nearest to the click first."""
    fading = {}
    for row, col in opened:
        start = math.hypot(row - clicked[0], col - clicked[1]) * RIPPLE_SECONDS_A_TILE
        share = (seconds - start) / FADE_SECONDS
        if share < 1:
            fading[row, col] = max(share, 0.0)
    return fading


def raise_flag(tile: Tile, seconds: float) -> Effects:
    """Return a flag that has just been set: dark at first, red at the end."""
    if seconds >= FLAG_SECONDS:
        return {}
    return {tile: ("raised", max(seconds, 0.0) / FLAG_SECONDS)}


def loss_cascade(board: Board, seconds: float) -> Effects:
    """Return the mines of a lost game: silver on their tiles, going off from the one hit outwards, then at rest."""
    hit = np.argwhere(board.cells == Cell.EXPLODED)
    if not len(hit):
        return {}
    mines = [(int(row), int(col)) for row, col in np.argwhere(board.cells == Cell.MINE)]
    far = max((_distance(mine, hit) for mine in mines), default=0.0) or 1.0
    effects: Effects = {}
    for row, col in hit.tolist():
        if seconds < FLASH_SECONDS:
            effects[row, col] = ("flash", 1.0)
    for mine in mines:
        start = FLASH_SECONDS + _distance(mine, hit) / far * (CASCADE_SECONDS - 2 * FLASH_SECONDS)
        if seconds < start:
            effects[mine] = ("silver", 1.0)
        elif seconds < start + FLASH_SECONDS:
            effects[mine] = ("flash", 1.0)
    return effects


def win_sweep(board: Board, seconds: float) -> Effects:
    """Return the beam of light that passes over a won board from left to right."""
    if not 0 <= seconds < SWEEP_SECONDS:
        return {}
    beam = (seconds / SWEEP_SECONDS) * (board.cols + 4) - 2
    effects: Effects = {}
    for row in range(board.rows):
        for col in range(board.cols):
            light = 1 - abs(col - beam) / 3
            if light > 0:
                effects[row, col] = ("shine", light)
    return effects


def _distance(tile: Tile, hits: NDArray[np.intp]) -> float:
    """Return how far a tile is from the nearest of some tiles, an array of shape (count, 2)."""
    return float(np.hypot(hits[:, 0] - tile[0], hits[:, 1] - tile[1]).min())
