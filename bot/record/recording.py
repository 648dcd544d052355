"""Reads a recording, perhaps a stranger's.

Promises typed events or a `RecordingError` that names the file and the line. Nothing outside the recording's own folder
is read, whatever the recording says; every value is asked for with the kind it must be (`Checked`); sizes are bounded;
nothing in it is code. A last line that was cut off when the bot was killed is left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NoReturn, TypeVar, cast, get_args, overload

import numpy as np
from numpy.typing import NDArray

from bot import files
from bot.actions import Action, CellAt
from bot.board import Board, BoardError
from bot.files import harmless
from bot.picture import Picture, PictureError, load_layer
from bot.record import RecordingError
from bot.record.recorder import FORMAT, MANIFEST
from bot.vision.grid import Grid
from bot.vision.reader import GameState
from bot.vision.skin import NAME, Skin, SkinError
from bot.words import CLICK_STYLES, RULES, ActionKind, ClickStyle, Rule

PICTURE_NAME = re.compile(r"[0-9]{4,6}\.png")
"""What a picture of a recording may be called: no path leads out of its folder."""

Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Checked:
    """One line of a file, or an object within it."""

    file: Path
    line: int
    document: Any

    def __post_init__(self) -> None:
        if not isinstance(self.document, dict):
            self.refuse("it is not an object")

    def refuse(self, why: str) -> NoReturn:
        """Raise what is wrong with this line."""
        raise RecordingError(f'"{self.file}", line {self.line}: {harmless(why)}')

    @overload
    def get(self, key: str, kind: type[Kind]) -> Kind: ...
    @overload
    def get(self, key: str, kind: type[Kind], *, optional: Literal[True]) -> Kind | None: ...
    def get(self, key: str, kind: type[Kind], *, optional: bool = False) -> Kind | None:
        """Return a value of a kind; an optional one may be null or missing. A text may be printed."""
        value = self.document.get(key)
        if value is None and optional:
            return None
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.refuse(f'"{key}" is not {_NAMES.get(kind, kind.__name__)}')
        return cast(Kind, harmless(value)) if isinstance(value, str) else value

    def one_of(self, key: str, values: tuple[Kind, ...]) -> Kind:
        """Return a value that is one of a few."""
        found = self.document.get(key)
        if found not in values:
            self.refuse(f'"{key}" is not one of {", ".join(map(str, values))}')
        return values[values.index(found)]

    def inner(self, key: str) -> Checked:
        """Return an object within."""
        return Checked(self.file, self.line, self.get(key, dict))

    def objects(self, key: str) -> list[Checked]:
        """Return a list of objects within."""
        return [Checked(self.file, self.line, document) for document in self.get(key, list)]

    def number_at(self, key: str) -> float:
        """Return a finite number."""
        return self.number(self.document.get(key), key)

    def number(self, value: object, key: str) -> float:
        """Return a value that must be a finite number."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not -1e9 <= value <= 1e9:
            self.refuse(f'"{key}" is not a number')
        return float(value) if math.isfinite(value) else self.refuse(f'"{key}" is not a number')

    def cell(self, board: Board) -> tuple[int, int]:
        """Return `row` and `col`, which lie on the board."""
        row, col = self.get("row", int), self.get("col", int)
        if not (0 <= row < board.rows and 0 <= col < board.cols):
            self.refuse("a cell lies beside the board")
        return row, col

    def cells(self, key: str, board: Board) -> Iterator[tuple[int, int]]:
        """Yield a list of [row, col], which lie on the board."""
        for pair in self.get(key, list):
            if not isinstance(pair, list) or len(pair) != 2:
                self.refuse(f'"{key}" is not a list of cells')
            yield Checked(self.file, self.line, {"row": pair[0], "col": pair[1]}).cell(board)

    def picture_name(self) -> str:
        """Return the name of a picture in the recording's own folder."""
        name = self.get("picture", str)
        if PICTURE_NAME.fullmatch(name) is None:
            self.refuse(f'"{name[:80]}" is not the name of a picture in this folder')
        return name


_NAMES: dict[type, str] = {
    str: "a text",
    int: "a whole number",
    dict: "an object",
    list: "a list",
    bool: "true or false",
}


MOST_CELLS = 65_536

NARROWEST_TILE, WIDEST_TILE = 4.0, 400.0
"""Pixels; wider bounds than those of any board that can be found, but what is drawn on tiles fits and stays small."""


