"""A game that nobody has a skin for is learnt by playing it, and then played."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell
from bot.calibrate.build import make_skin
from bot.calibrate.from_window import LiveCalibration, calibrate_live
from bot.calibrate.game_window import GameWindow
from bot.calibrate.samples import Sample, best_lattice, keep, kept, kept_folder, without_frame
from bot.clone.desktop import CloneDesktop
from bot.clone.game import Game
from bot.desktop import Click, Key, StopRequestedError
from bot.desktop.timing import FAST
from bot.level import Level
from bot.picture import Picture, save
from bot.play import Player, Settings, Watcher
from bot.vision.grid import Grid
from bot.vision.reader import Reader, Reading
from tests.calibrate.madeup import PALETTES, Talking, desktop_of, placed

LEVEL = Level(10, 12, 20)


def learnt(look: str, silent: bool = False) -> LiveCalibration:
    desktop = desktop_of(PALETTES[look], LEVEL, seed=5, silent=silent)
    return calibrate_live(desktop.desktop(), FAST, "made-up", 12, lambda text: None)


class Witness(Watcher):
    """Holds every reading against the game itself."""

    def __init__(self, game: Game) -> None:
        self.game, self.looks, self.misread, self.wrongly = game, 0, 0, 0

    def looked(self, reading: Reading, picture: Picture) -> None:
        self.looks += 1
        seen, truth = reading.board.cells, self.game.board().cells
        self.misread += int(np.count_nonzero(seen != truth))
        self.wrongly += int(np.count_nonzero((seen != truth) & (seen != Cell.UNREAD) & (truth != Cell.MINE)))


def test_a_message_over_the_end_of_a_game_is_learnt_as_no_tile() -> None:
    """Where the numbers left open what lay below, its sign and its paper were taken for tiles."""
    palette = PALETTES["flat on white"]
    desktop = desktop_of(palette, Level(9, 9, 10), seed=7, kind=Talking)
    skin = calibrate_live(desktop.desktop(), FAST, "made-up", 12, lambda text: None).skin
    assert set("012#F?*X") <= set(skin.known)
    assert {value: len(variants) for value, variants in skin.tiles.items()} == dict.fromkeys(skin.tiles, 1)


@pytest.mark.parametrize("look", ["dark", "a lawn without lines"])  # the others take longer and show the same
def test_a_game_never_seen_is_learnt_and_then_played_without_a_misread(look: str) -> None:
    result = learnt(look)
    assert set("01234#F?*X") <= set(result.skin.known)
    desktop = desktop_of(PALETTES[look], LEVEL, seed=900)
    witness = Witness(desktop.game)
    session = Player(desktop.desktop(), Reader(result.skin), Settings(strategy="csp"), witness).play(1)
    assert witness.misread == 0
    assert witness.looks > 4
    assert session.stop is None or "can't read the tile" in session.stop.reason


def test_a_board_is_told_from_a_frame_as_wide_as_a_line_of_it() -> None:
    """As a large window of sgt-mines draws it: tiles of the ground's colour in a frame of the tiles' own bevel."""
    picture, board = like_sgt_mines(53, 5)
    assert without_frame(picture, replace(board, rows=11, cols=10)) == board
    assert without_frame(picture, board) == board


def test_a_board_is_told_from_one_of_three_times_as_many_tiles_that_are_thirds_of_its_own() -> None:
    picture, board = like_sgt_mines(46, 4)
    found = best_lattice(picture)
    assert found is not None
    assert (found.rows, found.cols) == (board.rows, board.cols)
    assert np.allclose(found.box, board.box, atol=2)


@pytest.mark.parametrize(("pitch", "off"), [(53, 2), (57, 2), (57, 3)])
def test_a_frame_of_bevels_like_the_tiles_own_is_no_line_of_the_board(pitch: int, off: int) -> None:
    """Its lower right corner is as white as that of a tile, beside ground of the tiles' colour."""
    picture, board = like_sgt_mines(pitch, 5)
    covered = np.full((9, 9), Cell.COVERED, np.uint8)
    skin = make_skin("made-up", [(Sample("new", picture, board.moved(-off, -off)), covered)], origin="a game")
    assert Reader(skin).read(picture).board == Board(covered)


