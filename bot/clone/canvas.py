"""A small vector canvas for the clone's look.

Shapes are given in fractions of a tile, drawn large and without a background, and reduced to any size in pixels with
area averaging, so that one drawing serves every pitch. It knows nothing of the game.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from bot.picture import Picture

Colour = tuple[float, float, float]
"""Red, green, blue, each 0 to 255, as people write them; pictures are BGR."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom in fractions of a tile."""

Mask = NDArray[np.float32]
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

    def lay(self, mask: Mask, colour: Colour | NDArray[np.float32], alpha: float = 1.0) -> None:
        """Cover a mask with a colour: one for all, or one a pixel as BGR of shape (MASTER, MASTER, 3)."""
        cover = (mask * alpha)[..., None]
        paint = colour if isinstance(colour, np.ndarray) else bgr(colour)
        self.pixels[..., :3] = self.pixels[..., :3] * (1 - cover) + paint * cover
        self.pixels[..., 3:] = self.pixels[..., 3:] * (1 - cover) + cover

    def lay_canvas(self, other: Canvas, alpha: float = 1.0) -> None:
        """Lay a whole canvas over this one."""
        self.pixels = other.pixels * alpha + self.pixels * (1 - other.pixels[..., 3:] * alpha)

    def cut(self, mask: Mask) -> None:
        """Keep only what a mask covers."""
        self.pixels *= mask[..., None]

    def sprite(self, width: int, height: int) -> Sprite:
        """Return the drawing reduced to a size in pixels."""
        return np.asarray(cv2.resize(self.pixels, (width, height), interpolation=cv2.INTER_AREA), dtype=np.float32)


def polygons(outlines: Iterable[ArrayLike]) -> Mask:
    """Return the mask of polygons, each of shape (points, 2); where two overlap there is a hole."""
    mask = np.zeros((MASTER, MASTER), dtype=np.uint8)
    # OpenCV puts whole coordinates at the centres of pixels, we put them at their corners.
    scale = float(1 << _FRACTION_BITS)
    fixed = [
        np.round((np.asarray(points, dtype=np.float64) * MASTER - 0.5) * scale).astype(np.int32) for points in outlines
    ]
    cv2.fillPoly(mask, fixed, 255, cv2.LINE_AA, _FRACTION_BITS)
    return (mask / 255).astype(np.float32)


def glyph(shape: Outline, box: Box) -> Mask:
    """Return the mask of a glyph stretched into a box."""
    corner, size = np.array(box[:2]), np.array(box[2:]) - np.array(box[:2])
    return polygons([corner + points * size for points in shape])


def rectangle(box: Box, radius: float = 0.0) -> Mask:
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


def ellipse(x: float, y: float, radius_x: float, radius_y: float | None = None, turn: float = 0.0) -> Mask:
    """Return the mask of an ellipse around a centre, turned clockwise by degrees."""
    points = arc(0, 0, radius_x, radius_x if radius_y is None else radius_y, 0, 360)
    angle = math.radians(turn)
    rotation = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return polygons([points @ rotation + (x, y)])


def stroke(points: Sequence[tuple[float, float]] | NDArray[np.float64], width: float) -> Mask:
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


def soft(mask: Mask, radius: float) -> Mask:
    """Return a mask blurred by a radius in fractions of a tile."""
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), radius * MASTER), dtype=np.float32)


def ramp(start: tuple[float, float], end: tuple[float, float]) -> Mask:
    """Return a plane that rises from 0 at one point to 1 at another, and stays there."""
    ys, xs = (np.mgrid[0:MASTER, 0:MASTER] + 0.5) / MASTER
    dx, dy = end[0] - start[0], end[1] - start[1]
    along = ((xs - start[0]) * dx + (ys - start[1]) * dy) / (dx * dx + dy * dy)
    return np.asarray(np.clip(along, 0, 1), dtype=np.float32)


def mix(first: Colour, second: Colour, share: Mask) -> NDArray[np.float32]:
    """Return a colour a pixel, shape (MASTER, MASTER, 3), BGR: the second colour where the share is 1."""
    return np.asarray(bgr(first) + (bgr(second) - bgr(first)) * share[..., None], dtype=np.float32)


def over(background: NDArray[np.float32], sprite: Sprite, alpha: float = 1.0) -> NDArray[np.float32]:
    """Return a sprite laid over a background of shape (height, width, 3), BGR float32."""
    return np.asarray(background * (1 - sprite[..., 3:] * alpha) + sprite[..., :3] * alpha, dtype=np.float32)


def to_picture(pixels: NDArray[np.float32]) -> Picture:
    """Return float pixels, shape (height, width, 3), rounded into a picture."""
    return np.asarray(np.clip(pixels + 0.5, 0, 255), dtype=np.float32).astype(np.uint8)
