"""Results files: they only grow, they refuse what they are not, and two of them pair up."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.bench import BenchError
from bot.bench.games import ResultsFile, compare, read_results


def test_games_that_end_early_wait_for_those_before_them(tmp_path: Path) -> None:
    path = tmp_path / "results"
    record = ResultsFile(path)
    with record.writing():
        record.add(2, b"11")
        assert path.read_bytes() == b""
        record.add(0, b"01")
        assert path.read_bytes() == b"0111"
        record.add(6, b"1")
    assert path.read_bytes() == b"0111"


def test_a_file_is_continued_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "results"
    path.write_bytes(b"010")
    record = ResultsFile(path)
    with record.writing():
        record.add(3, b"1")
    assert path.read_bytes() == b"0101"


def test_a_second_trial_does_not_write_to_the_file_of_a_first(tmp_path: Path) -> None:
    path = tmp_path / "results"
    first, second = ResultsFile(path), ResultsFile(path)
    with first.writing():
        first.add(0, b"01")
        with pytest.raises(BenchError, match="another trial writes"), second.writing():
            pass
    with pytest.raises(BenchError, match="another trial has written"), second.writing():
        pass  # it has read the file before the first trial wrote
    assert path.read_bytes() == b"01"


@pytest.mark.parametrize("content", [b"01x1", b"0101\n", b"\xff", b"won"])
def test_a_file_of_anything_else_is_refused_by_name(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    with pytest.raises(BenchError, match=r"notes\.txt"):
        read_results(path)
    assert path.read_bytes() == content


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    record = ResultsFile(tmp_path / "nowhere" / "results")
    with pytest.raises(BenchError, match="nowhere"), record.writing():
        pass


def test_pairs_show_what_two_win_rates_can_not(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(b"10" * 500)
    second.write_bytes(b"10" * 490 + b"11" * 10 + b"0000")
    found = compare(first, second)
    assert (found.games, found.wins, found.only_first, found.only_second) == (1000, (500, 510), 0, 10)
    assert found.difference == pytest.approx(0.01)
    low, high = found.difference_interval
    assert 0.003 < low < 0.004
    assert 0.016 < high < 0.017
    assert found.intervals[0][1] > found.intervals[1][0], "unpaired, the two could be equal"


def test_a_comparison_with_no_games_names_the_empty_file(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    first.write_bytes(b"1")
    second.write_bytes(b"")
    with pytest.raises(BenchError, match="second"):
        compare(first, second)
