"""Games on a live window: how many are won, how fast, and where each second went.

The clock is the desktop's own. What the game needs to repaint is told apart from what the bot needs to grab, read and
decide, and from the clicks themselves; the rest is looking after the window and the user.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import median

from bot.interval import wilson_interval
from bot.play import Session, Timer

OWN_PARTS = ("grab", "read", "decide")
"""What the bot itself takes time for."""


@dataclass(frozen=True)
class LiveTrial:
    """What a session on a live window showed. Seconds are those between first look and end, summed over all games."""

    games: int
    wins: int
    interval: tuple[float, float]
    seconds: float
    won_seconds: float | None
    """The median of the games won; None without any."""
    clicks: int
    spent: dict[str, float]
    """Seconds by what they were spent on: repaint, grab, read, decide, click and watch (the window and the user)."""
    stopped: str | None

    @property
    def clicks_per_second(self) -> float:
        """Clicks over all seconds, thinking and waiting included."""
        return self.clicks / self.seconds if self.seconds else 0.0

    @property
    def own_share(self) -> float:
        """The bot's own part of the time: grabbing, reading and deciding."""
        return sum(self.spent[part] for part in OWN_PARTS) / self.seconds if self.seconds else 0.0


def summed_up(session: Session, timer: Timer) -> LiveTrial:
    """Return the trial that a session was; one that was stopped tells why and counts the games finished."""
    finished = session.finished
    wins = [game for game in finished if game.won]
    seconds = sum(game.seconds for game in session.games)
    parts = asdict(timer)
    parts["watch"] = max(0.0, seconds - sum(parts.values()))
    return LiveTrial(
        games=len(finished),
        wins=len(wins),
        interval=wilson_interval(len(wins), len(finished)),
        seconds=seconds,
        won_seconds=median(game.seconds for game in wins) if wins else None,
        clicks=sum(game.clicks for game in session.games),
        spent=parts,
        stopped=None if session.stop is None else session.stop.reason,
    )
