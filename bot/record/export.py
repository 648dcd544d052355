"""A recording for others to look at: as one page for a browser, or as a moving picture.

The page has a slider through the game, the odds over it, the reasons beside it. It is self-contained and can't reach
the network; what a recording says is shown as text and never run.

The film has each look that led to a move, with the marks of what was decided, and how it ended. As its name ends it is
an animated WebP, GIF or PNG, which move in any browser and need no player, or an MP4. Looks at which the bot had to
guess are shown longer, so that their odds can be read; otherwise it is slower than the bot, which nobody could follow.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from bot.board import Board, Cell, Position, count_around, counted
from bot.files import write_whole
from bot.picture import Picture
from bot.record import RecordingError
from bot.record.recording import Checked, Each, Frame, RecordedDecision, Recording
from bot.show.annotate import annotate
from bot.show.views import describe
from bot.solver.decision import Decision, Move
from bot.web.html import filled

TEMPLATE = Path(__file__).with_name("page.html")

MOST_PAGE_BYTES = 200 * 2**20
"""Of pictures in one page; more would bring a browser down."""


LONGEST_SIDE = 16_383
"""Pixels of a WebP picture."""


def write_page(recordings: Sequence[Recording], file: Path) -> None:
    """Write the page of some games, whole or not at all. Raises `RecordingError` when that can't be done."""
    text = page(recordings)
    try:
        write_whole(file, text.encode("utf-8", "replace"))
    except OSError as error:
        raise RecordingError(f'can\'t write "{file}": {error.strerror}') from error


def page(recordings: Sequence[Recording]) -> str:
    """Return the page of some games. Raises `RecordingError` when there is nothing to show or too much."""
    pictures: dict[str, str] = {}
    frames: list[dict[str, Any]] = []
    for game, recording in enumerate(recordings):
        for frame in recording.frames:
            key = f"{game}/{frame.picture}"
            if key not in pictures:
                pictures[key] = _data_uri(recording, frame)
            frames.append({"game": game, "picture": key, **_frame(recording, frame)})
        if sum(map(len, pictures.values())) > MOST_PAGE_BYTES:
            raise RecordingError(f'"{recording.folder.parent}" is too large for one page: take one game of it')
    if not frames:
        raise RecordingError(f'"{recordings[0].folder}" has no pictures to show')
    document = {"frames": frames, "pictures": pictures, "games": [_outcome(recording) for recording in recordings]}
    when = recordings[0].started[:16].replace("T", " ")
    title = f"Minesweeper, {when}" if len(recordings) == 1 else f"Minesweeper, {len(recordings)} games since {when}"
    return filled(TEMPLATE.read_text(encoding="utf-8"), title, document)


def _data_uri(recording: Recording, frame: Frame) -> str:
    picture = recording.picture(frame)
    if max(picture.shape) > LONGEST_SIDE:
        raise RecordingError(f'"{recording.folder / frame.picture}" is too large for a page')
    # Encoded anew, so that the page holds pixels and nothing else that a file might carry; and a tenth of a PNG's size.
    encoded = cv2.imencode(".webp", picture, [cv2.IMWRITE_WEBP_QUALITY, 90])[1].tobytes()
    return "data:image/webp;base64," + base64.b64encode(encoded).decode()


def _frame(recording: Recording, frame: Frame) -> dict[str, Any]:
    reading, decision = frame.reading, frame.decision
    return {
        "at": frame.at,
        "grid": None
        if reading is None
        else {name: getattr(reading.grid, name) for name in ("left", "top", "pitch_x", "pitch_y")},
        "mines_left": None if reading is None else reading.mines_left,
        "verdict": _verdict(recording, frame),
        "decision": None if decision is None else _decision(decision),
    }


def _verdict(recording: Recording, frame: Frame) -> str:
    """Return what there is to say of a look that nothing was decided on."""
    if frame.reading is None:
        return f"Stopped: {recording.stop}"
    return {"won": "The game is won.", "lost": "The game is lost."}.get(frame.reading.state, "Looking.")


