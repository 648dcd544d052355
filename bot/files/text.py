"""Text as people's programs leave it: UTF-8, with or without a mark, or the UTF-16 that PowerShell's `>` writes.

And text as a stranger may mean it: with characters in it that would command a terminal.

TOML that a user or a stranger wrote is read with a bound on its size, or refused in a sentence that names the file.
"""

from __future__ import annotations

import codecs
import re
import sys
from pathlib import Path
from typing import Any

from bot.errors import MinebotError
from bot.files.atomic import read_whole

LARGEST_TEXT = 10_000_000
"""Bytes that people's texts may have; a board of 1,000 × 1,000 cells has a tenth of that."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def decoded(raw: bytes) -> str:
    """Return the text that a file's bytes are. Raises `UnicodeDecodeError` when they are none."""
    return raw.decode("utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")


def harmless(text: str) -> str:
    """Return a text that may be printed: what a terminal would take for a command is replaced, line ends too."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)


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
