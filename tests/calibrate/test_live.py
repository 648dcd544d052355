"""A game that nobody has a skin for is learnt by playing it, and then played."""

from __future__ import annotations

import numpy as np
import pytest

from bot.calibrate.live import LiveCalibration, calibrate_live
from bot.desktop.timing import FAST
from bot.level import Level
from bot.picture import Picture
from bot.play import Player, Settings, Watcher
from bot.vision.reader import Reader, Reading
from tests.calibrate.madeup import PALETTES, table

LEVEL = Level(10, 12, 20)


def learnt(look: str) -> LiveCalibration:
    desktop = table(PALETTES[look], LEVEL, seed=5)
    return calibrate_live(desktop.desktop(), FAST, "made-up", 12, lambda text: None)


class Witness(Watcher):
    """Holds every reading against the game itself."""

    def __init__(self, game: object) -> None:
        self.game, self.looks, self.misread = game, 0, 0

    def looked(self, reading: Reading, picture: Picture) -> None:
        self.looks += 1
        self.misread += int(np.count_nonzero(reading.board.cells != self.game.board().cells))  # type: ignore[attr-defined]


@pytest.mark.parametrize("look", ["dark", "a lawn without lines"])  # the others take longer and show the same
def test_a_game_never_seen_is_learnt_and_then_played_without_a_misread(look: str) -> None:
    result = learnt(look)
    assert set("01234#F?*X") <= set(result.skin.known)
    desktop = table(PALETTES[look], LEVEL, seed=900)
    witness = Witness(desktop.game)
    session = Player(desktop.desktop(), Reader(result.skin), Settings(strategy="csp"), witness).play(3)
    assert witness.misread == 0
    assert witness.looks > 10
    assert session.stop is None or "can't read the tile" in session.stop.reason