@dataclass(frozen=True)
class RecordedReading:
    """What was read in a picture then."""

    board: Board
    grid: Grid
    skin: str
    state: GameState
    mines_left: int | None


@dataclass(frozen=True)
class RecordedDecision:
    """What was decided on a board then. `odds` are None for open cells; `said` is all that was written down."""

    board: Board
    safe: frozenset[CellAt]
    mined: frozenset[CellAt]
    odds: tuple[tuple[float | None, ...], ...]
    must_guess: bool
    move: tuple[str, int, int] | None
    reason: str
    actions: tuple[Action, ...]
    said: Checked = field(compare=False)

    def odds_map(self) -> NDArray[np.float64]:
        """Return the odds as the solver tells them: shape (rows, cols), NaN for open cells."""
        return np.array([[np.nan if chance is None else chance for chance in row] for row in self.odds])


@dataclass(frozen=True)
class Frame:
    """One look with what followed from it. A frame without a reading shows what made the bot stop."""

    at: float
    picture: str
    reading: RecordedReading | None
    decision: RecordedDecision | None = None
    clicked: bool = False


Each = Callable[[Sequence[Frame]], Iterable[Frame]]
"""Gives the looks of a recording one by one, perhaps showing how far it has got."""


@dataclass(frozen=True)
class Recording:
    """One game as it was recorded."""

    folder: Path
    version: str
    started: str
    style: ClickStyle
    strategy: str
    rule: Rule
    frames: tuple[Frame, ...]
    stop: str | None = None
    result: Checked | None = None

    _painted: dict[str, Picture] = field(default_factory=dict, compare=False, repr=False)  # the last picture, by name

    def picture(self, frame: Frame) -> Picture:
        """Return a frame's picture. Raises `RecordingError` when it is missing, unreasonable or not in the folder."""
        number, digits = int(Path(frame.picture).stem), len(Path(frame.picture).stem)
        seen = self._layer(frame.picture)
        while seen.shape[2] == 4:  # some pixels are as in the picture before
            number -= 1
            below = self._layer(f"{number:0{digits}}.png")
            if below.shape[:2] != seen.shape[:2]:
                raise RecordingError(f'"{self.folder / frame.picture}" is not as large as the picture it is painted on')
            seen = np.where(seen[..., 3:] > 0, seen[..., : below.shape[2]], below)
        self._painted.clear()
        self._painted[frame.picture] = seen
        return seen.copy()

    def _layer(self, name: str) -> NDArray[np.uint8]:
        """Return a whole picture, or the pixels by which one differs from the one before it."""
        if name in self._painted:
            return self._painted[name]
        file = self.folder / name
        if file.is_symlink():
            raise RecordingError(f'"{file}" is a link; a recording keeps its pictures in its own folder')
        try:
            return load_layer(file)
        except PictureError as error:
            raise RecordingError(str(error)) from error


def recordings_in(folder: Path) -> list[Path]:
    """Return the games recorded in a folder: itself, or its folders game-…. Raises `RecordingError` when none."""
    if (folder / MANIFEST).is_file():
        return [folder]
    games = [path for path in sorted(folder.glob("game-*")) if (path / MANIFEST).is_file() and not path.is_symlink()]
    if not games:
        reason = f"it has no {MANIFEST}" if folder.is_dir() else "there is no such folder"
        raise RecordingError(f'"{folder}" is no recording: {reason}')
    return games


def load_recording(folder: Path) -> Recording:
    """Return the game recorded in a folder. Raises `RecordingError` naming the first thing that is wrong."""
    file = folder / MANIFEST
    if file.is_symlink():
        raise RecordingError(f'"{file}" is a link; a recording is kept in its own folder')
    try:
        entries = list(files.read_lines(file))
    except OSError as error:
        raise RecordingError(f'can\'t read "{file}": {error.strerror}') from error
    if entries and entries[-1][1] is None:
        entries.pop()  # the bot was killed while it wrote
    if not entries:
        raise RecordingError(f'"{file}" is empty')
    documents = [Checked(file, number, document) for number, document in entries]
    head = documents[0]
    if not 1 <= head.get("format", int) <= FORMAT:
        head.refuse(f"format is {head.get('format', int)}, this version reads 1 to {FORMAT}")
    events = {entry.get("event", str): entry for entry in documents[1:]}
    frames = tuple(_frames(documents[1:]))
    rule = head.one_of("rule", _RULES_OR_NONE)
    return Recording(
        folder=folder,
        version=head.get("version", str),
        started=head.get("started", str),
        style=head.one_of("style", CLICK_STYLES),
        strategy=head.get("strategy", str),
        rule=rule or _rule_of_look(frames),
        frames=frames,
        stop=events["stop"].get("reason", str) if "stop" in events else None,
        result=events["end"].inner("result") if "end" in events else None,
    )


