"""A game that is over is over, and won or lost, whatever its show or a dialog lets be seen of it."""

from __future__ import annotations

import random

import numpy as np
import pytest

from bot.board import Cell
from bot.clone import animation
from bot.clone.game import Game
from bot.clone.painter import Design, Painter, paint_dialog
from bot.level import LEVELS, Level
from bot.vision.reader import Reader
from tests.vision.midgame import SKIN
from tests.vision.test_reader import dealt

WHEN = (0.02, 0.3, 0.6, 0.9, 1.0)
"""Parts of a show after which it is looked at."""


def ended(seed: int) -> Game:
    """Return a game that was played to its end, every second one to a bad one."""
    chance = random.Random(seed)
    game = Game(chance.choice([*LEVELS.values(), Level(13, 22, 40)]), seed=seed)
    rows, cols = game.level.rows, game.level.cols
    game.open(rows // 2, cols // 2)
    mines = game.mines
    assert mines is not None
    places = [(int(row), int(col)) for row, col in np.argwhere(~mines)]
    chance.shuffle(places)
    for number, tile in enumerate(places):
        if seed % 2 and number == 25 and game.state == "playing":
            game.open(*map(int, chance.choice(np.argwhere(mines))))
        if game.state == "playing" and game.board().cells[tile] == Cell.COVERED:
            game.open(*tile)
    assert game.state in ("won", "lost")
    return game


@pytest.mark.parametrize("seed", range(16))
def test_the_end_of_a_game_is_never_told_wrongly(seed: int) -> None:
    game, chance = ended(seed), random.Random(seed)
    board, rows, cols = game.board(), game.level.rows, game.level.cols
    pitch = chance.uniform(12, 26)
    kind = chance.choice(["mines", "flowers"])
    painter = Painter(rows, cols, Design(chance.choice(["blue", "green"]), kind, pitch))  # type: ignore[arg-type]
    reader = Reader(SKIN)
    last = painter.paint(board, seconds=50, mines_left=game.mines_left, state=game.state).copy()
    grid = reader.read(last).grid
    assert reader.read(last, grid).state == game.state
    if game.state == "won":
        shows = [animation.win_show(board, part * animation.win_seconds(board)) for part in WHEN]
    else:
        times = animation.loss_times(board, chance)
        shows = [animation.loss_show(board, times, part * animation.loss_seconds(times)) for part in WHEN]
    for effects in shows:
        shown = painter.paint(board, seconds=50, mines_left=game.mines_left, state=game.state, effects=effects)
        assert reader.read(shown, grid).state == game.state
    behind = reader.read(paint_dialog(last, "won" if game.state == "won" else "lost"), grid)
    assert behind.state in ("playing", game.state), "where neither counter nor mines can be seen, nobody can tell"
    assert behind.state == game.state or (behind.board.cells == Cell.UNREAD).mean() > 0.5


@pytest.mark.parametrize("seed", range(5))
def test_a_won_game_is_not_lost_because_a_dialog_hides_its_counter(seed: int) -> None:
    """Its mines show, but every closed tile in sight is one: of a lost game more is left."""
    game = Game(LEVELS["expert"], seed=seed)
    game.open(8, 15)
    mines = game.mines
    assert mines is not None
    for row, col in np.argwhere(~mines).tolist():
        game.open(row, col)
    for design in (Design("green", "mines", 13.4), Design("blue", "flowers", 13.4)):
        picture = Painter(16, 30, design).paint(game.board(), seconds=50, mines_left=0, state="won").copy()
        reader = Reader(SKIN)
        grid = reader.read(picture).grid
        assert reader.read(paint_dialog(picture, "won"), grid).state in ("won", "playing")


@pytest.mark.parametrize(("rows", "cols", "pitch"), [(16, 16, 24.0), (16, 16, 33.3)])
def test_a_tile_at_the_rim_of_a_window_in_front_is_no_mine_that_went_off(rows: int, cols: int, pitch: float) -> None:
    picture = Painter(rows, cols, Design(pitch=pitch)).paint(dealt(rows, cols, 3), seconds=263, mines_left=30)
    reading = Reader(SKIN).read(paint_dialog(picture, "won"))
    assert reading.state == "playing"
    assert not (reading.board.cells == Cell.EXPLODED).any()
