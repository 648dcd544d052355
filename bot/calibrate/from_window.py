"""From a live window to a skin: plays a game whose look nobody knows until its tiles are known.

Promises that every tile it learns is proved: covered because the board is new, a flag because a right click made it, a
number because all mines were in sight at the end of a game and so many are around it; where a lost game keeps its mines
hidden, because no other number breaks no rule. At first it opens tiles blindly; what it has learnt it plays by, so that
games last longer and show more. It stops when several games showed nothing new, and never keeps a skin that reads one
of its own pictures wrongly.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot import solver
from bot.board import SYMBOLS, Board, Cell, Cells
from bot.calibrate import CalibrationError
from bot.calibrate.build import GOOD, SAME, closest, make_skin, margins, read_back
from bot.calibrate.evidence import Ending, numbers_before
from bot.calibrate.from_pictures import cells_by_the_rules
from bot.calibrate.game_window import GameWindow
from bot.calibrate.learn import Memory, without_outliers
from bot.calibrate.samples import Sample, Samples, forget, is_uniform, keep, kept, kept_folder
from bot.desktop import Desktop
from bot.desktop.timing import Timing
from bot.errors import MinebotError
from bot.play.events import InDoubtError
from bot.vision.counter import read_counters
from bot.vision.reader import NoBoardError, Reader
from bot.vision.similarity import apart, group
from bot.vision.skin import CounterLook, Skin, known_counters

GAMES_WITHOUT_NEWS, MORE_GAMES_WITHOUT_NEWS = 3, 8
"""After so many games in a row that showed nothing new, enough has been seen; more while common cells are missing."""

COMMON = frozenset({*range(7), Cell.COVERED, Cell.MINE, Cell.EXPLODED})
"""Cells that nearly every game shows in the long run."""

MOST_CLICKS = 600
"""In one game; more would mean that clicks do nothing."""

MOST_SAMPLES = 60

CLICKS_IN_VAIN = 3
"""Clicks on covered tiles in a row that change nothing: a busy game may lose one or two, but not three."""

MOST_UNFLAGGED = 3
"""More covered tiles than this don't come back within one game."""

LOSSES_IN_VAIN = 2
"""Games lost on purpose, in a row, that showed nothing new: this game has no more to show."""

ENDS_WAITED_FOR = 4
"""Ends of games that explained nothing after which to wait whether they say more: not of every game, it takes long."""

LARGEST_MESSAGE = 0.6
"""The share of a board that a message may cover; where more changes after the end, the game shows it otherwise."""

FEWEST_UNEXPLAINED, MOST_UNEXPLAINED = 2, 6
"""Boards of games whose end explained nothing that the rules are asked about, together: one alone tells little."""

MOST_CHANGED = 0.1
"""The share of a new board's tiles that may look otherwise than in an earlier calibration of the same game."""

ENDS = frozenset({Cell.MINE, Cell.EXPLODED, Cell.WRONG_FLAG})

HIDDEN = (Cell.COVERED, Cell.FLAG, Cell.QUESTION)

Say = Callable[[str], None]
Place = tuple[int, int]


@dataclass(frozen=True)
class LiveCalibration:
    """A skin taken from a live game: after how many games, how many pictures it was tested with, and why it stopped."""

    skin: Skin
    games: int
    pictures: int
    stopped: str


def calibrate_live(desktop: Desktop, timing: Timing, name: str, games: int, say: Say) -> LiveCalibration:
    """Return a skin of the game in a window, playing at most so many games.

    Raises `NoBoardError` when there is no board, `InDoubtError` when the game does not answer as Minesweeper does and
    `CalibrationError` when what was learnt is not enough to read it. What was learnt when it is stopped is kept, and
    the next calibration of that name goes on from it.
    """
    folder = kept_folder(name)
    calibrator = _Calibrator(desktop, timing, say)
    try:
        result = calibrator.run(name, games, kept(folder))
    except CalibrationError:
        forget(folder)
        raise
    except BaseException:  # Ctrl-C too
        calibrator.put_away(folder)
        raise
    forget(folder)
    return result


@dataclass(frozen=True)
class _Choice:
    """Tiles to open next, and one to set a wrong flag on before; `mined` when it is surely a mine that is opened."""

    tiles: list[Place]
    bait: Place | None = None
    mined: bool = False


