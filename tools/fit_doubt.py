"""When to doubt what the rules of thumb hold certain: fits the veto of `bot/vision/doubt.py` to drawn boards.

`python -m tools.fit_doubt --pictures 2400 --seed 3000000` made `bot/vision/doubt.json`, and can be run again at any
time. The boards of `bot/bench/drawn.py` are matched as in play; each tile that the rules hold certain at one of the two
looks is one example, right or wrong. Every fifth picture is not fitted to: it decides how much doubt is enough.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from bot.bench.drawn import draw
from bot.bench.read_drawn import MOST_HIDDEN
from bot.bench.workers import open_pool
from bot.board import Cell
from bot.vision.certainty import COLOUR, COLOUR_AGAIN, certain_at_sight
from bot.vision.choose import light_on, take
from bot.vision.doubt import KIND, KINDS, WEIGHTS, Model, evidence_of, inexact
from bot.vision.find.edges import calmed, is_noisy
from bot.vision.matcher import Floats, Matches, canonical_tiles
from bot.vision.skin import Skin

MOST_VETOED = 1 / 250
"""How sure is sure: of the held-out tiles of a kind that are right, so many may be doubted, and not more."""

RULES = 8
"""Soft rules of the model, for each kind of cell."""

MOST = 0.999
"""The share of examples whose evidence is taken for what it is: what is beyond those is no odder."""

EPOCHS, BATCH, STEP = 40, 2048, 0.02
"""How often all examples are gone through, how many at a time, and how long a step is at first (Adam)."""

HELD_OUT = 5
"""One of so many pictures is not fitted to."""

NOTHING = 255
"""The truth of a tile that something in front hides all but completely: whatever it is held for, it is not."""

Examples = tuple[Floats, NDArray[np.intp], NDArray[np.bool_]]
"""What speaks against n tiles that the rules hold certain, of which kind each is held to be, and whether wrongly."""


@lru_cache(maxsize=1)
def _skin() -> Skin:
    return Skin.load("win7")


def examples_of(number: int) -> Examples:
    """Return the tiles of the drawn picture of a number that the rules hold certain at a first or at a second look."""
    drawn = draw(number)
    picture, grid = calmed(drawn.picture) if is_noisy(drawn.picture) else drawn.picture, drawn.grid
    choice = take(picture, grid, _skin(), light_on(picture, grid, _skin()))
    choice.judge.has_veto = False
    tiles = canonical_tiles(choice.light.undone(picture), grid, known=True)
    truth = np.where((drawn.hidden > MOST_HIDDEN) & (drawn.cells != Cell.UNREAD), NOTHING, drawn.cells).ravel()
    first = choice.judge.first_match(tiles)
    sure = certain_at_sight(first, COLOUR)
    parts = [_examples(first, truth, sure)]
    unclear = np.flatnonzero(~sure)
    if len(unclear):
        again = choice.judge.second_match(tiles, unclear, first.only(unclear))
        parts.append(_examples(again, truth[unclear], certain_at_sight(again, COLOUR_AGAIN)))
    return _joined(parts)


def _examples(matches: Matches, truth: NDArray[np.uint8], sure: NDArray[np.bool_]) -> Examples:
    some = np.flatnonzero(sure & (truth != Cell.UNREAD) & inexact(matches))
    matches = matches.only(some)
    return evidence_of(matches), KIND[matches.best], matches.best != truth[some]


def _joined(parts: list[Examples]) -> Examples:
    evidence, kinds, wrong = zip(*parts, strict=True)
    return np.concatenate(evidence), np.concatenate(kinds), np.concatenate(wrong)


def fit(evidence: Floats, kinds: NDArray[np.intp], wrong: NDArray[np.bool_]) -> Model:
    """Return the model by which the examples are likeliest."""
    count = evidence.shape[1]
    scale = np.maximum(evidence.std(axis=0), 1e-6)
    most = np.quantile(evidence, MOST, axis=0).astype(np.float32)
    shapes = ((len(KINDS), count, RULES), (len(KINDS), RULES), (len(KINDS), RULES), (len(KINDS),))
    weights, starts, sums, limits = (np.zeros(shape, dtype=np.float32) for shape in shapes)
    for kind in range(len(KINDS)):
        here = kinds == kind
        seen = (np.minimum(evidence[here], most) / scale).astype(np.float32)
        found = _fit_kind(seen, wrong[here].astype(np.float32))
        weights[kind], starts[kind], sums[kind] = found[0] / scale[:, None], found[1], found[2]
    return Model(most, weights, starts, sums, limits)


def _fit_kind(seen: Floats, wrong: Floats) -> list[Floats]:
    """Return weights, starts, sums and start of one kind's part of a model."""
    random, (number, count) = np.random.default_rng(0), seen.shape
    weights = np.abs(random.normal(0, 0.5 / np.sqrt(count), (count, RULES)))
    starts = random.normal(0, 0.7, RULES) - seen.mean(axis=0) @ weights
    start = np.log((wrong.sum() + 1) / (number - wrong.sum() + 1))
    parts = [np.asarray(part, dtype=np.float32) for part in (weights, starts, np.ones(RULES), [start])]
    speeds, sizes = ([np.zeros_like(part) for part in parts] for _ in range(2))
    each_epoch = max(1, number // BATCH)
    for step in range(EPOCHS * each_epoch):
        if step % each_epoch == 0:
            order = random.permutation(number)
        some = order[(step % each_epoch) * BATCH :][:BATCH]
        length = STEP * (1 + np.cos(np.pi * step / (EPOCHS * each_epoch))) / 2
        for part, slope, speed, size in zip(parts, _slopes(parts, seen[some], wrong[some]), speeds, sizes, strict=True):
            speed += 0.1 * (slope - speed)
            size += 0.001 * (slope**2 - size)
            part -= length * (speed / (1 - 0.9 ** (step + 1))) / (np.sqrt(size / (1 - 0.999 ** (step + 1))) + 1e-8)
        for part in (parts[0], parts[2]):
            np.maximum(part, 0, out=part)  # odder is never surer
    return parts


def _slopes(parts: list[Floats], seen: Floats, wrong: Floats) -> list[Floats]:
    """Return how the mean loss (logistic) changes with each number of a model."""
    weights, starts, sums, start = parts
    rules = np.tanh(seen @ weights + starts)
    off = (1 / (1 + np.exp(-(rules @ sums + start))) - wrong) / len(wrong)
    inner = np.outer(off, sums) * (1 - rules**2)
    return [seen.T @ inner, inner.sum(axis=0), rules.T @ off, off.sum(keepdims=True)]


def limited(model: Model, evidence: Floats, kinds: NDArray[np.intp], wrong: NDArray[np.bool_]) -> Model:
    """Return the model with the limits at which so many of the examples that are right are doubted, and no more."""
    doubt = model.doubt(evidence, kinds)
    limits = [np.quantile(doubt[(kinds == kind) & ~wrong], 1 - MOST_VETOED) for kind in range(len(KINDS))]
    return Model(model.most, model.weights, model.starts, model.sums, np.array(limits, dtype=np.float32))


def save(model: Model, made_by: str) -> None:
    """Write the model to where it is read from, a line for each list of numbers."""
    lists = (f'"{name}": {_text(getattr(model, name))}' for name in Model.__dataclass_fields__)
    WEIGHTS.write_text("{" + ",\n".join([f'"made by": {json.dumps(made_by)}', *lists]) + "}\n", encoding="utf-8")


def _text(numbers: Floats) -> str:
    if numbers.ndim == 1:
        return json.dumps([float(f"{each:.4g}") for each in numbers.tolist()])
    return "[\n" + ",\n".join(_text(each) for each in numbers) + "]"


def main() -> None:
    """Fit the model, write it, and tell what it makes of the pictures held out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=3_000_000)
    asked = parser.parse_args()
    numbers = range(asked.seed, asked.seed + asked.pictures)
    with open_pool() as pool:
        drawn = {}
        for number, each in pool.results(examples_of, numbers):
            drawn[number] = each
            print(f"\r{len(drawn)} of {len(numbers)} pictures", end="", file=sys.stderr, flush=True)
    print("; fitting", file=sys.stderr)
    found = [drawn[number] for number in sorted(drawn)]
    out = _joined(found[::HELD_OUT])
    model = limited(fit(*_joined([each for index, each in enumerate(found) if index % HELD_OUT])), *out)
    save(model, f"python -m tools.fit_doubt --pictures {asked.pictures} --seed {asked.seed}")
    evidence, kinds, wrong = out
    doubted = model.doubt(evidence, kinds) >= 0
    for kind, name in enumerate(KINDS):
        here = kinds == kind
        print(
            f"{name}: of {np.count_nonzero(here & ~wrong)} right ones {np.count_nonzero(here & ~wrong & doubted)} are "
            f"doubted, of {np.count_nonzero(here & wrong)} wrong ones {np.count_nonzero(here & wrong & doubted)}"
        )


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nstopped by Ctrl-C; nothing was written")