def like_sgt_mines(pitch: int, bevel: int) -> tuple[Picture, Grid]:
    """Return a picture of a new board of nine by nine such tiles, and where they are."""

    def sunk(left: int, top: int, side: int, upper: int, lower: int) -> None:
        cv2.rectangle(picture, (left, top), (left + side - 1, top + side - 1), (lower,) * 3, -1)
        corners = np.array([(left, top), (left + side - 1, top), (left, top + side - 1)])
        cv2.fillPoly(picture, [corners], (upper,) * 3)

    picture = np.full((700, 700, 3), 229, np.uint8)
    sunk(104, 98, 9 * pitch + 14, 153, 255)
    for row in range(9):
        for col in range(9):
            left, top = 111 + pitch * col, 105 + pitch * row
            sunk(left, top, pitch, 255, 153)
            picture[top + bevel : top + pitch - bevel, left + bevel : left + pitch - bevel] = 229
    return picture, Grid(111.0, 105.0, pitch, pitch, 9, 9)


def test_a_game_that_keeps_its_mines_hidden_when_it_is_lost_is_learnt_by_the_rules() -> None:
    result = learnt("flat on white", silent=True)
    assert set("0123#F?X") <= set(result.skin.known)
    assert "*" not in result.skin.known
    desktop = desktop_of(PALETTES["flat on white"], LEVEL, seed=900, silent=True)
    witness = Witness(desktop.game)
    Player(desktop.desktop(), Reader(result.skin), Settings(strategy="csp"), witness).play(1)
    assert witness.looks > 3
    assert witness.wrongly == 0


def test_what_was_learnt_before_a_stop_is_kept_and_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path))
    said: list[str] = []

    def stop_after_two_games(text: str) -> None:
        said.append(text)
        if text.startswith("game 2"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        calibrate_live(desktop_of(PALETTES["dark"], LEVEL, seed=5).desktop(), FAST, "dusk", 12, stop_after_two_games)
    assert "the same command goes on from it" in said[-1]
    learnt_then = set(said[-1].partition("(")[2].partition(")")[0])
    assert set("#F0123") <= learnt_then

    said.clear()
    result = calibrate_live(desktop_of(PALETTES["dark"], LEVEL, seed=50).desktop(), FAST, "dusk", 1, said.append)
    assert "going on" in said[1]
    assert learnt_then <= set(result.skin.known)
    assert kept(kept_folder("dusk")) == []


def test_what_was_kept_of_another_look_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path))
    other = Board(np.full((LEVEL.rows, LEVEL.cols), Cell.COVERED))
    sample = Sample("other", PALETTES["flat on white"].paint_board(other), placed(PALETTES["flat on white"], other))
    keep(kept_folder("dusk"), [(sample, np.array(other.cells))])
    said: list[str] = []
    calibrate_live(desktop_of(PALETTES["dark"], LEVEL, seed=5).desktop(), FAST, "dusk", 2, said.append)
    assert "left out" in said[1]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[1]",
        "{}",
        '[{"picture": "00.png", "grid": [0, 0, 1e308, 9, 3, 3], "cells": ["###", "###", "###"]}]',
        '[{"picture": "00.png", "grid": [0, 0, 9, 9, 3, 3], "cells": ["###"]}]',
        '[{"picture": "../../00.png", "grid": [0, 0, 9, 9, 1, 1], "cells": ["#"]}]',
    ],
)
def test_nothing_is_learnt_from_files_that_are_not_ours(content: str, tmp_path: Path) -> None:
    (tmp_path / "samples.json").write_text(content, encoding="utf-8")
    save(tmp_path.parent / "00.png", np.zeros((40, 40, 3), np.uint8))
    assert kept(tmp_path) == []


def test_nothing_is_sent_to_the_game_once_the_user_wants_to_stop() -> None:
    class Watched(CloneDesktop):
        def tap(self, key: Key) -> None:
            raise AssertionError(f"{key} was pressed")

        def click(self, clicks: list[Click]) -> int:
            raise AssertionError("clicked")

    wish: list[str] = []
    desktop = Watched(Game(LEVEL, seed=5), stop=lambda: wish[0] if wish else None)
    game = GameWindow(desktop.desktop(), FAST)
    game.find()
    wish.append("Esc was pressed")
    with pytest.raises(StopRequestedError, match="Esc"):
        game.click([(0, 0)])
    with pytest.raises(StopRequestedError, match="Esc"):
        game.start_anew(lambda sample: True)
