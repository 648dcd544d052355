"""Files that are written, and read, whole or not at all.

Whoever opens such a file finds the old content or the new, never a part: also when the program is killed in the middle,
the disk is full, or two programs write it at once (the last one wins). All that a killed program leaves behind is a
file whose name begins with a dot and ends in `.part`, which nobody reads.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_OTHERS = 0o077
"""The rights of everybody but the owner."""


def read_whole(file: Path, most: int) -> bytes:
    """Return the bytes of a file of at most so many.

    Raises `OSError` when it can't be read, is larger, or is something that never ends: a device, or a pipe.
    """
    if not stat.S_ISREG(file.stat().st_mode):
        raise OSError(errno.EINVAL, "it is not a file, but a folder, a device or a pipe")
    with file.open("rb") as source:
        raw = source.read(most + 1)
    if len(raw) > most:
        raise OSError(errno.EINVAL, f"it is too large: more than {most / 1e6:.3g} MB")
    return raw


def write_whole(file: Path, content: bytes, *, lasting: bool = True) -> None:
    """Write a file, or replace it, as `prepared` does."""
    with prepared(file, lasting=lasting) as part:
        part.write_bytes(content)


@contextmanager
def prepared(file: Path, *, lasting: bool = True) -> Iterator[Path]:
    """Give a name, nobody else's, to write under; when the block ends well, the file takes its own name.

    Raises `OSError` when that fails, and then everything is as before. Afterwards the file is on the disk, not only on
    its way there; without `lasting` it may get lost when the whole computer fails, which saves the milliseconds that a
    disk takes. In a folder that is the user's alone the file is, too, wherever it may be copied to with its rights.
    """
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
