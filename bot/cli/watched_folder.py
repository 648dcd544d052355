"""Pictures that arrive in a folder: each new one is given as soon as it is whole; those there before are left alone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from bot import signals
from bot.desktop.timing import Seconds, pause
from bot.errors import MinebotError
from bot.files import read_whole
from bot.picture import LARGEST_FILE, is_whole

ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp")

POLL = Seconds(0.1)
"""Seconds between two looks at the folder; a file must be the same in two of them."""

PATIENCE = Seconds(3.0)
"""Seconds after which a file that stands still is given even though it seems to lack its end."""

State = tuple[int, int]
"""When a file was written last, and its size."""


class FolderError(MinebotError):
    """A folder that can't be watched; the message names it."""


def new_pictures(folder: Path, wait: Callable[[Seconds], None] = pause) -> Iterator[Path]:
    """Give every picture file that is new in a folder, or written anew, one at a time and for ever.

    Whatever lies there now is left alone. Raises `FolderError`, now or later, when there is no such folder.
    """
    return _new_since(_looked(folder), folder, wait)


def _new_since(given: dict[Path, State], folder: Path, wait: Callable[[Seconds], None]) -> Iterator[Path]:
    waiting: dict[Path, tuple[State, int]] = {}  # what each looked like, and for how many looks
    while True:
        signals.obey()
        wait(POLL)
        seen = _looked(folder)
        given = {file: state for file, state in given.items() if file in seen}
        waiting = {file: kept for file, kept in waiting.items() if file in seen}
        for file in sorted(seen, key=lambda file: seen[file]):
            state = seen[file]
            if given.get(file) == state:
                continue
            before, looks = waiting.get(file, (None, 0))
            looks = looks + 1 if before == state else 0
            waiting[file] = state, looks
            if looks and (looks * POLL >= PATIENCE or _reaches_its_end(file)):
                given[file] = state
                del waiting[file]
                yield file


def _looked(folder: Path) -> dict[Path, State]:
    """Return the picture files of a folder, each with when it was written and how large it is."""
    found = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.lower().endswith(ENDINGS) and not entry.name.startswith("."):
                    try:
                        state = Path(entry.path).stat()  # Windows keeps no fresh size in the folder itself
                    except OSError:  # it is gone already
                        continue
                    found[Path(entry.path)] = state.st_mtime_ns, state.st_size
    except OSError as error:
        raise FolderError(f'can\'t watch "{folder}": {error.strerror}') from error
    return found


def _reaches_its_end(file: Path) -> bool:
    try:
        return is_whole(read_whole(file, LARGEST_FILE))
    except OSError:  # whoever writes it lets nobody else read it yet, or it is no file at all
        return False
