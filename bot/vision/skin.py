"""Skins: how a game looks, as data.

A skin is a folder with a `skin.toml` and the pictures it names; nothing in it is code. A skin drawn or recorded at one
tile size serves every other. This module finds skins by name (the user's own first, then those we ship), loads and
saves them whole or not at all, and names the file when one is broken. A skin comes from anybody, so no name in it leads
out of its folder. This module does not look at screens and does not judge tiles.

The format, by example:

    format = 1
    title = "Windows 7, blue and green"    # optional: the folder's name unless it says this
    tile = 36                      # side, in pixels, of every tile in the pictures
    origin = "drawn"               # optional: where its tiles come from, for people
    tolerance = 14.5               # optional: how far, in grey levels, a plain tile may be off; see novelty.py
    new_game = "ctrl+r"            # optional: what starts a new game; 1.7 is a face so many tiles above the board
    first_click = "safe"           # optional: what the first click promises, "open" (an area opens) unless it says this
    deals_by_the_second = true     # optional: two games begun within the same second have the same mines

    [tiles]                        # cell name = its pictures; each holds one tile or several side by side
    covered = ["covered-blue.png", "covered-green.png"]
    0 = ["0-blue.png"]
    1 = ["1-blue.png", "1-green.png"]
    flag = ["flag.png"]            # also: question, mine, exploded, wrong-flag

    [counter]                      # optional: where the number of mines left is shown, and its digits
    side = "below"                 # of the board: "below" or "above"
    mines = "right"                # which of the two counters tells the mines: "right" or "left"
    digits = ["digits-bold.png"]   # eleven cells of equal width, 0 1 … 9 and minus, light on black

In a file's name, that of its cell may go on with a theme (`flag-blue.png`): a board is all of one theme. A tile's
picture is the whole pitch: it reaches from the middle of the line on its left to the middle of the line on its right,
and the same downwards, so that tiles put side by side give the board without its outer frame.
"""

from __future__ import annotations

import json
import re
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain, count
from pathlib import Path
from typing import Any, Literal, get_args

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import SYMBOLS, Cell
from bot.errors import MinebotError
from bot.files import TomlError, data_folder, harmless, lock, make_private, read_toml, write_whole
from bot.picture import Picture, PictureError, load
from bot.words import RULES, Rule

CELL_NAMES = (*"012345678", "covered", "flag", "question", "mine", "exploded", "wrong-flag")
"""What a skin file calls each cell, in the order of `Cell`'s values."""

PLAIN = (0, int(Cell.COVERED))
"""The cells that have no figure on them: they are told by their colour and gloss alone."""

GLYPHS = "0123456789-"
"""The cells of a counter's digit picture, in order."""

INK = 127
"""What is lighter belongs to a digit."""

SHEET = "sheet.png"
"""The picture of all tiles of a skin, for people."""

FORMAT = 1

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
"""What a skin may be called."""

SMALLEST_TILE, LARGEST_TILE = 8, 256
"""Pixels across a tile in the pictures; a digit is no larger."""

MOST_TILES, MOST_DIGITS = 1000, 20
"""Of one skin: tiles, and pictures of digits. A hostile one could hold millions in a few kilobytes."""

NewGameKey = Literal["f2", "ctrl+r", "ctrl+n", "s"]
NEW_GAME_KEYS: tuple[NewGameKey, ...] = get_args(NewGameKey)

NewGame = NewGameKey | float
"""What starts a new game: a key, or a click on a face so many tiles above the middle of the board's upper edge."""


class SkinError(MinebotError, ValueError):
    """A skin that does not exist or cannot be used; the message names the file."""


@dataclass(frozen=True)
class GameKind:
    """What a game does in its own way; the defaults are Windows 7's."""

    rule: Rule = "open"
    """What it promises of the first click."""
    new_game: NewGame | None = None
    """What deals a new game, as far as the skin tells."""
    deals_by_the_second: bool = False
    """Whether two games begun within the same second have the same mines."""

    @property
    def key(self) -> NewGameKey:
        """The key that deals a new game."""
        return self.new_game if isinstance(self.new_game, str) else "f2"

    @property
    def smiley(self) -> float | None:
        """How many tiles above the middle of the board's upper edge there is a face that deals a new game."""
        return None if isinstance(self.new_game, str) else self.new_game


