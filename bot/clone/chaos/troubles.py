"""What can be wrong with a desktop just now, and when it is.

Words shared by the desktop on which things go wrong (`desktop.py`) and by the faults that make them (`faults.py`).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from bot.clone.engine import Act
from bot.clone.painter import Tile
from bot.desktop import Rect
from bot.picture import Picture

if TYPE_CHECKING:
    from bot.clone.chaos.desktop import FaultyDesktop

MINIMISED = "the game's window is minimised"
CLOSED = "the game's window was closed"


class HangError(Exception):
    """The bot does not come to an end."""


class SimulatedClock:
    """Time that passes only when something takes time; it can be made to jump ahead, as when a computer wakes up."""

    def __init__(self) -> None:
        self._now = 0.0
        self._jumped = 0.0

    def now(self) -> float:
        """Return seconds since some fixed moment; never goes back."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Return at once, that much later."""
        self._now += max(seconds, 0.0)

    def jump(self, seconds: float) -> None:
        """Let time pass that nobody has lived through."""
        self._now += seconds
        self._jumped += seconds

    @property
    def lived(self) -> float:
        """Seconds that have passed without the jumps."""
        return self._now - self._jumped


@dataclass(frozen=True)
class Cover:
    """Another window: where it is on the screen, what it shows, whether it has the focus and stays on top."""

    rect: Rect
    picture: Picture
    has_focus: bool = False
    stays_on_top: bool = False


@dataclass
class Troubles:
    """What is wrong with the desktop just now; as it stands here, nothing is."""

    gone: str | None = None
    """Why there is no window, as a sentence."""
    cover: Cover | None = None
    dialog: str | None = None
    """The title of a dialog that nobody expects."""
    user: str | None = None
    """Why the user wants the bot to stop, as a sentence."""
    scale: float = 1.0
    """By how much the system stretches the window's pixels."""
    grab_fails: bool = False
    lost_clicks: float = 0.0
    """The share of clicks that never arrive."""
    repaint_delay: float = 0.0
    """Seconds until a change is painted."""
    repaint_takes: float = 0.0
    """Seconds that painting a change takes, strip by strip."""
    pointer_stays: bool = False
    pointer_shown: bool = False
    counter_hidden: bool = False
    stuck: frozenset[Tile] = frozenset()
    """Tiles that look covered whatever happens."""
    deaf: frozenset[Tile] = frozenset()
    """Tiles that take no clicks."""
    lies: NDArray[np.int8] | None = None
    """What is added to every number that is shown, shape (rows, cols)."""


Undo = Callable[[], None]
Fault = Callable[["FaultyDesktop", random.Random], Undo]
"""Makes something go wrong and returns how it gets right again."""


@dataclass(order=True)
class Episode:
    """A fault that comes up at a beat and lasts some seconds, or for good (infinity)."""

    beat: int
    seconds: float
    fault: Fault = field(compare=False)
    random: random.Random = field(compare=False)
    undo: Undo | None = field(default=None, compare=False)
    ends: float = field(default=inf, compare=False)


@dataclass(frozen=True)
class Landing:
    """What the game did at a click: to which tile, the tile that was meant, and those it opens before any flood."""

    act: Act
    tile: Tile
    meant: Tile | None
    opens: tuple[Tile, ...]
