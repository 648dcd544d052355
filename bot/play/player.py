"""The loop: settle, read, decide, act, check that it happened.

`Player` plays games on a desktop, from pixels alone. It never acts on a picture that still moves, on a tile that it
could not read or on a board that contradicts itself: it looks again, and then stops and says why. It clicks all
certain moves of one reading as a batch, verifies each, tries a lost click again only when it can no longer be taken for
a double-click, and stops at the first tile that changes without having been clicked. It does not know where the desktop
comes from, how a tile is recognised or why a move is good, and it prints nothing: a `Watcher` is told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import cycle

from bot import signals, solver
from bot.board import Board, Cell, place
from bot.desktop import (
    BusyError,
    CoveredError,
    Desktop,
    DesktopError,
    Dialog,
    FocusLostError,
    MovedError,
    NoWindowError,
    StopRequestedError,
    insist_on_focus,
)
from bot.desktop.timing import until_next_second, wait_until
from bot.plan import Action, plan
from bot.play.eye import Eye
from bot.play.hand import Hand
from bot.play.manners import WINDOWS_7, manners_of
from bot.play.progress import Dealing, Progress, exploded, opened_far, over
from bot.play.session import GameResult, InDoubtError, Session, Settings, Stop, Watcher
from bot.play.spent import Spent
from bot.solver.decision import Decision
from bot.vision.reader import NoBoardError, Reader, Reading

FADE_SECONDS = 0.15
"""What the quickest of those fades takes."""

LOOKS_IN_DOUBT = 4
"""How often a board without a solution is looked at again before the bot stops."""

ROUNDS_IN_VAIN = 3
"""How many rounds of clicks in a row may change nothing before the bot stops."""

GUESSES = tuple(
    Board.parse(f"mines: {mines}\n1{covered[1:]}\n" + "\n".join([covered] * (rows - 1)))
    for rows, covered, mines in ((9, "#####", 10), (5, "#####", 5), (2, "###", 2))
)
"""Boards over which a solver must think, each in another way: early in a game, later, and at its end."""


class Player:
    """Plays on one desktop with one reader."""

    def __init__(self, desktop: Desktop, reader: Reader, settings: Settings, watcher: Watcher | None = None) -> None:
        self.spent = Spent()
        self._desktop = desktop
        self._settings = settings
        self._timing = settings.timing
        self._watcher = watcher or Watcher()
        self._eye = Eye(desktop, reader, settings.timing, self.spent)
        self._hand = Hand(desktop, self._eye, settings.timing, self.spent)
        self._manners = WINDOWS_7
        self._slowest_effect = 0.0
        self._game = Progress(desktop.clock.now())
        self._size: tuple[int, int] | None = None
        """Rows and columns of the last game's board."""

    def play(self, games: int) -> Session:
        """Play so many games; the first may be under way already. Ends early only with a `Stop` that says why."""
        results: list[GameResult] = []
        ended: Reading | None = None
        self._wake_the_solver()
        for number in range(1, games + 1):
            self._game = Progress(self._desktop.clock.now())
            try:
                won = self._play_one(ended)
            except (DesktopError, InDoubtError, NoBoardError, KeyboardInterrupt) as reason:
                signals.obeyed()
                stop = self._stopped(reason)
                result = self._game.result(self._desktop.clock.now(), False, stop.reason)
                self._watcher.stopped(stop)
                self._watcher.game_over(number, result, self._game.last)
                return Session((*results, result), stop)
            result = self._game.result(self._desktop.clock.now(), won)
            results.append(result)
            ended = self._game.last
            try:
                self._watcher.game_over(number, result, ended)
            except KeyboardInterrupt as reason:  # who writes games down takes a moment; this one is over and counts
                signals.obeyed()
                return Session(tuple(results), self._stopped(reason))
        return Session(tuple(results))

    def _play_one(self, ended: Reading | None) -> bool:
        """Play the game after one that ended, else the one that is on unless it is over already; whether it was won."""
        self._hand.begin()
        if ended is None:
            self._desktop.window.bring_to_front()
            self._leave_questions_to_the_user()
        else:
            self._next_game(ended)
        reading = self._first_look()
        if over(reading):
            self._next_game(reading)
            reading = self._first_look()
        while not over(reading):
            signals.obey()
            board = self._game.believe(reading, self._settings.level)
            decision = self._decide(board)
            if decision.problems and decision.move is None:
                reading = self._look_again(f"the board contradicts itself: {decision.problems[0]}")
                continue
            actions = plan(board, decision, self._settings.style)
            self._watcher.decided(replace(reading, board=board), decision, actions)
            if not actions:
                break
            reading = self._act(reading, actions)
        return reading.state == "won" or (reading.state == "playing" and not exploded(reading.board))

    def _wake_the_solver(self) -> None:
        """Load its machine code, which takes seconds, before the game's clock runs."""
        for board in GUESSES:
            signals.obey()
            solver.decide(board, strategy=self._settings.strategy, think=min(self._settings.think, 0.01))

    def _decide(self, board: Board) -> Decision:
        settings = self._settings
        with self.spent.on("decide", self._desktop.clock):
            return solver.decide(
                board,
                strategy=settings.strategy,
                think=settings.think,
                rule=settings.rule or self._manners.rule,
            )

    # Looking

    def _first_look(self) -> Reading:
        """Return the first reading of a game; a board of another size than before may be one that is still dealt."""
        reading = self._see()
        while self._size != (reading.board.rows, reading.board.cols):
            self._size = reading.board.rows, reading.board.cols
            if (reading.board.cells == Cell.COVERED).all():
                self._desktop.clock.sleep(self._timing.deal)
                self._game = Progress(self._game.started + self._timing.deal)  # the game was not on yet
                self._eye.forget()
                reading = self._see()
        self._tell(reading)
        return reading

    def _look(self) -> Reading:
        reading = self._see()
        self._tell(reading)
        return reading

    def _see(self) -> Reading:
        reading = self._eye.look(self._game.doubt)
        if self._game.another_size(reading):
            raise InDoubtError(self._game.another_size(reading), self._eye.picture)
        self._game.last = reading
        self._manners = manners_of(reading.skin, reading.new_game)
        return reading

    def _tell(self, reading: Reading) -> None:
        assert self._eye.picture is not None
        self._watcher.looked(reading, self._eye.picture)

    def _look_again(self, doubt: str) -> Reading:
        """Return a reading that differs from the last one. Raises `InDoubtError` when nothing changes."""
        last = self._game.last
        for _ in range(LOOKS_IN_DOUBT):
            self._eye.forget()
            self.spent.sleep(self._timing.retry_after, self._desktop.clock)
            reading = self._look()
            if last is None or reading.board != last.board:
                return reading
        raise InDoubtError(doubt, self._eye.picture)

    # Acting

    def _act(self, before: Reading, actions: list[Action]) -> Reading:
        """Click and wait for the effect; what had none is left for the next round."""
        actions = self._hand.without_retries(actions) or actions
        if self._desktop.mouse.in_step and any(action.kind == "chord" for action in actions):
            # A chord opens mines where a flag is missing: the flags must have been seen before.
            actions = [action for action in actions if action.kind == "flag"] or actions
        self._game.meant(actions, before.board)
        try:
            clicks = self._hand.click(actions, self._eye.animated)
        except MovedError:
            return self._look()  # finds the board where it is now; what was not clicked is decided anew
        except BusyError as reason:
            return self._look_after_nothing_happened(str(reason))
        actions = actions[: len(clicks)]
        self._game.clicked(actions)
        self._watcher.clicked(actions, clicks)
        after = self._await_effect(before.board, actions)
        if over(after) or before.board != after.board:
            self._game.rounds_in_vain = 0
            return after
        where = place(actions[0].row, actions[0].col)
        return self._look_after_nothing_happened(
            f"clicking {where} changes nothing: the game does not take clicks "
            "(a program with fewer rights can't click one that runs as administrator)"
        )

    def _await_effect(self, before: Board, actions: list[Action]) -> Reading:
        """Look until all clicks have had their effect, or until it is clear that one was lost."""
        clicked_at = self._desktop.clock.now()
        patience = self._patience()
        self._eye.moved = False
        self._eye.await_change(*actions[-1].shows_at(before), patience)
        while True:
            reading = self._insist_on_the_right_tiles(before, self._look())
            waited = self._desktop.clock.now() - clicked_at
            lost = [] if over(reading) else [action for action in actions if not action.done(before, reading.board)]
            if not lost:
                self._slowest_effect = max(self._slowest_effect, waited)
                self._eye.animated = self._animated(before, reading.board, actions, clicked_at)
                return reading
            if actions[-1].done(before, reading.board):  # a game takes clicks in their order: an earlier one was lost
                patience = self._timing.effect_least
            if waited > patience:
                self._game.lost_clicks += len(lost)
                self._eye.animated = self._eye.animated or None  # perhaps it was a fade that swallowed them
                return reading
            self.spent.sleep(self._timing.settle_poll, self._desktop.clock)

    def _patience(self) -> float:
        """Return how long to wait for an effect. A game that has not answered may be busy: it gets ever longer."""
        timing, slowest = self._timing, self._slowest_effect
        if self._game.rounds_in_vain or not slowest:
            return timing.effect_timeout * 2.0**self._game.rounds_in_vain
        return min(max(timing.effect_slack * slowest, timing.effect_least), timing.effect_timeout)

    def _insist_on_the_right_tiles(self, before: Board, reading: Reading) -> Reading:
        """Return the reading, or a second one when a tile has changed that nobody clicked.

        The end of a game changes many, and some paint it bit by bit. Raises `InDoubtError` when it is no end: then
        a click acted elsewhere, and nothing is sure any more.
        """
        clicks_chord = not self._desktop.mouse.in_step
        if not self._game.unexplained(before, reading, clicks_chord):
            return reading
        self.spent.sleep(self._timing.effect_least, self._desktop.clock)
        reading = self._look()
        strange = self._game.unexplained(before, reading, clicks_chord)
        if not strange:
            return reading
        self._game.misplaced += len(strange)
        raise InDoubtError(
            f"{place(*min(strange))} changed although it was not clicked: a click acted on the wrong tile, "
            "or somebody else plays too",
            self._eye.picture,
        )

    def _animated(self, before: Board, after: Board, actions: list[Action], clicked_at: float) -> bool | None:
        """Return whether the game fades its tiles: an opening that reaches far was seen to move, or did not.

        Who looks too late has missed a fade that there may have been, and knows no more than before.
        """
        known = self._eye.animated
        if known or not opened_far(before, after, actions):
            return known
        if self._eye.moved:
            return True
        return False if self._eye.looked_at < clicked_at + FADE_SECONDS / 2 else known

    def _look_after_nothing_happened(self, reason: str) -> Reading:
        """Look where the board is now. Raises `InDoubtError` when a dialog explains it, or after the third time."""
        self._game.rounds_in_vain += 1
        dialog = self._desktop.window.dialog()
        if dialog is None and self._game.rounds_in_vain >= ROUNDS_IN_VAIN:
            raise InDoubtError(reason, self._eye.picture)
        self._eye.forget()
        reading = self._look()
        if dialog is not None and dialog.outcome is None and not over(reading):
            raise InDoubtError(_asks(dialog), self._eye.picture)
        return reading

    # From game to game

    def _leave_questions_to_the_user(self) -> None:
        """Raise `InDoubtError` when the game asks something that only its player can answer, such as a saved game."""
        dialog = self._desktop.window.dialog()
        if self._desktop.mouse.in_step and dialog is not None and dialog.outcome is None:
            raise InDoubtError(_asks(dialog))

    def _next_game(self, ended: Reading) -> None:
        """Start a new game: answer dialogs while there are any, otherwise ask for one in all the ways there are."""
        desktop = self._desktop
        if self._manners.deals_by_the_second:
            desktop.clock.sleep(until_next_second())
            self._game.started = desktop.clock.now()
        deadline = desktop.clock.now() + self._timing.new_game_timeout
        ways = cycle(self._ways_to_a_new_game())
        dealing = Dealing(ended.board, self._timing.deal)
        asked: dict[object, float] = {}
        answered = False
        while desktop.clock.now() < deadline:
            dialog = desktop.window.dialog()
            if dialog is not None:
                self._answer(dialog, asked)
                answered = True
            else:
                next(ways)()
            done = desktop.clock.now()
            while desktop.clock.now() < min(done + self._timing.dialog_timeout, deadline):
                dialog = desktop.window.dialog()
                if dialog is None:
                    if answered:
                        self._take_the_focus_back()
                        answered = False
                    if self._sees_a_new_game(dealing) and desktop.window.dialog() is None:
                        return
                # One that has its answer may take a moment to go: what is typed into it then reaches the game.
                elif desktop.clock.now() >= done + (self._timing.retry_after if dialog.handle in asked else 0.0):
                    break
                self.spent.sleep(self._timing.window_poll, desktop.clock)
        raise InDoubtError("no new game appears", self._eye.picture)

    def _take_the_focus_back(self) -> None:
        """Bring the game to the front after a dialog of its own, which had the focus.

        It comes back by itself, late, and on some desktops not at all. A window that the user has gone to keeps it:
        raises `FocusLostError`.
        """
        window, clock = self._desktop.window, self._desktop.clock
        wait_until(window.is_foreground, self._timing.focus_timeout, self._timing.window_poll, clock)
        if window.focus_is_free():
            window.bring_to_front()
        insist_on_focus(window, clock)

    def _ways_to_a_new_game(self) -> list[Callable[[], None]]:
        """Return what to do in turn while no dialog asks."""
        ways = [self._press_key] if self._manners.smiley is None else [self._press_key, self._click_the_smiley]
        # Where the end is shown at length, its dialog comes at the press of any key, and F2 might ask something else.
        return [self._skip_the_show, *ways] if self._desktop.mouse.in_step else ways

    def _answer(self, dialog: Dialog, asked: dict[object, float]) -> None:
        """Answer a dialog after a game: by the button that plays again if it is known, else by Enter and then Esc."""
        clock = self._desktop.clock
        self._eye.obey_the_user()
        if dialog.handle in asked:  # the keyboard may still be with the game's own window, which takes nothing now
            self._desktop.window.bring_to_front()
        since = asked.setdefault(dialog.handle, clock.now())
        if self._desktop.window.play_again(dialog):
            return
        # One that wants more than Enter, such as a winner's name, is closed instead.
        self._desktop.keys.tap("enter" if clock.now() < since + self._timing.effect_timeout else "esc")

    def _skip_the_show(self) -> None:
        self._desktop.keys.tap("f15")

    def _press_key(self) -> None:
        self._desktop.keys.tap(self._manners.key)

    def _click_the_smiley(self) -> None:
        assert self._manners.smiley is not None
        self._hand.click_beside_the_board(*self._eye.above(self._manners.smiley))

    def _sees_a_new_game(self, dealing: Dealing) -> bool:
        try:
            reading = self._eye.read()
        except NoBoardError:  # perhaps caught half painted
            return False
        if reading.doubts:
            self._eye.forget()  # the level may have changed
            return False
        return dealing.done(reading, self._desktop.clock.now())

    # Stopping

    def _stopped(self, reason: BaseException) -> Stop:
        if isinstance(reason, FocusLostError):
            reason = self._gone() or reason
        if isinstance(reason, StopRequestedError):
            return Stop("user", str(reason))
        if isinstance(reason, KeyboardInterrupt):
            return Stop("user", str(reason) or "Ctrl-C was pressed")
        if isinstance(reason, NoWindowError | NoBoardError):
            return Stop("nothing", str(reason), self._eye.picture)
        if isinstance(reason, CoveredError):
            return Stop("doubt", str(reason))
        picture = reason.picture if isinstance(reason, InDoubtError) else self._eye.picture
        return Stop("doubt", str(reason), picture)

    def _gone(self) -> NoWindowError | None:
        """Return why there is no window any more: one that is closed or minimised loses its focus a moment earlier."""
        clock = self._desktop.clock
        deadline = clock.now() + self._timing.focus_timeout
        while clock.now() < deadline:
            try:
                self._desktop.window.client()
            except NoWindowError as reason:
                return reason
            clock.sleep(self._timing.window_poll)
        return None


def _asks(dialog: Dialog) -> str:
    """Return that the game waits for an answer that is not the bot's to give."""
    choices = f" ({', '.join(dialog.choices)})" if dialog.choices else ""
    return f'the game waits for an answer to its dialog "{dialog.title}"{choices}: answer it, then start the bot again'