WINDOWS_7 = GameKind()


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
    `folder` is where it was loaded from, None for one that has not been saved. A skin with a `tolerance` was taken from
    the game's own pixels: a tile that is farther from all its templates is one it has never seen.
    """

    name: str
    title: str
    tile: int
    tiles: dict[int, NDArray[np.uint8]]
    counter: CounterLook | None = None
    folder: Path | None = None
    themes: dict[int, tuple[str, ...]] = field(default_factory=dict)
    origin: str = ""
    tolerance: float | None = None
    kind: GameKind = WINDOWS_7

    def __post_init__(self) -> None:
        themes = {value: self.themes.get(value, ("",) * len(variants)) for value, variants in self.tiles.items()}
        object.__setattr__(self, "themes", themes)

    @classmethod
    def load(cls, name_or_path: str | Path) -> Skin:
        """Return the skin of that name or in that folder. Raises `SkinError` naming what is missing or wrong."""
        try:
            folder = _folder_of(name_or_path)
            stamp = _stamp(folder)
        except OSError as error:  # a name too long, or a folder that is not ours to look into
            raise SkinError(f'can\'t look for a skin at "{name_or_path}": {error.strerror}') from error
        try:
            return _load(folder, stamp)
        except SkinError:
            if _stamp(folder) == stamp:
                raise
            return _load(folder, _stamp(folder))  # somebody saved it while it was being loaded

    @cached_property
    def known(self) -> str:
        """The symbols of the cells that this skin has tiles for, in the order of `Cell`'s values."""
        return "".join(SYMBOLS[value] for value in sorted(self.tiles))

    @property
    def missing(self) -> str:
        """The symbols of the cells that this skin has never seen."""
        return "".join(symbol for symbol in SYMBOLS[: len(CELL_NAMES)] if symbol not in self.known)

    @cached_property
    def theme_names(self) -> tuple[str, ...]:
        """The themes that a board of this skin may have, sorted; none when all boards look the same."""
        return tuple(sorted({theme for themes in self.themes.values() for theme in themes} - {""}))

    def variants(self, theme: str | None) -> Iterator[tuple[int, str, Picture]]:
        """Yield the cell value, theme and picture of every tile that a board of a theme may show; of any when None."""
        for value, pictures in sorted(self.tiles.items()):
            for its, picture in zip(self.themes[value], pictures, strict=True):
                if theme is None or its in (theme, ""):
                    yield value, its, picture

    def save(self, folder: Path, sheet: Picture | None = None) -> None:
        """Write the skin to a folder, whole or not at all; a skin already there is replaced.

        `sheet` is a picture of all its tiles for people to look at, written beside them as `SHEET`. Raises `SkinError`
        when the folder holds something other than a skin or can't be written.
        """
        try:
            is_skin = (folder / "skin.toml").is_file()
            if folder.exists() and not is_skin and (not folder.is_dir() or any(folder.iterdir())):
                raise SkinError(f'"{folder}" holds something other than a skin')
            with lock(data_folder() / "skins.lock"):
                if (folder / "skin.toml").is_file():
                    self._write_into(folder, sheet)
                    return
                make_private(folder.parent)
                with tempfile.TemporaryDirectory(prefix=f".{folder.name}-", dir=folder.parent) as scratch:
                    fresh = Path(scratch) / "fresh"
                    fresh.mkdir(mode=stat.S_IMODE(folder.parent.stat().st_mode))  # no more open than where it will lie
                    self._write_into(fresh, sheet)
                    if folder.exists():
                        folder.rmdir()
                    fresh.rename(folder)
        except OSError as error:
            raise SkinError(f'the skin can\'t be written to "{folder}": {error.strerror}') from error

    def _write_into(self, folder: Path, sheet: Picture | None) -> None:
        """Write the skin beside the one that may be there, whose place it takes when its skin.toml does."""
        tiles: dict[str, list[str]] = {}
        for value, variants in sorted(self.tiles.items()):
            name = CELL_NAMES[value]
            for theme in dict.fromkeys(self.themes[value]):
                same = [tile for tile, its in zip(variants, self.themes[value], strict=True) if its == theme]
                tiles.setdefault(name, []).append(_write(folder, name, theme, np.concatenate(same, axis=1)))
        digits = [
            _write(folder, "digits", str(number), np.concatenate(list(glyphs), axis=1))
            for number, glyphs in enumerate(self.counter.digits if self.counter else (), start=1)
        ]
        named = {*chain.from_iterable(tiles.values()), *digits}
        if sheet is not None:
            named.add(SHEET)
            write_whole(folder / SHEET, bytes(cv2.imencode(".png", sheet)[1]))
        write_whole(folder / "skin.toml", self._document(tiles, digits).encode())
        for picture in folder.glob("*.png"):
            if picture.name not in named:
                with suppress(OSError):  # what somebody still reads on Windows stays, and harms nobody
                    picture.unlink()

    def _document(self, tiles: dict[str, list[str]], digits: list[str]) -> str:
        """Return what skin.toml says, given the files of every cell's tiles and of the counter's digits."""
        lines = [f"format = {FORMAT}"]
        lines += [f"title = {_toml(self.title)}"] if self.title != self.name else []
        lines += [f"tile = {self.tile}"]
        lines += [f"origin = {_toml(self.origin)}"] if self.origin else []
        lines += [] if self.tolerance is None else [f"tolerance = {self.tolerance:.1f}"]
        kind = self.kind
        lines += [] if kind.new_game is None else [f"new_game = {json.dumps(kind.new_game)}"]
        lines += [f"first_click = {_toml(kind.rule)}"] if kind.rule != "open" else []
        lines += ["deals_by_the_second = true"] if kind.deals_by_the_second else []
        lines += ["", "[tiles]"] + [f"{name} = {_toml(files)}" for name, files in tiles.items()]
        if self.counter is not None:
            lines += ["", "[counter]", f"side = {_toml(self.counter.side)}", f"mines = {_toml(self.counter.mines)}"]
            lines += [f"digits = {_toml(digits)}"]
        return "\n".join(lines) + "\n"


