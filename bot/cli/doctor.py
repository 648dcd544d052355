"""`minebot doctor`: is everything as playing needs it?"""

from __future__ import annotations

from dataclasses import asdict

import click

from bot.cli.common import output_options, print_json

NOT_READY = 3
COLOURS = {"pass": "green", "warn": "yellow", "fail": "red"}


@click.command()
@click.option("--window", metavar="TEXT", help="The window whose title, class or program contains TEXT.")
@output_options
def doctor(window: str | None, as_json: bool, quiet: bool) -> int:
    """Check the surroundings, and say for each thing that it is well or how to fix it.

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
    return NOT_READY if worst(checks) == "fail" else 0
