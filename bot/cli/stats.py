"""`minebot stats`: what was played so far."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.common import console, print_json, remark
from bot.cli.options import FILE, output_options

if TYPE_CHECKING:
    from bot.stats import Played


@click.command()
@click.option("--plot", metavar="OUT.png", type=FILE, help="Draw wins and luck (extra `plots`).")
@output_options
def stats(plot: Path | None, as_json: bool, quiet: bool) -> None:
    """Sum up the games of all runs, by level and skin.

    \b
    Luck is wins minus the wins that the odds of all guesses promised.
    Example: minebot stats --plot luck.png
    """
    from bot.board import counted
    from bot.plots import plot_games
    from bot.report import stats_table
    from bot.stats import load_games, stats_file

    games, damaged = load_games()
    if damaged:
        remark(f'{counted(damaged, "damaged line")} of "{stats_file()}" left out', quiet)
    if plot is not None:
        plot_games(games, plot)
    desktop = [game for game in games if not game.clone]
    clone = [game for game in games if game.clone]
    if as_json:
        print_json({"file": str(stats_file()), "desktop": _document(desktop), "clone": _document(clone)})
        return
    if not games:
        click.echo("no game has been played yet: minebot play --clone is the quickest way to the first")
    for title, played in (("On the desktop", desktop), ("On the clone", clone)):
        if played:
            console().print(stats_table(title, played))


def _document(games: list[Played]) -> dict[str, Any]:
    from bot.stats import by_level_and_skin, summarise

    groups = by_level_and_skin(games)
    return {
        **asdict(summarise(games)),
        "groups": [{"level": level, "skin": skin, **asdict(summary)} for (level, skin), summary in groups.items()],
    }
