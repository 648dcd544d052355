"""Is it ever sure of what is not so? Drawn pictures without end, their tiles read for certain, doubted, or wrongly.

The reader is given the lattice and the skin: what is measured is whether its certainty can be trusted, not whether it
finds boards. Tiles that something in front hides, wholly or in part, are counted apart: doubting them is right. Those
of one picture stand or fall together, so the bound of the rate is that of tiles drawn one by one, and no better.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from bot import signals
from bot.bench import BenchError, Onlooker, nobody, wilson_interval
from bot.bench.drawn import Drawn, draw
from bot.bench.workers import open_pool
from bot.board import SYMBOLS, Cell, place
from bot.picture import save
from bot.vision.reader import Reader
from bot.vision.skin import Skin

TileKind = Literal["blank", "covered", "digit", "piece", "hidden"]

LEAST_HIDDEN, MOST_HIDDEN = 0.004, 0.85
"""The shares of a tile that may be hidden for it to be as it is, and for what it is to be seen at all."""


@dataclass(frozen=True)
class KindRead:
    """All tiles of one kind; `wrong` are certain too."""

    kind: str
    tiles: int
    certain: int
    doubted: int
    wrong: int

    @property
    def most_wrong(self) -> float:
        """The upper end of the 95 % interval of the share of certain tiles that are wrong."""
        return wilson_interval(self.wrong, self.certain)[1]


@dataclass(frozen=True)
class DrawnRead:
    """One picture: how many tiles of which kind were certain, doubted and wrong, and a sentence for each wrong one."""

    number: int
    counts: Counter[tuple[TileKind, str]]
    wrong: tuple[str, ...]


@dataclass(frozen=True)
class DrawnTrial:
    """Pictures in the order of their numbers; fewer than `asked` when Ctrl-C ended it before its time."""

    seed: int
    asked: int
    pictures: tuple[DrawnRead, ...] = field(repr=False)

    @property
    def misread(self) -> list[DrawnRead]:
        """The pictures with tiles that are certain and wrong, the worst first."""
        return sorted((each for each in self.pictures if each.wrong), key=lambda each: -len(each.wrong))

    def lines(self) -> list[KindRead]:
        """Return what was made of each kind of tile, of all that are in sight, and of hidden ones."""
        counts: Counter[tuple[str, str]] = Counter()
        for picture in self.pictures:
            counts.update(picture.counts)
        *kinds, hidden = (
            KindRead(kind, sum(parts), parts[0] + parts[2], parts[1], parts[2])
            for kind in get_args(TileKind)
            for parts in [[counts[kind, what] for what in ("certain", "doubted", "wrong")]]
        )
        sums = (sum(getattr(line, what) for line in kinds) for what in ("tiles", "certain", "doubted", "wrong"))
        return [*kinds, KindRead("in sight", *sums), hidden]


def read_drawn(pictures: int, seed: int, *, workers: int | None = None, progress: Onlooker = nobody) -> DrawnTrial:
    """Read the pictures of the numbers `seed`, `seed` + 1, …; Ctrl-C returns what is done."""
    done: list[DrawnRead] = []
    try:
        with open_pool(workers) as pool:
            for _, each in pool.results(read_one, range(seed, seed + pictures)):
                done.append(each)
                progress(len(done), pictures, f"{sum(bool(each.wrong) for each in done)} misread")
    except KeyboardInterrupt:
        if not done:
            raise
        signals.obeyed()
    return DrawnTrial(seed, pictures, tuple(sorted(done, key=lambda each: each.number)))


def read_one(number: int) -> DrawnRead:
    """Read the picture of a number."""
    drawn = draw(number)
    read = Reader(_skin()).read(drawn.picture, drawn.grid).board.cells
    counts: Counter[tuple[TileKind, str]] = Counter()
    wrong = []
    for row, col in np.argwhere(drawn.cells != Cell.UNREAD).tolist():
        true, hidden, value = drawn.cells[row, col], drawn.hidden[row, col], read[row, col]
        what = "doubted" if value == Cell.UNREAD else "wrong"
        if value == true and hidden <= MOST_HIDDEN:
            what = "certain"
        counts[_kind(drawn, row, col), what] += 1
        if what == "wrong":
            behind = f", {100 * hidden:.0f} % of it hidden," if hidden > LEAST_HIDDEN else ""
            wrong.append(f"{SYMBOLS[true]} at {place(row, col)}{behind} read as {SYMBOLS[value]}")
    return DrawnRead(number, counts, tuple(wrong))


def make_folder(folder: Path) -> None:
    """Make the folder for pictures that are misread. Raises `BenchError`; reading takes long, so ask before."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BenchError(f'can\'t save pictures in "{folder}": {error.strerror}') from error


def save_misread(trial: DrawnTrial, folder: Path) -> list[Path]:
    """Save the pictures with tiles that are certain and wrong, named by their numbers; return the files."""
    make_folder(folder)
    files = [folder / f"drawn-{each.number}.png" for each in trial.misread]
    for file, each in zip(files, trial.misread, strict=True):
        save(file, draw(each.number).picture)
    return files


def _kind(drawn: Drawn, row: int, col: int) -> TileKind:
    value = drawn.cells[row, col]
    if drawn.hidden[row, col] > LEAST_HIDDEN:
        return "hidden"
    if value == 0:
        return "blank"
    return "digit" if value <= 8 else "covered" if value == Cell.COVERED else "piece"


@lru_cache(maxsize=1)
def _skin() -> Skin:
    return Skin.load("win7")
