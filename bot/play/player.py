"""The loop: settle, read, decide, act, check that it happened.

`Player` plays games on a desktop, from pixels alone. It never acts on a picture that still moves, on a tile that it
could not read or on a board that contradicts itself: it looks again, and then stops and says why. It clicks all
certain moves of one reading as a batch, verifies each, tries a lost click again only when it can no longer be taken for
a double-click, and stops at the first tile that changes without having been clicked. It does not know where the desktop
comes from, how a tile is recognised or why a move is good, and it prints nothing: a `Watcher` is told.

It looks again while a sight leaves doubts: most likely the picture was caught half painted. Then it ends shows and
pushes the game's own dialog off the board. It learns how long a game takes to show what a click has done, and whether
it fades what it opens.
"""

from __future__ import annotations

from dataclasses import replace

from bot import signals, solver
from bot.actions import Action, plan
from bot.board import Cell, place
from bot.desktop import (
    BusyError,
    CoveredError,
    Desktop,
    DesktopError,
    Dialog,
    FocusLostError,
    MovedError,
    NoWindowError,
    Outcome,
    StopRequestedError,
)
from bot.desktop.timing import wait_until
from bot.play.events import GameResult, InDoubtError, Session, Settings, Stop, Watcher
from bot.play.eye import Eye, Sight, TimedDesktop, if_dimmed, no_board
from bot.play.game import Progress, exploded, opened_far
from bot.play.hand import Hand
from bot.play.new_game import Dealer, asks, leave_questions_to_the_user
from bot.vision.reader import NoBoardError, Reader, Reading

LOOKS_IN_DOUBT = 4
"""How often a board without a solution is looked at again before the bot stops."""

ROUNDS_IN_VAIN = 3
"""How many rounds of clicks in a row may change nothing before the bot stops."""

FADE_SECONDS = 0.15
"""What the quickest fade of the Windows 7 game takes."""


