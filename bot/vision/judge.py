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
from bot.vision.certainty import (
    COLOUR,
    COLOUR_AGAIN,
    LEAD,
    LEAST_RELIEF,
    LIKENESS,
    NEAR,
    UNLIKE,
    certain_at_sight,
    certain_by_likeness,
    confirmed,
    is_figure,
    perhaps_a_tile,
    plain_after_all,
    tilelike,
)
from bot.vision.checks import enclosed_blanks, starved_numbers
from bot.vision.correlate import WITNESS, Correlator, correlator_for
from bot.vision.doubt import odd
from bot.vision.grid import Grid
from bot.vision.matcher import Floats, Matches, Tiles, inner, matcher_for
from bot.vision.novelty import Novelty
from bot.vision.skin import PLAIN, Skin

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

USUAL, TEACHING = 20.0, 0.2
"""Grey levels up to which a covered tile, and the margin from which on any other, teaches how a picture differs."""

MOST_ODD = 0.25
"""The share of tiles held certain that may be odd; a picture with more is not of tiles as drawn, and teaches nothing.

Drawn pictures that were mostly misread had three fifths of them and more.
"""

MOST_TAUGHT = 0.32
"""How far what covers have in common may lead to a `?`: else it was `?` that taught how covers look.

On 390 windows with the original artwork, as they are, dimmed, bright, blurred and pale, it was 0.27 at most.
"""

FEWEST_ALIKE, ENOUGH = 3, 32
"""So many tiles of a kind are needed to know how it differs, and so many are enough."""

LEAST_SPREAD, UNKNOWN_SPREAD, SPREADS = 5.0, 14.0, 2
"""Grey levels that plain tiles may be off at least, and where none was seen; else so many times what most are off."""

