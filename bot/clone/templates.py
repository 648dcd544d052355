"""The skin "win7", drawn by our own look: the templates by which the bot reads the real game.

`draw_templates` writes the pictures and the `skin.toml` that names them, in the format that `vision/skin.py` explains,
and can be run again at any time: `python -m bot.clone.templates` does so in a checkout, for "winxp" too. Nothing in it
comes from a screenshot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import numpy as np

from bot.board import Cell
from bot.clone.classic import draw_classic_templates
from bot.clone.counters import Weight, digit_sprite
from bot.clone.drawing import to_picture
from bot.clone.pieces import DigitPlace
from bot.clone.tiles import Pieces, Theme, TileArtist, TileLook, covered_tints, open_tints
from bot.picture import Picture, save

TILE = 64
"""Side of every template in pixels."""

THEMES: tuple[Theme, ...] = get_args(Theme)
KINDS: tuple[Pieces, ...] = get_args(Pieces)

_PLACES = ((3, 2), (12, 15), (20, 27))
"""Row and column on the map of tints: a light, a middling and a dark tile."""

_DIMMED = 0.8
"""How much of its light a covered tile keeps in programs with the same artwork that dim the pressed one."""

_DIGIT_CELL = (40, 56)


def draw_templates(folder: Path) -> None:
    """Write all pictures and the skin.toml to a folder, creating it; files already there are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for name, files in _pictures():
        for file, tiles in files.items():
            save(folder / file, np.concatenate(tiles, axis=1))
        listed.append(f"{name} = [" + ", ".join(f'"{file}"' for file in files) + "]")
    weights: tuple[Weight, ...] = ("thin", "bold")
    for weight in weights:
        save(folder / f"digits-{weight}.png", _counter_digits(weight))
    head = ["format = 1", 'name = "win7"', 'title = "Windows 7, blue and green, mines and flowers"', f"tile = {TILE}"]
    counter = ['side = "below"', 'mines = "right"', 'digits = ["digits-thin.png", "digits-bold.png"]']
    lines = [*head, "", "[tiles]", *listed, "", "[counter]", *counter]
    (folder / "skin.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _pictures() -> Iterator[tuple[str, dict[str, list[Picture]]]]:
    """Yield for every cell name its files, each with the tiles that stand side by side in it."""
    for number in range(9):
        yield str(number), {f"{number}-{theme}.png": list(_open_tiles(theme, number)) for theme in THEMES}
    yield "covered", {f"covered-{theme}.png": list(_covered_tiles(theme)) for theme in THEMES}
    yield "flag", {f"flag-{theme}.png": list(_flags(theme)) for theme in THEMES}
    yield "question", {f"question-{theme}.png": list(_raised(theme, TileLook(Cell.QUESTION))) for theme in THEMES}
    kinds = list(product(THEMES, KINDS))
    yield "mine", {f"mine-{theme}-{kind}.png": list(_mines(theme, kind)) for theme, kind in kinds}
    yield "exploded", {f"exploded-{theme}-{kind}.png": list(_exploded(theme, kind)) for theme, kind in kinds}
    yield "wrong-flag", {f"wrong-flag-{theme}.png": list(_wrong_flags(theme)) for theme in THEMES}


def _open_tiles(theme: Theme, number: int) -> Iterator[Picture]:
    """Yield open tiles with and without shadows: blank in three tints, a digit in both its places and on its cover."""
    shadows = ((False, False), (True, False), (False, True), (True, True))
    if number == 0:
        for tint, (top, left) in product(_PLACES, shadows):
            yield _tile(TileArtist(theme, "mines"), theme, TileLook(0, shadow_top=top, shadow_left=left), tint)
        return
    places: tuple[DigitPlace, ...] = ("right", "middle")
    for place, (top, left) in product(places, shadows):
        artist = TileArtist(theme, "mines", place)
        yield _tile(artist, theme, TileLook(number, shadow_top=top, shadow_left=left), _PLACES[1])
    yield _tile(TileArtist(theme, "mines"), theme, TileLook(number, fade=0.05), _PLACES[2])


def _covered_tiles(theme: Theme) -> Iterator[Picture]:
    plain = TileLook(Cell.COVERED)
    for look in (plain, replace(plain, hover=True)):
        yield from _raised(theme, look)
    artist = TileArtist(theme, "mines")
    yield artist.draw(
        plain, covered_tints(theme)[_PLACES[1]] * np.float32(_DIMMED), open_tints(theme)[_PLACES[1]], TILE, TILE
    )
    yield _tile(artist, theme, replace(plain, focus=True), _PLACES[1])


def _flags(theme: Theme) -> Iterator[Picture]:
    """Yield flags in play, under the mouse, going up, and as they are at the end of a game."""
    artist, plain = TileArtist(theme, "mines"), TileLook(Cell.FLAG)
    yield from _raised(theme, plain)
    yield _tile(artist, theme, replace(plain, hover=True), _PLACES[1])
    for amount in (0.0, 0.6):
        yield _tile(artist, theme, replace(plain, effect="raised", amount=amount), _PLACES[1])
    yield _tile(artist, theme, replace(plain, state="won"), _PLACES[1])
    for kind in KINDS:
        yield _tile(TileArtist(theme, kind), theme, replace(plain, state="lost"), _PLACES[1])


def _mines(theme: Theme, kind: Pieces) -> Iterator[Picture]:
    artist = TileArtist(theme, kind)
    for shadow in (False, True):
        yield _tile(artist, theme, TileLook(Cell.MINE, shadow_top=shadow, shadow_left=shadow), _PLACES[1])
    if kind == "mines":
        for place in _PLACES:
            yield _tile(artist, theme, TileLook(Cell.MINE, effect="silver"), place)
    # Not those of a won game: they are so much like covered tiles in bad light that these would be taken for them.


def _wrong_flags(theme: Theme) -> Iterator[Picture]:
    """Yield flags with a cross, as others with this artwork show them, and mines with one, as Windows 7 does."""
    yield from _raised(theme, TileLook(Cell.WRONG_FLAG))
    for kind in KINDS:
        yield _tile(TileArtist(theme, kind), theme, TileLook(Cell.WRONG_FLAG, state="lost"), _PLACES[1])


def _exploded(theme: Theme, kind: Pieces) -> Iterator[Picture]:
    artist = TileArtist(theme, kind)
    for shadow in (False, True):
        yield _tile(artist, theme, TileLook(Cell.EXPLODED, shadow_top=shadow, shadow_left=shadow), _PLACES[1])
    if kind == "mines":
        yield _tile(artist, theme, TileLook(Cell.EXPLODED, effect="flash"), _PLACES[1])


def _raised(theme: Theme, look: TileLook) -> Iterator[Picture]:
    """Yield a raised tile in a light, a middling and a dark tint."""
    for place in _PLACES:
        yield _tile(TileArtist(theme, "mines"), theme, look, place)


def _tile(artist: TileArtist, theme: Theme, look: TileLook, place: tuple[int, int]) -> Picture:
    return artist.draw(look, covered_tints(theme)[place], open_tints(theme)[place], TILE, TILE)


def _counter_digits(weight: Weight) -> Picture:
    width, height = _DIGIT_CELL
    cells = [to_picture(digit_sprite(symbol, width - 8, height - 8, weight)[..., :3]) for symbol in "0123456789-"]
    return np.concatenate([np.pad(cell, ((4, 4), (4, 4), (0, 0))) for cell in cells], axis=1)


if __name__ == "__main__":
    for name, draw in (("win7", draw_templates), ("winxp", draw_classic_templates)):
        draw(Path(__file__).parents[2] / "templates" / name)
