"""How fast one thing is: the odds of a position, and the reading of an expert frame.

The odds are timed over a file of positions, beside the peer a Python user would pick, and as boards grow; on one core,
warm: compiled and allocated before the clock runs. Each position is solved a few times and its best time counts, since
everything that disturbs a measurement makes it slower; what the engine remembers of a position is wiped in between, so
that every solve is a first one.

The frame is the same yardstick on every machine, drawn by the clone: on a known grid, when nothing changed and when
every tile did; a whole desktop, cold, with finding the board; and the usual way, each template over the whole board.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.bench import BenchError, Onlooker, nobody
from bot.bench.read import read_the_usual_way, timed, usual_templates
from bot.board import Board, Cell, count_around
from bot.clone.game import Game
from bot.clone.painter import Design, Painter, paint_window
from bot.files import LARGEST_TEXT, decoded, read_whole
from bot.level import LEVELS, Level
from bot.picture import Picture
from bot.vision.reader import Reader
from bot.vision.skin import Skin

PASSES = 3

PEER_SECONDS = 60.0
"""So long the peer is timed; positions that it does not come to are left out of the comparison."""

GROWTH_SIZES = (9, 16, 24, 30, 50, 70, 100)
GROWTH_DENSITY = 0.2
GROWTH_POSITIONS = 20


@dataclass(frozen=True)
class OddsTimes:
    """Times of one odds map, in milliseconds."""

    positions: int
    mean_ms: float
    median_ms: float
    p99_ms: float
    max_ms: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> OddsTimes:
        """Sum up times given in seconds, at least one."""
        ms = np.array(seconds) * 1000
        mean, median, p99, most = ms.mean(), np.median(ms), np.percentile(ms, 99), ms.max()
        return cls(len(ms), float(mean), float(median), float(p99), float(most))


@dataclass(frozen=True)
class OddsSpeed:
    """Our times over a file; beside them, when known, the peer's over its first positions and ours over the same.

    `ratio` is how many times the peer's mean is ours. `max_error` is the largest deviation from the true odds, when a
    file of them lies beside the positions.
    """

    ours: OddsTimes
    peer: OddsTimes | None
    ratio: float | None
    max_error: float | None


@dataclass(frozen=True)
class Growth:
    """Times over positions of one size, and how many cells they hide on average."""

    size: int
    mines: int
    hidden: float
    timing: OddsTimes


def read_positions(path: Path) -> dict[str, Board]:
    """Return the boards of a position file by id. Raises `BenchError` naming the line that is wrong.

    Blocks of a header `@ id cols rows mines …` and one line a row.
    """
    try:
        lines = decoded(read_whole(path, LARGEST_TEXT)).splitlines()
    except OSError as error:
        raise BenchError(f'can\'t read "{path}": {error.strerror}') from error
    except UnicodeDecodeError as error:
        raise BenchError(f'can\'t read "{path}": it is not a text file') from error
    starts = [number for number, line in enumerate(lines) if line.startswith("@")]
    if not starts:
        raise BenchError(f'"{path}" is not a position file: no line begins with "@"')
    boards: dict[str, Board] = {}
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        try:
            _, name, *numbers = lines[start].split()
            cols, rows, mines = map(int, numbers[:3])
            board = Board(Board.parse("\n".join(lines[start + 1 : end])).cells, mines)
        except ValueError as error:
            raise BenchError(f'"{path}", line {start + 1}: {error}') from error
        if (board.rows, board.cols) != (rows, cols):
            raise BenchError(f'"{path}", line {start + 1}: says {rows}×{cols}, the board is {board.rows}×{board.cols}')
        boards[name] = board
    return boards


def bench_odds(path: Path, *, peer: bool = True, progress: Onlooker = nobody) -> OddsSpeed:
    """Time the odds of every position in a file, and the peer's if it is installed, for as long as it may take."""
    boards = read_positions(path)
    ours = time_odds(list(boards.values()), progress)
    theirs = _time_peer(list(boards.values()), PEER_SECONDS) if peer else []
    return OddsSpeed(
        ours=OddsTimes.of(ours),
        peer=OddsTimes.of(theirs) if theirs else None,
        ratio=sum(theirs) / sum(ours[: len(theirs)]) if theirs else None,
        max_error=_max_error(boards, path.with_suffix(".json")),
    )


