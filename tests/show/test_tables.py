"""Tables and plots: what a trial found can be read from them."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest
from rich.console import Console
from rich.table import Table

from bot.bench.density import DensityResult
from bot.bench.games import ClickResult, Comparison, FirstClickResult, GamesResult
from bot.bench.speed import Growth, OddsSpeed, OddsTimes
from bot.show.tables import (
    PlotError,
    comparison_table,
    density_table,
    first_click_table,
    games_table,
    growth_table,
    odds_table,
    plot_density,
    plot_first_clicks,
)

TIMING = OddsTimes(positions=200, mean_ms=0.043, median_ms=0.041, p99_ms=0.08, max_ms=0.107)
DENSITY = DensityResult(30, 30, 1, 1, (0, 450, 900), {"single": (1.0, 0.5, 0.0), "csp": (1.0, 0.7512, 1.0)})
CLICKS = FirstClickResult(
    "3x5/3", 3, 5, 3, "open", "csp", 100, 1,
    tuple(ClickResult(row, col, 50 + 7 * row + col, 0.5 + 0.07 * row + col / 100, (0.4, 0.6))
          for row in range(2) for col in range(3)),
)  # fmt: skip


def printed(table: Table) -> str:
    console = Console(width=120, color_system=None)
    with console.capture() as capture:
        console.print(table)
    return capture.get()


def test_tables_show_the_figures() -> None:
    games = GamesResult(
        "expert", 16, 30, 99, "open", "csp", (3, 3), 45_000, 1, 22_941, 0.5098, (0.5052, 0.5144), 0.168, 2, None, False
    )
    assert all(figure in printed(games_table(games)) for figure in ("45,000", "50.98 %", "50.52–51.44", "0.17"))
    pairs = Comparison(1000, (500, 510), (0.5, 0.51), ((0.47, 0.53), (0.48, 0.54)), 0, 10, 0.01, (0.0038, 0.0162))
    assert all(
        figure in printed(comparison_table(pairs, ("a", "b"))) for figure in ("+1.00", "+0.38 to +1.62", "1,000")
    )
    speed = OddsSpeed(TIMING, TIMING, 36.28, 5e-10)
    assert all(figure in printed(odds_table(speed)) for figure in ("0.043", "36 times", "5.0e-10"))
    assert all(figure in printed(growth_table([Growth(100, 2000, 5861.0, TIMING)])) for figure in ("100×100", "5,861"))
    assert all(figure in printed(density_table(DENSITY)) for figure in ("450", "75.12 %", "1 board of 30×30"))
    assert "row 1, column 1" in printed(first_click_table(CLICKS))


@pytest.mark.parametrize("plot", ["density", "first clicks"])
def test_plots_are_pictures_with_something_in_them(plot: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    path = tmp_path / "plot.png"
    if plot == "density":
        plot_density(DENSITY, path)
    else:
        plot_first_clicks(CLICKS, path)
    picture = cv2.imread(str(path))
    assert picture is not None
    assert picture.shape[0] > 300
    assert picture.std() > 10
    assert picture[:, [0, -1]].min() == 255, "something is cut off at the side"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="needs the extra plots")
    with pytest.raises(PlotError, match="nowhere"):
        plot_density(DENSITY, tmp_path / "nowhere" / "plot.png")
    assert list(tmp_path.iterdir()) == []
