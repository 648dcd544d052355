"""A part of a board: it says which sides are cut, and nothing is concluded from what lies outside of it."""

from __future__ import annotations

import numpy as np
import pytest

from bot import solver
from bot.board import Board, BoardError

PART = Board.parse("cut: top left\n1#\n##")


def test_the_text_of_a_part_tells_its_cut_sides_and_reads_back() -> None:
    assert PART.cut == {"top", "left"}
    assert str(PART) == "cut: top left\n1#\n##"
    assert Board.parse(str(PART)) == PART
    assert Board.parse("1#\n##") != PART
    assert PART.replace({(1, 1): 2}).cut == PART.cut


@pytest.mark.parametrize(
    ("text", "why"),
    [("cut: above\n1#", '"above" is not one of top'), ("mines: 1\ncut: top\n1#", "no number of mines")],
)
def test_what_is_no_part_is_told(text: str, why: str) -> None:
    with pytest.raises(BoardError, match=why):
        Board.parse(text)


def test_a_number_at_a_cut_side_may_have_its_mines_outside() -> None:
    assert Board.parse("cut: top\n31\n00").problems() == []
    assert Board.parse("31\n00").problems() != []


def test_what_is_certain_on_a_whole_board_is_not_where_cells_lie_outside() -> None:
    whole, part = Board.parse("1#\n11"), Board.parse("cut: right\n1#\n11")
    assert solver.decide(whole).mined == ((0, 1),)
    assert solver.decide(part).mined == ((0, 1),)  # both ones on the left see it alone
    alone = Board.parse("cut: top\n1#1\n111")
    assert solver.decide(alone).mined == ((0, 1),)  # the middle 1 of the lower row sees nothing outside
    assert solver.decide(Board.parse("cut: bottom\n111\n1#1")).mined == ((1, 1),)
    assert solver.decide(Board.parse("cut: top right\n#1")).mined == ()


def test_a_decision_on_a_part_speaks_of_its_own_cells() -> None:
    part = Board.parse("cut: top left\n111##\n000##\n000##")
    decision = solver.decide(part)
    assert decision.odds.shape == (3, 5)
    assert all(part.cells[cell] > 8 for cell in (*decision.safe, *decision.mined))
    assert decision.move is None or part.cells[decision.move.row, decision.move.col] > 8
    assert np.isnan(decision.odds[0, 0])
    for step in decision.steps:
        assert "row 0" not in step.because
        assert "column 0" not in step.because
