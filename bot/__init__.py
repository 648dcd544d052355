"""A Minesweeper bot: it looks at the screen, solves exactly, and plays with the mouse.

As a library (docs/library.md): `read` a picture, `solve` a board, ask for its `odds`, `play_games` on a desktop. What
is named here is loaded when it is first used, so that importing this costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from bot.actions import Action as Action
    from bot.api import odds as odds
    from bot.api import play_games as play_games
    from bot.api import read as read
    from bot.api import solve as solve
    from bot.board import Board as Board
    from bot.board import Position as Position
    from bot.desktop import Desktop as Desktop
    from bot.errors import MinebotError as MinebotError
    from bot.level import Level as Level
    from bot.play import GameResult as GameResult
    from bot.play import Session as Session
    from bot.solver.decision import Candidate as Candidate
    from bot.solver.decision import Decision as Decision
    from bot.solver.decision import Move as Move
    from bot.solver.decision import Step as Step
    from bot.vision.grid import Grid as Grid
    from bot.vision.reader import Doubt as Doubt
    from bot.vision.reader import Reader as Reader
    from bot.vision.reader import Reading as Reading
    from bot.vision.skin import GameKind as GameKind
    from bot.vision.skin import Skin as Skin

_OFFERED = {
    "bot.actions": ("Action",),
    "bot.api": ("odds", "play_games", "read", "solve"),
    "bot.board": ("Board", "Position"),
    "bot.desktop": ("Desktop",),
    "bot.errors": ("MinebotError",),
    "bot.level": ("Level",),
    "bot.play": ("GameResult", "Session"),
    "bot.solver.decision": ("Candidate", "Decision", "Move", "Step"),
    "bot.vision.grid": ("Grid",),
    "bot.vision.reader": ("Doubt", "Reader", "Reading"),
    "bot.vision.skin": ("GameKind", "Skin"),
}
"""What this package offers, by where it is from."""

_WHERE = {name: module for module, names in _OFFERED.items() for name in names}

__all__ = [*_WHERE]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
