"""A recording as a moving picture: each look that led to a move, with the marks of what was decided, and how it ended.

As the name ends: animated WebP, GIF or PNG, which move in any browser and need no player, or MP4. Looks at which the
bot had to guess are shown longer, so that their odds can be read; otherwise the film is slower than the bot, which
nobody could follow.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import cv2
import numpy as np

from bot.board import Position
from bot.files import write_whole
from bot.picture import Picture
from bot.record import RecordingError
from bot.record.recording import Each, Frame, RecordedDecision, Recording
from bot.show.annotate import annotate
from bot.solver.decision import Decision, Move

FORMATS = (".webp", ".gif", ".png", ".mp4")

CERTAIN_MS, GUESS_MS, LAST_MS = 450, 1500, 3000
"""How long a look is shown: with a certain move, with a guess, and the last one before it begins anew."""

BEAT_MS = CERTAIN_MS
"""How long a picture of an MP4 is shown; a look is about as many of them as it takes, for each takes long to encode."""

CODECS = ("vp09", "mp4v")
"""Of an MP4, best first: browsers play VP9; what OpenCV always has are the older ones that only players know."""

MOST_BYTES = 2 * 2**30
"""Of pixels in one film, all of which are in memory while it is made."""

WEBP_QUALITY = 82


def write_movie(recording: Recording, file: Path, each: Each = iter) -> None:
    """Write a game's film whole or not at all. Raises `RecordingError` when that can't be done."""
    if file.suffix.lower() not in FORMATS:
        raise RecordingError(f'can\'t write "{file}": a film is {", ".join(FORMATS[:-1])} or {FORMATS[-1]}')
    frames = _telling(recording)
    if not frames:
        raise RecordingError(f'"{recording.folder}" has no pictures to show')
    durations = [GUESS_MS if _guesses(frame) else CERTAIN_MS for frame in frames[:-1]] + [LAST_MS]
    pictures = _pictures(recording, frames, each)
    try:
        raw = _video(pictures, durations) if file.suffix.lower() == ".mp4" else _animation(file, pictures, durations)
        if not raw:
            raise RecordingError(f'can\'t write "{file}": it could not be encoded')
        write_whole(file, raw)
    except OSError as error:
        raise RecordingError(f'can\'t write "{file}": {error.strerror}') from error


def _animation(file: Path, pictures: Iterator[Picture], durations: list[int]) -> bytes:
    """Return an animated picture; nothing when it can't be made."""
    film = cv2.Animation()
    film.frames = list(pictures)
    film.durations = durations
    encoded, raw = cv2.imencodeanimation(file.suffix.lower(), film, [cv2.IMWRITE_WEBP_QUALITY, WEBP_QUALITY])
    return raw.tobytes() if encoded else b""


def _video(pictures: Iterator[Picture], durations: list[int]) -> bytes:
    """Return an MP4, by the best codec that there is; nothing when there is none."""
    first = _even(next(pictures))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "film.mp4"  # OpenCV writes videos to files only, and knows a format by its ending
        for codec in CODECS:
            size = first.shape[1], first.shape[0]
            code = cv2.VideoWriter.fourcc(*codec)
            video = cv2.VideoWriter(str(file), cv2.CAP_FFMPEG, code, 1000 / BEAT_MS, size)
            if video.isOpened():
                for picture, duration in zip(chain([first], pictures), durations, strict=True):
                    for _ in range(round(duration / BEAT_MS)):
                        video.write(_even(picture))
                video.release()
                return file.read_bytes()
    return b""


def _even(picture: Picture) -> Picture:
    """Return a picture with even sides, as videos have them: its last row and column may be shown twice."""
    high, wide = picture.shape[0] % 2, picture.shape[1] % 2
    return np.asarray(cv2.copyMakeBorder(picture, 0, high, 0, wide, cv2.BORDER_REPLICATE), np.uint8)


def _telling(recording: Recording) -> list[Frame]:
    """Return the looks that something was decided on, and the last one."""
    return [frame for frame in recording.frames[:-1] if frame.decision is not None] + list(recording.frames[-1:])


def _guesses(frame: Frame) -> bool:
    return frame.decision is not None and frame.decision.must_guess


def _pictures(recording: Recording, frames: list[Frame], each: Each) -> Iterator[Picture]:
    """Yield the looks with their marks, all at the first one's size: a window may grow in mid-game."""
    first = _drawn(recording, frames[0])
    if len(frames) * first.nbytes > MOST_BYTES:
        raise RecordingError(f'"{recording.folder}" is too long for one film')
    size = first.shape[1], first.shape[0]
    for frame in each(frames):
        drawn = _drawn(recording, frame)
        yield np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), np.uint8)


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
