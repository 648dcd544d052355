"""The way a hand moves a pointer: bowed, slow at both ends."""

from __future__ import annotations

import math
from random import Random

_BOW = 0.15
"""How far, as a share of the distance, a path may stray to the side."""


def curve(start: tuple[int, int], end: tuple[int, int], stride: float, random: Random) -> list[tuple[int, int]]:
    """Return the pixels a hand would pass on its way, without the start and the end.

    `stride` is the mean distance between two of them. The path is a quadratic Bézier curve bowed to a random side, run
    through as a minimum-jerk movement: the profile of human reaching.
    """
    (x0, y0), (x2, y2) = start, end
    distance = math.hypot(x2 - x0, y2 - y0)
    bow = random.uniform(-_BOW, _BOW)
    x1 = (x0 + x2) / 2 - bow * (y2 - y0)
    y1 = (y0 + y2) / 2 + bow * (x2 - x0)
    steps = math.ceil(distance / stride)
    pixels = []
    for step in range(1, steps):
        share = step / steps
        t = share**3 * (10 - 15 * share + 6 * share**2)
        x = (1 - t) ** 2 * x0 + 2 * t * (1 - t) * x1 + t**2 * x2
        y = (1 - t) ** 2 * y0 + 2 * t * (1 - t) * y1 + t**2 * y2
        pixels.append((round(x), round(y)))
    return pixels
