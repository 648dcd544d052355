"""One program at a time: a lock that the system takes away from whoever ends, in whatever way."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.files.folders import make_private

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
