"""Pictures from files and back.

`load` gives a BGR array or one sentence that says why not; `save` writes a file whole or not at all. Paths may hold
any characters, also on Windows.
"""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Shape (height, width, 3), dtype uint8, channels blue, green, red."""

LARGEST_FILE = 256 * 2**20
"""Bytes; a screenshot of four 4K screens, uncompressed, is half of this."""


class PictureError(Exception):
    """A file that is no picture we can use, or can't be written; the message names it."""


def load(path: str | os.PathLike[str]) -> Picture:
    """Return the picture in a file. Raises `PictureError` when there is none."""
    file = Path(path)
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise PictureError(f'"{file}" is too large for a screenshot ({file.stat().st_size // 2**20} MB)')
        raw = np.frombuffer(file.read_bytes(), dtype=np.uint8)
    except OSError as error:
        raise PictureError(f'can\'t read "{file}": {error.strerror}') from error
    try:
        picture = cv2.imdecode(raw, cv2.IMREAD_COLOR) if raw.size else None
    except cv2.error:  # more pixels than OpenCV takes
        picture = None
    if picture is None:
        raise PictureError(f'"{file}" is not a picture')
    return np.asarray(picture, dtype=np.uint8)


def save(path: str | os.PathLike[str], picture: Picture) -> None:
    """Write a picture whole; the format follows the name. Raises `PictureError` when that fails."""
    file = Path(path)
    try:
        encoded, raw = cv2.imencode(file.suffix or ".png", picture)
    except cv2.error as error:
        raise PictureError(f'can\'t write "{file}": "{file.suffix}" is not a picture format') from error
    if not encoded:
        raise PictureError(f'can\'t write "{file}": it could not be encoded')
    partial = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        partial.write_bytes(raw.tobytes())
        partial.replace(file)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise PictureError(f'can\'t write "{file}": {error.strerror}') from error
