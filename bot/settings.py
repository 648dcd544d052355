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

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bot.files.folders import config_folder
from bot.files.text import decoded

NAME = "settings.toml"
LARGEST_FILE = 100_000

STYLES = ("flags", "noflags", "chords")
PACES = ("fast", "steady", "human")
HINTS = ("safe", "odds", "all")
STOP_KEYS = ("pause", "scroll_lock", "f12")
"""As the rooms that act on them have them; importing those would load OpenCV for every `--help`."""


class SettingsError(Exception):
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
        if file.stat().st_size > LARGEST_FILE:
            raise SettingsError(f'"{file}" is too large for a settings file')
        text = decoded(file.read_bytes())
    except FileNotFoundError:
        return {}
    except UnicodeDecodeError as error:
        raise SettingsError(f'"{file}" is not a text file') from error
    except OSError as error:
        raise SettingsError(f'can\'t read "{file}": {error.strerror}') from error
    content = _parse(file, text)
    for key, value in content.items():
        if key not in KEYS:
            raise SettingsError(f'"{file}": there is no setting "{key}"; there are {", ".join(KEYS)}')
        expected = KEYS[key](value)
        if expected is not None:
            raise SettingsError(f'"{file}": {key} is {value!r}, not {expected}')
    return content


def _parse(file: Path, text: str) -> dict[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f'"{file}" is not TOML: {error}') from error
