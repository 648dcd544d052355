"""Text as people's programs leave it: UTF-8, with or without a mark, or the UTF-16 that PowerShell's `>` writes."""

from __future__ import annotations

import codecs


def decoded(raw: bytes) -> str:
    """Return the text that a file's bytes are. Raises `UnicodeDecodeError` when they are none."""
    return raw.decode("utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig")
