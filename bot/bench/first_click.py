"""The trial of the first click: the win rate for every cell to begin with.

All cells meet the same seeds. Boards look the same mirrored (and, when square, turned), so that only one cell of every
symmetric family is tried.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bot.bench.games import Trial, play_on, warm_up
from bot.bench.results import ResultsFile
from bot.bench.workers import open_pool
from bot.interval import wilson_interval
from bot.level import Level
from bot.words import AnyStrategy, Rule


@dataclass(frozen=True)
class ClickResult:
    """The games begun in one cell."""

    row: int
    col: int
    wins: int
    win_rate: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class FirstClickResult:
    """The trial, best first click first; `cells` has one of each family of symmetric cells."""

    level: str
    rows: int
    cols: int
    mines: int
    rule: Rule
    strategy: AnyStrategy
    games: int
    seed: int
    cells: tuple[ClickResult, ...]

    def heat_map(self) -> NDArray[np.float64]:
        """Return the win rate of every cell, shape (rows, cols), float64; symmetric cells share theirs."""
        rates = np.full((self.rows, self.cols), np.nan)
        for cell in self.cells:
            for row, col in symmetric(self.rows, self.cols, cell.row, cell.col):
                rates[row, col] = cell.win_rate
        return rates


def run_first_clicks(
    level: Level,
    rule: Rule,
    strategy: AnyStrategy,
    games: int,
    seed: int,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> FirstClickResult:
    """Play `games` games from every first click; `progress` is told (done, of how many) cells."""
    cells = representatives(level.rows, level.cols)
    found: list[ClickResult] = []
    warm_up(Trial(level, rule, strategy, cells[0]))
    with open_pool(workers, cluster) as pool:
        for row, col in cells:
            record = ResultsFile(None)
            play_on(pool, Trial(level, rule, strategy, (row, col)), seed, games, record, None)
            wins = record.outcomes.count(b"1")
            found.append(ClickResult(row, col, wins, wins / games, wilson_interval(wins, games)))
            if progress is not None:
                progress(len(found), len(cells))
    found.sort(key=lambda cell: -cell.wins)
    return FirstClickResult(level.name, level.rows, level.cols, level.mines, rule, strategy, games, seed, tuple(found))


def symmetric(rows: int, cols: int, row: int, col: int) -> set[tuple[int, int]]:
    """Return the cells that a symmetry of the board takes one to, itself included."""
    mirrored = {(r, c) for r in (row, rows - 1 - row) for c in (col, cols - 1 - col)}
    return mirrored | {(c, r) for r, c in mirrored} if rows == cols else mirrored


def representatives(rows: int, cols: int) -> list[tuple[int, int]]:
    """Return one cell of each family of symmetric cells, the first in reading order."""
    cells = ((row, col) for row in range(rows) for col in range(cols))
    return [cell for cell in cells if cell == min(symmetric(rows, cols, *cell))]
