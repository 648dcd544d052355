"""Picture in, board out: every tile with how sure it is.

Promises never to say a value that it is not sure of: such a tile is `.` on the board, with the best guess in
`doubts`. Finds the board and chooses the skin by itself when not told. Looks again, more closely, at tiles that leave
doubt and at tiles that break the rules of the game. It does not decide, click or wait, and keeps nothing but the last
picture, so that on a known grid only tiles whose pixels changed are read again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Board, Cell
from bot.picture import Picture
from bot.vision.counter import Counters, read_counters
from bot.vision.grid import Grid, find_grids
from bot.vision.judge import Judge, Verdicts, starved_numbers
from bot.vision.matcher import Tiles, canonical_tiles
from bot.vision.skin import Skin, names

GameState = Literal["playing", "won", "lost"]


class NoBoardError(ValueError):
    """A picture in which no board can be seen."""


@dataclass(frozen=True)
class Doubt:
    """A tile that could not be read for certain: its best guess as a symbol, and by how much that is the best."""

    row: int
    col: int
    best: str
    margin: float


@dataclass(frozen=True)
class Reading:
    """What was seen in one picture."""

    board: Board
    grid: Grid
    skin: str
    doubts: tuple[Doubt, ...] = ()
    mines_left: int | None = None
    seconds: int | None = None
    state: GameState = "playing"
    dialog: bool = False
    problems: list[str] = field(default_factory=list)


@dataclass
class _Seen:
    """The last picture: what of it mattered, its canonical tiles in reading order and what they showed."""

    area: Picture
    tiles: Tiles
    verdicts: Verdicts
    reading: Reading


class Reader:
    """Reads one picture after another. Give it a skin, or let it try all it knows."""

    def __init__(self, skin: Skin | None = None) -> None:
        self._skins = None if skin is None else [skin]
        self._judge: Judge | None = None
        self._grid: Grid | None = None
        self._seen: _Seen | None = None
        self._fresh: tuple[Tiles, Verdicts] | None = None  # what finding the board has already read of it

    def read(self, picture: Picture, grid: Grid | None = None) -> Reading:
        """Return what the picture shows; with a grid, on that grid.

        Raises `NoBoardError` when there is no board in it.
        """
        if grid is None or grid != self._grid or self._judge is None:
            self._seen = None
            self._fresh = None
            self._judge, self._grid = self._find(picture) if grid is None else (self._choose(picture, grid), grid)
        area = _area(picture, self._grid)
        if self._seen is not None and np.array_equal(area, self._seen.area):
            return self._seen.reading
        tiles, verdicts = self._fresh or self._look_at_tiles(picture, self._grid, self._judge)
        self._fresh = None
        reading = _reading(picture, self._grid, self._judge.skin, verdicts)
        self._seen = _Seen(area.copy(), tiles, verdicts, reading)
        return reading

    def _judges(self) -> list[Judge]:
        if self._skins is None:
            self._skins = [Skin.load(name) for name in names()]
        return [Judge(skin) for skin in self._skins]

    def _find(self, picture: Picture) -> tuple[Judge, Grid]:
        """Return the skin and the lattice that together explain most of the picture."""
        found: list[tuple[float, Judge, Grid]] = []
        for grid in find_grids(picture)[:4]:
            for judge in self._judges():
                share = judge.recognise(picture, grid)
                if share >= LEAST_SHARE:
                    found.append((share * grid.rows * grid.cols, judge, grid))
        for _, judge, grid in sorted(found, key=lambda candidate: -candidate[0]):
            aligned = judge.settle_on(picture, grid)
            tiles, verdicts = self._look_at_tiles(picture, aligned, judge)
            if _plausible(verdicts, aligned) and judge.finds_relief(tiles, verdicts):
                self._fresh = tiles, verdicts
                return judge, aligned
        raise NoBoardError("there is no board in the picture")

    def _choose(self, picture: Picture, grid: Grid) -> Judge:
        """Return the skin that explains most of a known lattice."""
        judge = max(self._judges(), key=lambda judge: judge.recognise(picture, grid))
        judge.settle_on(picture, grid)
        return judge

    def _look_at_tiles(self, picture: Picture, grid: Grid, judge: Judge) -> tuple[Tiles, Verdicts]:
        """Return the canonical tiles and what they show, judging only those that differ from the last time."""
        tiles = canonical_tiles(picture, grid)
        if self._seen is None:
            verdicts = judge.judge(picture, grid, tiles, np.arange(len(tiles)))
        else:
            changed = np.flatnonzero((tiles != self._seen.tiles).reshape(len(tiles), -1).any(axis=1))
            if changed.size == 0:
                return tiles, self._seen.verdicts  # only a counter has changed
            verdicts = self._seen.verdicts.updated(changed, judge.judge(picture, grid, tiles, changed))
        return tiles, judge.doubt_rule_breakers(picture, grid, verdicts)


def annotate(picture: Picture, reading: Reading) -> Picture:
    """Return a copy of the picture with the lattice, the value of every tile and the doubts drawn over it."""
    from bot.vision.annotate import draw_reading

    doubts = {(doubt.row, doubt.col): doubt.best for doubt in reading.doubts}
    return draw_reading(picture, reading.grid, reading.board.cells, doubts)


LEAST_SHARE = 0.3
"""The share of visible tiles that must look familiar for a lattice to be looked at as a board."""


def _plausible(verdicts: Verdicts, grid: Grid) -> bool:
    """Whether it can be a game: tiles are certain but for what a window hides, not all blank, and the rules hold."""
    cells = verdicts.values.reshape(grid.rows, grid.cols)
    hidden = _hidden_block(cells == Cell.UNREAD)
    certain = cells[(cells != Cell.UNREAD) & ~hidden]
    stray = (cells == Cell.UNREAD) & ~hidden
    if len(certain) < 8 or not certain.any() or np.count_nonzero(stray) > 0.25 * len(certain):
        return False
    numbers = np.count_nonzero((certain >= 1) & (certain <= 8))
    return int(np.count_nonzero(starved_numbers(cells))) <= max(3, 0.3 * numbers)


def _hidden_block(unread: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the rectangle that a window in front of the board hides, all False when there is none."""
    block = np.zeros_like(unread)
    count, _, stats, _ = cv2.connectedComponentsWithStats(unread.astype(np.uint8), connectivity=4)
    if count > 1:
        left, top, width, height, filled = max(stats[1:].tolist(), key=lambda stat: stat[4])
        if filled >= max(3, 0.7 * width * height):
            block[top : top + height, left : left + width] = True
    return block


