"""Rough lattices from the rhythm of a whole picture, for boards whose lines are too broken to make junctions.

Promises nothing on a desktop, where other things drown the rhythm; on a picture of little more than a board, lines at
equal distances are heard even where they are dotted, or hidden by what is drawn beside them. Slack as a net's: the
outline settles them.
"""

from __future__ import annotations

import numpy as np

from bot.vision.find.edges import Edges, Mask, Profile
from bot.vision.grid import FEWEST_TILES, LARGEST_PITCH, SMALLEST_PITCH, Grid

CLEAR = 0.3
"""How much the edges of a picture must repeat after one pitch, across and down, where 1 is exactly."""


def beats(edges: Edges, threshold: int) -> list[Grid]:
    """Return lattices over the whole picture for the clearest distances after which edges repeat both ways."""
    across, down = _share(edges.across, threshold, 0), _share(edges.down, threshold, 1)
    most = min(LARGEST_PITCH, len(across) / FEWEST_TILES, len(down) / FEWEST_TILES)
    pitches = np.arange(int(np.ceil(SMALLEST_PITCH)), int(most) + 1)
    if len(pitches) == 0:
        return []
    echo = np.minimum(_echo(across)[pitches], _echo(down)[pitches])
    grids = []
    for index in np.argsort(-echo)[:3]:
        pitch = int(pitches[index])
        if echo[index] >= CLEAR:
            left, top = _phase(across, pitch), _phase(down, pitch)
            rows, cols = (len(down) - 1 - top) // pitch, (len(across) - 1 - left) // pitch
            grids.append(Grid(float(left), float(top), float(pitch), float(pitch), rows, cols))
    return grids


def _share(steps: Mask, threshold: int, axis: int) -> Profile:
    """Return the share of each column (axis 0) or row (axis 1) of pixels that is an edge."""
    return np.asarray((steps > threshold).mean(axis=axis), dtype=np.float64)


def _echo(profile: Profile) -> Profile:
    """Return how much a profile is like itself after each number of pixels, 1 for identity; shape as the profile's."""
    centred = profile - profile.mean()
    spectrum = np.fft.rfft(centred, 2 * len(profile))
    echo = np.fft.irfft(spectrum * spectrum.conj())[: len(profile)]
    return np.asarray(echo / max(float(echo[0]), 1e-9))


def _phase(profile: Profile, pitch: int) -> int:
    """Return where the first of the lines is that are one pitch apart."""
    return int(np.argmax([profile[start::pitch].mean() for start in range(pitch)]))
