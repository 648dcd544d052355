"""Which values can be trusted: from matches to verdicts.

Promises for every tile of a board a value that is certain, or `Cell.UNREAD` with the best guess. It looks up to three
times. At first sight all tiles are matched at once. Tiles read for certain then show how this picture differs from the
drawings of the skin (another font, a coarse palette, a blur), and the rest is matched again with that difference taken
off. What is still unclear is looked at closer, at a larger size. Knows nothing of counters or windows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell, count_around
from bot.picture import Picture
from bot.vision.closer import CloserLook, closer_look_for
from bot.vision.lattice import Grid
from bot.vision.matcher import Floats, Matches, Tiles, inner, matcher_for
from bot.vision.rules import enclosed_blanks, starved_numbers
from bot.vision.skin import PLAIN, Skin
from bot.vision.strangers import Strangers

FIRM = 0.5
"""A margin so large that no rule of the game makes a tile doubtful: then it is the picture that is odd."""

FIRM_BLANK = 1.5
"""The same for blanks, which differ from other tiles by far but where a palette is poor."""

FEWEST_FIGURES = 3
"""A closer look compares a figure with others: with fewer in the board's theme it could only ever say the same."""

NO_LINE = 60.0
"""Grey levels by which a side of a tile is brighter than its template's where its line is hidden; else it is 25."""

MOST_CLOSER_LOOKS = 200
"""More unclear tiles than this are not a few hard cases but another skin, and no closer look would help."""


@dataclass(frozen=True)
class Verdicts:
    """What tiles show, each array of shape (n,): the value if certain, the best guess and how clear it is."""

    values: NDArray[np.uint8]  # `Cell.UNREAD` when not certain
    guesses: NDArray[np.uint8]
    margins: Floats

    def updated(self, where: NDArray[np.intp], newer: Verdicts) -> Verdicts:
        """Return these verdicts with those at some places replaced."""
        merged = Verdicts(self.values.copy(), self.guesses.copy(), self.margins.copy())
        merged.values[where], merged.guesses[where], merged.margins[where] = newer.values, newer.guesses, newer.margins
        return merged


@dataclass(frozen=True)
class _Tuning:
    """How tiles in this picture differ from the skin's drawings."""

    shift: Floats  # (templates, pixels): what to take off a tile that is nearest to a template
    known: NDArray[np.bool_]  # (templates,): whether enough tiles were seen to know it
    plain_spread: NDArray[np.float64]  # how far a blank and a covered tile may then be from its template, (2,)


