"""Pictures from files and back.

`load` gives a BGR array or one sentence that says why not; a picture that claims to be larger than any screen is
refused by its header, before a byte of it is unpacked. `save` writes a file whole or not at all. Paths may hold any
characters, also on Windows. `new_pictures` gives those that arrive in a folder.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.errors import MinebotError
from bot.files import read_whole, write_whole

Picture = NDArray[np.uint8]
"""Shape (height, width, 3), dtype uint8, channels blue, green, red."""

LARGEST_FILE = 256 * 2**20
"""Bytes; a screenshot of four 4K screens, uncompressed, is half of this."""

MOST_PIXELS = 40_000_000
"""Four 4K screens have 33 million."""

MOST_SCANS = 100
"""Of a JPEG file: a progressive one has about ten, a hostile one thousands, and each takes time for all pixels."""


class PictureError(MinebotError):
    """A file that is no picture we can use, or can't be written; the message names it."""


def load(path: str | os.PathLike[str]) -> Picture:
    """Return the picture in a file. Raises `PictureError` when there is none, or one too large to be of a screen."""
    return _load(Path(path), cv2.IMREAD_COLOR)


def _load(file: Path, flags: int) -> NDArray[np.uint8]:
    try:
        raw = read_whole(file, LARGEST_FILE)
    except OSError as error:
        raise PictureError(f'can\'t read "{file}": {error.strerror}') from error
    except ValueError as error:  # a name that no file can have
        raise PictureError(f'can\'t read "{file}": {error}') from error
    found = decode(raw, str(file), flags)
    is_layer = found.dtype == np.uint8 and found.ndim == 3 and found.shape[2] == 4
    return found if is_layer or flags == cv2.IMREAD_COLOR else decode(raw, str(file))


def load_layer(path: str | os.PathLike[str]) -> NDArray[np.uint8]:
    """Return what `load` returns or, of a file that tells which of its pixels count, those four channels."""
    return _load(Path(path), cv2.IMREAD_UNCHANGED)


def decode(raw: bytes, name: str, flags: int = cv2.IMREAD_COLOR) -> Picture:
    """Return the picture that a file's bytes are. Raises `PictureError`, which calls it by name, as `load` does."""
    size = declared_size(raw)
    if size is None:
        raise PictureError(f'"{name}" is not a PNG, JPEG, BMP, GIF or WebP picture')
    if size[0] * size[1] > MOST_PIXELS or _scans(raw) > MOST_SCANS:
        raise PictureError(f'"{name}" is too large for a screenshot ({size[0]}×{size[1]} pixels)')
    own = _own_bytes(raw)
    try:
        picture = None if own is None else cv2.imdecode(np.frombuffer(own, dtype=np.uint8), flags)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureError(f'"{name}" is a damaged picture')
    return np.asarray(picture, dtype=np.uint8) if flags == cv2.IMREAD_COLOR else picture  # type: ignore[return-value]


def save(path: str | os.PathLike[str], picture: Picture, *, lasting: bool = True) -> None:
    """Write a picture whole, as `write_whole` does; the format follows the name. Raises `PictureError`."""
    file = Path(path)
    try:
        encoded, raw = cv2.imencode(file.suffix or ".png", picture)
    except cv2.error as error:
        raise PictureError(f'can\'t write "{file}": "{file.suffix}" is not a picture format') from error
    if not encoded:
        raise PictureError(f'can\'t write "{file}": it could not be encoded')
    try:
        write_whole(file, raw.tobytes(), lasting=lasting)
    except OSError as error:
        raise PictureError(f'can\'t write "{file}": {error.strerror}') from error


def declared_size(raw: bytes) -> tuple[int, int] | None:
    """Return the width and height that a picture file's header tells, None for anything else."""
    try:
        if raw[:8] == b"\x89PNG\r\n\x1a\n" and raw[12:16] == b"IHDR":
            return _pair(">II", raw, 16)
        if raw[:6] in (b"GIF87a", b"GIF89a"):
            return _pair("<HH", raw, 6)
        if raw[:2] == b"BM":
            return _bmp_size(raw)
        if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
            return _webp_size(raw)
        if raw[:3] == b"\xff\xd8\xff":
            return _jpeg_size(raw)
    except struct.error:  # it ends before
        pass
    return None


