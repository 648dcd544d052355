"""Goes through a recording again: reads every picture, decides every board, and tells what differs from then.

Nothing differs when nothing has changed, so a recording sent with a bug report is a regression test. Readings are
compared cell by cell; decisions by what is exact: certain cells, odds, whether it must guess. The move itself is
compared when it follows from the board alone, not when it was the best that could be found in the time there was.

`write_bundle` and `unpacked` are a recording in one file, to be sent with a bug report; and back, without trusting
whoever sent it.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot import solver
from bot.actions import plan
from bot.board import SYMBOLS, place
from bot.files import harmless, prepared
from bot.record import RecordingError
from bot.record.recorder import MANIFEST
from bot.record.recording import PICTURE_NAME, Each, Frame, RecordedDecision, RecordedReading, Recording
from bot.solver.decision import Decision
from bot.vision.grid import Grid
from bot.vision.reader import NoBoardError, Reader, Reading
from bot.vision.skin import Skin

SAME_PLACE = 0.5
"""Pixels by which a corner of the board may differ: what other builds of the same libraries may compute."""

SAME_ODDS = 1e-9


@dataclass(frozen=True)
class Difference:
    """Something that is not as it was. `look` counts from 1."""

    look: int
    what: str

    def __str__(self) -> str:
        return f"look {self.look}: {self.what}"


def replay(recording: Recording, skin: Skin | None = None, each: Each = iter) -> Iterator[Difference]:
    """Yield what differs, look by look. Raises `RecordingError` when a picture is missing."""
    reader = Reader(skin)
    grid: Grid | None = None
    then: RecordedReading | None = None
    for number, frame in enumerate(each(recording.frames), start=1):
        if frame.reading is not None:
            # The player finds the board anew whenever it is not where it was.
            grid = grid if then is not None and then.grid == frame.reading.grid else None
            then = frame.reading
            try:
                reading = reader.read(recording.picture(frame), grid)
            except NoBoardError:
                grid = None
                yield Difference(number, "the board is no longer found")
            else:
                grid = reading.grid
                yield from (Difference(number, what) for what in _compare_readings(then, reading))
        if frame.decision is not None:
            yield from (Difference(number, what) for what in _compare_decisions(recording, frame))


def _compare_readings(then: RecordedReading, now: Reading) -> Iterator[str]:
    board = now.board
    if (board.rows, board.cols) != (then.board.rows, then.board.cols):
        yield f"the board was {then.board.rows}×{then.board.cols}, now {board.rows}×{board.cols}"
        return
    moved = max(abs(a - b) for a, b in zip(then.grid.box, now.grid.box, strict=True))
    if moved > SAME_PLACE:
        yield f"the board is found {moved:.1f} pixels off"
    if then.skin != now.skin:
        yield f'the skin was "{then.skin}", now "{now.skin}"'
    for row, col in np.argwhere(then.board.cells != board.cells):
        was, is_now = SYMBOLS[then.board.cells[row, col]], SYMBOLS[board.cells[row, col]]
        yield f'{place(row, col)} was read as "{was}", now as "{is_now}"'
    if then.mines_left != now.mines_left:
        yield f"the counter was read as {_or_nothing(then.mines_left)}, now as {_or_nothing(now.mines_left)}"
    if then.state != now.state:
        yield f"the game was {then.state}, now {now.state}"


def _compare_decisions(recording: Recording, frame: Frame) -> Iterator[str]:
    then = frame.decision
    assert then is not None
    now = _decide_again(recording, then)
    for name, before, after in (("safe", then.safe, set(now.safe)), ("mined", then.mined, set(now.mined))):
        yield from (f"{place(*cell)} was {name}, now it is not" for cell in sorted(before - after))
        yield from (f"{place(*cell)} is {name}, it was not" for cell in sorted(after - before))
    yield from _compare_odds(then, now)
    if then.must_guess != now.must_guess:
        yield f"it {'had' if then.must_guess else 'did not have'} to guess, now it {_must(now.must_guess)}"
    if now.must_guess and recording.strategy == "deep":
        return
    move = None if now.move is None else (now.move.action, now.move.row, now.move.col)
    if move != then.move:
        yield f"the move was {_move(then.move)}, now {_move(move)}"
    elif list(then.actions) != plan(then.board, now, recording.style):
        yield "the clicks that follow are others"


def _decide_again(recording: Recording, then: RecordedDecision) -> Decision:
    """Return what the solver says today; for a guess that took time then, only what is exact."""
    strategy: solver.Strategy = "best" if recording.strategy == "best" else "csp"
    return solver.decide(then.board, strategy=strategy, think=0.0, rule=recording.rule, explain=True)


def _compare_odds(then: RecordedDecision, now: Decision) -> Iterator[str]:
    before = then.odds_map()
    differ = ~np.isclose(before, now.odds, rtol=0.0, atol=SAME_ODDS, equal_nan=True)
    cells = np.argwhere(differ)
    if len(cells):
        row, col = cells[0]
        was, is_now = f"{100 * before[row, col]:.4f} %", f"{100 * now.odds[row, col]:.4f} %"
        more = f", and {len(cells) - 1} more" if len(cells) > 1 else ""
        yield f"the odds of {place(row, col)} were {was}, now {is_now}{more}"


def _must(guess: bool) -> str:
    return "has to" if guess else "need not"


def _move(move: tuple[str, int, int] | None) -> str:
    return "none" if move is None else f"{move[0]} {place(move[1], move[2])}"


def _or_nothing(number: int | None) -> str:
    return "nothing" if number is None else str(number)


MOST_BYTES = 512 * 2**20
MOST_FILES = 50_000
_MEMBER = re.compile(rf"((?:[A-Za-z0-9_-]{{1,64}}/)?)({re.escape(MANIFEST)}|{PICTURE_NAME.pattern})")


def write_bundle(game: Path, file: Path) -> None:
    """Write a game's recording to a ZIP file, whole or not at all. Raises `RecordingError`."""
    try:
        # A ZIP file knows no year before 1980, in which some systems put all files.
        with (
            prepared(file) as part,
            zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as bundle,
        ):
            for path in sorted(game.iterdir()):
                if (path.name == MANIFEST or PICTURE_NAME.fullmatch(path.name)) and not path.is_symlink():
                    bundle.write(path, f"game-0001/{path.name}")
    except OSError as error:
        raise RecordingError(f'can\'t write "{file}": {error.strerror}') from error


