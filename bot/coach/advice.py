"""Advice without clicks: what is safe, mined and how likely, over the live board, while a person plays.

The coach looks, decides and draws, and it never touches mouse or keyboard. Every picture that has changed is answered
at once with what is exact; a guess is then thought over in the background, and the better answer shown when it is
there. What can't be read gets no marks, and what moves is not taken for a move. After each game there is a review of
how it was played.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Protocol

import numpy as np

from bot import signals, solver
from bot.board import Board, counted, place
from bot.coach.review import Journal, Review
from bot.desktop import GrabError, Overlay
from bot.desktop.timing import FAST, WALL, Clock, Seconds
from bot.picture import Picture
from bot.play.eye import if_dimmed, no_board
from bot.play.new_game import FirstClicks
from bot.show.annotate import annotate
from bot.solver.decision import Decision
from bot.vision.grid import Grid
from bot.vision.reader import NoBoardError, Reader, Reading
from bot.words import Hints, Rule

PUZZLED_AFTER = Seconds(1.5)
"""How long there may be nothing to say before the reason is told: an end that is shown, a dialog take as long."""

STANDS_STILL = Seconds(0.1)
"""How long a board must have been the same to be what a click has led to: three ticks of the Windows 7 game,
whose openings and explosions change something in almost every tick until they are over."""

STANDS_HALF_OPEN = Seconds(2.0)
"""The same of a board that breaks the rules, as a blank beside a covered tile does: a busy computer draws an opening in
pieces, and none of them is what a click has led to."""


@dataclass(frozen=True)
class Advice:
    """What the coach has to say about what it sees."""

    reading: Reading
    board: Board
    decision: Decision

    def answers(self, board: Board, grid: Grid) -> bool:
        """Whether it is about this board at this place of the picture."""
        return self.board == board and self.reading.grid == grid


class Listener(Protocol):
    """Someone who is told."""

    def advised(self, advice: Advice) -> None:
        """There is new advice, or a better thought-over one for the same board."""

    def reviewed(self, review: Review) -> None:
        """A game is over."""

    def puzzled(self, reason: str) -> None:
        """For a while there has been nothing to advise on."""


class Coach:
    """Turns pictures into advice, and remembers the game for its review.

    Without a rule it is the one of the game whose look is recognised, or what was learnt of the game of that title.
    """

    def __init__(self, reader: Reader, rule: Rule | None = None, mines: int | None = None, title: str = "") -> None:
        self._reader = reader
        self._title = title
        self._first_clicks = FirstClicks()
        self._still: Board | None = None  # the last board that stood still
        self._given_rule = rule
        self._rule: Rule = rule or "open"
        self._mines = mines
        self._grid: Grid | None = None
        self._shape: tuple[int, ...] = ()
        self._journal = Journal()
        self.over = False
        """Whether the last board that stood still showed the end of a game."""
        self._last: Advice | None = None
        self.silence = ""
        """Why the last look led to no advice."""

    def sees_a_board(self, picture: Picture) -> bool:
        """Whether there is a board to advise on; nothing is worked out for that."""
        return self._read(picture) is not None

    def look(self, picture: Picture) -> Advice | None:
        """Return advice on a picture; None when there is nothing to say: no board, a doubt, a contradiction."""
        reading = self._read(picture)
        if reading is None:
            return None
        board = self._with_mines(reading.board)
        if self._last is not None and self._last.answers(board, reading.grid):
            return self._last
        self._rule = self._given_rule or self._first_clicks.rule(reading, self._title)
        decision = solver.decide(board, strategy="csp", think=0.0, rule=self._rule, explain=True)
        if decision.problems and decision.move is None and reading.state == "playing":
            dealt = board.cells.any()
            self.silence = (
                f"the board contradicts itself: {decision.problems[0]}" if dealt else "the board is still being dealt"
            )
            return None
        self._last = Advice(reading, board, decision)
        return self._last

    def _read(self, picture: Picture) -> Reading | None:
        """Return what a picture shows when nothing of it is in doubt."""
        if picture.shape != self._shape:
            self._shape, self._grid = picture.shape, None
        try:
            reading = self._reader.read(picture, self._grid)
        except NoBoardError as reason:
            self._grid = None
            self.silence = str(no_board(reason, picture, PUZZLED_AFTER))
            return None
        if reading.doubts or reading.dialog:
            self._grid = None  # perhaps the board has moved; the next look searches for it
            self.silence = _why_unread(reading, picture)
            return None
        self._grid = reading.grid
        return reading

    def ponder(self, board: Board, think: float) -> Decision:
        """Return a decision that took its time."""
        return solver.decide(board, strategy="deep", think=think, rule=self._rule)

    def settle(self, advice: Advice) -> Review | None:
        """Take down a board that stands still; returns how the game was played, once, when it shows its end."""
        if self._still is not None:
            self._first_clicks.learn(advice.reading, self._title, self._still)
        self._still = advice.board
        over, self.over = self.over, advice.reading.state != "playing"
        if self.over and over:
            return None  # mines that go off one after the other are no moves
        self._journal.note(advice.board, advice.decision, advice.reading.state == "lost")
        review = self._journal.review(advice.reading.state == "won")
        return review if self.over and review.moves else None  # one that was over before has none

    def unfinished(self) -> Review | None:
        """Return how a game was played that is not over, if one was."""
        review = self._journal.review(None)
        return None if self.over or review.moves == 0 else review

    def _with_mines(self, board: Board) -> Board:
        """Return the board with its mines: as read, as given, or as read before."""
        if board.mines is None:
            fits = self._mines is not None and self._mines <= board.cells.size
            return Board(board.cells, self._mines if fits else None)
        self._mines = board.mines
        return board


def _why_unread(reading: Reading, picture: Picture) -> str:
    if not reading.doubts:
        return "a dialog is in front of the board"
    first = reading.doubts[0]
    which = f"{counted(len(reading.doubts), 'tile')} can't be read, the first at {place(first.row, first.col)}"
    return f"{which}{if_dimmed(picture)}: uncover the board, or learn its look by minebot calibrate"


class Thinker:
    """Thinks over one board after the other, in a thread of its own that keeps no program from ending."""

    def __init__(self, ponder: Callable[[Board], Decision]) -> None:
        self._ponder = ponder
        self._questions: SimpleQueue[tuple[Board, Future[Decision]] | None] = SimpleQueue()
        threading.Thread(target=self._work, name="thinker", daemon=True).start()

    def ask(self, board: Board) -> Future[Decision]:
        """Return what will hold the answer. One that is cancelled before its turn is not thought over."""
        answer: Future[Decision] = Future()
        self._questions.put((board, answer))
        return answer

    def dismiss(self) -> None:
        """Let the thread end after the last question."""
        self._questions.put(None)

    def _work(self) -> None:
        while (question := self._questions.get()) is not None:
            board, answer = question
            if answer.set_running_or_notify_cancel():
                try:
                    answer.set_result(self._ponder(board))
                except Exception as error:
                    answer.set_exception(error)


class Watch:
    """The coach at work: looks at an overlay's window, answers every change on the overlay and tells a listener."""

    def __init__(
        self,
        overlay: Overlay,
        coach: Coach,
        listener: Listener,
        hints: Hints = "all",
        think: float = 1.0,
        clock: Clock = WALL,
    ) -> None:
        self._overlay = overlay
        self._coach = coach
        self._listener = listener
        self._hints = hints
        self._think = think
        self._clock = clock
        self._since = clock.now()
        """When the board has last changed."""
        self._silent_since: float | None = clock.now()
        """Since when there is nothing to say; None once the reason has been told."""
        self._thinker = Thinker(lambda board: coach.ponder(board, think))
        self._picture: Picture | None = None
        self._advice: Advice | None = None
        self._settled = False
        self._thought: Future[Decision] | None = None

    def await_board(self) -> None:
        """Return once there is a board. Raises `NoWindowError` when the window is closed."""
        while True:
            signals.obey()
            picture = self._see()
            if picture is not None and self._coach.sees_a_board(picture):
                return
            if picture is not None:
                self._tell_why_silent(self._coach.silence)
            self._clock.sleep(FAST.coach_poll)

    def run(self) -> None:
        """Advise until the window is closed. Raises `NoWindowError` then."""
        try:
            while True:
                signals.obey()
                self.step()
                self._clock.sleep(FAST.coach_poll)
        finally:
            self._forget_thought()
            self._thinker.dismiss()

    def step(self) -> None:
        """Look once, and answer what has changed."""
        picture = self._see()
        if picture is None:
            return
        if self._picture is None or not np.array_equal(picture, self._picture):
            self._picture = picture
            self._changed(picture)
        if self._advice is None:
            if not self._coach.over:  # how a game ends may hide the board for long
                self._tell_why_silent(self._coach.silence)
            return
        self._silent_since = self._clock.now()
        if not self._settled:
            broken = self._advice.reading.problems and self._advice.reading.state == "playing"
            if self._clock.now() >= self._since + (STANDS_HALF_OPEN if broken else STANDS_STILL):
                self._settle(picture, self._advice)
        elif self._thought is not None and self._thought.done():
            self._advice = Advice(self._advice.reading, self._advice.board, self._thought.result())
            self._thought = None
            self._show(picture, self._advice)

    def _see(self) -> Picture | None:
        """Return what the window shows; None, with the reason told after a while, when it can't be seen just now."""
        try:
            return self._overlay.see()
        except GrabError as reason:
            self._picture = self._advice = None
            self._overlay.clear()
            self._tell_why_silent(str(reason))
            return None

    def _tell_why_silent(self, reason: str) -> None:
        """Tell once, after a while, why there is no advice."""
        if self._silent_since is not None and self._clock.now() >= self._silent_since + PUZZLED_AFTER:
            self._silent_since = None
            self._listener.puzzled(reason)

    def _changed(self, picture: Picture) -> None:
        advice = self._coach.look(picture)
        if advice is None:
            self._advice = None
            self._forget_thought()
            self._overlay.clear()
        elif self._advice is None or not self._advice.answers(advice.board, advice.reading.grid):
            # More than the clock has changed.
            self._advice, self._settled, self._since = advice, False, self._clock.now()
            self._forget_thought()
            if advice.reading.problems:
                self._overlay.clear()  # most likely an opening that still ripples; if not, it stands still soon
            else:
                self._show(picture, advice)

    def _forget_thought(self) -> None:
        if self._thought is not None:
            self._thought.cancel()
        self._thought = None

    def _settle(self, picture: Picture, advice: Advice) -> None:
        self._settled = True
        if advice.reading.problems:
            self._show(picture, advice)
        review = self._coach.settle(advice)
        if review is not None:
            self._listener.reviewed(review)
        elif advice.decision.must_guess and advice.decision.move is not None and self._think > 0:
            self._thought = self._thinker.ask(advice.board)

    def _show(self, picture: Picture, advice: Advice) -> None:
        if advice.reading.state == "playing":
            marked = annotate(picture, advice.reading.grid, advice.board, advice.decision, self._hints)
            self._overlay.show(picture, marked)
        else:
            self._overlay.clear()
        self._listener.advised(advice)
