"""A sample: one picture of a board with its lattice, its tiles, and the truth about it when somebody told.

Promises a lattice of the truth's own size where there is a truth, and of all lattices the one on which tiles called the
same look the same. It does not say what a tile shows; `shape_of` tells how well a tile's figure correlates with each
kind of figure that any known skin has, 1 being identity. Fonts differ, so a likeness is evidence and never proof; the
rules of the game or the user have the last word.

What an unfinished calibration has learnt is kept for the next one, in a folder for this user alone: samples come back
as they were put away, or not at all. Whatever else is in the files, nothing is learnt from it.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell, Cells
from bot.calibrate import CalibrationError
from bot.errors import MinebotError
from bot.files import data_folder, make_private, read_whole, write_whole
from bot.picture import Picture, load, save
from bot.vision.find.faint import LIKE, find_faint_grids
from bot.vision.grid import FEWEST_TILES, Grid
from bot.vision.matcher import canonical_tiles, one_tile
from bot.vision.reader import NoBoardError, Reader, Reading
from bot.vision.similarity import SIDE, Looks, apart_from_others, group, looks_of
from bot.vision.skin import all_skins

REACH = 3
"""By how many lines of tiles a lattice that was found may differ from the size that the truth tells."""

MOST_DOUBTS = 0.2
"""The share of tiles that a known skin may leave unread to be a witness for the others."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A picture of a board. `reading` is what a known skin makes of it, None when none does."""

    name: str
    picture: Picture
    grid: Grid
    truth: Board | None = None
    reading: Reading | None = None

    @cached_property
    def tiles(self) -> NDArray[np.uint8]:
        """The tiles in reading order, shape (rows·cols, SIDE, SIDE, 3)."""
        return canonical_tiles(self.picture, self.grid, SIDE, exact=True)

    @cached_property
    def looks(self) -> Looks:
        """The looks of the tiles, in reading order."""
        return looks_of(self.tiles)

    def tile(self, index: int, side: int) -> NDArray[np.uint8]:
        """Return a tile by its number in reading order, shape (side, side, 3)."""
        return one_tile(self.picture, self.grid, *self.place(index), side)

    def place(self, index: int) -> tuple[int, int]:
        """Return the row and column of a tile by its number in reading order."""
        return index // self.grid.cols, index % self.grid.cols


def open_sample(name: str, picture: Picture, truth: Board | None) -> Sample:
    """Return the sample of a picture, with the truth about it if it was told.

    Raises `NoBoardError` when there is no lattice, `CalibrationError` when none fits the truth.
    """
    reading = _known_reading(picture)
    lattices = ([reading.grid] if reading is not None else []) + find_faint_grids(picture)
    if reading is not None and len(reading.doubts) > MOST_DOUBTS * reading.board.cells.size:
        reading = None  # it has found the board, but does not know its look well
    if not lattices:
        raise NoBoardError(f'no board found in "{name}"')
    if truth is not None:
        fitting = [placed for grid in lattices for placed in _of_size(grid, truth.rows, truth.cols, picture)]
        if not fitting:
            sizes = ", ".join(dict.fromkeys(f"{grid.rows}×{grid.cols}" for grid in lattices))
            raise CalibrationError(
                f'the truth for "{name}" has {truth.rows}×{truth.cols} cells, the picture shows {sizes}'
            )
        grid = max(fitting, key=lambda placed: _agreement(picture, placed, truth))
        same = reading is not None and reading.grid == grid
        return Sample(name, picture, grid, truth, reading if same else None)
    if reading is not None:
        return Sample(name, picture, reading.grid, None, reading)
    return Sample(name, picture, max(lattices, key=lambda grid: _repetition(picture, grid)))


FRAME = 2
"""Lines of tiles more than a board has, in height and in width, that its frame may be taken for."""

EVEN = 0.8
"""The share of a frame's line that looks the same: all but its corners."""


def best_lattice(picture: Picture) -> Grid | None:
    """Return the lattice on which most tiles have their like, None when there is none at all.

    A frame repeats itself as well, and so do thirds of tiles that have wide bevels; of lattices with a new board among
    them, that is returned. Of halves it can't be told: a board may be chequered.
    """
    lattices = sorted(find_faint_grids(picture), key=lambda grid: _repetition(picture, grid), reverse=True)
    for grid in lattices:
        frame = lattices[0].rows - grid.rows, lattices[0].cols - grid.cols
        thirds = round(grid.pitch / lattices[0].pitch, 1) == 3
        if (thirds or max(frame) <= FRAME) and is_uniform(looks_of(canonical_tiles(picture, grid, SIDE))):
            return grid
    return without_frame(picture, lattices[0]) if lattices else None


