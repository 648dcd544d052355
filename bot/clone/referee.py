"""The referee's account: what really happened to a game, line by line, for who wants to compare it with what was meant.

A `Referee` writes one JSON object a line into a file, at once, so that another process can read along. A `WatchedGame`
is a game that tells it of every open, mark and chord, also of those that changed nothing. Neither decides anything.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from bot.clone.game import ChooseSeed, Game
from bot.clone.tiles import Tile
from bot.level import Level
from bot.words import Rule


class Referee:
    """Writes down what happens; without a file it only counts."""

    def __init__(self, path: Path | None = None) -> None:
        self._file: TextIO | None = None if path is None else path.open("w", encoding="utf-8", buffering=1)
        self.written = 0
        """How many things have happened."""

    def write(self, what: str, game: Game, tile: Tile | None = None, **more: Any) -> None:
        """Add a line: when, what, to which tile (row, column), and what the game is now."""
        self.written += 1
        if self._file is not None:
            line = {"time": round(time.time(), 4), "what": what, "tile": tile, "state": game.state, "seed": game.seed}
            self._file.write(json.dumps(line | more) + "\n")

    def close(self) -> None:
        """Write no more."""
        if self._file is not None:
            self._file.close()
            self._file = None


class WatchedGame(Game):
    """A game under the referee's eyes."""

    def __init__(
        self,
        referee: Referee,
        level: Level,
        rule: Rule,
        seed: int | None,
        question_marks: bool,
        choose_seed: ChooseSeed | None = None,
    ) -> None:
        self._referee = referee
        super().__init__(level, rule, seed, question_marks, choose_seed)

    def restart(self) -> None:
        """Cover everything again; a game without mines is a new one."""
        super().restart()
        what = "new game" if self.mines is None else "restart"
        self._referee.write(what, self, level=str(self.level))

    def open(self, row: int, col: int) -> None:
        """Open, and tell of it."""
        before = self.board()
        super().open(row, col)
        self._tell("open", (row, col), before.cells)

    def mark(self, row: int, col: int) -> None:
        """Mark, and tell of it."""
        before = self.board()
        super().mark(row, col)
        self._tell("flag", (row, col), before.cells)

    def chord(self, row: int, col: int) -> None:
        """Chord, and tell of it."""
        before = self.board()
        super().chord(row, col)
        self._tell("chord", (row, col), before.cells)

    def _tell(self, what: str, tile: Tile, before: Any) -> None:
        after = self.board().cells
        changed = int(np.count_nonzero(before != after))
        self._referee.write(what, self, tile, changed=changed, shows=int(after[tile]))
