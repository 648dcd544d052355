"""Looks until what is seen can be relied on, and makes way for the look where something is in it.

`Doubts` has the eye look again while a sight leaves doubts: most likely the picture was caught half painted. Then the
hand pushes the game's own dialog off the board, or cuts a show short. It does not know what would be doubtful: it is
told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from bot.desktop import Desktop, Dialog, Outcome
from bot.desktop.timing import Timing
from bot.picture import Picture
from bot.play.events import InDoubtError, Timer
from bot.play.eye import Eye, Sight
from bot.play.hand import Hand
from bot.vision.reader import NoBoardError, Reading

DARK = 110
"""Grey level: what no hundredth of a window's points reaches is dimmed; covered tiles of the darkest known look do."""


def if_dimmed(picture: Picture) -> str:
    """Return what to add to the reason why a picture can't be read, nothing when it is as bright as it should be."""
    dark = float(np.quantile(picture.max(axis=2), 0.99)) < DARK
    return ", and it is dark: if the screen or another program dims it, end that" if dark else ""


def no_board(reason: NoBoardError, picture: Picture | None, seconds: float) -> NoBoardError:
    """Return what to tell a person in whose window no board was seen for so long, and what to do about it."""
    seen = f"{reason}, in {seconds:.1f} s of looking"
    dimmed = "" if picture is None else if_dimmed(picture)
    todo = "uncover it; another window is named by --window, a look not known yet is learnt by minebot calibrate"
    return NoBoardError(f"{seen}{dimmed}: {todo} (minebot doctor tells more)")


class Doubts:
    """The doubts of one desktop's game."""

    def __init__(self, desktop: Desktop, eye: Eye, hand: Hand, timing: Timing, timer: Timer) -> None:
        self._desktop = desktop
        self._eye = eye
        self._hand = hand
        self._timing = timing
        self._timer = timer
        self._believed: Sight | None = None
        """The last sight without doubts."""

    def look(self, doubt: Callable[[Reading], str]) -> Sight:
        """Return a sight without doubts; of a game that is over, the best there is.

        Raises `InDoubtError` when there is none to be had and `NoBoardError` when there is no board.
        """
        failure: Exception | None = None
        began = self._desktop.clock.now()
        ended: Sight | None = None
        outcome: Outcome | None = None
        self._eye.begin()
        waits = [0.0, *self._timing.doubt_pauses]
        last = len(waits) - 1
        for number, wait in enumerate(waits):
            self._timer.sleep(wait, self._desktop.clock)
            try:
                sight = self._eye.read(self._hand.hurry)
            except InDoubtError:  # it moves for good, but a dialog may have told how the game ended
                dialog = self._desktop.window.dialog()
                if dialog is None or dialog.outcome is None or self._believed is None:
                    raise
                return self._ended_as_told(self._believed, dialog.outcome)
            except NoBoardError as error:
                failure = error
            else:
                reason = doubt(sight.reading)
                if not reason:
                    self._believed = sight
                    self._eye.trust(sight)
                    return sight
                failure = InDoubtError(reason + if_dimmed(sight.picture), sight.picture)
                if outcome is not None and self._of_the_same_size(sight.reading):
                    # The dialog has told how the game ended, whatever can be read of the board beside it.
                    return self._ended_as_told(sight, outcome)
                ended = sight if sight.over else None
            dialog = self._prepare_to_look_again(number)
            if dialog is not None:
                outcome = dialog.outcome
                if number == last:
                    waits.append(self._timing.effect_least)  # a dialog that came so late hides the end no longer
        if outcome is not None and self._believed is not None:
            return self._ended_as_told(self._believed, outcome)
        if ended is None:
            assert failure is not None
            if isinstance(failure, NoBoardError):
                failure = no_board(failure, self._eye.picture, self._desktop.clock.now() - began)
            raise failure
        return ended

    def _ended_as_told(self, sight: Sight, outcome: Outcome) -> Sight:
        """Return the last picture with the board that was seen, of a game whose end a dialog tells."""
        picture = sight.picture if self._eye.picture is None else self._eye.picture
        return replace(sight, picture=picture, reading=replace(sight.reading, state=outcome))

    def _of_the_same_size(self, reading: Reading) -> bool:
        """Whether a reading is of a board as large as the last one without doubts, and not of a strip of it."""
        return self._believed is None or self._believed.reading.board.cells.shape == reading.board.cells.shape

    def _prepare_to_look_again(self, number: int) -> Dialog | None:
        """Return the game's dialog, if it had one, which is no longer in front of the board.

        Most likely the picture was caught half painted, so nothing changes before the second look. Then the game's own
        dialog is pushed off the board, for the one that tells of an end hides how the game ended; or a show of it is
        cut short, so that the dialog comes. The board is looked for anew and where it was last, in turn.
        """
        if number == 0:
            return None
        dialog = self._desktop.window.dialog()
        if dialog is not None:
            self._hand.push_aside(dialog)
        else:
            self._hand.hurry()
        if number % 2 == 0:
            self._eye.recall()
        else:
            self._eye.forget()
        return dialog
