"""A game that nobody has a skin for is learnt by playing it, and then played."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Cell
from bot.calibrate.from_window import LiveCalibration, calibrate_live
from bot.calibrate.game_window import GameWindow
from bot.clone.desktop import CloneDesktop
from bot.clone.game import Game
from bot.desktop import Click, Key, StopRequestedError
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
