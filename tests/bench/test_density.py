"""The density experiment: players that know more flag more, and every flag is on a mine."""

from __future__ import annotations

import numpy as np

from bot.bench.density import run_density


def test_players_that_know_more_flag_more() -> None:
    result = run_density(6, 1, rows=8, cols=8, mines=(0, 8, 16, 64), workers=1)
    assert all(shares[0] == 1.0 for shares in result.shares.values()), "no mine is left unflagged where there is none"
    means = {player: float(np.mean(shares)) for player, shares in result.shares.items()}
    assert means["single"] <= means["subset"] <= means["csp"]
    assert result.shares["csp"][-1] == 1.0, "a board full of mines is known from its count"
    assert result.shares["single"][-1] == 0.0, "numbers alone say nothing where there is none"


def test_the_same_seed_gives_the_same_shares() -> None:
    first, second = (run_density(2, 5, rows=6, cols=6, mines=(6,), workers=1) for _ in range(2))
    assert first == second
