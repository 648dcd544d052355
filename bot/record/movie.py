"""A recording as a moving picture: each look that led to a move, with the marks of what was decided, and how it ended.

It moves in any browser and needs no player: animated WebP or PNG, as the name ends. Looks at which the bot had to
guess are shown longer, so that their odds can be read; otherwise the film is slower than the bot, which nobody could
follow.
"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from bot.annotate import annotate
from bot.files.whole import write_whole
from bot.picture import Picture
from bot.record import RecordingError
from bot.record.recording import Frame, RecordedDecision, Recording
from bot.solver.decision import Decision, Move, Position

FORMATS = (".webp", ".png")

CERTAIN_MS, GUESS_MS, LAST_MS = 450, 1500, 3000
"""How long a look is shown: with a certain move, with a guess, and the last one before it begins anew."""

MOST_BYTES = 2 * 2**30
"""Of pixels in one film, all of which are in memory while it is made."""

WEBP_QUALITY = 82


def write_movie(recording: Recording, file: Path) -> None:
    """Write a game's film whole or not at all. Raises `RecordingError` when that can't be done."""
    if file.suffix.lower() not in FORMATS:
        raise RecordingError(f'can\'t write "{file}": a film is {" or ".join(FORMATS)}')
    frames = _telling(recording)
    if not frames:
        raise RecordingError(f'"{recording.folder}" has no pictures to show')
    film = cv2.Animation()
    film.frames = _pictures(recording, frames)
    film.durations = [GUESS_MS if _guesses(frame) else CERTAIN_MS for frame in frames[:-1]] + [LAST_MS]
    encoded, raw = cv2.imencodeanimation(file.suffix.lower(), film, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])
    if not encoded:
        raise RecordingError(f'can\'t write "{file}": it could not be encoded')
    try:
        write_whole(file, raw.tobytes())
    except OSError as error:
        raise RecordingError(f'can\'t write "{file}": {error.strerror}') from error


def _telling(recording: Recording) -> list[Frame]:
    """Return the looks that something was decided on, and the last one."""
    return [frame for frame in recording.frames[:-1] if frame.decision is not None] + list(recording.frames[-1:])


def _guesses(frame: Frame) -> bool:
    return frame.decision is not None and frame.decision.must_guess


def _pictures(recording: Recording, frames: list[Frame]) -> list[Picture]:
    """Return the looks with their marks, all at the first one's size: a window may grow in mid-game."""
    first = _drawn(recording, frames[0])
    if len(frames) * first.nbytes > MOST_BYTES:
        raise RecordingError(f'"{recording.folder}" is too long for one film')
    size = first.shape[1], first.shape[0]
    drawn = (_drawn(recording, frame) for frame in frames)
    return [np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8) for picture in drawn]


def _drawn(recording: Recording, frame: Frame) -> Picture:
    picture = recording.picture(frame)
    if frame.reading is None or frame.decision is None:
        return picture
    return annotate(picture, frame.reading.grid, frame.decision.board, _decision(frame.decision))


def _decision(recorded: RecordedDecision) -> Decision:
    """Return the part of a decision that can be drawn."""
    risks = {(action.row, action.col): action.risk for action in recorded.actions}
    move = None
    if recorded.move is not None and recorded.must_guess:
        _, row, col = recorded.move
        move = Move("open", row, col, risks.get((row, col), 0.0))
    safe, mined = (tuple(Position(*cell) for cell in sorted(cells)) for cells in (recorded.safe, recorded.mined))
    return Decision(recorded.odds_map(), safe, mined, move, recorded.must_guess, recorded.reason)
