"""A board in the terminal: what a person sees of it and of what the solver says."""

import pytest
from rich.console import Console

from bot import solver
from bot.board import Board
from bot.show.terminal import MINED, SAFE, board_text, has_colours, heat


def grounds(board: Board) -> list[str]:
    """Return the background of every cell, in reading order."""
    styles = [span.style for span in board_text(board, solver.decide(board, strategy="csp", think=0.0)).spans]
    return [str(style).rpartition(" on ")[2] for style in styles if " on " in str(style)]


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
    assert plain.splitlines()[row + 1] == f"{row + 1} {shown}"


def test_a_board_without_a_decision_is_shown_as_the_game_shows_it() -> None:
    assert board_text(Board.parse("mines: 2\n01F#\n?2*X")).plain == "  1 2 3 4\n1   1 ⚑   \n2 ? 2 ● ✹ \n"
    assert board_text(Board.parse("mines: 2\n01F#\n?2*X"), colours=False).plain.splitlines()[1:] == [
        "1   1 F # ",
        "2 ? 2 * X ",
    ]


GUESS = Board.parse("mines: 99\n" + "1" + "#" * 29 + "\n" + ("#" * 30 + "\n") * 15)


@pytest.mark.parametrize(("columns", "widest"), [(80, 63), (63, 63), (62, 33), (50, 33)])
def test_an_expert_board_fits_its_terminal_with_every_row_and_column_numbered(columns: int, widest: int) -> None:
    lines = board_text(GUESS, width=columns).plain.splitlines()
    assert max(map(len, lines)) == widest
    assert [line.split()[0] for line in lines[-16:]] == [str(row) for row in range(1, 17)]
    column = lines[-16].index("1", 3)  # the first cell
    assert lines[-17][column] == "1"
    numbers = lines[-17].split() if widest == 63 else list(lines[-17].strip())
    assert numbers[-1] == ("30" if widest == 63 else "0")


def test_odds_have_the_colour_of_their_risk_and_two_digits() -> None:
    risky = Board.parse("mines: 2\n2#\n##")  # two of three
    assert grounds(risky).count("#{:02x}{:02x}{:02x}".format(*heat(67))) == 3
    assert board_text(risky, solver.decide(risky, think=0.0)).plain.splitlines()[1] == "1 2 67"


@pytest.mark.parametrize("colours", [True, False])
def test_what_is_certain_has_a_sign_in_any_terminal(colours: bool) -> None:
    board = Board.parse("mines: 1\n#1#\n011")
    text = board_text(board, solver.decide(board, strategy="csp", think=0.0), colours=colours)
    assert text.plain.splitlines()[1] == "1 + 1 ! "
    assert colours or not any(str(span.style) not in ("", "none") for span in text.spans)


@pytest.mark.parametrize(("variable", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_that_wants_or_has_no_colours_is_known(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert has_colours(Console(force_terminal=True))
    monkeypatch.setenv(variable, value)
    assert not has_colours(Console(force_terminal=True))
