"""`minebot coach`: advice over the live board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from bot.cli.common import RULE, output_options, print_json, remark

if TYPE_CHECKING:
    from bot.annotate import Hints
    from bot.coach import Advice
    from bot.level import Rule
    from bot.review import Review


@click.command()
@click.option("--window", metavar="TEXT", help="The window whose title, class or program contains TEXT.")
@click.option("--hints", type=click.Choice(["safe", "odds", "all"]), default="all", show_default=True,
              help="Mark what is certain, the odds where you must guess, or both and the best move.")  # fmt: skip
@click.option("--think", metavar="SECONDS", type=click.FloatRange(0), default=1.0, show_default=True,
              help="How long a guess may be thought over, in the background.")  # fmt: skip
@click.option("--skin", metavar="NAME", help="The look of the game (default: found by itself).")
@click.option("--rule", type=RULE, default="open", show_default=True, help="What the first click promises.")
@click.option("--mines", metavar="N", type=click.IntRange(0), help="Mines on the board, when they can't be read.")
@click.option("--beside", is_flag=True, help="In a window beside the game instead of over it.")
@output_options
def coach(
    window: str | None,
    hints: Hints,
    think: float,
    skin: str | None,
    rule: Rule,
    mines: int | None,
    beside: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Watch the game and show what is safe, what is mined and the odds, over it. It never clicks.

    \b
    Play as always; clicks go through the marks. After each game it reviews your
    moves. Ctrl-C ends it, and so does closing the game.
    Example: minebot coach --hints odds
    """
    from bot.coach import Coach, Watch
    from bot.desktop import NoWindowError, RealClock
    from bot.desktop.overlay import open_overlay
    from bot.vision.reader import Reader
    from bot.vision.skin import Skin

    advisor = Coach(Reader(None if skin is None else Skin.load(skin)), rule, mines)
    overlay = open_overlay(window, beside)
    listener = _Teller(as_json, quiet)
    remark(f"minebot: watching; marks are {'over' if overlay.in_place else 'beside'} the board", quiet or as_json)
    ended_by_user = False
    try:
        Watch(overlay, advisor, listener, hints, think).run(RealClock())
    except NoWindowError as reason:
        remark(f"minebot: {reason}", quiet or as_json)
    except KeyboardInterrupt:
        ended_by_user = True
    finally:
        overlay.close()
    unfinished = advisor.unfinished()
    if unfinished is not None:
        listener.reviewed(unfinished)
    if as_json:
        print_json({"games": listener.reviews})
    return 130 if ended_by_user else 0


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
        line = f"{decision.move.action} {place(decision.move.row, decision.move.col)}: {decision.reason}"
        if line != self._last and not self._as_json:
            remark(line, self._quiet)
        self._last = line

    def reviewed(self, review: Review) -> None:
        """Say how a game was played, on stdout."""
        from bot.review import review_lines

        self.reviews.append(
            {
                "moves": review.moves,
                "won": review.won,
                "needless": [_risk(risk) for risk in review.risks if risk.needless],
                "guesses": [_risk(risk) for risk in review.risks if not risk.needless],
                "survival": review.survival,
                "luck": review.luck,
            }
        )
        if not self._as_json:
            for line in review_lines(review):
                click.echo(line)


def _risk(risk: Any) -> dict[str, Any]:
    return {"row": risk.cell.row, "col": risk.cell.col, "risk": risk.risk, "least": risk.least}
