"""How well and how fast boards are read, over a folder of pictures with their truth, beside the usual way.

A picture's truth is a JSON of the same name (`cells`, and perhaps `image`, `mines_left`, `grid_box` and what kind of
picture it is) or a text board. Every tile counts as right, wrong, or doubted; tiles that the truth leaves open (`.`)
don't count. The usual way, by which most bots read, is to match each template over the whole board and take every place
above a threshold; it is told the lattice that we find ourselves. Times are the best of a few, since everything that
disturbs a measurement makes it slower. How fast one and the same frame is read is for `speed.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.bench import BenchError, Onlooker, nobody
from bot.board import SYMBOLS, Board, BoardError, Cell, Cells, place
from bot.files import LARGEST_TEXT, decoded, read_whole
from bot.picture import Picture, load
from bot.vision.grid import Grid
from bot.vision.reader import NoBoardError, Reader, Reading
from bot.vision.skin import Skin

PASSES = 5
PITCH_BANDS = (16, 20, 28, 40)
NEAR = 1.0
"""Pixels that a corner may be off; truths labelled by eye are no more exact themselves."""

Result = TypeVar("Result")


@dataclass(frozen=True)
class Truth:
    """A labelled picture."""

    file: Path
    cells: Cells
    mines_left: int | None = None
    box: tuple[float, ...] | None = None  # left, top, right and bottom of the tiles, in pixels
    kind: str = "window"


@dataclass(frozen=True)
class Way:
    """What one way of reading made of a picture's tiles."""

    right: int
    wrong: tuple[str, ...]  # one sentence each
    doubted: tuple[str, ...]


@dataclass(frozen=True)
class PictureResult:
    """One picture: what was read, and the times in milliseconds.

    `cold_ms` includes finding the board, `warm_ms` reads all tiles of a known one, `still_ms` the same picture again,
    `usual_ms` is the usual way. `ours` is None when no board of the right size was found.
    """

    file: str
    kind: str
    skin: str
    pitch: float
    tiles: int
    ours: Way | None
    usual: Way | None
    mines_left_right: bool | None
    corner_off: float | None  # pixels that the farther of two opposite corners is off, along the worse axis
    cold_ms: float
    warm_ms: float
    still_ms: float
    usual_ms: float


@dataclass(frozen=True)
class Line:
    """Pictures of one kind, skin or size taken together."""

    name: str
    pictures: int
    missed: int
    tiles: int
    right: int
    wrong: int
    doubted: int
    mines_left: tuple[int, int]  # right, of how many known
    corners: tuple[int, int]  # within a pixel, of how many known
    usual_right: int
    usual_wrong: int
    cold_ms: float
    warm_ms: float
    still_ms: float
    usual_ms: float

    @property
    def ratio(self) -> float:
        """How many times as long the usual way takes for the same tiles."""
        return self.usual_ms / self.warm_ms if self.warm_ms else float("nan")


@dataclass(frozen=True)
class ReadTrial:
    """All pictures of a trial."""

    pictures: list[PictureResult] = field(default_factory=list)

    def lines(self, by: Callable[[PictureResult], str]) -> list[Line]:
        """Sum up the pictures that share a name, in the order of the names, and all of them."""
        names = sorted({by(result) for result in self.pictures})
        groups = [(name, [result for result in self.pictures if by(result) == name]) for name in names]
        return [_line(name, group) for name, group in [*groups, ("all", self.pictures)] if group]


def by_kind(result: PictureResult) -> str:
    """Name a picture by the folder it is in and what kind it is there."""
    return result.kind


def by_skin(result: PictureResult) -> str:
    """Name a picture by the skin it was read with."""
    return result.skin or "not found"


def by_size(result: PictureResult) -> str:
    """Name a picture by the size of its tiles."""
    lower = max((band for band in (0, *PITCH_BANDS) if band <= result.pitch), default=0)
    upper = min((band for band in PITCH_BANDS if band > result.pitch), default=None)
    return "not found" if not result.pitch else f"{lower}–{upper} px" if upper else f"over {lower} px"


