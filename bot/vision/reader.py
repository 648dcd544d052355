"""Picture in, board out: every tile with how sure it is.

Promises never to say a value that it is not sure of: such a tile is `.` on the board, with the best guess in
`doubts`. Finds the board and chooses the skin by itself when not told. Looks again, more closely, at tiles that leave
doubt and at tiles that break the rules of the game. It does not decide, click or wait, and keeps nothing but the last
picture, so that on a known grid only tiles whose pixels changed are read again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Board, Cell, Cells
from bot.errors import Exit, MinebotError
from bot.picture import Picture
from bot.vision.checks import flat_explosions, hidden_block, islands, odd_mines, plain_beside_window
from bot.vision.choose import MOSTLY, Choice, Part, light_on, recognise, recognise_in_light, settle, take
from bot.vision.counter import COUNTERS_REACH, Counters, read_counters
from bot.vision.find.edges import calmed, is_noisy
from bot.vision.find.extent import cut_sides, extended, trimmed, unframed_sides
from bot.vision.find.faint import find_faint_grids, grow
from bot.vision.find.search import Effort, find_strips, search, with_hidden_rows
from bot.vision.grid import FEWEST_TILES, Grid, snapped
from bot.vision.judge import Judge, Verdicts
from bot.vision.light import DAYLIGHT, Light, have_lines, is_other_light
from bot.vision.marks import plain_under_marks
from bot.vision.matcher import Tiles, canonical_tiles
from bot.vision.plausible import (
    LEAST_SHARE,
    MOST_LATTICES,
    MOST_TILES,
    OWN_PIXELS,
    explains_most,
    explains_nearly_all,
    is_game,
)
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
class _Look:
    """A board's canonical tiles in reading order and what they show, each by itself and with regard to the others."""

    tiles: Tiles
    alone: Verdicts
    verdicts: Verdicts


@dataclass(frozen=True)
class _Seen:
    """The last picture: what of it mattered, what its tiles showed, and what was made of that."""

    area: Picture
    look: _Look
    reading: Reading


