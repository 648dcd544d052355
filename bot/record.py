"""What is kept of a game: for now the picture that made the bot stop in doubt, so that it can be reported."""

from __future__ import annotations

import os
import time
from pathlib import Path

from platformdirs import user_data_path

from bot.picture import Picture, PictureError, save


def keep_doubtful(picture: Picture) -> Path:
    """Save a picture to the user's data folder and return where. Raises `PictureError` when that fails."""
    folder = user_data_path("minesweeper-bot", appauthor=False) / "doubts"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PictureError(f'can\'t write "{folder}": {error.strerror}') from error
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.png"
    save(path, picture)
    return path
