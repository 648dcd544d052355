"""The bot in four functions, for programs that use it as a library; `import bot` offers them."""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from bot import solver
from bot.board import Board
from bot.desktop import Desktop
from bot.picture import Picture, load
from bot.play import Player, Session, Settings, Watcher
from bot.solver.decision import Decision
from bot.vision.reader import Reader, Reading
from bot.vision.skin import Skin
from bot.words import Rule, Strategy


def read(picture: Picture | str | os.PathLike[str], skin: str | None = None) -> Reading:
    """Return the board in a picture, or in the file of one.

    A picture is an array of shape (height, width, 3), uint8, blue–green–red, as OpenCV has them. `skin` names the look;
    without, it is found out. Raises `NoBoardError`, `PictureError` or `SkinError`, all of them `MinebotError`.
    """
    reader = Reader(None if skin is None else Skin.load(skin))
    return reader.read(picture if isinstance(picture, np.ndarray) else load(picture))


def solve(
    board: Board | str, *, strategy: Strategy = "deep", think: float = 1.0, rule: Rule = "open", explain: bool = False
) -> Decision:
    """Return what is safe, what is mined, the odds and the best move on a board, or on the text of one.

    `think` is how many seconds "deep" may take for a guess. With `explain` the proofs come with it, in `steps`.
    """
    return solver.decide(_board(board), strategy=strategy, think=think, rule=rule, explain=explain)


def odds(board: Board | str) -> NDArray[np.float64]:
    """Return the exact chance of a mine for every hidden cell, shape (rows, cols); NaN where a cell is open."""
    return solver.decide(_board(board), strategy="csp", think=0.0).odds


def play_games(
    desktop: Desktop, games: int = 1, settings: Settings | None = None, watcher: Watcher | None = None
) -> Session:
    """Play so many games on a desktop, which need not be a real one, and return how they went."""
    return Player(desktop, Reader(), settings or Settings("noflags", "best", 0.0), watcher).play(games)


def _board(board: Board | str) -> Board:
    return Board.parse(board) if isinstance(board, str) else board
