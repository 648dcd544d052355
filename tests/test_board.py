"""The board's text form, its neighbours and the contradictions it can see."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from bot.board import SYMBOLS, Board, BoardError, Cell, count_around, three_bv

boards = st.builds(
    lambda cells, mines: Board(cells, None if mines is None else min(mines, cells.size)),
    arrays(
        np.uint8,
        st.tuples(st.integers(1, 24), st.integers(1, 30)),
        elements=st.integers(0, len(SYMBOLS) - 1),
    ),
    st.none() | st.integers(0, 720),
)


@given(boards)
def test_text_form_round_trips(board: Board) -> None:
    assert Board.parse(str(board)) == board
    assert eval(repr(board), {"Board": Board}) == board
    assert hash(Board.parse(str(board))) == hash(board)


@given(boards, st.data())
def test_neighbours_are_all_cells_one_step_away_and_mutual(board: Board, data: st.DataObject) -> None:
    row = data.draw(st.integers(0, board.rows - 1))
    col = data.draw(st.integers(0, board.cols - 1))
    around = list(board.neighbours(row, col))
    everywhere = [(r, c) for r in range(board.rows) for c in range(board.cols)]
    assert around == [(r, c) for r, c in everywhere if max(abs(r - row), abs(c - col)) == 1]
    assert all((row, col) in board.neighbours(r, c) for r, c in around)
    mask = board.hidden
    assert count_around(mask)[row, col] == sum(mask[r, c] for r, c in around)


def test_parse_ignores_blank_lines_and_spaces_at_line_ends() -> None:
    assert Board.parse("\n  mines: 3 \r\n #1 \n 11\n\n") == Board(np.array([[9, 1], [1, 1]], np.uint8), 3)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the board is empty"),
        ("mines: 5\n", "the board is empty"),
        ("##\n#\n", 'line 2 has 1 cell where the first row has 2: "#"'),
        ("#9\n##", 'line 1, column 2: "9" is not one of'),
        ("mines: many\n##", 'line 1: "many" is not a number of mines'),
        ("mines: -1\n##", 'line 1: "-1" is not a number of mines'),
        pytest.param(
            f"mines: {'9' * 5000}\n##", f'line 1: "{"9" * 20}…" is not a number of mines', id="thousands of digits"
        ),
        ("mines: 5\n##\n##", "5 mines do not fit on 2×2 cells"),
    ],
)
def test_a_text_that_is_no_board_is_refused_with_what_and_where(text: str, message: str) -> None:
    with pytest.raises(BoardError) as refusal:
        Board.parse(text)
    assert message in str(refusal.value)


@pytest.mark.parametrize("cells", [np.zeros((0, 3)), np.zeros(4), np.full((2, 2), 16), np.full((2, 2), -1)])
def test_an_array_that_is_no_board_is_refused(cells: NDArray[np.uint8]) -> None:
    with pytest.raises(BoardError):
        Board(cells)


def test_a_board_never_changes() -> None:
    cells = np.full((2, 2), Cell.COVERED, dtype=np.uint8)
    board = Board(cells, 1)
    cells[0, 0] = 0
    assert board.cells[0, 0] == Cell.COVERED
    with pytest.raises(ValueError, match="read-only"):
        board.cells[0, 0] = 0


def test_what_is_marked_or_unread_is_as_hidden_as_what_is_covered() -> None:
    assert Board.parse("#F?.08*Xx").hidden.tolist() == [[True] * 4 + [False] * 5]


def test_mines_left_is_what_the_counter_shows() -> None:
    assert Board.parse("mines: 3\nF#\n##").mines_left == 2
    assert Board.parse("mines: 1\nFF\n##").mines_left == -1
    assert Board.parse("mines: 3\nFx?*X").mines_left == 1
    assert Board.parse("F#").mines_left is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("##\n##", []),
        ("1#\n##", []),
        ("F1\n11", []),
        ("*2\nX2", []),
        ("x1\n1X", []),
        ("2#\n11", ["the 2 at row 1, column 1 has only 1 cell around it that could hold a mine"]),
        ("0#\n11", ["the 0 at row 1, column 1 has 1 covered cell beside it"]),
        ("0?#", []),
        ("1FF", []),
        ("F1F", ["the 1 at row 1, column 2 has 2 flags around it"]),
        ("F1*", ["the 1 at row 1, column 2 has 2 flags around it"]),
        ("0*", ["the 0 at row 1, column 1 has 1 shown mine around it"]),
        ("mines: 1\n1#\n11", []),
        ("mines: 1\nFF\n##", ["the board has 2 flags, the game has 1 mine"]),
        ("mines: 1\n**\n##", ["the board shows 2 mines, the game has 1"]),
        ("mines: 3\n#22", ["the 2 at row 1, column 2 has only 1 cell around it that could hold a mine",
                           "the 2 at row 1, column 3 has only 0 cells around it that could hold a mine",
                           "only 1 cell could hold a mine, the game has 3"]),
    ],
)  # fmt: skip
def test_problems_tells_every_contradiction_at_once(text: str, expected: list[str]) -> None:
    assert Board.parse(text).problems() == expected


def test_a_wrong_flag_is_no_room_for_a_mine() -> None:
    assert Board.parse("1x").problems() == [
        "the 1 at row 1, column 1 has only 0 cells around it that could hold a mine"
    ]


def test_replace_changes_a_copy() -> None:
    board = Board.parse("mines: 1\n##\n##")
    assert str(board.replace({(0, 1): 1, (1, 0): Cell.FLAG})) == "mines: 1\n#1\nF#"
    assert str(board) == "mines: 1\n##\n##"


@pytest.mark.parametrize(
    ("mines", "clicks"),
    [
        ("...\n...\n...", 1),  # one opening
        ("*..\n...\n...", 1),
        ("*.*\n...\n...", 2),  # the opening and the number between the mines
        (".*.\n*.*\n.*.", 5),  # numbers only
        ("..*..\n..*..\n..*..", 2),  # two openings
    ],
)
def test_three_bv_counts_openings_and_the_numbers_no_flood_reaches(mines: str, clicks: int) -> None:
    assert three_bv(np.array([[symbol == "*" for symbol in row] for row in mines.splitlines()])) == clicks


def test_boards_are_equal_when_both_their_cells_and_their_mines_are() -> None:
    board = Board.parse("mines: 1\n#1\n11")
    assert board == Board.parse("mines: 1\n#1\n11")
    assert board != Board.parse("mines: 1\n1#\n11")
    assert board != Board.parse("mines: 2\n#1\n11")
    assert board != Board.parse("#1\n11")
    assert board != "mines: 1\n#1\n11"
