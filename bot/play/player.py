"""The loop: settle, read, decide, act, check that it happened.

`Player` plays games on a desktop, from pixels alone. It never acts on a picture that still moves, on a tile that it
could not read or on a board that contradicts itself: it looks again, and then stops and says why. It clicks all
certain moves of one reading as a batch, verifies each, tries a lost click again only when it can no longer be taken for
a double-click, and stops at the first tile that changes without having been clicked. It does not know where the desktop
comes from, how a tile is recognised or why a move is good, and it prints nothing: a `Watcher` is told.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

from bot import signals, solver
from bot.actions import Action, plan
from bot.board import Board, Cell, place
from bot.desktop import (
    BusyError,
    CoveredError,
    Desktop,
    DesktopError,
    Dialog,
    FocusLostError,
    Key,
    MovedError,
    NoWindowError,
    StopRequestedError,
)
from bot.desktop.timing import until_next_second
from bot.play.events import GameResult, InDoubtError, Session, Settings, Stop, Watcher
from bot.play.eye import Eye
from bot.play.game import Dealing, Progress, exploded, opened_far, over
from bot.play.hand import Hand
from bot.play.new_game import breaks_the_promise, promise_was_broken, remember_broken_promise, take_the_focus_back
from bot.play.sight import Sight
from bot.play.timer import Timer
from bot.solver.decision import Decision
from bot.vision.reader import NoBoardError, Reader, Reading
from bot.vision.skin import WINDOWS_7

FADE_SECONDS = 0.15
"""What the quickest of those fades takes."""

LOOKS_IN_DOUBT = 4
"""How often a board without a solution is looked at again before the bot stops."""

LEAST_TRIES_TO_BEGIN = 3
"""A new game that does not appear in time was asked for so often at least: on a busy computer one try takes it all."""

ROUNDS_IN_VAIN = 3
"""How many rounds of clicks in a row may change nothing before the bot stops."""


class Player:
    """Plays on one desktop with one reader."""

    def __init__(self, desktop: Desktop, reader: Reader, settings: Settings, watcher: Watcher | None = None) -> None:
        self.timer = Timer()
        self._desktop = desktop
        self._settings = settings
        self._timing = settings.timing
        self._watcher = watcher or Watcher()
        self._eye = Eye(desktop, reader, settings.timing, self.timer)
        self._hand = Hand(desktop, settings.timing, self.timer)
        self._kind = WINDOWS_7
        self._program = ""
        """The game's look and its window's title, by which what was learnt of it is remembered."""
        self._fades: bool | None = None
        """Whether the game fades its tiles and shows its ends; None while nothing was seen of either."""
        self._slowest_effect = 0.0
        self._game = Progress(desktop.clock.now())
        self._size: tuple[int, int] | None = None
        """Rows and columns of the last game's board."""

    def play(self, games: int) -> Session:
        """Play so many games; the first may be under way already. Ends early only with a `Stop` that says why."""
        results: list[GameResult] = []
        ended: Sight | None = None
        solver.warm_up(self._settings.strategy, self._settings.think, between=signals.obey)
        for number in range(1, games + 1):
            self._game = Progress(self._desktop.clock.now())
            try:
                won = self._play_one(ended)
            except (DesktopError, InDoubtError, NoBoardError, KeyboardInterrupt) as reason:
                signals.obeyed()
                stop = self._stopped(reason)
                result = self._game.result(self._desktop.clock.now(), False, stop.reason)
                self._watcher.stopped(stop)
                self._watcher.game_over(number, result, self._last_reading)
                return Session((*results, result), stop)
            result = self._game.result(self._desktop.clock.now(), won)
            results.append(result)
            ended = self._game.last
            try:
                self._watcher.game_over(number, result, self._last_reading)
            except KeyboardInterrupt as reason:  # who writes games down takes a moment; this one is over and counts
                signals.obeyed()
                return Session(tuple(results), self._stopped(reason))
        return Session(tuple(results))

    @property
    def _last_reading(self) -> Reading | None:
        return None if self._game.last is None else self._game.last.reading

    def _play_one(self, ended: Sight | None) -> bool:
        """Play the game after one that ended, else the one that is on unless it is over already; whether it was won."""
        self._hand.begin()
        if ended is None:
            self._desktop.window.bring_to_front()
            self._leave_questions_to_the_user()
        else:
            self._next_game(ended)
        sight = self._first_look()
        if over(sight.reading):
            self._next_game(sight)
            sight = self._first_look()
        while not over(sight.reading):
            signals.obey()
            board = self._game.believe(sight.reading, self._settings.level)
            decision = self._decide(board)
            if decision.problems and decision.move is None:
                sight = self._look_again(f"the board contradicts itself: {decision.problems[0]}")
                continue
            actions = plan(board, decision, self._settings.style)
            self._watcher.decided(replace(sight.reading, board=board), decision, actions)
            if not actions:
                break
            sight = self._act(sight, actions)
        return sight.reading.state == "won" or (not over(sight.reading) and not exploded(sight.reading.board))

    def _decide(self, board: Board) -> Decision:
        settings = self._settings
        with self.timer.on("decide", self._desktop.clock):
            return solver.decide(
                board,
                strategy=settings.strategy,
                think=settings.think,
                rule=settings.rule or self._kind.rule,
            )

    # Looking

    def _first_look(self) -> Sight:
        """Return the first sight of a game; a board of another size than before may be one that is still dealt."""
        sight = self._see()
        while self._size != (sight.grid.rows, sight.grid.cols):
            self._size = sight.grid.rows, sight.grid.cols
            if (sight.reading.board.cells == Cell.COVERED).all():
                self._desktop.clock.sleep(self._timing.deal)
                self._game = Progress(self._game.started + self._timing.deal)  # the game was not on yet
                self._eye.forget()
                sight = self._see()
        self._watcher.looked(sight.reading, sight.picture)
        return sight

    def _look(self) -> Sight:
        sight = self._see()
        self._watcher.looked(sight.reading, sight.picture)
        return sight

    def _see(self) -> Sight:
        sight = self._eye.look(self._game.doubt)
        self._fades = sight.hurried or self._fades
        reading = sight.reading
        if self._game.another_size(reading):
            raise InDoubtError(self._game.another_size(reading), sight.picture)
        self._game.saw(sight)
        program = f"{reading.skin}: {self._desktop.window.title}"
        if program != self._program:
            rule = "safe" if promise_was_broken(program) else reading.kind.rule
            self._program, self._kind = program, replace(reading.kind, rule=rule)
        return sight

    def _look_again(self, doubt: str) -> Sight:
        """Return a sight of another board than the last one. Raises `InDoubtError` when nothing changes."""
        last = self._last_reading
        for _ in range(LOOKS_IN_DOUBT):
            self._eye.forget()
            self.timer.sleep(self._timing.retry_after, self._desktop.clock)
            sight = self._look()
            if last is None or sight.reading.board != last.board:
                return sight
        raise InDoubtError(doubt, sight.picture)

    # Acting

    def _act(self, sight: Sight, actions: list[Action]) -> Sight:
        """Click and wait for the effect; what had none is left for the next round."""
        actions = self._hand.without_retries(actions) or actions
        if self._desktop.mouse.in_step and any(action.kind == "chord" for action in actions):
            # A chord opens mines where a flag is missing: the flags must have been seen before.
            actions = [action for action in actions if action.kind == "flag"] or actions
        before = sight.reading.board
        self._game.meant(actions, before)
        try:
            clicks = self._hand.do(actions, sight, self._fades)
        except MovedError:
            return self._look()  # finds the board where it is now; what was not clicked is decided anew
        except BusyError as reason:
            return self._look_after_nothing_happened(str(reason), sight)
        actions = actions[: len(clicks)]
        self._game.clicked(actions)
        self._watcher.clicked(actions, clicks)
        after = self._await_effect(sight, actions)
        if self._kind.rule == "open" and breaks_the_promise(before, after.reading.board, actions):
            self._kind = replace(self._kind, rule="safe")
            remember_broken_promise(self._program)
        if over(after.reading) or before != after.reading.board:
            self._game.rounds_in_vain = 0
            return after
        where = place(actions[0].row, actions[0].col)
        return self._look_after_nothing_happened(
            f"clicking {where} changes nothing: the game does not take clicks "
            "(a program with fewer rights can't click one that runs as administrator)",
            after,
        )

    def _await_effect(self, sight: Sight, actions: list[Action]) -> Sight:
        """Look until all clicks have had their effect, or until it is clear that one was lost."""
        before = sight.reading.board
        clicked_at = self._desktop.clock.now()
        patience = self._patience()
        moved = False
        self._eye.await_change(sight, *actions[-1].shows_at(before), patience)
        while True:
            seen = self._look()
            after = self._insist_on_the_right_tiles(before, seen)
            moved = moved or seen.moved or after.moved
            board = after.reading.board
            waited = self._desktop.clock.now() - clicked_at
            lost = [] if over(after.reading) else [action for action in actions if not action.done(before, board)]
            if not lost:
                self._slowest_effect = max(self._slowest_effect, waited)
                if not self._fades and opened_far(before, board, actions):
                    self._fades = self._saw_fades(moved, after.began - clicked_at)
                return after
            if actions[-1].done(before, board):  # a game takes clicks in their order: an earlier one was lost
                patience = self._timing.effect_least
            if waited > patience:
                self._game.lost_clicks += len(lost)
                self._fades = self._fades or None  # perhaps it was a fade that swallowed them
                return after
            self.timer.sleep(self._timing.settle_poll, self._desktop.clock)

    def _patience(self) -> float:
        """Return how long to wait for an effect. A game that has not answered may be busy: it gets ever longer."""
        timing, slowest = self._timing, self._slowest_effect
        if self._game.rounds_in_vain or not slowest:
            return timing.effect_timeout * 2.0**self._game.rounds_in_vain
        return min(max(timing.effect_slack * slowest, timing.effect_least), timing.effect_timeout)

    def _insist_on_the_right_tiles(self, before: Board, sight: Sight) -> Sight:
        """Return the sight, or a second one when a tile has changed that nobody clicked.

        The end of a game changes many, and some paint it bit by bit. Raises `InDoubtError` when it is no end: then
        a click acted elsewhere, and nothing is sure any more.
        """
        clicks_chord = not self._desktop.mouse.in_step
        if not self._game.unexplained(before, sight.reading, clicks_chord):
            return sight
        self.timer.sleep(self._timing.effect_least, self._desktop.clock)
        sight = self._look()
        strange = self._game.unexplained(before, sight.reading, clicks_chord)
        if not strange:
            return sight
        self._game.misplaced += len(strange)
        raise InDoubtError(
            f"{place(*min(strange))} changed although it was not clicked: a click acted on the wrong tile, "
            "or somebody else plays too",
            sight.picture,
        )

    def _saw_fades(self, moved: bool, late: float) -> bool | None:
        """Return whether the game fades its tiles: an opening that reaches far was seen to move, or did not.

        Who looks too late has missed a fade that there may have been, and knows no more than before.
        """
        if moved:
            return True
        return False if late < FADE_SECONDS / 2 else self._fades

    def _look_after_nothing_happened(self, reason: str, sight: Sight) -> Sight:
        """Look where the board is now. Raises `InDoubtError` when a dialog explains it, or after the third time."""
        self._game.rounds_in_vain += 1
        dialog = self._desktop.window.dialog()
        if dialog is None and self._game.rounds_in_vain >= ROUNDS_IN_VAIN:
            raise InDoubtError(reason, sight.picture)
        self._eye.forget()
        sight = self._look()
        if dialog is not None and dialog.outcome is None and not over(sight.reading):
            raise InDoubtError(_asks(dialog), sight.picture)
        return sight

    # From game to game

    def _leave_questions_to_the_user(self) -> None:
        """Raise `InDoubtError` when the game asks something that only its player can answer, such as a saved game."""
        dialog = self._desktop.window.dialog()
        if self._desktop.mouse.in_step and dialog is not None and dialog.outcome is None:
            raise InDoubtError(_asks(dialog))

    def _next_game(self, sight: Sight) -> None:
        """Start a new game: answer dialogs while there are any, otherwise ask for one in all the ways there are."""
        desktop = self._desktop
        if self._kind.deals_by_the_second:
            desktop.clock.sleep(until_next_second())
            self._game.started = desktop.clock.now()
        deadline = desktop.clock.now() + self._timing.new_game_timeout
        ways = cycle(self._ways_to_a_new_game())
        dealing = Dealing(sight.reading.board, self._timing.deal)
        asked: dict[object, float] = {}
        answered = False
        tries, patience = 0, 0.0
        while desktop.clock.now() < deadline or tries < LEAST_TRIES_TO_BEGIN:
            tries += 1
            dialog = desktop.window.dialog()
            if dialog is not None:
                self._answer(dialog, asked)
                answered = True
            else:
                way = next(ways)
                self._hand.ask_for_a_new_game(way, sight)
                if not isinstance(way, str):
                    self._eye.forget()  # the level may have changed
                # Asking again begins a deal again, so a slow one must get ever longer to come to its end.
                patience += self._timing.dialog_timeout
            done = desktop.clock.now()
            while desktop.clock.now() < done + max(patience, self._timing.dialog_timeout):
                dialog = desktop.window.dialog()
                if dialog is None:
                    if answered:
                        take_the_focus_back(desktop, self._timing)
                        answered = False
                    seen = self._glance()
                    sight = seen or sight
                    if seen and dealing.done(seen.reading, desktop.clock.now()) and desktop.window.dialog() is None:
                        return
                # One that has its answer may take a moment to go: what is typed into it then reaches the game.
                elif desktop.clock.now() >= done + (self._timing.retry_after if dialog.handle in asked else 0.0):
                    break
                self.timer.sleep(self._timing.window_poll, desktop.clock)
        raise InDoubtError("no new game appears", self._eye.picture)

    def _ways_to_a_new_game(self) -> list[Key | float]:
        """Return what to press, or how far above the board to click, in turn while no dialog asks."""
        ways: list[Key | float] = [self._kind.key]
        if self._kind.smiley is not None:
            ways.append(self._kind.smiley)
        # Where the end is shown at length, its dialog comes at the press of any key, and F2 might ask something else.
        return ["f15", *ways] if self._desktop.mouse.in_step else ways

    def _answer(self, dialog: Dialog, asked: dict[object, float]) -> None:
        """Answer a dialog after a game: by the button that plays again if it is known, else by Enter and then Esc."""
        clock = self._desktop.clock
        self._desktop.obey_the_user()
        if dialog.handle in asked:  # the keyboard may still be with the game's own window, which takes nothing now
            self._desktop.window.bring_to_front()
        since = asked.setdefault(dialog.handle, clock.now())
        if self._desktop.window.play_again(dialog):
            return
        # One that wants more than Enter, such as a winner's name, is closed instead.
        self._desktop.keys.tap("enter" if clock.now() < since + self._timing.effect_timeout else "esc")

    def _glance(self) -> Sight | None:
        """Return what is seen after one look, None when there is no board in it or doubts are left."""
        try:
            sight = self._eye.read()
        except NoBoardError:  # perhaps caught half painted
            return None
        self._fades = sight.hurried or self._fades
        if sight.reading.doubts:
            self._eye.forget()  # the level may have changed
            return None
        return sight

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