def without_frame(picture: Picture, grid: Grid) -> Grid:
    """Return the new board in a lattice whose outermost lines are its frame or ground; the lattice itself without one.

    Lines of a frame look the same all along; beside tiles that were opened there is always a line of several numbers.
    """
    names = group(looks_of(canonical_tiles(picture, grid, SIDE))).reshape(grid.rows, grid.cols)
    cuts = (cut for cut in product(range(FRAME + 1), repeat=4) if max(cut[0] + cut[1], cut[2] + cut[3]) <= FRAME)
    for top, bottom, left, right in sorted(cuts, key=sum):
        inner = names[top : grid.rows - bottom, left : grid.cols - right]
        outer = [*names[:top], *names[grid.rows - bottom :], *names.T[:left], *names.T[grid.cols - right :]]
        new = min(inner.shape) >= FEWEST_TILES and np.count_nonzero(inner != inner[0, 0]) <= 1
        if new and all(np.bincount(line).max() >= EVEN * len(line) for line in outer):
            corner = {"left": grid.left + left * grid.pitch_x, "top": grid.top + top * grid.pitch_y}
            return replace(grid, **corner, rows=inner.shape[0], cols=inner.shape[1])
    return grid


def is_uniform(looks: Looks) -> bool:
    """Whether all tiles look the same, but for one that something may lie upon."""
    return bool(np.count_nonzero(group(looks) != 0) <= 1)


def _known_reading(picture: Picture) -> Reading | None:
    """Return what the known skins make of a picture, None when none of them finds a board in it."""
    try:
        return Reader().read(picture)
    except NoBoardError:
        return None


def _of_size(grid: Grid, rows: int, cols: int, picture: Picture) -> Iterator[Grid]:
    """Yield the lattices of a given size that lie on the lines of another one, whole tiles inside the picture."""
    more_rows, more_cols = rows - grid.rows, cols - grid.cols
    if max(abs(more_rows), abs(more_cols)) > REACH:
        return
    height, width = picture.shape[:2]
    reach = 0.15 * grid.pitch
    for up in range(min(0, more_rows), max(0, more_rows) + 1):
        for left in range(min(0, more_cols), max(0, more_cols) + 1):
            corner_x, corner_y = grid.left - left * grid.pitch_x, grid.top - up * grid.pitch_y
            placed = replace(grid, left=corner_x, top=corner_y, rows=rows, cols=cols)
            inside = placed.box[2] <= width + reach and placed.box[3] <= height + reach
            if inside and placed.left >= -reach and placed.top >= -reach:
                yield placed


def _agreement(picture: Picture, grid: Grid, truth: Board) -> float:
    """Return the share of tiles whose nearest likeness elsewhere on the board is called the same."""
    told = truth.cells.ravel()
    looks = looks_of(canonical_tiles(picture, grid, SIDE))[told != Cell.UNREAD]
    told = told[told != Cell.UNREAD]
    if len(told) < 2:
        return 0.0
    return float((told[apart_from_others(looks).argmin(axis=1)] == told).mean())


def _repetition(picture: Picture, grid: Grid) -> float:
    """Return how many tiles of a lattice have their like elsewhere on it: many on a board, few on anything else."""
    looks = looks_of(canonical_tiles(picture, grid, SIDE))
    return float((apart_from_others(looks).min(axis=1) <= LIKE).sum())


Samples = Sequence[tuple[Sample, Cells]]

LARGEST_LIST = 1_000_000
"""Bytes; sixty boards of 24 × 30 tiles have a twentieth of that."""


def kept_folder(name: str) -> Path:
    """Return where the samples of an unfinished skin are."""
    return data_folder() / "unfinished" / name


def keep(folder: Path, samples: Samples) -> None:
    """Put samples away in place of those that are there. Raises `OSError` or `PictureError`."""
    make_private(folder)
    entries = []
    for number, (sample, cells) in enumerate(samples):
        file = f"{number:02}.png"
        save(folder / file, sample.picture)
        entries.append({"picture": file, "grid": list(astuple(sample.grid)), "cells": str(Board(cells)).splitlines()})
    write_whole(folder / "samples.json", json.dumps(entries).encode())


