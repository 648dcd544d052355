"""A board as people paste it: from a chat, a table, or another solver.

Beside the bot's own text form it takes cells apart by spaces, tabs or bars, the fences around code, `f` for a flag, `-`
or `_` for a covered cell, and two other programs' forms:

- JSMinesweeper's position file (`getPositionData` of its Board.js): a first line WIDTHxHEIGHTxMINES, `H` covered,
  `F` flag, `?` a mine that shows;
- minesweepr's (`Board` of its minesweeper_util.py): `x` covered, `.` blank, `*` mine.

Whatever is not taken as it stands is told.
"""

from __future__ import annotations

import re

from bot.board import Board, BoardError

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
    told: list[str] = []
    for number, line in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if _FENCE.match(line) or not line.strip():
            (rows or head).append("")
        elif not rows and (said := _MINES.match(line)):
            head.append(f"mines: {said[1] or said[2]}")
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
