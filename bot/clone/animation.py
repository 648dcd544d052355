"""How the game moves: what every tile looks like some seconds after something happened.

Openings, deals and the shows at a game's end, with the lengths of the real program's. Each function takes a time since
an event and gives what `Painter.paint` wants as `fading` or `effects`; what is not in the mapping is at rest. There is
no clock in here, and chance comes from outside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from random import Random

import numpy as np

from bot.board import Board, Cell
from bot.clone.tiles import Effect, Tile

Fading = dict[Tile, float]
Effects = dict[Tile, tuple[Effect, float]]

FADE_SECONDS = 0.15
"""How long a tile takes to turn transparent or opaque."""

AT_ONCE = 4
"""Tiles nearer to the click than the square root of this are open at once; the others fade, the far ones later."""

DELAY_A_SQUARE = 0.001
"""Seconds that an opening waits for each square of the distance."""

LOSS_STEPS = (0.15, 0.36)
"""Seconds in which the explosions of a lost game reach one tile farther."""

LOSS_DELAY = 0.4
"""Seconds after being reached within which a mine goes off."""

EXPLOSION_SECONDS = 1.0
SWEEP_SECONDS = 3.0
"""How long the bar of a won game takes from the lowest row to the highest."""

BEAM_SECONDS = 2.0
"""How long the beam over a mine lasts once the bar has passed, while the mine comes into sight."""

PAUSE_SECONDS = 1.0
"""After the last beam and before the dialog."""


def ripple(opened: Iterable[Tile], clicked: Tile, seconds: float) -> Fading:
    """Return how far opening tiles have turned; those nearest to the click begin first."""
    fading = {}
    for tile in opened:
        square = _square(tile, clicked)
        share = (seconds - square * DELAY_A_SQUARE) / FADE_SECONDS
        if square >= AT_ONCE and share < 1:
            fading[tile] = max(share, 0.0)
    return fading


def opening_seconds(opened: Iterable[Tile], clicked: Tile) -> float:
    """Return how long an opening fades; nothing when all its tiles are open at once."""
    squares = [square for tile in opened if (square := _square(tile, clicked)) >= AT_ONCE]
    return FADE_SECONDS + max(squares) * DELAY_A_SQUARE if squares else 0.0


def _square(tile: Tile, clicked: Tile) -> int:
    return (tile[0] - clicked[0]) ** 2 + (tile[1] - clicked[1]) ** 2


def deal_delays(rows: int, cols: int, chance: Random) -> dict[Tile, float]:
    """Return when each tile's cover begins to fade in at the start of a game, by one of the program's patterns.

    Two of them are never seen on boards of nine columns.
    """
    patterns = ["groups", "diagonal", "rings"] if cols <= 9 else ["weave", "random", "groups", "diagonal", "rings"]
    pattern = chance.choice(patterns)
    far = max(rows + cols - 2, 1)
    middle = (rows - 1) / 2, (cols - 1) / 2
    reach = math.hypot(*middle) or 1.0

    def delay(row: int, col: int) -> float:
        if pattern == "weave":
            return 1.2 * ((row if col % 2 else rows - 1 - row) * cols + col) / (rows * cols)
        if pattern == "random":
            return chance.uniform(0, 0.79)
        if pattern == "groups":
            return chance.choice((0.0, 0.25, 0.5))
        if pattern == "diagonal":
            return 0.75 * (row + col) / far
        return 0.6 * (1 - math.cos(math.pi / 2 * math.hypot(row - middle[0], col - middle[1]) / reach))

    return {(row, col): delay(row, col) for row in range(rows) for col in range(cols)}


def deal_seconds(delays: Mapping[Tile, float]) -> float:
    """Return how long a deal takes."""
    return FADE_SECONDS + max(delays.values())


def deal_in(delays: Mapping[Tile, float], seconds: float) -> Effects:
    """Return tiles whose cover is still fading in: a new game looks all open at first."""
    effects: Effects = {}
    for tile, delay in delays.items():
        there = (seconds - delay) / FADE_SECONDS
        if there < 1:
            effects[tile] = ("dealt", max(there, 0.0))
    return effects


def loss_times(board: Board, chance: Random) -> dict[Tile, float]:
    """Return when each mine of a lost game goes off: the one that was hit, then those an ever larger circle reaches."""
    hit = np.argwhere(board.cells == Cell.EXPLODED)
    times: dict[Tile, float] = {(int(row), int(col)): 0.0 for row, col in hit}
    if not times:
        return {}
    reached = [0.0]
    while len(reached) <= board.rows + board.cols:
        reached.append(reached[-1] + chance.uniform(*LOSS_STEPS))
    for row, col in np.argwhere((board.cells == Cell.MINE) | (board.cells == Cell.WRONG_FLAG)).tolist():
        distance = float(np.hypot(hit[:, 0] - row, hit[:, 1] - col).min())
        times[row, col] = reached[math.ceil(distance)] + chance.uniform(0, LOSS_DELAY)
    return times


def loss_seconds(times: Mapping[Tile, float]) -> float:
    """Return how long the explosions of a lost game take."""
    return EXPLOSION_SECONDS + max(times.values(), default=0.0)


def loss_show(board: Board, times: Mapping[Tile, float], seconds: float) -> Effects:
    """Return the mines of a lost game that are still covered, or going off."""
    effects: Effects = {}
    for tile, time in times.items():
        if seconds < time:
            effects[tile] = ("still covered", 1.0)
        elif seconds < time + EXPLOSION_SECONDS / 4:
            effects[tile] = ("silver", 1.0)
        elif seconds < time + EXPLOSION_SECONDS and board.cells[tile] != Cell.EXPLODED:
            effects[tile] = ("flash", 1.0)
    return effects


def win_seconds(board: Board) -> float:
    """Return how long the show of a won game takes."""
    return SWEEP_SECONDS + BEAM_SECONDS + PAUSE_SECONDS


def win_show(board: Board, seconds: float) -> Effects:
    """Return the bar of light that passes from the lowest row to the highest, and the mines it brings into sight."""
    effects: Effects = {}
    bar = board.rows - seconds / SWEEP_SECONDS * (board.rows + 1)
    for row in range(board.rows):
        passed = (row - bar) * SWEEP_SECONDS / (board.rows + 1)
        light = 1 - abs(row - bar)
        for col in range(board.cols):
            if board.cells[row, col] == Cell.MINE and passed < BEAM_SECONDS:
                effects[row, col] = ("disarmed", max(passed / BEAM_SECONDS, 0.0))
            elif light > 0:
                effects[row, col] = ("shine", light)
    return effects