def kept(folder: Path) -> list[tuple[Sample, Cells]]:
    """Return the samples that were put away, none where there are none or the files are not what was written."""
    samples = []
    with suppress(OSError, ValueError, KeyError, TypeError, MinebotError):
        for entry in json.loads(read_whole(folder / "samples.json", LARGEST_LIST)):
            left, top, pitch_x, pitch_y, rows, cols = entry["grid"]
            grid = Grid(float(left), float(top), float(pitch_x), float(pitch_y), int(rows), int(cols))
            cells = np.array(Board.parse("\n".join(entry["cells"])).cells)
            picture = load(folder / Path(entry["picture"]).name)
            left, top, right, bottom = grid.box
            inside = 0 <= left < right <= picture.shape[1] and 0 <= top < bottom <= picture.shape[0]
            if cells.shape != (grid.rows, grid.cols) or not inside:
                return []
            samples.append((Sample("an earlier game", picture, grid), cells))
        return samples
    return []


def forget(folder: Path) -> None:
    """Throw kept samples away; they have become a skin, or made no good one."""
    shutil.rmtree(folder, ignore_errors=True)


SHAPE_HEIGHT, SHAPE_WIDTH = 20, 20

HAS_FIGURE = 60.0
"""Grey levels between the parts of a tile's middle: more on nearly all figures, less on nearly all plain tiles."""

CROP = 48
"""Pixels across a tile that is to be recognised by its shape, or by the user."""

FIGURES = (*range(1, 9), Cell.FLAG, Cell.QUESTION, Cell.MINE, Cell.WRONG_FLAG)
"""The cells that have a figure of their own; a mine that went off is a mine on another ground."""

Shape = NDArray[np.float32]
"""Shape (SHAPE_HEIGHT · SHAPE_WIDTH,), zero mean and unit length: how much of the figure each part of its box is."""


def shape_of(tile: NDArray[np.uint8]) -> Shape | None:
    """Return the shape of the figure on a tile of shape (side, side, 3), None when there is hardly any."""
    side = len(tile)
    rim = max(1, round(0.08 * side))
    inner = tile[rim : side - rim, rim : side - rim].astype(np.float32)
    ink = np.linalg.norm(inner - np.median(inner, axis=(0, 1)), axis=2)
    ink[_frame(ink > 0.5 * ink.max())] = 0
    usual = float(np.quantile(ink, 0.97))
    if ink.max() < 24 or usual == 0:
        return None
    ink = np.minimum(ink / usual, 1)
    rows, cols = (np.flatnonzero((ink > 0.5).sum(axis=axis) >= max(1, side / 24)) for axis in (1, 0))
    if len(rows) < 0.2 * side or len(cols) < 2:
        return None
    cut = ink[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    height, width = cut.shape
    fitted = min(SHAPE_WIDTH, max(2, round(width * SHAPE_HEIGHT / height)))
    canvas = np.zeros((SHAPE_HEIGHT, SHAPE_WIDTH), dtype=np.float32)
    start = (SHAPE_WIDTH - fitted) // 2
    canvas[:, start : start + fitted] = cv2.resize(cut, (fitted, SHAPE_HEIGHT), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(canvas, (0, 0), 1.0).ravel()
    soft -= soft.mean()
    return np.asarray(soft / max(float(np.linalg.norm(soft)), 1e-6), dtype=np.float32)


def _frame(ink: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the ink that hangs together with the rim of the tile: its frame or bevel, no part of the figure."""
    _, pieces = cv2.connectedComponents(ink.astype(np.uint8), connectivity=8)
    at_rim = np.unique(np.concatenate([pieces[0], pieces[-1], pieces[:, 0], pieces[:, -1]]))
    return np.asarray(np.isin(pieces, at_rim[at_rim > 0]))


@lru_cache(maxsize=1)
def known_shapes() -> tuple[tuple[int, Shape], ...]:
    """Return the shapes of all figures in all skins that can be loaded, each with its cell value."""
    shapes = []
    for skin in all_skins()[0]:
        for value in FIGURES:
            for tile in skin.tiles.get(value, ()):
                shape = shape_of(tile)
                if shape is not None:
                    shapes.append((value, shape))
    return tuple(shapes)


def likeness(tile: NDArray[np.uint8]) -> dict[int, float]:
    """Return how well a tile's figure correlates with each kind of figure, best first; empty when it has none."""
    shape = shape_of(tile)
    if shape is None:
        return {}
    best: dict[int, float] = {}
    for value, known in known_shapes():
        best[value] = max(best.get(value, -1.0), float(shape @ known))
    return dict(sorted(best.items(), key=lambda item: -item[1]))
