"""What can go wrong, as a user is told of it: one sentence, and an exit code that scripts rely on."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """What the exit code says."""

    DONE = 0
    BUG = 1
    UNUSABLE = 2
    """Wrong usage, or a file that can't be read or written."""
    NOTHING = 3
    """No window, or no board in the picture."""
    DOUBT = 4
    USER = 130


class MinebotError(Exception):
    """Whatever the bot can't do, or must not; its message is a sentence for the user."""

    exit_code = Exit.UNUSABLE
