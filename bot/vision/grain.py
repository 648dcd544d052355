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

SECOND_DIFFERENCES = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], dtype=np.float32)
"""Zero on any even slope of light. Its length is 6, so that it enlarges noise six times."""

USUAL = 0.6745
"""The median of how far a normal variable is from its mean, as a part of its standard deviation."""


def grain(picture: Picture) -> float:
    """Return the standard deviation of a picture's noise in grey levels, as most of its pixels have it."""
    differences = cv2.filter2D(picture[..., 1], cv2.CV_32F, SECOND_DIFFERENCES)
    return float(np.median(np.abs(differences[::3, ::3])) / (6 * USUAL))


def calmed(picture: Picture) -> Picture:
    """Return the picture without its noise and with its lines; the same picture when there is hardly any noise."""
    if grain(picture) <= MOST_GRAIN:
        return picture
    return np.asarray(cv2.bilateralFilter(picture, REACH, UNLIKE, NEAR), dtype=np.uint8)
