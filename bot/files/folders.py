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


def config_folder() -> Path:
    """Return where the settings file is looked for; it need not exist."""
    return Path(os.environ.get("MINEBOT_CONFIG") or platformdirs.user_config_path(APP, appauthor=False))
