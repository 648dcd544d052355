"""`minebot clone`: the clone in a window of its own."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.common import (
    PIECES,
    SEED,
    THEME,
    Command,
    level_option,
    no_guess_option,
    output_options,
    print_json,
    rule_option,
    seeds_without_guess,
)

if TYPE_CHECKING:
    from bot.level import Level
    from bot.words import Pieces, Rule, Theme

PITCH = 18.0
"""Pixels of a tile at scale 1: the game as it is installed."""


def _trial_options(command: Command) -> Command:
    """Add what only the window on Windows has, for trials of the bot; `--help` does not tell of it."""
    for option in (
        click.option("--question-marks/--no-question-marks", default=None, hidden=True),
        click.option("--tips/--no-tips", default=None, hidden=True),
        click.option("--title", hidden=True),
        click.option("--draw-ms", type=click.IntRange(0, 1000), hidden=True),
        click.option("--stall-ms", type=click.IntRange(0, 10_000), hidden=True),
        click.option("--log", type=click.Path(path_type=Path, dir_okay=False), hidden=True),
        click.option("--saved-game", "asks_first", flag_value="saved game", default=None, hidden=True),
        click.option("--choose-difficulty", "asks_first", flag_value="difficulty", default=None, hidden=True),
    ):
        command = option(command)
    return command


@click.command()
@level_option()
@rule_option
@no_guess_option
@click.option("--theme", type=THEME, default="blue", show_default=True, help="Colour.")
@click.option("--pieces", type=PIECES, default="mines", show_default=True, help="What to look out for.")
@click.option("--scale", metavar="FACTOR", type=float, default=1.0, show_default=True,
              help=f"Size; 1 is a tile of {PITCH:g} pixels, which may have 12 to 80.")  # fmt: skip
@click.option("--seed", metavar="S", type=SEED, help="The first game's seed.")
@click.option("--animations/--no-animations", default=True, show_default=True, help="Ripples, explosions, sweeps.")
@_trial_options
@output_options
def clone(
    level: Level,
    rule: Rule,
    no_guess: bool,
    theme: Theme,
    pieces: Pieces,
    scale: float,
    seed: int | None,
    animations: bool,
    as_json: bool,
    quiet: bool,
    **trial: Any,
) -> None:
    """Open the clone in a window, to play by hand or by bot.

    \b
    Left opens, right flags, both buttons or the middle one chord, F2 deals anew.
    Example: minebot clone --level beginner --theme green --scale 2
    """
    from bot.clone.painter import Style

    choose_seed = seeds_without_guess(level, rule) if no_guess else None
    style = Style(theme=theme, pieces=pieces, pitch=PITCH * scale)
    given = {name: value for name, value in trial.items() if value is not None}
    if sys.platform == "win32":
        from bot.clone.win32.window import Setup, run_window

        run_window(level, style, rule, seed, Setup(animate=animations, **given), choose_seed)
    else:
        from bot.clone.window import run_window

        if given:
            raise click.UsageError(f"--{min(given).replace('_', '-')} is for Windows only")
        run_window(level, style, rule, seed, animate=animations, choose_seed=choose_seed)
    if as_json:
        print_json({"level": str(level), "rule": rule, "seed": seed, "no_guess": no_guess})