class Player:
    """Plays on one desktop with one reader."""

    def __init__(self, desktop: Desktop, reader: Reader, settings: Settings, watcher: Watcher | None = None) -> None:
        self._at = TimedDesktop(desktop, settings.timing)
        self.timer = self._at.timer
        self._desktop = desktop
        self._settings = settings
        self._timing = settings.timing
        self._watcher = watcher or Watcher()
        self._eye = Eye(self._at, reader)
        self._hand = Hand(self._at)
        self._dealer = Dealer(self._at, self._eye, self._hand)
        self._game = Progress(desktop.clock.now(), settings.level)
        self._size: tuple[int, int] | None = None
        """Rows and columns of the last game's board."""
        self._believed: Sight | None = None
        """The last sight without doubts."""
        self._fades: bool | None = None
        """Whether the game fades what it opens; None while that was not seen."""
        self._slowest = 0.0
        """Seconds that the slowest effect of a click took."""

    def play(self, games: int) -> Session:
        """Play so many games; the first may be under way already. Ends early only with a `Stop` that says why."""
        results: list[GameResult] = []
        ended: Sight | None = None
        for number in range(1, games + 1):
            self._game = Progress(self._desktop.clock.now(), self._settings.level)
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
            leave_questions_to_the_user(self._desktop)
            self._at.await_drawing()
            self._compile_for_what_is_seen()
        else:
            self._game.started += self._dealer.deal(ended)
        sight = self._first_look()
        if sight.over:
            self._game.started += self._dealer.deal(sight)
            sight = self._first_look()
        rule = self._settings.rule or self._dealer.rule(sight.reading)
        while not sight.over:
            signals.obey()
            board = self._game.board(sight)
            with self._at.spending("decide"):
                strategy, think = self._settings.strategy, self._settings.think
                decision = solver.decide(board, strategy=strategy, think=think, rule=rule)
            if decision.problems and decision.move is None:
                sight = self._look_again(f"the board contradicts itself: {decision.problems[0]}")
                continue
            actions = plan(board, decision, self._settings.style)
            self._watcher.decided(replace(sight.reading, board=board), decision, actions)
            if not actions:
                break
            sight = self._act(sight, actions)
        return sight.reading.state == "won" or (not sight.over and not exploded(sight.reading.board))

    def _compile_for_what_is_seen(self) -> None:
        """Compile the solver before the clock runs, which may take long, but only once there is a board to play."""
        self._without_doubts()
        solver.warm_up(self._settings.strategy, self._settings.think, between=signals.obey)
        self._game = Progress(self._desktop.clock.now(), self._settings.level)

    def _first_look(self) -> Sight:
        """Return the first sight of a game; a board of another size than before may be one that is still dealt."""
        sight = self._see()
        while self._size != (sight.grid.rows, sight.grid.cols):
            self._size = sight.grid.rows, sight.grid.cols
            self._insist_on_all_of_it(sight)
            if (sight.reading.board.cells == Cell.COVERED).all():
                self._desktop.clock.sleep(self._timing.deal)
                # The game was not on yet.
                self._game = Progress(self._game.started + self._timing.deal, self._settings.level)
                self._eye.forget()
                sight = self._see()
        self._watcher.looked(sight.reading, sight.picture)
        return sight

    def _insist_on_all_of_it(self, sight: Sight) -> None:
        """Raise `CoveredError` when another window may hide rows or columns of a board of a size not met before."""
        window = self._desktop.window

        def is_free() -> bool:
            return window.dialog() is not None or all(window.owns(*place) for place in sight.around)

        if not wait_until(is_free, self._timing.focus_timeout, self._timing.window_poll, self._desktop.clock):
            raise CoveredError(
                "another window is right beside the board and may hide a part of it: "
                "move it away, then start the bot again"
            )

    def _look(self) -> Sight:
        sight = self._see()
        self._watcher.looked(sight.reading, sight.picture)
        return sight

    def _see(self) -> Sight:
        sight = self._without_doubts()
        self._game.saw(sight)
        return sight

    def _without_doubts(self) -> Sight:
        """Return a sight without doubts; of a game that is over, the best there is.

        Raises `InDoubtError` when there is none to be had and `NoBoardError` when there is no board.
        """
        failure: Exception | None = None
        began = self._at.clock.now()
        ended: Sight | None = None
        outcome: Outcome | None = None
        waits = [0.0, *self._timing.doubt_pauses]
        last = len(waits) - 1
        for number, wait in enumerate(waits):
            self._at.sleep(wait)
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
                reason = self._game.doubt(sight.reading)
                if not reason:
                    self._believed = sight
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
                failure = no_board(failure, self._eye.picture, self._at.clock.now() - began)
            raise failure
        return self._game.ended(ended)

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
            self._desktop.window.push_aside(dialog)
        else:
            self._hand.hurry()
        if number % 2 == 0:
            self._eye.recall(self._believed)
        else:
            self._eye.forget()
        return dialog

    def _look_again(self, doubt: str) -> Sight:
        """Return a sight of another board than the last one. Raises `InDoubtError` when nothing changes."""
        last = self._last_reading
        for _ in range(LOOKS_IN_DOUBT):
            self._eye.forget()
            self._at.sleep(self._timing.retry_after)
            sight = self._look()
            if last is None or sight.reading.board != last.board:
                return sight
        raise InDoubtError(doubt, sight.picture)

    def _act(self, sight: Sight, actions: list[Action]) -> Sight:
        """Click and wait for the effect; what had none is left for the next round."""
        actions = self._hand.ready(actions)
        before = sight.reading.board
        self._game.meant(actions, before)
        try:
            clicks = self._hand.do(actions, sight, sight.hurried or self._fades)
        except MovedError:
            return self._look()  # finds the board where it is now; what was not clicked is decided anew
        except BusyError as reason:
            return self._look_after_nothing_happened(str(reason), sight)
        actions = actions[: len(clicks)]
        self._game.clicked(actions)
        self._watcher.clicked(actions, clicks)
        after = self._await_effects(actions, sight)
        self._dealer.learn(after.reading, before)
        if after.over or before != after.reading.board:
            self._game.rounds_in_vain = 0
            return after
        where = place(actions[0].row, actions[0].col)
        return self._look_after_nothing_happened(
            f"clicking {where} changes nothing: the game does not take clicks "
            "(a program with fewer rights can't click one that runs as administrator)",
            after,
        )

    def _await_effects(self, actions: list[Action], sight: Sight) -> Sight:
        """Look until all clicks have had their effect, or until it is clear that one was lost.

        Raises `InDoubtError` when a tile has changed that nobody clicked.
        """
        before, game, in_step = sight.reading.board, self._game, self._desktop.mouse.in_step
        clicked_at = self._at.clock.now()
        patience = self._patience()
        self._eye.await_change(sight, *actions[-1].shows_at(before), patience)
        while True:
            after = self._look()
            if game.unexplained(before, after.reading, in_step):
                # The end of a game changes many tiles, and some paint it bit by bit.
                self._at.sleep(self._timing.effect_least)
                after = self._look()
                game.insist_on_the_right_tiles(before, after, in_step)
            board = after.reading.board
            waited = self._at.clock.now() - clicked_at
            lost = [] if after.over else [action for action in actions if not action.done(before, board)]
            if not lost:
                self._slowest = max(self._slowest, waited)
                if not (after.hurried or self._fades) and opened_far(before, board, actions):
                    self._learn_fades(after.moved, after.began - clicked_at)
                return after
            if actions[-1].done(before, board):
                # A game takes clicks in their order: an earlier one was lost, or a busy computer still paints it.
                patience = min(patience, 2 * waited + self._timing.effect_least)
            if waited > patience:
                game.lost_clicks += len(lost)
                self._fades = self._fades or None  # perhaps it was a fade that swallowed them
                return after
            self._at.sleep(self._timing.settle_poll)

    def _patience(self) -> float:
        """Return how long to wait for an effect. A game that has not answered may be busy: it gets ever longer."""
        timing, in_vain = self._timing, self._game.rounds_in_vain
        if in_vain or not self._slowest:
            return timing.effect_timeout * 2.0**in_vain
        return min(max(timing.effect_slack * self._slowest, timing.effect_least), timing.effect_timeout)

    def _learn_fades(self, moved: bool, late: float) -> None:
        """Learn from an opening that reaches far, which was seen to move or was not.

        Who looks too late has missed a fade that there may have been, and knows no more than before.
        """
        if moved or late < FADE_SECONDS / 2:
            self._fades = moved

    def _look_after_nothing_happened(self, reason: str, sight: Sight) -> Sight:
        """Look where the board is now. Raises `InDoubtError` when a dialog explains it, or after the third time."""
        self._game.rounds_in_vain += 1
        dialog = self._desktop.window.dialog()
        if dialog is None and self._game.rounds_in_vain >= ROUNDS_IN_VAIN:
            raise InDoubtError(reason, sight.picture)
        self._eye.forget()
        sight = self._look()
        if dialog is not None and dialog.outcome is None and not sight.over:
            raise InDoubtError(asks(dialog), sight.picture)
        return sight

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
