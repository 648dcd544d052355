"""Where a board ends: lines of tiles at its rim that are none of its, and lines beyond it that are.

Lines and junctions say where tiles are, but a bar beside a board, the noise of a JPEG or two bright rows of blanks at
the top leave a row or column too many or too few. Here the tiles themselves decide: promises a lattice at whose rims
tiles can be read, and beyond which there are none. A board of a usual size is left as it is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell, Cells
from bot.picture import Picture
from bot.vision.checks import enclosed_blanks
from bot.vision.find.fit import cut_by_rim
from bot.vision.find.occluded import ROWS_BY_COLS
from bot.vision.grid import FEWEST_TILES, STANDARD_SIZES, Grid, next_lines
from bot.vision.judge import Judge
from bot.vision.light import have_lines
from bot.vision.matcher import canonical_tiles

MOSTLY_UNREAD, MOSTLY_READ = 0.8, 0.7
"""The share of a rim's tiles that is unread where they are no tiles, and read in the line beside it, or beyond it."""

FEWEST_ROWS = 2
"""So few rows at least are left of a board: a dialog may hide all others."""

MOST_LINES = 4
"""So many lines at most are added on one side."""


FRAME, A_LINE = 0.3, 1.1
"""Tiles of a picture that are left beyond a board where at least its frame shows, and where a line of tiles may."""

FEWEST_LINES, SOME = 3, 0.15
"""So many lines, and such a share of a side's, that go on where a window in front hides the rest."""

BEYOND = (0.15, 0.4)
"""From where to where, in tiles beyond a board, lines between its tiles show if they go on; then counters begin."""

STEP, LINE = 0.03, 0.08
"""Tiles across which the edge of a line may be spread in an enlarged picture, and from its middle to where it ends."""

CLEARLY = 4.0
"""Grey levels by which lines between tiles are stronger than what is drawn on them."""


SMALLEST_SIDE = 9
"""Rows and columns of the smallest board that the Windows 7 game deals; fewer rows may be what a dialog leaves."""

SIDES = ("top", "right", "bottom", "left")

RINGS = ((0.12, 0.35), (0.6, 0.9))
"""From where to where, in tiles beyond a board, its frame and then its window's glass show one colour."""

LIKE_THE_FRAME = 50.0
"""Grey levels by which the frame above or below a board may differ from that on its left and right, any channel.

On 61 windows with the original artwork it differs by up to 43, and a dialog's grey of 240 would by 62 and more.
"""


ALONG, ACROSS = (0.2, 1.0), 0.7
"""From where to where within a board, in tiles from its side, its rim is compared, and how far beyond the side."""

RIM, ALIKE, AS_STRONG = (0.2, 0.45), 0.9, 0.5
"""Tiles within and beyond a board where its rim shows; how alike it is where it goes on, and how strong at least.

Of 106 windows with the original artwork those that are whole and behind no dialog are alike by 0.3 at most, two that
are parts by 0.99 and one by 0.85.
"""


def cut_sides(picture: Picture, grid: Grid, part: bool = False) -> frozenset[str]:
    """Return the sides at which a picture cuts a board off: nothing shows beyond its tiles there, or more tiles do.

    A board of a usual size is taken for whole, unless it is said to be a `part`; then it is cut on all sides if the
    picture cuts it on none.
    """
    if (grid.rows, grid.cols) in STANDARD_SIZES and not part:
        return frozenset()
    left, top, right, bottom = grid.box
    beyond = {"top": top, "right": picture.shape[1] - right, "bottom": picture.shape[0] - bottom, "left": left}
    cut = frozenset(
        side
        for side, room in beyond.items()
        if room < FRAME * grid.pitch or (room < A_LINE * grid.pitch and _lines_go_on(picture, grid, side))
    )
    return cut or frozenset(beyond) if part else cut


