"""What belongs to the user: `minebot doctor`, `skins`, `stats`, `settings`, and how settings reach the commands."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.cli.common import FILE, console, output_options, print_json, remark, window_option
from bot.errors import Exit

if TYPE_CHECKING:
    from bot.stats import Played

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


@click.command()
@click.option("--delete", metavar="NAME", help="Throw away one of your own.")
@click.option("--rename", nargs=2, metavar="NAME NEW", help="Call one of your own something else.")
@output_options
def skins(delete: str | None, rename: tuple[str, str] | None, as_json: bool, quiet: bool) -> int:
    """List the skins there are: which tiles each knows, and how well.

    \b
    Example: minebot skins
             minebot skins --rename mine gnome
    """
    from bot.calibrate.build import closest, margins
    from bot.vision.skin import all_skins, delete_skin, rename_skin

    if delete is not None:
        delete_skin(delete)
        remark(f'the skin "{delete}" is gone', quiet)
    if rename:
        rename_skin(*rename)
        remark(f'the skin "{rename[0]}" is now called "{rename[1]}"', quiet)
    documents = []
    sound, broken = all_skins()
    for skin in sound:
        nearest = closest(margins(skin))
        documents.append(
            {"name": skin.name, "title": skin.title, "origin": skin.origin, "folder": str(skin.folder),
             "tile": skin.tile, "tiles": skin.known, "missing": skin.missing, "counter": skin.counter is not None,
             "closest": None if nearest is None else _margin_json(*nearest)}
        )  # fmt: skip
    if as_json:
        print_json(documents)
    else:
        for document in documents:
            click.echo(_skin_line(document))
    for error in broken:
        remark(str(error))
    return Exit.UNUSABLE if broken else Exit.DONE


def _margin_json(cells: tuple[int, int], distance: float) -> dict[str, Any]:
    from bot.board import SYMBOLS

    return {"cells": [SYMBOLS[value] for value in cells], "distance": round(distance, 1)}


def _skin_line(document: dict[str, Any]) -> str:
    tiles = f"tiles {document['tiles']}" + (f" (never seen: {document['missing']})" if document["missing"] else "")
    nearest = document["closest"]
    margin = (
        f"; nearest {' and '.join(nearest['cells'])}, {nearest['distance']:.0f} grey levels apart" if nearest else ""
    )
    title = document["title"] if document["title"] != document["name"] else document["origin"]
    return f"{document['name']}: {title}; {tiles} at {document['tile']} px{margin}; {document['folder']}"


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
    from bot.show.tables import plot_games, stats_table
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
