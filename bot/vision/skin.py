"""Skins: how a game looks, as data.

A skin is a folder with a `skin.toml` and the pictures it names; nothing in it is code. A skin drawn or recorded at one
tile size serves every other. This module finds skins by name (the user's own first, then those we ship), loads and
saves them, and names the file when one is broken. It does not look at screens and does not judge tiles.

The format, by example:

    format = 1
    name = "win7"
    title = "Windows 7, blue and green"
    tile = 36                      # side, in pixels, of every tile in the pictures

    [tiles]                        # cell name = its pictures; each holds one tile or several side by side
    covered = ["covered-blue.png", "covered-green.png"]
    0 = ["0-blue.png"]
    1 = ["1-blue.png", "1-green.png"]
    flag = ["flag.png"]            # also: question, mine, exploded, wrong-flag

    [counter]                      # optional: where the number of mines left is shown, and its digits
    side = "below"                 # of the board: "below" or "above"
    mines = "right"                # which of the two counters tells the mines: "right" or "left"
    digits = ["digits-bold.png"]   # eleven cells of equal width, 0 1 … 9 and minus, light on black

A file name may go on with a theme (`flag-blue.png`): a board is all of one theme. A tile's picture is the whole pitch:
it reaches from the middle of the line on its left to the middle of the line on its right, and the same downwards, so
that tiles put side by side give the board without its outer frame.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS
from bot.picture import Picture

CELL_NAMES = (
    "0",
    "1",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "covered",
    "flag",
    "question",
    "mine",
    "exploded",
    "wrong-flag",
)
"""What a skin file calls each cell, in the order of `Cell`'s values."""

GLYPHS = "0123456789-"
"""The cells of a counter's digit picture, in order."""

FORMAT = 1


class SkinError(ValueError):
    """A skin that does not exist or cannot be used; the message names the file."""


@dataclass(frozen=True, eq=False)
class CounterLook:
    """Where a skin shows the mines left, and the digits it uses: arrays (11, height, width), uint8, light on black."""

    side: Literal["below", "above"]
    mines: Literal["right", "left"]
    digits: tuple[NDArray[np.uint8], ...]


