"""`minebot analyse`: the analyser's page in the user's browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot import signals
from bot.cli.common import InputError, output_options, print_json, read_text, remark, window_option
from bot.errors import Exit, MinebotError

if TYPE_CHECKING:
    from bot.web.server import Server


class MissingExtraError(MinebotError):
    """The libraries that serve the page are not installed."""


@click.command()
@click.argument("what", metavar="[IMAGE or BOARD]", required=False)
@window_option
@click.option("--no-browser", is_flag=True, help="Print the address and open nothing.")
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), default=0, help="A port of your own choice.")
@output_options
def analyse(what: str | None, window: str | None, no_browser: bool, port: int, as_json: bool, quiet: bool) -> int:
    """Open a page that reads screenshots and shows the odds.

    \b
    Paste or drop a picture, a recording or a board into it; correct, play on,
    practise. It is served to this computer alone, and ends with Ctrl-C or some
    seconds after its page was closed. It needs: pip install "minesweeper-bot[web]"
    Example: minebot analyse screenshot.png
    """
    try:
        from bot.web.server import Server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("starlette", "uvicorn"):
            raise
        raise MissingExtraError(
            'the analyser needs a server: install it with  pip install "minesweeper-bot[web]"  '
            '(in a checkout: pip install ".[web]")'
        ) from error
    with Server(_start(what), window, port) as server:
        _announce(server, no_browser, as_json, quiet)
        for _ in server.until_gone():
            signals.obey()
    remark("the page was closed", quiet or as_json)
    return Exit.DONE


def _announce(server: Server, no_browser: bool, as_json: bool, quiet: bool) -> None:
    """Tell the address, at once even into a pipe, and open the page."""
    import webbrowser

    if as_json:
        print_json({"address": server.address})
    else:
        click.echo(server.address)
    sys.stdout.flush()
    if no_browser:
        return
    # Without a desktop the browser that is found may be one of the terminal, which would take that over.
    desktop = sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    if desktop and webbrowser.open(server.once):
        remark("opened in your browser; Ctrl-C or closing the page ends it", quiet or as_json)
    else:
        remark("no browser could be opened: open the address in one yourself", quiet or as_json)


def _start(what: str | None) -> dict[str, Any]:
    """Return what the page begins with: nothing, or what a file or stdin holds. Raises `MinebotError`."""
    from bot.files import read_whole
    from bot.picture import LARGEST_FILE, declared_size, decode
    from bot.web.inputs import board_document, document_of, folder_document, picture_document

    if what is None:
        return {"kind": "nothing"}
    if what == "-" or "#b=" in what:
        return board_document(read_text(what) if what == "-" else what)
    if Path(what).is_dir():
        return {"name": what, **folder_document(Path(what))}
    try:
        raw = read_whole(Path(what), LARGEST_FILE)
    except (OSError, ValueError) as error:
        raise InputError(f'can\'t read "{what}": {getattr(error, "strerror", error)}') from error
    if declared_size(raw) is not None:
        return picture_document(decode(raw, what), Path(what).name, embed=True)
    return document_of(raw, what)
