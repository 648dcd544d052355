"""The loop: settle, read, decide, act, check that it happened.

`Player` plays games on a desktop, from pixels alone. It never acts on a picture that still moves, on a tile that it
could not read or on a board that contradicts itself: it looks again, and then stops and says why. It clicks all
certain moves of one reading as a batch, verifies each, and tries a lost click again only when it can no longer be
taken for a double-click. It does not know where the desktop comes from, how a tile is recognised or why a move is
good, and it prints nothing: a `Watcher` is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from bot import solver
from bot.board import Board, Cell, place, three_bv
from bot.desktop import (
    Click,
    CoveredError,
    Desktop,
    DesktopError,
    GrabError,
    MovedError,
    NoWindowError,
    Rect,
    StopRequestedError,
)
from bot.desktop.timing import FAST, Timing
from bot.level import Level, Rule
from bot.picture import Picture
from bot.plan import Action, Style, plan
from bot.solver.decision import Decision
from bot.vision.grid import Grid
from bot.vision.reader import NoBoardError, Reader, Reading

LOOKS_IN_DOUBT = 4
"""How often a picture with an unreadable tile or a contradiction is looked at again before the bot stops."""

ROUNDS_WITHOUT_PROGRESS = 3
"""How many rounds of clicks may change nothing before the bot stops."""

BUTTONS: dict[str, Literal["left", "right", "middle"]] = {
    "open": "left",
    "flag": "right",
    "unflag": "right",
    "chord": "middle",
}


class InDoubtError(Exception):
    """The bot saw something it must not act upon; `picture` is what it saw."""

    def __init__(self, message: str, picture: Picture | None = None) -> None:
        super().__init__(message)
        self.picture = picture


@dataclass(frozen=True)
class GameResult:
    """How one game went. `guesses` are the risks taken, `three_bv` is known when the end showed all mines."""

    won: bool
    seconds: float
    clicks: int
    guesses: tuple[float, ...]
    three_bv: int | None
    stopped: str | None = None


StopKind = Literal["user", "doubt", "nothing"]


@dataclass(frozen=True)
class Stop:
    """Why play ended before its time: the user wanted it, the bot was in doubt, or there was nothing to play on."""

    kind: StopKind
    reason: str
    picture: Picture | None = None


@dataclass(frozen=True)
class Session:
    """The games that were played, and why it ended early if it did."""

    games: tuple[GameResult, ...]
    stop: Stop | None = None

    @property
    def finished(self) -> tuple[GameResult, ...]:
        """The games that ended by themselves; one that was stopped counts neither as won nor as lost."""
        return tuple(game for game in self.games if game.stopped is None)


class Watcher:
    """Someone who is told what happens. Every method may be overridden; none may change anything."""

    def looked(self, reading: Reading, picture: Picture) -> None:
        """A settled picture was read."""

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        """The bot knows what it will do next; the reading's board has all the mines that are known of."""

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        """The clicks were made."""

    def stopped(self, stop: Stop) -> None:
        """Play ends before its time; `game_over` follows."""

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """A game ended or was given up; `number` counts from 1."""


@dataclass(frozen=True)
class Settings:
    """What the user may choose."""

    style: Style = "flags"
    strategy: solver.Strategy = "deep"
    think: float = 1.0
    rule: Rule = "open"
    level: Level | None = None
    timing: Timing = FAST


@dataclass
class Spent:
    """Where the seconds went."""

    repaint: float = 0.0
    grab: float = 0.0
    read: float = 0.0
    decide: float = 0.0
    click: float = 0.0


@dataclass
class _Progress:
    """The game being played."""

    started: float
    clicks: int = 0
    guesses: list[float] = field(default_factory=list)
    mines: int | None = None
    size: tuple[int, int] | None = None
    last_click: dict[tuple[int, int], float] = field(default_factory=dict)
    unflagged: set[tuple[int, int]] = field(default_factory=set)
    rounds_without_progress: int = 0
    final: Reading | None = None


