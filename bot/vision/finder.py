"""The board in a picture: which lattice is one, in which skin and light, and how far it goes.

A spreadsheet is a lattice too, and so are keyboards and calendars. What tells a board is what its tiles show, each by
itself and together: they are tiles of a skin, not all blank, and the rules of the game hold. Every number that decides
it is here, with its reason. Of a board that a dialog hides nearly all of, the counters below are the proof. `find/`
finds lattices and their ends; nothing here remembers anything, so that one candidate leaves no trace on the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from bot.board import Cell, Cells
from bot.picture import Picture
from bot.vision.checks import hidden_block, starved_numbers
from bot.vision.choose import MOSTLY, Choice, Part, light_on, recognise, recognise_in_light, settle, take
from bot.vision.counter import COUNTERS_REACH, Counters, read_counters
from bot.vision.find.extent import extended, trimmed, widened
from bot.vision.find.faint import find_faint_grids, grow
from bot.vision.find.occluded import with_hidden_rows
from bot.vision.find.search import Effort, find_strips, search
from bot.vision.grid import FEWEST_TILES, Grid, snapped
from bot.vision.light import DAYLIGHT, Light
from bot.vision.passes import Look, look_at_tiles
from bot.vision.skin import Skin

MOST_LATTICES = 6
"""So many lattices, the largest of those found at once, are looked at as boards."""

MOST_TILES = 2_500
"""No lattice of more tiles is a board: fifty by fifty is more than any game deals, and a sheet may look like blanks."""

LEAST_SHARE = 0.3
"""The share of visible tiles that must look familiar for a lattice to be looked at as a board."""

OWN_PIXELS = 1.1
"""How much more a skin taken from a game's own pixels counts than a drawn one that explains as many tiles."""

FEWEST_CERTAIN = 8
"""With fewer certain tiles nothing can be said: a small crop of a board has more, and so has what a dialog leaves."""

LEAST_TOLD = 0.02
"""The share of certain tiles that are not blank, at least. With ten mines on the largest board it is far more; the
empty cells of a sheet look like blanks, and a few others like anything."""

MOST_STRAY, MOST_STRAY_IN_PART = 0.25, 1.0
"""Unread tiles that nothing hides, as a share of the certain ones: what is drawn over a board leaves more read.

Of a skin taken from a game, which need not know all of its tiles, as many may be unread as are certain."""

FEW_STARVED, MOST_STARVED = 3, 0.3
"""Numbers with too little room for their mines: so many, or such a share of all numbers, may be misread or mid-show."""

CLEARLY = 0.8
"""The share of the tiles that must be certain for a board to be no lattice that lies across the real one by chance."""

MOST_UNEXPLAINED = 0.03
"""The share of the tiles that may be unread for a search to be over."""


def is_game(cells: Cells, in_part: bool) -> bool:
    """Whether it can be a game: tiles are certain but for what a window hides, not all blank, and the rules hold.

    Known `in_part` is a game whose skin was taken from it: it need not know all tiles, but those it knows to the pixel.
    """
    unread = cells == Cell.UNREAD
    hidden = hidden_block(unread)
    hidden |= hidden_block(unread & ~hidden)  # beside a dialog there may be a notification
    certain = cells[~unread & ~hidden]
    if len(certain) < FEWEST_CERTAIN or np.count_nonzero(certain) <= LEAST_TOLD * len(certain):
        return False
    if np.count_nonzero(unread & ~hidden) > (MOST_STRAY_IN_PART if in_part else MOST_STRAY) * len(certain):
        return False
    if (certain == Cell.MINE).all():
        return False  # mines are shown at the end of a game, among tiles that were opened
    numbers = np.count_nonzero((certain >= 1) & (certain <= 8))
    return int(np.count_nonzero(starved_numbers(cells))) <= max(FEW_STARVED, MOST_STARVED * numbers)


def explains_most(cells: Cells) -> bool:
    """Whether so many tiles are certain that it is not worth while to look at the picture in another size."""
    return bool((cells != Cell.UNREAD).mean() >= CLEARLY)


def explains_nearly_all(cells: Cells) -> bool:
    """Whether hardly a tile is unread."""
    return bool((cells == Cell.UNREAD).mean() <= MOST_UNEXPLAINED)


@dataclass(frozen=True)
class Found:
    """A lattice that is a board in some skin, and what its tiles show, where they were looked at."""

    choice: Choice
    look: Look | None

    @property
    def cells(self) -> Cells:
        """What the tiles show, as rows of cells; all unread where they were not looked at."""
        size = self.choice.grid.rows, self.choice.grid.cols
        return np.full(size, Cell.UNREAD) if self.look is None else self.look.verdicts.values.reshape(size)


