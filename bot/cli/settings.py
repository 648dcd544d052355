"""`minebot settings`, and how a settings file reaches the commands."""

from __future__ import annotations

import json
from typing import Any

import click

from bot.cli.common import print_json
from bot.cli.options import output_options

LOOKS_AT_SETTINGS_ITSELF = ("settings", "doctor")
"""Commands that a broken settings file must not keep from running."""


def apply_settings(context: click.Context) -> None:
    """Let the user's settings be the defaults of every option of the same name; trials are the same for everybody."""
    from bot.settings import load_settings

    if context.invoked_subcommand in LOOKS_AT_SETTINGS_ITSELF:
        return
    chosen = load_settings()
    group = context.command
    assert isinstance(group, click.Group)
    context.default_map = {name: _for_command(command, chosen) for name, command in group.commands.items()}


def _for_command(command: click.Command, chosen: dict[str, Any]) -> dict[str, Any]:
    names = {parameter.name for parameter in command.params}
    return {key: value for key, value in chosen.items() if key in names}


@click.command()
@output_options
def settings(as_json: bool, quiet: bool) -> None:
    """Tell where the settings file is and what it sets.

    \b
    Keys: style, pace, think, skin, window, hints, stop_key. The command line wins.
    Example: minebot settings
    """
    from bot.settings import KEYS, load_settings, settings_file

    chosen = load_settings()
    if as_json:
        print_json({"file": str(settings_file()), "settings": chosen, "keys": list(KEYS)})
        return
    click.echo(f"{settings_file()}{'' if settings_file().exists() else ' (not there yet)'}")
    for key in KEYS:
        # What JSON writes for texts and numbers is TOML as well.
        click.echo(f"{key} = {json.dumps(chosen[key], ensure_ascii=False)}" if key in chosen else f"# {key}")
