"""What a player would notice in the pictures of the clone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.board import Board, BoardError, Cell
from bot.clone import animation
from bot.clone.engine import Layout
from bot.clone.game import Game, State
from bot.clone.painter import Design, Painter, client_offset, dialog_rect, paint_dialog, paint_window
from bot.clone.tiles import Tile
from bot.level import LEVELS
from bot.picture import Picture
from bot.words import Pieces, Theme

styles = st.builds(
    Design, st.sampled_from(["blue", "green"]), st.sampled_from(["mines", "flowers"]), st.floats(12, 80, width=32)
)
COVERED = Board.covered(9, 9, 10)


def tile_at(painter: Painter, x: float, y: float) -> Tile | None:
    return Layout(painter.rows, painter.cols).tile_at(painter.layout_place(x, y))


def tile_of(painter: Painter, picture: Picture, tile: Tile) -> Picture:
    x, y = painter.tile_center(*tile)
    half = painter.design.pitch / 2 - 1
    return np.array(picture[round(y - half) : round(y + half), round(x - half) : round(x + half)])


def with_cells(changes: dict[Tile, int]) -> Board:
    return COVERED.replace(changes)


@given(styles, st.integers(9, 24), st.integers(9, 30))
@settings(max_examples=15, deadline=None)
def test_the_middle_of_every_tile_is_found_again(design: Design, rows: int, cols: int) -> None:
    painter = Painter(rows, cols, design)
    for row in (0, rows // 2, rows - 1):
        for col in (0, cols // 2, cols - 1):
            assert tile_at(painter, *painter.tile_center(row, col)) == (row, col)


@pytest.mark.parametrize("pitch", [12.0, 18.0, 21.06, 80.0])
def test_points_beside_the_board_belong_to_no_tile(pitch: float) -> None:
    painter = Painter(9, 9, Design(pitch=pitch))
    width, height = painter.size
    for x, y in ((0, 0), (width - 1, height - 1), (painter.origin[0] - 1, height / 2), (width / 2, height - 2)):
        assert tile_at(painter, x, y) is None


def test_the_default_expert_window_has_the_real_ones_size() -> None:
    painter = Painter(16, 30, Design(pitch=18))
    assert painter.size == (600, 351)
    assert painter.origin == pytest.approx((30, 30), abs=0.1)


@pytest.mark.parametrize("pitch", [11.9, 81.0, float("nan")])
def test_a_pitch_that_cannot_be_drawn_is_named(pitch: float) -> None:
    with pytest.raises(BoardError, match=f"{pitch:g} pixels"):
        Design(pitch=pitch)


def test_a_board_of_another_size_is_refused() -> None:
    with pytest.raises(BoardError, match="9×9"):
        Painter(16, 30).paint(COVERED)


@given(st.lists(st.tuples(st.sampled_from("omc"), st.integers(0, 8), st.integers(0, 8)), max_size=25), styles)
@settings(max_examples=15, deadline=None)
def test_painting_what_changed_gives_the_same_picture_as_painting_all(
    clicks: list[tuple[str, int, int]], design: Design
) -> None:
    game = Game(LEVELS["beginner"], seed=5)
    painter = Painter(9, 9, design)
    for number, (kind, row, col) in enumerate(clicks):
        {"o": game.open, "m": game.mark, "c": game.chord}[kind](row, col)
        painter.paint(game.board(), hover=(row, col), seconds=number, state=game.state, fading={(row, col): 0.4})
    changed = painter.paint(game.board(), state=game.state, seconds=7).copy()
    fresh = Painter(9, 9, design).paint(game.board(), state=game.state, seconds=7)
    assert np.array_equal(changed, fresh)


@pytest.mark.parametrize("theme", ["blue", "green"])
@pytest.mark.parametrize("kind", ["mines", "flowers"])
@pytest.mark.parametrize("pitch", [12.0, 18.0, 44.35])
def test_no_two_cells_look_alike(theme: Theme, kind: Pieces, pitch: float) -> None:
    painter = Painter(9, 9, Design(theme, kind, pitch))
    looks = []
    for value in range(int(Cell.UNREAD)):
        picture = painter.paint(with_cells({(4, 4): value}))
        looks.append(tile_of(painter, picture, (4, 4)).astype(int))
    for first in range(len(looks)):
        for second in range(first):
            assert np.abs(looks[first] - looks[second]).mean() > 3, (first, second)


def test_covered_tiles_are_bluer_than_open_ones_all_over_the_board() -> None:
    painter = Painter(24, 30)
    covered = painter.paint(Board.covered(24, 30)).copy()
    opened = painter.paint(Board(np.zeros((24, 30), dtype=np.uint8))).copy()
    for tile in ((0, 0), (0, 29), (12, 15), (23, 0), (23, 29)):
        blue_over_red = [
            float(np.subtract(*tile_of(painter, picture, tile).mean(axis=(0, 1))[[0, 2]]))
            for picture in (covered, opened)
        ]
        assert blue_over_red[0] >= 80
        assert blue_over_red[1] <= 45


def test_the_mouse_lights_a_covered_tile_and_nothing_else() -> None:
    painter = Painter(9, 9)
    plain = painter.paint(COVERED).copy()
    lit = painter.paint(COVERED, hover=(3, 5)).copy()
    changed = np.argwhere((plain != lit).any(axis=2))
    assert {tile_at(painter, x + 0.5, y + 0.5) for y, x in changed} == {(3, 5)}
    assert lit.astype(int).sum() > plain.astype(int).sum()


def test_a_covered_tile_throws_its_shadow_down_and_to_the_right() -> None:
    painter = Painter(9, 9, Design(pitch=36))
    open_everywhere = Board(np.zeros((9, 9), dtype=np.uint8))
    without = painter.paint(open_everywhere).copy()
    board = open_everywhere.replace({(4, 4): Cell.COVERED})
    shaded = painter.paint(board).copy()
    changed = {tile_at(painter, x + 0.5, y + 0.5) for y, x in np.argwhere((without != shaded).any(axis=2))}
    assert changed == {(4, 4), (5, 4), (4, 5)}


def test_a_fading_tile_goes_from_its_cover_to_itself_with_the_digit_there_all_along() -> None:
    painter = Painter(9, 9, Design(pitch=44.35))
    board = with_cells({(4, 4): 3})
    covered = tile_of(painter, painter.paint(COVERED), (4, 4)).astype(int)
    blank = tile_of(painter, painter.paint(with_cells({(4, 4): 0}), fading={(4, 4): 0.0}), (4, 4)).astype(int)
    begun = tile_of(painter, painter.paint(board, fading={(4, 4): 0.0}), (4, 4)).astype(int)
    done = tile_of(painter, painter.paint(board), (4, 4)).astype(int)
    assert np.array_equal(blank, covered)
    ink = done[..., 0] < 10  # the heart of the strokes, where nothing shines through
    assert ink.any()
    assert np.abs(begun - done)[ink].max() <= 2
    assert np.abs(begun - covered)[~ink].mean() < np.abs(begun - done)[~ink].mean()


def test_counters_show_their_numbers_and_may_be_empty() -> None:
    painter = Painter(9, 9, Design(pitch=30))
    shown = {
        (seconds, left): painter.paint(COVERED, seconds=seconds, mines_left=left).copy()
        for seconds in (None, 0, 999)
        for left in (10, -3)
    }
    pictures = list(shown.values())
    assert len({picture.tobytes() for picture in pictures}) == len(pictures)
    below = painter.board_rect.top + painter.board_rect.height
    assert all(np.array_equal(picture[:below], pictures[0][:below]) for picture in pictures)


def test_a_lost_game_shows_its_flags_over_mines_and_a_won_one_dims_its_mines() -> None:
    painter = Painter(9, 9, Design(pitch=30))
    flag, mine = with_cells({(4, 4): Cell.FLAG}), with_cells({(4, 4): Cell.MINE})
    playing = tile_of(painter, painter.paint(flag, state="playing"), (4, 4))
    lost = tile_of(painter, painter.paint(flag, state="lost"), (4, 4))
    won = tile_of(painter, painter.paint(mine, state="won"), (4, 4))
    covered = tile_of(painter, painter.paint(COVERED), (4, 4))
    assert won.mean() < covered.mean() < lost.mean()
    assert playing.mean() < lost.mean()


def test_a_pressed_tile_looks_open() -> None:
    painter = Painter(9, 9, Design(pitch=30))
    pressed = tile_of(painter, painter.paint(COVERED, pressed=[(4, 4)]), (4, 4))
    blank = tile_of(painter, painter.paint(with_cells({(4, 4): 0})), (4, 4))
    assert np.abs(pressed.astype(int) - blank).mean() < 30


LOST = Board.parse(
    """
    1#######*
    11######*
    01F######
    011##X###
    001######
    *########
    #########
    #########
    ########*
    """
)
TIMES = animation.loss_times(LOST, Random(1))
WON = Board.parse("\n".join(["*11000000", "111000000", *["000000000"] * 5, "000000011", "00000001*"]))
DELAYS = animation.deal_delays(9, 9, Random(1))


@pytest.mark.parametrize(
    ("board", "state", "effects_at", "seconds"),
    [
        (COVERED, "new", lambda seconds: animation.deal_in(DELAYS, seconds), animation.deal_seconds(DELAYS)),
        (LOST, "lost", lambda seconds: animation.loss_show(LOST, TIMES, seconds), animation.loss_seconds(TIMES)),
        (WON, "won", lambda seconds: animation.win_show(WON, seconds), animation.win_seconds(WON)),
    ],
    ids=["deal", "loss", "win"],
)
def test_an_animation_moves_and_comes_to_rest(
    board: Board, state: State, effects_at: Callable[[float], animation.Effects], seconds: float
) -> None:
    painter = Painter(9, 9)
    frames = [
        painter.paint(board, state=state, effects=effects_at(moment)).tobytes()
        for moment in (0, 0.4 * seconds, seconds)
    ]
    assert len(set(frames)) == 3
    assert frames[-1] == painter.paint(board, state=state).tobytes()


def test_shows_take_as_long_as_the_real_ones() -> None:
    deals = [animation.deal_seconds(animation.deal_delays(16, 30, Random(seed))) for seed in range(40)]
    assert min(deals) >= 0.6
    assert max(deals) <= 1.36
    losses = [animation.loss_seconds(animation.loss_times(LOST, Random(seed))) for seed in range(40)]
    assert 2 < min(losses) < max(losses) < 5
    assert 5 <= animation.win_seconds(WON) <= 7


def test_a_new_game_begins_as_open_blanks() -> None:
    painter = Painter(9, 9, Design(pitch=30))
    dealt = painter.paint(COVERED, state="new", effects=animation.deal_in(dict.fromkeys(DELAYS, 0.1), 0.0)).copy()
    rect = painter.board_rect
    blanks = painter.paint(Board.parse("\n".join(["0" * 9] * 9)))
    inside = np.s_[rect.top + 40 : rect.top + rect.height, rect.left + 40 : rect.left + rect.width]
    assert np.abs(dealt[inside].astype(int) - blanks[inside]).mean() < 3


def test_an_opening_shows_its_neighbours_at_once_and_far_tiles_after_the_square_of_their_distance() -> None:
    opened = [(0, col) for col in range(9)]
    early = animation.ripple(opened, (0, 0), 0.1)
    assert (0, 1) not in early
    assert early[0, 2] > early[0, 8] > 0
    assert animation.opening_seconds(opened, (0, 0)) == pytest.approx(0.15 + 0.064)
    assert animation.ripple(opened, (0, 0), 0.22) == {}
    assert animation.opening_seconds([(0, 0), (0, 1)], (0, 0)) == 0


def test_a_window_surrounds_the_client_area_without_touching_it() -> None:
    client = Painter(9, 9).paint(COVERED).copy()
    window = paint_window(client)
    left, top = client_offset()
    assert np.array_equal(window[top : top + client.shape[0], left : left + client.shape[1]], client)


@pytest.mark.parametrize("pitch", [12.0, 18.0, 60.0])
@pytest.mark.parametrize("kind", ["won", "lost"])
def test_a_dialog_covers_the_middle_and_only_that(kind: str, pitch: float) -> None:
    client = Painter(9, 9, Design(pitch=pitch)).paint(COVERED).copy()
    shown = paint_dialog(client, "won" if kind == "won" else "lost")
    rect = dialog_rect((client.shape[1], client.shape[0]), "won" if kind == "won" else "lost")
    inside = np.zeros(client.shape[:2], dtype=bool)
    inside[max(rect.top, 0) : rect.top + rect.height, max(rect.left, 0) : rect.left + rect.width] = True
    assert np.array_equal(shown[~inside], client[~inside])
    middle_y, middle_x = client.shape[0] // 2, client.shape[1] // 2
    assert shown[middle_y - 20 : middle_y + 20, middle_x - 20 : middle_x + 20].mean() > 180