def time_odds(boards: Sequence[Board], progress: Onlooker = nobody) -> list[float]:
    """Return the seconds that each board's odds take."""
    from bot.solver.odds import exact_odds

    best = np.full(len(boards), np.inf)
    another = Board.covered(1, 2, 1)
    largest = max(boards, key=lambda board: board.cells.size)
    exact_odds(largest)
    for turn in range(PASSES):
        exact_odds(another)  # a board of another width and density wipes what the engine remembers
        for number, board in enumerate(boards):
            start = perf_counter()
            exact_odds(board)
            best[number] = min(best[number], perf_counter() - start)
            progress(turn * len(boards) + number + 1, PASSES * len(boards))
    return [float(seconds) for seconds in best]


def bench_growth(progress: Onlooker = nobody) -> list[Growth]:
    """Time the odds of half-played square boards from small to large, all with the same share of mines."""
    table = []
    for done, size in enumerate(GROWTH_SIZES):
        level = Level(size, size, round(size * size * GROWTH_DENSITY))
        boards = [half_played(level, seed) for seed in range(GROWTH_POSITIONS)]
        hidden = float(np.mean([np.count_nonzero(board.hidden) for board in boards]))
        table.append(Growth(size, level.mines, hidden, OddsTimes.of(time_odds(boards))))
        progress(done + 1, len(GROWTH_SIZES))
    return table


