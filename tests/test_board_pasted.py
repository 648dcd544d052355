"""Boards as people paste them."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.board import Board, BoardError, parse_pasted
from bot.cli import run

OURS = "mines: 2\n##1\n#F1\n110"


@pytest.mark.parametrize(
    "text",
    [
        OURS,
        "Mines 2\n# # 1\n# f 1\n1 1 0\n",
        "2 mines\n\n```\n##1\n#F1\n110\n```\n",
        "mines = 2\n|#|#|1|\n|#|F|1|\n|1|1|0|",
        "mines: 2\n| # | # | 1 |\n| # | f | 1 |\n| 1 | 1 |   |",
        "mines 2\n#\t#\t1\n#\tF\t1\n1\t1\t0",
        "mines: 2\n--1\n-F1\n110",
        "mines: 2\n_ _ 1\n_ F 1\n1 1 0",
        "3x3x2\nHH1\nHF1\n110\n",
        "```\n# # 1\n# f 1\n1 1 0\n```\n\n2 mines\n",
    ],
)
def test_the_same_board_in_many_forms(text: str) -> None:
    assert parse_pasted(text)[0] == Board.parse(OURS)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("##1\n#F1\n110\nmines: 10", "10 mines do not fit"),
        ("##1\n#F1\n110\nmines: " + "9" * 5000, "is not a number of mines"),
        ("mines: 2\n##1\n#F1\n110\n3 mines", "above the board there are 2 mines, below it 3"),
    ],
)
def test_mines_below_a_board_must_fit_it_and_what_is_said_above(text: str, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        parse_pasted(text)


def test_minesweeprs_form() -> None:
    board, told = parse_pasted("...2x\n.113x\n.2*xx\n13*xx\nxxxxx")
    assert board == Board.parse("0002#\n0113#\n02*##\n13*##\n#####")
    assert told == ["read as minesweepr's form: x is covered, . blank, * a mine"]


def test_a_position_file_of_jsminesweeper_shows_its_mines() -> None:
    assert parse_pasted("2x2x1\nH?\n11")[0] == Board.parse("mines: 1\n#*\n11")


def test_what_is_understood_otherwise_is_told() -> None:
    assert parse_pasted("--1\n111")[1] == ['"-" was read as covered']
    assert parse_pasted("|#| |\n|1|1|")[1] == ["empty cells between bars were read as blank, 0"]
    assert parse_pasted(OURS)[1] == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("##\n#", "line 2"),
        ("```\nmines 3\n##\n#", "line 4"),
        ("# 12\n# #", "line 1"),
        ("#-\n##", '"-" beside "#"'),
        ("2x3x1\nHH\nHH", "3 rows"),
        ("##\n#Z", '"Z"'),
        ("```\n```", "empty"),
        ("", "empty"),
    ],
)
def test_what_is_no_board_is_named(text: str, said: str) -> None:
    with pytest.raises(BoardError, match=said):
        parse_pasted(text)


def test_solve_takes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "pasted.txt"
    file.write_text("```\n2 mines\n- - 1\n- f 1\n1 1 0\n```\n")
    assert run(["solve", str(file)]) == 0
    out, err = capsys.readouterr()
    assert "3×3, 2 mines" in out
    assert err == 'minebot: "-" was read as covered\n'