class Reader:
    """Reads one picture after another. Give it a skin, or let it try all there are but the broken ones."""

    def __init__(self, skin: Skin | None = None) -> None:
        self._skins = None if skin is None else [skin]
        self._broken: list[SkinError] = []  # skins that could not be tried
        self._choice: Choice | None = None
        self._seen: _Seen | None = None
        self._fresh: _Look | None = None  # what finding the board has already read of it
        self._first: Tiles  # as they were when the choice was made
        self._noisy = False  # whether pictures of this board are
        self.effort = Effort()  # of the search that is on

    def read(self, picture: Picture, grid: Grid | None = None) -> Reading:
        """Return what the picture shows; with a grid, on that grid.

        Raises `NoBoardError` when there is no board in it, or not all of the grid.
        """
        if grid is not None and not _in_sight(grid, picture):
            raise NoBoardError("the picture ends within the board")
        choice = self._choice
        if choice is None or grid is None or grid != choice.grid:
            self._seen = self._fresh = None
            self._noisy = is_noisy(picture)
            picture = calmed(picture) if self._noisy else picture
            self._choice = choice = self._find(picture) if grid is None else self._choose(picture, grid)
        elif self._noisy:
            picture = calmed(picture)
        area = _area(picture, choice.grid)
        if self._seen is not None and _same(area, self._seen.area):
            return self._seen.reading
        lit = choice.light.undone(picture)
        look = self._fresh or self._look_at_tiles(lit, choice)
        if self._seen is None:
            self._first = look.tiles
        elif is_other_light(self._first, look.tiles):
            self._seen = None
            self._choice = choice = self._choose(picture, choice.grid)
            lit = choice.light.undone(picture)
            look = self._look_at_tiles(lit, choice)
            self._first = look.tiles
        self._fresh = None
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
        self._choice = self._seen = self._fresh = None

    def _usable(self) -> list[Skin]:
        """Return the skins to try."""
        if self._skins is None:
            self._skins, self._broken = all_skins()
            if self._broken and not self._skins:
                raise self._broken[0]
        return self._skins

    def _find(self, picture: Picture) -> Choice:
        """Return the skin, the lattice and the light that together explain most of the picture.

        A skin taken from a game may be of a look with hardly a line in it, and then a longer search is worth its while:
        when a quick one has not explained all there is to see.
        """
        effort = self.effort = Effort()
        skins, found = self._usable(), None
        candidates: list[_Candidate] = []
        for grids in search(picture, effort):
            seen = self._board_among(picture, grids, skins, candidates)
            found = max((each for each in (found, seen) if each is not None), key=_certain_tiles, default=None)
            if (found is not None and explains_most(found.look.verdicts.values)) or effort.spent:
                break
        taken = [skin for skin in skins if skin.tolerance is not None]
        if taken and not effort.spent and not (found is not None and _explains_all(picture, found)):
            longer = [each for each in candidates if each.skin not in taken]
            faint = _candidates(picture, find_faint_grids(picture, effort), taken, effort)
            longer += [each for each in faint if each.share >= LEAST_SHARE]
            found = self._most_plausible(picture, longer) or found
        choice = self._behind_a_dialog(picture, candidates) if found is None else self._with_exact_rims(picture, found)
        if choice is None:
            raise NoBoardError("; ".join(["there is no board in the picture", *map(str, self._broken)]))
        return choice

    def _board_among(
        self, picture: Picture, grids: list[Grid], skins: list[Skin], tried: list[_Candidate]
    ) -> _Found | None:
        """Return the board among some lattices, if one is; all that may be one are added to those tried.

        Most boards are in plain light, and look familiar in it: then no other light is looked for.
        """
        plain = _candidates(picture, grids, skins, self.effort)
        found = self._most_plausible(picture, [each for each in plain if each.share >= MOSTLY])
        if found is not None and found.choice.light != DAYLIGHT:
            found = None  # tiles in another light must be put in place in it
        candidates = plain if found else [each.in_its_light(self.effort) for each in plain]
        tried += (likely := [each for each in candidates if each.share >= LEAST_SHARE])
        return found or self._most_plausible(picture, likely)

    def _most_plausible(self, picture: Picture, candidates: list[_Candidate]) -> _Found | None:
        """Return the first of the candidates, the most familiar before the others, that can be a game.

        At least one is tried; of a picture without a board, no more than are worth the effort.
        """
        for number, candidate in enumerate(sorted(candidates, key=lambda each: -each.familiar)):
            if number > 0 and self.effort.spent:
                break
            self.effort.tried(candidate.grid)
            choice = settle(candidate.part, candidate.grid, candidate.skin, candidate.light)
            look = self._look_from_near(picture, choice)
            cells = look.verdicts.values.reshape(choice.grid.rows, choice.grid.cols)
            can_be = is_game(cells, in_part=choice.skin.tolerance is not None)
            if can_be and choice.judge.finds_relief(look.tiles, look.verdicts):
                return _Found(choice, look)
        return None

    def _look_from_near(self, picture: Picture, choice: Choice) -> _Look:
        """Return what the tiles show, with the light undone around them and not in all of a large picture."""
        part, grid = _around(picture, choice.grid)
        return self._look_at_tiles(choice.light.undone(part), replace(choice, grid=grid))

    def _with_exact_rims(self, picture: Picture, found: _Found) -> Choice:
        """Return a board's choice with lines of tiles at its rims taken off or added, as they and a dialog say."""
        choice, lit = found.choice, found.choice.light.undone(picture)
        grid = with_hidden_rows(lit, choice.grid) if _counters_below(choice.skin) else choice.grid
        if grid == choice.grid:
            grid = trimmed(found.look.verdicts.values.reshape(grid.rows, grid.cols), grid)
        if grid == choice.grid and choice.skin.tolerance is None:
            grid = extended(lit, grid, choice.judge)
        self._fresh = found.look if grid == choice.grid else None
        return replace(choice, grid=grid)

    def _behind_a_dialog(self, picture: Picture, candidates: list[_Candidate]) -> Choice | None:
        """Return a board that a dialog hides all but a strip of, when both counters below it prove that it is one."""
        skins = [skin for skin in self._usable() if _counters_below(skin)]
        strips = find_strips(picture, self.effort)
        for grid in [*(each.part.restored(each.grid) for each in candidates), *strips]:
            part, near = _around(picture, grid)
            for skin in skins:
                self.effort.looked()
                for light in dict.fromkeys((DAYLIGHT, light_on(part, near, skin))):
                    if not _shows_both(light.undone(part), near, skin):
                        continue
                    whole = with_hidden_rows(light.undone(picture), grid)
                    if whole.rows >= FEWEST_TILES:  # of an unusual size it can't be told how many rows are hidden
                        return replace(take(picture, grid, skin, light), grid=whole)
        return None

    def _choose(self, picture: Picture, grid: Grid) -> Choice:
        """Return the skin that explains most of a known lattice, and the light."""
        effort = Effort()
        candidates = _candidates(picture, [grid], self._usable(), effort)
        if (best := max(each.share for each in candidates)) < MOSTLY:
            candidates = [each.in_its_light(effort) for each in candidates]
            best = max(each.share for each in candidates)
        skin = next(each.skin for each in candidates if each.share == best)
        return take(picture, grid, skin, light_on(picture, grid, skin))

    def _look_at_tiles(self, picture: Picture, choice: Choice) -> _Look:
        """Return what the tiles show, judging only those that differ from the last time."""
        grid, judge = choice.grid, choice.judge
        tiles = canonical_tiles(picture, grid, known=True)
        if self._seen is None:
            alone = judge.judge(picture, grid, tiles, np.arange(len(tiles)))
        else:
            last = self._seen.look
            changed = np.flatnonzero((tiles != last.tiles).reshape(len(tiles), -1).any(axis=1))
            if changed.size == 0:
                return last  # only a counter has changed
            alone = last.alone.updated(changed, judge.judge(picture, grid, tiles, changed))
        verdicts, scene = alone, _Scene(picture, grid, judge, tiles)
        for each in PASSES:
            verdicts = each(scene, verdicts)
        return _Look(tiles, alone, verdicts)


