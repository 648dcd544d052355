"""Learning during play: a tile never seen before whose value the rules force is added to the skin.

Promises to learn only numbers, and only when nothing is left to guess: every hidden cell around the tile is proved to
be mined or safe by other numbers, or of all numbers that the skin has never seen the rules allow but one. The tile
itself is proved safe, it shows a figure, and it looks the same at two looks in a row. Only skins taken from a game
learn, for drawn ones know all tiles already. What can't be written is learnt all the same, as long as the reader lives.
"""

from __future__ import annotations

from collections.abc import Callable, Set
from dataclasses import replace

import numpy as np

from bot.board import SYMBOLS, Board, Cell, place
from bot.calibrate.figures import shape_of
from bot.calibrate.making import contact_sheet
from bot.calibrate.naming import HAS_FIGURE
from bot.picture import Picture
from bot.vision.lattice import Grid
from bot.vision.looks import flat, looks_at_any_size
from bot.vision.matcher import one_tile
from bot.vision.reader import Reader, Reading
from bot.vision.skin import Skin, SkinError, user_folder

MOST_AT_ONCE = 3
"""More unknown tiles than this are not a new number but another look or something in front of the board."""


class LearningReader(Reader):
    """A reader that adds numbers to its skin when the rules tell what they are. `tell` hears of each in a sentence."""

    def __init__(self, skin: Skin | None, tell: Callable[[str], None]) -> None:
        super().__init__(skin)
        self._tell = tell
        self._suspected: dict[tuple[int, int], tuple[int, bytes]] = {}

    def read(self, picture: Picture, grid: Grid | None = None) -> Reading:
        """Return what the picture shows, with what could be learnt from it already learnt."""
        reading = super().read(picture, grid)
        skin = self.skin
        if skin is None or skin.tolerance is None or not 0 < len(reading.doubts) <= MOST_AT_ONCE:
            self._suspected = {}
            return reading
        values = forced_numbers(reading, set(skin.tiles))
        tiles = {cell: one_tile(picture, reading.grid, *cell, skin.tile) for cell in values}
        suspected = {cell: (values[cell], tile.tobytes()) for cell, tile in tiles.items() if _has_a_figure(tile)}
        confirmed = {cell: value for cell, value in suspected.items() if self._suspected.get(cell) == value}
        self._suspected = suspected
        if not confirmed:
            return reading
        for cell, (value, _) in confirmed.items():
            skin = with_tile(skin, value, tiles[cell])
            self._tell(f"learnt what a {SYMBOLS[value]} looks like, from {place(*cell)}")
        folder = skin.folder or user_folder() / skin.name
        try:
            skin.save(folder, contact_sheet(skin))
        except SkinError as error:
            self._tell(f"it is known for this time only: {error}")
        self.use(replace(skin, folder=folder))
        return super().read(picture, reading.grid)


def forced_numbers(reading: Reading, known: Set[int] = frozenset()) -> dict[tuple[int, int], int]:
    """Return the numbers that unread tiles must show: those that are safe and can be one number only.

    A tile that is unlike all `known` numbers is none of them, and of the others only one may break no rule.
    """
    from bot.solver.odds import exact_odds  # loads the compiled engine

    board = Board(reading.board.cells, reading.board.mines)
    odds = exact_odds(board)
    if odds.contradictions or board.problems():
        return {}
    shown = np.isin(board.cells, (Cell.MINE, Cell.EXPLODED))
    forced = {}
    for doubt in reading.doubts:
        cell = doubt.row, doubt.col
        if not odds.safe[cell]:
            continue
        around = list(board.neighbours(*cell))
        proved = all(not board.hidden[near] or odds.safe[near] or odds.mined[near] for near in around)
        mines = sum(bool(odds.mined[near] or shown[near]) for near in around)
        unknown = [value for value in range(1, 9) if value not in known and _possible(board, cell, value)]
        if proved and mines:
            forced[cell] = mines
        elif known and len(unknown) == 1:
            forced[cell] = unknown[0]
    return forced


def _possible(board: Board, cell: tuple[int, int], value: int) -> bool:
    """Whether a cell can be a number: some layout of mines explains it together with all others."""
    from bot.solver.odds import exact_odds

    supposed = board.replace({cell: value})
    return not supposed.problems() and not exact_odds(supposed).contradictions


def with_tile(skin: Skin, value: int, tile: Picture) -> Skin:
    """Return the skin with one more look of a cell, a tile of the skin's own size."""
    before = skin.tiles.get(value)
    variants = tile[np.newaxis] if before is None else np.concatenate([before, tile[np.newaxis]])
    themes = {**skin.themes, value: (*skin.themes.get(value, ()), "")}
    return replace(skin, tiles={**skin.tiles, value: variants}, themes=themes)


def _has_a_figure(tile: Picture) -> bool:
    return shape_of(tile) is not None and float(flat(looks_at_any_size([tile]))[0]) >= HAS_FIGURE
