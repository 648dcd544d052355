"""Text as people's programs leave it: UTF-8, with or without a mark, or the UTF-16 that PowerShell's `>` writes.

And text as a stranger may mean it: with characters in it that would command a terminal.
"""

from __future__ import annotations

import codecs
import re

LARGEST_TEXT = 10_000_000
"""Bytes that people's texts may have; a board of 1,000 × 1,000 cells has a tenth of that."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


def decoded(raw: bytes) -> str:
    """Return the text that a file's bytes are. Raises `UnicodeDecodeError` when they are none."""
    return raw.decode("utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")


def harmless(text: str) -> str:
    """Return a text that may be printed: what a terminal would take for a command is replaced, line ends too."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
