"""The density experiment of older programs: how many mines a player finds on ever fuller boards.

The player goes on after hitting a mine, which then lies open, until every cell is open or flagged; its score is the
share of the mines that it flagged. It flags what it has proven, so that every flag is right; what it hits, it did not
find.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from bot.bench import Onlooker, nobody
from bot.bench.workers import open_pool
from bot.board import Board, Cell, count_around
from bot.level import Level, seeded_mines
from bot.solver import logic

Hunter = Literal["single", "subset", "csp", "best"]
PLAYERS: tuple[Hunter, ...] = get_args(Hunter)

ROWS, COLS = 30, 30
MINES = tuple(range(0, 901, 100))


@dataclass(frozen=True)
class DensityResult:
    """For every number of mines, the mean share that each player flagged."""

    rows: int
    cols: int
    games: int
    seed: int
    mines: tuple[int, ...]
    shares: dict[Hunter, tuple[float, ...]]


def run_density(
    games: int,
    seed: int,
    *,
    rows: int = ROWS,
    cols: int = COLS,
    mines: tuple[int, ...] = MINES,
    workers: int | None = None,
    cluster: str | None = None,
    progress: Onlooker = nobody,
) -> DensityResult:
    """Let every player play the same boards; `progress` is told of games."""
    jobs = [
        Hunt(Level(rows, cols, count), player, seed + game)
        for game in range(games)
        for count in mines
        for player in PLAYERS
    ]
    found: dict[tuple[Hunter, int], list[float]] = {(player, count): [] for player in PLAYERS for count in mines}
    with open_pool(workers, cluster) as pool:
        for done, (number, share) in enumerate(pool.results(hunt, jobs), start=1):
            found[jobs[number].player, jobs[number].level.mines].append(share)
            progress(done, len(jobs))
    # fmean rounds once, so that the order in which games end does not show.
    shares = {player: tuple(fmean(found[player, count]) for count in mines) for player in PLAYERS}
    return DensityResult(rows, cols, games, seed, mines, shares)


@dataclass(frozen=True)
class Hunt:
    """A job: one board and who plays it."""

    level: Level
    player: Hunter
    seed: int


def hunt(job: Hunt) -> float:
    """Return the share of the mines that the player flags; 1 when there is none."""
    level = job.level
    mines = seeded_mines(level, "none", job.seed, 0, 0)
    under = np.where(mines, np.uint8(Cell.MINE), count_around(mines))
    random = np.random.default_rng(job.seed)
    board = Board.covered(level.rows, level.cols, level.mines)
    flagged = np.zeros(mines.shape, dtype=np.bool_)
    while (covered := board.hidden & ~flagged).any():
        safe, mined = _conclusions(board, job.player)
        flagged |= mined
        if safe.any():
            board = _open(board, under, np.argwhere(safe))
        elif (covered & ~flagged).any():
            board = _open(board, under, [_guess(board, flagged, job.player, random)])
    return float(np.count_nonzero(flagged)) / level.mines if level.mines else 1.0


def _conclusions(board: Board, player: Hunter) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return what the player knows to be safe and to be mined, two masks of shape (rows, cols)."""
    if player in ("csp", "best"):
        from bot.solver.odds import exact_odds

        odds = exact_odds(board)
        return odds.safe, odds.mined
    safe, mined = np.zeros((2, *board.cells.shape), dtype=np.bool_)
    for step in logic.deduce(board, "single" if player == "single" else "subset"):
        for cell in step.cells:
            (safe if step.conclusion == "safe" else mined)[cell] = True
    return safe, mined


def _guess(board: Board, flagged: NDArray[np.bool_], player: Hunter, random: np.random.Generator) -> tuple[int, int]:
    """Return the cell that a player opens when it knows none to be safe: any, the least likely mine, or the best."""
    if player in ("csp", "best"):
        from bot.solver.odds import exact_odds

        odds = exact_odds(board)
        if player == "best":
            from bot.solver.guess import choose

            candidates, _ = choose(board, odds, 0.0, "best")
            return candidates[0].row, candidates[0].col
        row, col = divmod(int(np.nanargmin(odds.chance)), board.cols)
        return row, col
    row, col = random.choice(np.argwhere(board.hidden & ~flagged))
    return int(row), int(col)


def _open(board: Board, under: NDArray[np.uint8], cells: Iterable[NDArray[np.intp] | tuple[int, int]]) -> Board:
    """Open cells, and around every 0 all its neighbours, as the game does."""
    changes: dict[tuple[int, int], int] = {}
    waiting = [(int(row), int(col)) for row, col in cells]
    while waiting:
        cell = waiting.pop()
        if cell in changes or not board.hidden[cell]:
            continue
        changes[cell] = int(under[cell])
        if under[cell] == 0:
            waiting += board.neighbours(*cell)
    return board.replace(changes)
