"""Documents for the page: of what people drop into it, and what there is to say about a board.

`document_of` takes a picture, a recording, or a board as text; nobody says which. Nothing is trusted: a picture's size
is known from its header before a pixel is unpacked, a recording is unpacked into a folder of its own that is gone
afterwards, a text has a bound. Whatever can't be taken is a `MinebotError` that calls the thing by its name.

`analysis` answers at once. It holds the document of `minebot solve --json`, for each proof the numbers it rests on and
the steps it comes after, and the cells that contradict each other. `thoughts` goes on thinking about a guess and gives
better and better estimates. `tells` is exact: the chance of each number that a cell may show. A picture may show only
part of a board. How many mines the whole board has then says nothing about the part.
"""

from __future__ import annotations

import base64
import math
import re
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from bot import solver
from bot.board import SIDES, SYMBOLS, Board, BoardError, Position, count_around, parse_pasted, places
from bot.errors import MinebotError
from bot.files import LARGEST_TEXT, decoded, write_whole
from bot.level import MOST_A_SIDE, level_of_size
from bot.picture import Picture, declared_size, decode
from bot.record.recorder import MANIFEST
from bot.record.recording import Recording, load_recording, recordings_in
from bot.record.replay import unpacked
from bot.show.documents import decision_json, reading_json
from bot.solver.cut import shift, with_rim
from bot.solver.decision import Candidate, Decision
from bot.vision.reader import NoBoardError, Reader, Reading
from bot.words import RULES, Rule

PHASES = (0.1, 0.4, 1.5, 5.0)
"""Seconds after which a person who looks at a guess is told a better estimate; each phase begins anew, so that those
before the last are two fifths of it together."""


MOST_CANDIDATES = 8
"""Guesses that are shown; more would be a list that nobody reads."""


class RequestError(MinebotError):
    """Something that the page asked for and that can't be answered."""


@dataclass(frozen=True)
class Question:
    """A board with what its picture does not tell: the first click's promise, and the sides where it was cut."""

    board: Board
    rule: Rule = "open"
    cut: frozenset[str] = frozenset()

    @classmethod
    def of(cls, document: Any) -> Question:
        """Return what a page asks, {"board": text, "rule": rule, "cut": [side]}. Raises `MinebotError`."""
        if not isinstance(document, dict) or not isinstance(document.get("board"), str):
            raise RequestError("a question needs the text of a board")
        rule, cut = document.get("rule", "open"), document.get("cut", [])
        if rule not in RULES or not isinstance(cut, list) or not all(side in SIDES for side in cut):
            raise RequestError("a question has a rule that there is, and sides that a board has")
        board = bounded(Board.parse(document["board"]))
        return cls(Board(board.cells, board.mines), rule, board.cut.union(cut))

    @property
    def part(self) -> Board:
        """The board as the part that it is; the whole one when no side is cut."""
        return Board(self.board.cells, None, self.cut) if self.cut else self.board

    @property
    def whole(self) -> Board:
        """The board with a row of unread tiles along each side that is cut."""
        return with_rim(self.part) if self.cut else self.board


def bounded(board: Board) -> Board:
    """Return the board, unless it is larger than any that is played. Raises `BoardError`."""
    if max(board.rows, board.cols) > MOST_A_SIDE:
        raise BoardError(f"a board has {MOST_A_SIDE} rows and columns at most, not {board.rows}×{board.cols}")
    return board


def analysis(question: Question) -> dict[str, Any]:
    """Return everything that is known at once."""
    decision = _decide(question, "csp", 0.0)
    problems = [*decision.problems, *([decision.reason] if decision.move is None and decision.problems else [])]
    return {
        "decision": decision_json(question.board, decision),
        "near": near(question.board),
        "proofs": _proofs(question.board, decision),
        "clashes": sorted({cell for problem in problems for cell in places(problem) if _on(question.board, cell)}),
        "mines_left": question.board.mines_left,
        **_weighed(question, decision),
    }


def thoughts(question: Question, go_on: Callable[[], bool]) -> Iterator[dict[str, Any]]:
    """Yield better and better opinions on a guess, until nothing more can be found out or nobody wants to know."""
    last: tuple[str, tuple[Candidate, ...]] | None = None
    for seconds in PHASES:
        decision = _decide(question, "deep", seconds / 2, go_on)
        if not decision.must_guess:
            return
        decision = replace(decision, candidates=_compared(question, decision, seconds / 2, go_on))
        said = (decision.reason, decision.candidates)
        if not go_on() or said == last:
            return
        last = said
        yield {"decision": decision_json(question.board, decision), **_weighed(question, decision)}


