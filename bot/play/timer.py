"""Where a session's seconds go: looking, reading, deciding, clicking, and waiting for the game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from bot.desktop.timing import Clock

Part = Literal["repaint", "grab", "read", "decide", "click"]


@dataclass
class Timer:
    """The seconds of each part so far."""

    repaint: float = 0.0
    grab: float = 0.0
    read: float = 0.0
    decide: float = 0.0
    click: float = 0.0

    @contextmanager
    def on(self, part: Part, clock: Clock) -> Iterator[None]:
        """Count the seconds of a block."""
        start = clock.now()
        try:
            yield
        finally:
            setattr(self, part, getattr(self, part) + clock.now() - start)

    def sleep(self, seconds: float, clock: Clock) -> None:
        """Wait for the game, and count that; returns at once for nothing or less."""
        if seconds > 0:
            with self.on("repaint", clock):
                clock.sleep(seconds)