def find_board(picture: Picture, skins: list[Skin], effort: Effort) -> Found | None:
    """Return the skin, the lattice and the light that together explain most of the picture, or nothing.

    A skin taken from a game may be of a look with hardly a line in it, and then a longer search is worth its while:
    when a quick one has not explained all there is to see.
    """
    found: Found | None = None
    candidates: list[_Candidate] = []
    for grids in search(picture, effort):
        seen, likely = _board_among(picture, grids, skins, effort)
        candidates += likely
        found = max((each for each in (found, seen) if each is not None), key=_certain_tiles, default=None)
        if (found is not None and explains_most(found.cells)) or effort.spent:
            break
    taken = [skin for skin in skins if skin.tolerance is not None]
    if taken and not effort.spent and not (found is not None and _explains_all(picture, found)):
        faint = _candidates(picture, find_faint_grids(picture, effort), taken, effort)
        seen = _most_plausible(picture, [each for each in faint if each.share >= LEAST_SHARE], effort)
        found = max((each for each in (seen, found) if each is not None), key=_certain_tiles, default=None)
    return _behind_a_dialog(picture, candidates, skins, effort) if found is None else _with_exact_rims(picture, found)


def choose_skin(picture: Picture, grid: Grid, skins: list[Skin]) -> Choice:
    """Return the skin that explains most of a known lattice, and the light."""
    effort = Effort()
    candidates = _candidates(picture, [grid], skins, effort)
    if max(each.share for each in candidates) < MOSTLY:
        candidates = [each.in_its_light(effort) for each in candidates]
    skin = max(candidates, key=lambda each: each.familiar).skin
    return take(picture, grid, skin, light_on(picture, grid, skin))


@dataclass(frozen=True)
class _Candidate:
    """A lattice in a part of a picture, and a skin of which it may be a board: such a share of tiles looks familiar."""

    share: float
    light: Light
    skin: Skin
    grid: Grid
    part: Part

    def in_its_light(self, effort: Effort) -> _Candidate:
        """Return the candidate in the light that it is in."""
        if self.skin.tolerance is not None:
            return self  # it is of the light that it was taken in
        effort.looked()
        share, light = recognise_in_light(self.part.picture, self.grid, self.skin, self.share)
        return replace(self, share=share, light=light)

    @property
    def familiar(self) -> float:
        """How much of the picture it explains, in tiles."""
        return (1.0 if self.skin.tolerance is None else OWN_PIXELS) * self.share * self.grid.rows * self.grid.cols


def _candidates(picture: Picture, grids: list[Grid], skins: list[Skin], effort: Effort) -> list[_Candidate]:
    """Return the largest lattices with every skin, as they are in plain light."""
    found = []
    for grid in [grid for grid in grids if grid.rows * grid.cols <= MOST_TILES][:MOST_LATTICES]:
        part = Part.of(picture, grid)
        for skin in skins:
            effort.looked()
            exact = part.grid if skin.tolerance is None else snapped(part.grid)
            found.append(_Candidate(recognise(part.picture, exact, skin), DAYLIGHT, skin, exact, part))
    return found


def _explains_all(picture: Picture, found: Found) -> bool:
    """Whether there is nothing left that a longer search could find: hardly a tile unread, no more tiles around."""
    return explains_nearly_all(found.cells) and grow(picture, found.choice.grid) == found.choice.grid


def _certain_tiles(found: Found) -> int:
    return int(np.count_nonzero(found.cells != Cell.UNREAD))


def _board_among(
    picture: Picture, grids: list[Grid], skins: list[Skin], effort: Effort
) -> tuple[Found | None, list[_Candidate]]:
    """Return the board among some lattices, if one is, and all that may be one.

    Most boards are in plain light, and look familiar in it: then no other light is looked for.
    """
    plain = _candidates(picture, grids, skins, effort)
    found = _most_plausible(picture, [each for each in plain if each.share >= MOSTLY], effort)
    if found is not None and found.choice.light != DAYLIGHT:
        found = None  # tiles in another light must be put in place in it
    candidates = plain if found else [each.in_its_light(effort) for each in plain]
    likely = [each for each in candidates if each.share >= LEAST_SHARE]
    # A skin taken from a game knows one light, in which its candidates were tried just now.
    untried = [each for each in likely if each.skin.tolerance is None or each.share < MOSTLY]
    return found or _most_plausible(picture, untried, effort), likely


