"""The user's files: where they lie, and how they are read and written so that nothing gets lost.

A file is written whole or not at all: whoever opens it finds the old content or the new, also when the program is
killed, the disk is full, or two programs write at once (the last one wins). All that a killed program leaves behind is
a file whose name begins with a dot and ends in `.part`, which nobody reads. A file that only grows has a JSON document
a line; what was left half-written is never joined to the next line, and whoever reads is told of it. A lock keeps two
programs apart, and the system takes it from whoever ends. Text is UTF-8 or the UTF-16 that PowerShell's `>` writes.
"""

from __future__ import annotations

import codecs
import errno
import json
import os
import re
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import platformdirs

from bot.errors import MinebotError

_OTHERS = 0o077
"""The rights of everybody but the owner."""


def read_whole(file: Path, most: int) -> bytes:
    """Return the bytes of a file of at most so many.

    Raises `OSError` when it can't be read, is larger, or is something that never ends: a device, or a pipe.
    """
    if not stat.S_ISREG(file.stat().st_mode):
        raise _no_file()
    with file.open("rb") as source:
        raw = source.read(most + 1)
    if len(raw) > most:
        raise OSError(errno.EINVAL, f"it is too large: more than {most / 1e6:.3g} MB")
    return raw


def _no_file() -> OSError:
    return OSError(errno.EINVAL, "it is not a file, but a folder, a device or a pipe")


def write_whole(file: Path, content: bytes, *, lasting: bool = True) -> None:
    """Write a file, or replace it, as `prepared` does."""
    with prepared(file, lasting=lasting) as part:
        part.write_bytes(content)


@contextmanager
def prepared(file: Path, *, lasting: bool = True) -> Iterator[Path]:
    """Give a name, nobody else's, to write under; when the block ends well, the file takes its own name.

    Raises `OSError` when that fails, and then everything is as before. What is there and is no file is not replaced:
    that would be the end of a pipe, or of `/dev/null`. Afterwards the file is on the disk, not only on its way there;
    without `lasting` it may get lost when the whole computer fails, which saves the milliseconds that a disk takes. In
    a folder that is the user's alone the file is, too, wherever it may be copied to with its rights.
    """
    if file.exists() and not file.is_file():
        raise _no_file()
    part = file.with_name(f".{file.name}.{os.getpid()}-{time.time_ns():x}.part")
    try:
        yield part
        if not file.parent.stat().st_mode & _OTHERS:
            part.chmod(0o600)
        if lasting:
            with part.open("r+b") as written:
                os.fsync(written.fileno())
        part.replace(file)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    if lasting:
        _sync_folder(file.parent)


def _sync_folder(folder: Path) -> None:
    """Make a new name last as well; Windows does so by itself and can't be asked."""
    if sys.platform == "win32":
        return
    with suppress(OSError):  # some file systems have no such thing, and a folder to write to need not be readable
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


APP = "minesweeper-bot"


def data_folder() -> Path:
    """Return where skins, statistics, recordings and doubtful pictures are kept; it need not exist."""
    return Path(os.environ.get("MINEBOT_DATA") or platformdirs.user_data_path(APP, appauthor=False))


def make_private(folder: Path) -> None:
    """Make a folder and what is missing above it, each for this user alone: pictures of a screen are nobody else's.

    One that is there already stays as it is. Raises `OSError` as `Path.mkdir` does.
    """
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def config_folder() -> Path:
    """Return where the settings file is looked for; it need not exist."""
    return Path(os.environ.get("MINEBOT_CONFIG") or platformdirs.user_config_path(APP, appauthor=False))


if sys.platform == "win32":
    import msvcrt

    _FAR_AWAY = 2**30  # a lock on Windows keeps readers out of what it covers, so it covers nothing that is there

    @contextmanager
    def locked(descriptor: int, *, wait: bool = True) -> Iterator[None]:
        """Hold the lock of an open file. While another program does, wait for it, or raise `OSError`."""
        os.lseek(descriptor, _FAR_AWAY, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        try:
            yield
        finally:
            os.lseek(descriptor, _FAR_AWAY, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    @contextmanager
    def locked(descriptor: int, *, wait: bool = True) -> Iterator[None]:
        """Hold the lock of an open file. While another program does, wait for it, or raise `OSError`."""
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield
        finally:
            fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextmanager
def lock(file: Path) -> Iterator[None]:
    """Hold a lock by a file that is there for nothing else; it is made when it is missing. Raises `OSError`."""
    make_private(file.parent)
    descriptor = os.open(file, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with locked(descriptor):
            yield
    finally:
        os.close(descriptor)


LARGEST_LINES = 256 * 2**20
"""Bytes; no file of ours comes near this."""

MOST_VALUES = 10_000_000
"""In one file; a game of thousands of looks has fewer. A value of three bytes takes twenty times as many in memory."""


def append_line(file: Path, document: dict[str, Any], *, lasting: bool = False) -> None:
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


def read_lines(file: Path) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield every line's number, from 1, and its document; None for a line that is none. Blank lines are left out.

    Raises `OSError` when the file can't be read or holds far too much to be one of ours.
    """
    if file.exists() and not file.is_file():
        raise OSError(None, "it is not a file, but a folder, a device or a pipe")
    if file.stat().st_size > LARGEST_LINES:
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


LARGEST_TEXT = 10_000_000
"""Bytes that people's texts may have; a board of 1,000 × 1,000 cells has a tenth of that."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def decoded(raw: bytes) -> str:
    """Return the text that a file's bytes are. Raises `UnicodeDecodeError` when they are none."""
    return raw.decode("utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")


def harmless(text: str) -> str:
    """Return a text that may be printed: what a terminal would take for a command is replaced, line ends too."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


LARGEST_TOML = 100_000
"""Bytes; settings and skins have a few thousand."""


class TomlError(MinebotError, ValueError):
    """A file that can't be read as TOML; the message names it."""


def read_toml(file: Path) -> dict[str, Any]:
    """Return what a file says. Raises `FileNotFoundError`, and `TomlError` when it can't be read."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(decoded(read_whole(file, LARGEST_TOML)))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise TomlError(f'can\'t read "{file}": {error.strerror}') from error
    except UnicodeDecodeError as error:
        raise TomlError(f'"{file}" is not a text file') from error
    except ValueError as error:  # a TOMLDecodeError, or a number of thousands of digits
        raise TomlError(f'"{file}" is not TOML: {error}') from error
    except RecursionError as error:
        raise TomlError(f'"{file}" is nested too deeply') from error
