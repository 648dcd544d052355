"""Where the user's things live: what the bot remembers, and what the user has set.

Both follow the platform's custom. MINEBOT_DATA and MINEBOT_CONFIG name other folders, for portable installations and
for trying things out.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

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
