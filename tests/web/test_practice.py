"""Games to practise on: dealt as promised, played as the clone plays, reviewed as the coach reviews."""

import numpy as np
import pytest

from bot import solver
from bot.board import Board
from bot.coach.review import Journal, review_lines
from bot.web.answers import RequestError
from bot.web.practice import Practices
from tests.web.conftest import Client


def play(client: Client, rule: str, choose: str) -> tuple[dict, list[Board]]:  # type: ignore[type-arg]
    """Play a game to its end by always opening the most or the least likely mine; return the end and all boards."""
    seen = client.ask("practice", {"level": "beginner", "rule": rule, "seed": 3})
    game, boards = seen["game"], [Board.parse(seen["board"])]
    cell = (4, 4)
    while True:
        seen = client.ask("click", {"game": game, "act": "open", "row": cell[0], "col": cell[1]})
        boards.append(Board.parse(seen["board"]))
        if seen["state"] in ("won", "lost"):
            return seen, boards
        assert seen["review"] is None
        assert seen["seed"] is None
        assert "*" not in seen["board"]
        odds = solver.decide(boards[-1], strategy="csp", think=0.0).odds
        best = np.nanargmax(odds) if choose == "worst" else np.nanargmin(odds)
        cell = divmod(int(best), boards[-1].cols)


@pytest.mark.parametrize("choose", ["worst", "best"])
def test_the_review_is_the_one_that_the_coach_would_give(choose: str, client: Client) -> None:
    seen, boards = play(client, "open", choose)
    journal = Journal()
    for board in boards:
        lost = board is boards[-1] and seen["state"] == "lost"
        journal.note(board, solver.decide(board, strategy="csp", think=0.0), lost)
    assert seen["review"]["lines"] == list(review_lines(journal.review(seen["state"] == "won")))
    assert (seen["state"] == "lost") == (choose == "worst")
    if choose == "worst":
        assert seen["review"]["needless"]
        risk = seen["review"]["risks"][-1]
        assert Board.parse(risk["board"]) in boards


def test_flags_and_chords_are_clicks_too(client: Client) -> None:
    seen = client.ask("practice", {"level": "9x9/1", "rule": "safe", "seed": 1})
    for expected in ("F", "?", "#"):
        marked = client.ask("click", {"game": seen["game"], "act": "mark", "row": 0, "col": 0})
        assert Board.parse(marked["board"]).cells[0, 0] == "012345678#F?*Xx.".index(expected)


def test_games_that_are_not_kept_any_more_are_told_of() -> None:
    practices = Practices()
    first = practices.begin({"level": "beginner", "rule": "open"})["game"]
    for _ in range(32):
        practices.begin({"level": "beginner", "rule": "open"})
    with pytest.raises(RequestError, match="not kept"):
        practices.act({"game": first, "act": "open", "row": 0, "col": 0})
