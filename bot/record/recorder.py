"""Writes a game down while it is played.

A recording is a folder a game: `recording.jsonl`, whose first line says how the game was played and every further line
one event, and the pictures it names, changed ones only, each after the first with nothing but the pixels that are not
as before. Every file and every line is written whole or not at all. Recording never stops a game: when the disk is
full, the recorder says so once and rests.

Events, by their `event`: `look` (picture, what was read), `decision` (what the solver said, what will be clicked),
`clicks`, `stop` and `end`. Each has `at`, the seconds since the first.

The user's data folder keeps the last recordings, and pictures that made the bot stop in doubt. Both are rings, so that
they never fill the disk: something new pushes the oldest out.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from datetime import datetime, timezone
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bot import __version__, files
from bot.actions import Action
from bot.desktop import Click
from bot.files import data_folder, make_private
from bot.picture import Picture, PictureError, save
from bot.play import GameResult, Settings, Stop, Watcher
from bot.record import RecordingError
from bot.show.documents import decision_json, reading_json
from bot.solver.decision import Decision
from bot.vision.reader import Reading

FORMAT = 2
"""Of what is written; pictures of format 1 were all whole."""

MANIFEST = "recording.jsonl"

MOST_PICTURES = 5000
"""Of one game; a game that goes on for ever must not fill the disk."""


class Recorder(Watcher):
    """Records every game into a folder of its own under `folder`: game-0001, game-0002 and so on, never over another.

    `warn` is told, once, when recording has to stop; `finished` is given each game's folder when the game is over.
    Raises `RecordingError` when not even the first folder can be made.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings,
        warn: Callable[[str], None],
        finished: Callable[[Path], None] = lambda folder: None,
    ) -> None:
        self._root = folder
        self._settings = settings
        self._warn = warn
        self._finished = finished
        self._broken = False
        self._game: Path | None = None
        self._started: float | None = None
        """When the game was first looked at: before that, a solver may have had to be compiled."""
        self._pictures = 0
        self._last: Picture | None = None
        try:
            make_private(folder)
            self._begin()
        except OSError as error:
            raise RecordingError(f'can\'t record to "{folder}": {error.strerror}') from error

    def looked(self, reading: Reading, picture: Picture) -> None:
        """Write down the picture, when it is another one, and what was read in it."""
        document = {**reading_json(reading), "mines": reading.board.mines}
        self._note("look", picture, reading=document)

    def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
        """Write down what the solver said and what follows."""
        document = decision_json(reading.board, decision)
        self._note("decision", decision=document, actions=[asdict(action) for action in actions])

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        """Write down the clicks."""
        self._note("clicks", clicks=[list(click) for click in clicks])

    def stopped(self, stop: Stop) -> None:
        """Write down why play stopped, with what was seen."""
        self._note("stop", stop.picture, kind=stop.kind, reason=stop.reason)

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Write down how it ended; the next look begins another recording."""
        self._note("end", result=asdict(result))
        game, self._game = self._game, None
        if game is not None and not self._broken:
            self._finished(game)

    def _begin(self) -> None:
        """Take the next free folder."""
        for number in count(1 + max((_number(path) for path in self._root.glob("game-*")), default=0)):
            game = self._root / f"game-{number:04d}"
            try:
                game.mkdir(mode=0o700)
                break
            except FileExistsError:  # another bot took it
                continue
        self._game, self._pictures, self._last, self._started = game, 0, None, None
        settings = self._settings
        files.append_line(
            game / MANIFEST,
            {
                "format": FORMAT,
                "version": __version__,
                "started": datetime.now(timezone.utc).isoformat(timespec="seconds"),
                "style": settings.style,
                "strategy": settings.strategy,
                "think": settings.think,
                "rule": settings.rule,
            },
        )

    def _note(self, event: str, picture: Picture | None = None, **details: Any) -> None:
        if self._broken:
            return
        try:
            if self._game is None:
                self._begin()
            assert self._game is not None
            now = time.perf_counter()
            if self._started is None:
                self._started = now
            document: dict[str, Any] = {"event": event, "at": round(now - self._started, 4)}
            if picture is not None:
                document["picture"] = self._keep(self._game, picture)
            files.append_line(self._game / MANIFEST, document | details)
        except (OSError, PictureError) as error:
            self._broken = True
            why = error.strerror if isinstance(error, OSError) else str(error)
            self._warn(f'recording to "{self._root}" ends here, play goes on: {why}')

    def _keep(self, game: Path, picture: Picture) -> str:
        """Return the name of the file that holds a picture, writing it when it is not the last one."""
        if self._last is None or not np.array_equal(picture, self._last):
            if self._pictures == MOST_PICTURES:
                raise PictureError(f"a game of more than {MOST_PICTURES} pictures is too long")
            # Waiting for the disk at every look would slow the game down.
            save(game / f"{self._pictures + 1:04d}.png", _onto(self._last, picture), lasting=False)
            self._pictures += 1
            self._last = picture
        return f"{self._pictures:04d}.png"


def _onto(before: Picture | None, picture: Picture) -> NDArray[np.uint8]:
    """Return what a picture adds to the one before: with a fourth channel that is 0 where they are the same.

    A game changes every tile once or twice, so that all of its pictures together take little more than two whole ones.
    """
    if before is None or before.shape != picture.shape:
        return picture
    changed = (picture != before).any(axis=2, keepdims=True)
    return np.concatenate([np.where(changed, picture, 0), np.where(changed, 255, 0)], axis=2).astype(np.uint8)


def _number(game: Path) -> int:
    digits = game.name.removeprefix("game-")
    return int(digits) if digits.isascii() and digits.isdigit() else 0


RING, DOUBTS = 5, 50
"""How many games, and how many doubtful pictures, are kept."""

ABANDONED_AFTER = 3600.0
"""Seconds after which nobody will finish a copy that was begun."""


def keep_recording(game: Path) -> None:
    """Copy a game's recording to the ring. Raises `RecordingError` when that fails."""
    shelf = data_folder() / "recordings"
    partial = shelf / f".{os.getpid()}.part"
    try:
        make_private(shelf)
        shutil.rmtree(partial, ignore_errors=True)
        shutil.copytree(game, partial)
        partial.replace(shelf / f"{time.time_ns():020d}-{os.getpid()}")
        for old in [*_kept(shelf)[:-RING], *_abandoned(shelf)]:
            shutil.rmtree(old, ignore_errors=True)  # another bot may be at it too
    except (OSError, shutil.Error) as error:
        shutil.rmtree(partial, ignore_errors=True)
        why = error.strerror if isinstance(error, OSError) and error.strerror else "the disk may be full"
        raise RecordingError(f'can\'t keep the last game in "{shelf}": {why}') from error


