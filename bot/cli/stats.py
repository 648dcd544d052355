"""`minebot stats`: what was played so far."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.common import console, output_options, print_json, remark

if TYPE_CHECKING:
    from bot.stats import Played, Summary

COLUMNS = ("level", "skin", "games", "won (95 %)", "best s", "mean s", "guesses", "streak", "luck")
"""Games that were stopped come after a plus; guesses are a game's; the streak is the present and the longest one."""


@click.command()
@click.option("--plot", metavar="OUT.png", type=click.Path(path_type=Path), help="Draw wins and luck (extra `plots`).")
@output_options
def stats(plot: Path | None, as_json: bool, quiet: bool) -> None:
    """Sum up the games of all runs: wins, times, streaks, luck, by level and skin.

    \b
    Luck is wins minus the wins that the odds of all guesses promised.
    Example: minebot stats --plot luck.png
    """
    from bot.stats import load_games, stats_file
    from bot.stats import plot as draw

    games, damaged = load_games()
    if damaged:
        remark(f'minebot: {damaged} damaged {"line" if damaged == 1 else "lines"} of "{stats_file()}" left out', quiet)
    if plot is not None:
        draw(games, plot)
    desktop = [game for game in games if not game.clone]
    clone = [game for game in games if game.clone]
    if as_json:
        print_json({"file": str(stats_file()), "desktop": _document(desktop), "clone": _document(clone)})
        return
    if not games:
        click.echo("no game has been played yet: minebot play --clone is the quickest way to the first")
    for title, played in (("On the desktop", desktop), ("On the clone", clone)):
        if played:
            _print(title, played)


def _document(games: list[Played]) -> dict[str, Any]:
    from bot.stats import by_level_and_skin, summarise

    groups = by_level_and_skin(games)
    return {
        **asdict(summarise(games)),
        "groups": [{"level": level, "skin": skin, **asdict(summary)} for (level, skin), summary in groups.items()],
    }


def _print(title: str, games: list[Played]) -> None:
    from rich.table import Table

    from bot.stats import by_level_and_skin, summarise

    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0), pad_edge=False)
    for number, name in enumerate(COLUMNS):
        table.add_column(name, justify="left" if number < 2 else "right", no_wrap=True)
    groups = by_level_and_skin(games)
    for (level, skin), summary in groups.items():
        table.add_row(level, skin, *_cells(summary))
    if len(groups) > 1:
        table.add_row()
        table.add_row("all", "", *_cells(summarise(games)))
    console().print(table)


def _cells(summary: Summary) -> tuple[str, ...]:
    low, high = summary.interval
    return (
        f"{summary.games}+{summary.stopped}" if summary.stopped else str(summary.games),
        "–" if summary.win_rate is None else f"{100 * summary.win_rate:.0f} % ({100 * low:.0f}–{100 * high:.0f})",
        _number(summary.best_seconds),
        _number(summary.mean_seconds),
        _number(summary.guesses_a_game),
        f"{summary.streak}/{summary.longest_streak}",
        f"{summary.luck:+.1f}",
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
