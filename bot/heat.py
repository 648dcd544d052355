"""The colour of a risk, the same in pictures and in the terminal."""

from __future__ import annotations

import numpy as np

STOPS = ((40, 130, 40), (170, 110, 0), (165, 30, 40))
"""Dark green, amber and red, as red, green and blue."""

WORST = 60
"""Per cent from which on a risk is as red as can be."""


def heat(percent: int) -> tuple[int, int, int]:
    """Return a dark colour from green over amber to red; risks that are worth taking differ most."""
    share = min(percent / WORST, 1.0)
    red, green, blue = (int(np.interp(share * 2, (0, 1, 2), channel)) for channel in zip(*STOPS, strict=True))
    return red, green, blue
