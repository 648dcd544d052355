"""The rules of the Windows 7 game.

A `Game` promises what the real one does: mines laid after the first click and away from it, floods, flags, question
marks, chords by the number of flags, mines shown and flags gone after a win, "restart this game" with the same mines.
It knows nothing of pixels, clocks or mice. What a player may know of it is `board()`; `mines` and `three_bv` are for
those who run the game, never for those who play it.

A `WatchedGame` also tells a `Referee` of every open, mark and chord, also of those that changed nothing. It writes one
JSON object a line into a file, at once, for who wants to compare what happened with what was meant.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TextIO

import numpy as np
from numpy.typing import NDArray

from bot.board import Board, BoardError, Cell, count_around, place, three_bv
from bot.clone.tiles import Tile
from bot.level import Level, seeded_mines
from bot.words import Rule

State = Literal["new", "playing", "won", "lost"]

ChooseSeed = Callable[[Level, Rule, int, int, int], int]
"""Which seed to deal by, given the level, the rule, the seed that it would be, and the row and column of the click."""

_COVERED, _FLAG, _QUESTION = Cell.COVERED, Cell.FLAG, Cell.QUESTION


class Game:
    """One game after another on one level.

    The same level, rule, seed and first click always give the same mines; without a seed they are random. With
    `choose_seed` the first click may lead to another seed, which is the game's from then on. Every
    method taking a cell raises `BoardError` when there is no such cell, and does nothing once the game is over.
    """

    def __init__(
        self,
        level: Level,
        rule: Rule = "open",
        seed: int | None = None,
        question_marks: bool = True,
        choose_seed: ChooseSeed | None = None,
    ) -> None:
        self.level = level
        self.rule = rule
        self.question_marks = question_marks
        self.choose_seed = choose_seed
        self._around = _neighbours(level.rows, level.cols)
        self.new(seed)

    @classmethod
    def with_mines(cls, mines: NDArray[np.bool_], question_marks: bool = True) -> Game:
        """Return a new game whose mines, shape (rows, cols), are already laid: its first click is not safe."""
        rows, cols = mines.shape
        game = cls(Level(rows, cols, int(np.count_nonzero(mines))), "none", question_marks=question_marks)
        game._lay(mines)
        return game

    def new(self, seed: int | None = None) -> None:
        """Start afresh: all covered, no mines laid yet."""
        self.seed = random.randrange(2**32) if seed is None else seed
        self._mines: NDArray[np.bool_] | None = None
        self._numbers: list[int] = []
        self.restart()

    def restart(self) -> None:
        """Cover everything again and keep the mines; where they are laid already, the first click is not safe."""
        self.state: State = "new"
        self._cells = [_COVERED] * (self.level.rows * self.level.cols)
        self._to_open = len(self._cells) - self.level.mines
        self._shown: Board | None = None

    @property
    def mines(self) -> NDArray[np.bool_] | None:
        """Where the mines are, shape (rows, cols), read-only; None before they are laid."""
        return self._mines

    @property
    def mines_left(self) -> int:
        """What the counter shows: mines minus flags, negative with too many; 0 once the game is won."""
        left = self.board().mines_left
        assert left is not None
        return 0 if self.state == "won" else left

    @property
    def three_bv(self) -> int | None:
        """The fewest left clicks that win without chords; None before the mines are laid."""
        return None if self._mines is None else three_bv(self._mines)

    def board(self) -> Board:
        """Return what the player sees; the same object until something changes."""
        if self._shown is None:
            cells = np.array(self._cells, dtype=np.uint8).reshape(self.level.rows, self.level.cols)
            self._shown = Board(cells, self.level.mines)
        return self._shown

    def open(self, row: int, col: int) -> None:
        """Left click: open a covered or question-marked cell, and from a 0 all that it floods. Flags stay shut."""
        cell = self._index(row, col)
        if self._over or self._cells[cell] not in (_COVERED, _QUESTION):
            return
        if self._mines is None:
            if self.choose_seed is not None:
                self.seed = self.choose_seed(self.level, self.rule, self.seed, row, col)
            self._lay(seeded_mines(self.level, self.rule, self.seed, row, col))
        self.state = "playing"
        self._open([cell])

    def mark(self, row: int, col: int) -> None:
        """Right click: covered to flag, to question mark where they are in use, to covered again."""
        cell = self._index(row, col)
        value = self._cells[cell]
        if self._over or value not in (_COVERED, _FLAG, _QUESTION):
            return
        after_flag = _QUESTION if self.question_marks else _COVERED
        self._cells[cell] = {_COVERED: _FLAG, _FLAG: after_flag, _QUESTION: _COVERED}[value]
        self._shown = None

    def chord(self, row: int, col: int) -> None:
        """Open everything unflagged around an open number that has as many flags around it; else do nothing."""
        cell = self._index(row, col)
        number = self._cells[cell]
        around = self._around[cell]
        if self._over or number > 8 or sum(self._cells[near] == _FLAG for near in around) != number:
            return
        self._open([near for near in around if self._cells[near] in (_COVERED, _QUESTION)])

    @property
    def _over(self) -> bool:
        return self.state in ("won", "lost")

    def _index(self, row: int, col: int) -> int:
        if not (0 <= row < self.level.rows and 0 <= col < self.level.cols):
            raise BoardError(f"{place(row, col)} is outside the {self.level.rows}×{self.level.cols} board")
        return row * self.level.cols + col

    def _lay(self, mines: NDArray[np.bool_]) -> None:
        self._mines = mines.copy()
        self._mines.setflags(write=False)
        numbers = count_around(mines).astype(np.int16)
        numbers[mines] = Cell.MINE
        self._numbers = numbers.ravel().tolist()

    def _open(self, chosen: Iterable[int]) -> None:
        """Open cells that are covered or question-marked, flooding from zeros, and settle what it means."""
        cells, numbers = self._cells, self._numbers
        stack = list(chosen)
        hit = [cell for cell in stack if numbers[cell] == Cell.MINE]
        while stack:
            cell = stack.pop()
            if cells[cell] not in (_COVERED, _QUESTION) or numbers[cell] == Cell.MINE:
                continue
            cells[cell] = numbers[cell]
            self._to_open -= 1
            if numbers[cell] == 0:
                stack.extend(self._around[cell])
        self._shown = None
        if hit:
            self._lose(hit)
        elif self._to_open == 0:
            self.state = "won"
            self._cells = [Cell.MINE if number == Cell.MINE else cells[i] for i, number in enumerate(numbers)]

    def _lose(self, hit: list[int]) -> None:
        self.state = "lost"
        for cell, number in enumerate(self._numbers):
            if number != Cell.MINE and self._cells[cell] == _FLAG:
                self._cells[cell] = Cell.WRONG_FLAG
            elif number == Cell.MINE and self._cells[cell] != _FLAG:
                self._cells[cell] = Cell.MINE
        for cell in hit:
            self._cells[cell] = Cell.EXPLODED


@lru_cache(maxsize=8)
def _neighbours(rows: int, cols: int) -> tuple[tuple[int, ...], ...]:
    """Return for every cell, counted row by row, the up to eight cells around it."""
    board = Board.covered(rows, cols)
    return tuple(
        tuple(r * cols + c for r, c in board.neighbours(row, col)) for row in range(rows) for col in range(cols)
    )


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
        question_marks: bool = True,
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