def names() -> list[str]:
    """Return the names of all skins that can be loaded by name, sorted; the user's own shadow ours."""
    return sorted({file.parent.name for root in roots() for file in root.glob("*/skin.toml")})


def all_skins() -> tuple[list[Skin], list[SkinError]]:
    """Return all skins that can be loaded by name, and what is wrong with the broken ones."""
    sound, broken = [], []
    for name in names():
        try:
            sound.append(Skin.load(name))
        except SkinError as error:
            broken.append(error)
    return sound, broken


def known_counters() -> list[CounterLook]:
    """Return the counters of all skins there are: many games have one in common."""
    return [skin.counter for skin in all_skins()[0] if skin.counter is not None]


def roots() -> list[Path]:
    """Return the folders that are searched for skins, first come first served."""
    package = Path(__file__).resolve().parents[1]
    return [user_folder(), package / "_templates", package.parent / "templates"]


def user_folder() -> Path:
    """Return where the user's own skins live; it need not exist."""
    return data_folder() / "templates"


def delete_skin(name: str) -> None:
    """Throw away one of the user's own skins. Raises `SkinError` when it is none, or can't be."""
    folder = _own_folder(name)
    try:
        (folder / "skin.toml").unlink()  # from now on it is no skin, also when the rest is slow to go
        shutil.rmtree(folder)
    except OSError as error:
        raise SkinError(f'can\'t delete "{folder}": {error.strerror}') from error


def rename_skin(name: str, new: str) -> None:
    """Give one of the user's own skins another name. Raises `SkinError` when that is taken, or it can't be."""
    folder = _own_folder(name)
    if not NAME.fullmatch(new):
        raise SkinError(f'"{new}" is no name for a skin: use letters, digits, _ and -')
    if new in names():
        raise SkinError(f'there is a skin "{new}" already')
    try:
        folder.rename(folder.with_name(new))
    except OSError as error:
        raise SkinError(f'can\'t rename "{folder}": {error.strerror}') from error


