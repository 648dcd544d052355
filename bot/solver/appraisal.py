"""What a position is worth at a glance: a fitted chance to win, for roll-outs that need not go on to the end.

A logistic model of features that the odds give for nothing. It was fitted to games of the roll-outs' own player on the
expert level (docs/strength.md tells how) and is only good for comparing similar positions of one game.
"""

from __future__ import annotations

import numpy as np

from bot.solver.compiled import compiled
from bot.solver.constraints import TALLY, TALLY_UNKNOWN
from bot.solver.workspace import (
    BOX_COMPONENT,
    CELL_BOX,
    CELL_FRONTIER,
    N_BOXES,
    N_COMPONENTS,
    N_FAR,
    N_FRONTIER,
    N_LEFT,
    V_FAR_CHANCE,
    V_LOG_LAYOUTS,
    Floats,
    Ints,
    Work,
)

FEATURES = 14
WEIGHTS = np.array(
    [6.619, 0.669, 0.978, 0.437, 0.061, -0.179, -17.012, 1.998, -7.599, -0.225, 1.499, -0.059, 1.492, 4.186]
)


@compiled
def appraise(pos: Ints, work: Work) -> float:
    """Return the estimated chance to win a solved position in which nothing is safe."""
    feature = np.empty(FEATURES)
    measure(pos, work, feature)
    score = 0.0
    for i in range(FEATURES):
        score += WEIGHTS[i] * feature[i]
    return float(1.0 / (1.0 + np.exp(-score)))


@compiled
def measure(pos: Ints, work: Work, feature: Floats) -> None:
    """Fill the features of a solved position, float64 (FEATURES,).

    A constant; the log of the safety of the safest and second safest cell; the sum of such logs over components, and
    how many of them have nothing safer than 0.7; unknown cells squared, their density of mines, the log of the number
    of layouts and its root, components, frontier cells, boxes, far cells and their odds.
    """
    components, far = work.tally[N_COMPONENTS], work.tally[N_FAR]
    lowest = np.ones(components)
    first, second = (work.value[V_FAR_CHANCE], 1.0) if far > 0 else (1.0, 1.0)
    for i in range(work.tally[N_FRONTIER]):
        cell = work.cell[CELL_FRONTIER, i]
        c = work.box[BOX_COMPONENT, work.cell[CELL_BOX, cell]]
        chance = work.chance[cell]
        lowest[c] = min(lowest[c], chance)
        if chance < first:
            first, second = chance, first
        elif chance < second:
            second = chance
    together, hard = 0.0, 0
    for c in range(components):
        if lowest[c] < 1.0:
            together += np.log(1.0 - lowest[c])
            hard += lowest[c] > 0.3
    unknown = pos[TALLY, TALLY_UNKNOWN]
    feature[0] = 1.0
    feature[1] = np.log(max(1.0 - first, 1e-9))
    feature[2] = np.log(max(1.0 - second, 0.1))
    feature[3] = together
    feature[4] = hard
    feature[5] = (unknown / 100.0) ** 2
    feature[6] = work.tally[N_LEFT] / max(unknown, 1)
    feature[7] = work.value[V_LOG_LAYOUTS] / 100.0
    feature[8] = np.sqrt(max(work.value[V_LOG_LAYOUTS], 0.0) / 100.0)
    feature[9] = components / 10.0
    feature[10] = work.tally[N_FRONTIER] / 100.0
    feature[11] = work.tally[N_BOXES] / 10.0
    feature[12] = far / 100.0
    feature[13] = work.value[V_FAR_CHANCE] if far > 0 else 0.2
