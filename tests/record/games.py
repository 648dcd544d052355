"""Games played on the clone for the tests of what is kept of them."""

from pathlib import Path

from bot.clone.desktop import CloneDesktop
from bot.clone.game import Game
from bot.level import Level
from bot.play import Player, Session, Settings
from bot.record.recorder import Recorder
from bot.vision.reader import Reader

BEGINNER = Level(9, 9, 10)
SETTINGS = Settings(strategy="csp", think=0.0, level=BEGINNER)


def record(folder: Path, seed: int = 5, games: int = 1, warnings: list[str] | None = None) -> Session:
    """Play on the clone and record to a folder."""
    heard = [] if warnings is None else warnings
    recorder = Recorder(folder, SETTINGS, heard.append)
    clone = CloneDesktop(Game(BEGINNER, seed=seed))
    return Player(clone.desktop(), Reader(), SETTINGS, recorder).play(games)
