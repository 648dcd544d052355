"""The loop: settle, read, decide, act, check that it happened.

`Player` plays games on a desktop, from pixels alone. It never acts on a picture that still moves, on a tile that it
could not read or on a board that contradicts itself: it looks again, and then stops and says why. It clicks all
certain moves of one reading as a batch, verifies each, tries a lost click again only when it can no longer be taken for
a double-click, and stops at the first tile that changes without having been clicked. It does not know where the desktop
comes from, how a tile is recognised or why a move is good, and it prints nothing: a `Watcher` is told.
"""

from __future__ import annotations

from dataclasses import replace

from bot import signals, solver
from bot.actions import Action, plan
from bot.board import Board, Cell, place
from bot.desktop import (
    BusyError,
    CoveredError,
    Desktop,
    DesktopError,
    FocusLostError,
    MovedError,
    NoWindowError,
    StopRequestedError,
)
from bot.play.doubts import Doubts
from bot.play.effect import Effects
from bot.play.events import GameResult, InDoubtError, Session, Settings, Stop, Timer, Watcher
from bot.play.eye import Eye, Sight
from bot.play.game import Progress, exploded
from bot.play.hand import Hand
from bot.play.new_game import Dealer, asks, leave_questions_to_the_user
from bot.solver.decision import Decision
from bot.vision.reader import NoBoardError, Reader, Reading
from bot.words import Rule

LOOKS_IN_DOUBT = 4
"""How often a board without a solution is looked at again before the bot stops."""

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
        self._doubts = Doubts(desktop, self._eye, self._hand, settings.timing, self.timer)
        self._effects = Effects(desktop, self._eye, settings.timing, self.timer)
        self._dealer = Dealer(desktop, self._eye, self._hand, settings.timing, self.timer)
        self._game = Progress(desktop.clock.now(), settings.level)
        self._size: tuple[int, int] | None = None
        """Rows and columns of the last game's board."""

    def play(self, games: int) -> Session:
        """Play so many games; the first may be under way already. Ends early only with a `Stop` that says why."""
        results: list[GameResult] = []
        ended: Sight | None = None
        solver.warm_up(self._settings.strategy, self._settings.think, between=signals.obey)
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
            decision = self._decide(board, rule)
            if decision.problems and decision.move is None:
                sight = self._look_again(f"the board contradicts itself: {decision.problems[0]}")
                continue
            actions = plan(board, decision, self._settings.style)
            self._watcher.decided(replace(sight.reading, board=board), decision, actions)
            if not actions:
                break
            sight = self._act(sight, actions)
        return sight.reading.state == "won" or (not sight.over and not exploded(sight.reading.board))

    def _decide(self, board: Board, rule: Rule) -> Decision:
        with self.timer.on("decide", self._desktop.clock):
            return solver.decide(board, strategy=self._settings.strategy, think=self._settings.think, rule=rule)

    def _first_look(self) -> Sight:
        """Return the first sight of a game; a board of another size than before may be one that is still dealt."""
        sight = self._see()
        while self._size != (sight.grid.rows, sight.grid.cols):
            self._size = sight.grid.rows, sight.grid.cols
            if (sight.reading.board.cells == Cell.COVERED).all():
                self._desktop.clock.sleep(self._timing.deal)
                # The game was not on yet.
                self._game = Progress(self._game.started + self._timing.deal, self._settings.level)
                self._eye.forget()
                sight = self._see()
        self._watcher.looked(sight.reading, sight.picture)
        return sight

    def _look(self) -> Sight:
        sight = self._see()
        self._watcher.looked(sight.reading, sight.picture)
        return sight

    def _see(self) -> Sight:
        sight = self._doubts.look(self._game.doubt)
        self._game.saw(sight)
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

    def _act(self, sight: Sight, actions: list[Action]) -> Sight:
        """Click and wait for the effect; what had none is left for the next round."""
        actions = self._hand.ready(actions)
        before = sight.reading.board
        self._game.meant(actions, before)
        try:
            clicks = self._hand.do(actions, sight, self._effects.fades(sight))
        except MovedError:
            return self._look()  # finds the board where it is now; what was not clicked is decided anew
        except BusyError as reason:
            return self._look_after_nothing_happened(str(reason), sight)
        actions = actions[: len(clicks)]
        self._game.clicked(actions)
        self._watcher.clicked(actions, clicks)
        after = self._effects.wait(actions, sight, self._game, self._look)
        self._dealer.learn(after.reading, before, actions)
        if after.over or before != after.reading.board:
            self._game.rounds_in_vain = 0
            return after
        where = place(actions[0].row, actions[0].col)
        return self._look_after_nothing_happened(
            f"clicking {where} changes nothing: the game does not take clicks "
            "(a program with fewer rights can't click one that runs as administrator)",
            after,
        )

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
