"""Board: the one word every room speaks.

An immutable grid of what a player can see, with the number of mines when it is known. It converts to and from
text, knows neighbours, and lists every way in which it contradicts itself. It knows nothing of pixels, odds or
clicks.

`parse_pasted` takes a board as people paste it: cells apart by spaces, tabs or bars, the fences around code, `f` for a
flag, `-` or `_` for a covered cell, and two other programs' forms: JSMinesweeper's position file (`getPositionData` of
its Board.js: a first line WIDTHxHEIGHTxMINES, `H` covered, `F` flag, `?` a mine that shows) and minesweepr's (`Board`
of its minesweeper_util.py: `x` covered, `.` blank, `*` mine). Whatever is not taken as it stands is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.errors import MinebotError

Cells = NDArray[np.uint8]
"""Shape (rows, cols), dtype uint8, one `Cell` value each, read-only."""


class Position(NamedTuple):
    """A cell by row and column, 0-based."""

    row: int
    col: int


class Cell:
    """What a cell shows, as plain numbers; the open numbers 0 to 8 are their own values.

    Not an enum: comparing an array with a member makes numpy ask the enum's class in Python, and a Ctrl-C that comes
    just then is lost (Python up to 3.11).
    """

    COVERED = 9
    FLAG = 10
    QUESTION = 11
    MINE = 12  # shown after the end of a game
    EXPLODED = 13  # the mine that went off
    WRONG_FLAG = 14  # a flag shown to have had no mine under it
    UNREAD = 15  # could not be read


SYMBOLS = "012345678#F?*Xx."
"""The character of each cell value, by index."""

SIDES = ("top", "right", "bottom", "left")
"""The sides of a board, in the order in which they are told."""

_VALUE_OF = {symbol: value for value, symbol in enumerate(SYMBOLS)}

_MOST_DIGITS = 20
"""Of a number of mines; Python refuses to read one of thousands."""


class BoardError(MinebotError, ValueError):
    """A text or array that is no board; the message names what and where."""


@dataclass(frozen=True, eq=False)
class Board:
    """What a player sees of a game.

    `cells` is copied and made read-only. `mines` is the number of mines on the whole board, or None when unknown.
    `cut` names the sides beyond which the game's board goes on unseen: it is a part of a board then, numbers there may
    have mines outside, and how many mines it has nobody can know. Raises `BoardError` when the array is not a grid of
    cell values, `mines` does not fit into it, or a part of a board is said to have a number of mines.
    """

    cells: Cells
    mines: int | None = None
    cut: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        values = np.asarray(self.cells)
        if values.ndim != 2 or values.size == 0:
            raise BoardError(f"a board needs rows and columns, not an array of shape {values.shape}")
        if values.min() < 0 or values.max() >= len(SYMBOLS):
            raise BoardError(f"cell values run from 0 to {len(SYMBOLS) - 1}, not {values.min()} to {values.max()}")
        cells = np.array(values, dtype=np.uint8, order="C")
        cells.setflags(write=False)
        object.__setattr__(self, "cells", cells)
        object.__setattr__(self, "cut", frozenset(self.cut))
        if not self.cut <= {*SIDES}:
            raise BoardError(
                f"the sides of a board are {', '.join(SIDES)}, not {', '.join(sorted(self.cut - {*SIDES}))}"
            )
        if self.cut and self.mines is not None:
            raise BoardError("a part of a board has no number of mines")
        if self.mines is not None and not 0 <= self.mines <= cells.size:
            raise BoardError(f"{self.mines} mines do not fit on {cells.shape[0]}×{cells.shape[1]} cells")

    @classmethod
    def covered(cls, rows: int, cols: int, mines: int | None = None) -> Board:
        """Return a board before its first click."""
        return cls(np.full((rows, cols), Cell.COVERED, dtype=np.uint8), mines)

    @classmethod
    def parse(cls, text: str) -> Board:
        """Read the text form: an optional line `mines: N` or `cut: top left`, then one line a row.

        Blank lines around the board and spaces at the ends of lines are ignored. Raises `BoardError` naming the
        first line that is wrong.
        """
        mines: int | None = None
        cut: frozenset[str] = frozenset()
        rows: list[str] = []
        for number, raw in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
            line = raw.strip()
            if not line:
                continue
            if not rows and line.lower().startswith("mines:"):
                mines = _parse_mines(line, number)
                continue
            if not rows and line.lower().startswith("cut:"):
                cut = _parse_cut(line, number)
                continue
            for col, symbol in enumerate(line):
                if symbol not in _VALUE_OF:
                    raise BoardError(f'line {number}, column {col + 1}: "{symbol}" is not one of "{SYMBOLS}"')
            if rows and len(line) != len(rows[0]):
                raise BoardError(
                    f'line {number} has {counted(len(line), "cell")} where the first row has {len(rows[0])}: "{line}"'
                )
            rows.append(line)
        if not rows:
            raise BoardError("the board is empty")
        return cls(np.array([[_VALUE_OF[symbol] for symbol in row] for row in rows], dtype=np.uint8), mines, cut)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.cells.shape[0])

    @property
    def cols(self) -> int:
        """Number of columns."""
        return int(self.cells.shape[1])

    @property
    def flags(self) -> int:
        """Number of flags the player has set, wrong ones included."""
        return int(np.count_nonzero((self.cells == Cell.FLAG) | (self.cells == Cell.WRONG_FLAG)))

    @property
    def mines_left(self) -> int | None:
        """What the game's counter shows: mines minus flags (negative with too many flags), or None."""
        return None if self.mines is None else self.mines - self.flags

    @cached_property
    def hidden(self) -> NDArray[np.bool_]:
        """Cells still hiding what is under them: covered, flagged, question-marked or unread. Shape (rows, cols)."""
        cells = self.cells
        mask: NDArray[np.bool_] = (cells >= Cell.COVERED) & (cells <= Cell.QUESTION) | (cells == Cell.UNREAD)
        mask.setflags(write=False)
        return mask

    def neighbours(self, row: int, col: int) -> Iterator[tuple[int, int]]:
        """Yield the up to eight cells around one, in reading order."""
        for r in range(max(row - 1, 0), min(row + 2, self.rows)):
            for c in range(max(col - 1, 0), min(col + 2, self.cols)):
                if (r, c) != (row, col):
                    yield r, c

    @property
    def cut_sides(self) -> list[str]:
        """The sides that are cut, in the order in which sides are told."""
        return [side for side in SIDES if side in self.cut]

    def replace(self, changes: dict[tuple[int, int], int]) -> Board:
        """Return a copy with some cells changed."""
        cells = self.cells.copy()
        for position, value in changes.items():
            cells[position] = value
        return Board(cells, self.mines, self.cut)

    @property
    def beside_cut(self) -> NDArray[np.bool_]:
        """Cells at a side that is cut, whose neighbours are not all seen. Shape (rows, cols)."""
        mask = np.zeros(self.cells.shape, dtype=np.bool_)
        for side, line in (("top", mask[0]), ("right", mask[:, -1]), ("bottom", mask[-1]), ("left", mask[:, 0])):
            line[:] |= side in self.cut
        return mask

    def problems(self) -> list[str]:
        """Return one sentence for every contradiction that can be seen cell by cell; an empty list when none.

        A 0 beside a covered cell (the game would have opened it), a number with too few cells left to hold its mines,
        a number with more shown mines or flags than it says, more flags or shown mines than the game has, and too few
        cells for the mines. What only a solver can see is the solver's to tell.
        """
        return list(self._problems)

    @cached_property
    def _problems(self) -> tuple[str, ...]:
        return (*self._number_problems(), *self._total_problems())

    def _number_problems(self) -> Iterator[str]:
        shown = (self.cells == Cell.MINE) | (self.cells == Cell.EXPLODED)
        flagged = self.cells == Cell.FLAG
        # A wrong flag marks a cell shown to hold no mine, so it is neither hidden nor a mine.
        around_shown = count_around(shown)
        around_flagged = count_around(flagged)
        around_room = count_around(self.hidden | shown)
        around_covered = count_around(self.cells == Cell.COVERED)
        number_here = self.cells <= 8
        beside_covered = (self.cells == 0) & (around_covered > 0)
        short_of_room = number_here & (around_room < self.cells) & ~self.beside_cut
        too_many = number_here & (around_shown + around_flagged > self.cells)
        for row, col in np.argwhere(beside_covered | short_of_room | too_many).tolist():
            number = int(self.cells[row, col])
            name = f"the {number} at {place(row, col)}"
            mines, flags = int(around_shown[row, col]), int(around_flagged[row, col])
            if beside_covered[row, col]:
                yield f"{name} has {counted(int(around_covered[row, col]), 'covered cell')} beside it"
            if short_of_room[row, col]:
                yield f"{name} has only {counted(int(around_room[row, col]), 'cell')} around it that could hold a mine"
            if mines > number:
                yield f"{name} has {counted(mines, 'shown mine')} around it"
            elif too_many[row, col]:
                yield f"{name} has {counted(mines + flags, 'flag')} around it"

    def _total_problems(self) -> Iterator[str]:
        if self.mines is None:
            return
        shown = int(np.count_nonzero((self.cells == Cell.MINE) | (self.cells == Cell.EXPLODED)))
        flags = int(np.count_nonzero(self.cells == Cell.FLAG))
        room = shown + int(np.count_nonzero(self.hidden))
        if shown > self.mines:
            yield f"the board shows {counted(shown, 'mine')}, the game has {self.mines}"
        elif shown + flags > self.mines:
            yield f"the board has {counted(shown + flags, 'flag')}, the game has {counted(self.mines, 'mine')}"
        if room < self.mines:
            yield f"only {counted(room, 'cell')} could hold a mine, the game has {self.mines}"

    def __str__(self) -> str:
        head = [] if self.mines is None else [f"mines: {self.mines}"]
        head += [f"cut: {' '.join(self.cut_sides)}"] if self.cut else []
        return "\n".join(head + ["".join(SYMBOLS[value] for value in row) for row in self.cells])

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (self.mines, self.cut) == (other.mines, other.cut) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.mines, self.cut, self.cells.shape, self.cells.tobytes()))


