"""Everything that can lie on a tile, drawn by our own code: digits, flag, question mark, mine, flower, cross.

Shapes, sizes and colours follow measurements of the Windows 7 game. Each function gives a transparent `Canvas` of one
whole tile; where it goes and what is under it is for others to say. Shapes are given in fractions of a tile, drawn
large and without a background, and reduced to any size in pixels with area averaging, so that one drawing serves every
pitch. Digits are outlines in a file of our own, digits.toml, so that a game can be drawn without any font installed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from bot.files import read_toml
from bot.picture import Picture

Colour = tuple[float, float, float]
"""Red, green, blue, each 0 to 255, as people write them; pictures are BGR."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in fractions of a tile."""

Coverage = NDArray[np.float32]
"""Shape (MASTER, MASTER), how much of each pixel a shape covers, 0 to 1."""

Sprite = NDArray[np.float32]
"""Shape (height, width, 4), dtype float32: blue, green, red already multiplied by alpha (0 to 255), alpha (0 to 1)."""

MASTER = 288
"""Side of the large drawing in pixels; at least 3.6 pixels to one of the largest tile."""

_FRACTION_BITS = 6  # OpenCV's fixed-point coordinates, for edges between pixels

Outline = tuple[NDArray[np.float64], ...]
"""Closed polygons, each of shape (points, 2): x to the right and y down, the whole filling the unit square."""


def bgr(colour: Colour) -> NDArray[np.float32]:
    """Return a colour in the order of a picture's channels."""
    return np.array(colour[::-1], dtype=np.float32)