@dataclass(frozen=True)
class _Step:
    """Tiles that were opened: the sample and what was known of it before, and the sample after."""

    before: Sample
    cells: Cells
    choice: _Choice
    after: Sample

    @property
    def clicked(self) -> Place | None:
        """The only tile that was opened, None when there were several."""
        return self.choice.tiles[0] if len(self.choice.tiles) == 1 else None


class _Calibrator:
    """Plays one game after the other and keeps the samples that prove something."""

    def __init__(self, desktop: Desktop, timing: Timing, say: Say) -> None:
        self._desktop = desktop
        self._window = GameWindow(desktop, timing)
        self._memory = Memory()
        self._say = say
        self._random = random.Random(1)
        self._samples: list[tuple[Sample, Cells]] = []
        self._whole: list[tuple[Sample, Cells]] = []  # samples whose every tile was told
        self._last_mines = np.zeros((0, 0), dtype=np.bool_)  # of the last game that showed them
        self._plays_on = False
        self._unexplained: list[Sample] = []  # the last boards whose end proved nothing, as they were before it
        self._losses_in_vain = 0
        self._patience = ENDS_WAITED_FOR
        self._silent_ends: set[bool] = set()  # whether ends that show mines, and such that show none, say nothing more
        self._marks: list[int] = []  # what right clicks make of a covered tile, in turn

    def run(self, name: str, games: int, earlier: Samples) -> LiveCalibration:
        """Play, and make the skin, of what earlier games have shown too."""
        self._desktop.window.bring_to_front()
        self._window.leave_the_window()
        sample = self._begin()
        self._say(f"a board of {sample.grid.rows} × {sample.grid.cols} tiles, {sample.grid.pitch:.1f} pixels each")
        self._go_on_from(earlier, sample)
        without_news, stopped = 0, f"{games} games were played"
        for number in range(1, games + 1):
            if number > 1:
                sample = self._deal_anew()
            known = self._memory.known
            news = self._play(sample)
            found = "".join(SYMBOLS[value] for value in sorted(self._memory.known - known))
            more = "more looks of known tiles" if news else "nothing new"
            self._say(f"game {number}: " + (f"learnt {found}" if found else more))
            without_news = 0 if found else without_news + 1
            complete = self._memory.known >= (COMMON | ENDS if self._marks else COMMON)
            if without_news >= (GAMES_WITHOUT_NEWS if complete else MORE_GAMES_WITHOUT_NEWS):
                stopped = f"{without_news} games in a row showed nothing new"
                break
        skin = self._make_skin(name, games=number)
        result = LiveCalibration(skin, number, self._test(skin), stopped)
        with suppress(InDoubtError):  # a new game has lines between its tiles for the next look, a finished one may not
            self._deal_anew()
        return result

    # What a calibration that was stopped has learnt

    def put_away(self, folder: Path) -> None:
        """Keep the samples for the next calibration, if there is anything in them that a new game does not show."""
        if not self._memory.known > {Cell.COVERED}:
            return
        try:
            keep(folder, self._samples)
        except (OSError, MinebotError) as error:
            self._say(f"what was learnt can't be kept: {error}")
        else:
            self._say(f"what was learnt is kept ({self._told()}): the same command goes on from it")

    def _go_on_from(self, earlier: Samples, new: Sample) -> None:
        """Learn what was learnt before, where a new board looked as it does now."""
        if not earlier:
            return
        before = Memory()
        before.limit = self._memory.limit
        for sample, cells in earlier:
            before.learn(sample, cells)
        if (before.cells(new) != self._memory.cells(new)).mean() > MOST_CHANGED:
            self._say("what was kept of an earlier calibration looks otherwise, and is left out")
            return
        for sample, cells in earlier:
            self._learn(sample, cells)
        self._marks = [mark for mark in (Cell.FLAG, Cell.QUESTION) if mark in self._memory.known]
        self._say(f"going on from what an earlier calibration has learnt ({self._told()})")

    def _told(self) -> str:
        return "".join(SYMBOLS[value] for value in sorted(self._memory.known))

    # Beginning

    def _begin(self) -> Sample:
        """Return the sample of a new game, and know its covered tiles from then on."""
        sample = self._window.find()
        if not is_uniform(sample.looks):
            try:
                self._window.start_anew(self._is_uniform_somewhere)
                sample = self._window.find()
            except InDoubtError:  # some games open a few tiles by themselves
                sample = self._window.find()
                self._know_by_the_rules(sample)
        if is_uniform(sample.looks):
            self._memory.take_measure(sample)
            self._learn(sample, np.full((sample.grid.rows, sample.grid.cols), Cell.COVERED, dtype=np.uint8))
        return sample

    def _is_uniform_somewhere(self, sample: Sample) -> bool:
        """Whether all tiles look the same, where they were found or where they are found now."""
        try:
            return is_uniform(sample.looks) or is_uniform(self._window.find().looks)
        except NoBoardError:
            return False

    def _know_by_the_rules(self, sample: Sample) -> None:
        """Learn from a game under way. Raises `InDoubtError` when the rules don't tell which tiles are covered."""
        (cells,) = cells_by_the_rules([sample], self._memory)
        if Cell.COVERED not in cells:
            raise InDoubtError("no new game can be had, and of this one it is not clear which tiles are covered")
        self._learn(sample, cells)

    def _deal_anew(self) -> Sample:
        """Return the sample of a new game: all covered, or more than the last one, or covered where that was open.

        A game that opens its first tiles by itself may cover fewer than one that was soon lost.
        """

        def is_new(sample: Sample) -> bool:
            cells = self._memory.cells(sample)
            covered = (cells == Cell.COVERED).mean()
            again = bool(((last <= 8) & (cells == Cell.COVERED)).any())
            return bool(covered > (0.98 if early and not again else 0.5))

        last = self._memory.cells(self._window.look())
        early = (last == Cell.COVERED).mean() > 0.5
        try:
            sample = self._window.start_anew(is_new)
        except InDoubtError:
            sample = self._window.look()
            if self._plays_on or not (self._memory.cells(sample) == Cell.COVERED).any():
                raise
            self._plays_on = True  # perhaps the last game was not over, and asks before it is given up
            return sample
        self._plays_on = False
        return sample

    # One game

    def _play(self, sample: Sample) -> int:
        """Play a game to its end; return how many tiles were new.

        The end is known by a covered tile that a click no longer changes, so no look of a mine is needed for it.
        """
        sample, news = self._learn_marks(sample)
        last: _Step | None = None
        for _ in range(MOST_CLICKS):
            step = self._open_something(sample)
            if step is None:
                break
            fresh = np.count_nonzero(self._memory.cells(step.after) == Cell.COVERED)
            if fresh > np.count_nonzero(step.cells == Cell.COVERED) + MOST_UNFLAGGED:
                break  # the click has begun another game
            last, sample = step, step.after
            if not self._marks:
                sample, found = self._learn_marks(sample)
                news += found
        return news if last is None else news + self._learn_the_end(last)

    def _open_something(self, sample: Sample) -> _Step | None:
        """Open the best tile or tiles there are; None when nothing can be opened any more."""
        for _ in range(CLICKS_IN_VAIN):
            cells = self._memory.cells(sample)
            covered = [(int(row), int(col)) for row, col in np.argwhere(cells == Cell.COVERED)]
            if not covered or self._desktop.window.dialog() is not None:
                return None
            choice = self._choose(cells, covered)
            if choice.bait is not None:
                sample = self._window.click([choice.bait], "right")
                cells = self._memory.cells(sample)
                if cells[choice.bait] == Cell.UNREAD:  # a flag on a ground of another shade
                    cells[choice.bait] = Cell.FLAG
            after = self._window.click(choice.tiles)
            changed = _changes(sample, after) > self._memory.limit
            if any(changed[cell] for cell in choice.tiles):
                return _Step(sample, cells, choice, after)
        return None

    def _learn_marks(self, sample: Sample) -> tuple[Sample, int]:
        """Right-click a covered tile until it is covered again, and learn what it was in between."""
        covered = np.argwhere(self._memory.cells(sample) == Cell.COVERED)
        if self._marks or not len(covered):
            return sample, 0
        row, col = (int(each) for each in covered[-1])
        news = 0
        for mark in (Cell.FLAG, Cell.QUESTION):
            before, sample = sample, self._window.click([(row, col)], "right")
            unchanged = _changes(before, sample)[row, col] <= self._memory.limit
            if unchanged or self._memory.cells(sample)[row, col] == Cell.COVERED:
                return sample, news  # this game knows no such mark
            told = np.full((sample.grid.rows, sample.grid.cols), Cell.UNREAD, dtype=np.uint8)
            told[row, col] = mark
            news += self._learn(sample, told)
            self._marks.append(mark)
        return self._window.click([(row, col)], "right"), news

    def _choose(self, cells: Cells, covered: list[Place]) -> _Choice:
        """Return the tiles to open next: all that are surely safe, else the one least likely to be a mine.

        As long as the end of a lost game is not known, a mine that is known is opened on purpose, with a wrong flag.
        """
        if not (cells <= 8).any():
            return _Choice([self._random.choice(covered)])
        decision = solver.decide(Board(cells), strategy="csp", explain=False)
        if decision.problems:
            return _Choice([self._random.choice(covered)])  # perhaps an end that shows what is not known yet
        safe: list[Place] = [cell for cell in decision.safe if cell in covered]
        mined: list[Place] = [cell for cell in decision.mined if cell in covered]
        enough_open = np.count_nonzero(~np.isin(cells, HIDDEN)) > 0.2 * cells.size
        curious = not self._memory.known >= ENDS and self._losses_in_vain < LOSSES_IN_VAIN
        if mined and safe and curious and enough_open:
            return _Choice(mined[:1], safe[-1] if Cell.FLAG in self._marks else None, mined=True)
        if safe:
            return _Choice(safe if Cell.UNREAD not in cells else safe[:1])
        return _Choice([min(covered, key=lambda cell: (decision.odds[cell], self._random.random()))])

    def _learn_the_end(self, last: _Step) -> int:
        """Learn what the end of a game proves about its tiles; return how many were new."""
        final = self._window.look_behind_dialogs()
        if np.count_nonzero(self._memory.cells(final) == Cell.COVERED) > np.count_nonzero(last.cells == Cell.COVERED):
            final = last.after  # closing the dialog has begun another game
        final, cells = self._without_messages(last, final)
        known = self._memory.known & ENDS
        if cells is None:
            news = self._learn_without_an_end(last, final)
        else:
            looks = group(last.before.looks).reshape(cells.shape)
            earlier = numbers_before(looks, last.cells, cells)
            news = self._learn_from(final, cells) + self._learn(last.before, earlier)
        if last.choice.mined:
            self._losses_in_vain = 0 if self._memory.known & ENDS > known else self._losses_in_vain + 1
        return news

    def _without_messages(self, last: _Step, final: Sample) -> tuple[Sample, Cells | None]:
        """Return the end of a game and what it proves of tiles over which nothing comes or goes: messages do."""
        cells = self._explained(last, final)
        if cells is None and self._patience == 0:
            return final, None
        shows_mines = cells is not None and bool((cells == Cell.MINE).any())
        if cells is not None:
            news = (cells != Cell.UNREAD) & (self._memory.cells(final) == Cell.UNREAD)
            if not news.any() or shows_mines in self._silent_ends:
                return final, cells
        unsteady = np.zeros(last.cells.shape, dtype=np.bool_)
        later = final
        for later in self._window.looks_until_still(final):
            unsteady |= _changes(final, later) > self._memory.limit
        told = self._explained(last, later)
        if cells is None:
            self._patience -= told is None
            return later, told
        if not unsteady.any():
            self._silent_ends.add(shows_mines)
        if unsteady.mean() > LARGEST_MESSAGE:
            return final, cells
        return (later, told) if told is not None else (final, np.where(unsteady, Cell.UNREAD, cells).astype(np.uint8))

    def _explained(self, last: _Step, final: Sample) -> Cells | None:
        """Return what the end of a game proves its tiles to be, None when it proves nothing."""
        ending = Ending(
            before=last.cells,
            after=group(final.looks).reshape(last.cells.shape),
            known=self._memory.cells(final),
            changed=_changes(last.before, final) > self._memory.limit,
            clicked=last.clicked,
        )
        return ending.cells()

    def _learn_from(self, final: Sample, cells: Cells) -> int:
        """Learn the tiles of a finished game, all of whose mines are known; return how many were new."""
        mines = np.isin(cells, (Cell.MINE, Cell.EXPLODED))
        if mines.any() and np.array_equal(mines, self._last_mines):
            self._window.it_was_no_new_game()
        self._last_mines = mines
        return self._learn(final, cells)

    def _learn_without_an_end(self, last: _Step, final: Sample) -> int:
        """Learn from a game whose end showed no mines: the one that surely went off, and what the rules tell."""
        news = 0
        if last.choice.mined and last.clicked is not None and self._memory.cells(final)[last.clicked] == Cell.UNREAD:
            told = np.full_like(last.cells, Cell.UNREAD)
            told[last.clicked] = Cell.EXPLODED
            news += self._learn(final, told)
        if Cell.MINE in self._memory.known or Cell.UNREAD not in last.cells:
            return news
        self._unexplained = [*self._unexplained, last.before][-MOST_UNEXPLAINED:]
        if len(self._unexplained) >= FEWEST_UNEXPLAINED:
            for sample, cells in zip(
                self._unexplained, cells_by_the_rules(self._unexplained, self._memory), strict=True
            ):
                news += self._learn(sample, cells)
        return news

    # What is kept

    def _learn(self, sample: Sample, cells: Cells) -> int:
        """Remember what the tiles of a sample are; keep the sample when any of them is new.

        A mine that went off and looks like all others is no look of its own.
        """
        went_off, mines = (sample.looks[(cells == value).ravel()] for value in (Cell.EXPLODED, Cell.MINE))
        if apart(went_off, mines).min(initial=np.inf) <= SAME:
            cells = np.where(cells == Cell.EXPLODED, Cell.MINE, cells).astype(np.uint8)
        news = self._memory.learn(sample, cells)
        if news and len(self._samples) < MOST_SAMPLES:
            self._samples.append((sample, cells))
        if not (cells == Cell.UNREAD).any():
            self._whole.append((sample, cells))
        return news

    def _make_skin(self, name: str, games: int) -> Skin:
        """Return the skin of what was learnt. Raises `CalibrationError` when that is not enough to play by."""
        if not {0, 1} <= self._memory.known:
            raise CalibrationError(
                f"after {games} games it is not known what numbers look like: no end of a game explained its tiles"
            )
        skin = make_skin(
            name,
            without_outliers(self._samples),
            origin=f"calibrated on a live window in {games} games",
            counter=self._counter(),
            new_game=self._window.new_game_by,
        )
        nearest = closest(margins(skin))
        if nearest is not None and nearest[1] < GOOD:
            (one, other), far = nearest
            self._say(f"{SYMBOLS[one]} and {SYMBOLS[other]} are only {far:.0f} grey levels apart")
        return skin

    def _counter(self) -> CounterLook | None:
        """Return the counter of a known skin that goes down by one when a flag is set here, None when none does."""
        new = next((sample for sample, cells in self._whole if (cells == Cell.COVERED).all()), None)
        flagged = next(
            (sample for sample, cells in self._samples if np.isin(cells, (Cell.FLAG, Cell.UNREAD)).all()), None
        )
        if new is None or flagged is None:
            return None
        for look in known_counters():
            before, after = (read_counters(sample.picture, sample.grid, look).mines_left for sample in (new, flagged))
            if before is not None and after == before - 1:
                return look
        return None

    def _test(self, skin: Skin) -> int:
        """Read all samples whose tiles are known; return how many. Raises `CalibrationError` for the first misread."""
        reader = Reader(skin)
        for sample, cells in self._whole:
            read_back(reader, sample, cells, sample.grid).insist()
        return len(self._whole)


def _changes(before: Sample, after: Sample) -> NDArray[np.float32]:
    """Return how much each tile changed from one sample to another, in grey levels, shape (rows, cols)."""
    off = np.abs(before.looks - after.looks).max(axis=(1, 2))
    return np.asarray(off.reshape(before.grid.rows, before.grid.cols), dtype=np.float32)