def unframed_sides(picture: Picture, grid: Grid, counted: bool, dialog: bool) -> frozenset[str]:
    """Return where a board has no frame although it must go on there: behind a dialog, or with fewer rows than dealt.

    Below a board there are counters: unless one was `counted`, that is not the lower end of such few rows. Where no
    dialog is in the midst of the board, something beside it may hide columns: then its upper or lower rim goes on.
    """
    passed = frozenset(side for side in ("left", "right") if not dialog and _rim_goes_on(picture, grid, side))
    if (grid.rows, grid.cols) in STANDARD_SIZES:
        return passed
    few = grid.rows < SMALLEST_SIDE <= grid.cols  # else a board as it is dealt, or one of somebody's own game
    unframed = {
        side
        for side in (SIDES if dialog else ())
        if not (counted and side == "bottom")
        and (_unlike_the_others(picture, grid, side) or _some_lines_go_on(picture, grid, side))
    }
    if few:
        unframed |= {
            side for side in ("top", "bottom") if any(_unlike_the_sides(picture, grid, side, r) for r in RINGS)
        }
        unframed |= set() if counted else {"bottom"}
    return passed | unframed


def _rim_goes_on(picture: Picture, grid: Grid, side: str) -> bool:
    """Whether the pixels across the upper or the lower rim, just beyond a side, are those just within it."""
    pitch, (left, top, right, bottom) = grid.pitch, grid.box
    near, far = ALONG
    within = (
        (left + near * pitch, left + far * pitch) if side == "left" else (right - far * pitch, right - near * pitch)
    )
    away = (far + ACROSS) * pitch * (-1 if side == "left" else 1)
    outside = within[0] + away, within[1] + away
    if outside[0] < 0 or outside[1] > picture.shape[1]:
        return False
    for first, last in (
        (top - RIM[1] * pitch, top + RIM[0] * pitch),
        (bottom - RIM[0] * pitch, bottom + RIM[1] * pitch),
    ):
        if first < 0 or last > len(picture):
            continue
        rim = picture[round(first) : round(last)]
        one, other = (rim[:, int(a) : int(b)].mean(axis=1) for a, b in (within, outside))
        one, other = one - one.mean(axis=0), other - other.mean(axis=0)
        strength, strength_there = float(np.linalg.norm(one)), float(np.linalg.norm(other))
        if strength_there > AS_STRONG * strength > 0 and (one * other).sum() > ALIKE * strength * strength_there:
            return True
    return False


def _unlike_the_others(picture: Picture, grid: Grid, side: str) -> bool:
    """Whether what lies beside a board has another colour than what lies beside most of its other sides."""
    colour = _beyond(picture, grid, side, RINGS[0])
    known = [frame for other in SIDES if other != side and (frame := _beyond(picture, grid, other, RINGS[0])).size]
    return bool(colour.size and known) and float(abs(colour - np.median(known, axis=0)).max()) > LIKE_THE_FRAME


def _beyond(picture: Picture, grid: Grid, side: str, ring: tuple[float, float]) -> NDArray[np.float64]:
    """Return the middle colour of what lies beside a board, shape (3,), or nothing, shape (0,), outside the picture."""
    left, top, right, bottom = (round(edge) for edge in grid.box)
    near, far = (max(least, round(part * grid.pitch)) for least, part in zip((2, 4), ring, strict=True))
    rows, cols = slice(max(0, top), bottom), slice(max(0, left), right)
    strip = {
        "top": picture[max(0, top - far) : max(0, top - near), cols],
        "right": picture[rows, right + near : right + far],
        "bottom": picture[bottom + near : bottom + far, cols],
        "left": picture[rows, max(0, left - far) : max(0, left - near)],
    }[side]
    return np.median(strip.reshape(-1, 3), axis=0) if strip.size else np.empty(0)


def _unlike_the_sides(picture: Picture, grid: Grid, side: str, ring: tuple[float, float]) -> bool:
    """Whether what lies above or below a board has another colour than what lies left and right of it."""
    colour = _beyond(picture, grid, side, ring)
    if ring == RINGS[0] and colour.size and (colour >= picture.max(axis=(0, 1))).all():
        return True  # white, as far as too much light lets tell: a window, and no frame
    known = [frame for other in ("left", "right") if (frame := _beyond(picture, grid, other, ring)).size]
    return bool(colour.size and known) and float(abs(colour - np.mean(known, axis=0)).max()) > LIKE_THE_FRAME


def _lines_go_on(picture: Picture, grid: Grid, side: str) -> bool:
    """Whether the lines between the tiles of a board go on beyond one of its sides."""
    steps = _steps_beyond(picture, grid, side)
    if steps is None:
        return True  # the rim of the picture is the rim of the board
    on_lines, between = steps
    return bool(np.median(on_lines) > np.median(between) + CLEARLY)


