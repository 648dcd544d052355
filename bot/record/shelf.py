"""What the user's data folder keeps of past play: the last recordings, and pictures that made the bot stop in doubt.

Both are rings, so that they never fill the disk: something new pushes the oldest out. Everything appears there whole
or not at all.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from bot.files import data_folder, make_private
from bot.picture import Picture, PictureError, save
from bot.record import RecordingError

RING, DOUBTS = 5, 50
"""How many games, and how many doubtful pictures, are kept."""

ABANDONED_AFTER = 3600.0
"""Seconds after which nobody will finish a copy that was begun."""


def keep_recording(game: Path) -> None:
    """Copy a game's recording to the ring. Raises `RecordingError` when that fails."""
    shelf = data_folder() / "recordings"
    partial = shelf / f".{os.getpid()}.part"
    try:
        make_private(shelf)
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(game, partial)
        partial.replace(shelf / f"{time.time_ns():020d}-{os.getpid()}")
        for old in [*_kept(shelf)[:-RING], *_abandoned(shelf)]:
            shutil.rmtree(old, ignore_errors=True)  # another bot may be at it too
    except (OSError, shutil.Error) as error:
        shutil.rmtree(partial, ignore_errors=True)
        why = error.strerror if isinstance(error, OSError) and error.strerror else "the disk may be full"
        raise RecordingError(f'can\'t keep the last game in "{shelf}": {why}') from error


def last_recording() -> Path:
    """Return the folder of the last recorded game. Raises `RecordingError` when there is none."""
    kept = _kept(data_folder() / "recordings")
    if not kept:
        raise RecordingError("no game has been recorded yet: minebot play --record DIR keeps one")
    return kept[-1]


def _kept(shelf: Path) -> list[Path]:
    """Return the recordings on the shelf, oldest first."""
    return sorted(path for path in shelf.glob("[0-9]*") if path.is_dir())


def _abandoned(shelf: Path) -> Iterator[Path]:
    """Yield what killed bots were about to put on the shelf."""
    long_ago = time.time() - ABANDONED_AFTER
    for part in shelf.glob(".*.part"):
        with suppress(FileNotFoundError):  # another bot has finished it, or cleared it away
            if part.stat().st_mtime < long_ago:
                yield part


def keep_doubtful(picture: Picture) -> Path:
    """Save a picture to the user's data folder and return where. Raises `PictureError` when that fails."""
    folder = data_folder() / "doubts"
    try:
        make_private(folder)
    except OSError as error:
        raise PictureError(f'can\'t write "{folder}": {error.strerror}') from error
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.png"
    save(path, picture)
    for old in sorted(folder.glob("[0-9]*.png"))[:-DOUBTS]:
        with suppress(OSError):  # what somebody looks at on Windows stays until the next time
            old.unlink()
    return path