def find_truths(folder: Path) -> list[Truth]:
    """Return the labelled pictures in a folder and below. Raises `BenchError` when there are none or one is broken."""
    labels = sorted(file for suffix in ("json", "txt") for file in folder.rglob(f"*.{suffix}"))
    truths = [truth for label in labels if (truth := _truth(label)).file.is_file()]
    if not truths:
        raise BenchError(f'"{folder}" has no pictures with their truth')
    return truths


def bench_read(truths: Iterable[Truth], skin: Skin | None = None, progress: Onlooker = nobody) -> ReadTrial:
    """Read every picture in our way and in the usual one."""
    truths = list(truths)
    results = []
    for number, truth in enumerate(truths, start=1):
        results.append(_read_one(truth, skin))
        progress(number, len(truths))
    return ReadTrial(results)


def _truth(label: Path) -> Truth:
    try:
        text = decoded(read_whole(label, LARGEST_TEXT))
        if label.suffix == ".txt":
            board = Board.parse(text)
            return Truth(label.with_suffix(".png"), board.cells, _counter(board))
        content = json.loads(text)
        file = label.with_name(content.get("image", f"{label.stem}.png"))
        box = tuple(content["grid_box"]) if "grid_box" in content else None
        cells = Board.parse("\n".join(content["cells"])).cells
        return Truth(file, cells, content.get("mines_left"), box, _kind(content))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, BoardError) as error:
        raise BenchError(f'"{label}" is no truth of a picture: {error}') from error


def _counter(board: Board) -> int | None:
    """Return what a game's counter shows: that of a won one, where nothing but mines is closed, stands at 0."""
    return 0 if np.count_nonzero(board.cells > 8) == board.mines else board.mines_left


def _kind(content: dict[str, Any]) -> str:
    kinds = {
        "annotated": "author-drawn" in content.get("notes", ""),
        "GIF frame": content.get("frame") is not None,
        "behind a dialog": content.get("dialog"),
        "desktop": content.get("full_screen"),
        "board only": content.get("crop"),
    }
    return next((kind for kind, holds in kinds.items() if holds), "window")


def _read_one(truth: Truth, skin: Skin | None) -> PictureResult:
    picture = load(truth.file)
    kind, tiles = f"{truth.file.parent.name}, {truth.kind}", int(np.count_nonzero(truth.cells != Cell.UNREAD))
    cold_ms, reading = timed(lambda: try_to_read(picture, skin), 2)
    if reading is None or reading.board.cells.shape != truth.cells.shape:
        return PictureResult(truth.file.name, kind, "", 0.0, tiles, None, None, None, None, cold_ms, 0.0, 0.0, 0.0)
    known = Skin.load(reading.skin) if skin is None else skin
    reader = Reader(known)
    reader.read(picture, reading.grid)
    # Every pixel differs from the last picture, so every tile is read again.
    frames = [np.asarray(picture ^ 3, dtype=np.uint8), picture] * PASSES
    warm_ms = min(timed(partial(reader.read, frame, reading.grid), 1)[0] for frame in frames)
    still_ms, _ = timed(lambda: reader.read(picture, reading.grid), PASSES)
    templates = usual_templates(known, reading.grid)
    usual_ms, usual = timed(lambda: read_the_usual_way(picture, reading.grid, templates), 1)
    return PictureResult(
        file=truth.file.name,
        kind=kind,
        skin=reading.skin,
        pitch=reading.grid.pitch,
        tiles=tiles,
        ours=_compare(truth.cells, reading.board.cells, {(d.row, d.col): d.best for d in reading.doubts}),
        usual=_compare(truth.cells, usual, {}),
        mines_left_right=None if truth.mines_left is None else reading.mines_left == truth.mines_left,
        corner_off=None if truth.box is None else _farthest(reading.grid.box, truth.box),
        cold_ms=cold_ms,
        warm_ms=warm_ms,
        still_ms=still_ms,
        usual_ms=usual_ms,
    )


def try_to_read(picture: Picture, skin: Skin | None) -> Reading | None:
    """Return what a new reader makes of a picture, None when it finds no board."""
    try:
        return Reader(skin).read(picture)
    except NoBoardError:
        return None


