"""Decision: what the solver says about a board, in the words the rest of the bot and its users rely on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from bot.board import Position
from bot.words import ActionKind


@dataclass(frozen=True)
class Move:
    """One thing to do, with the chance that it loses the game."""

    action: ActionKind
    row: int
    col: int
    risk: float


@dataclass(frozen=True)
class Step:
    """A conclusion a person can follow, and the sentence that proves it."""

    cells: tuple[Position, ...]
    conclusion: Literal["safe", "mine"]
    because: str


@dataclass(frozen=True)
class Candidate:
    """A cell that was weighed when the solver had to guess."""

    row: int
    col: int
    risk: float
    value: float | None
    """The chance to win the game by choosing it, exact or estimated; None where candidates were only compared."""


@dataclass(frozen=True, eq=False)
class Decision:
    """Everything the solver has to say about one board.

    `odds` has shape (rows, cols), float64: the exact chance of a mine for every hidden cell, NaN where a cell is open.
    `safe` and `mined` are certain. `must_guess` is exact: no covered cell is certainly safe although the game goes on.
    `move` is None only when there is nothing left to open or the board contradicts itself.

    Decisions that say the same are equal, and print as text that can be pasted back, with None for NaN.
    """

    odds: NDArray[np.float64]
    safe: tuple[Position, ...]
    mined: tuple[Position, ...]
    move: Move | None
    must_guess: bool
    reason: str
    steps: tuple[Step, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    wrong_flags: tuple[Position, ...] = ()
    problems: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "odds", np.asarray(self.odds, dtype=np.float64))

    def __repr__(self) -> str:
        odds = [[None if chance != chance else chance for chance in row] for row in self.odds.tolist()]
        said = {**vars(self), "odds": odds}
        return f"Decision({', '.join(f'{name}={value!r}' for name, value in said.items())})"

    def __eq__(self, other: object) -> bool:
        return repr(self) == repr(other) if isinstance(other, Decision) else NotImplemented

    def __hash__(self) -> int:
        return hash(repr(self))
