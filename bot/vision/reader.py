"""Picture in, board out: every tile with how sure it is.

Promises never to say a value that it is not sure of: such a tile is `.` on the board, with the best guess in
`doubts`. Finds the board and chooses the skin by itself when not told. Looks again, more closely, at tiles that leave
doubt and at tiles that break the rules of the game. It does not decide, click or wait, and keeps nothing but the last
picture, so that on a known grid only tiles whose pixels changed are read again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Board, Cell
from bot.vision.grid import Grid, find_grids
from bot.vision.matcher import Matcher, Matches, canonical_tiles
from bot.vision.skin import Picture, Skin, names

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
    """The tiles of the last picture, in reading order: cell values, best guesses, margins."""

    pixels: NDArray[np.uint8]
    values: NDArray[np.uint8]
    guesses: NDArray[np.uint8]
    margins: NDArray[np.float32]


class Reader:
    """Reads one picture after another. Give it a skin, or let it try all it knows."""

    def __init__(self, skin: Skin | None = None) -> None:
        self._matchers = [Matcher(skin)] if skin is not None else []
        self._grid: Grid | None = None
        self._matcher: Matcher | None = None
        self._seen: _Seen | None = None
        self._last: tuple[Picture, Reading] | None = None

    def read(self, picture: Picture, grid: Grid | None = None) -> Reading:
        """Return what the picture shows; with a grid, on that grid.

        Raises `NoBoardError` when there is no board in it.
        """
        if grid is None:
            self._look_for_board(picture)
        elif grid != self._grid or self._matcher is None:
            self._grid, self._seen, self._last = grid, None, None
            self._matcher = max(self._all_matchers(), key=lambda matcher: _share_sure(matcher, picture, grid))
        assert self._grid is not None
        assert self._matcher is not None
        area = _area(picture, self._grid)
        if self._last is not None and np.array_equal(area, self._last[0]):
            return self._last[1]
        reading = self._read(picture, self._grid, self._matcher)
        self._last = area.copy(), reading
        return reading

    def _all_matchers(self) -> list[Matcher]:
        if not self._matchers:
            self._matchers = [Matcher(Skin.load(name)) for name in names()]
        return self._matchers

    def _look_for_board(self, picture: Picture) -> None:
        """Set the grid and the skin that together explain most of the picture."""
        best: tuple[float, Grid, Matcher] | None = None
        for grid in find_grids(picture)[:4]:
            for matcher in self._all_matchers():
                score = _share_sure(matcher, picture, grid)
                if score >= LEAST_SURE and (best is None or score * grid.rows * grid.cols > best[0]):
                    best = score * grid.rows * grid.cols, grid, matcher
        if best is None:
            raise NoBoardError("there is no board in the picture")
        _, grid, matcher = best
        if grid != self._grid or matcher is not self._matcher:
            self._grid, self._matcher, self._seen, self._last = grid, matcher, None, None

    def _read(self, picture: Picture, grid: Grid, matcher: Matcher) -> Reading:
        seen = self._see(canonical_tiles(picture, grid), matcher)
        self._seen = seen
        board = Board(seen.values.reshape(grid.rows, grid.cols))
        doubts = tuple(
            Doubt(
                int(index) // grid.cols,
                int(index) % grid.cols,
                SYMBOLS[seen.guesses[index]],
                float(seen.margins[index]),
            )
            for index in np.flatnonzero(seen.values == Cell.UNREAD)
        )
        return Reading(board, grid, matcher.skin.name, doubts, state=_state(board), problems=board.problems())

    def _see(self, tiles: NDArray[np.uint8], matcher: Matcher) -> _Seen:
        """Return what the tiles show, reading only those that differ from the last time."""
        last = self._seen
        if last is None or last.pixels.shape != tiles.shape:
            changed = np.arange(len(tiles))
            values = np.empty(len(tiles), dtype=np.uint8)
            seen = _Seen(tiles, values, values.copy(), np.empty(len(tiles), dtype=np.float32))
        else:
            changed = np.flatnonzero((tiles != last.pixels).reshape(len(tiles), -1).any(axis=1))
            seen = _Seen(tiles, last.values.copy(), last.guesses.copy(), last.margins.copy())
        if len(changed):
            matches = matcher.match(tiles[changed])
            seen.guesses[changed] = matches.best
            seen.margins[changed] = matches.margin
            seen.values[changed] = np.where(_sure(matches), matches.best, Cell.UNREAD)
        return seen


LEAST_SURE = 0.5
"""The share of tiles that must be read for certain before a lattice is called a board."""


def _sure(matches: Matches) -> NDArray[np.bool_]:
    """Return which matches leave no doubt."""
    clear = matches.margin >= 0.15
    close = (matches.lean >= 0.2) & (matches.distance < 16)
    return np.asarray((clear | close) & (matches.distance <= 46) & (matches.frame <= 100))


def _share_sure(matcher: Matcher, picture: Picture, grid: Grid) -> float:
    """Return the share of a lattice's tiles that a skin reads for certain."""
    return float(_sure(matcher.match(canonical_tiles(picture, grid))).mean())


def _area(picture: Picture, grid: Grid) -> Picture:
    """Return the part of the picture that a reading depends on: the board with its counters."""
    left, top, right, bottom = grid.box
    reach = round(3 * grid.pitch)
    return picture[max(0, int(top) - reach) : int(bottom) + reach, max(0, int(left) - reach) : int(right) + reach]


def _state(board: Board) -> GameState:
    cells = board.cells
    if np.isin(cells, (Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG)).any():
        return "lost"
    hidden = np.isin(cells, (Cell.COVERED, Cell.QUESTION, Cell.UNREAD)).any()
    return "playing" if hidden else "won"
