"""Games of the clone for a person to practise on, and the coach's review of how they were played.

A game is kept here and only what a player may know leaves: where the mines are is told when it is over. Besides the
rules that the clone knows there is "no-guess": the mines are dealt, after the first click, so that no guess is needed.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import Any, Literal, get_args

from bot import solver
from bot.clone.engine import Act
from bot.clone.game import Game
from bot.coach.no_guess import seed_without_guess
from bot.coach.review import Journal, Review, review_lines
from bot.level import Level
from bot.show.documents import review_json
from bot.web.answers import RequestError
from bot.words import Rule

PracticeRule = Literal["open", "safe", "no-guess"]
RULES: tuple[PracticeRule, ...] = get_args(PracticeRule)

MOST_GAMES = 32
"""Kept at once; the oldest is forgotten for a new one."""


class Practice:
    """One game and the journal of how it is played."""

    def __init__(self, level: Level, rule: PracticeRule, seed: int | None) -> None:
        self._rule = rule
        choose_seed = seed_without_guess if rule == "no-guess" else None
        self._game = Game(level, "safe" if rule == "safe" else "open", seed, choose_seed=choose_seed)
        self._journal = Journal()
        self._note()

    def act(self, act: Act, row: int, col: int) -> dict[str, Any]:
        """Do what a person's click does, and return what is seen then."""
        game, before = self._game, self._game.board()
        {"open": game.open, "mark": game.mark, "chord": game.chord}[act](row, col)
        if game.board() != before:
            self._note()
        return self.seen()

    def seen(self) -> dict[str, Any]:
        """Return what the player may know; when the game is over, the review too."""
        game = self._game
        over = game.state in ("won", "lost")
        return {
            "board": str(game.board()),
            "state": game.state,
            "mines_left": game.mines_left,
            "seed": game.seed if over else None,
            "review": _review(self._journal.review(game.state == "won")) if over else None,
        }

    def _note(self) -> None:
        board = self._game.board()
        rule: Rule = "safe" if self._rule == "safe" else "open"
        decision = solver.decide(board, strategy="csp", think=0.0, rule=rule, explain=False)
        self._journal.note(board, decision, self._game.state == "lost")


def _review(review: Review) -> dict[str, Any]:
    """Return the coach's review: its document, its sentences, and each risk with the board on which it was taken."""
    risks = [
        {
            "board": str(risk.board),
            "row": risk.cell.row,
            "col": risk.cell.col,
            "risk": risk.risk,
            "least": risk.least,
            "least_cell": list(risk.least_cell),
            "needless": risk.needless,
        }
        for risk in review.risks
    ]
    return {**review_json(review), "lines": list(review_lines(review)), "risks": risks}


class Practices:
    """The games that are being played, by a name that nobody guesses."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Practice] = OrderedDict()

    def begin(self, document: Any) -> dict[str, Any]:
        """Deal a game: {"level": text, "rule": rule, "seed": number or null}."""
        if not isinstance(document, dict) or document.get("rule") not in RULES:
            raise RequestError("a game needs a level and a rule")
        seed = document.get("seed")
        if seed is not None and (not isinstance(seed, int) or not 0 <= seed < 2**32):
            raise RequestError("a seed is a number from 0 to 4294967295")
        practice = Practice(Level.parse(str(document.get("level"))), document["rule"], seed)
        name = secrets.token_hex(8)
        self._games[name] = practice
        while len(self._games) > MOST_GAMES:
            self._games.popitem(last=False)
        return {"game": name, **practice.seen()}

    def act(self, document: Any) -> dict[str, Any]:
        """Do a click: {"game": name, "act": act, "row": row, "col": col}."""
        if not isinstance(document, dict) or document.get("act") not in get_args(Act):
            raise RequestError("a click needs a game, an act and a cell")
        row, col = document.get("row"), document.get("col")
        if type(row) is not int or type(col) is not int:
            raise RequestError("a click needs a row and a column")
        practice = self._games.get(str(document.get("game")))
        if practice is None:
            raise RequestError("this game is not kept any more; begin a new one")
        return practice.act(document["act"], row, col)