@dataclass(frozen=True, eq=False)
class Skin:
    """A look: template tiles by cell value, and the counter's digits when it has any.

    `tiles` maps a `Cell` value to an array of its variants, shape (variants, tile, tile, 3), uint8, blue–green–red.
    `themes` tells of each variant which theme it belongs to: all tiles of one board are of one theme, "" goes with any.
    `folder` is where it was loaded from, None for one that has not been saved.
    """

    name: str
    title: str
    tile: int
    tiles: dict[int, NDArray[np.uint8]]
    counter: CounterLook | None = None
    folder: Path | None = None
    themes: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        given = self.themes
        full = {value: given.get(value, ("",) * len(variants)) for value, variants in self.tiles.items()}
        object.__setattr__(self, "themes", full)

    @classmethod
    def load(cls, name_or_path: str | Path) -> Skin:
        """Return the skin of that name or in that folder. Raises `SkinError` naming what is missing or wrong."""
        folder = _folder_of(name_or_path)
        return _load(folder, (folder / "skin.toml").stat().st_mtime_ns)

    @cached_property
    def known(self) -> str:
        """The symbols of the cells that this skin has tiles for, in the order of `Cell`'s values."""
        return "".join(SYMBOLS[value] for value in sorted(self.tiles))

    def save(self, folder: Path) -> None:
        """Write the skin to a folder, creating it; pictures of a skin already there are replaced."""
        folder.mkdir(parents=True, exist_ok=True)
        tiles: dict[str, list[str]] = {}
        for value, variants in sorted(self.tiles.items()):
            name = CELL_NAMES[value]
            for theme in dict.fromkeys(self.themes[value]):
                file = f"{name}-{theme}.png" if theme else f"{name}.png"
                same = [tile for tile, its in zip(variants, self.themes[value], strict=True) if its == theme]
                _write(folder / file, np.concatenate(same, axis=1))
                tiles.setdefault(name, []).append(file)
        lines = [f"format = {FORMAT}", f'name = "{self.name}"', f'title = "{self.title}"', f"tile = {self.tile}", ""]
        lines += ["[tiles]"] + [f"{name} = {_toml_list(files)}" for name, files in tiles.items()]
        if self.counter is not None:
            files = [f"digits-{number}.png" for number in range(1, len(self.counter.digits) + 1)]
            for file, glyphs in zip(files, self.counter.digits, strict=True):
                _write(folder / file, np.concatenate(list(glyphs), axis=1))
            lines += ["", "[counter]", f'side = "{self.counter.side}"', f'mines = "{self.counter.mines}"']
            lines += [f"digits = {_toml_list(files)}"]
        (folder / "skin.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def names() -> list[str]:
    """Return the names of all skins that can be loaded by name, sorted; the user's own shadow ours."""
    found = {file.parent.name for root in roots() if root.is_dir() for file in root.glob("*/skin.toml")}
    return sorted(found)


def roots() -> list[Path]:
    """Return the folders that are searched for skins, first come first served."""
    package = Path(__file__).resolve().parents[1]
    return [user_folder(), package / "_templates", package.parent / "templates"]


def user_folder() -> Path:
    """Return where the user's own skins live; it need not exist."""
    import platformdirs

    return Path(platformdirs.user_data_path("minesweeper-bot", appauthor=False)) / "templates"


def _folder_of(name_or_path: str | Path) -> Path:
    path = Path(name_or_path)
    if isinstance(name_or_path, str) and re.fullmatch(r"[A-Za-z0-9_-]+", name_or_path):
        for root in roots():
            if (root / name_or_path / "skin.toml").is_file():
                return root / name_or_path
        if not path.is_dir():
            raise SkinError(f'there is no skin "{name_or_path}"; known: {", ".join(names()) or "none"}')
    if path.name == "skin.toml":
        path = path.parent
    if not (path / "skin.toml").is_file():
        raise SkinError(f'"{path}" is no skin: it has no skin.toml')
    return path


@lru_cache(maxsize=32)
def _load(folder: Path, stamp: int) -> Skin:
    """Return the skin in a folder, the same one as long as its skin.toml has the same time stamp."""
    file = folder / "skin.toml"
    content = _parse_toml(file)
    if content.get("format") != FORMAT:
        raise SkinError(f'"{file}": format is {content.get("format")!r}, not {FORMAT}')
    tile = content.get("tile")
    if not isinstance(tile, int) or not 8 <= tile <= 256:
        raise SkinError(f'"{file}": tile is {tile!r}, not a whole number of pixels from 8 to 256')
    listed = content.get("tiles")
    if not isinstance(listed, dict) or not listed:
        raise SkinError(f'"{file}": it lists no tiles')
    tiles: dict[int, NDArray[np.uint8]] = {}
    themes: dict[int, tuple[str, ...]] = {}
    for name, files in listed.items():
        if name not in CELL_NAMES:
            raise SkinError(f'"{file}": "{name}" is not one of {", ".join(CELL_NAMES)}')
        entries = _file_names(files, name, file)
        pictures = [_tiles_in(folder / entry, tile) for entry in entries]
        value = CELL_NAMES.index(name)
        tiles[value] = np.concatenate(pictures)
        themes[value] = tuple(
            _theme(name, entry) for entry, picture in zip(entries, pictures, strict=True) for _ in picture
        )
    name = str(content.get("name", folder.name))
    counter = _counter(content.get("counter"), file)
    return Skin(name, str(content.get("title", name)), tile, tiles, counter, folder, themes)


def _theme(name: str, file: str) -> str:
    """Return the theme in a file name: "blue" for `mine-blue-flowers.png`, "" for `mine.png`."""
    rest = Path(file).stem.removeprefix(name).strip("-")
    return rest.split("-")[0]


def _parse_toml(file: Path) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise SkinError(f'"{file}" cannot be read: {error}') from error
    except tomllib.TOMLDecodeError as error:
        raise SkinError(f'"{file}" is not TOML: {error}') from error


def _file_names(files: object, key: str, file: Path) -> list[str]:
    if not isinstance(files, list) or not files or not all(isinstance(entry, str) for entry in files):
        raise SkinError(f'"{file}": "{key}" must list file names')
    return files


def _counter(table: object, file: Path) -> CounterLook | None:
    if table is None:
        return None
    if not isinstance(table, dict):
        raise SkinError(f'"{file}": counter must be a table')
    side, mines = table.get("side"), table.get("mines")
    if side not in ("below", "above"):
        raise SkinError(f'"{file}": counter side is {side!r}, not "below" or "above"')
    if mines not in ("right", "left"):
        raise SkinError(f'"{file}": counter mines is {mines!r}, not "right" or "left"')
    entries = _file_names(table.get("digits"), "digits", file)
    return CounterLook(side, mines, tuple(_glyphs_in(file.parent / entry) for entry in entries))


def _tiles_in(file: Path, tile: int) -> NDArray[np.uint8]:
    """Return the tiles side by side in a picture, shape (variants, tile, tile, 3)."""
    picture = read_picture(file)
    height, width = picture.shape[:2]
    if height != tile or width % tile or width == 0:
        raise SkinError(f'"{file}" is {width}×{height} pixels, not a row of {tile}×{tile} tiles')
    return np.ascontiguousarray(picture.reshape(tile, width // tile, tile, 3).swapaxes(0, 1))


def _glyphs_in(file: Path) -> NDArray[np.uint8]:
    """Return the eleven glyphs in a picture, shape (11, height, width)."""
    picture = read_picture(file).max(axis=2)
    height, width = picture.shape
    if width % len(GLYPHS) or width == 0:
        raise SkinError(f'"{file}" is {width} pixels wide, not {len(GLYPHS)} cells of equal width')
    return np.ascontiguousarray(picture.reshape(height, len(GLYPHS), width // len(GLYPHS)).swapaxes(0, 1))


def read_picture(file: Path) -> Picture:
    """Return a picture file's pixels. Raises `SkinError` naming the file when there are none."""
    import cv2

    # imdecode rather than imread: on Windows imread cannot open paths beyond the system's code page.
    try:
        content = np.frombuffer(file.read_bytes(), dtype=np.uint8)
    except OSError as error:
        raise SkinError(f'"{file}" cannot be read: {error.strerror}') from error
    picture = cv2.imdecode(content, cv2.IMREAD_COLOR) if content.size else None
    if picture is None:
        raise SkinError(f'"{file}" is not a picture')
    return np.asarray(picture, dtype=np.uint8)


def _write(file: Path, picture: NDArray[np.uint8]) -> None:
    import cv2

    file.write_bytes(cv2.imencode(".png", picture)[1].tobytes())


def _toml_list(files: list[str]) -> str:
    return "[" + ", ".join(f'"{file}"' for file in files) + "]"