def _some_lines_go_on(picture: Picture, grid: Grid, side: str) -> bool:
    """Whether some lines between tiles go on for a tile beyond one of a board's sides, as beside a window in front."""
    steps = _steps_beyond(picture, grid, side)
    if steps is None:
        return False
    on_lines, between = steps
    return bool(np.count_nonzero(on_lines > between + 2 * CLEARLY) >= max(FEWEST_LINES, SOME * len(on_lines)))


def _steps_beyond(picture: Picture, grid: Grid, side: str) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Return the steps of light beyond a side on the lines between tiles and between those; None where nothing is."""
    upright = side in ("left", "right")
    near, far = (grid.box[0], grid.box[2]) if upright else (grid.box[1], grid.box[3])
    start, pitch, count = (grid.top, grid.pitch_y, grid.rows) if upright else (grid.left, grid.pitch_x, grid.cols)
    light = picture.max(axis=2) if upright else picture.max(axis=2).T
    gap, reach = (max(least, part * pitch) for least, part in zip((2.0, 4.0), BEYOND, strict=True))
    first, last = (near - reach, near - gap) if side in ("left", "top") else (far + gap + 1, far + reach)
    strip = light[:, max(0, int(first)) : max(0, int(last))]
    if strip.shape[1] < 2:
        return None
    shades, apart, wide = strip.mean(axis=1), max(1, round(STEP * pitch)), max(2, round(LINE * pitch))
    steps = np.zeros(len(shades))
    steps[apart:] = np.abs(shades[apart:] - shades[:-apart])
    lines = np.rint(start + np.arange(1, count) * pitch).astype(int)[:, None] + np.arange(-wide, wide + apart + 1)

    def strongest(places: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(steps[np.clip(places, 1, len(steps) - 1)].max(axis=1))

    return strongest(lines), strongest(lines + round(pitch / 2))


def trimmed(picture: Picture, cells: Cells, grid: Grid, lined: bool, taken: bool = False) -> Grid:
    """Return the lattice without lines at its rims of which hardly a tile could be read, next to one that could.

    What is plain and bright beside covered tiles is none: a blank would have opened them. Neither is, if tiles are
    known to be `lined`, what has no lines between it; nor, with a skin `taken` from a game, a frame of bevels like the
    covered tiles' own.
    """
    unread = (cells == Cell.UNREAD) | enclosed_blanks(cells)
    while (grid.rows, grid.cols) not in STANDARD_SIZES:
        foreign = (
            _is_foreign(np.rot90(unread, side), side)
            or (np.rot90(unread, side)[0].mean() >= MOSTLY_UNREAD and _ends_before(picture, grid, side))
            or _spoils(cells, grid, side)
            or (lined and _lacks_lines(picture, cells, grid, side))
            or (taken and _is_covered(cells, side) and _ends_before(picture, grid, side))
            for side in range(4)
        )
        side = next((side for side, holds in enumerate(foreign) if holds), None)
        if side is None:
            break
        grid = _without(grid, side)
        unread, cells = (np.rot90(np.rot90(each, side)[1:], -side) for each in (unread, cells))
    return grid


def extended(picture: Picture, grid: Grid, judge: Judge) -> Grid:
    """Return the lattice with the lines beyond its rims whose tiles can be read, and have lines around them."""
    for _ in range(4 * MOST_LINES):
        if (grid.rows, grid.cols) in STANDARD_SIZES:
            break
        beyond = (larger for larger, line in next_lines(grid) if not any(cut_by_rim(line, picture.shape)))
        longer = next((larger for larger in beyond if _goes_on(picture, grid, larger, judge)), None)
        if longer is None:
            break
        grid = longer
    return grid


def widened(picture: Picture, grid: Grid, judge: Judge) -> Grid:
    """Return the lattice as wide as a level's board, if one row goes on so far: a window may hide all others there."""
    for cols in sorted(ROWS_BY_COLS):
        added = cols - grid.cols
        if added < FEWEST_LINES or grid.cols in ROWS_BY_COLS:
            continue
        for before in (0, added):
            wider = replace(grid, left=grid.left - before * grid.pitch_x, cols=cols)
            beyond = replace(wider, left=wider.left - grid.pitch_x, cols=cols + 2)
            if wider.left < 0 or wider.box[2] > picture.shape[1]:
                continue
            tiles = canonical_tiles(picture, beyond)
            read = have_lines(tiles) & (judge.at_sight(tiles) != Cell.UNREAD)
            rows = read.reshape(beyond.rows, beyond.cols)
            new = rows[:, 1 : 1 + added] if before else rows[:, -1 - added : -1]
            if new.mean(axis=1).max() >= MOSTLY_READ and not rows[:, 0 if before else -1].any():
                return wider
    return grid


