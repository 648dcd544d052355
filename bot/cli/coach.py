"""`minebot coach`: advice over the live board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bot import signals
from bot.cli.common import (
    HINT,
    mines_option,
    output_options,
    print_json,
    remark,
    rule_of_a_window_option,
    skin_option,
    think_option,
    window_option,
)
from bot.errors import Exit
from bot.words import VERBS

if TYPE_CHECKING:
    from bot.coach.advice import Advice
    from bot.coach.review import Review
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
    from bot.desktop import NoWindowError
    from bot.desktop.overlay import open_overlay
    from bot.vision.reader import Reader
    from bot.vision.skin import Skin

    advisor = Coach(Reader(None if skin is None else Skin.load(skin)), rule, mines)
    overlay = open_overlay(window, beside)
    listener = _Teller(as_json, quiet)
    ended_by_user = False
    try:
        solver.warm_up(think=think, between=signals.obey)  # machine code takes long: nobody waits for it in a game
        remark(f"watching; marks are {'over' if overlay.in_place else 'beside'} the board", quiet or as_json)
        Watch(overlay, advisor, listener, hints, think).run()
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
