"""A Minesweeper bot: it looks at the screen, solves exactly, and plays with the mouse.

As a library (docs/library.md): `read` a picture, `solve` a board, ask for its `odds`, `play_games` on a desktop. What
these need, and the types named here, are loaded when they are first used, so that importing this costs nothing.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bot.actions import Action as Action
    from bot.board import Board as Board
    from bot.board import Position as Position
    from bot.desktop import Desktop as Desktop
    from bot.errors import MinebotError as MinebotError
    from bot.level import Level as Level
    from bot.picture import Picture
    from bot.play import GameResult as GameResult
    from bot.play import Session as Session
    from bot.play import Settings, Watcher
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
    from bot.words import Rule, Strategy

_TYPES = {
    "bot.actions": ("Action",),
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
"""The types that this package offers, by where they are from."""

_WHERE = {name: module for module, names in _TYPES.items() for name in names}

__all__ = ["odds", "play_games", "read", "solve", *_WHERE]


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_WHERE[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_WHERE})


def read(picture: Picture | str | os.PathLike[str], skin: str | None = None) -> Reading:
    """Return the board in a picture, or in the file of one.

    A picture is an array of shape (height, width, 3), uint8, blue–green–red, as OpenCV has them. `skin` names the look;
    without, it is found out. Raises `NoBoardError`, `PictureError` or `SkinError`, all of them `MinebotError`.
    """
    from bot.picture import load
    from bot.vision.reader import Reader
    from bot.vision.skin import Skin

    reader = Reader(None if skin is None else Skin.load(skin))
    return reader.read(load(picture) if isinstance(picture, str | os.PathLike) else picture)


def solve(
    board: Board | str, *, strategy: Strategy = "deep", think: float = 1.0, rule: Rule = "open", explain: bool = False
) -> Decision:
    """Return what is safe, what is mined, the odds and the best move on a board, or on the text of one.

    `think` is how many seconds "deep" may take for a guess. With `explain` the proofs come with it, in `steps`.
    """
    from bot.board import Board
    from bot.solver import decide

    parsed = Board.parse(board) if isinstance(board, str) else board
    return decide(parsed, strategy=strategy, think=think, rule=rule, explain=explain)


def odds(board: Board | str) -> NDArray[np.float64]:
    """Return the exact chance of a mine for every hidden cell, shape (rows, cols); NaN where a cell is open."""
    return solve(board, strategy="csp", think=0.0).odds


def play_games(
    desktop: Desktop, games: int = 1, settings: Settings | None = None, watcher: Watcher | None = None
) -> Session:
    """Play so many games on a desktop, which need not be a real one, and return how they went."""
    from bot.play import Player, Settings
    from bot.vision.reader import Reader

    return Player(desktop, Reader(), settings or Settings("noflags", "best", 0.0), watcher).play(games)
