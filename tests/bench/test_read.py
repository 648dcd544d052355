"""The reading trial counts what a person would: tiles right, wrong and doubted, boards missed, corners off."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from bot.bench import BenchError
from bot.bench.read import bench_read, by_kind, find_truths
from bot.bench.speed import frame_speed
from bot.board import Board
from bot.clone.painter import Design, Painter
from bot.picture import save
from bot.show.tables import misread_lines
from bot.vision.skin import Skin

BOARD = Board.parse("""
    mines: 4
    0011#####
    001######
    001######
    001######
    0012#####
    0001#####
    0001#####
    0001F####
    0001#####
""")


def save_labelled(folder: Path, name: str, board: Board, **extra: object) -> Painter:
    """Save a picture of BOARD with a truth that says what `board` and `extra` do."""
    painter = Painter(9, 9, Design(pitch=20.0))
    save(folder / f"{name}.png", painter.paint(BOARD))
    lines = [line for line in str(board).splitlines() if ":" not in line]
    (folder / f"{name}.json").write_text(json.dumps({"cells": lines, **extra}), encoding="utf-8")
    return painter


def test_right_and_wrong_tiles_corners_and_counters_are_counted(tmp_path: Path) -> None:
    painter = save_labelled(tmp_path, "right", BOARD, mines_left=3)
    left, top = painter.origin
    box = [left + 5, top, left + 180, top + 180]
    save_labelled(tmp_path, "wrong", BOARD.replace({(0, 0): 5}), mines_left=2, grid_box=box, dialog=[0, 0, 9, 9])
    trial = bench_read(find_truths(tmp_path), Skin.load("win7"))
    by_name = {line.name: line for line in trial.lines(by_kind)}
    assert set(by_name) == {f"{tmp_path.name}, window", f"{tmp_path.name}, behind a dialog", "all"}
    total = by_name["all"]
    assert (total.pictures, total.missed, total.tiles) == (2, 0, 162)
    assert (total.right, total.wrong, total.doubted) == (161, 1, 0)
    assert (total.mines_left, total.corners) == ((1, 2), (0, 1))
    assert total.ratio > 1
    told = list(misread_lines(trial))
    assert told[0] == "wrong.png: wrong: 5 at row 1, column 1 read as 0"
    assert told[1] == "wrong.png: wrong: the mines left"
    assert re.fullmatch(r"wrong\.png: a corner is [45]\.\d px off", told[2])


def test_a_board_that_is_not_found_counts_as_missed(tmp_path: Path) -> None:
    save(tmp_path / "grey.png", np.full((200, 200, 3), 128, dtype=np.uint8))
    (tmp_path / "grey.txt").write_text(str(BOARD), encoding="utf-8")
    trial = bench_read(find_truths(tmp_path), Skin.load("win7"))
    assert trial.lines(by_kind)[-1].missed == 1
    assert list(misread_lines(trial)) == ["grey.png: not found"]


def test_a_folder_without_truths_and_a_broken_truth_are_named(tmp_path: Path) -> None:
    with pytest.raises(BenchError, match="no pictures with their truth"):
        find_truths(tmp_path)
    (tmp_path / "odd.json").write_text("[]", encoding="utf-8")
    with pytest.raises(BenchError, match=r"odd\.json"):
        find_truths(tmp_path)


def test_an_expert_frame_is_read_faster_when_less_of_it_changed_and_than_the_usual_way() -> None:
    speed = frame_speed(18.0, passes=3)
    assert speed.same_ms < speed.all_ms < speed.desktop_ms
    assert speed.ratio > 5
