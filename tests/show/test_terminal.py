"""A board in the terminal: what a person sees of it and of what the solver says."""

import pytest
from rich.color import ColorSystem
from rich.console import Console
from rich.style import Style

from bot import solver
from bot.board import Board
from bot.show.terminal import MINED, SAFE, board_text, colours_of, heat

SIXTEEN = Console(force_terminal=True, color_system="standard")


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
    assert board_text(Board.parse("mines: 2\n01F#\n?2*X"), colours=None).plain.splitlines()[1:] == [
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


@pytest.mark.parametrize("colours", ["truecolor", "standard", None])
def test_what_is_certain_has_a_sign_in_any_terminal(colours: str | None) -> None:
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
    assert colours_of(Console(force_terminal=True))
    monkeypatch.setenv(variable, value)
    assert not colours_of(Console(force_terminal=True))


XTERM = (
    *((0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229)),
    *((127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255)),
    (255, 255, 255),
)
VGA = (
    *((0, 0, 0), (170, 0, 0), (0, 170, 0), (170, 85, 0), (0, 0, 170), (170, 0, 170), (0, 170, 170), (170, 170, 170)),
    *((85, 85, 85), (255, 85, 85), (85, 255, 85), (255, 255, 85), (85, 85, 255), (255, 85, 255), (85, 255, 255)),
    (255, 255, 255),
)
LEAST_CONTRAST = 3.0
"""What WCAG 2 asks of large or bold text."""


def luminance(colour: tuple[int, int, int]) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    linear = [part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("palette", [XTERM, VGA], ids=["xterm", "VGA"])
@pytest.mark.parametrize(
    "text", ["mines: 30\n12345678F?*Xx.\n" + 9 * f"{14 * '#'}\n", "mines: 3\n1###\n1F1#\n01##\n01##"]
)
def test_every_sign_is_legible_in_sixteen_colours(text: str, palette: tuple[tuple[int, int, int], ...]) -> None:
    board = Board.parse(text)
    shown = board_text(
        board, solver.decide(board, strategy="csp", think=0.0), lit=[(1, 3)], colours=colours_of(SIXTEEN)
    )
    seen = 0
    for span in shown.spans:
        style = span.style
        if not isinstance(style, Style) or style.color is None or style.bgcolor is None:
            continue
        if not shown.plain[span.start : span.end].strip():
            continue
        ink, ground = (
            luminance(palette[each.downgrade(ColorSystem.STANDARD).number or 0])
            for each in (style.color, style.bgcolor)
        )
        assert (max(ink, ground) + 0.05) / (min(ink, ground) + 0.05) >= LEAST_CONTRAST, shown.plain[
            span.start : span.end
        ]
        seen += 1
    assert seen > 5
