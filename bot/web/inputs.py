"""What people drop into the page: a picture, a recording, or a board as text; nobody says which.

Promises a document for the page, or a `MinebotError` that calls the thing by its name. Nothing is trusted: a picture's
size is known from its header before a pixel is unpacked, a recording is unpacked into a folder of its own that is gone
afterwards, a text has a bound.
"""

from __future__ import annotations

import base64
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from bot.board import SYMBOLS, Board, BoardError, parse_pasted
from bot.files import LARGEST_TEXT, decoded, write_whole
from bot.level import level_of_size
from bot.picture import Picture, declared_size, decode
from bot.record.recorder import MANIFEST
from bot.record.recording import Recording, load_recording, recordings_in
from bot.record.replay import unpacked
from bot.show.documents import reading_json
from bot.vision.reader import NoBoardError, Reader, Reading
from bot.web.answers import RequestError, bounded

LARGEST_UPLOAD = 32 * 2**20
"""Bytes; a PNG of a 4K screen full of noise is 25 million."""

MOST_LOOKS = 2_000
"""Of a recording; a long game has some hundred."""

LINK_SYMBOLS = "012345678cFqmXxu"
"""The character of each cell value in a link, by index: those of a board's text that a link can't hold are letters."""

_LINK = re.compile(rf"#b=([0-9]*/[{LINK_SYMBOLS}/]+)((?:&[a-z]+=[a-z,]*)*)")
"""A link to a position: the mines, then a row after each stroke."""

_LINKED = re.compile("&(rule|cut)=([a-z,]+)")


def document_of(raw: bytes, name: str, reader: Reader | None = None) -> dict[str, Any]:
    """Return what the page is told of a file's bytes, by "kind": a picture, a board or a recording.

    A reader that has read before does not load its skins again.
    """
    if declared_size(raw) is not None:
        return picture_document(decode(raw, name), name, reader)
    if raw.startswith(b"PK\x03\x04"):
        return _bundle_document(raw, name)
    if len(raw) > LARGEST_TEXT:
        raise RequestError(f'"{name}" is neither a picture nor a recording, and too large for a board')
    try:
        text = decoded(raw)
    except UnicodeDecodeError as error:
        raise RequestError(f'"{name}" is neither a picture nor a recording nor a text') from error
    if text.lstrip().startswith("{"):
        return _manifest_document(raw, name)
    try:
        return board_document(text)
    except BoardError as error:
        raise RequestError(f'"{name}" is no board: {error}') from error


def picture_document(
    picture: Picture, name: str, reader: Reader | None = None, *, embed: bool = False
) -> dict[str, Any]:
    """Return what was read in a picture; with the picture itself when the page does not have it yet."""
    document: dict[str, Any] = {
        "kind": "picture", "name": name, "width": picture.shape[1], "height": picture.shape[0], "reading": None
    }  # fmt: skip
    if embed:
        document["picture"] = data_uri(picture)
    try:
        reading = (reader or Reader()).read(picture)
    except NoBoardError as error:
        return {**document, "told": [f"{error}; it must show the board whole and sharp, or be of a look that is known"]}
    board, told = _with_level(reading)
    told += [
        f"{len(reading.doubts)} tiles could not be read for certain; they are marked, and can be set by hand"
    ] if reading.doubts else []  # fmt: skip
    return {
        **document,
        "reading": reading_json(reading),
        "board": str(board),
        "rule": reading.kind.rule,
        "told": told,
    }


def board_document(text: str) -> dict[str, Any]:
    """Return the board in a text, or in a link to a position."""
    linked = _LINK.search(text)
    board, told = parse_pasted(text) if linked is None else (_linked_board(linked[1]), [])
    document = {"kind": "board", "board": str(bounded(board)), "told": told}
    if linked is not None:
        document |= {name: value.split(",") if name == "cut" else value for name, value in _LINKED.findall(linked[2])}
    return document


def _linked_board(text: str) -> Board:
    mines, _, rows = text.partition("/")
    cells = rows.translate(str.maketrans(LINK_SYMBOLS, SYMBOLS)).replace("/", "\n")
    return Board.parse(f"mines: {mines}\n{cells}" if mines else cells)


def folder_document(folder: Path) -> dict[str, Any]:
    """Return the first game recorded in a folder."""
    games = recordings_in(folder)
    told = [f"this is the first of {len(games)} recorded games"] if len(games) > 1 else []
    return {**_recording_document(load_recording(games[0])), "told": told}


def data_uri(picture: Picture) -> str:
    """Return a picture as an address that holds it."""
    return "data:image/png;base64," + base64.b64encode(cv2.imencode(".png", picture)[1].tobytes()).decode()


def _with_level(reading: Reading) -> tuple[Board, list[str]]:
    """Return the board with its mines: those the counter tells, or those of the level with this size."""
    board = reading.board
    if board.cut:
        return board, [f"the picture cuts the board off: it goes on beyond {', '.join(board.cut_sides)}"]
    if board.mines is not None:
        return board, []
    level = level_of_size(board.rows, board.cols)
    if level is None:
        return board, ["no counter could be read; set the number of mines for exact odds"]
    return replace(board, mines=level.mines), [f"no counter could be read; {level.name} has {level.mines} mines"]


def _bundle_document(raw: bytes, name: str) -> dict[str, Any]:
    with _as_file(raw, "recording.zip") as file, unpacked(file) as folder:
        return {"name": name, **folder_document(folder)}


def _manifest_document(raw: bytes, name: str) -> dict[str, Any]:
    """Return the game of a recording's own file; its pictures are not needed."""
    with _as_file(raw, MANIFEST) as file:
        return {"name": name, "told": [], **_recording_document(load_recording(file.parent))}


@contextmanager
def _as_file(raw: bytes, name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="minebot-analyse-") as folder:
        file = Path(folder) / name
        write_whole(file, raw, lasting=False)
        yield file


def _recording_document(recording: Recording) -> dict[str, Any]:
    looks = [frame for frame in recording.frames if frame.reading is not None][:MOST_LOOKS]
    boards: list[dict[str, Any]] = []
    for frame in looks:
        reading, decision = frame.reading, frame.decision
        assert reading is not None
        board = str(decision.board if decision is not None else reading.board)
        if boards and boards[-1]["board"] == board:
            continue
        move = None if decision is None or decision.move is None else decision.move
        boards.append({"board": board, "at": frame.at, "move": move, "state": reading.state})
    if not boards:
        raise RequestError("the recording shows no board")
    return {"kind": "recording", "started": recording.started, "rule": recording.rule, "looks": boards}
