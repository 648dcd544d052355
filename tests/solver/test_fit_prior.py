from __future__ import annotations

import numpy as np
import pytest

from tools.fit_prior import fit, gathered, judged


def test_weights_are_found_again_whatever_luck_a_guess_has() -> None:
    random, weights = np.random.default_rng(1), np.array([0.3, -0.02])
    rows = []
    for game in range(300):
        score, trait, luck = random.uniform(0.5, 0.9), random.normal(0, (0.1, 2.0), (6, 2)), random.normal(0, 0.2)
        scores = np.log(score) - np.arange(6) / 100
        values = np.exp(scores + trait @ weights + luck + random.normal(0, 0.01, 6))
        rows += [(game, 1, *row) for row in np.column_stack([scores, values, trait]).tolist()]
    rows.append((300, 1, 0.5, 0.5, 1000.0, 1000.0))  # one that is alone tells nothing about the others
    examples = gathered(rows)
    assert fit(examples, np.ones(len(examples.game), np.bool_)) == pytest.approx(weights, rel=0.02)
    gain, half = judged(examples, 301)
    assert gain > half > 0
