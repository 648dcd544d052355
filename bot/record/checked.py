"""A JSON object that is not to be trusted: every value is asked for with the kind it must be.

Whatever is missing or of another kind is a `RecordingError` with the file, the line and the key.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeVar, cast, overload

from bot.board import Board
from bot.files import harmless
from bot.record import RecordingError

PICTURE_NAME = re.compile(r"[0-9]{4,6}\.png")
"""What a picture of a recording may be called: no path leads out of its folder."""

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Checked:
    """One line of a file, or an object within it."""

    file: Path
    line: int
    document: Any

    def __post_init__(self) -> None:
        if not isinstance(self.document, dict):
            self.refuse("it is not an object")

    def refuse(self, why: str) -> NoReturn:
        """Raise what is wrong with this line."""
        raise RecordingError(f'"{self.file}", line {self.line}: {harmless(why)}')

    @overload
    def get(self, key: str, kind: type[Kind]) -> Kind: ...
    @overload
    def get(self, key: str, kind: type[Kind], *, optional: Literal[True]) -> Kind | None: ...
    def get(self, key: str, kind: type[Kind], *, optional: bool = False) -> Kind | None:
        """Return a value of a kind; an optional one may be null or missing. A text may be printed."""
        value = self.document.get(key)
        if value is None and optional:
            return None
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.refuse(f'"{key}" is not {_NAMES.get(kind, kind.__name__)}')
        return cast(Kind, harmless(value)) if isinstance(value, str) else value

    def one_of(self, key: str, values: tuple[Kind, ...]) -> Kind:
        """Return a value that is one of a few."""
        found = self.document.get(key)
        if found not in values:
            self.refuse(f'"{key}" is not one of {", ".join(map(str, values))}')
        return values[values.index(found)]

    def inner(self, key: str) -> Checked:
        """Return an object within."""
        return Checked(self.file, self.line, self.get(key, dict))

    def objects(self, key: str) -> list[Checked]:
        """Return a list of objects within."""
        return [Checked(self.file, self.line, document) for document in self.get(key, list)]

    def number_at(self, key: str) -> float:
        """Return a finite number."""
        return self.number(self.document.get(key), key)

    def number(self, value: object, key: str) -> float:
        """Return a value that must be a finite number."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not -1e9 <= value <= 1e9:
            self.refuse(f'"{key}" is not a number')
        return float(value) if math.isfinite(value) else self.refuse(f'"{key}" is not a number')

    def cell(self, board: Board) -> tuple[int, int]:
        """Return `row` and `col`, which lie on the board."""
        row, col = self.get("row", int), self.get("col", int)
        if not (0 <= row < board.rows and 0 <= col < board.cols):
            self.refuse("a cell lies beside the board")
        return row, col

    def cells(self, key: str, board: Board) -> Iterator[tuple[int, int]]:
        """Yield a list of [row, col], which lie on the board."""
        for pair in self.get(key, list):
            if not isinstance(pair, list) or len(pair) != 2:
                self.refuse(f'"{key}" is not a list of cells')
            yield Checked(self.file, self.line, {"row": pair[0], "col": pair[1]}).cell(board)

    def picture_name(self) -> str:
        """Return the name of a picture in the recording's own folder."""
        name = self.get("picture", str)
        if PICTURE_NAME.fullmatch(name) is None:
            self.refuse(f'"{name[:80]}" is not the name of a picture in this folder')
        return name


_NAMES: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    dict: "an object",
    list: "a list",
    bool: "true or false",
}
