"""Picture in, board out: every tile with how sure it is.

Promises never to say a value that it is not sure of: such a tile is `.` on the board, with the best guess in
`doubts`. Finds the board and chooses the skin by itself when not told. Looks again, more closely, at tiles that leave
doubt and at tiles that break the rules of the game. It does not decide, click or wait, and keeps nothing but the last
picture, so that on a known grid only tiles whose pixels changed are read again.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import cv2
import numpy as np

from bot.board import SYMBOLS, Board, Cell, Cells, count_around
from bot.errors import Exit, MinebotError
from bot.picture import Picture
from bot.vision.checks import hidden_block
from bot.vision.choose import Choice
from bot.vision.counter import COUNTERS_REACH, Counters, read_counters
from bot.vision.find.edges import calmed, is_noisy
from bot.vision.find.extent import cut_sides, unframed_sides
from bot.vision.find.search import Effort
from bot.vision.finder import choose_skin, find_board
from bot.vision.grid import Grid
from bot.vision.judge import Verdicts
from bot.vision.light import is_other_light
from bot.vision.matcher import Tiles
from bot.vision.passes import Look, look_at_tiles
from bot.vision.skin import WINDOWS_7, GameKind, Skin, SkinError, all_skins

GameState = Literal["playing", "won", "lost"]


class NoBoardError(MinebotError, ValueError):
    """A picture in which no board can be seen."""

    exit_code = Exit.NOTHING


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
    kind: GameKind = WINDOWS_7  # what the game does in its own way, as the skin tells
    likeness: float = 1.0  # the share of visible tiles that are surely tiles of the skin


@dataclass(frozen=True)
class _Seen:
    """The last picture: what of it mattered, what its tiles showed, and what was made of that."""

    area: Picture
    look: Look
    reading: Reading


class Reader:
    """Reads one picture after another. Give it a skin, or let it try all there are but the broken ones."""

    def __init__(self, skin: Skin | None = None) -> None:
        self._skins = None if skin is None else [skin]
        self._broken: list[SkinError] = []  # skins that could not be tried
        self._choice: Choice | None = None
        self._seen: _Seen | None = None
        self._first: Tiles  # as they were when the choice was made
        self._noisy = False  # whether pictures of this board are
        self.effort = Effort()  # of the search that is on

    def read(self, picture: Picture, grid: Grid | None = None) -> Reading:
        """Return what the picture shows; with a grid, on that grid.

        Raises `NoBoardError` when there is no board in it, or not all of the grid.
        """
        if grid is not None and not _in_sight(grid, picture):
            raise NoBoardError("the picture ends within the board")
        choice, fresh = self._choice, None  # what finding the board has already read of it
        if choice is None or grid is None or grid != choice.grid:
            self._seen = None
            self._noisy = is_noisy(picture)
            picture = calmed(picture) if self._noisy else picture
            choice, fresh = self._found(picture) if grid is None else (self._chosen(picture, grid), None)
        elif self._noisy:
            picture = calmed(picture)
        area = _area(picture, choice.grid)
        if self._seen is not None and _same(area, self._seen.area):
            return self._seen.reading
        last = None if self._seen is None else self._seen.look
        lit = choice.light.undone(picture)
        look = fresh or look_at_tiles(lit, choice.grid, choice.judge, last)
        if last is not None and is_other_light(self._first, look.tiles):
            choice = self._chosen(picture, choice.grid)
            lit, last = choice.light.undone(picture), None
            look = look_at_tiles(lit, choice.grid, choice.judge)
        if last is None:
            self._first = look.tiles
        self._choice = choice
        reading = _reading(lit, choice.grid, choice.skin, look.verdicts)
        self._seen = _Seen(area.copy(), look, reading)
        return reading

    @property
    def skin(self) -> Skin | None:
        """The skin that the last picture was read by."""
        return None if self._choice is None else self._choice.skin

    def use(self, skin: Skin) -> None:
        """Read by this skin from now on."""
        self._skins = [skin]
        self._choice = self._seen = None

    def _usable(self) -> list[Skin]:
        """Return the skins to try."""
        if self._skins is None:
            self._skins, self._broken = all_skins()
            if self._broken and not self._skins:
                raise self._broken[0]
        return self._skins

    def _found(self, picture: Picture) -> tuple[Choice, Look | None]:
        """Return what is chosen for the board in a picture, and what its tiles show, if that was seen."""
        skins, self.effort = self._usable(), Effort()
        found = find_board(picture, skins, self.effort)
        if found is None:
            raise NoBoardError("; ".join(["there is no board in the picture", *map(str, self._broken)]))
        return found.choice, found.look

    def _chosen(self, picture: Picture, grid: Grid) -> Choice:
        return choose_skin(picture, grid, self._usable())


def _reading(picture: Picture, grid: Grid, skin: Skin, verdicts: Verdicts) -> Reading:
    """Return the board with what is around it."""
    counters = Counters() if skin.counter is None else read_counters(picture, grid, skin.counter)
    hidden = hidden_block((verdicts.values == Cell.UNREAD).reshape(grid.rows, grid.cols))
    dialog = bool(hidden.any())
    if counters.mines_left and not dialog:
        verdicts = _with_mine_that_went_off(verdicts)
    cells = verdicts.values.reshape(grid.rows, grid.cols)
    # Of other games it is not known how far their window goes on beyond the board.
    cut: frozenset[str] = frozenset()
    if skin.counter is not None and skin.counter.side == "below":
        cut = cut_sides(picture, grid) | unframed_sides(picture, grid, counters.in_sight, dialog)
        cut |= {counters.beyond} if counters.beyond else set()
    seen = Board(cells, cut=cut)
    state = _state(seen, dialog, counters.mines_left)
    board = _with_mines(seen, counters.mines_left, state)
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
        state=state,
        dialog=dialog,
        problems=board.problems(),
        kind=skin.kind,
        likeness=float((cells[~hidden] != Cell.UNREAD).mean()) if not hidden.all() else 0.0,
    )


def as_part(reading: Reading, picture: Picture) -> Reading:
    """Return a reading of a picture that is known to cut the board off, whatever its size."""
    board = Board(reading.board.cells, cut=cut_sides(picture, reading.grid, part=True))
    return replace(reading, board=board, state=_state(board, reading.dialog, None), problems=board.problems())


SURELY_A_MINE = 0.2
"""By how much more a tile must be like a mine, of either kind, than like anything else."""


def _with_mine_that_went_off(verdicts: Verdicts) -> Verdicts:
    """Return the verdicts with the one mine in sight, if its hue leaves doubt, as the one that went off.

    It is the first to be shown of a lost game, long before its dialog, whose rim may make any tile look like one. A won
    one shows its mines too; its counter stands at 0. Where that is hidden nobody can tell.
    """
    mines = np.isin(verdicts.guesses, (Cell.MINE, Cell.EXPLODED)) & (verdicts.margins >= SURELY_A_MINE)
    lone = np.flatnonzero(mines & (verdicts.values == Cell.UNREAD))
    if len(lone) != 1 or np.isin(verdicts.values, (Cell.MINE, Cell.EXPLODED)).any():
        return verdicts
    values = verdicts.values.copy()
    values[lone] = Cell.EXPLODED
    return replace(verdicts, values=values)


def _with_mines(board: Board, mines_left: int | None, state: GameState) -> Board:
    """Return the board with its number of mines, when the counter tells one that fits and every flag is seen.

    A won game's counter shows 0 whatever there was; its mines are what is not open.
    """
    if mines_left is None or board.cut or (board.cells == Cell.UNREAD).any():
        return board
    if state == "won" and mines_left == 0:
        return Board(board.cells, int(np.count_nonzero(board.cells > 8)))
    if not 0 <= mines_left + board.flags <= board.cells.size:
        return board
    return Board(board.cells, mines_left + board.flags)


def _in_sight(grid: Grid, picture: Picture) -> bool:
    """Whether all tiles of a lattice have at least their middles in the picture."""
    (left, top), (right, bottom) = grid.center(0, 0), grid.center(grid.rows - 1, grid.cols - 1)
    return left >= 0 and top >= 0 and right < picture.shape[1] and bottom < picture.shape[0]


def _area(picture: Picture, grid: Grid) -> Picture:
    """Return the part of the picture that a reading depends on: the board with its counters."""
    left, top, right, bottom = grid.box
    reach = round(COUNTERS_REACH * grid.pitch)
    return picture[max(0, int(top) - reach) : int(bottom) + reach, max(0, int(left) - reach) : int(right) + reach]


def _same(one: Picture, other: Picture) -> bool:
    return one.shape == other.shape and cv2.norm(one, other, cv2.NORM_INF) == 0


LOST, HIDES = (np.isin(np.arange(256), kinds) for kinds in (
    (Cell.EXPLODED, Cell.WRONG_FLAG),
    (Cell.COVERED, Cell.QUESTION, Cell.UNREAD),
))  # fmt: skip
"""By cell value: whether such a tile is seen only after a loss, and whether there may be something left to open."""


MOST_MINES = 0.4
"""The share of the tiles in sight that are mines at most, in a part of a board too: 0.21 of an expert board are."""


def _only_mines_are_closed(cells: Cells) -> bool:
    """Whether every closed tile in sight must be a mine by the numbers around: all else of a won game is open."""
    closed = (cells >= Cell.COVERED) & (cells <= Cell.MINE)
    spare = (cells <= 8) & (count_around(closed) > cells)
    return bool(not spare.any() and np.count_nonzero(closed) <= MOST_MINES * np.count_nonzero(cells != Cell.UNREAD))


def _state(board: Board, dialog: bool, mines_left: int | None) -> GameState:
    cells = board.cells
    if LOST[cells].any():
        return "lost"
    seen = cells[cells != Cell.UNREAD]
    if dialog and len(seen) <= board.cols and mines_left is not None:
        # No other dialog than the one at the end comes up so large; a won game has no mines left to find. Where the
        # counter is hidden too, nobody can say how it ended.
        return "won" if mines_left == 0 else "lost"
    if not cells.any():
        return "playing"  # a board that is being dealt: its covers are still to come
    if mines_left == 0 and (cells <= 8).any() and not (cells == Cell.FLAG).any():
        return "won"  # the counter of a won game stands at 0 although no flag is left; its dim mines may look covered
    if (cells == Cell.MINE).any():
        return "lost" if mines_left or not _only_mines_are_closed(cells) else "won"
    return "playing" if HIDES[cells].any() or board.cut else "won"
