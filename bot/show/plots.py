"""Plots as PNG files: they need the extra "plots" and never a screen, and are written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from bot.bench.density import DensityResult
from bot.bench.first_click import FirstClickResult
from bot.board import counted
from bot.errors import MinebotError
from bot.files import prepared
from bot.stats import Played

DOTS_PER_INCH = 150

INCHES_A_CELL = 0.42
"""Room for a win rate such as "54.3" in a cell of the heat map."""


class PlotError(MinebotError):
    """A plot that can't be drawn or written; the message says why."""


def plot_games(games: Iterable[Played], path: Path) -> None:
    """Draw wins against what the odds promised, game by game. Raises `PlotError`, also before any game is finished."""
    finished = [game for game in games if game.stopped is None]
    if not finished:
        raise PlotError(f'nothing to draw in "{path}": no game has been finished yet')
    figure = _figure(8.0, 4.5)
    axes = figure.add_subplot()
    kinds: dict[str, list[Played]] = {}
    for game in finished:
        kinds.setdefault(f"{game.level}, clone" if game.clone else game.level, []).append(game)
    for kind, played in kinds.items():
        won = np.cumsum([0, *(game.won for game in played)])
        promised = np.cumsum([0, *(game.survival for game in played)])
        (line,) = axes.plot(won, label=f"{kind}: {won[-1]} of {len(played)} won")
        axes.plot(promised, linestyle=":", color=line.get_color())
    axes.set(xlabel="games", ylabel="won (dotted: what the odds promised)", title="Games won, and luck")
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path)


def plot_density(result: DensityResult, path: Path) -> None:
    """Draw the share of mines flagged over the number of mines. Raises `PlotError`."""
    figure = _figure(7.0, 4.5)
    axes = figure.add_subplot()
    for player, shares in result.shares.items():
        axes.plot(result.mines, [100 * share for share in shares], marker="o", label=player)
    boards = counted(result.games, "board")
    axes.set(
        xlabel=f"mines on {result.rows}×{result.cols} cells",
        ylabel="mines flagged, %",
        ylim=(-3, 103),
        title=f"Going on after every mine hit: what each player finds ({boards})",
    )
    axes.grid(alpha=0.3)
    axes.legend()
    _save(figure, path)


def plot_first_clicks(result: FirstClickResult, path: Path) -> None:
    """Draw the win rate of every first click as a heat map. Raises `PlotError`."""
    rates = 100 * result.heat_map()
    # No narrower than the title, however small the board.
    figure = _figure(max(5.0, INCHES_A_CELL * result.cols + 1.6), max(3.0, INCHES_A_CELL * result.rows + 1.6))
    figure.suptitle(f"{result.level}, rule {result.rule}\ngames won by first click, % ({result.games:,} a cell)")
    axes = figure.add_subplot()
    image = axes.imshow(rates, cmap="viridis")
    middle = (rates.min() + rates.max()) / 2
    for (row, col), rate in np.ndenumerate(rates):
        ink = "white" if rate < middle else "black"
        axes.text(col, row, f"{rate:.1f}", ha="center", va="center", fontsize=6, color=ink)
    axes.set_xticks(range(0, result.cols, 5), [str(col + 1) for col in range(0, result.cols, 5)])
    axes.set_yticks(range(0, result.rows, 5), [str(row + 1) for row in range(0, result.rows, 5)])
    axes.set(xlabel="column", ylabel="row")
    figure.colorbar(image, ax=axes, shrink=0.8)
    _save(figure, path)


def _figure(width: float, height: float) -> Any:
    """Return an empty matplotlib figure of so many inches that draws itself without a screen."""
    try:
        figures: Any = import_module("matplotlib.figure")
    except ImportError as error:
        raise PlotError('a plot needs matplotlib (the extra "plots"): pip install matplotlib') from error
    # A bare Figure draws with Agg and leaves pyplot's global state alone.
    return figures.Figure(figsize=(width, height), layout="constrained")


def _save(figure: Any, path: Path) -> None:
    try:
        with prepared(path) as part:
            figure.savefig(part, format="png", dpi=DOTS_PER_INCH)
    except OSError as error:
        raise PlotError(f'can\'t write "{path}": {error.strerror}') from error
