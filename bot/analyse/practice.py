"""Games of the clone for a person to practise on, and the coach's review of how they were played.

A game is kept here and only what a player may know leaves: where the mines are is told when it is over. Besides the
rules that the clone knows there is "no-guess": the mines are dealt, after the first click, so that no guess is needed.
"""

from __future__ import annotations

import random
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Literal, get_args

import numpy as np

from bot import solver
from bot.analyse.answers import RequestError
from bot.board import Board
from bot.clone.game import Game
from bot.documents import review_json
from bot.level import Level, Rule
from bot.review import Journal, Review, review_lines

PracticeRule = Literal["open", "safe", "no-guess"]
RULES: tuple[PracticeRule, ...] = get_args(PracticeRule)

Act = Literal["open", "mark", "chord"]

MOST_GAMES = 32
"""Kept at once; the oldest is forgotten for a new one."""

LONGEST_SEARCH = 20.0
"""Seconds to look for a game without a guess. About one expert board in six is one; fuller boards hardly ever are."""


class Practice:
    """One game and the journal of how it is played."""

    def __init__(self, level: Level, rule: PracticeRule, seed: int | None) -> None:
        self._rule = rule
        self._seed = seed
        self._game = Game(level, "safe" if rule == "safe" else "open", seed)
        self._journal = Journal()
        self._note()

    def act(self, act: Act, row: int, col: int) -> dict[str, Any]:
        """Do what a person's click does, and return what is seen then."""
        game, before = self._game, self._game.board()
        if act == "open" and game.state == "new" and self._rule == "no-guess":
            game.new(seed_without_guess(game.level, row, col, self._seed))
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


def seed_without_guess(
    level: Level, row: int, col: int, first: int | None = None, now: Callable[[], float] = time.monotonic
) -> int:
    """Return the seed of a game that opens at a cell and needs no guess. Raises `RequestError` when none is found."""
    seed = random.randrange(2**32) if first is None else first
    deadline = now() + LONGEST_SEARCH
    while True:
        game = Game(level, "open", seed)
        game.open(row, col)
        if solved_without_guess(game):
            return seed
        if now() >= deadline:
            raise RequestError(f"no board of {level} was found that needs no guess; take one with fewer mines")
        seed = (seed + 1) % 2**32


def solved_without_guess(game: Game) -> bool:
    """Whether opening what is certainly safe, again and again, wins a game; it is played to where that ends."""
    from bot.solver.odds import exact_odds

    while game.state == "playing":
        board: Board = game.board()
        safe = np.argwhere(exact_odds(board).safe).tolist()
        if not safe:
            return False
        for row, col in safe:
            game.open(row, col)
    return game.state == "won"
