"""A recording as one page for a browser: a slider through the game, the odds over it, the reasons beside it.

The page is self-contained and can't reach the network; what a recording says is shown as text and never run.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2

from bot.board import Board, Cell, count_around, counted
from bot.files import write_whole
from bot.record import RecordingError
from bot.record.recording import Checked, Frame, RecordedDecision, Recording
from bot.show.views import describe
from bot.web.html import filled

TEMPLATE = Path(__file__).with_name("page.html")

MOST_BYTES = 200 * 2**20
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
        if sum(map(len, pictures.values())) > MOST_BYTES:
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
