"""`minebot doctor`: is everything as playing needs it?"""

from __future__ import annotations

from dataclasses import asdict

import click

from bot.cli.common import print_json
from bot.cli.options import output_options, window_option
from bot.errors import Exit

COLOURS = {"pass": "green", "warn": "yellow", "fail": "red"}


@click.command()
@window_option
@output_options
def doctor(window: str | None, as_json: bool, quiet: bool) -> int:
    """Check the surroundings, and say how to fix what is not well.

    \b
    Exit code 0 when nothing fails, 3 when the bot could not play.
    Example: minebot doctor
    """
    from bot.doctor import Check, examine, worst

    checks: list[Check] = []
    for check in examine(window):
        checks.append(check)
        if not as_json and not (quiet and check.status == "pass"):
            click.echo(f"{click.style(check.status, COLOURS[check.status])}  {check.name}: {check.finding}")
            if check.fix:
                click.echo(f"      → {check.fix}")
    if as_json:
        print_json({"status": worst(checks), "checks": [asdict(check) for check in checks]})
    return Exit.NOTHING if worst(checks) == "fail" else Exit.DONE
