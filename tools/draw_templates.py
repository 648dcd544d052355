"""The skins "win7" and "winxp", drawn by our own code: the templates by which the bot reads the real games.

`python -m tools.draw_templates` writes the pictures and the `skin.toml` that names them, in the format that
`vision/skin.py` explains, and can be run again at any time. Nothing in it comes from a screenshot: the tiles of
Windows 7 are those of the clone's painter; those of Windows 95 to XP are built from bars, discs and triangles on a
field of sixteen by sixteen units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import cv2
import numpy as np

from bot.board import Cell
from bot.clone.painter import digit_sprite
from bot.clone.pieces import DigitPlace, Weight, to_picture
from bot.clone.tiles import TileArtist, TileLook, covered_tints, open_tints
from bot.picture import Picture, save
from bot.words import Pieces, Theme

UNIT = 4
CLASSIC_TILE = 16 * UNIT

Colour = tuple[int, int, int]  # blue, green, red
Bar = tuple[float, float, float, float]  # left, top, right, bottom in units

FACE, LIGHT, DARK = (192, 192, 192), (255, 255, 255), (128, 128, 128)
BLACK, RED = (0, 0, 0), (0, 0, 255)

_TOP, _MIDDLE, _BOTTOM = (3.5, 3, 12.5, 5), (4, 7, 12, 9), (3.5, 11, 12.5, 13)
_LEFT_UP, _LEFT_LOW = (3, 3.5, 6, 8.5), (3, 7.5, 6, 12.5)
_RIGHT_UP, _RIGHT_LOW = (10, 3.5, 13, 8), (10, 8, 13, 12.5)

DIGITS: dict[int, tuple[Colour, list[Bar]]] = {
    1: ((255, 0, 0), [(7, 3, 10, 12), (5, 5, 7, 7), (6, 4, 8, 6), (5, 11, 12, 13)]),
    2: (
        (0, 128, 0),
        [_TOP, (3, 4, 6, 6), (10, 3.5, 13, 7), (8, 6.5, 12, 8.5), (5, 8, 9, 10), (3, 9.5, 7, 12), (3, 11, 13, 13)],
    ),
    3: (RED, [(3, 3, 12.5, 5), (6, 7, 12, 9), (3, 11, 12.5, 13), _RIGHT_UP, _RIGHT_LOW]),
    4: ((128, 0, 0), [(9, 3, 12, 13), (3, 7, 13, 9), (5, 3, 8, 5), (4, 5, 7, 7)]),
    5: ((0, 0, 128), [(3, 3, 13, 5), (3, 4, 6, 9), (3, 7, 12.5, 9), _RIGHT_LOW, (3, 11, 12.5, 13)]),
    6: ((128, 128, 0), [(4, 3, 12, 5), _LEFT_UP, _LEFT_LOW, _MIDDLE, _RIGHT_LOW, _BOTTOM]),
    7: (BLACK, [(3, 3, 13, 5), (10, 4, 13, 8), (9, 7, 12, 10), (8, 9.5, 11, 13)]),
    8: (DARK, [_TOP, _LEFT_UP, _LEFT_LOW, _MIDDLE, _RIGHT_UP, _RIGHT_LOW, _BOTTOM]),
}

SEGMENTS = ["abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg", "g"]
"""The lit bars of a counter's digits 0 to 9 and of its minus, from the top clockwise, g in the middle."""


