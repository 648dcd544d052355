"""A fitted veto: how likely is a match misread that the rules of thumb hold certain?

Promises to make nothing certain: what the rules (`certainty.py`) let pass is doubted where it looks like what they let
pass wrongly. The evidence is all that a match tells (`matcher.py`), turned so that more of it is more reason to doubt,
and no weight is negative: a tile that is odder in any respect is never surer. `python -m tools.fit_doubt` fits it to
drawn boards and writes `doubt.json`; no picture of a real game has a part in that.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bot.board import Cell
from bot.vision.matcher import NO_RIVAL, Floats, Matches
from bot.vision.skin import PLAIN

WEIGHTS = Path(__file__).with_name("doubt.json")

KINDS = ("blank", "covered", "digit", "piece")
"""Kinds of cells, each of which the model judges by itself."""

KIND = np.array([0, *[2] * 8, 1, *[3] * 6])
"""By cell value, the number of its kind."""

EXACT = 4.0
"""Grey levels: what is nearer to its template, and of its colour, is as drawn; nothing is odd about it."""


@dataclass(frozen=True)
class Model:
    """The fitted numbers, by kind of cell: a layer of soft rules, and what each of them weighs."""

    most: Floats  # (evidence,): more of it counts as so much
    weights: Floats  # (kinds, evidence, rules), none negative
    starts: Floats  # (kinds, rules)
    sums: Floats  # (kinds, rules), none negative
    limits: Floats  # (kinds,): from which sum of rules on a tile is doubted

    def doubt(self, evidence: Floats, kinds: NDArray[np.intp]) -> Floats:
        """Return how much speaks against n tiles of given kinds, shape (n,); from 0 on they are doubted."""
        seen = np.minimum(evidence, self.most)
        doubts = np.zeros(len(kinds), dtype=np.float32)
        for kind in range(len(KINDS)):
            here = np.flatnonzero(kinds == kind)
            if len(here):
                rules = np.tanh(seen[here] @ self.weights[kind] + self.starts[kind])
                doubts[here] = rules @ self.sums[kind] - self.limits[kind]
        return doubts


@lru_cache(maxsize=1)
def fitted() -> Model:
    """Return the model as it was fitted."""
    content = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return Model(*(np.array(content[name], dtype=np.float32) for name in Model.__dataclass_fields__))


def odd(matches: Matches) -> NDArray[np.bool_]:
    """Return which matches the veto holds against, shape (n,)."""
    vetoed = inexact(matches)
    where = np.flatnonzero(vetoed)
    if len(where):
        some = matches.only(where)
        vetoed[where] = fitted().doubt(evidence_of(some), KIND[some.best]) >= 0
    return vetoed


def inexact(matches: Matches) -> NDArray[np.bool_]:
    """Return which matches are not of the template's very pixels, and so for the model to judge; shape (n,)."""
    return np.asarray((matches.distance > EXACT) | (matches.colour > EXACT))


def evidence_of(matches: Matches) -> Floats:
    """Return what speaks against the matches being right, each at least 0; shape (n, 16)."""
    near, plain = np.maximum(matches.distance, EXACT), matches.plain_distance
    blank, covered = plain[:, PLAIN.index(0)], plain[:, PLAIN.index(Cell.COVERED)]
    other = np.where(matches.best == Cell.COVERED, blank, np.where(matches.best == 0, covered, plain.min(axis=1)))
    apart, relief = np.maximum(matches.apart, 3), np.log(np.maximum(matches.relief, 0.01))
    strength = np.log(np.clip(matches.strength, 0.02, 20))
    columns = (
        np.sqrt(matches.distance),
        near / np.maximum(matches.next_distance, 1e-3),
        near / np.clip(other, 1e-3, NO_RIVAL),
        matches.distance / apart,
        30 / apart,
        1 - matches.lean,
        matches.lean - 1,
        np.sqrt(np.clip(1 - matches.likeness, 0, 1)),
        1 + matches.next_likeness - matches.likeness,
        -strength,
        strength,
        -relief,
        relief,
        matches.colour,
        *matches.rim.T,
    )
    return np.maximum(np.stack(columns, axis=1).astype(np.float32), 0)