def _goes_on(picture: Picture, grid: Grid, larger: Grid, judge: Judge) -> bool:
    """Whether a lattice that is larger by one line than a board has tiles on that line, which fit those beside it."""
    tiles = canonical_tiles(picture, larger)
    cells = np.where(have_lines(tiles), judge.at_sight(tiles), Cell.UNREAD).reshape(larger.rows, larger.cols)
    side = (larger.top < grid.top, larger.cols > grid.cols and larger.left == grid.left, larger.rows > grid.rows)
    up = next((number for number, holds in enumerate(side) if holds), 3)
    read = (cells != Cell.UNREAD) & ~enclosed_blanks(cells)
    return bool(np.rot90(read, up)[0].mean() >= MOSTLY_READ) and _lines_go_on(picture, grid, SIDES[up])


def _is_foreign(unread: NDArray[np.bool_], side: int) -> bool:
    """Whether the first line is none of the board's; on the left and right, where no dialog hides all, nor are more."""
    fewest = FEWEST_TILES if side in (1, 3) else FEWEST_ROWS
    if len(unread) <= fewest or unread.shape[1] < FEWEST_TILES:
        return False
    share = unread.mean(axis=1)
    last = int(np.argmax(share < MOSTLY_UNREAD)) if side in (1, 3) else 1
    return bool(share[0] >= MOSTLY_UNREAD and share[last] <= 1 - MOSTLY_READ)


def _ends_before(picture: Picture, grid: Grid, side: int) -> bool:
    """Whether the lines between tiles of the second line from a rim do not go on between those of the first."""
    if (grid.rows, grid.cols)[side % 2] <= FEWEST_ROWS:
        return False
    one = _without(grid, side)
    return _lines_go_on(picture, _without(one, side), SIDES[side]) and not _lines_go_on(picture, one, SIDES[side])


def _is_covered(cells: Cells, side: int) -> bool:
    """Whether nearly all tiles of the first line look covered."""
    return bool((np.rot90(cells, side)[0] == Cell.COVERED).mean() >= MOSTLY_READ)


def _lacks_lines(picture: Picture, cells: Cells, grid: Grid, side: int) -> bool:
    """Whether a row at a rim was read and yet has hardly a line between tiles: it is scenery above or below the frame.

    On the left and right, where notifications hide lines, scenery was never read as tiles.
    """
    if side in (1, 3) or len(cells) <= FEWEST_ROWS:
        return False
    steps = _steps_beyond(picture, _without(grid, side), SIDES[side])
    read = (cells[0], cells[:, -1], cells[-1], cells[:, 0])[side] != Cell.UNREAD
    both = read[1:] & read[:-1]
    if steps is None or np.count_nonzero(both) < FEWEST_LINES:
        return False
    on_lines, between = steps
    return bool(np.median((on_lines - between)[both]) < CLEARLY)


def _spoils(cells: Cells, grid: Grid, side: int) -> bool:
    """Whether a line of blanks, many unread, alone keeps a board from a usual size: the glass around it looks so."""
    without, line = _without(grid, side), np.rot90(cells, side)[0]
    plain = (line == 0).any() and np.isin(line, (0, Cell.UNREAD)).all()
    usual = (without.rows, without.cols) in STANDARD_SIZES
    return bool(usual and plain and (line == Cell.UNREAD).mean() > 1 - MOSTLY_READ)


def _without(grid: Grid, side: int) -> Grid:
    """Return the lattice without its upper, right, lower or left line."""
    if side in (0, 2):
        return replace(grid, top=grid.top + (side == 0) * grid.pitch_y, rows=grid.rows - 1)
    return replace(grid, left=grid.left + (side == 3) * grid.pitch_x, cols=grid.cols - 1)
