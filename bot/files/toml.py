"""TOML that a user or a stranger wrote, read with a bound on its size, or refused in a sentence that names the file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from bot.errors import MinebotError
from bot.files.text import decoded
from bot.files.whole import read_whole

LARGEST_FILE = 100_000
"""Bytes; settings and skins have a few thousand."""


class TomlError(MinebotError, ValueError):
    """A file that can't be read as TOML; the message names it."""


def read_toml(file: Path) -> dict[str, Any]:
    """Return what a file says. Raises `FileNotFoundError`, and `TomlError` when it can't be read."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        return tomllib.loads(decoded(read_whole(file, LARGEST_FILE)))
    except FileNotFoundError:
        raise
    except OSError as error:
        raise TomlError(f'can\'t read "{file}": {error.strerror}') from error
    except UnicodeDecodeError as error:
        raise TomlError(f'"{file}" is not a text file') from error
    except ValueError as error:  # a TOMLDecodeError, or a number of thousands of digits
        raise TomlError(f'"{file}" is not TOML: {error}') from error
    except RecursionError as error:
        raise TomlError(f'"{file}" is nested too deeply') from error
