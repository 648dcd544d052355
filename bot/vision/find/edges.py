"""A picture reduced to its edges: all that the search for a lattice looks at. And a noisy picture without its noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.picture import Picture

Mask = NDArray[np.uint8]
Profile = NDArray[Any]  # floats, shape (pixels,): how much of an edge each column or row of pixels is
Lines = NDArray[Any]  # floats, places of lines in pixels


@dataclass(frozen=True)
class Edges:
    """How much a pixel's brightness differs from its neighbour's, each of shape (height, width)."""

    across: Mask  # from the one on its left
    down: Mask  # from the one above it

    @classmethod
    def of(cls, picture: Picture) -> Edges:
        """Return the edges of a picture."""
        # Dark blue is as far from a black line as white is.
        light = np.maximum(np.maximum(picture[..., 0], picture[..., 1]), picture[..., 2])
        across, down = (np.zeros(light.shape, dtype=np.uint8) for _ in range(2))
        cv2.absdiff(light[:, 1:], light[:, :-1], dst=across[:, 1:])
        cv2.absdiff(light[1:], light[:-1], dst=down[1:])
        return cls(across, down)


def shrink(mask: Mask) -> Mask:
    """Return the largest of every 2×2 pixels, so that thin lines stay as strong as they are."""
    height, width = (size // 2 * 2 for size in mask.shape)
    pairs = cv2.max(mask[0:height:2, :width], mask[1:height:2, :width])
    return np.asarray(cv2.max(np.ascontiguousarray(pairs[:, 0::2]), np.ascontiguousarray(pairs[:, 1::2])))


def best_comb(
    profile: Profile, start: float, pitch: float, teeth: NDArray[Any], shifts: Lines, stretches: Lines
) -> tuple[float, float]:
    """Return (start, pitch) of the evenly spaced lines that gather most of a profile's edges.

    The lines are at `start` + `teeth` · `pitch`; all given shifts of the start and stretches of the pitch are tried.
    """
    lines = (start + shifts)[:, None, None] + teeth * (pitch + stretches)[None, :, None]
    gathered = np.interp(lines, np.arange(len(profile)), profile, left=0, right=0).sum(axis=2)
    shift, stretch = np.unravel_index(int(gathered.argmax()), gathered.shape)
    return start + float(shifts[shift]), pitch + float(stretches[stretch])


def straight(x: NDArray[np.float64], y: NDArray[np.float64]) -> tuple[float, float]:
    """Return (value at 0, slope) of the straight line through points, by least squares."""
    x_mean, y_mean = float(x.mean()), float(y.mean())
    slope = float(((x - x_mean) * (y - y_mean)).sum() / max(1e-9, float(((x - x_mean) ** 2).sum())))
    return y_mean - slope * x_mean, slope


MOST_GRAIN = 8.0
"""Grey levels of noise up to which a picture is left alone: screenshots have none, a poor JPEG has 2."""

REACH, UNLIKE, NEAR = 5, 70.0, 2.0
"""Pixels across that are averaged, grey levels from which on one has no say, and pixels from which on it has little."""

SECOND_DIFFERENCES = ((1, -2, 1), (-2, 4, -2), (1, -2, 1))
"""Zero on any even slope of light. Its length is 6, so that it enlarges noise six times."""

USUAL = 0.6745
"""The median of how far a normal variable is from its mean, as a part of its standard deviation."""


def grain(picture: Picture) -> float:
    """Return the standard deviation of a picture's noise in grey levels, as most of its pixels have it."""
    height, width = (side - side % 3 for side in picture.shape[:2])
    blocks = picture[:height, :width, 1].reshape(height // 3, 3, width // 3, 3)
    differences = np.zeros((height // 3, width // 3), dtype=np.int16)
    for row, weights in enumerate(SECOND_DIFFERENCES):
        for col, weight in enumerate(weights):
            differences += weight * blocks[:, row, :, col].astype(np.int16)
    return float(np.median(np.abs(differences)) / (6 * USUAL))


def is_noisy(picture: Picture) -> bool:
    """Whether a picture has so much noise that it is better looked at without."""
    return min(picture.shape[:2]) >= len(SECOND_DIFFERENCES) and grain(picture) > MOST_GRAIN


def calmed(picture: Picture) -> Picture:
    """Return the picture without its noise and with its lines."""
    return np.asarray(cv2.bilateralFilter(picture, REACH, UNLIKE, NEAR), dtype=np.uint8)