def _reading(picture: Picture, grid: Grid, skin: Skin, verdicts: Verdicts) -> Reading:
    """Return the board with what is around it."""
    cells = verdicts.values.reshape(grid.rows, grid.cols)
    counters = Counters() if skin.counter is None else read_counters(picture, grid, skin.counter)
    board = _with_mines(Board(cells), counters.mines_left)
    doubts = tuple(
        Doubt(index // grid.cols, index % grid.cols, SYMBOLS[verdicts.guesses[index]], float(verdicts.margins[index]))
        for index in np.flatnonzero(verdicts.values == Cell.UNREAD).tolist()
    )
    return Reading(
        board=board,
        grid=grid,
        skin=skin.name,
        doubts=doubts,
        mines_left=counters.mines_left,
        seconds=counters.seconds,
        state=_state(board),
        dialog=bool(_hidden_block(cells == Cell.UNREAD).any()),
        problems=board.problems(),
    )


def _with_mines(board: Board, mines_left: int | None) -> Board:
    """Return the board with its number of mines, when the counter tells one that fits and every flag is seen."""
    if (
        mines_left is None
        or (board.cells == Cell.UNREAD).any()
        or not 0 <= mines_left + board.flags <= board.cells.size
    ):
        return board
    return Board(board.cells, mines_left + board.flags)


def _area(picture: Picture, grid: Grid) -> Picture:
    """Return the part of the picture that a reading depends on: the board with its counters."""
    left, top, right, bottom = grid.box
    reach = round(3.2 * grid.pitch)
    return picture[max(0, int(top) - reach) : int(bottom) + reach, max(0, int(left) - reach) : int(right) + reach]


def _state(board: Board) -> GameState:
    cells = board.cells
    if np.isin(cells, (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)).any():
        return "lost"
    hidden = np.isin(cells, (Cell.COVERED, Cell.QUESTION, Cell.UNREAD)).any()
    return "playing" if hidden else "won"
