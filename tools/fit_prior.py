"""Fits the prior: what roll-outs tell about the candidates of a guess beyond the look-ahead's score.

`python -m tools.fit_prior --games 3600 --seed 700000001` made the weights in `bot.solver.kernels.lookahead.Tuning`
that begin with `prior_`, and prints those lines; it can be run again whenever the score or its traits change.

Games are played by roll-outs at every guess that nothing else settles. All candidates near the best are tried on the
same layouts; learnt is, by ridge regression within each guess, what the logarithm of their value has beyond that of
their score. Every game is also judged by weights that the other four fifths of the games gave.
"""

from __future__ import annotations

import argparse
import sys
import threading
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bot.bench import Z95
from bot.bench.workers import Stretch, open_pool
from bot.level import Level
from bot.solver.guess import first_click
from bot.solver.kernels.choosing import CLOSE, UNDECIDED, Mind, allocate_mind, consider
from bot.solver.kernels.combining import solve
from bot.solver.kernels.game import EXACT, STUCK, Table, begin, dare, lay_table
from bot.solver.kernels.lookahead import BEST, TRAITS
from bot.solver.kernels.rollout import BATCH, ROLLS_RUNNING
from bot.solver.kernels.workspace import Floats, Work, allocate
from bot.words import Rule

LAYOUTS = 3 * BATCH
"""Layouts every candidate is tried on: values are off by 7 %, and many guesses make up for it."""

PLAYER = BEST._replace(
    prior=0.0, factor=0.87, close=0.88, rolls=float(LAYOUTS), roll_below=np.inf, roll_layouts=60.0, confidence=np.inf
)
"""Who plays: the score as it is without a prior, candidates a little further behind than `best` looks at."""

LEAST_VALUE = 0.001
"""A candidate that hardly wins on the layouts drawn tells nothing by its logarithm."""

CLOSENESS = 10.0
"""A candidate counts by its share of the best score to this power: those that may be chosen matter."""

RIDGE = 1e-3
"""Added to the variance of every trait, in units of that variance, so that traits which say the same share a weight."""

FOLDS = 5
GAMES_A_JOB = 20
LEVEL = Level(16, 30, 99)


class Examples(NamedTuple):
    """The candidates of some guesses: n of them, in the order of the guesses, each with t traits."""

    game: NDArray[np.int64]  # (n,): its seed
    guess: NDArray[np.int64]  # (n,): which guess of the game
    score: Floats  # (n,): its logarithm
    value: Floats  # (n,): chance to win by the roll-outs
    trait: Floats  # (n, t)


