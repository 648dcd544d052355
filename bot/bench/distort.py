"""What a desktop does to a picture, done to labelled pictures: how many boards are found, doubted, read wrongly.

`DISTORTIONS` are the rows of the table: dimmed and bright screens, night light, enlarged windows, JPEGs, noise, a mouse
pointer, a notification. All of it is seeded: the same seed, folder and code give the same table. A tile that a
distortion itself hides counts only when it is read as something that it is not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.bench import Onlooker, nobody
from bot.bench.read import Truth, try_to_read
from bot.board import SYMBOLS, Cell, place
from bot.picture import Picture, load
from bot.vision.reader import Reading
from bot.vision.skin import Skin

Random = np.random.Generator
Mask = NDArray[np.bool_]
Distorted = tuple[Picture, Mask | None]
"""A picture, and which of its pixels something hides."""

PROMISED = (10.0, 200.0)
"""Pixels of a tile, from and to, that are promised to be read."""


@dataclass(frozen=True)
class Distortion:
    """A row of the table. `scale` is by how much it enlarges a picture."""

    name: str
    apply: Callable[[Picture, Random], Distorted]
    scale: float = 1.0


@dataclass(frozen=True)
class DistortedLine:
    """What came of one distortion: `other_size` boards were read with rows or columns too many or too few.

    `hidden` pictures show no tile of their board, and are not among those found or not. Of boards that are not found,
    `parts` were read as a part of a board, and said to be cut off.
    `skipped` pictures would have tiles smaller or larger than any that are promised to be read.
    """

    name: str
    pictures: int
    skipped: int
    found: int
    parts: int
    hidden: int
    other_size: int
    tiles: int
    doubted: int
    wrong: int
    wrong_pictures: int
    misread: tuple[str, ...]  # one sentence each, for every tile read wrongly, board of another size or not found


def _scaled(factor: float) -> Distortion:
    def apply(picture: Picture, random: Random) -> Distorted:
        how = cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(picture, None, fx=factor, fy=factor, interpolation=how), dtype=np.uint8), None

    return Distortion(f"scaled × {factor:g}", apply, factor)


def jpeg(quality: int) -> Distortion:
    """Return storing a picture as a JPEG."""

    def apply(picture: Picture, random: Random) -> Distorted:
        code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), dtype=np.uint8), None

    return Distortion(f"JPEG {quality}", apply)


def curve(name: str, change: Callable[[NDArray[np.float64]], NDArray[np.float64]]) -> Distortion:
    """Return a distortion that changes every pixel by itself; `change` takes and gives (256, 3): red, green, blue."""
    every = np.repeat(np.arange(256.0)[:, None], 3, axis=1)
    table = np.clip(np.rint(change(every)), 0, 255).astype(np.uint8)[None, :, ::-1]

    def apply(picture: Picture, random: Random) -> Distorted:
        return np.asarray(cv2.LUT(picture, table), dtype=np.uint8), None

    return Distortion(name, apply)


def noisy(share: float) -> Distortion:
    """Return noise of so large a part of the range of light."""

    def apply(picture: Picture, random: Random) -> Distorted:
        grain = random.normal(0, 255 * share, picture.shape).astype(np.float32)
        return np.clip(np.rint(picture + grain), 0, 255).astype(np.uint8), None

    return Distortion(f"noise {100 * share:g} %", apply)


def blurred(sigma: float) -> Distortion:
    """Return a blur of so many pixels."""

    def apply(picture: Picture, random: Random) -> Distorted:
        return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), dtype=np.uint8), None

    return Distortion(f"blur {sigma:g} px", apply)


POINTER = ((0, 0), (0, 16), (4, 12), (7, 19), (10, 18), (7, 11), (12, 11))
"""Corners of a mouse pointer, right of and below its tip."""


def with_pointer(picture: Picture, random: Random) -> tuple[Picture, Mask]:
    """Return the picture with a mouse pointer somewhere on it."""
    height, width = picture.shape[:2]
    tip = random.uniform(0.2, 0.8, 2) * (width, height)
    arrow = np.rint(np.array(POINTER) + tip).astype(np.int32)
    drawn, hidden = picture.copy(), np.zeros((height, width), dtype=np.uint8)
    cv2.fillPoly(drawn, [arrow], (255, 255, 255))
    cv2.polylines(drawn, [arrow], True, (0, 0, 0), 1)
    cv2.fillPoly(hidden, [arrow], 1)
    return drawn, hidden.astype(np.bool_)


def with_toast(picture: Picture, random: Random) -> tuple[Picture, Mask]:
    """Return the picture with a notification over its right bottom corner, a third of it wide."""
    height, width = picture.shape[:2]
    high, wide = max(24, round(0.2 * height)), max(60, round(0.35 * width))
    drawn, hidden = picture.copy(), np.zeros((height, width), dtype=np.bool_)
    bottom, right = height - round(random.uniform(0, 0.1) * height), width - round(random.uniform(0, 0.1) * width)
    place = slice(bottom - high, bottom), slice(right - wide, right)
    drawn[place], hidden[place] = random.integers(20, 60, 3), True
    size = max(0.3, wide / 500)
    for line in range(3):
        at = right - wide + wide // 12, bottom - high + round((line + 1) * high / 4)
        cv2.putText(
            drawn, "You have one new message", at, cv2.FONT_HERSHEY_SIMPLEX, size, (240, 240, 240), 1, cv2.LINE_AA
        )
    return drawn, hidden


def _gamma(power: float) -> Distortion:
    return curve(f"gamma {power:g}", lambda light: 255 * (light / 255) ** power)


def _gain(factor: float) -> Distortion:
    return curve(f"brightness × {factor:g}", lambda light: factor * light)


DISTORTIONS: tuple[Distortion, ...] = (
    curve("none", lambda light: light),
    *(_scaled(factor) for factor in (0.75, 1.25, 1.5, 1.75, 2.0, 3.0, 4.0)),
    *(jpeg(quality) for quality in (85, 60)),
    *(_gamma(power) for power in (0.8, 1.25)),
    curve("contrast 70 %", lambda light: 128 + 0.7 * (light - 128)),
    *(_gain(factor) for factor in (0.6, 0.75, 0.85, 1.15, 1.3, 1.4)),
    curve("warm tint", lambda light: light * (1.0, 0.87, 0.7)),
    curve("night light", lambda light: 0.85 * light * (1.0, 0.72, 0.42)),
    noisy(0.08),
    *(blurred(sigma) for sigma in (0.7, 1.0)),
    Distortion("mouse pointer", with_pointer),
    Distortion("notification", with_toast),
)


def bench_distorted(
    truths: Iterable[Truth],
    skin: Skin | None = None,
    seed: int = 0,
    distortions: Iterable[Distortion] = DISTORTIONS,
    progress: Onlooker = nobody,
) -> list[DistortedLine]:
    """Read every picture under every distortion; one line each, in their order."""
    truths, distortions = list(truths), list(distortions)
    results: dict[str, list[_Outcome]] = {distortion.name: [] for distortion in distortions}
    for number, truth in enumerate(truths, start=1):
        picture = load(truth.file)
        for distortion in distortions:
            results[distortion.name].append(_outcome(picture, truth, distortion, skin, seed))
        progress(number, len(truths))
    files = [truth.file.name for truth in truths]
    return [_line(name, outcomes, files) for name, outcomes in results.items()]


@dataclass(frozen=True)
class _Outcome:
    """One picture under one distortion."""

    tiles: int = 0
    skipped: bool = False
    found: bool = False
    part: bool = False
    other_size: bool = False
    doubted: int = 0
    wrong: tuple[str, ...] = ()


def _outcome(picture: Picture, truth: Truth, distortion: Distortion, skin: Skin | None, seed: int) -> _Outcome:
    if truth.box is not None:
        pitch = (truth.box[2] - truth.box[0]) / truth.cells.shape[1] * distortion.scale
        if not PROMISED[0] <= pitch <= PROMISED[1]:
            return _Outcome(skipped=True)
    random = np.random.default_rng([seed, crc32(f"{truth.file.name} {distortion.name}".encode())])
    distorted, hidden = distortion.apply(picture, random)
    reading = try_to_read(distorted, skin)
    tiles = int(np.count_nonzero(truth.cells != Cell.UNREAD))
    if reading is None:
        return _Outcome(tiles)
    if reading.board.cells.shape != truth.cells.shape:
        return _Outcome(tiles, part=bool(reading.board.cut), other_size=not reading.board.cut)
    return _compared(truth, reading, hidden, tiles)


def _compared(truth: Truth, reading: Reading, hidden: Mask | None, tiles: int) -> _Outcome:
    doubted, wrong = 0, []
    for row, col in np.argwhere(truth.cells != Cell.UNREAD).tolist():
        true, read = SYMBOLS[truth.cells[row, col]], SYMBOLS[reading.board.cells[row, col]]
        if read == ".":
            left, top, right, bottom = (max(0, round(edge)) for edge in reading.grid.tile(row, col))
            doubted += hidden is None or not hidden[top:bottom, left:right].any()
        elif read != true:
            wrong.append(f"{true} at {place(row, col)} read as {read}")
    return _Outcome(tiles, found=True, doubted=doubted, wrong=tuple(wrong))


def _line(name: str, outcomes: list[_Outcome], files: list[str]) -> DistortedLine:
    tried = [outcome for outcome in outcomes if not outcome.skipped]
    return DistortedLine(
        name=name,
        pictures=len(tried),
        skipped=len(outcomes) - len(tried),
        found=sum(outcome.found and outcome.tiles > 0 for outcome in tried),
        parts=sum(outcome.part for outcome in tried),
        hidden=sum(outcome.tiles == 0 for outcome in tried),
        other_size=sum(outcome.other_size for outcome in tried),
        tiles=sum(outcome.tiles for outcome in tried),
        doubted=sum(outcome.doubted for outcome in tried),
        wrong=sum(len(outcome.wrong) for outcome in tried),
        wrong_pictures=sum(bool(outcome.wrong) for outcome in tried),
        misread=tuple(_misread(files, outcomes)),
    )


def _misread(files: list[str], outcomes: list[_Outcome]) -> Iterator[str]:
    for file, outcome in zip(files, outcomes, strict=True):
        if outcome.other_size:
            yield f"{file}: read with another number of rows or columns"
        elif outcome.part:
            yield f"{file}: read as a part of a board"
        elif not outcome.found and not outcome.skipped and outcome.tiles > 0:
            yield f"{file}: not found"
        yield from (f"{file}: wrong: {sentence}" for sentence in outcome.wrong)
