"""Marks on a screenshot: what a person sees of them."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bot import picture, solver
from bot.board import Board, Cell, place
from bot.cli import run
from bot.clone.game import Game
from bot.clone.painter import Design, Painter
from bot.level import LEVELS
from bot.picture import Picture
from bot.show.annotate import _sign, annotate
from bot.vision.grid import Grid

PITCHES = (16.0, 18.0, 22.6, 30.0, 50.0)

CERTAIN = Board.parse("mines: 3\n00001#\n00001#\n11001#\nF1111#\n######")
GUESS = Board.parse("mines: 5\n#####\n#####\n##3##\n#####\n#####")


def painted(board: Board, pitch: float) -> tuple[Picture, Grid]:
    painter = Painter(board.rows, board.cols, Design(pitch=pitch))
    grid = Grid(*painter.origin, pitch, pitch, board.rows, board.cols)
    return painter.paint(board, mines_left=board.mines_left).copy(), grid


def tile(shown: Picture, grid: Grid, row: int, col: int) -> Picture:
    left, top, right, bottom = (round(edge) for edge in grid.tile(row, col))
    return shown[top + 2 : bottom - 1, left + 2 : right - 1]


def hue(pixels: Picture) -> str:
    return ["blue", "green", "red"][int(np.median(pixels.reshape(-1, 3), axis=0).argmax())]


@pytest.mark.parametrize("pitch", PITCHES)
def test_safe_tiles_are_green_mines_red_and_open_tiles_untouched(pitch: float) -> None:
    shown, grid = painted(CERTAIN, pitch)
    decision = solver.decide(CERTAIN, strategy="csp")
    assert decision.safe
    assert decision.mined
    drawn = annotate(shown, grid, CERTAIN, decision)
    for cell in decision.safe:
        assert hue(tile(drawn, grid, *cell)) == "green"
    for cell in decision.mined:
        expected = "red" if CERTAIN.cells[cell] == Cell.COVERED else hue(tile(shown, grid, *cell))
        assert hue(tile(drawn, grid, *cell)) == expected
    for row, col in np.argwhere(CERTAIN.cells <= 8):
        assert np.array_equal(tile(drawn, grid, row, col), tile(shown, grid, row, col))


@pytest.mark.parametrize("pitch", PITCHES)
def test_rows_and_columns_are_numbered_beside_the_board_and_nothing_else_around_it_changes(pitch: float) -> None:
    board = Board.covered(9, 12)
    shown, grid = painted(board, pitch)
    drawn = annotate(shown, grid, board, solver.decide(board, strategy="csp"), "safe")
    left, top, right, bottom = (round(edge) for edge in grid.box)
    assert np.array_equal(drawn[top:bottom, left:right], shown[top:bottom, left:right])
    changed = (drawn != shown).any(axis=2)
    middles_down = [round(grid.center(row, 0)[1]) for row in range(board.rows)]
    middles_across = [round(grid.center(0, col)[0]) for col in range(board.cols)]
    assert runs(changed[:, :left].any(axis=1)) == pytest.approx(middles_down, abs=1)
    assert runs(changed[:top].any(axis=0)) == pytest.approx(middles_across, abs=1.5)
    assert changed.sum() == changed[top:bottom, :left].sum() + changed[:top, left:right].sum()
    assert not changed[:, : left - round(pitch)].any()
    assert not changed[: top - round(0.7 * pitch)].any()


def runs(flags: np.bool_ | NDArray[np.bool_]) -> list[float]:
    """The middle of every run of set flags."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], np.atleast_1d(flags), [False]]).astype(np.int8)))
    return ((edges[::2] + edges[1::2] - 1) / 2).tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("pitch", [16.0, 40.0])
