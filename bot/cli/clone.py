"""`minebot clone`: the clone in a window of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from bot.cli.common import LEVEL, RULE, SEED, output_options, print_json

if TYPE_CHECKING:
    from bot.level import Level, Rule


@click.command()
@click.option("--level", type=LEVEL, default="expert", show_default=True, help="Or ROWSxCOLS/MINES.")
@click.option("--rule", type=RULE, default="open", show_default=True, help="What the first click promises.")
@click.option("--theme", type=click.Choice(["blue", "green"]), default="blue", show_default=True, help="Colour.")
@click.option("--pieces", type=click.Choice(["mines", "flowers"]), default="mines", show_default=True, help="Look.")
@click.option("--scale", type=click.FloatRange(12 / 18, 80 / 18), default=1.0, show_default=True,
              help="Size; 1 is a tile of 18 pixels.")  # fmt: skip
@click.option("--seed", type=SEED, help="The first game's seed.")
@click.option("--animations/--no-animations", default=True, show_default=True, help="Ripples, explosions, sweeps.")
@output_options
def clone(
    level: Level,
    rule: Rule,
    theme: Literal["blue", "green"],
    pieces: Literal["mines", "flowers"],
    scale: float,
    seed: int | None,
    animations: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Open the clone in a window, to play by hand or by bot.

    \b
    Left opens, right flags, both buttons or the middle one chord, F2 deals anew.
    Example: minebot clone --level beginner --theme green --scale 2
    """
    from bot.clone.look import Style
    from bot.clone.window import run_window

    run_window(level, Style(theme=theme, pieces=pieces, pitch=18.0 * scale), rule, seed, animate=animations)
    if as_json:
        print_json({"level": str(level), "rule": rule, "seed": seed})
    return 0
