"""What people set once: a TOML file in their config folder, checked at every start.

An unknown key or an illegal value is refused with the legal ones named, so that a typing mistake is never silently
ignored. What is given on the command line wins over the file. The file, by example:

    style = "chords"      # flags, noflags or chords
    pace = "human"        # fast, steady or human
    think = 2.5           # seconds a guess may be thought over
    skin = "win7"         # a skin's name
    window = "Minesweeper"
    hints = "odds"        # coach: safe, odds or all
    stop_key = "pause"    # stops it beside Esc: pause, scroll_lock or f12
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.errors import MinebotError
from bot.files.folders import config_folder
from bot.files.toml import TomlError, read_toml

NAME = "settings.toml"

STYLES = ("flags", "noflags", "chords")
PACES = ("fast", "steady", "human")
HINTS = ("safe", "odds", "all")
STOP_KEYS = ("pause", "scroll_lock", "f12")
"""As the rooms that act on them have them; importing those would load OpenCV for every `--help`."""


class SettingsError(MinebotError):
    """A settings file that can't be used; the message names the file, the key and what is legal."""


def settings_file() -> Path:
    """Return where the settings are looked for; it need not exist."""
    return config_folder() / NAME


def _choice(*values: str) -> Callable[[object], str | None]:
    legal = ", ".join(f'"{value}"' for value in values)
    return lambda value: None if value in values else f"one of {legal}"


def _text(value: object) -> str | None:
    return None if isinstance(value, str) and value else "a text"


def _seconds(value: object) -> str | None:
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    return None if numeric and 0 <= float(str(value)) < 1e6 else "a number of seconds, 0 or more"


KEYS: dict[str, Callable[[object], str | None]] = {
    "style": _choice(*STYLES),
    "pace": _choice(*PACES),
    "think": _seconds,
    "skin": _text,
    "window": _text,
    "hints": _choice(*HINTS),
    "stop_key": _choice(*STOP_KEYS),
}
"""For each key what must be legal: a function that returns None, or what the value should have been."""


def load_settings() -> dict[str, Any]:
    """Return what the user has set; nothing when there is no file. Raises `SettingsError`."""
    file = settings_file()
    try:
        content = read_toml(file)
    except FileNotFoundError:
        return {}
    except TomlError as error:
        raise SettingsError(str(error)) from error
    for key, value in content.items():
        if key not in KEYS:
            raise SettingsError(f'"{file}": there is no setting "{key}"; there are {", ".join(KEYS)}')
        expected = KEYS[key](value)
        if expected is not None:
            raise SettingsError(f'"{file}": {key} is {value!r}, not {expected}')
    return content
