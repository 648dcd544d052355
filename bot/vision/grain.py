"""Noise in a picture, as of a camera or a poor recording: how much there is, and the picture without it.

For finding lines only. Tiles are read from the picture as it is.
"""

from __future__ import annotations

import cv2
import numpy as np

from bot.picture import Picture

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


def calmed(picture: Picture) -> Picture:
    """Return the picture without its noise and with its lines; the same picture when there is hardly any noise."""
    if grain(picture) <= MOST_GRAIN:
        return picture
    return np.asarray(cv2.bilateralFilter(picture, REACH, UNLIKE, NEAR), dtype=np.uint8)
