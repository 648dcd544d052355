"""Learning during play: a tile never seen before whose value the rules force is added to the skin.

Promises to learn only numbers, and only when nothing is left to guess: every hidden cell around the tile is proved to
be mined or safe by other numbers, or of all numbers that the skin has never seen the rules allow but one. The tile
itself is proved safe, it shows a figure, and it looks the same at two looks in a row. Only skins taken from a game
learn, for drawn ones know all tiles already. What can't be written is learnt all the same, as long as the reader lives.

`Memory` holds what has been learnt of a game so far. It promises a cell for a tile only when a tile that is known to be
that looks the same and nothing known to be something else looks as much alike; tiles that add nothing are not kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import replace

import numpy as np

from bot.board import SYMBOLS, Board, Cell, Cells, place
from bot.calibrate.build import contact_sheet
from bot.calibrate.samples import HAS_FIGURE, Sample, shape_of
from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.matcher import one_tile
from bot.vision.reader import Reader, Reading
from bot.vision.similarity import PARTS, Looks, apart, apart_from_others, flat, looks_at_any_size
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


SMALLEST_LIMIT, LARGEST_LIMIT = 6.0, 20.0

RIVAL = 1.5
"""How many times farther the nearest tile of another kind must be."""


class Memory:
    """Tiles that are known, by their looks."""

    def __init__(self) -> None:
        self._looks: Looks = np.zeros((0, PARTS * PARTS, 3), dtype=np.float32)
        self._values = np.zeros(0, dtype=np.uint8)
        self.limit = SMALLEST_LIMIT

    @property
    def known(self) -> set[int]:
        """The kinds of cells of which at least one tile is known."""
        return {int(value) for value in self._values}

    def take_measure(self, covered: Sample) -> None:
        """Learn from a board of nothing but covered tiles how much tiles of one kind differ in this game."""
        spread = float(np.quantile(apart_from_others(covered.looks).min(axis=1), 0.9))
        self.limit = float(np.clip(3 * spread + 4, SMALLEST_LIMIT, LARGEST_LIMIT))

    def cells(self, sample: Sample) -> Cells:
        """Return what the tiles of a sample are by their looks, UNREAD where nothing known looks like that."""
        cells = np.full(len(sample.looks), Cell.UNREAD, dtype=np.uint8)
        if len(self._values):
            distances = apart(sample.looks, self._looks)
            nearest = distances.argmin(axis=1)
            value, off = self._values[nearest], distances[np.arange(len(nearest)), nearest]
            rival = np.where(self._values[None] != value[:, None], distances, np.inf).min(axis=1)
            sure = (off <= self.limit) & (rival > RIVAL * off)
            cells[sure] = value[sure]
        return cells.reshape(sample.grid.rows, sample.grid.cols)

    def learn(self, sample: Sample, cells: Cells) -> int:
        """Remember the tiles of a sample that are told; return how many of them were new."""
        new = 0
        for look, value in zip(sample.looks, cells.ravel().tolist(), strict=True):
            if value == Cell.UNREAD:
                continue
            same = self._looks[self._values == value]
            if len(same) == 0 or float(apart(look[None], same).min()) > self.limit / 2:
                self._looks = np.concatenate([self._looks, look[None]])
                self._values = np.append(self._values, np.uint8(value))
                new += 1
        return new


def without_outliers(samples: Sequence[tuple[Sample, Cells]]) -> list[tuple[Sample, Cells]]:
    """Return the samples with tiles left out that look like tiles of another kind and like none of their own.

    Such a tile was caught in a state that proves nothing. Of two kinds that have one tile in common, the one that has
    no other keeps it.
    """
    looks = np.concatenate([sample.looks for sample, _ in samples])
    values = np.concatenate([cells.ravel() for _, cells in samples])
    told = np.flatnonzero(values != Cell.UNREAD)
    odd = np.zeros(len(values), dtype=np.bool_)
    for value in np.unique(values[told]).tolist():
        own, others = told[values[told] == value], told[values[told] != value]
        kinds, index = np.unique(looks[own].round().reshape(len(own), -1), axis=0, return_inverse=True)
        if len(kinds) < 2 or len(others) == 0:
            continue
        other_kinds = np.unique(looks[others].round().reshape(len(others), -1), axis=0).reshape(-1, *looks.shape[1:])
        kinds = kinds.reshape(-1, *looks.shape[1:])
        foreign = apart(kinds, other_kinds).min(axis=1)
        strange = (foreign < SMALLEST_LIMIT) & (apart_from_others(kinds).min(axis=1) > LARGEST_LIMIT)
        odd[own[strange[index]]] = True
    parts = np.split(odd, np.cumsum([cells.size for _, cells in samples])[:-1])
    return [
        (sample, np.where(part.reshape(cells.shape), Cell.UNREAD, cells).astype(np.uint8))
        for (sample, cells), part in zip(samples, parts, strict=True)
    ]
