"""The flight recorder: what went by while a game was played, so that it can be looked at and reported afterwards.

`recorder` writes, `recording` reads with distrust (`checked` value by value), `replay` reads and decides again and
tells what differs, `page` shows a game in a browser and `movie` as a film, `bundle` packs one into a file to be sent,
`shelf` keeps the last games and the doubtful pictures.
"""

from __future__ import annotations

from bot.errors import MinebotError


class RecordingError(MinebotError):
    """A recording that can't be written or read; the message names the file."""
