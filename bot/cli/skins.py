"""`minebot skins`: the looks that the bot knows, and what to do with one's own."""

from __future__ import annotations

from typing import Any

import click

from bot.cli.common import print_json, remark
from bot.cli.options import output_options
from bot.errors import Exit


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
    from bot.calibrate.margins import closest, margins
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