class Player:
    """Plays on one desktop with one reader."""

    def __init__(self, desktop: Desktop, reader: Reader, settings: Settings, watcher: Watcher | None = None) -> None:
        self.spent = Spent()
        self._desktop = desktop
        self._reader = reader
        self._settings = settings
        self._timing = settings.timing
        self._watcher = watcher or Watcher()
        self._client: Rect | None = None
        self._grid: Grid | None = None
        self._picture: Picture | None = None
        self._game = _Progress(desktop.clock.now())

    def play(self, games: int) -> Session:
        """Play so many games; the first may be under way already. Ends early only with a `Stop` that says why."""
        results: list[GameResult] = []
        for number in range(1, games + 1):
            self._game = _Progress(self._desktop.clock.now())
            try:
                if number > 1:
                    self._next_game()
                won = self._play_one()
            except (DesktopError, InDoubtError, NoBoardError, KeyboardInterrupt) as reason:
                stop = self._stopped(reason)
                result = self._result(False, stop.reason)
                self._watcher.stopped(stop)
                self._watcher.game_over(number, result, self._game.final)
                return Session((*results, result), stop)
            result = self._result(won)
            results.append(result)
            self._watcher.game_over(number, result, self._game.final)
        return Session(tuple(results))

    def _play_one(self) -> bool:
        self._desktop.window.bring_to_front()
        reading = self._look()
        while not _over(reading):
            board = self._believe(reading)
            with self._spending("decide"):
                decision = solver.decide(
                    board,
                    strategy=self._settings.strategy,
                    think=self._settings.think,
                    rule=self._settings.rule,
                )
            if decision.problems and decision.move is None:
                reading = self._look_again(f"the board contradicts itself: {decision.problems[0]}")
                continue
            actions = plan(board, decision, self._settings.style)
            self._watcher.decided(replace(reading, board=board), decision, actions)
            if not actions:
                break
            reading = self._act(reading, actions)
        self._game.final = reading
        return reading.state == "won" or (reading.state == "playing" and not _exploded(reading.board))

    # Looking

    def _look(self) -> Reading:
        """Return a reading of a settled picture without doubts.

        Raises `InDoubtError` when there is none to be had and `NoBoardError` when there is no board.
        """
        failure: Exception = InDoubtError("nothing was looked at")
        known: Grid | None = None
        for wait in (0.0, *self._timing.doubt_pauses):
            self._pause(wait)
            picture = self._settled_picture()
            try:
                reading = self._read(picture)
            except NoBoardError as error:  # perhaps caught half painted
                failure = error
                self._grid = known
                continue
            doubt = self._doubt(reading)
            if not doubt:
                self._game.final = reading
                self._watcher.looked(reading, picture)
                return reading
            failure = InDoubtError(doubt, picture)
            known, self._grid = self._grid, None
        raise failure

    def _read(self, picture: Picture) -> Reading:
        """Return what a picture shows, on the known grid while there is one. Raises `NoBoardError`."""
        with self._spending("read"):
            reading = self._reader.read(picture, self._grid)
        if self._grid is None:
            self._adopt(reading.grid)
        return reading

    def _look_again(self, doubt: str) -> Reading:
        """Return a reading that differs from the last one. Raises `InDoubtError` when nothing changes."""
        last = self._game.final
        for _ in range(LOOKS_IN_DOUBT):
            self._grid = None
            self._pause(self._timing.retry_after)
            reading = self._look()
            if last is None or reading.board != last.board:
                return reading
        raise InDoubtError(doubt, self._picture)

    def _settled_picture(self) -> Picture:
        """Return the client area once two pictures in a row are equal."""
        deadline = self._desktop.clock.now() + self._timing.settle_timeout
        previous = self._grab()
        while True:
            self._pause(self._timing.settle_poll)
            picture = self._grab()
            if picture.shape == previous.shape and np.array_equal(picture, previous):
                self._picture = picture
                return picture
            if self._desktop.clock.now() > deadline:
                raise InDoubtError("the picture does not stand still", picture)
            previous = picture

    def _grab(self) -> Picture:
        self._obey_the_user()
        client = self._desktop.window.client()
        if client != self._client:
            self._client = client
            self._grid = None
        deadline = self._desktop.clock.now() + self._timing.grab_timeout
        while True:
            try:
                with self._spending("grab"):
                    return self._desktop.screen.grab(client)
            except GrabError:
                if self._desktop.clock.now() > deadline:
                    raise
                self._pause(self._timing.grab_retry)

    def _adopt(self, grid: Grid) -> None:
        """Remember where the tiles are, and let the mouse click nowhere else."""
        assert self._client is not None
        left, top, right, bottom = grid.box
        self._grid = grid
        self._desktop.mouse.confine(
            Rect(
                self._client.left + round(left),
                self._client.top + round(top),
                round(right) - round(left),
                round(bottom) - round(top),
            )
        )

    def _doubt(self, reading: Reading) -> str:
        """Return why a reading must not be acted upon, or nothing."""
        if _over(reading):
            return ""  # an end dialog may hide tiles, and nothing is left to click
        if reading.doubts:
            first = reading.doubts[0]
            return f"can't read the tile at {place(first.row, first.col)} (it might be {first.best})"
        if reading.dialog:
            return "a dialog is in front of the game"
        size = (reading.board.rows, reading.board.cols)
        if self._game.size is not None and self._game.size != size:
            return "the board has {} × {} tiles, before it had {} × {}".format(*size, *self._game.size)
        problems = _without_opinions(reading.board, self._game.unflagged).problems()
        if problems:
            return f"the board contradicts itself: {problems[0]}"
        mines = reading.board.mines
        if mines is not None and self._game.mines not in (None, mines):
            return f"the counter now stands for {mines} mines, before it was {self._game.mines}"
        self._game.mines = mines if mines is not None else self._game.mines
        self._game.size = size
        return ""

    def _believe(self, reading: Reading) -> Board:
        """Return the board with the number of mines from the counter, from an earlier look or from the user."""
        level = self._settings.level
        size = (reading.board.rows, reading.board.cols)
        if self._game.mines is None and level is not None and (level.rows, level.cols) == size:
            self._game.mines = level.mines
        return Board(reading.board.cells, self._game.mines)

    # Acting

    def _act(self, before: Reading, actions: list[Action]) -> Reading:
        """Click, park the mouse and wait for the effect; what had none is left for the next round."""
        self._wait_out_double_clicks(actions)
        self._pause(self._timing.reaction)
        clicks = [self._click_for(action) for action in actions]
        self._obey_the_user()
        try:
            with self._spending("click"):
                self._desktop.mouse.click(clicks)
                self._park()
        except MovedError:
            return self._look()  # finds the board where it is now; what was not clicked is decided anew
        now = self._desktop.clock.now()
        self._game.clicks += len(clicks)
        self._game.guesses += [action.risk for action in actions if action.risk > 0]
        self._game.last_click.update({(action.row, action.col): now for action in actions})
        self._game.unflagged |= {(action.row, action.col) for action in actions if action.kind == "unflag"}
        self._watcher.clicked(actions, clicks)
        after = self._await_effect(before.board, actions)
        self._count_progress(before, after, actions)
        return after

    def _await_effect(self, before: Board, actions: list[Action]) -> Reading:
        deadline = self._desktop.clock.now() + self._timing.effect_timeout
        while True:
            reading = self._look()
            if _over(reading) or all(action.done(before, reading.board) for action in actions):
                return reading
            if self._desktop.clock.now() > deadline:
                return reading
            self._pause(self._timing.settle_poll)

    def _count_progress(self, before: Reading, after: Reading, actions: list[Action]) -> None:
        if _over(after) or before.board != after.board:
            self._game.rounds_without_progress = 0
            return
        self._game.rounds_without_progress += 1
        if self._game.rounds_without_progress >= ROUNDS_WITHOUT_PROGRESS:
            where = place(actions[0].row, actions[0].col)
            raise InDoubtError(
                f"clicking {where} changes nothing: the game does not take clicks "
                "(a program with fewer rights can't click one that runs as administrator)",
                self._picture,
            )

    def _wait_out_double_clicks(self, actions: list[Action]) -> None:
        """Sleep until no action can join an earlier click on its tile to a double-click."""
        last = max(self._game.last_click.get((action.row, action.col), -np.inf) for action in actions)
        self._pause(last + self._timing.retry_after - self._desktop.clock.now())

    def _click_for(self, action: Action) -> Click:
        assert self._grid is not None
        assert self._client is not None
        x, y = self._grid.center(action.row, action.col)
        return Click(self._client.left + round(x), self._client.top + round(y), BUTTONS[action.kind])

    def _park(self) -> None:
        """Leave the board, so that no tile is lit by the pointer: half a tile above its left top corner."""
        assert self._grid is not None
        assert self._client is not None
        grid, client = self._grid, self._client
        x = max(round(grid.left - grid.pitch_x / 2), 1)
        y = max(round(grid.top - grid.pitch_y / 2), 1)
        self._desktop.mouse.park(client.left + x, client.top + y)

    # From game to game

    def _next_game(self) -> None:
        """Start a new game: answer the end dialog when there is one, press F2 otherwise."""
        desktop = self._desktop
        desktop.window.bring_to_front()
        deadline = desktop.clock.now() + self._timing.new_game_timeout
        while desktop.clock.now() < deadline:
            desktop.keys.tap("f2" if desktop.window.dialog() is None else "enter")
            waited = desktop.clock.now() + self._timing.dialog_timeout
            while desktop.clock.now() < min(waited, deadline):
                if self._shows_a_new_game(self._settled_picture()):
                    return
                if desktop.window.dialog() is not None:
                    break
                self._pause(self._timing.window_poll)
        raise InDoubtError("no new game appears after F2", self._picture)

    def _shows_a_new_game(self, picture: Picture) -> bool:
        try:
            reading = self._read(picture)
        except NoBoardError:  # perhaps caught half painted
            return False
        if not reading.doubts and bool((reading.board.cells == Cell.COVERED).all()):
            return True
        if reading.doubts:
            self._grid = None  # the level may have changed
        return False

    # Stopping

    def _obey_the_user(self) -> None:
        reason = self._desktop.keys.stop_requested()
        if reason is not None:
            raise StopRequestedError(reason)
        if not self._desktop.window.is_foreground():
            raise StopRequestedError("the game lost the focus")

    def _stopped(self, reason: BaseException) -> Stop:
        if isinstance(reason, StopRequestedError):
            return Stop("user", str(reason))
        if isinstance(reason, KeyboardInterrupt):
            return Stop("user", "Ctrl-C was pressed")
        if isinstance(reason, NoWindowError | NoBoardError):
            return Stop("nothing", str(reason), self._picture)
        if isinstance(reason, CoveredError):
            return Stop("doubt", str(reason))
        picture = reason.picture if isinstance(reason, InDoubtError) else self._picture
        return Stop("doubt", str(reason), picture)

    def _result(self, won: bool, stopped: str | None = None) -> GameResult:
        game = self._game
        final = None if game.final is None else game.final.board
        return GameResult(
            won=won,
            seconds=self._desktop.clock.now() - game.started,
            clicks=game.clicks,
            guesses=tuple(game.guesses),
            three_bv=None if final is None else _three_bv_shown(final, won),
            stopped=stopped,
        )

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            with self._spending("repaint"):
                self._desktop.clock.sleep(seconds)

    @contextmanager
    def _spending(self, on: str) -> Iterator[None]:
        start = self._desktop.clock.now()
        try:
            yield
        finally:
            setattr(self.spent, on, getattr(self.spent, on) + self._desktop.clock.now() - start)


def _over(reading: Reading) -> bool:
    return reading.state != "playing"


def _without_opinions(board: Board, unflagged: set[tuple[int, int]]) -> Board:
    """Return the board with question marks where a flag is or was.

    Too many flags are a player's mistake and not a misreading, and so is what a flood had to leave covered.
    """
    cells = np.where(board.cells == Cell.FLAG, Cell.QUESTION, board.cells)
    return Board(cells, board.mines).replace(
        {cell: Cell.QUESTION for cell in unflagged if board.cells[cell] == Cell.COVERED}
    )


def _exploded(board: Board) -> bool:
    return bool((board.cells == Cell.EXPLODED).any())


def _three_bv_shown(board: Board, won: bool) -> int | None:
    """Return the 3BV when the board shows where all mines are: the hidden ones of a win, the shown ones of a loss."""
    shown = (board.cells == Cell.MINE) | (board.cells == Cell.EXPLODED)
    if won:
        mines = board.hidden | shown
    elif _exploded(board):
        mines = shown | (board.cells == Cell.FLAG)
    else:
        return None
    return three_bv(mines) if board.mines in (None, int(np.count_nonzero(mines))) else None