def _compared(
    question: Question, decision: Decision, seconds: float, go_on: Callable[[], bool]
) -> tuple[Candidate, ...]:
    """Return the candidates of a guess with their chances to win: the chosen one, then others by what they are worth.

    What settles a guess need not have weighed the others, or said what it is worth itself; roll-outs tell both.
    """
    from bot.solver import guess
    from bot.solver.odds import exact_odds

    board, (down, right) = question.whole, shift(question.part)
    rolled = guess.compare(board, exact_odds(board), seconds, go_on)
    estimates = {(each.row - down, each.col - right): each for each in rolled}
    weighed = {(each.row, each.col): each for each in decision.candidates}
    chosen = decision.candidates[0]
    for cell, each in estimates.items():
        known = weighed.get(cell)
        if known is None or known.value is None:
            weighed[cell] = replace(each, row=cell[0], col=cell[1])
    first = weighed.pop((chosen.row, chosen.col))
    if first.value is None and rolled:
        # It must be made anyway, or in a region of its own: now it is worth as much as after the best of the others.
        first = replace(first, value=max(each.value or 0.0 for each in rolled))
    others = sorted(weighed.values(), key=lambda each: (each.value is None, -(each.value or 0.0), each.risk))
    return (first, *others[: MOST_CANDIDATES - 1])


def near(board: Board) -> list[list[bool]]:
    """Return which cells lie beside an open number."""
    beside: list[list[bool]] = (count_around(board.cells <= 8) > 0).tolist()
    return beside


def tells(board: Board, cell: Position) -> list[float] | None:
    """Return the chances that a cell shows 0, 1, … 8; what is missing to 1 is the risk of a mine.

    None when they are not known: without the number of mines layouts can't be counted, on a board that contradicts
    itself there are none.
    """
    from bot.solver.odds import exact_odds

    before = exact_odds(board).log_layouts
    if math.isnan(before):
        return None
    shown = []
    for number in range(9):
        after = exact_odds(board.replace({cell: number}))
        possible = not after.contradictions and not math.isnan(after.log_layouts)
        shown.append(math.exp(after.log_layouts - before) if possible else 0.0)
    return shown


def _weighed(question: Question, decision: Decision) -> dict[str, Any]:
    """Return what each candidate of a guess would tell, in the order of the candidates."""
    whole, (down, right) = question.whole, shift(question.part)
    cells = [Position(each.row + down, each.col + right) for each in decision.candidates]
    return {"tells": [tells(whole, cell) for cell in cells]}


def _decide(
    question: Question, strategy: solver.Strategy, think: float, go_on: Callable[[], bool] | None = None
) -> Decision:
    """Return the decision in the cells of the board that is seen."""
    return solver.decide(
        question.part, strategy=strategy, think=think, rule=question.rule, explain=strategy == "csp", go_on=go_on
    )


def _on(board: Board, cell: tuple[int, int]) -> bool:
    return 0 <= cell[0] < board.rows and 0 <= cell[1] < board.cols


def _proofs(board: Board, decision: Decision) -> list[dict[str, Any]]:
    """Return for each step the numbers and the mines that its sentence names, and the steps it rests on, by index.

    A sentence that speaks of every layout names no number: it rests on those beside its cells. A step rests on an
    earlier one that has settled a cell beside one of its numbers.
    """
    settled: dict[tuple[int, int], int] = {}
    proofs = []
    for index, step in enumerate(decision.steps):
        named = [cell for cell in places(step.because) if _on(board, cell) and board.cells[cell] <= 8]
        if not named:
            around = {cell for tile in step.cells for cell in board.neighbours(*tile)}
            named = sorted(cell for cell in around if 1 <= board.cells[cell] <= 8)
        mines = [cell for cell in places(step.because) if cell in decision.mined and cell not in step.cells]
        beside = {cell for number in named for cell in board.neighbours(*number)}
        after = sorted({settled[cell] for cell in beside if cell in settled})
        proofs.append({"numbers": named, "mines": mines, "after": after})
        settled |= {(cell.row, cell.col): index for cell in step.cells}
    return proofs


LARGEST_UPLOAD = 32 * 2**20
"""Bytes; a PNG of a 4K screen full of noise is 25 million."""

MOST_LOOKS = 2_000
"""Of a recording; a long game has some hundred."""

LINK_SYMBOLS = "012345678cFqmXxu"
"""The character of each cell value in a link, by index: those of a board's text that a link can't hold are letters."""

_LINK = re.compile(rf"#b=([0-9]*/[{LINK_SYMBOLS}/]+)((?:&[a-z]+=[a-z,]*)*)")
"""A link to a position: the mines, then a row after each stroke."""

_LINKED = re.compile("&(rule|cut)=([a-z,]+)")