def test_a_picture_of_the_board_alone_is_extended_for_its_rulers(
    pitch: float, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = Game(LEVELS["beginner"], seed=5)
    game.open(4, 4)
    shown, grid = painted(game.board(), pitch)
    left, top, right, bottom = (round(edge) for edge in grid.box)
    picture.save(tmp_path / "crop.png", shown[top:bottom, left:right])
    crop, out = str(tmp_path / "crop.png"), str(tmp_path / "out.png")
    for command in (["dry-run", crop, "--mines", "10"], ["read", crop]):
        assert run([*command, "--annotate", out]) == 0
        drawn = picture.load(out)
        scale = round(drawn.shape[1] / (right - left))
        down, across = (
            size - scale * inner for size, inner in zip(drawn.shape, (bottom - top, right - left), strict=False)
        )
        assert 0.4 * pitch < down / scale < pitch
        assert 0.4 * pitch < across / scale < pitch
        assert len(runs((drawn[:, :across] < 100).any(axis=(1, 2)))) == 9
        assert len(runs((drawn[:down] < 100).any(axis=(0, 2)))) == 9


def test_over_a_board_without_margins_rulers_are_half_transparent_and_the_size_stays() -> None:
    shown, grid = painted(GUESS, 18.0)
    left, top, right, bottom = (round(edge) for edge in grid.box)
    alone = shown[top:bottom, left:right]
    drawn = annotate(alone, Grid(0, 0, 18.0, 18.0, 5, 5), GUESS, solver.decide(GUESS, strategy="csp"), "safe")
    assert drawn.shape == alone.shape
    changed = (drawn != alone).any(axis=2)
    assert len(runs(changed[:, :3].any(axis=1))) >= 5
    assert not changed[18:, 12:].any()
    assert 30 < int(np.abs(drawn.astype(int) - alone).max()) < 160


@pytest.mark.parametrize("pitch", PITCHES)
def test_where_it_must_guess_every_covered_tile_carries_a_number(pitch: float) -> None:
    shown, grid = painted(GUESS, pitch)
    decision = solver.decide(GUESS, strategy="csp")
    assert decision.must_guess
    drawn = annotate(shown, grid, GUESS, decision)
    for row, col in np.argwhere(GUESS.hidden):
        assert not np.array_equal(tile(drawn, grid, row, col), tile(shown, grid, row, col))


@pytest.mark.parametrize("side", [14, 16, 20, 28, 48])
def test_no_two_percentages_look_alike(side: int) -> None:
    signs: list[NDArray[np.float32]] = [_sign(side, side, str(percent)) for percent in range(1, 100)]
    assert all(sign[:, [0, -1]].max() == 0 for sign in signs), "a number touches the tile's rim"
    assert min(float(np.abs(one - two).sum()) for one, two in combinations(signs, 2)) > 4


def test_the_move_is_framed_and_a_wrong_flag_struck_out() -> None:
    board = CERTAIN.replace({(4, 0): Cell.FLAG, (0, 5): Cell.FLAG})
    shown, grid = painted(board, 18.0)
    decision = solver.decide(board, strategy="csp")
    assert decision.wrong_flags
    assert decision.move is not None
    drawn = annotate(shown, grid, board, decision)
    for row, col in decision.wrong_flags:
        assert not np.array_equal(tile(drawn, grid, row, col), tile(shown, grid, row, col))
    left, top, *_ = grid.tile(decision.move.row, decision.move.col)
    assert drawn[round(top) + 1, round(left) + 4].tolist() == [0, 224, 255]


def test_hints_choose_what_is_drawn() -> None:
    shown, grid = painted(CERTAIN, 18.0)
    decision = solver.decide(CERTAIN, strategy="csp")
    mined = next(cell for cell in decision.mined if CERTAIN.cells[cell] == Cell.COVERED)
    assert decision.move is not None
    safe = next(cell for cell in decision.safe if cell != (decision.move.row, decision.move.col))
    for hints, certain in (("safe", True), ("all", True), ("odds", False)):
        drawn = annotate(shown, grid, CERTAIN, decision, hints)  # type: ignore[arg-type]
        assert (hue(tile(drawn, grid, *mined)) == "red") is certain
        assert (hue(tile(drawn, grid, *safe)) == "green") is certain
    guess = solver.decide(GUESS, strategy="csp")
    picture_of_guess, grid = painted(GUESS, 18.0)
    left, top, right, bottom = (round(edge) for edge in grid.box)
    nothing_certain = annotate(picture_of_guess, grid, GUESS, guess, "safe")
    assert np.array_equal(nothing_certain[top:bottom, left:right], picture_of_guess[top:bottom, left:right])


def test_a_board_that_is_cut_off_by_the_picture_is_marked_as_far_as_it_shows() -> None:
    shown, grid = painted(GUESS, 18.0)
    decision = solver.decide(GUESS, strategy="csp")
    moved = Grid(grid.left - 40, grid.top - 40, 18.0, 18.0, 5, 5)
    part = annotate(shown[40:90, 40:90], moved, GUESS, decision)
    assert np.array_equal(part, annotate(shown, grid, GUESS, decision)[40:90, 40:90])


def test_dry_run_writes_the_annotated_screenshot(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game(LEVELS["beginner"], seed=5)
    game.open(4, 4)
    shown, _ = painted(game.board(), 18.0)
    picture.save(tmp_path / "shot.png", shown)
    shot, out = str(tmp_path / "shot.png"), str(tmp_path / "out.png")
    assert run(["dry-run", shot, "--annotate", out, "--think", "0", "--mines", "10"]) == 0
    assert "would open" in capsys.readouterr().out
    drawn = picture.load(out)
    assert drawn.shape == shown.shape
    assert not np.array_equal(drawn, shown)


def test_a_wrong_flag_is_pointed_out_and_no_reason_to_stop(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = Game(LEVELS["beginner"], seed=5)
    game.open(4, 4)
    safe = solver.decide(game.board(), strategy="csp").safe[0]
    game.mark(*safe)
    shown, _ = painted(game.board(), 18.0)
    picture.save(tmp_path / "shot.png", shown)
    assert run(["dry-run", str(tmp_path / "shot.png"), "--mines", "10"]) == 0
    assert f"the flag at {place(*safe)} is wrong" in capsys.readouterr().out


def test_an_annotation_that_cant_be_made_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    shown, _ = painted(Board.covered(9, 9), 18.0)
    shot = str(tmp_path / "shot.png")
    picture.save(shot, shown)
    for out in (str(tmp_path / "none" / "out.png"), str(tmp_path / "out.wrong")):
        assert run(["dry-run", shot, "--annotate", out, "--mines", "10"]) == 2
        assert "can't write" in capsys.readouterr().err
    assert run(["dry-run", shot, shot, "--annotate", str(tmp_path / "out.png")]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shot.png"]
