"""Timing the odds: the file format, the truth beside it, and positions that could come from a game."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from bot.bench import BenchError
from bot.bench.speed import bench_odds, half_played, read_positions
from bot.level import Level
from bot.show.documents import odds_speed_json
from tests.solver.brute_force import enumerate_layouts

POSITIONS = """@ small 3 2 2 mid 1 open
1##
1##
@ line 4 1 1 mid 2 open
01##
"""


def test_a_position_file_is_timed_and_checked_against_its_truth(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(POSITIONS)
    truths = [
        {"id": name, "mine_prob": [float(chance) for chance in enumerate_layouts(board).odds.values()]}
        for name, board in read_positions(path).items()
    ]
    (tmp_path / "some.json").write_text(json.dumps({"positions": truths}))
    speed = bench_odds(path, peer=False)
    assert list(odds_speed_json(speed))[:5] == ["positions", "mean_ms", "median_ms", "p99_ms", "max_ms"]
    assert speed.ours.positions == 2
    assert 0 < speed.ours.median_ms <= speed.ours.p99_ms <= speed.ours.max_ms
    assert speed.max_error == pytest.approx(0, abs=1e-12)


def test_a_false_truth_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "some.txt"
    path.write_text(POSITIONS)
    (tmp_path / "some.json").write_text(json.dumps({"positions": [{"id": "line", "mine_prob": [0.75, 0.0]}]}))
    assert bench_odds(path, peer=False).max_error == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("positions", "complaint"),
    [
        ([], "none of these positions"),
        ([{"id": "elsewhere", "mine_prob": [0.5]}], "none of these positions"),
        ([{"id": "line", "mine_prob": [0.75, 0.0, 0.0]}], '"line" has 2 hidden cells'),
        ([{"id": "line", "mine_prob": [0.75, None]}], '"line" has 2 hidden cells'),
    ],
)
def test_truths_that_dont_fit_the_positions_are_refused(
    tmp_path: Path, positions: list[dict[str, object]], complaint: str
) -> None:
    path = tmp_path / "some.txt"
    path.write_text(POSITIONS)
    (tmp_path / "some.json").write_text(json.dumps({"positions": positions}))
    with pytest.raises(BenchError, match=complaint):
        bench_odds(path, peer=False)


def test_the_peer_is_timed_on_the_same_positions(tmp_path: Path) -> None:
    pytest.importorskip("ms_toollib", reason="needs ms-toollib")
    path = tmp_path / "some.txt"
    path.write_text(POSITIONS)
    speed = bench_odds(path)
    assert speed.peer is not None
    assert speed.peer.positions == 2
    assert speed.ratio == pytest.approx(speed.peer.mean_ms / speed.ours.mean_ms)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no line begins"),
        ("@ a 3 1 1\n##\n", "says 1×3, the board is 1×2"),
        ("@ a 2 1 1\n#z\n", '"z" is not one of'),
        ("@ a 2 1 many\n##\n", "many"),
        ("@ a two 1 1\n##\n", "two"),
        ("@ a\n##\n", "line 1"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name_and_what_is_wrong(tmp_path: Path, text: str, complaint: str) -> None:
    path = tmp_path / "wrong.txt"
    path.write_text(text)
    with pytest.raises(BenchError, match=complaint) as error:
        read_positions(path)
    assert "wrong.txt" in str(error.value)


def test_a_half_played_board_is_half_open_and_has_a_layout() -> None:
    board = half_played(Level(5, 5, 5), seed=3)
    opened = np.count_nonzero(~board.hidden)
    assert opened >= 10
    assert enumerate_layouts(board).count >= 1
