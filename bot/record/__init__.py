"""The flight recorder: what went by while a game was played, so that it can be looked at and reported afterwards.

`recorder.py` writes, and keeps the last games and the doubtful pictures; `recording.py` reads with distrust;
`replay.py` reads and decides again, tells what differs, and packs a recording into a file to be sent; `export.py` shows
a game in a browser and as a film.
"""

from __future__ import annotations

from bot.errors import MinebotError


class RecordingError(MinebotError):
    """A recording that can't be written or read; the message names the file."""
