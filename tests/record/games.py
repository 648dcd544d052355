"""Games played on the clone for the tests of what is kept of them, and how to spoil what is kept."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.clone.desktop import CloneDesktop
from bot.clone.game import Game
from bot.level import Level
from bot.play import Player, Session, Settings
from bot.record.recorder import MANIFEST, Recorder
from bot.vision.reader import Reader

BEGINNER = Level(9, 9, 10)
SETTINGS = Settings(strategy="csp", think=0.0, level=BEGINNER)


def record(folder: Path, seed: int = 5, games: int = 1, warnings: list[str] | None = None) -> Session:
    """Play on the clone and record to a folder."""
    heard = [] if warnings is None else warnings
    recorder = Recorder(folder, SETTINGS, heard.append)
    clone = CloneDesktop(Game(BEGINNER, seed=seed))
    return Player(clone.desktop(), Reader(), SETTINGS, recorder).play(games)


def rewrite(game: Path, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Change a recording's lines."""
    file = game / MANIFEST
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    change(lines)
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def first(lines: list[dict[str, Any]], event: str) -> dict[str, Any]:
    """Return the first line of a kind."""
    return next(line for line in lines[1:] if line["event"] == event)
