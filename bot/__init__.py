"""A Minesweeper bot: it looks at the screen, solves exactly, and plays with the mouse.

As a library (docs/library.md): `read` a picture, `solve` a board, ask for its `odds`, `play_games` on a desktop. What
is named here is loaded when it is first used, so that importing this costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

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
    from bot.solver.decision import Decision as Decision
    from bot.vision.reader import Reader as Reader
    from bot.vision.reader import Reading as Reading
    from bot.vision.skin import Skin as Skin

_WHERE = {
    "Action": "bot.actions",
    "Board": "bot.board",
    "Decision": "bot.solver.decision",
    "Desktop": "bot.desktop",
    "Level": "bot.level",
    "MinebotError": "bot.errors",
    "Position": "bot.board",
    "Reader": "bot.vision.reader",
    "Reading": "bot.vision.reader",
    "Skin": "bot.vision.skin",
    "odds": "bot.api",
    "play_games": "bot.api",
    "read": "bot.api",
    "solve": "bot.api",
}
"""What this package offers, and where it is from."""

__all__ = [*_WHERE]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})