@dataclass(frozen=True)
class _Scene:
    """A picture in plain light, where its board is, who judges its tiles, and the tiles."""

    picture: Picture
    grid: Grid
    judge: Judge
    tiles: Tiles

    def cells(self, verdicts: Verdicts) -> Cells:
        """Return the verdicts as rows of cells."""
        return verdicts.values.reshape(self.grid.rows, self.grid.cols)


def _doubt_odd_mines(scene: _Scene, verdicts: Verdicts) -> Verdicts:
    odd = odd_mines(scene.tiles, verdicts.values)
    exploded = np.flatnonzero(verdicts.values == Cell.EXPLODED)
    if len(exploded) and scene.judge.skin.tolerance is None:  # what a game's own pixels show is known to the pixel
        odd[exploded] |= flat_explosions(scene.tiles[exploded])
    return _doubt(verdicts, odd)


def _doubt_rule_breakers(scene: _Scene, verdicts: Verdicts) -> Verdicts:
    return scene.judge.doubt_rule_breakers(scene.picture, scene.grid, verdicts)


def _see_past_marks(scene: _Scene, verdicts: Verdicts) -> Verdicts:
    """Return the verdicts with unread tiles that are plain but for what a person drew over the picture."""
    skin, cells = scene.judge.skin, scene.cells(verdicts)
    unread = np.argwhere(cells == Cell.UNREAD)
    if len(unread) == 0 or scene.judge.strict or skin.tolerance is not None:
        return verdicts  # a mark may be a tile that a skin taken from a game has never seen
    return replace(verdicts, values=plain_under_marks(scene.picture, scene.grid, cells, skin, unread).ravel())


def _doubt_islands(scene: _Scene, verdicts: Verdicts) -> Verdicts:
    return _doubt(verdicts, islands(scene.cells(verdicts)).ravel())


def _doubt_plain_beside_windows(scene: _Scene, verdicts: Verdicts) -> Verdicts:
    """Return the verdicts without plain tiles beside a window that lack a line: they may be parts of it."""
    where = np.flatnonzero(plain_beside_window(scene.cells(verdicts)))
    if len(where) == 0 or scene.judge.skin.tolerance is not None:
        return verdicts
    odd = np.zeros(len(verdicts.values), dtype=np.bool_)
    odd[where] = scene.judge.lack_lines(scene.tiles[where]) | ~have_lines(scene.tiles[where])
    return _doubt(verdicts, odd)


PASSES: tuple[Callable[[_Scene, Verdicts], Verdicts], ...] = (
    _doubt_odd_mines,
    _doubt_rule_breakers,
    _see_past_marks,
    _doubt_islands,
    _doubt_plain_beside_windows,
    _doubt_islands,  # what was joined to the board by such a tile
)
"""What tiles say about each other, one stage after the other."""


