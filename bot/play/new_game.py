"""What lies between two games: dialogs, what deals a new game, and what is learnt of a game by playing it.

`Dealer` gets from a game that ended to the next one. Skins tell what they know of a game (`first_click`, `new_game`).
One whose very first click shows a lone number does not keep the promise of an opening, whatever the skin says; it is
remembered by its look and its window's title, for the next games and the next start. That a first click opened an area
proves nothing: it may have been luck.
"""

from __future__ import annotations

import json
from contextlib import suppress
from itertools import cycle

from bot.board import Board, Cell
from bot.desktop import Desktop, Dialog, Key, insist_on_focus
from bot.desktop.timing import Timing, until_next_second, wait_until
from bot.files import data_folder, lock, make_private, read_whole, write_whole
from bot.play.events import InDoubtError
from bot.play.eye import Eye, Sight, TimedDesktop
from bot.play.hand import Hand
from bot.vision.reader import NoBoardError, Reading
from bot.vision.skin import GameKind
from bot.words import Rule

LEAST_TRIES_TO_BEGIN = 3
"""A new game that does not appear in time was asked for so often at least: on a busy computer one try takes it all."""

MOST_REMEMBERED = 200
"""Games; a file of more is cut to the newest."""

LARGEST_FILE = 100_000
"""Bytes; more is not ours."""


class Dealer:
    """Deals one game after the other on one desktop."""

    def __init__(self, at: TimedDesktop, eye: Eye, hand: Hand) -> None:
        self._at = at
        self._desktop = at.desktop
        self._timing = at.timing
        self._eye = eye
        self._hand = hand
        self._first_clicks = FirstClicks()

    def rule(self, reading: Reading) -> Rule:
        """Return what the first click of this game promises."""
        return self._first_clicks.rule(reading, self._desktop.window.title)

    def learn(self, reading: Reading, before: Board) -> None:
        """Remember it of a first click."""
        self._first_clicks.learn(reading, self._desktop.window.title, before)

    def deal(self, ended: Sight) -> float:
        """Start a new game: answer dialogs while there are any, otherwise ask for one in all the ways there are.

        Returns the seconds that were let pass so that the mines differ. Raises `InDoubtError` when no game appears.
        """
        clock, window, timing = self._desktop.clock, self._desktop.window, self._timing
        kind, sight = ended.reading.kind, ended
        waited = until_next_second() if kind.deals_by_the_second else 0.0
        clock.sleep(waited)
        deadline = clock.now() + timing.new_game_timeout
        ways = cycle(self._ways(kind))
        dealing = _Dealing(ended.reading.board, timing.deal)
        asked: dict[object, float] = {}
        answered = False
        tries, patience = 0, 0.0
        while clock.now() < deadline or tries < LEAST_TRIES_TO_BEGIN:
            tries += 1
            dialog = window.dialog()
            if dialog is not None:
                self._answer(dialog, asked, lost=ended.reading.state == "lost")
                answered = True
            else:
                way = next(ways)
                self._hand.ask_for_a_new_game(way, sight)
                if not isinstance(way, str):
                    self._eye.forget()  # the level may have changed
                # Asking again begins a deal again, so a slow one must get ever longer to come to its end.
                patience += timing.dialog_timeout
            done = clock.now()
            while clock.now() < done + max(patience, timing.dialog_timeout):
                dialog = window.dialog()
                if dialog is None:
                    if answered:
                        take_the_focus_back(self._desktop, timing)
                        answered = False
                    seen = self._glance()
                    sight = seen or sight
                    if seen and dealing.done(seen, clock.now()) and window.dialog() is None:
                        return waited
                # One that has its answer may take a moment to go: what is typed into it then reaches the game.
                elif clock.now() >= done + (timing.retry_after if dialog.handle in asked else 0.0):
                    break
                self._at.sleep(timing.window_poll)
        raise InDoubtError("no new game appears", self._eye.picture)

    def _ways(self, kind: GameKind) -> list[Key | float]:
        """Return what to press, or how far above the board to click, in turn while no dialog asks."""
        ways: list[Key | float] = [kind.key]
        if kind.smiley is not None:
            ways.append(kind.smiley)
        # Where the end is shown at length, its dialog comes at the press of any key, and F2 might ask something else.
        return ["f15", *ways] if self._desktop.mouse.in_step else ways

    def _answer(self, dialog: Dialog, asked: dict[object, float], lost: bool) -> None:
        """Answer a dialog after a game: by the button that plays again if it is known, else by Enter and then Esc.

        After a loss Esc comes first: what Enter says yes to there may be the same mines once more, as in KMines.
        """
        clock = self._desktop.clock
        self._desktop.obey_the_user()
        if dialog.handle in asked:  # the keyboard may still be with the game's own window, which takes nothing now
            self._desktop.window.bring_to_front()
        since = asked.setdefault(dialog.handle, clock.now())
        if self._desktop.window.play_again(dialog):
            return
        # One that wants more than the first, such as a winner's name, gets the other.
        keys: tuple[Key, Key] = ("esc", "enter") if lost else ("enter", "esc")
        self._desktop.keys.tap(keys[clock.now() >= since + self._timing.effect_timeout])

    def _glance(self) -> Sight | None:
        """Return what is seen after one look, None when there is no board in it or doubts are left."""
        try:
            sight = self._eye.read(self._hand.hurry)
        except NoBoardError:  # perhaps caught half painted
            return None
        if sight.reading.doubts:
            self._eye.forget()  # the level may have changed
            return None
        return sight