def document_of(raw: bytes, name: str, reader: Reader | None = None) -> dict[str, Any]:
    """Return what the page is told of a file's bytes, by "kind": a picture, a board or a recording.

    A reader that has read before does not load its skins again.
    """
    if declared_size(raw) is not None:
        return picture_document(decode(raw, name), name, reader)
    if raw.startswith(b"PK\x03\x04"):
        return _bundle_document(raw, name)
    if len(raw) > LARGEST_TEXT:
        raise RequestError(f'"{name}" is neither a picture nor a recording, and too large for a board')
    try:
        text = decoded(raw)
    except UnicodeDecodeError as error:
        raise RequestError(f'"{name}" is neither a picture nor a recording nor a text') from error
    if text.lstrip().startswith("{"):
        return _manifest_document(raw, name)
    try:
        return board_document(text)
    except BoardError as error:
        raise RequestError(f'"{name}" is no board: {error}') from error


def picture_document(
    picture: Picture, name: str, reader: Reader | None = None, *, embed: bool = False
) -> dict[str, Any]:
    """Return what was read in a picture; with the picture itself when the page does not have it yet."""
    document: dict[str, Any] = {
        "kind": "picture", "name": name, "width": picture.shape[1], "height": picture.shape[0], "reading": None
    }  # fmt: skip
    if embed:
        document["picture"] = data_uri(picture)
    try:
        reading = (reader or Reader()).read(picture)
    except NoBoardError as error:
        return {**document, "told": [f"{error}; it must show the board whole and sharp, or be of a look that is known"]}
    board, told = _with_level(reading)
    told += [
        f"{len(reading.doubts)} tiles could not be read for certain; they are marked, and can be set by hand"
    ] if reading.doubts else []  # fmt: skip
    return {
        **document,
        "reading": reading_json(reading),
        "board": str(board),
        "rule": reading.kind.rule,
        "told": told,
    }


def board_document(text: str) -> dict[str, Any]:
    """Return the board in a text, or in a link to a position."""
    linked = _LINK.search(text)
    board, told = parse_pasted(text) if linked is None else (_linked_board(linked[1]), [])
    document = {"kind": "board", "board": str(bounded(board)), "told": told}
    if linked is not None:
        document |= {name: value.split(",") if name == "cut" else value for name, value in _LINKED.findall(linked[2])}
    return document


def _linked_board(text: str) -> Board:
    mines, _, rows = text.partition("/")
    cells = rows.translate(str.maketrans(LINK_SYMBOLS, SYMBOLS)).replace("/", "\n")
    return Board.parse(f"mines: {mines}\n{cells}" if mines else cells)


def folder_document(folder: Path) -> dict[str, Any]:
    """Return the first game recorded in a folder."""
    games = recordings_in(folder)
    told = [f"this is the first of {len(games)} recorded games"] if len(games) > 1 else []
    return {**_recording_document(load_recording(games[0])), "told": told}


def data_uri(picture: Picture) -> str:
    """Return a picture as an address that holds it."""
    return "data:image/png;base64," + base64.b64encode(cv2.imencode(".png", picture)[1].tobytes()).decode()


def _with_level(reading: Reading) -> tuple[Board, list[str]]:
    """Return the board with its mines: those the counter tells, or those of the level with this size."""
    board = reading.board
    if board.cut:
        return board, [f"the picture cuts the board off: it goes on beyond {', '.join(board.cut_sides)}"]
    if board.mines is not None:
        return board, []
    level = level_of_size(board.rows, board.cols)
    if level is None:
        return board, ["no counter could be read; set the number of mines for exact odds"]
    return replace(board, mines=level.mines), [f"no counter could be read; {level.name} has {level.mines} mines"]


def _bundle_document(raw: bytes, name: str) -> dict[str, Any]:
    with _as_file(raw, "recording.zip") as file, unpacked(file) as folder:
        return {"name": name, **folder_document(folder)}


def _manifest_document(raw: bytes, name: str) -> dict[str, Any]:
    """Return the game of a recording's own file; its pictures are not needed."""
    with _as_file(raw, MANIFEST) as file:
        return {"name": name, "told": [], **_recording_document(load_recording(file.parent))}


@contextmanager
def _as_file(raw: bytes, name: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="minebot-analyse-") as folder:
        file = Path(folder) / name
        write_whole(file, raw, lasting=False)
        yield file


def _recording_document(recording: Recording) -> dict[str, Any]:
    looks = [frame for frame in recording.frames if frame.reading is not None][:MOST_LOOKS]
    boards: list[dict[str, Any]] = []
    for frame in looks:
        reading, decision = frame.reading, frame.decision
        assert reading is not None
        board = str(decision.board if decision is not None else reading.board)
        if boards and boards[-1]["board"] == board:
            continue
        move = None if decision is None or decision.move is None else decision.move
        boards.append({"board": board, "at": frame.at, "move": move, "state": reading.state})
    if not boards:
        raise RequestError("the recording shows no board")
    return {"kind": "recording", "started": recording.started, "rule": recording.rule, "looks": boards}