def is_whole(raw: bytes) -> bool:
    """Whether the bytes of a picture file reach its end, as each format marks it: the file may still be written."""
    try:
        if raw[:4] == b"\x89PNG":
            own = _own_bytes(raw)
            return own is not None and own[-8:-4] == b"IEND"
        if raw[:2] == b"BM":
            return bool(0 < struct.unpack_from("<I", raw, 2)[0] <= len(raw))
        if raw[:4] == b"RIFF":
            return bool(struct.unpack_from("<I", raw, 4)[0] + 8 <= len(raw))
    except struct.error:
        return False
    return raw.endswith(b";" if raw[:3] == b"GIF" else b"\xff\xd9")


def bitmap_file(bitmap: bytes) -> bytes:
    """Return a bitmap as Windows keeps it in memory (a DIB: header, colours, pixels) as a BMP file."""
    try:
        (header,) = struct.unpack_from("<I", bitmap, 0)
        bits, form = struct.unpack_from("<HI", bitmap, 14)
        (colours,) = struct.unpack_from("<I", bitmap, 32)
    except struct.error:
        return b""
    masks = 12 if header == 40 and form == 3 else 0  # larger headers hold them, and without form 3 there are none
    palette = 4 * (colours or (2**bits if bits <= 8 else 0))
    return struct.pack("<2sIHHI", b"BM", 14 + len(bitmap), 0, 0, 14 + header + masks + palette) + bitmap


def bitmap_header(width: int, height: int) -> bytes:
    """Return how Windows is told of pixels of four bytes in memory, the uppermost row first (a BITMAPINFOHEADER)."""
    return struct.pack("<IiiHHIIiiII", 40, width, -height, 1, 32, 0, 0, 0, 0, 0, 0)


def _own_bytes(raw: bytes) -> bytes | None:
    """Return a PNG up to its end chunk, without what Windows may leave behind it, and any other picture as it is.

    None for a PNG of which a chunk claims more bytes than the file has: OpenCV would make room for them, gigabytes, and
    looks for such chunks even behind the end.
    """
    if raw[:4] != b"\x89PNG":
        return raw
    at, kind = 8, b""
    while at + 12 <= len(raw) and kind != b"IEND":
        length, kind = struct.unpack_from(">I4s", raw, at)
        at += 12 + length
    return raw[:at] if at <= len(raw) else None


def _pair(form: str, raw: bytes, at: int) -> tuple[int, int]:
    first, second = struct.unpack_from(form, raw, at)
    return abs(first), abs(second)


def _bmp_size(raw: bytes) -> tuple[int, int]:
    (header,) = struct.unpack_from("<I", raw, 14)
    return _pair("<HH" if header == 12 else "<ii", raw, 18)


def _webp_size(raw: bytes) -> tuple[int, int] | None:
    kind = raw[12:16]
    if kind == b"VP8X":
        wide, high = (int.from_bytes(raw[at : at + 3], "little") for at in (24, 27))
        return wide + 1, high + 1
    if kind == b"VP8L":
        (bits,) = struct.unpack_from("<I", raw, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 ":
        width, height = _pair("<HH", raw, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg_size(raw: bytes) -> tuple[int, int] | None:
    """Return the size in the frame header, to which each segment before leads on."""
    at = 2
    while at + 4 <= len(raw):
        if raw[at] != 0xFF:
            return None
        marker = raw[at + 1]
        if marker == 0xFF:  # padding
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = _pair(">HH", raw, at + 5)
            return width, height
        else:
            at += 2 + struct.unpack_from(">H", raw, at + 2)[0]
    return None


def _scans(raw: bytes) -> int:
    """Return how often the pixels of a JPEG are gone over; none for other formats."""
    return raw.count(b"\xff\xda") if raw[:2] == b"\xff\xd8" else 0


ENDINGS = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".webp")

POLL = 0.1
"""Seconds between two looks at the folder; a file must be the same in two of them."""

PATIENCE = 3.0
"""Seconds after which a file that stands still is given even though it seems to lack its end."""

FileState = tuple[int, int]
"""When a file was written last, and its size."""


class FolderError(MinebotError):
    """A folder that can't be watched; the message names it."""


def new_pictures(folder: Path, wait: Callable[[float], None]) -> Iterator[Path]:
    """Give every picture file that is new in a folder, or written anew, one at a time and for ever.

    Each is given as soon as it is whole; whatever lies there now is left alone. Raises `FolderError`, now or later,
    when there is no such folder.
    """
    return _new_since(_looked(folder), folder, wait)


def _new_since(given: dict[Path, FileState], folder: Path, wait: Callable[[float], None]) -> Iterator[Path]:
    waiting: dict[Path, tuple[FileState, int]] = {}  # what each looked like, and for how many looks
    while True:
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


def _looked(folder: Path) -> dict[Path, FileState]:
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