class _Dealing:
    """Tells when a new game has followed the one that ended."""

    def __init__(self, ended: Board, patience: float) -> None:
        self._ended = ended
        self._patience = patience
        self._begun: Board | None = None
        self._since = 0.0

    def done(self, sight: Sight, now: float) -> bool:
        """Whether a sight without doubts is of a new game: all covered, or begun by the game itself.

        A game that opens its first tiles by itself has covered again what was open, and stands still. A board that is
        still being painted looks like that too, but not for long.
        """
        board = sight.reading.board
        if (board.cells == Cell.COVERED).all():
            return True
        if sight.over or sight.reading.problems or not _covered_again(self._ended, board):
            self._begun = None
        elif board != self._begun:
            self._begun, self._since = board, now
        return self._begun is not None and now >= self._since + self._patience


def _covered_again(before: Board, after: Board) -> bool:
    """Whether a number is covered now, which only a new game does."""
    return before.cells.shape == after.cells.shape and bool(((before.cells <= 8) & (after.cells == Cell.COVERED)).any())


def leave_questions_to_the_user(desktop: Desktop) -> None:
    """Raise `InDoubtError` when the game asks something that only its player can answer, such as a saved game."""
    dialog = desktop.window.dialog()
    if desktop.mouse.in_step and dialog is not None and dialog.outcome is None:
        raise InDoubtError(asks(dialog))


def asks(dialog: Dialog) -> str:
    """Return that the game waits for an answer that is not the bot's to give."""
    choices = f" ({', '.join(dialog.choices)})" if dialog.choices else ""
    return f'the game waits for an answer to its dialog "{dialog.title}"{choices}: answer it, then start the bot again'


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


class FirstClicks:
    """What the first click of each game promises, by its look and its window's title: learnt by seeing, remembered."""

    def __init__(self) -> None:
        self._promises: dict[str, Rule] = {}

    def rule(self, reading: Reading, title: str) -> Rule:
        """Return what was learnt of a game, else what its skin says."""
        game = f"{reading.skin}: {title}"
        if game not in self._promises:
            self._promises[game] = "safe" if game in _broken_promises() else reading.kind.rule
        return self._promises[game]

    def learn(self, reading: Reading, title: str, before: Board) -> None:
        """Remember a first click that has shown a number and nothing else of a game thought to promise an area."""
        opened = reading.board.cells[reading.board.cells <= 8]
        broken = (before.cells == Cell.COVERED).all() and len(opened) == 1 and opened[0] > 0
        if broken and self.rule(reading, title) == "open":
            game = f"{reading.skin}: {title}"
            self._promises[game] = "safe"
            _remember_broken_promise(game)


def _remember_broken_promise(game: str) -> None:
    """Remember that a game's first click opens no area; what can't be written is forgotten."""
    with suppress(OSError):
        make_private(data_folder())
        with lock(data_folder() / "first-clicks.lock"):
            games = [known for known in _broken_promises() if known != game]
            content = json.dumps([*games, game][-MOST_REMEMBERED:], ensure_ascii=False, indent=1)
            write_whole(data_folder() / "first-clicks.json", content.encode())


def _broken_promises() -> list[str]:
    try:
        known = json.loads(read_whole(data_folder() / "first-clicks.json", LARGEST_FILE))
    except (OSError, ValueError):  # nothing yet, or nothing that we wrote
        return []
    return [game for game in known if isinstance(game, str)] if isinstance(known, list) else []