def half_played(level: Level, seed: int) -> Board:
    """Return a position in which half of the cells without a mine are open.

    Opened from the middle as a player would: what is certain first, otherwise the covered cell least likely to be a
    mine among those that are none. Which one depends on the seed alone.
    """
    from bot.solver.odds import exact_odds

    game = Game(level, "open", seed)
    game.open(level.rows // 2, level.cols // 2)
    assert game.mines is not None
    while np.count_nonzero(~game.board().hidden) < (level.rows * level.cols - level.mines) / 2:
        odds = exact_odds(game.board())
        targets = np.argwhere(odds.safe)
        if not len(targets):
            # No mine is opened: those are out of the question here, whatever their odds.
            tempting = np.where(game.mines, np.inf, np.nan_to_num(odds.chance, nan=np.inf))
            targets = np.argwhere(tempting == tempting.min())[:1]
        for row, col in targets.tolist():
            game.open(row, col)
    return game.board()


def _time_peer(boards: Sequence[Board], budget: float) -> list[float]:
    """Return the seconds ms-toollib takes for each board, until the budget is used up; nothing if not installed."""
    try:
        from ms_toollib import cal_probability_onboard
    except ImportError:
        return []
    times: list[float] = []
    for board in boards:
        # It writes covered as 10 and takes lists; making them is not on its clock.
        cells = np.where(board.hidden, 10, board.cells).tolist()
        best = np.inf
        for _ in range(PASSES):
            start = perf_counter()
            cal_probability_onboard(cells, float(board.mines or 0))
            took = perf_counter() - start
            best = min(best, took)
            budget -= took
        times.append(best)
        if budget < 0:
            break
    return times


def _max_error(boards: dict[str, Board], path: Path) -> float | None:
    """Return the largest deviation from the true odds in a JSON file, or None when there is no such file."""
    from bot.solver.odds import exact_odds

    if not path.exists():
        return None
    errors = []
    for name, truth in _truths(path):
        if name in boards:
            chances = exact_odds(boards[name]).chance[boards[name].hidden]
            if truth.shape != chances.shape or not np.isfinite(truth).all():
                raise BenchError(f'"{path}": "{name}" has {chances.size} hidden cells, whose odds these are not')
            errors.append(float(np.abs(chances - truth).max(initial=0.0)))
    if not errors:
        raise BenchError(f'"{path}" holds the true odds of none of these positions')
    return max(errors)


def _truths(path: Path) -> Iterator[tuple[str, NDArray[np.float64]]]:
    try:
        for position in json.loads(path.read_text(encoding="utf-8"))["positions"]:
            yield position["id"], np.array(position["mine_prob"], dtype=np.float64)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BenchError(f'"{path}" does not hold true odds: {error}') from error


FRAME_PASSES = 30
DESKTOP = (1080, 1920)


@dataclass(frozen=True)
class FrameSpeed:
    """Milliseconds for an expert frame at one size of tiles, the best of many passes."""

    pitch: float
    tiles: int
    same_ms: float
    all_ms: float
    desktop_ms: float
    usual_ms: float

    @property
    def ratio(self) -> float:
        """How many times as long the usual way takes for all tiles."""
        return self.usual_ms / self.all_ms


def frame_speed(pitch: float = 18.0, passes: int = FRAME_PASSES) -> FrameSpeed:
    """Measure reading at one pitch, with the skin known but for the desktop, where it is found too."""
    level, skin = LEVELS["expert"], Skin.load("win7")
    painter = Painter(level.rows, level.cols, Design(pitch=pitch))
    frame = painter.paint(_midgame(level), seconds=99).copy()
    frames = [frame, np.asarray(frame ^ 3, dtype=np.uint8)]  # every pixel differs, so every tile is read again
    reader = Reader(skin)
    grid = reader.read(frames[0]).grid
    turns = iter(frames[::-1] * passes)
    all_ms, _ = timed(lambda: reader.read(next(turns), grid), 2 * passes)
    same_ms, _ = timed(lambda: reader.read(frame, grid), passes)
    desktop = _desktop(paint_window(frame))
    desktop_ms, _ = timed(lambda: Reader().read(desktop), passes)
    templates = usual_templates(skin, grid)
    usual_ms, _ = timed(lambda: read_the_usual_way(frame, grid, templates), max(1, passes // 10))
    return FrameSpeed(pitch, level.rows * level.cols, same_ms, all_ms, desktop_ms, usual_ms)


def _midgame(level: Level) -> Board:
    """Return a board half way through a game: its larger part open, most mines flagged."""
    random = np.random.default_rng(1)
    mines = random.permutation(level.rows * level.cols).reshape(level.rows, level.cols) < level.mines
    seen = random.random(mines.shape) < 0.7
    for _ in range(max(mines.shape)):  # a blank opens what is around it
        seen |= count_around(seen & ~mines & (count_around(mines) == 0)) > 0
    cells = np.where(mines, Cell.FLAG, count_around(mines))
    return Board(np.where(seen, cells, Cell.COVERED).astype(np.uint8), level.mines)


def _desktop(window: Picture) -> Picture:
    """Return a screen with a few windows of text and the game's in front."""
    height, width = DESKTOP
    shade = np.linspace((150, 100, 40), (90, 60, 20), height).astype(np.uint8)
    screen: Picture = np.ascontiguousarray(np.broadcast_to(shade[:, None], (height, width, 3)))
    for left, top in ((60, 40), (700, 120), (1300, 60), (200, 600), (1200, 560)):
        screen[top : top + 420, left : left + 560] = 248
        for line in range(18):
            place = (left + 12, top + 30 + 22 * line)
            text = "for row in range(rows): total += board[row].count(9)"
            cv2.putText(screen, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, (40, 40, 40), 1, cv2.LINE_AA)
    left, top = (width - window.shape[1]) // 2, (height - window.shape[0]) // 2
    screen[top : top + window.shape[0], left : left + window.shape[1]] = window
    return screen