class Examiner:
    """Memory for playing games of a rule."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.table: Table = lay_table(LEVEL, rule, first_click(LEVEL, rule))
        self.work: Work = allocate(self.table.grid)
        self.mind: Mind = allocate_mind(self.table.grid.size, PLAYER)

    def game(self, seed: int) -> list[tuple[float, ...]]:
        """Play the game of a seed; return a row of `Examples` for every candidate rolled out."""
        rows: list[tuple[float, ...]] = []
        rolls, think = self.mind.rolls, self.mind.think
        outcome, guess = dare(self.table, self.work, EXACT, begin(self.table, self.work, seed)), 0
        while outcome == STUCK:
            game = (self.table.pos, self.work, self.mind, PLAYER)
            stage, cell = consider(*game, UNDECIDED)
            close = int(rolls.tally[ROLLS_RUNNING])
            if stage == CLOSE and close > 1:
                guess += 1
                score = dict(zip(rolls.candidate[:close].tolist(), rolls.prior[:close].tolist(), strict=True))
                for _ in range(LAYOUTS // BATCH):
                    _, cell = consider(*game, CLOSE)
                place: dict[int, int] = {}
                for at, candidate in enumerate(think.candidate.tolist()):
                    place.setdefault(candidate, at)  # further on are those of earlier guesses
                for i in range(close):
                    candidate = int(rolls.candidate[i])
                    won = rolls.value[i, :LAYOUTS]
                    tried = won[~np.isnan(won)]
                    value = float(rolls.safety[i]) * tried.sum() / max(len(tried), 1)
                    if value > LEAST_VALUE:
                        rows.append((seed, guess, np.log(score[candidate]), value, *think.trait[:, place[candidate]]))
            solve(self.table.pos, self.work)
            outcome = dare(self.table, self.work, EXACT, int(cell))
        return rows


_local = threading.local()


def examples_of(stretch: Stretch[Rule]) -> list[tuple[float, ...]]:
    """Return the examples of some games."""
    examiner: Examiner | None = getattr(_local, "examiner", None)
    if examiner is None or examiner.rule != stretch.trial:
        examiner = _local.examiner = Examiner(stretch.trial)
    return [row for seed in stretch.seeds for row in examiner.game(seed)]


def gathered(rows: list[tuple[float, ...]]) -> Examples:
    """Return rows as examples, those of a guess with a single one left out."""
    table = np.array(rows)
    table = table[np.lexsort((table[:, 1], table[:, 0]))]
    _, guess = np.unique(table[:, :2], axis=0, return_inverse=True)
    guess = guess.ravel()
    table = table[np.bincount(guess)[guess] > 1]
    _, guess = np.unique(table[:, :2], axis=0, return_inverse=True)
    return Examples(table[:, 0].astype(np.int64), guess.ravel(), table[:, 2], table[:, 3], table[:, 4:])


def fit(examples: Examples, some: NDArray[np.bool_]) -> Floats:
    """Return the weights of the traits, shape (t,), by those of the examples that `some` says."""
    guess = np.unique(examples.guess[some], return_inverse=True)[1]
    best = np.full(guess.max() + 1, -np.inf)
    np.maximum.at(best, guess, examples.score[some])
    count = np.exp(CLOSENESS * (examples.score[some] - best[guess]))
    columns = np.column_stack([examples.trait[some], np.log(examples.value[some]) - examples.score[some]])
    whole = np.bincount(guess, count)
    for column in columns.T:
        column -= (np.bincount(guess, count * column) / whole)[guess]
    traits, missed = columns[:, :-1], columns[:, -1]
    scale = traits.std(axis=0)
    traits = traits / scale
    weighed = (traits * count[:, None]).T / len(traits)
    weights: Floats = np.linalg.solve(weighed @ traits + RIDGE * np.eye(len(scale)), weighed @ missed) / scale
    return weights


def judged(examples: Examples, games: int) -> tuple[float, float]:
    """Return what choosing by the prior is worth a game, by the roll-outs, and its 95 % interval, as shares."""
    fold = examples.game % FOLDS
    prior = np.zeros(len(fold))
    for each in range(FOLDS):
        prior[fold == each] = examples.trait[fold == each] @ fit(examples, fold != each)
    chosen = []
    for score in (examples.score + prior, examples.score):
        order = np.lexsort((-score, examples.guess))
        chosen.append(order[np.unique(examples.guess[order], return_index=True)[1]])
    with_prior, without = chosen
    gain = np.zeros(games)
    first = examples.game.min()
    np.add.at(gain, examples.game[without] - first, examples.value[with_prior] - examples.value[without])
    return float(gain.mean()), float(Z95 * gain.std() / np.sqrt(games))


def main() -> None:
    """Play, fit, and print the weights and what they are worth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=3600)
    parser.add_argument("--seed", type=int, default=700_000_001)
    parser.add_argument("--rule", choices=("open", "safe"), default="open")
    parser.add_argument("--workers", type=int)
    asked = parser.parse_args()
    stretches = [
        Stretch(asked.rule, asked.seed + at, min(GAMES_A_JOB, asked.games - at))
        for at in range(0, asked.games, GAMES_A_JOB)
    ]
    rows: list[tuple[float, ...]] = []
    with open_pool(asked.workers) as pool:
        for done, (_, found) in enumerate(pool.results(examples_of, stretches), 1):
            rows += found
            print(f"\r{done} of {len(stretches)} jobs", end="", file=sys.stderr, flush=True)
    print("; fitting", file=sys.stderr)
    examples = gathered(rows)
    for name, weight in zip(TRAITS, fit(examples, np.ones(len(examples.game), np.bool_)), strict=True):
        print(f"    prior_{name}: float = {weight:.4f}")
    gain, half = judged(examples, asked.games)
    print(
        f"{len(examples.game)} candidates of {examples.guess.max() + 1} guesses in {asked.games} games: chosen by the "
        f"prior, {100 * gain:+.3f} ± {100 * half:.3f} points a game by the roll-outs, on games not fitted to"
    )


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("\nstopped by Ctrl-C; nothing was fitted")