def _decision(decision: RecordedDecision) -> dict[str, Any]:
    actions = list(decision.actions)
    flagged = {cell for cell in decision.mined if decision.board.cells[cell] == Cell.FLAG}
    return {
        "safe": sorted(decision.safe),
        "mined": sorted(decision.mined - flagged),
        "flagged": len(flagged),
        "odds": decision.odds,
        "near": (count_around(decision.board.cells <= 8) > 0).tolist(),
        "must_guess": decision.must_guess,
        "reason": decision.reason,
        "risk": max((action.risk for action in actions), default=0.0),
        "doing": f"would {describe(actions)}" if actions else "nothing to click",
        "clicks": [[action.row, action.col] for action in actions if action.kind != "flag"],
        "wrong_flags": list(decision.said.cells("wrong_flags", decision.board)),
        "steps": _news(decision, flagged),
        "candidates": [_candidate(weighed, decision.board) for weighed in decision.said.objects("candidates")],
    }


def _candidate(weighed: Checked, board: Board) -> dict[str, Any]:
    row, col = weighed.cell(board)
    value = None if weighed.document.get("value") is None else weighed.number_at("value")
    return {"row": row, "col": col, "risk": weighed.number_at("risk"), "value": value}


def _news(decision: RecordedDecision, flagged: set[tuple[int, int]]) -> list[dict[str, Any]]:
    """Return the conclusions that the board does not show yet, what is safe first."""
    told = [
        {
            "cells": list(step.cells("cells", decision.board)),
            "conclusion": step.get("conclusion", str),
            "because": step.get("because", str),
        }
        for step in decision.said.objects("steps")
    ]
    fresh = [step for step in told if not flagged.issuperset(step["cells"])]
    return sorted(fresh, key=lambda step: step["conclusion"] != "safe")


def _outcome(recording: Recording) -> str:
    """Return a game's end in a few words."""
    result = recording.result
    if result is None:
        return "not finished"
    outcome = "won" if result.get("won", bool) else "stopped" if recording.stop else "lost"
    guesses = [result.number(risk, "guesses") for risk in result.get("guesses", list)]
    told = counted(len(guesses), "guess", "guesses") if guesses else "no guess"
    clicks = counted(result.get("clicks", int), "click")
    return f"{outcome} in {result.number_at('seconds'):.2f} s · {clicks} · {told}"


FORMATS = (".webp", ".gif", ".png", ".mp4")

CERTAIN_MS, GUESS_MS, LAST_MS = 450, 1500, 3000
"""How long a look is shown: with a certain move, with a guess, and the last one before it begins anew."""

BEAT_MS = CERTAIN_MS
"""How long a picture of an MP4 is shown; a look is about as many of them as it takes, for each takes long to encode."""

CODECS = ("vp09", "mp4v")
"""Of an MP4, best first: browsers play VP9; what OpenCV always has are the older ones that only players know."""

MOST_FILM_BYTES = 2 * 2**30
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
    if len(frames) * first.nbytes > MOST_FILM_BYTES:
        raise RecordingError(f'"{recording.folder}" is too long for one film')
    size = first.shape[1], first.shape[0]
    for frame in each(frames):
        drawn = _drawn(recording, frame)
        yield np.asarray(cv2.resize(drawn, size, interpolation=cv2.INTER_AREA), np.uint8)


def _drawn(recording: Recording, frame: Frame) -> Picture:
    picture = recording.picture(frame)
    if frame.reading is None or frame.decision is None:
        return picture
    return annotate(picture, frame.reading.grid, frame.decision.board, _drawable(frame.decision))


def _drawable(recorded: RecordedDecision) -> Decision:
    """Return the part of a decision that can be drawn."""
    risks = {(action.row, action.col): action.risk for action in recorded.actions}
    move = None
    if recorded.move is not None and recorded.must_guess:
        _, row, col = recorded.move
        move = Move("open", row, col, risks.get((row, col), 0.0))
    safe, mined = (tuple(Position(*cell) for cell in sorted(cells)) for cells in (recorded.safe, recorded.mined))
    return Decision(recorded.odds_map(), safe, mined, move, recorded.must_guess, recorded.reason)
