"""What a person does in the page beside asking: practise on games of the clone, and teach a look that nobody knows.

A game is kept here and only what a player may know leaves: where the mines are is told when it is over, with the
coach's review. Besides the rules that the clone knows there is "no-guess": the mines are dealt, after the first click,
so that no guess is needed. A look is taught by naming the groups of tiles that `bot.calibrate` is unsure of, one look
at a time.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from dataclasses import dataclass
from typing import Any, Literal, get_args

import cv2
import numpy as np

from bot import solver
from bot.board import SYMBOLS
from bot.calibrate.build import contact_sheet
from bot.calibrate.from_pictures import Findings, Look, examine, finish
from bot.clone.engine import Act
from bot.clone.game import Game
from bot.coach.review import Journal, Review, review_lines, seed_without_guess
from bot.level import Level
from bot.picture import decode
from bot.show.documents import review_json
from bot.vision.skin import NAME, user_folder
from bot.web.answers import RequestError, data_uri
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


_ENLARGED = 2
"""How much larger the picture of a tile is shown than it is kept."""


@dataclass
class Lesson:
    """What is being taught: the last picture's groups."""

    _found: Findings | None = None

    def begin(self, raw: bytes, name: str) -> dict[str, Any]:
        """Group the tiles of a picture and say what is sure and what is not. Raises `MinebotError`."""
        self._found = examine([(name, decode(raw, name), None)])
        return {"looks": [_look(look) for look in self._found.looks]}

    def end(self, document: Any) -> dict[str, Any]:
        """Make the skin and keep it: {"name": name, "answers": {number: symbol}}. Raises `MinebotError`."""
        if self._found is None:
            raise RequestError("no picture is being taught; drop one first")
        if not isinstance(document, dict) or not isinstance(document.get("answers"), dict):
            raise RequestError("a lesson ends with a name and the answers")
        name = document.get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise RequestError("a skin's name has letters, digits, _ and -")
        open_questions = {look.number for look in self._found.open_questions}
        answers = {}
        for number, symbol in document["answers"].items():
            if not str(number).isdecimal() or int(number) not in open_questions or symbol not in list(SYMBOLS[:-1]):
                raise RequestError("an answer is the symbol of a group that is not sure")
            answers[int(number)] = SYMBOLS.index(symbol)
        result = finish(name, self._found, answers)
        folder = user_folder() / name
        result.skin.save(folder, contact_sheet(result.skin))
        return {"name": name, "folder": str(folder), "tiles": result.skin.known, "missing": result.skin.missing}


def _look(look: Look) -> dict[str, Any]:
    size = (look.crop.shape[1] * _ENLARGED, look.crop.shape[0] * _ENLARGED)
    enlarged = np.asarray(cv2.resize(look.crop, size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
    return {
        "number": look.number,
        "count": look.count,
        "row": look.where[1],
        "col": look.where[2],
        "picture": data_uri(enlarged),
        "cell": None if look.value is None else SYMBOLS[look.value],
        "proof": look.proof,
        "candidates": [SYMBOLS[value] for value in look.candidates],
        "asked": look.value is None and look.asked,
    }