def _farthest(box: tuple[float, ...], true: tuple[float, ...]) -> float:
    return max(abs(mine - edge) for mine, edge in zip(box, true, strict=True))


def _compare(truth: Cells, seen: Cells, guesses: dict[tuple[int, int], str]) -> Way:
    right, wrong, doubted = 0, [], []
    for row, col in np.argwhere(truth != Cell.UNREAD).tolist():
        true, read = SYMBOLS[truth[row, col]], SYMBOLS[seen[row, col]]
        if true == read:
            right += 1
        elif read == ".":
            doubted.append(f"{true} at {place(row, col)}, perhaps {guesses.get((row, col), '?')}")
        else:
            wrong.append(f"{true} at {place(row, col)} read as {read}")
    return Way(right, tuple(wrong), tuple(doubted))


def timed(work: Callable[[], Result], passes: int) -> tuple[float, Result]:
    """Return the best time in milliseconds, and what came of the work."""
    best = float("inf")
    for _ in range(passes):
        start = perf_counter()
        result = work()
        best = min(best, perf_counter() - start)
    return 1000 * best, result


def _line(name: str, group: list[PictureResult]) -> Line:
    found = [result for result in group if result.ours is not None]
    ours = [result.ours for result in found if result.ours is not None]
    usual = [result.usual for result in found if result.usual is not None]
    known = [result.mines_left_right for result in group if result.mines_left_right is not None]
    corners = [result.corner_off <= NEAR for result in group if result.corner_off is not None]

    def mean(times: Iterable[float]) -> float:
        listed = list(times)
        return float(np.mean(listed)) if listed else 0.0

    return Line(
        name=name,
        pictures=len(group),
        missed=len(group) - len(found),
        tiles=sum(result.tiles for result in group),
        right=sum(way.right for way in ours),
        wrong=sum(len(way.wrong) for way in ours),
        doubted=sum(len(way.doubted) for way in ours),
        mines_left=(sum(known), len(known)),
        corners=(sum(corners), len(corners)),
        usual_right=sum(way.right for way in usual),
        usual_wrong=sum(len(way.wrong) for way in usual),
        cold_ms=mean(result.cold_ms for result in group),
        warm_ms=mean(result.warm_ms for result in found),
        still_ms=mean(result.still_ms for result in found),
        usual_ms=mean(result.usual_ms for result in found),
    )


THRESHOLD = 0.8


def usual_templates(skin: Skin, grid: Grid) -> list[tuple[int, NDArray[np.uint8]]]:
    """Return one template for each cell value and theme, at the board's own pitch and without the lines."""
    size = max(8, round(grid.pitch_x)), max(8, round(grid.pitch_y))
    rim = max(1, size[0] // 10)
    templates = []
    for value, pictures in skin.tiles.items():
        for theme in dict.fromkeys(skin.themes[value]):
            picture = pictures[skin.themes[value].index(theme)]
            resized = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
            templates.append((value, resized[rim:-rim, rim:-rim]))
    return templates


def read_the_usual_way(picture: Picture, grid: Grid, templates: list[tuple[int, NDArray[np.uint8]]]) -> Cells:
    """Return the cells as most bots read them: the best hit above the threshold in every tile, else unread."""
    left, top, right, bottom = (round(edge) for edge in grid.box)
    board = picture[max(0, top) : bottom, max(0, left) : right]
    cells = np.full((grid.rows, grid.cols), Cell.UNREAD, dtype=np.uint8)
    best = np.full((grid.rows, grid.cols), THRESHOLD)
    for value, template in templates:
        hits = cv2.matchTemplate(board, template, cv2.TM_CCOEFF_NORMED)
        height, width = template.shape[:2]
        for y, x in np.argwhere(hits >= THRESHOLD).tolist():
            row, col = int((y + height / 2) / grid.pitch_y), int((x + width / 2) / grid.pitch_x)
            if row < grid.rows and col < grid.cols and hits[y, x] > best[row, col]:
                best[row, col], cells[row, col] = hits[y, x], value
    return cells
