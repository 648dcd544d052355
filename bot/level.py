"""Levels, first-click rules and the seeded boards that make trials of different solvers comparable game by game."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, BoardError
from bot.words import Rule

MOST_A_SIDE = 256
"""Rows or columns of a level that somebody asks for, so that a slip of the finger does not take all memory."""


@dataclass(frozen=True)
class Level:
    """The size of a game. Raises `BoardError` when it has no cells, or fewer cells than mines."""

    rows: int
    cols: int
    mines: int

    def __post_init__(self) -> None:
        if self.rows < 1 or self.cols < 1 or self.mines < 0:
            raise BoardError(f"a level needs rows, columns and mines, not {self}")
        if self.mines > self.rows * self.cols:
            raise BoardError(f"{self.mines} mines do not fit on {self.rows}×{self.cols} cells")

    @classmethod
    def parse(cls, text: str) -> Level:
        """Read a level's name or "ROWSxCOLS/MINES". Raises `BoardError` naming what is legal."""
        if text in LEVELS:
            return LEVELS[text]
        match = re.fullmatch(r"([0-9]{1,4})[x×]([0-9]{1,4})/([0-9]{1,7})", text)
        if match is None:
            raise BoardError(f'"{text}" is not a level: {", ".join(LEVELS)} or ROWSxCOLS/MINES')
        level = cls(*map(int, match.groups()))
        if max(level.rows, level.cols) > MOST_A_SIDE:
            raise BoardError(f'"{text}" is too large: a level has {MOST_A_SIDE} rows and columns at most')
        return level

    @property
    def name(self) -> str:
        """The level's name when it has one, otherwise its text form."""
        return next((name for name, level in LEVELS.items() if level == self), str(self))

    def __str__(self) -> str:
        return f"{self.rows}x{self.cols}/{self.mines}"


LEVELS = {
    "beginner": Level(9, 9, 10),
    "intermediate": Level(16, 16, 40),
    "expert": Level(16, 30, 99),
}


def level_of_size(rows: int, cols: int) -> Level | None:
    """Return the named level that has so many rows and columns; None when none has."""
    return next((level for level in LEVELS.values() if (level.rows, level.cols) == (rows, cols)), None)


def shuffle_cells(order: NDArray[np.int32], seed: int) -> None:
    """Fill `order`, a place for every cell, with their numbers from 0 on in the order that a seed (32 bits) gives them.

    The generator is sfc32 and the shuffle Fisher–Yates from the end, as other solvers' trials use them. Written so
    that numba can compile it as it stands; as plain Python it is fast enough to deal a single game.
    """
    mask = np.uint64(0xFFFFFFFF)
    a, b, c, d = np.uint64(seed) & mask, np.uint64(0xDEADBEEF), np.uint64(0x12345678), np.uint64(1)
    cells = order.shape[0]
    for cell in range(cells):
        order[cell] = cell
    warm_up = 15
    for step in range(warm_up + cells - 1):
        t = (a + b + d) & mask
        d = (d + np.uint64(1)) & mask
        a = b ^ (b >> np.uint64(9))
        b = (c + (c << np.uint64(3))) & mask
        c = ((c << np.uint64(21)) | (c >> np.uint64(11))) & mask
        c = (c + t) & mask
        if step >= warm_up:
            i = cells - 1 - (step - warm_up)
            j = int((t * np.uint64(i + 1)) >> np.uint64(32))
            order[i], order[j] = order[j], order[i]


def seeded_mines(level: Level, rule: Rule, seed: int, row: int, col: int) -> NDArray[np.bool_]:
    """Return where the mines are, shape (rows, cols), once (row, col) has been clicked first.

    Under `open` the mines stay out of the clicked cell's 3×3, under `safe` out of the cell itself; a board too full
    for that gives up the ring first, then the cell.
    """
    excluded = _excluded(level, rule, row, col)
    order = np.empty(level.rows * level.cols, np.int32)
    shuffle_cells(order, seed)
    chosen = [cell for cell in order.tolist() if (cell // level.cols, cell % level.cols) not in excluded][: level.mines]
    mines = np.zeros(level.rows * level.cols, dtype=np.bool_)
    mines[chosen] = True
    return mines.reshape(level.rows, level.cols)


def _excluded(level: Level, rule: Rule, row: int, col: int) -> set[tuple[int, int]]:
    block = {(row, col), *Board.covered(level.rows, level.cols).neighbours(row, col)}
    cells = level.rows * level.cols
    if rule == "open" and level.mines <= cells - len(block):
        return block
    if rule != "none" and level.mines < cells:
        return {(row, col)}
    return set()