class Canvas:
    """A transparent tile on which shapes are laid one over another."""

    def __init__(self) -> None:
        self.pixels: Sprite = np.zeros((MASTER, MASTER, 4), dtype=np.float32)

    def lay(self, mask: Coverage, colour: Colour | NDArray[np.float32], alpha: float = 1.0) -> None:
        """Cover a mask with a colour: one for all, or one a pixel as BGR of shape (MASTER, MASTER, 3)."""
        cover = (mask * alpha)[..., None]
        paint = colour if isinstance(colour, np.ndarray) else bgr(colour)
        self.pixels[..., :3] = self.pixels[..., :3] * (1 - cover) + paint * cover
        self.pixels[..., 3:] = self.pixels[..., 3:] * (1 - cover) + cover

    def lay_canvas(self, other: Canvas, alpha: float = 1.0) -> None:
        """Lay a whole canvas over this one."""
        self.pixels = other.pixels * alpha + self.pixels * (1 - other.pixels[..., 3:] * alpha)

    def cut(self, mask: Coverage) -> None:
        """Keep only what a mask covers."""
        self.pixels *= mask[..., None]

    def sprite(self, width: int, height: int) -> Sprite:
        """Return the drawing reduced to a size in pixels."""
        return np.asarray(cv2.resize(self.pixels, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)


def polygons(outlines: Iterable[ArrayLike]) -> Coverage:
    """Return the mask of polygons, each of shape (points, 2); where two overlap there is a hole."""
    mask = np.zeros((MASTER, MASTER), dtype=np.uint8)
    # OpenCV puts whole coordinates at the centres of pixels, we put them at their corners.
    scale = float(1 << _FRACTION_BITS)
    fixed = [
        np.round((np.asarray(points, dtype=np.float64) * MASTER - 0.5) * scale).astype(np.int32) for points in outlines
    ]
    cv2.fillPoly(mask, fixed, 255, cv2.LINE_AA, _FRACTION_BITS)
    return (mask / 255).astype(np.float32)


def glyph(shape: Outline, box: Box) -> Coverage:
    """Return the mask of a glyph stretched into a box."""
    corner, size = np.array(box[:2]), np.array(box[2:]) - np.array(box[:2])
    return polygons([corner + points * size for points in shape])


def rectangle(box: Box, radius: float = 0.0) -> Coverage:
    """Return the mask of a rectangle with rounded corners."""
    left, top, right, bottom = box
    radius = max(radius, 1e-4)
    corners = [
        (right - radius, top + radius, -90),
        (right - radius, bottom - radius, 0),
        (left + radius, bottom - radius, 90),
        (left + radius, top + radius, 180),
    ]
    return polygons([np.concatenate([arc(x, y, radius, radius, start, start + 90) for x, y, start in corners])])


def ellipse(x: float, y: float, radius_x: float, radius_y: float | None = None, turn: float = 0.0) -> Coverage:
    """Return the mask of an ellipse around a centre, turned clockwise by degrees."""
    points = arc(0, 0, radius_x, radius_x if radius_y is None else radius_y, 0, 360)
    angle = math.radians(turn)
    rotation = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return polygons([points @ rotation + (x, y)])


def stroke(points: Sequence[tuple[float, float]] | NDArray[np.float64], width: float) -> Coverage:
    """Return the mask of a line through points, as wide as given, with square ends and round joints."""
    path = np.asarray(points, dtype=np.float64)
    mask = np.zeros((MASTER, MASTER), dtype=np.float32)
    for start, end in pairwise(path):
        along = (end - start) / max(float(np.hypot(*(end - start))), 1e-9)
        side = np.array([-along[1], along[0]]) * width / 2
        np.maximum(mask, polygons([np.stack([start + side, end + side, end - side, start - side])]), out=mask)
    for x, y in path[1:-1]:
        np.maximum(mask, ellipse(float(x), float(y), width / 2), out=mask)
    return mask


def arc(x: float, y: float, radius_x: float, radius_y: float, start: float, end: float) -> NDArray[np.float64]:
    """Return points of an elliptic arc, shape (points, 2), from one angle to another, clockwise from the right."""
    angles = np.radians(np.linspace(start, end, max(3, int(abs(end - start) / 6) + 2)))
    return np.stack([x + radius_x * np.cos(angles), y + radius_y * np.sin(angles)], axis=1)


def soft(mask: Coverage, radius: float) -> Coverage:
    """Return a mask blurred by a radius in fractions of a tile."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), radius * MASTER), dtype=np.float32)


def ramp(start: tuple[float, float], end: tuple[float, float]) -> Coverage:
    """Return a plane that rises from 0 at one point to 1 at another, and stays there."""
    ys, xs = (np.mgrid[0:MASTER, 0:MASTER] + 0.5) / MASTER
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = ((xs - start[0]) * dx + (ys - start[1]) * dy) / (dx * dx + dy * dy)
    return np.asarray(np.clip(along, 0, 1), dtype=np.float32)


def mix(first: Colour, second: Colour, share: Coverage) -> NDArray[np.float32]:
    """Return a colour a pixel, shape (MASTER, MASTER, 3), BGR: the second colour where the share is 1."""
    return np.asarray(bgr(first) + (bgr(second) - bgr(first)) * share[..., None], dtype=np.float32)


def over(background: NDArray[np.float32], sprite: Sprite, alpha: float = 1.0) -> NDArray[np.float32]:
    """Return a sprite laid over a background of shape (height, width, 3), BGR float32."""
    return np.asarray(background * (1 - sprite[..., 3:] * alpha) + sprite[..., :3] * alpha, dtype=np.float32)


def to_picture(pixels: NDArray[np.float32]) -> Picture:
    """Return float pixels, shape (height, width, 3), rounded into a picture."""
    return np.asarray(np.clip(pixels + 0.5, 0, 255), dtype=np.float32).astype(np.uint8)


INKS: dict[int, Colour] = {
    1: (62, 80, 190),
    2: (29, 104, 2),
    3: (172, 5, 6),
    4: (0, 1, 130),
    5: (124, 1, 1),
    6: (4, 122, 126),
    7: (172, 5, 6),
    8: (172, 5, 6),
}

DIGIT_BOXES: dict[int, Box] = {
    1: (0.347, 0.18, 0.768, 0.888),
    2: (0.365, 0.166, 0.795, 0.882),
    3: (0.338, 0.172, 0.757, 0.892),
    4: (0.345, 0.185, 0.831, 0.865),
    5: (0.362, 0.175, 0.785, 0.9),
    6: (0.34, 0.17, 0.8, 0.89),
    7: (0.335, 0.17, 0.79, 0.885),
    8: (0.33, 0.17, 0.8, 0.89),
}


DigitPlace = Literal["right", "middle"]
"""Where digits stand: right of the middle, as in the game itself, or in the middle and a little taller, as programs
that show the game's artwork with another font have them."""

_TO_THE_MIDDLE = (-0.078, -0.05, -0.08, -0.005)


def digit(number: int, place: DigitPlace = "right") -> Canvas:
    """Return the digit of an open tile, 1 to 8."""
    canvas = Canvas()
    canvas.lay(glyph(outline("bold", str(number)), digit_box(number, place)), INKS[number])
    return canvas


def digit_box(number: int, place: DigitPlace) -> Box:
    """Return where on its tile a digit stands."""
    left, top, right, bottom = DIGIT_BOXES[number]
    if place == "right":
        return left, top, right, bottom
    to_left, to_top, to_right, to_bottom = _TO_THE_MIDDLE
    return left + to_left, top + to_top, right + to_right, bottom + to_bottom


def flag(darkness: float = 0.0) -> Canvas:
    """Return a flag; its cloth is darker in the frames while it is set, black red at 1."""
    canvas = Canvas()
    base = ellipse(0.58, 0.86, 0.29, 0.052)
    foot = np.concatenate([arc(0.46, 0.75, 0.13, 0.1, 0, 90), arc(0.78, 0.75, 0.13, 0.1, 90, 180)])
    pole = np.maximum(polygons([[(0.59, 0.13), (0.655, 0.13), (0.655, 0.8), (0.59, 0.8)]]), polygons([foot]))
    canvas.lay(soft(np.maximum(base, pole), 0.02), (10, 20, 70), 0.35)
    canvas.lay(base, mix((205, 208, 222), (250, 250, 252), ramp((0.5, 0.82), (0.55, 0.9))))
    canvas.lay(soft(ellipse(0.585, 0.868, 0.2, 0.022), 0.008), (84, 84, 98), 0.85)
    canvas.lay(pole, mix((255, 255, 255), (190, 193, 206), ramp((0.61, 0.5), (0.66, 0.5))))
    cloth = polygons([[(0.155, 0.335), (0.59, 0.135), (0.59, 0.55)]])
    bright = mix((252, 14, 14), (222, 8, 10), ramp((0.4, 0.2), (0.5, 0.55)))
    canvas.lay(cloth, bright * (1 - darkness) + np.array((10.0, 0.0, 30.0), dtype=np.float32) * darkness)
    return canvas


def question_mark() -> Canvas:
    """Return a white question mark."""
    hook = np.concatenate(
        [
            np.array([(0.355, 0.275), (0.365, 0.265)]),
            arc(0.475, 0.345, 0.16, 0.135, -130, 30),
            np.array([(0.55, 0.475), (0.505, 0.535), (0.49, 0.59), (0.49, 0.65)]),
        ]
    )
    shape = np.maximum(stroke(hook, 0.14), ellipse(0.483, 0.805, 0.082, 0.08))
    canvas = Canvas()
    canvas.lay(soft(shape, 0.02), (20, 30, 90), 0.35)
    canvas.lay(shape, (238, 240, 252))
    return canvas


_SPIKES = tuple(range(4, 364, 24))  # degrees, clockwise from the right
_KNOBS = ((-0.13, -0.15), (0.03, -0.08), (-0.17, 0.03), (0.12, -0.17), (-0.05, 0.1), (0.14, 0.05), (0.04, 0.2))


def _spiky_ball(x: float, y: float, radius: float) -> tuple[Coverage, Coverage]:
    """Return the silhouette of a mine and its knobs' shadows."""
    ball = ellipse(x, y, radius)
    for number, angle in enumerate(_SPIKES):
        reach = radius * (1.36 if number % 2 else 1.26)
        tip = (x + reach * math.cos(math.radians(angle)), y + reach * math.sin(math.radians(angle)))
        foot = arc(x, y, radius * 0.93, radius * 0.93, angle - 13, angle + 13)
        np.maximum(ball, polygons([np.concatenate([foot, [tip]])]), out=ball)
    knobs = np.zeros_like(ball)
    for dx, dy in _KNOBS:
        scale = radius / 0.28
        np.maximum(knobs, ellipse(x + dx * scale, y + dy * scale, 0.035 * scale, 0.028 * scale, 40), out=knobs)
    return ball, knobs


def mine(light: Colour, dark: Colour, x: float = 0.575, y: float = 0.535, alpha: float = 1.0) -> Canvas:
    """Return a spiky ball lit from the top left, from a light to a dark colour."""
    canvas = Canvas()
    radius = 0.3
    ball, knobs = _spiky_ball(x, y, radius)
    ys, xs = (np.mgrid[0:MASTER, 0:MASTER] + 0.5) / MASTER
    glow = np.hypot(xs - (x - 0.12), ys - (y - 0.12)) / (radius * 1.75)
    canvas.lay(ball, mix(light, dark, np.clip(glow, 0, 1).astype(np.float32)), alpha)
    canvas.lay(soft(knobs, 0.006), dark, alpha * 0.55)
    lit = np.roll(knobs, (-MASTER // 45, -MASTER // 45), axis=(0, 1)) * ball
    canvas.lay(lit * (1 - knobs), (255, 255, 255), alpha * 0.35)
    return canvas


def flower(
    petals: Colour, heart: Colour, strength: tuple[float, float] = (1.0, 1.0), x: float = 0.6, y: float = 0.585
) -> Canvas:
    """Return an eight-petalled flower with a round heart; the strengths of both let the tile shine through."""
    canvas = Canvas()
    leaf = np.zeros((MASTER, MASTER), dtype=np.float32)
    for angle in range(-85, 275, 45):
        middle_x = x + 0.29 * math.cos(math.radians(angle))
        middle_y = y + 0.29 * math.sin(math.radians(angle))
        np.maximum(leaf, ellipse(middle_x, middle_y, 0.185, 0.088, angle), out=leaf)
    disc = ellipse(x, y, 0.18)
    canvas.lay(leaf * (1 - disc), petals, strength[0])
    canvas.lay(disc, heart, strength[1])
    return canvas


def cross() -> Canvas:
    """Return the red cross over a flag that had no mine under it."""
    canvas = Canvas()
    arms = np.maximum(stroke([(0.05, 0.04), (0.95, 0.95)], 0.085), stroke([(0.95, 0.04), (0.04, 0.96)], 0.085))
    canvas.lay(arms * rectangle((0.03, 0.03, 0.97, 0.97)), (222, 44, 36), 0.58)
    return canvas


def flash() -> Canvas:
    """Return the pale ball of light where a mine goes off."""
    canvas = Canvas()
    canvas.lay(soft(ellipse(0.5, 0.5, 0.43), 0.02), (175, 200, 200))
    canvas.lay(soft(ellipse(0.5, 0.5, 0.4, 0.36), 0.05), (120, 150, 150))
    canvas.lay(soft(ellipse(0.47, 0.47, 0.26, 0.13), 0.05), (250, 255, 252))
    return canvas


_STEPS_IN_A_CURVE = np.linspace(0.0, 1.0, 9)[1:, None]


Weight = Literal["thin", "bold"]
"""Of digits: those of counters are thin, those of tiles bold."""


@lru_cache(maxsize=1)
def _paths() -> dict[str, dict[str, str]]:
    return read_toml(Path(__file__).with_name("digits.toml"))


@lru_cache(maxsize=64)
def outline(weight: Weight, digit: str) -> Outline:
    """Return a digit's path as polygons stretched to fill the unit square; holes are polygons too."""
    contours: list[list[NDArray[np.float64]]] = []
    for command in _paths()[weight][digit].replace("M", "|M").replace("L", "|L").replace("Q", "|Q").split("|")[1:]:
        points = np.array(command[1:].split(), dtype=np.float64).reshape(-1, 2)
        if command[0] == "M":
            contours.append([points])
        elif command[0] == "L":
            contours[-1].append(points)
        else:
            start, (pull, end), t = contours[-1][-1][-1], points, _STEPS_IN_A_CURVE
            contours[-1].append((1 - t) ** 2 * start + 2 * t * (1 - t) * pull + t**2 * end)
    polygons = [np.concatenate(contour) for contour in contours]
    everything = np.concatenate(polygons)
    low, high = everything.min(axis=0), everything.max(axis=0)
    flipped = [(polygon - low) / (high - low) for polygon in polygons]
    return tuple(np.stack([polygon[:, 0], 1 - polygon[:, 1]], axis=1) for polygon in flipped)
