"""A game's own look becomes a skin.

Pictures, or the live window, go in; a skin comes out whose every tile is known by proof: from the user's own word
(`--board`), from the rules of the game, or from a known skin that reads the same. What can't be proved is asked, never
guessed. `from_pictures.py` does it for screenshots, `from_window.py` on a window, `learn.py` during play.
"""

from __future__ import annotations

from bot.errors import Exit, MinebotError


class CalibrationError(MinebotError, ValueError):
    """Pictures or truths that no skin can be made of; the message names the picture and the cell."""


class UnsureError(MinebotError):
    """Looks whose meaning nothing proves, with nobody to ask; the message says where they can be seen."""

    exit_code = Exit.DOUBT
