"""What lies between two games: the focus that a dialog had, and what is learnt of a game by playing it.

Skins tell what they know of it (`first_click`). A game whose very first click shows a lone number does not keep that
promise, whatever the skin says; it is remembered by its look and its window's title, for the next games and the next
start. That a first click opened an area proves nothing: it may have been luck.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress

from bot.actions import Action
from bot.board import Board, Cell
from bot.desktop import Desktop, insist_on_focus
from bot.desktop.timing import Timing, wait_until
from bot.files.atomic import read_whole, write_whole
from bot.files.folders import data_folder, make_private
from bot.files.lock import lock

MOST_REMEMBERED = 200
"""Games; a file of more is cut to the newest."""

LARGEST_FILE = 100_000
"""Bytes; more is not ours."""


def take_the_focus_back(desktop: Desktop, timing: Timing) -> None:
    """Bring the game to the front after a dialog of its own, which had the focus.

    It comes back by itself, late, and on some desktops not at all. A window that the user has gone to keeps it:
    raises `FocusLostError`.
    """
    window, clock = desktop.window, desktop.clock
    wait_until(window.is_foreground, timing.focus_timeout, timing.window_poll, clock)
    if window.focus_is_free():
        window.bring_to_front()
    insist_on_focus(window, clock)


def breaks_the_promise(before: Board, after: Board, actions: Sequence[Action]) -> bool:
    """Whether the first click of a new game has shown a number and nothing else."""
    first = actions[0]
    alone = (after.cells <= 8).sum() == 1
    return bool(
        first.kind == "open"
        and (before.cells == Cell.COVERED).all()
        and alone
        and 1 <= after.cells[first.row, first.col] <= 8
    )


def remember_broken_promise(game: str) -> None:
    """Remember that a game's first click opens no area; what can't be written is forgotten."""
    with suppress(OSError):
        make_private(data_folder())
        with lock(data_folder() / "first-clicks.lock"):
            games = [known for known in _broken_promises() if known != game]
            content = json.dumps([*games, game][-MOST_REMEMBERED:], ensure_ascii=False, indent=1)
            write_whole(data_folder() / "first-clicks.json", content.encode())


def promise_was_broken(game: str) -> bool:
    """Whether a first click of this game is known to have opened no area."""
    return game in _broken_promises()


def _broken_promises() -> list[str]:
    try:
        known = json.loads(read_whole(data_folder() / "first-clicks.json", LARGEST_FILE))
    except (OSError, ValueError):  # nothing yet, or nothing that we wrote
        return []
    return [game for game in known if isinstance(game, str)] if isinstance(known, list) else []
