"""A game that nobody has a skin for is learnt by playing it, and then played."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Cell
from bot.calibrate.live import LiveCalibration, calibrate_live
from bot.clone.game import Game
from bot.desktop.timing import FAST
from bot.level import Level
from bot.picture import Picture
from bot.play import Player, Settings, Watcher
from bot.vision.reader import Reader, Reading
from tests.calibrate.madeup import PALETTES, table

LEVEL = Level(10, 12, 20)


def learnt(look: str, silent: bool = False) -> LiveCalibration:
    desktop = table(PALETTES[look], LEVEL, seed=5, silent=silent)
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


@pytest.mark.parametrize("look", ["dark", "a lawn without lines"])  # the others take longer and show the same
def test_a_game_never_seen_is_learnt_and_then_played_without_a_misread(look: str) -> None:
    result = learnt(look)
    assert set("01234#F?*X") <= set(result.skin.known)
    desktop = table(PALETTES[look], LEVEL, seed=900)
    witness = Witness(desktop.game)
    session = Player(desktop.desktop(), Reader(result.skin), Settings(strategy="csp"), witness).play(3)
    assert witness.misread == 0
    assert witness.looks > 4
    assert session.stop is None or "can't read the tile" in session.stop.reason


def test_a_game_that_keeps_its_mines_hidden_when_it_is_lost_is_learnt_by_the_rules() -> None:
    result = learnt("flat on white", silent=True)
    assert set("0123#F?X") <= set(result.skin.known)
    assert "*" not in result.skin.known
    desktop = table(PALETTES["flat on white"], LEVEL, seed=900, silent=True)
    witness = Witness(desktop.game)
    Player(desktop.desktop(), Reader(result.skin), Settings(strategy="csp"), witness).play(1)
    assert witness.looks > 3
    assert witness.wrongly == 0
