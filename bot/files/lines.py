"""Files that only grow, a JSON document a line.

A line is written whole or not at all, also on a full disk and with several programs appending at once. What a killed
program left half-written is never joined to the next line, and whoever reads is told of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.files.lock import locked

LARGEST_FILE = 256 * 2**20
"""Bytes; no file of ours comes near this."""

MOST_VALUES = 10_000_000
"""In one file; a game of thousands of looks has fewer. A value of three bytes takes twenty times as many in memory."""


def append(file: Path, document: dict[str, Any], *, lasting: bool = False) -> None:
    """Add a document to a file, creating it. Raises `OSError` and leaves the file as it was when that fails.

    When it is to be `lasting`, it is on the disk at the end, which takes milliseconds.
    """
    raw = json.dumps(document, ensure_ascii=False).encode() + b"\n"
    flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
    descriptor = os.open(file, flags, 0o600)
    try:
        with locked(descriptor):
            size = os.lseek(descriptor, 0, os.SEEK_END)
            try:
                _write(descriptor, raw if _ends_a_line(descriptor, size) else b"\n" + raw)
                if lasting:
                    os.fsync(descriptor)
            except BaseException:
                os.ftruncate(descriptor, size)
                raise
    finally:
        os.close(descriptor)


def _ends_a_line(descriptor: int, size: int) -> bool:
    if size == 0:
        return True
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) == b"\n"


def _write(descriptor: int, raw: bytes) -> None:
    while raw:
        raw = raw[os.write(descriptor, raw) :]


def read(file: Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield every line's number, from 1, and its document; None for a line that is none. Blank lines are left out.

    Raises `OSError` when the file can't be read or holds far too much to be one of ours.
    """
    if file.exists() and not file.is_file():
        raise OSError(None, "it is not a file, but a folder, a device or a pipe")
    if file.stat().st_size > LARGEST_FILE:
        raise OSError(None, f"it is too large ({file.stat().st_size // 2**20} MB)")
    room = MOST_VALUES
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            room -= sum(map(line.count, (b",", b"[", b"{")))  # one of which comes before each
            if room < 0:
                raise OSError(None, f"it holds more than {MOST_VALUES:,} values")
            if line.strip():
                yield number, _document(line)


def _document(line: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(line)
        if b"\\ud" in line.lower():
            json.dumps(document, ensure_ascii=False).encode()  # half a character, which could not be shown
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None
