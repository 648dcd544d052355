"""A recording in one file, to be sent with a bug report; and back, without trusting whoever sent it."""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.files import harmless, prepared
from bot.record import RecordingError
from bot.record.checked import PICTURE_NAME
from bot.record.recorder import MANIFEST

MOST_BYTES = 512 * 2**20
MOST_FILES = 50_000
_MEMBER = re.compile(rf"((?:[A-Za-z0-9_-]{{1,64}}/)?)({re.escape(MANIFEST)}|{PICTURE_NAME.pattern})")


def write_bundle(game: Path, file: Path) -> None:
    """Write a game's recording to a ZIP file, whole or not at all. Raises `RecordingError`."""
    try:
        # A ZIP file knows no year before 1980, in which some systems put all files.
        with (
            prepared(file) as part,
            zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as bundle,
        ):
            for path in sorted(game.iterdir()):
                if (path.name == MANIFEST or PICTURE_NAME.fullmatch(path.name)) and not path.is_symlink():
                    bundle.write(path, f"game-0001/{path.name}")
    except OSError as error:
        raise RecordingError(f'can\'t write "{file}": {error.strerror}') from error


@contextmanager
def unpacked(file: Path) -> Iterator[Path]:
    """Give a folder, for the length of the block, with the recording of a bundle. Raises `RecordingError`.

    Only files with the names of a recording are taken, in one folder each, and only so much of them.
    """
    with tempfile.TemporaryDirectory(prefix="minebot-replay-") as folder:
        try:
            with zipfile.ZipFile(file) as bundle:
                _unpack(bundle, file, Path(folder))
        except OSError as error:
            raise RecordingError(f'can\'t unpack "{file}": {error.strerror}') from error
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
            raise RecordingError(f'"{file}" is no bundle of a recording: {error}') from error
        yield Path(folder)


def _unpack(bundle: zipfile.ZipFile, file: Path, folder: Path) -> None:
    members = [member for member in bundle.infolist() if not member.filename.endswith("/")]
    if len(members) > MOST_FILES or sum(member.file_size for member in members) > MOST_BYTES:
        raise RecordingError(f'"{file}" is too large for a recording')
    for member in members:
        match = _MEMBER.fullmatch(member.filename)
        if match is None or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise RecordingError(f'"{file}" is no bundle of a recording: it holds "{harmless(member.filename[:80])}"')
        target = folder / match[1] / match[2]
        target.parent.mkdir(exist_ok=True)
        # zipfile stops at the size that was declared, which was checked above.
        with bundle.open(member) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy)