@dataclass(frozen=True)
class _Candidate:
    """A lattice in a part of a picture, and a skin of which it may be a board: such a share of tiles looks familiar."""

    share: float
    light: Light
    skin: Skin
    grid: Grid
    part: Part

    def in_its_light(self, effort: Effort) -> _Candidate:
        """Return the candidate in the light that it is in."""
        if self.skin.tolerance is not None:
            return self  # it is of the light that it was taken in
        effort.looked()
        share, light = recognise_in_light(self.part.picture, self.grid, self.skin, self.share)
        return replace(self, share=share, light=light)

    @property
    def familiar(self) -> float:
        """How much of the picture it explains, in tiles."""
        return (1.0 if self.skin.tolerance is None else OWN_PIXELS) * self.share * self.grid.rows * self.grid.cols


@dataclass(frozen=True)
class _Found:
    """A lattice that is a board in some skin, and what its tiles show."""

    choice: Choice
    look: _Look


def _candidates(picture: Picture, grids: list[Grid], skins: list[Skin], effort: Effort) -> list[_Candidate]:
    """Return the largest lattices with every skin, as they are in plain light."""
    found = []
    for grid in [grid for grid in grids if grid.rows * grid.cols <= MOST_TILES][:MOST_LATTICES]:
        part = Part.of(picture, grid)
        for skin in skins:
            effort.looked()
            exact = part.grid if skin.tolerance is None else snapped(part.grid)
            found.append(_Candidate(recognise(part.picture, exact, skin), DAYLIGHT, skin, exact, part))
    return found


def _explains_all(picture: Picture, found: _Found) -> bool:
    """Whether there is nothing left that a longer search could find: hardly a tile unread, no more tiles around."""
    all_read = explains_nearly_all(found.look.verdicts.values)
    return all_read and grow(picture, found.choice.grid) == found.choice.grid


def _certain_tiles(found: _Found) -> int:
    return int(np.count_nonzero(found.look.verdicts.values != Cell.UNREAD))


def _counters_below(skin: Skin) -> bool:
    return skin.counter is not None and skin.counter.side == "below"


def _shows_both(picture: Picture, grid: Grid, skin: Skin) -> bool:
    """Whether both counters can be read just below: proof enough for a board that a dialog hides all but a strip of."""
    near = picture[: int(grid.box[3] + 1.75 * grid.pitch)]
    counters = Counters() if skin.counter is None else read_counters(near, grid, skin.counter)
    return counters.mines_left is not None and counters.seconds is not None


def _doubt(verdicts: Verdicts, which: NDArray[np.bool_]) -> Verdicts:
    """Return the verdicts with some tiles doubted, shape (n,)."""
    return replace(verdicts, values=np.where(which, Cell.UNREAD, verdicts.values).astype(np.uint8))


def _reading(picture: Picture, grid: Grid, skin: Skin, verdicts: Verdicts) -> Reading:
    """Return the board with what is around it."""
    counters = Counters() if skin.counter is None else read_counters(picture, grid, skin.counter)
    if counters.mines_left != 0:
        verdicts = _with_mine_that_went_off(verdicts)
    cells = verdicts.values.reshape(grid.rows, grid.cols)
    hidden = hidden_block(cells == Cell.UNREAD)
    dialog = bool(hidden.any())
    # Of other games it is not known how far their window goes on beyond the board.
    cut: frozenset[str] = frozenset()
    if _counters_below(skin):
        counted = counters != Counters()
        cut = cut_sides(picture, grid) | unframed_sides(picture, grid, counted, dialog)
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

    It is the first to be shown of a lost game. A won one shows its mines too; its counter stands at 0.
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


ALIGNED = 60
"""Pixels, a multiple of most whole numbers by which large tiles are made smaller: they are the same wherever cut."""


def _around(picture: Picture, grid: Grid) -> tuple[Picture, Grid]:
    """Return the part of a picture that a lattice and its counters lie in, and the lattice as it lies there."""
    left, top, right, bottom = grid.box
    reach = round((1 + COUNTERS_REACH) * grid.pitch)
    x, y = (max(0, int(edge) - reach) // ALIGNED * ALIGNED for edge in (left, top))
    part = picture[y : max(0, int(bottom) + reach), x : max(0, int(right) + reach)]
    return part, replace(grid, left=left - x, top=top - y)


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
        return "lost"
    return "playing" if HIDES[cells].any() or board.cut else "won"
