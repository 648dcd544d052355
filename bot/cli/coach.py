"""`minebot coach` and `minebot analyse`: odds and proofs for a person, over the live board or in the browser."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot import signals
from bot.cli.common import (
    HINT,
    InputError,
    mines_option,
    output_options,
    print_json,
    read_text,
    remark,
    rule_of_a_window_option,
    skin_option,
    think_option,
    window_option,
)
from bot.errors import Exit, MinebotError
from bot.words import VERBS

if TYPE_CHECKING:
    from bot.coach.advice import Advice
    from bot.coach.review import Review
    from bot.web.server import Server
    from bot.words import Hints, Rule


@click.command()
@window_option
@click.option("--hints", type=HINT, default="all", show_default=True,
              help="Mark what is certain, the odds where you must guess, or both and the best move.")  # fmt: skip
@think_option(1.0)
@skin_option
@rule_of_a_window_option
@mines_option
@click.option("--beside", is_flag=True, help="In a window beside the game instead of over it.")
@output_options
def coach(
    window: str | None,
    hints: Hints,
    think: float,
    skin: str | None,
    rule: Rule | None,
    mines: int | None,
    beside: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Show what is safe, what is mined and the odds over your game.

    It watches and never clicks.

    \b
    Play as always; clicks go through the marks. After each game it reviews your
    moves. Ctrl-C ends it, and so does closing the game.
    Example: minebot coach --hints odds
    """
    from bot import solver
    from bot.coach.advice import Coach, Watch
    from bot.desktop import NoWindowError, open_overlay
    from bot.vision.reader import Reader
    from bot.vision.skin import Skin

    reader = Reader(None if skin is None else Skin.load(skin))
    overlay = open_overlay(window, beside)
    advisor = Coach(reader, rule, mines, overlay.title)
    listener = _Teller(as_json, quiet)
    watch = Watch(overlay, advisor, listener, hints, think)
    ended_by_user = False
    try:
        remark(f"watching; marks are {'over' if overlay.in_place else 'beside'} the board", quiet or as_json)
        watch.await_board()
        solver.warm_up(think=think, between=signals.obey)  # machine code takes long: nobody waits for it in a game
        watch.run()
    except NoWindowError as reason:
        remark(str(reason), quiet or as_json)
    except KeyboardInterrupt:
        signals.obeyed()
        ended_by_user = True
    finally:
        overlay.close()
    unfinished = advisor.unfinished()
    if unfinished is not None:
        listener.reviewed(unfinished)
    if as_json:
        print_json({"games": listener.reviews})
    return Exit.USER if ended_by_user else Exit.DONE


class _Teller:
    """Says advice and reviews in lines."""

    def __init__(self, as_json: bool, quiet: bool) -> None:
        self.reviews: list[dict[str, Any]] = []
        self._as_json = as_json
        self._quiet = quiet
        self._last = ""

    def advised(self, advice: Advice) -> None:
        """Say the move and why, on stderr, when it is another one."""
        from bot.board import place

        decision = advice.decision
        if decision.move is None:
            return
        line = f"{VERBS[decision.move.action]} {place(decision.move.row, decision.move.col)}: {decision.reason}"
        if line != self._last and not (self._as_json or self._quiet):
            click.echo(line, err=True)
        self._last = line

    def puzzled(self, reason: str) -> None:
        """Say why there is no advice, on stderr."""
        remark(reason, self._as_json or self._quiet)

    def reviewed(self, review: Review) -> None:
        """Say how a game was played, on stdout."""
        from bot.coach.review import review_lines
        from bot.show.documents import review_json

        self.reviews.append(review_json(review))
        if not self._as_json:
            for line in review_lines(review):
                click.echo(line)


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
    from bot.web.answers import board_document, document_of, folder_document, picture_document

    if what is None:
        return {"kind": "nothing"}
    if what == "-" or "#b=" in what:
        return board_document(read_text(what) if what == "-" else what)
    try:
        if Path(what).is_dir():
            return {"name": what, **folder_document(Path(what))}
        raw = read_whole(Path(what), LARGEST_FILE)
    except (OSError, ValueError) as error:
        raise InputError(f'can\'t read "{what}": {getattr(error, "strerror", error)}') from error
    if declared_size(raw) is not None:
        return picture_document(decode(raw, what), Path(what).name, embed=True)
    return document_of(raw, what)
