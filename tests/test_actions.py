"""From a decision to clicks, by hand-made boards: `s` marks what the solver says is safe, `m` what is a mine."""

import numpy as np
import pytest

from bot.actions import Action, plan
from bot.board import Board, Position
from bot.solver.decision import Decision, Move
from bot.words import ClickStyle


def decided(board: Board, knowledge: str, guess: tuple[int, int, float] | None = None) -> Decision:
    """Return a decision that knows the cells marked `s` and `m` in a map of the board's shape."""
    marks = np.array([list(row) for row in knowledge.split()])
    safe = tuple(Position(int(row), int(col)) for row, col in np.argwhere(marks == "s"))
    mined = tuple(Position(int(row), int(col)) for row, col in np.argwhere(marks == "m"))
    row, col, risk = guess or (*safe[0], 0.0)
    odds = np.full(board.cells.shape, np.nan)
    return Decision(odds, safe, mined, Move("open", row, col, risk), guess is not None, "because")


def told(text: str, knowledge: str, style: ClickStyle) -> list[tuple[str, int, int]]:
    board = Board.parse(text)
    return [(action.kind, action.row, action.col) for action in plan(board, decided(board, knowledge), style)]


def test_flags_style_flags_every_proven_mine_and_opens_every_safe_tile() -> None:
    assert told("1##\n###", "_ms s__", "flags") == [("flag", 0, 1), ("open", 0, 2), ("open", 1, 0)]


def test_noflags_style_only_opens() -> None:
    assert told("1##\n###", "_ms s__", "noflags") == [("open", 0, 2), ("open", 1, 0)]


def test_a_mine_that_is_flagged_or_question_marked_is_left_alone() -> None:
    assert told("1F#\n?##", "_ms m__", "flags") == [("open", 0, 2)]


@pytest.mark.parametrize("style", ["flags", "noflags", "chords"])
def test_a_flag_on_a_safe_tile_comes_off_before_it_is_opened(style: ClickStyle) -> None:
    assert told("1F#", "_s_", style) == [("unflag", 0, 1)]


def test_chords_style_chords_where_that_takes_fewer_clicks() -> None:
    assert told("###\n#1#\n###", "mss s_s sss", "chords") == [("flag", 0, 0), ("chord", 1, 1)]


def test_chords_style_opens_where_flags_would_cost_more() -> None:
    assert told("###\n#5#\n##0", "mmm m_m ss_", "chords") == [("open", 2, 0), ("open", 2, 1)]


def test_a_flag_set_for_one_chord_is_free_for_the_next() -> None:
    actions = told("######\n##11##\n######", "_smss_ _s__s_ _ssss_", "chords")
    assert [kind for kind, _, _ in actions] == ["flag", "chord", "chord"]


def test_chords_keep_away_from_numbers_with_an_unknown_tile_or_a_question_mark_on_a_mine() -> None:
    assert ("chord", 1, 1) not in told("###\n#1#\n###", "_ss s_s sss", "chords")
    assert ("chord", 1, 1) not in told("?##\n#1#\n###", "mss s_s sss", "chords")


def test_a_guess_is_one_click_that_carries_its_risk() -> None:
    board = Board.parse("1#\n##")
    assert plan(board, decided(board, "__ __", (1, 1, 0.25)), "flags") == [Action("open", 1, 1, 0.25)]


def test_nothing_is_planned_when_there_is_no_move() -> None:
    board = Board.parse("00")
    finished = Decision(np.full((1, 2), np.nan), (), (), None, False, "the game is over")
    assert plan(board, finished, "flags") == []


@pytest.mark.parametrize(
    ("action", "before", "after", "done"),
    [
        (Action("open", 0, 0), "##", "1#", True),
        (Action("open", 0, 0), "##", "##", False),
        (Action("open", 0, 0), "##", "X#", True),
        (Action("flag", 0, 0), "##", "F#", True),
        (Action("flag", 0, 0), "##", "?#", False),
        (Action("unflag", 0, 0), "F#", "?#", True),
        (Action("unflag", 0, 0), "F#", "F#", False),
        (Action("chord", 0, 1), "F1#", "F11", True),
        (Action("chord", 0, 1), "F1#", "F1#", False),
    ],
)
def test_an_action_is_done_when_the_board_shows_it(action: Action, before: str, after: str, done: bool) -> None:
    assert action.done(Board.parse(before), Board.parse(after)) is done
