"""A board in the terminal: what a person sees of it and of what the solver says."""

import pytest

from bot import solver
from bot.board import Board
from bot.terminal import MINED, SAFE, board_text


def grounds(board: Board) -> list[str]:
    """Return the background of every cell, in reading order."""
    styles = [span.style for span in board_text(board, solver.decide(board, strategy="csp", think=0.0)).spans]
    return [str(style).rpartition(" on ")[2] for style in styles]


def test_what_is_certain_is_green_and_red() -> None:
    shown = grounds(Board.parse("mines: 1\n#1#\n011"))
    assert shown.count(MINED) == 1
    assert shown.count(SAFE) == 1


@pytest.mark.parametrize(
    ("text", "row", "shown"),
    [
        ("mines: 1\n1#\n##", 0, "1 33"),
        ("mines: 5\n1#####\n######\n######", 2, "············"),
        ("mines: 5\n1#####\n######\n######", 0, "1 33········"),
    ],
)
def test_where_it_must_guess_every_cell_near_a_number_shows_its_odds(text: str, row: int, shown: str) -> None:
    board = Board.parse(text)
    plain = board_text(board, solver.decide(board, strategy="csp", think=0.0)).plain
    assert plain.splitlines()[row] == shown


def test_a_board_without_a_decision_is_shown_as_the_game_shows_it() -> None:
    assert board_text(Board.parse("mines: 2\n01F#\n?2*X")).plain == "  1 ⚑   \n? 2 ● ✹ \n"