FEWEST_COVERED, GLOSSY, LIKE_GLOSS = 4, 4.0, 0.5
"""Covered tiles that tell whether they have a gloss, the grey levels that it varies by, and how alike it must be."""


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
    whatever the second match says, since a faint figure may have become fainter. A light that no screen has tells that
    the light or the theme was mistaken: then nothing that is but its colour is known (`knows_plain`).
    """

    def __init__(self, skin: Skin, theme: str | None, strict: bool = False, knows_plain: bool = True) -> None:
        self.skin = skin
        self.strict = strict
        self.knows_plain = knows_plain
        # It was fitted to a drawn skin; what is novel to one taken from a game, `novelty.py` tells.
        self.has_veto = skin.tolerance is None
        self._matcher = matcher_for(skin, theme)
        self._kept_correlator: Correlator | None = None
        self._tuning: _Tuning | None = None
        self._novelty = Novelty(skin)

    def judge(self, picture: Picture, grid: Grid, tiles: Tiles, chosen: NDArray[np.intp]) -> Verdicts:
        """Return verdicts on the chosen of a board's canonical tiles; `tiles` has them all, in reading order."""
        matches = self.first_match(tiles[chosen])
        sure = self._sure(matches)
        values = np.where(sure, matches.best, Cell.UNREAD).astype(np.uint8)
        verdicts = Verdicts(values, matches.best.copy(), matches.margin.copy())
        unclear = np.flatnonzero(~sure & perhaps_a_tile(matches))
        if len(unclear):
            again = self.second_match(tiles, chosen[unclear], matches.only(unclear))
            self._judge_again(picture, grid, chosen, unclear, again, matches.second[unclear], verdicts)
        self._ask_second_witness(picture, grid, chosen, ~sure | (matches.distance > NEAR), verdicts)
        if self.skin.tolerance is not None:
            verdicts.values[self._novelty.among(picture, grid, chosen, verdicts.values)] = Cell.UNREAD
        return verdicts

    def first_match(self, tiles: Tiles) -> Matches:
        """Return what canonical tiles are nearest to."""
        return self._matcher.match(tiles)

    def second_match(self, tiles: Tiles, where: NDArray[np.intp], first: Matches) -> Matches:
        """Return what some of a board's tiles are nearest to with the usual difference taken off; `first` is theirs."""
        if self._tuning is None:
            self._tune(tiles)
        return self._matcher.match(tiles[where], self._shift(first))

    def _sure(self, matches: Matches, off_colour: float = COLOUR) -> NDArray[np.bool_]:
        """Return which matches are certain: the rules of thumb hold them so, and the veto does not object."""
        sure = certain_at_sight(matches, off_colour)
        held = np.flatnonzero(sure)
        sure[held] = ~self._odd(matches.only(held))
        return sure

    def _odd(self, matches: Matches) -> NDArray[np.bool_]:
        """Return which matches the fitted veto holds against."""
        return odd(matches) if self.has_veto else np.zeros(len(matches.best), dtype=np.bool_)

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
        sure = self._sure(again, COLOUR_AGAIN)
        if self.strict:
            sure &= is_figure(again) | (again.lean >= PLAINLY) & (again.second == rivals)
        verdicts.guesses[unclear], verdicts.margins[unclear] = again.best, again.margin
        verdicts.values[unclear[sure]] = again.best[sure]
        if np.count_nonzero(~sure) > MOST_CLOSER_LOOKS or self._matcher.figures < FEWEST_FIGURES:
            return
        for index in np.flatnonzero(~sure).tolist():
            where = unclear[index]
            figure, likeness, lead, clear = self._look_closer(picture, grid, int(chosen[where]), again, index)
            plain = bool((again.plain_distance[index] <= self._tuning.plain_spread).any())
            if plain and plain_after_all(again, index, figure, likeness):
                verdicts.values[where] = again.best[index]
                continue
            if not plain or likeness > UNLIKE:
                verdicts.guesses[where], verdicts.margins[where] = figure, lead
            agrees = again.best[index] == figure and confirmed(likeness, lead, float(again.margin[index]), plain)
            if clear and (agrees or certain_by_likeness(likeness, lead, plain)):
                verdicts.values[where] = figure

    def _ask_second_witness(
        self, picture: Picture, grid: Grid, chosen: NDArray[np.intp], which: NDArray[np.bool_], verdicts: Verdicts
    ) -> None:
        """Doubt those of some figures, unlike their template at first sight, whose shape is more like another's."""
        figures = which & np.isin(verdicts.values, (*PLAIN, Cell.UNREAD), invert=True)
        asked = np.flatnonzero(figures)
        if len(asked) == 0 or self.skin.tolerance is not None:
            return
        witness = correlator_for(self.skin, self._matcher.theme, WITNESS)
        other = witness.contradicted(picture, grid, chosen[asked], verdicts.values[asked])
        verdicts.values[asked[other]] = Cell.UNREAD

    def _look_closer(
        self, picture: Picture, grid: Grid, place: int, again: Matches, index: int
    ) -> tuple[int, float, float, bool]:
        """Return the figure that a tile is most like, how much, by how much more than any other, and if it is clear.

        `place` is the tile's number in reading order, `index` that of its match. Of two figures that differ by their
        colour alone, it may be clear that it is one of them and not which.
        """
        closer = self._correlator()
        likeness = closer.likeness(picture, grid, *divmod(place, grid.cols))
        third, second, first = np.argsort(likeness)[-3:]
        figure, lead, clear = int(closer.values[first]), float(likeness[first] - likeness[second]), True
        if {figure, int(closer.values[second])} == {int(again.best[index]), int(again.second[index])} in ALIKE:
            # That it is one of the two is told by shape; which of them, by shape too or by what the match leans to.
            same = figure == again.best[index] and likeness[first] >= LIKENESS and lead >= LEAD
            lean = float(again.lean[index])
            agree = figure == again.best[index] and lead / LEAD + lean / LEAST_LEAN >= BOTH
            clear = bool(same or agree or lean >= LEAST_LEAN)
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
        if len(alike) < FEWEST_COVERED:
            return True
        usual = inner(tiles[alike]).mean(axis=0)
        drawn = self._matcher.templates[self._matcher.values == Cell.COVERED]
        glossy = [template for template in drawn if template.reshape(-1, 3).std(axis=0).max() > GLOSSY]
        return not glossy or max(_correlation(usual, template) for template in glossy) > LIKE_GLOSS

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
        closer = self._correlator()
        for index in np.flatnonzero(suspects).tolist():
            likeness = closer.likeness(picture, grid, *divmod(index, grid.cols))
            second, first = np.argsort(likeness)[-2:]
            same, lead = closer.values[first] == verdicts.values[index], likeness[first] - likeness[second]
            if not (same and likeness[first] >= LIKENESS and lead >= LEAD):
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

    def _correlator(self) -> Correlator:
        if self._kept_correlator is None:
            self._kept_correlator = correlator_for(self.skin, self._matcher.theme)
        return self._kept_correlator

    def _tune(self, tiles: Tiles) -> None:
        """Learn the usual difference between the tiles in this picture and their templates.

        Covered tiles are many and alike: what most of those nearest to a template have in common is how it looks here.
        Others teach only when read for certain; a digit that fades in on a cover is corrected as the cover is.
        """
        matcher = self._matcher
        matches = matcher.match(tiles)
        held, odd_ones = certain_at_sight(matches), self._odd(matches)
        sure = held & ~odd_ones
        plain = (matches.best == Cell.COVERED) & tilelike(matches) & (matches.distance < USUAL)
        plain &= (matches.relief >= LEAST_RELIEF) & ~odd_ones
        teach = plain | sure & (matches.margin >= TEACHING) & (tilelike(matches) | is_figure(matches))
        if np.count_nonzero(held & odd_ones) > MOST_ODD * np.count_nonzero(held):
            teach[:] = False  # it is all something else
        teaches = np.flatnonzero(teach)
        nearest = matches.template[teaches]
        residual = inner(tiles[teaches]) - matcher.templates[nearest]
        tuning, known = np.zeros_like(matcher.templates), np.zeros(len(matcher.values), dtype=np.bool_)
        for template in np.flatnonzero(np.bincount(nearest, minlength=len(known)) >= FEWEST_ALIKE):
            alike = residual[nearest == template]
            tuning[template], known[template] = np.median(alike[:: 1 + len(alike) // ENOUGH], axis=0), True
        covers, seen = matcher.values == Cell.COVERED, matcher.values[nearest] == Cell.COVERED
        if np.count_nonzero(seen) >= 2:
            usual = np.median(residual[seen][:: 1 + np.count_nonzero(seen) // ENOUGH], axis=0)
            tuning[covers & ~known], known[covers] = usual, True
        figures = covers & (matcher.toward(tuning, Cell.QUESTION) > MOST_TAUGHT)
        tuning[figures], known[figures] = 0, False
        drawn_on_cover = (matcher.values != Cell.COVERED) & (matcher.values[matcher.ground] == Cell.COVERED)
        faint = np.flatnonzero(drawn_on_cover & (matcher.values <= 8))
        tuning[faint], known[faint] = tuning[matcher.ground[faint]], known[matcher.ground[faint]]
        spread = []
        for value in PLAIN:
            usual = np.flatnonzero((matches.best[teaches] == value) & known[nearest] & sure[teaches])
            if len(usual) == 0:
                spread.append(UNKNOWN_SPREAD)
                continue
            off = matcher.match(tiles[teaches[usual]], tuning[nearest[usual]]).distance
            spread.append(max(LEAST_SPREAD, SPREADS * float(np.quantile(off, 0.9))))
        self._tuning = _Tuning(tuning, known, np.array(spread))

    def _shift(self, matches: Matches) -> Floats:
        """Return what to take off tiles: the difference known of the nearest template or else of its rival.

        The same is taken off for both, so that the one which happens to be known gains nothing by it.
        """
        assert self._tuning is not None
        tuning, known = self._tuning.shift, self._tuning.known
        return np.asarray(tuning[np.where(known[matches.template], matches.template, matches.rival)])


ALIKE = ({int(Cell.MINE), int(Cell.EXPLODED)}, {int(Cell.FLAG), int(Cell.WRONG_FLAG)})
"""Figures that differ by their colour alone, or by a thin cross."""

LEAST_LEAN = 0.4

BOTH = 1.25
"""Where shape and match both say which of the two it is, so much of what either of them needs is enough together."""

LIKE_A_MINE = 0.7
"""The correlation from which on a tile is one of two such figures, whichever."""

PLAINLY = 0.75
"""How much a plain tile must lean to what it is, three quarters of the way from its rival, under strictness."""


def _correlation(one: Floats, other: Floats) -> float:
    """Return the normalised correlation of two tiles, brightness and tint aside."""
    first, second = (pixels.reshape(-1, 3) - pixels.reshape(-1, 3).mean(axis=0) for pixels in (one, other))
    return float((first * second).sum() / max(1e-6, float(np.linalg.norm(first) * np.linalg.norm(second))))
