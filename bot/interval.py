"""How sure a win rate is."""

from __future__ import annotations

from math import sqrt

Z95 = 1.959963984540054
"""Standard deviations that hold 95 % of a normal distribution."""


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a win rate; (0, 1) when nothing was played."""
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    scale = 1 + Z95**2 / games
    centre = (rate + Z95**2 / (2 * games)) / scale
    half = Z95 * sqrt(rate * (1 - rate) / games + Z95**2 / (4 * games**2)) / scale
    return max(centre - half, 0.0), min(centre + half, 1.0)
