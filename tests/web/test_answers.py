"""What the page is told of a board."""

import json
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board, Cell, Position, count_around, place, places
from bot.cli import run
from bot.clone.game import Game
from bot.coach.review import solved_without_guess
from bot.level import LEVELS
from bot.web.answers import Question, analysis, board_document, tells, thoughts
from tests.solver.brute_force import enumerate_layouts
from tests.web.conftest import FIXTURES, Client

MIDGAME = (FIXTURES / "clone/default-size-midgame.txt").read_text(encoding="utf-8")


def test_the_document_is_that_of_solve(client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in (MIDGAME, "mines: 2\n####\n1221\n0000", "mines: 4\n#######\n#1#1###\n#######"):
        (tmp_path / "board.txt").write_text(text, encoding="utf-8")
        assert run(["solve", str(tmp_path / "board.txt"), "--json", "--think", "0"]) == 0
        said = json.loads(capsys.readouterr().out)
        assert said.pop("counts_from") == 0  # which a page that shows its own rulers need not be told
        told = client.ask("analyse", {"board": text})["decision"]
        guessed = ("reason", "candidates", "move") if said["must_guess"] else ()
        assert set(told) == set(said)
        assert {key: told[key] for key in told if key not in guessed} == {
            key: said[key] for key in said if key not in guessed
        }


def test_sentences_and_cells_are_two_ways_to_say_the_same() -> None:
    assert places(f"from {place(2, 6)} to {place(0, 11)} and {place(2, 6)}") == [(2, 6), (0, 11)]
    assert places("nothing is named") == []


def test_every_proof_rests_on_numbers_and_on_earlier_steps() -> None:
    board = Board.parse(MIDGAME)
    answer = analysis(Question(board))
    steps, proofs = answer["decision"]["steps"], answer["proofs"]
    assert len(steps) == len(proofs) > 50
    for index, (step, proof) in enumerate(zip(steps, proofs, strict=True)):
        assert proof["numbers"], step
        assert all(board.cells[cell] <= 8 for cell in proof["numbers"])
        assert all(earlier < index for earlier in proof["after"])
    rests = [proof for proof in proofs if proof["after"]]
    assert rests


def test_what_contradicts_is_named_cell_by_cell() -> None:
    answer = analysis(Question(Board.parse("mines: 9\n#####\n1#300\n#####")))
    assert answer["decision"]["move"] is None
    assert (1, 3) in answer["clashes"]  # a 0 beside covered cells
    pair = analysis(Question(Board.parse("mines: 3\n##\n13\n##")))
    assert {(1, 0), (1, 1)} == set(pair["clashes"])


@pytest.mark.parametrize(
    "text", ["mines: 2\n####\n#1##\n###F", "mines: 3\n####\n1###\n####", "mines: 4\n####\n12##\n##F#"]
)
def test_what_a_cell_would_tell_is_what_all_layouts_say(text: str) -> None:
    board = Board.parse(text)
    truth = enumerate_layouts(board)
    for row, col in truth.hidden:
        shown = tells(board, Position(row, col))
        assert shown is not None
        counts = [0] * 9
        for layout in truth.layouts:
            mines = np.zeros(board.cells.shape, np.bool_)
            mines[tuple(zip(*truth.hidden, strict=True))] = layout
            if not mines[row, col]:
                counts[int(count_around(mines)[row, col])] += 1
        assert shown == pytest.approx([count / truth.count for count in counts], abs=1e-9)


def test_without_the_number_of_mines_nothing_is_told() -> None:
    assert tells(Board.parse("###\n#1#\n###"), Position(0, 0)) is None


def test_thoughts_get_better_and_can_be_given_up() -> None:
    board = Board.covered(16, 30, 99).replace({(8, 15): 2, (3, 4): 1, (12, 25): 3})
    opinions = list(thoughts(Question(board), lambda: True))
    assert len(opinions) > 1
    for opinion in opinions:
        candidates = opinion["decision"]["candidates"]
        assert len(opinion["tells"]) == len(candidates) > 1
        assert all(0 < candidate["value"] < 1 for candidate in candidates)
        move = opinion["decision"]["move"]
        assert (candidates[0]["row"], candidates[0]["col"]) == (move["row"], move["col"])
    assert list(thoughts(Question(board), lambda: False)) == []


def test_a_guess_that_must_be_made_anyway_is_compared_with_the_others() -> None:
    game = Game(LEVELS["expert"], "open", seed=3)
    game.open(3, 3)
    assert not solved_without_guess(game)
    decision = next(thoughts(Question(game.board()), lambda: True))["decision"]
    assert "must be guessed sooner or later" in decision["reason"]
    chosen, *others = decision["candidates"]
    assert others
    assert chosen["risk"] > min(other["risk"] for other in others)
    assert chosen["value"] >= max(other["value"] for other in others)


def test_a_cut_side_takes_away_what_the_edge_has_proved() -> None:
    board = Board.parse("mines: 1\n1#1\n111")
    whole, cut = analysis(Question(board)), analysis(Question(board, cut=frozenset({"top"})))
    assert whole["decision"]["mined"] == [[0, 1]]
    assert cut["decision"]["mined"] == [[0, 1]]  # the 1s of the last row see no further
    board = Board.parse("#1\n11")
    assert analysis(Question(board))["decision"]["mined"] == [[0, 0]]
    unsure = analysis(Question(board, cut=frozenset({"top", "left", "right", "bottom"})))["decision"]
    assert unsure["mined"] == []
    assert 0 < unsure["odds"][0][0] < 1
    assert (unsure["rows"], unsure["cols"]) == (2, 2)


def test_a_cut_board_speaks_of_its_own_cells() -> None:
    # Beyond the left side there may be a mine for the first 1; the rest is as it was.
    board = Board.parse("####\n1121\n0000")
    told = analysis(Question(board, cut=frozenset({"top", "left"})))
    move = told["decision"]["move"]
    assert move is not None
    assert board.cells[move["row"], move["col"]] == Cell.COVERED
    for step in told["decision"]["steps"]:
        for row, col in [*map(tuple, step["cells"]), *places(step["because"])]:
            assert 0 <= row < board.rows
            assert 0 <= col < board.cols


def test_a_link_says_what_a_text_says() -> None:
    document = board_document("http://127.0.0.1:1/secret/#b=3/ccF/121&rule=safe&cut=top,left")
    assert document == {
        "kind": "board",
        "board": "mines: 3\n##F\n121",
        "told": [],
        "rule": "safe",
        "cut": ["top", "left"],
    }
