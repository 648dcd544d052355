"""The first-click trial tries one cell of each symmetric family and paints them all."""

from __future__ import annotations

import numpy as np
import pytest

from bot.bench.games import representatives, run_first_clicks, symmetric
from bot.level import Level


@pytest.mark.parametrize(("rows", "cols", "families"), [(9, 9, 15), (16, 16, 36), (16, 30, 120), (3, 5, 6), (1, 1, 1)])
def test_one_cell_of_each_family_is_tried(rows: int, cols: int, families: int) -> None:
    tried = representatives(rows, cols)
    assert len(tried) == families
    covered = [cell for first in tried for cell in symmetric(rows, cols, *first)]
    assert sorted(covered) == [(row, col) for row in range(rows) for col in range(cols)]


def test_the_heat_map_is_as_symmetric_as_the_board() -> None:
    result = run_first_clicks(Level(4, 5, 4), "safe", "csp", games=40, seed=1, workers=1)
    rates = result.heat_map()
    assert rates.shape == (4, 5)
    assert np.array_equal(rates, rates[::-1])
    assert np.array_equal(rates, rates[:, ::-1])
    assert result.cells[0].win_rate == rates.max()
    assert rates.min() < rates.max()