def _own_folder(name: str) -> Path:
    """Return where one of the user's own skins lies. Raises `SkinError` when it is none of them."""
    if NAME.fullmatch(name) and (user_folder() / name / "skin.toml").is_file():
        return user_folder() / name
    if name in names():
        raise SkinError(f'the skin "{name}" comes with the bot and stays')
    raise SkinError(f'there is no skin "{name}" of yours; minebot skins lists them')


def _folder_of(name_or_path: str | Path) -> Path:
    path = Path(name_or_path)
    if isinstance(name_or_path, str) and NAME.fullmatch(name_or_path):
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


def _stamp(folder: Path) -> int:
    return (folder / "skin.toml").stat().st_mtime_ns


@lru_cache(maxsize=32)
def _load(folder: Path, stamp: int) -> Skin:
    """Return the skin in a folder, the same one as long as its skin.toml has the same time stamp."""
    file = folder / "skin.toml"
    try:
        content = read_toml(file)
    except (FileNotFoundError, TomlError) as error:
        raise SkinError(str(error)) from error
    if content.get("format") != FORMAT:
        raise SkinError(f'"{file}": format is {content.get("format")!r}, not {FORMAT}')
    tile = content.get("tile")
    if not isinstance(tile, int) or not SMALLEST_TILE <= tile <= LARGEST_TILE:
        sizes = f"from {SMALLEST_TILE} to {LARGEST_TILE}"
        raise SkinError(f'"{file}": tile is {tile!r}, not a whole number of pixels {sizes}')
    tolerance = content.get("tolerance")
    if tolerance is not None and (not isinstance(tolerance, int | float) or not 0 < tolerance <= 255):
        raise SkinError(f'"{file}": tolerance is {tolerance!r}, not a number of grey levels from 0 to 255')
    tiles, themes = _tiles(content.get("tiles"), tile, file)
    counter = _counter(content.get("counter"), file)
    name = harmless(folder.name)
    title, origin = (harmless(str(content.get(key, usual))) for key, usual in (("title", name), ("origin", "")))
    return Skin(name, title, tile, tiles, counter, folder, themes, origin, tolerance, _kind(content, file))


def _kind(content: dict[str, Any], file: Path) -> GameKind:
    new_game, rule = content.get("new_game"), content.get("first_click", "open")
    if new_game is not None and new_game not in NEW_GAME_KEYS and not _is_above(new_game):
        raise SkinError(f'"{file}": new_game is {new_game!r}, not a number of tiles or {", ".join(NEW_GAME_KEYS)}')
    if rule not in RULES:
        raise SkinError(f'"{file}": first_click is {rule!r}, not {" or ".join(RULES)}')
    by_the_second = content.get("deals_by_the_second", False)
    if not isinstance(by_the_second, bool):
        raise SkinError(f'"{file}": deals_by_the_second is {by_the_second!r}, not true or false')
    return GameKind(rule, new_game, by_the_second)


def _tiles(listed: object, tile: int, file: Path) -> tuple[dict[int, NDArray[np.uint8]], dict[int, tuple[str, ...]]]:
    """Return the tiles of each cell in a skin, and the theme of each of them."""
    if not isinstance(listed, dict) or not listed:
        raise SkinError(f'"{file}": it lists no tiles')
    tiles: dict[int, NDArray[np.uint8]] = {}
    themes: dict[int, tuple[str, ...]] = {}
    room = MOST_TILES
    for name, files in listed.items():
        if name not in CELL_NAMES:
            raise SkinError(f'"{file}": "{harmless(name)}" is not one of {", ".join(CELL_NAMES)}')
        pictures: list[NDArray[np.uint8]] = []
        its: list[str] = []
        for entry in _file_names(files, name, file):
            pictures.append(_tiles_in(_inside(file, entry), tile))
            its += [_theme(name, entry)] * len(pictures[-1])
            room -= len(pictures[-1])
            if room < 0:
                raise SkinError(f'"{file}": it has more than {MOST_TILES} tiles')
        value = CELL_NAMES.index(name)
        tiles[value], themes[value] = np.concatenate(pictures), tuple(its)
    return tiles, themes