def _most_plausible(picture: Picture, candidates: list[_Candidate], effort: Effort) -> Found | None:
    """Return the first of the candidates, the most familiar before the others, that can be a game.

    At least one is tried; of a picture without a board, no more than are worth the effort.
    """
    for number, candidate in enumerate(sorted(candidates, key=lambda each: -each.familiar)):
        if number > 0 and effort.spent:
            break
        effort.tried(candidate.grid)
        choice = settle(picture, candidate.part, candidate.grid, candidate.skin, candidate.light)
        part, near = _around(picture, choice.grid)
        look = look_at_tiles(choice.light.undone(part), near, choice.judge)
        found = Found(choice, look)
        can_be = is_game(found.cells, in_part=choice.skin.tolerance is not None)
        if can_be and choice.judge.finds_relief(look.tiles, look.verdicts):
            return found
    return None


def _with_exact_rims(picture: Picture, found: Found) -> Found:
    """Return a board with lines of tiles at its rims taken off or added, as they, a dialog and the counters say."""
    choice, lit = found.choice, found.choice.light.undone(picture)
    lined = choice.skin.tolerance is None
    grid = trimmed(lit, found.cells, choice.grid, lined, taken=not lined)
    if choice.skin.counter is not None and choice.skin.counter.side == "below":
        wide = widened(lit, grid, choice.judge)
        whole = with_hidden_rows(lit, wide, read_counters(lit, wide, choice.skin.counter).in_sight)
        narrow = wide == grid != whole
        grid = trimmed(lit, _of_whole(found, grid, whole), whole, lined=False) if narrow else whole
    if grid == choice.grid and lined:
        grid = extended(lit, grid, choice.judge)
    return found if grid == choice.grid else Found(replace(choice, grid=grid), None)


def _of_whole(found: Found, grid: Grid, whole: Grid) -> Cells:
    """Return what the tiles show of a lattice that was found in part, with the rows that are hidden as covered."""
    was = found.choice.grid
    first, left = round((grid.top - was.top) / was.pitch_y), round((grid.left - was.left) / was.pitch_x)
    above = round((grid.top - whole.top) / whole.pitch_y)
    cells = np.full((whole.rows, whole.cols), Cell.COVERED, dtype=np.uint8)
    cells[above : above + grid.rows] = found.cells[first : first + grid.rows, left : left + grid.cols]
    return cells


def _behind_a_dialog(picture: Picture, candidates: list[_Candidate], skins: list[Skin], effort: Effort) -> Found | None:
    """Return a board that a dialog hides all but a strip of, when both counters below it prove that it is one."""
    below = [skin for skin in skins if skin.counter is not None and skin.counter.side == "below"]
    for grid in [*(each.part.restored(each.grid) for each in candidates), *find_strips(picture, effort)]:
        part, near = _around(picture, grid)
        for skin in below:
            effort.looked()
            for light in dict.fromkeys((DAYLIGHT, light_on(part, near, skin))):
                if not _shows_both(light.undone(part), near, skin):
                    continue
                whole = with_hidden_rows(light.undone(picture), grid, counted=True)
                if whole.rows >= FEWEST_TILES:  # of an unusual size it can't be told how many rows are hidden
                    return Found(replace(take(picture, grid, skin, light), grid=whole), None)
    return None


JUST_BELOW = 1.75
"""Tiles below a board within which both of its counters end: in the window of the Windows 7 game its rim is there."""


def _shows_both(picture: Picture, grid: Grid, skin: Skin) -> bool:
    """Whether both counters can be read just below: proof enough for a board that a dialog hides all but a strip of."""
    near = picture[: int(grid.box[3] + JUST_BELOW * grid.pitch)]
    counters = Counters() if skin.counter is None else read_counters(near, grid, skin.counter)
    return counters.mines_left is not None and counters.seconds is not None


ALIGNED = 60
"""Pixels, a multiple of most whole numbers by which large tiles are made smaller: they are the same wherever cut."""


def _around(picture: Picture, grid: Grid) -> tuple[Picture, Grid]:
    """Return the part of a picture that a lattice and its counters lie in, and the lattice as it lies there."""
    left, top, right, bottom = (int(edge) for edge in grid.box)
    reach = round((1 + COUNTERS_REACH) * grid.pitch)
    x, y = (max(0, edge - reach) // ALIGNED * ALIGNED for edge in (left, top))
    return picture[y : max(0, bottom + reach), x : max(0, right + reach)], grid.moved(-x, -y)
