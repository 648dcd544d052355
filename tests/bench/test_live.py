"""A trial on a window accounts for all of its time."""

from __future__ import annotations

import pytest

from bot.bench.playing import summed_up
from bot.clone.desktop import CloneDesktop
from bot.clone.game import Game
from bot.level import LEVELS
from bot.play import Player, Settings
from bot.show.documents import live_json
from bot.vision.reader import Reader
from bot.vision.skin import Skin


def test_every_second_of_the_games_is_accounted_for() -> None:
    desktop = CloneDesktop(Game(LEVELS["beginner"], "open", 1)).desktop()
    player = Player(desktop, Reader(Skin.load("win7")), Settings(strategy="csp"))
    trial = summed_up(player.play(3), player.timer)
    assert trial.stopped is None
    assert trial.games == 3
    assert sum(trial.spent.values()) == pytest.approx(trial.seconds, rel=0.2)
    assert 0 < trial.own_share < 1
    assert trial.clicks_per_second * trial.seconds == pytest.approx(trial.clicks)
    assert set(live_json(trial)) >= {"wins", "win_rate", "interval", "clicks_per_second", "spent", "own_share"}