@contextmanager
def unpacked(file: Path) -> Iterator[Path]:
    """Give a folder, for the length of the block, with the recording of a bundle. Raises `RecordingError`.

    Only files with the names of a recording are taken, in one folder each, and only so much of them.
    """
    with tempfile.TemporaryDirectory(prefix="minebot-replay-") as folder:
        try:
            with zipfile.ZipFile(file) as bundle:
                _unpack(bundle, file, Path(folder))
        except OSError as error:
            raise RecordingError(f'can\'t unpack "{file}": {error.strerror}') from error
        except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError) as error:
            raise RecordingError(f'"{file}" is no bundle of a recording: {error}') from error
        yield Path(folder)


def _unpack(bundle: zipfile.ZipFile, file: Path, folder: Path) -> None:
    members = [member for member in bundle.infolist() if not member.filename.endswith("/")]
    if len(members) > MOST_FILES or sum(member.file_size for member in members) > MOST_BYTES:
        raise RecordingError(f'"{file}" is too large for a recording')
    for member in members:
        match = _MEMBER.fullmatch(member.filename)
        if match is None or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise RecordingError(f'"{file}" is no bundle of a recording: it holds "{harmless(member.filename[:80])}"')
        target = folder / match[1] / match[2]
        target.parent.mkdir(exist_ok=True)
        # zipfile stops at the size that was declared, which was checked above.
        with bundle.open(member) as source, target.open("wb") as copy:
            shutil.copyfileobj(source, copy)
