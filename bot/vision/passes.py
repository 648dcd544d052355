"""What the tiles of a known board show: each judged by itself, then with regard to the others.

`PASSES` are what is done after each tile was judged, one line a stage, in their order. Nothing here remembers anything:
what the last picture showed is handed in, so that only tiles whose pixels changed are judged again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell, Cells
from bot.picture import Picture
from bot.vision.checks import flat_explosions, islands, lineless, odd_mines, plain_beside_window
from bot.vision.grid import Grid
from bot.vision.judge import Judge, Verdicts
from bot.vision.light import have_lines
from bot.vision.marks import plain_under_marks
from bot.vision.matcher import Tiles, canonical_tiles
from bot.vision.skin import PLAIN


@dataclass(frozen=True)
class Look:
    """A board's canonical tiles in reading order and what they show, each by itself and with regard to the others."""

    tiles: Tiles
    alone: Verdicts
    verdicts: Verdicts


def look_at_tiles(picture: Picture, grid: Grid, judge: Judge, last: Look | None = None) -> Look:
    """Return what the tiles show, judging only those that differ from the last time."""
    tiles = canonical_tiles(picture, grid, known=True, exact=judge.skin.tolerance is not None)
    if last is None:
        alone = judge.judge(picture, grid, tiles, np.arange(len(tiles)))
    else:
        changed = np.flatnonzero((tiles != last.tiles).reshape(len(tiles), -1).any(axis=1))
        if changed.size == 0:
            return last  # only a counter has changed
        alone = last.alone.updated(changed, judge.judge(picture, grid, tiles, changed))
    verdicts, scene = alone, _Scene(picture, grid, judge, tiles)
    for each in PASSES:
        verdicts = each(scene, verdicts)
    return Look(tiles, alone, verdicts)


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


def _doubt_plain_in_odd_light(scene: _Scene, verdicts: Verdicts) -> Verdicts:
    return verdicts if scene.judge.knows_plain else _doubt(verdicts, np.isin(verdicts.values, PLAIN))


def _doubt_lineless(scene: _Scene, verdicts: Verdicts) -> Verdicts:
    """Return the verdicts without plain tiles that have no line around them: they are parts of other windows.

    Such a window hides parts of tiles at its rim, so that where all are read there is none; and a skin taken from a
    game may have tiles without lines.
    """
    if scene.judge.skin.tolerance is not None or not (verdicts.values == Cell.UNREAD).any():
        return verdicts
    where = np.flatnonzero(np.isin(verdicts.values, PLAIN))
    if len(where) == 0:
        return verdicts
    odd = np.zeros(len(verdicts.values), dtype=np.bool_)
    odd[where] = lineless(scene.tiles[where])
    return _doubt(verdicts, odd)


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


def _doubt(verdicts: Verdicts, which: NDArray[np.bool_]) -> Verdicts:
    """Return the verdicts with some tiles doubted, shape (n,)."""
    return replace(verdicts, values=np.where(which, Cell.UNREAD, verdicts.values).astype(np.uint8))


PASSES: tuple[Callable[[_Scene, Verdicts], Verdicts], ...] = (
    _doubt_odd_mines,
    _doubt_rule_breakers,
    _see_past_marks,
    _doubt_plain_in_odd_light,
    _doubt_lineless,
    _doubt_islands,
    _doubt_plain_beside_windows,
    _doubt_islands,  # what was joined to the board by such a tile
)
"""What tiles say about each other, one stage after the other."""
