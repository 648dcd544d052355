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

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from bot.errors import MinebotError
from bot.files import LARGEST_TEXT, TomlError, config_folder, decoded, make_private, prepared, read_toml, read_whole
from bot.words import CLICK_STYLES, HINTS, PACES, STOP_KEYS

NAME = "settings.toml"


class SettingsError(MinebotError):
    """A settings file that can't be used; the message names the file, the key and what is legal."""


def settings_file() -> Path:
    """Return where the settings are looked for; it need not exist."""
    return config_folder() / NAME


class Setting(NamedTuple):
    """What may be set: in words, and as a test of a value."""

    legal: str
    allows: Callable[[object], bool]


def _choice(*values: str) -> Setting:
    return Setting("one of " + ", ".join(f'"{value}"' for value in values), lambda value: value in values)


def _is_seconds(value: object) -> bool:
    numeric = isinstance(value, int | float) and not isinstance(value, bool)
    return numeric and 0 <= float(str(value)) < 1e6


_TEXT = Setting("a text", lambda value: isinstance(value, str) and bool(value))

KEYS: dict[str, Setting] = {
    "style": _choice(*CLICK_STYLES),
    "pace": _choice(*PACES),
    "think": Setting("a number of seconds, 0 or more", _is_seconds),
    "skin": _TEXT,
    "window": _TEXT,
    "hints": _choice(*HINTS),
    "stop_key": _choice(*STOP_KEYS),
}


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
        _check(f'"{file}": ', key, value)
    return content


def change_setting(key: str, value: str | float | None) -> None:
    """Write one setting to the file, None to take it out; whatever else is in the file stays.

    Raises `SettingsError`, and then the file is as before.
    """
    _check("", key, value)
    wanted = {name: old for name, old in load_settings().items() if name != key}
    file = settings_file()
    try:
        text = decoded(read_whole(file, LARGEST_TEXT)) if file.exists() else ""
        lines = [line for line in text.splitlines() if not re.match(rf"\s*{key}\s*=", line)]
        if value is not None:
            # What JSON writes for texts and numbers is TOML as well.
            lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
            wanted[key] = value
        make_private(file.parent)
        with prepared(file) as part:
            part.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
            if read_toml(part) != wanted:
                raise TomlError
    except OSError as error:
        raise SettingsError(f'can\'t write "{file}": {error.strerror}') from error
    except UnicodeEncodeError as error:  # half a character, as a terminal of another encoding may give
        raise SettingsError(f"{key} is {value!r}, not {KEYS[key].legal}") from error
    except TomlError as error:  # a value over several lines, or a key in quotes
        raise SettingsError(f'can\'t change {key} in "{file}": change it there by hand') from error


def _check(where: str, key: str, value: object) -> None:
    """Raise `SettingsError` unless there is such a setting and it may have this value; None takes it out."""
    if key not in KEYS:
        raise SettingsError(f'{where}there is no setting "{key}"; there are {", ".join(KEYS)}')
    if value is not None and not KEYS[key].allows(value):
        raise SettingsError(f"{where}{key} is {value!r}, not {KEYS[key].legal}")