def _is_above(place: object) -> bool:
    """Whether it is a place where a face may be: a number of tiles above the board, but not far above."""
    return isinstance(place, int | float) and 0 < place <= 10


def _theme(name: str, file: str) -> str:
    """Return the theme in a file name: "blue" for `mine-blue-flowers.png`, "" for `mine.png` or any other name."""
    stem = Path(file).stem
    return stem.removeprefix(f"{name}-").split("-")[0] if stem.startswith(f"{name}-") else ""


def _file_names(files: object, key: str, file: Path) -> list[str]:
    if not isinstance(files, list) or not files or not all(isinstance(entry, str) for entry in files):
        raise SkinError(f'"{file}": "{key}" must list file names')
    return files


def _inside(file: Path, entry: str) -> Path:
    """Return the path of a picture that a skin.toml names. Raises `SkinError` when that leads out of its folder."""
    folder = file.parent
    plain = not any(sign in entry for sign in ("/", "\\", ":")) and entry not in ("", ".", "..")
    plain &= harmless(entry) == entry
    if not plain or (folder / entry).resolve().parent != folder.resolve():
        raise SkinError(f'"{file}": "{harmless(entry)}" is not a file in the skin\'s own folder')
    return folder / entry


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
    if len(entries) > MOST_DIGITS:
        raise SkinError(f'"{file}": it has more than {MOST_DIGITS} pictures of digits')
    return CounterLook(side, mines, tuple(_glyphs_in(_inside(file, entry)) for entry in entries))


def _tiles_in(file: Path, tile: int) -> NDArray[np.uint8]:
    """Return the tiles side by side in a picture, shape (variants, tile, tile, 3)."""
    picture = _picture(file)
    height, width = picture.shape[:2]
    if height != tile or width % tile or width == 0:
        raise SkinError(f'"{file}" is {width}×{height} pixels, not a row of {tile}×{tile} tiles')
    return np.ascontiguousarray(picture.reshape(tile, width // tile, tile, 3).swapaxes(0, 1))


def _glyphs_in(file: Path) -> NDArray[np.uint8]:
    """Return the eleven glyphs in a picture, shape (11, height, width)."""
    picture = _picture(file).max(axis=2)
    height, width = picture.shape
    if width % len(GLYPHS) or width == 0:
        raise SkinError(f'"{file}" is {width} pixels wide, not {len(GLYPHS)} cells of equal width')
    if max(height, width // len(GLYPHS)) > LARGEST_TILE:
        raise SkinError(f'"{file}" is {width}×{height} pixels, too large for {len(GLYPHS)} digits')
    glyphs = np.ascontiguousarray(picture.reshape(height, len(GLYPHS), width // len(GLYPHS)).swapaxes(0, 1))
    if not (glyphs[:10].max(axis=(1, 2)) > INK).all():
        raise SkinError(f'"{file}" has a digit that is not light on black')
    return glyphs


def _picture(file: Path) -> Picture:
    try:
        return load(file)
    except PictureError as error:
        raise SkinError(str(error)) from error


def _write(folder: Path, name: str, theme: str, picture: NDArray[np.uint8]) -> str:
    """Write a picture into a skin's folder under a name that no other picture has there; return the name."""
    content = bytes(cv2.imencode(".png", picture)[1])
    file = folder / (f"{name}-{theme}.png" if theme else f"{name}.png")
    another = count(2)
    while file.exists() and file.read_bytes() != content:
        file = folder / f"{name}-{theme}-{next(another)}.png"  # an empty theme too has its place in the name
    if not file.exists():
        write_whole(file, content)
    return file.name


def _toml(value: str | list[str]) -> str:
    """Return a text or a list of texts as TOML, whose basic strings are written as JSON's are."""
    return json.dumps(value, ensure_ascii=False)