def last_recording() -> Path:
    """Return the folder of the last recorded game. Raises `RecordingError` when there is none."""
    kept = _kept(data_folder() / "recordings")
    if not kept:
        raise RecordingError("no game has been recorded yet: minebot play --record DIR keeps one")
    return kept[-1]


def _kept(shelf: Path) -> list[Path]:
    """Return the recordings on the shelf, oldest first."""
    return sorted(path for path in shelf.glob("[0-9]*") if path.is_dir())


def _abandoned(shelf: Path) -> Iterator[Path]:
    """Yield what killed bots were about to put on the shelf."""
    long_ago = time.time() - ABANDONED_AFTER
    for part in shelf.glob(".*.part"):
        with suppress(FileNotFoundError):  # another bot has finished it, or cleared it away
            if part.stat().st_mtime < long_ago:
                yield part


def keep_doubtful(picture: Picture) -> Path:
    """Save a picture to the user's data folder and return where. Raises `PictureError` when that fails."""
    folder = data_folder() / "doubts"
    try:
        make_private(folder)
    except OSError as error:
        raise PictureError(f'can\'t write "{folder}": {error.strerror}') from error
    path = folder / f"{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.png"
    save(path, picture)
    for old in sorted(folder.glob("[0-9]*.png"))[:-DOUBTS]:
        with suppress(OSError):  # what somebody looks at on Windows stays until the next time
            old.unlink()
    return path