def place(row: int, col: int) -> str:
    """Return how people are told of a cell: 1-based, "row 3, column 7"."""
    return f"row {row + 1}, column {col + 1}"


PLACE = re.compile(r"row ([0-9]{1,6}), column ([0-9]{1,6})")
"""How `place` names a cell."""


def places(sentence: str) -> list[tuple[int, int]]:
    """Return the cells that a sentence names in the words of `place`, each once, in their order."""
    named = ((int(row) - 1, int(col) - 1) for row, col in PLACE.findall(sentence))
    return list(dict.fromkeys(named))


def counted(number: int, one: str, many: str = "") -> str:
    """Return a number of things as people say it: "1 mine", "2 mines"; `many` where that is not made with an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def count_around(mask: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """Return for every cell how many of its neighbours are set. Both shapes (rows, cols)."""
    rows, cols = mask.shape
    padded = np.zeros((rows + 2, cols + 2), dtype=np.uint8)
    padded[1:-1, 1:-1] = mask
    in_columns = padded[:-2] + padded[1:-1] + padded[2:]
    block = in_columns[:, :-2] + in_columns[:, 1:-1] + in_columns[:, 2:]
    around: NDArray[np.uint8] = block - mask
    return around


def three_bv(mines: NDArray[np.bool_]) -> int:
    """Return the fewest left clicks that win without chords, given where the mines are, shape (rows, cols)."""
    zero = (count_around(mines) == 0) & ~mines
    opened_by_flood = zero | (count_around(zero) > 0)
    openings = 0
    unseen = {(int(row), int(col)) for row, col in np.argwhere(zero)}
    while unseen:
        openings += 1
        flood = [unseen.pop()]
        while flood:
            row, col = flood.pop()
            near = unseen & {(row + down, col + right) for down in (-1, 0, 1) for right in (-1, 0, 1)}
            unseen -= near
            flood.extend(near)
    return openings + int(np.count_nonzero(~mines & ~opened_by_flood))


def _parse_cut(line: str, number: int) -> frozenset[str]:
    sides = line[len("cut:") :].lower().replace(",", " ").split()
    for side in sides:
        if side not in SIDES:
            raise BoardError(f'line {number}: "{side[:_MOST_DIGITS]}" is not one of {", ".join(SIDES)}')
    return frozenset(sides)


def _parse_mines(line: str, number: int) -> int:
    value = line[len("mines:") :].strip()
    if not value.isascii() or not value.isdigit() or len(value) > _MOST_DIGITS:
        shown = value if len(value) <= _MOST_DIGITS else f"{value[:_MOST_DIGITS]}…"
        raise BoardError(f'line {number}: "{shown}" is not a number of mines')
    return int(value)


_FENCE = re.compile(r"\s*(```|~~~)\w*\s*$")
_MINES = re.compile(r"\s*(?:mines?\s*[:=]?\s*(\d+)|(\d+)\s+mines?)\s*$", re.IGNORECASE)
_CUT = re.compile(r"\s*cut\s*:", re.IGNORECASE)
_POSITION_FILE = re.compile(r"\s*(\d+)x(\d+)x(\d+)\s*$")
_APART = re.compile(r"[\s|]+")

_FROM_JSMINESWEEPER = str.maketrans("H?", "#*")
_FROM_MINESWEEPR = str.maketrans("x.", "#0")
_MINESWEEPR = set("012345678.*x")
_COVERED = "-_"


def parse_pasted(text: str) -> tuple[Board, list[str]]:
    """Return the board in a text, and a sentence for everything that was not taken as it stands.

    Raises `BoardError` naming the first line that is wrong.
    """
    head, rows = list[str](), list[str]()  # together as long as the text, so that lines keep their numbers
    size: tuple[int, int] | None = None
    below: int | None = None  # mines told below the board
    told: list[str] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if _FENCE.match(line) or not line.strip():
            (rows or head).append("")
        elif said := _MINES.match(line):
            mines = f"mines: {said[1] or said[2]}"
            if rows:
                below = _parse_mines(mines, number)
            (rows or head).append("" if rows else mines)
        elif not rows and _CUT.match(line):
            head.append(line)
        elif not rows and (said := _POSITION_FILE.match(line)):
            size = int(said[2]), int(said[1])
            head.append(f"mines: {said[3]}")
        else:
            rows.append(_joined(line, number, told))
    cells = "".join(rows)
    if size is not None:
        rows = [row.translate(_FROM_JSMINESWEEPER) for row in rows]
        told.append("read as a position file of JSMinesweeper: H is covered, ? a mine")
    elif "x" in cells and set(cells) <= _MINESWEEPR:
        rows = [row.translate(_FROM_MINESWEEPR) for row in rows]
        told.append("read as minesweepr's form: x is covered, . blank, * a mine")
    else:
        rows = [_usual(row, "#" in cells, told) for row in rows]
    board = Board.parse("\n".join(head + rows))
    if below is not None:
        if board.mines not in (None, below):
            raise BoardError(f"above the board there are {board.mines} mines, below it {below}")
        board = Board(board.cells, below, board.cut)
    if size is not None and size != (board.rows, board.cols):
        told_of, found = (f"{height} rows and {width} columns" for height, width in (size, (board.rows, board.cols)))
        raise BoardError(f"the first line tells of {told_of}, but there are {found}")
    return board, list(dict.fromkeys(told))


def _joined(line: str, number: int, told: list[str]) -> str:
    """Return a row whose cells may stand apart as one word."""
    row = line.strip()
    if "|" in row:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        if "" in cells:
            told.append("empty cells between bars were read as blank, 0")
            cells = [cell or "0" for cell in cells]
    else:
        cells = _APART.split(row)
    if len(cells) > 1 and any(len(cell) > 1 for cell in cells):
        raise BoardError(f'line {number}: cells stand apart, but "{max(cells, key=len)}" is more than one: "{row}"')
    return "".join(cells)


def _usual(row: str, hashes: bool, told: list[str]) -> str:
    """Return a row in the bot's own characters."""
    for mark in _COVERED:
        if mark in row:
            if hashes:
                raise BoardError(f'"{mark}" beside "#": which of them is covered? Write # for covered and 0 for blank')
            told.append(f'"{mark}" was read as covered')
            row = row.replace(mark, "#")
    return row.replace("f", "F")