class Judge:
    """Reads the tiles of one board, of one theme. Remembers how they differ from the skin's drawings.

    `strict` is for pictures that something was done to: a plain tile that leaves doubt is looked at closer then,
    whatever the second match says, since a faint figure may have become fainter.
    """

    def __init__(self, skin: Skin, theme: str | None, strict: bool = False) -> None:
        self.skin = skin
        self.strict = strict
        self._matcher = matcher_for(skin, theme)
        self._closer: CloserLook | None = None
        self._tuning: _Tuning | None = None
        self._strangers = Strangers(skin)

    def judge(self, picture: Picture, grid: Grid, tiles: Tiles, chosen: NDArray[np.intp]) -> Verdicts:
        """Return verdicts on the chosen of a board's canonical tiles; `tiles` has them all, in reading order."""
        matches = self._matcher.match(tiles[chosen])
        sure = certain_at_sight(matches)
        values = np.where(sure, matches.best, Cell.UNREAD).astype(np.uint8)
        verdicts = Verdicts(values, matches.best.copy(), matches.margin.copy())
        perhaps_a_tile = tilelike(matches) | (matches.rim[:, 1] <= np.where(_figure(matches), 125, 120))
        unclear = np.flatnonzero(~sure & perhaps_a_tile)
        if len(unclear):
            if self._tuning is None:
                self._tune(tiles)
            again = self._matcher.match(tiles[chosen[unclear]], self._shift(matches, unclear))
            self._judge_again(picture, grid, chosen, unclear, again, matches.second[unclear], verdicts)
        if self.skin.tolerance is not None:
            verdicts.values[self._strangers.among(picture, grid, chosen, verdicts.values)] = Cell.UNREAD
        return verdicts

    def _judge_again(
        self,
        picture: Picture,
        grid: Grid,
        chosen: NDArray[np.intp],
        unclear: NDArray[np.intp],
        again: Matches,
        rivals: NDArray[np.uint8],
        verdicts: Verdicts,
    ) -> None:
        """Enter what a second match found of the unclear tiles, and a closer look of those that it left unclear.

        `rivals`, shape (unclear,), are the next values of the first match.
        """
        assert self._tuning is not None
        sure = certain_at_sight(again, off_colour=15)
        if self.strict:
            sure &= _figure(again) | (again.lean >= PLAINLY) & (again.second == rivals)
        verdicts.guesses[unclear], verdicts.margins[unclear] = again.best, again.margin
        verdicts.values[unclear[sure]] = again.best[sure]
        if np.count_nonzero(~sure) > MOST_CLOSER_LOOKS or self._matcher.figures < FEWEST_FIGURES:
            return
        for index in np.flatnonzero(~sure).tolist():
            where = unclear[index]
            figure, likeness, lead, clear = self._look_closer(picture, grid, int(chosen[where]), again, index)
            plain = bool((again.plain_distance[index] <= self._tuning.plain_spread).any())
            if plain and _plain_after_all(again, index, figure, likeness):
                verdicts.values[where] = again.best[index]
                continue
            if not plain or likeness > 0.7:
                verdicts.guesses[where], verdicts.margins[where] = figure, lead
            agrees = again.best[index] == figure and _confirmed(likeness, lead, float(again.margin[index]), plain)
            if clear and (agrees or _certain(likeness, lead, plain)):
                verdicts.values[where] = figure

    def _look_closer(
        self, picture: Picture, grid: Grid, place: int, again: Matches, index: int
    ) -> tuple[int, float, float, bool]:
        """Return the figure that a tile is most like, how much, by how much more than any other, and if it is clear.

        `place` is the tile's number in reading order, `index` that of its match. Of two figures that differ by their
        colour alone, it may be clear that it is one of them and not which.
        """
        closer = self._closer_look()
        likeness = closer.likeness(picture, grid, *divmod(place, grid.cols))
        third, second, first = np.argsort(likeness)[-3:]
        figure, lead, clear = int(closer.values[first]), float(likeness[first] - likeness[second]), True
        if {figure, int(closer.values[second])} == {int(again.best[index]), int(again.second[index])} in ALIKE:
            # That it is one of the two is told by shape, which of them by what the match leans to.
            clear = bool(again.lean[index] >= LEAST_LEAN)
            figure, lead = int(again.best[index]), float(likeness[first] - likeness[third])
            lead = lead if likeness[first] >= LIKE_A_MINE else 0.0
        return figure, float(likeness[first]), lead, clear

    def at_sight(self, tiles: Tiles) -> NDArray[np.uint8]:
        """Return what canonical tiles show at first sight, unread where that leaves doubt."""
        matches = self._matcher.match(tiles)
        return np.where(certain_at_sight(matches), matches.best, Cell.UNREAD).astype(np.uint8)

    def lack_lines(self, tiles: Tiles) -> NDArray[np.bool_]:
        """Return which canonical tiles have a side without the dark line that their template has there; shape (n,)."""
        return np.asarray(self._matcher.match(tiles).rim[:, 0] > NO_LINE)

    def finds_relief(self, tiles: Tiles, verdicts: Verdicts) -> bool:
        """Whether covered tiles have the gloss or bevel of the skin's, as squares of a flat colour have not."""
        alike = np.flatnonzero(verdicts.values == Cell.COVERED)
        if len(alike) < 4:
            return True
        usual = inner(tiles[alike]).mean(axis=0)
        drawn = self._matcher.templates[self._matcher.values == Cell.COVERED]
        glossy = [template for template in drawn if template.reshape(-1, 3).std(axis=0).max() > 4]
        return not glossy or max(_correlation(usual, template) for template in glossy) > 0.5

    def doubt_rule_breakers(self, picture: Picture, grid: Grid, verdicts: Verdicts) -> Verdicts:
        """Return the verdicts with tiles doubted that break the rules of the game, unless a closer look confirms them.

        A number with too few cells around that could hold its mines is misread, or one of its neighbours is. A blank
        beside closed tiles may be one of them, where colours are poor: it has no figure to look at closer.
        """
        starved = starved_numbers(verdicts.values.reshape(grid.rows, grid.cols))
        verdicts = self._without_enclosed_blanks(grid, verdicts)
        suspects = (starved | (count_around(starved) > 0)).ravel()
        suspects &= (verdicts.margins < FIRM) & (verdicts.values <= 8)
        if not suspects.any():
            return verdicts
        doubted = replace(verdicts, values=verdicts.values.copy())
        if self._matcher.figures < FEWEST_FIGURES:
            doubted.values[suspects] = Cell.UNREAD
            return doubted
        closer = self._closer_look()
        for index in np.flatnonzero(suspects).tolist():
            likeness = closer.likeness(picture, grid, *divmod(index, grid.cols))
            second, first = np.argsort(likeness)[-2:]
            same, lead = closer.values[first] == verdicts.values[index], likeness[first] - likeness[second]
            if not (same and likeness[first] >= LEAST_LIKENESS and lead >= LEAST_LEAD):
                doubted.values[index] = Cell.UNREAD
        return doubted

    def _without_enclosed_blanks(self, grid: Grid, verdicts: Verdicts) -> Verdicts:
        """Return the verdicts with blanks doubted beside tiles that are closed; under strictness beside doubts too."""
        while True:
            cells = verdicts.values.reshape(grid.rows, grid.cols)
            unlikely = enclosed_blanks(cells, unread=self.strict).ravel() & (verdicts.margins < FIRM_BLANK)
            if not unlikely.any():
                return verdicts
            verdicts = replace(verdicts, values=np.where(unlikely, Cell.UNREAD, verdicts.values).astype(np.uint8))

    def _closer_look(self) -> CloserLook:
        if self._closer is None:
            self._closer = closer_look_for(self.skin, self._matcher.theme)
        return self._closer

    def _tune(self, tiles: Tiles) -> None:
        """Learn the usual difference between the tiles in this picture and their templates.

        Covered tiles are many and alike: what most of those nearest to a template have in common is how it looks here.
        Others teach only when read for certain; a digit that fades in on a cover is corrected as the cover is.
        """
        matcher = self._matcher
        matches = matcher.match(tiles)
        sure = certain_at_sight(matches)
        plain = (matches.best == Cell.COVERED) & tilelike(matches) & (matches.distance < 20)
        plain &= matches.relief >= LEAST_RELIEF
        teaches = np.flatnonzero(plain | sure & (matches.margin >= 0.2) & (tilelike(matches) | _figure(matches)))
        nearest = matches.template[teaches]
        residual = inner(tiles[teaches]) - matcher.templates[nearest]
        tuning, known = np.zeros_like(matcher.templates), np.zeros(len(matcher.values), dtype=np.bool_)
        for template in np.flatnonzero(np.bincount(nearest, minlength=len(known)) >= 3):
            alike = residual[nearest == template]
            tuning[template], known[template] = np.median(alike[:: 1 + len(alike) // 32], axis=0), True
        covers, seen = matcher.values == Cell.COVERED, matcher.values[nearest] == Cell.COVERED
        if np.count_nonzero(seen) >= 2:
            usual = np.median(residual[seen][:: 1 + np.count_nonzero(seen) // 32], axis=0)
            tuning[covers & ~known], known[covers] = usual, True
        drawn_on_cover = (matcher.values != Cell.COVERED) & (matcher.values[matcher.ground] == Cell.COVERED)
        faint = np.flatnonzero(drawn_on_cover & (matcher.values <= 8))
        tuning[faint], known[faint] = tuning[matcher.ground[faint]], known[matcher.ground[faint]]
        spread = []
        for value in PLAIN:
            usual = np.flatnonzero((matches.best[teaches] == value) & known[nearest] & sure[teaches])
            if len(usual) == 0:
                spread.append(14.0)
                continue
            off = matcher.match(tiles[teaches[usual]], tuning[nearest[usual]]).distance
            spread.append(max(5.0, 2 * float(np.quantile(off, 0.9))))
        self._tuning = _Tuning(tuning, known, np.array(spread))

    def _shift(self, matches: Matches, where: NDArray[np.intp]) -> Floats:
        """Return what to take off unclear tiles: the difference known of the nearest template or else of its rival.

        The same is taken off for both, so that the one which happens to be known gains nothing by it.
        """
        assert self._tuning is not None
        tuning, known = self._tuning.shift, self._tuning.known
        template, rival = matches.template[where], matches.rival[where]
        return np.asarray(tuning[np.where(known[template], template, rival)])


def _plain_after_all(matches: Matches, index: int, figure: int, likeness: float) -> bool:
    """Whether a tile nearest to a plain one is just that: what else it might be is not even what it is most alike."""
    plain = matches.best[index] in PLAIN and matches.rim[index, 0] <= 118
    leans = matches.lean[index] >= 0.25 and matches.margin[index] >= 0.1
    even = matches.best[index] != 0 or matches.relief[index] <= MOST_RELIEF
    return bool(plain and leans and even and figure != matches.second[index] and likeness < 0.7)


ALIKE = ({int(Cell.MINE), int(Cell.EXPLODED)}, {int(Cell.FLAG), int(Cell.WRONG_FLAG)})
"""Figures that differ by their colour alone, or by a thin cross."""

LEAST_LEAN = 0.4

LIKE_A_MINE = 0.7
"""The correlation from which on a tile is one of two such figures, whichever."""

PLAINLY = 0.75
"""How much a plain tile must lean to what it is, three quarters of the way from its rival, under strictness."""

LEAST_LIKENESS, LEAST_LEAD = 0.8, 0.1
"""A figure seen closer is certain when its correlation is at least so high, and so much higher than of any other."""


def _certain(likeness: float, lead: float, plain: bool) -> bool:
    """Whether a closer look alone is enough; where a plain tile is possible, only to a striking figure."""
    least_likeness, least_lead = (0.86, 0.18) if plain else (LEAST_LIKENESS, LEAST_LEAD)
    if not plain and likeness >= 0.88:
        least_lead = 0.07  # a flag and a crossed flag differ by no more than thin lines
    return likeness >= least_likeness and lead >= least_lead


def _confirmed(likeness: float, lead: float, margin: float, plain: bool) -> bool:
    """Whether a closer look confirms what the match had found less clearly."""
    if plain:
        return likeness >= LEAST_LIKENESS and lead >= 0.2 and margin >= 0.2
    return lead >= 0.05 and ((likeness >= LEAST_LIKENESS and margin >= 0.1) or (likeness >= 0.65 and margin >= 0.15))


def _correlation(one: Floats, other: Floats) -> float:
    """Return the normalised correlation of two tiles, brightness and tint aside."""
    first, second = (pixels.reshape(-1, 3) - pixels.reshape(-1, 3).mean(axis=0) for pixels in (one, other))
    return float((first * second).sum() / max(1e-6, float(np.linalg.norm(first) * np.linalg.norm(second))))


LEAST_RELIEF, MOST_RELIEF = 0.35, 2.3
"""How much the pixels of a covered tile must vary, and those of a blank may, where 1 is as in the skin's drawings."""


def certain_at_sight(matches: Matches, off_colour: float = 20) -> NDArray[np.bool_]:
    """Return which matches leave no doubt.

    Near a template the direction tells: towards it and not towards its rival. Farther away, as real fonts are from
    drawn ones, it must be nearer by far than the next; a plain tile has no font and is never so far. A strange side is
    forgiven only to a clear figure or an exact likeness.
    """
    clear = (matches.margin >= np.where(matches.distance > 24, 0.3, 0.15)) & (matches.lean >= 0.15)
    clear &= _figure(matches) | ((matches.margin >= 0.35) & (matches.distance < 18))
    near = (matches.lean >= 0.5) | (matches.lean >= 0.25) & (matches.margin >= 0.4)
    right = np.where(matches.distance < 14, near, clear & (matches.distance <= 46))
    right &= (matches.best != 0) | (
        matches.colour <= off_colour + 6 * (matches.distance < 10)
    )  # a blank is nothing but its colour
    # Part of a window may have the colour of a tile, or leave but a part of one: then it varies too little or too much.
    right &= (matches.best != Cell.COVERED) | (matches.relief >= LEAST_RELIEF)
    right &= (matches.best != 0) | (matches.relief <= MOST_RELIEF) | (matches.distance < 12)
    very_clear = (matches.margin >= 0.25) & _figure(matches) & (matches.rim[:, 1] <= 100)
    exact = (matches.distance < 7.5) & (matches.lean >= 0.6) & (matches.colour <= 16)
    exact &= matches.rim[:, 1] <= np.where(matches.colour <= 6, 120, np.where(matches.rim[:, 0] <= 118, 95, 10))
    return np.asarray(right & (tilelike(matches) | very_clear | exact))


def _figure(matches: Matches) -> NDArray[np.bool_]:
    return np.asarray((matches.best != 0) & (matches.best != Cell.COVERED))


def tilelike(matches: Matches) -> NDArray[np.bool_]:
    """Return which tiles have lines around them, at least nothing much brighter."""
    return np.asarray((matches.rim[:, 0] <= 118) & (matches.rim[:, 1] <= 85))