def _rule_of_look(frames: tuple[Frame, ...]) -> Rule:
    """Return the rule that the player took from the look of the game, since the user had named none."""
    skin = next((frame.reading.skin for frame in frames if frame.reading is not None), "")
    try:
        return Skin.load(skin).kind.rule if NAME.fullmatch(skin) else "open"
    except SkinError:  # one that is not here
        return "open"


_RULES_OR_NONE: tuple[Rule | None, ...] = (*RULES, None)
_ACTION_KINDS: tuple[ActionKind, ...] = get_args(ActionKind)
_STATES: tuple[GameState, ...] = get_args(GameState)


def _frames(entries: list[Checked]) -> Iterator[Frame]:
    frame: Frame | None = None
    for entry in entries:
        event = entry.get("event", str)
        if event == "look" or (event == "stop" and "picture" in entry.document):
            if frame is not None:
                yield frame
            reading = _reading(entry.inner("reading")) if event == "look" else None
            frame = Frame(entry.number_at("at"), entry.picture_name(), reading)
        elif event == "decision":
            if frame is None or frame.reading is None:
                entry.refuse("a decision comes before its look")
            frame = replace(frame, decision=_decision(entry, frame.reading))
        elif event == "clicks" and frame is not None:
            frame = replace(frame, clicked=True)
    if frame is not None:
        yield frame


def _reading(entry: Checked) -> RecordedReading:
    rows = entry.get("cells", list)
    if sum(len(row) for row in rows if isinstance(row, str)) > MOST_CELLS:
        entry.refuse(f"the board has more than {MOST_CELLS} cells")
    board = _board(entry, "\n".join(map(str, rows)))
    place = entry.inner("grid")
    left, top, pitch_x, pitch_y = (place.number_at(key) for key in ("left", "top", "pitch_x", "pitch_y"))
    if not all(NARROWEST_TILE <= pitch <= WIDEST_TILE for pitch in (pitch_x, pitch_y)):
        entry.refuse(f"a pitch of {pitch_x:g}×{pitch_y:g} pixels is no tile's")
    return RecordedReading(
        board=_with_mines(entry, board),
        grid=Grid(left, top, pitch_x, pitch_y, board.rows, board.cols),
        skin=entry.get("skin", str),
        state=entry.one_of("state", _STATES),
        mines_left=entry.get("mines_left", int, optional=True),
    )


def _decision(entry: Checked, reading: RecordedReading) -> RecordedDecision:
    said = entry.inner("decision")
    board = _with_mines(said, reading.board)
    move = None if said.document.get("move") is None else said.inner("move")
    odds = said.get("odds", list)
    if len(odds) != board.rows or any(not isinstance(row, list) or len(row) != board.cols for row in odds):
        said.refuse("the odds do not fit the board")
    return RecordedDecision(
        board=board,
        safe=frozenset(said.cells("safe", board)),
        mined=frozenset(said.cells("mined", board)),
        odds=tuple(tuple(None if chance is None else said.number(chance, "odds") for chance in row) for row in odds),
        must_guess=said.get("must_guess", bool),
        move=None if move is None else (move.get("action", str), *move.cell(board)),
        reason=said.get("reason", str),
        actions=tuple(_actions(entry, board)),
        said=said,
    )


def _actions(entry: Checked, board: Board) -> Iterator[Action]:
    for action in entry.objects("actions"):
        kind = action.one_of("kind", _ACTION_KINDS)
        yield Action(kind, *action.cell(board), action.number_at("risk"))


def _board(entry: Checked, text: str) -> Board:
    try:
        return Board.parse(text)
    except BoardError as error:
        entry.refuse(str(error))


def _with_mines(entry: Checked, board: Board) -> Board:
    try:
        return Board(board.cells, entry.get("mines", int, optional=True))
    except BoardError as error:
        entry.refuse(str(error))
