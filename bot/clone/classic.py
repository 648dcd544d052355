"""The skin "winxp", drawn by ourselves: the grey look that Minesweeper had from Windows 95 to XP, and its many copies.

`draw_classic_templates` writes the pictures and the `skin.toml` that names them, in the format that `vision/skin.py`
explains, and can be run again at any time. Nothing in it comes from a screenshot: tiles are built from bars, discs and
triangles on a field of sixteen by sixteen units.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from bot.picture import Picture, save

UNIT = 4
TILE = 16 * UNIT

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
    head = ["format = 1", 'name = "winxp"', 'title = "The classic grey look, Windows 95 to XP"', f"tile = {TILE}"]
    listed = [f'{name} = ["{name}.png"]' for name in tiles]
    counter = ["[counter]", 'side = "above"', 'mines = "left"', 'digits = ["digits.png"]']
    lines = [*head, "", "[tiles]", *listed, "", *counter]
    (folder / "skin.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _bar(canvas: Picture, bar: Bar, colour: Colour) -> None:
    left, top, right, bottom = (round(edge * UNIT) for edge in bar)
    canvas[top:bottom, left:right] = colour


def _open(ground: Colour = FACE) -> Picture:
    canvas = np.full((TILE, TILE, 3), ground, dtype=np.uint8)
    _bar(canvas, (0, 0, 16, 1), DARK)
    _bar(canvas, (0, 0, 1, 16), DARK)
    return canvas


def _digit(number: int) -> Picture:
    canvas, (colour, bars) = _open(), DIGITS[number]
    for bar in bars:
        _bar(canvas, bar, colour)
    return canvas


def _covered() -> Picture:
    canvas = np.full((TILE, TILE, 3), FACE, dtype=np.uint8)
    corner, rim = TILE, 2 * UNIT
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