def draw_classic_templates(folder: Path) -> None:
    """Write all pictures and the skin.toml to a folder, creating it; files already there are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    tiles = {"0": _open(), **{str(number): _digit(number) for number in DIGITS}}
    tiles |= {"covered": _covered(), "flag": _flag(), "question": _question()}
    tiles |= {"mine": _mine(_open()), "exploded": _mine(_open(RED)), "wrong-flag": _crossed(_mine(_open()))}
    for name, tile in tiles.items():
        save(folder / f"{name}.png", tile)
    save(folder / "digits.png", np.concatenate([_counter_digit(lit) for lit in SEGMENTS], axis=1))
    head = [
        "format = 1",
        'title = "The classic grey look, Windows 95 to XP"',
        f"tile = {CLASSIC_TILE}",
        "new_game = 1.7",
        'first_click = "safe"',
    ]
    listed = [f'{name} = ["{name}.png"]' for name in tiles]
    counter = ["[counter]", 'side = "above"', 'mines = "left"', 'digits = ["digits.png"]']
    lines = [*head, "", "[tiles]", *listed, "", *counter]
    (folder / "skin.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _bar(canvas: Picture, bar: Bar, colour: Colour) -> None:
    left, top, right, bottom = (round(edge * UNIT) for edge in bar)
    canvas[top:bottom, left:right] = colour


def _open(ground: Colour = FACE) -> Picture:
    canvas = np.full((CLASSIC_TILE, CLASSIC_TILE, 3), ground, dtype=np.uint8)
    _bar(canvas, (0, 0, 16, 1), DARK)
    _bar(canvas, (0, 0, 1, 16), DARK)
    return canvas


def _digit(number: int) -> Picture:
    canvas, (colour, bars) = _open(), DIGITS[number]
    for bar in bars:
        _bar(canvas, bar, colour)
    return canvas


def _covered() -> Picture:
    canvas = np.full((CLASSIC_TILE, CLASSIC_TILE, 3), FACE, dtype=np.uint8)
    corner, rim = CLASSIC_TILE, 2 * UNIT
    for points, colour in (
        ([(0, 0), (corner, 0), (corner - rim, rim), (rim, corner - rim), (0, corner)], LIGHT),
        ([(corner, corner), (corner, 0), (corner - rim, rim), (rim, corner - rim), (0, corner)], DARK),
    ):
        cv2.fillPoly(canvas, [np.array(points, dtype=np.int32)], colour)
    _bar(canvas, (2, 2, 14, 14), FACE)
    return canvas


def _flag() -> Picture:
    canvas = _covered()
    points = np.array([(4, 5.5), (9, 3), (9, 8)]) * UNIT
    cv2.fillPoly(canvas, [points.astype(np.int32)], RED)
    for bar in ((8, 7.5, 9, 10.5), (6, 10, 10, 11.5), (4, 11, 12, 13)):
        _bar(canvas, bar, BLACK)
    return canvas


def _question() -> Picture:
    canvas = _covered()
    for bar in ((6, 3, 10, 4.5), (5, 4, 7, 6), (9, 4, 11, 7), (8, 6.5, 10, 8), (7, 7.5, 9, 10), (7, 11, 9, 13)):
        _bar(canvas, bar, BLACK)
    return canvas


def _mine(ground: Picture) -> Picture:
    canvas = ground.copy()
    cv2.circle(canvas, (round(8.5 * UNIT), round(8.5 * UNIT)), round(4.6 * UNIT), BLACK, -1)
    for bar in ((8, 2, 9, 15), (2, 8, 15, 9), (4, 4, 5, 5), (12, 4, 13, 5), (4, 12, 5, 13), (12, 12, 13, 13)):
        _bar(canvas, bar, BLACK)
    _bar(canvas, (6, 6, 8, 8), LIGHT)
    return canvas


def _crossed(tile: Picture) -> Picture:
    for start, end in (((2, 3), (15, 14)), ((15, 3), (2, 14))):
        ends = [(round(x * UNIT), round(y * UNIT)) for x, y in (start, end)]
        cv2.line(tile, ends[0], ends[1], RED, round(1.4 * UNIT))
    return tile


def _counter_digit(lit: str) -> Picture:
    """Return one glyph of a counter: slanting bars around two squares, light on black."""
    cell = np.zeros((46, 26, 3), dtype=np.uint8)
    ends = {
        "a": ((5, 3), (20, 3)),
        "b": ((22, 5), (22, 20)),
        "c": ((22, 25), (22, 40)),
        "d": ((5, 42), (20, 42)),
        "e": ((3, 25), (3, 40)),
        "f": ((3, 5), (3, 20)),
        "g": ((5, 23), (20, 23)),
    }
    for name in lit:
        cv2.line(cell, *ends[name], LIGHT, 4)
    return cell


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
    head = ["format = 1", 'title = "Windows 7, blue and green, mines and flowers"', f"tile = {TILE}"]
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
