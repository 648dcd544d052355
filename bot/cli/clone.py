"""`minebot clone`: the clone in a window of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from bot.cli.common import print_json
from bot.cli.options import PIECES, SEED, THEME, level_option, output_options, rule_option

if TYPE_CHECKING:
    from bot.clone.look import Pieces, Theme
    from bot.level import Level, Rule

PITCH = 18.0
"""Pixels of a tile at scale 1: the game as it is installed."""


@click.command()
@level_option()
@rule_option
@click.option("--theme", type=THEME, default="blue", show_default=True, help="Colour.")
@click.option("--pieces", type=PIECES, default="mines", show_default=True, help="What to look out for.")
@click.option("--scale", metavar="FACTOR", type=float, default=1.0, show_default=True,
              help=f"Size; 1 is a tile of {PITCH:g} pixels, which may have 12 to 80.")  # fmt: skip
@click.option("--seed", metavar="S", type=SEED, help="The first game's seed.")
@click.option("--animations/--no-animations", default=True, show_default=True, help="Ripples, explosions, sweeps.")
@output_options
def clone(
    level: Level,
    rule: Rule,
    theme: Theme,
    pieces: Pieces,
    scale: float,
    seed: int | None,
    animations: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Open the clone in a window, to play by hand or by bot.

    \b
    Left opens, right flags, both buttons or the middle one chord, F2 deals anew.
    Example: minebot clone --level beginner --theme green --scale 2
    """
    from bot.clone.look import Style
    from bot.clone.window import run_window

    run_window(level, Style(theme=theme, pieces=pieces, pitch=PITCH * scale), rule, seed, animate=animations)
    if as_json:
        print_json({"level": str(level), "rule": rule, "seed": seed})
