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
@click.argument("key", required=False)
@click.argument("value", required=False)
@click.option("--unset", metavar="KEY", help="Take a setting out of the file.")
@output_options
def settings(key: str | None, value: str | None, unset: str | None, as_json: bool, quiet: bool) -> None:
    """Tell what is set and what can be, or set KEY to VALUE. The command line wins.

    \b
    Example: minebot settings
             minebot settings pace human
    """
    from bot.settings import KEYS, change_setting, load_settings, settings_file

    if key is not None and value is None and key in KEYS:
        raise click.UsageError(f"{key} needs a value: minebot settings {key} VALUE")
    if key is not None:  # one that there is not is refused with the names of those there are
        change_setting(key, _typed(value) if key == "think" and value is not None else value)
    if unset is not None:
        change_setting(unset, None)
    chosen = load_settings()
    if as_json:
        legal = {name: setting.legal for name, setting in KEYS.items()}
        print_json({"file": str(settings_file()), "settings": chosen, "keys": list(KEYS), "legal": legal})
        return
    click.echo(f"{settings_file()}{'' if settings_file().exists() else ' (not there yet)'}")
    for name, setting in KEYS.items():
        # What JSON writes for texts and numbers is TOML as well.
        shown = f"{name} = {json.dumps(chosen[name], ensure_ascii=False)}" if name in chosen else f"# {name}"
        click.echo(f"{shown:<24} # {setting.legal}" if name in chosen else f"{shown:<12} {setting.legal}")


def _typed(text: str) -> str | float:
    """Return the number that a text is, else the text, which is then refused."""
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number
