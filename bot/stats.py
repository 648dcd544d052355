"""What was played so far, across all runs: games, wins, times, streaks and luck.

Every game is one line in a file that only grows, so that two bots at once and a killed one do no harm; a line that
can't be read is left out and counted. Games on the clone are kept apart from those on a desktop. A game that was
stopped is neither won nor lost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from math import prod
from pathlib import Path
from typing import Any

from bot import files
from bot.bench import wilson_interval
from bot.board import Board
from bot.errors import MinebotError
from bot.files import data_folder, make_private
from bot.level import Level
from bot.play import GameResult, Watcher
from bot.vision.reader import Reading

FORMAT = 1


class StatsError(MinebotError):
    """Statistics that can't be read; the message names the file."""


@dataclass(frozen=True)
class Played:
    """One game of the past. `guesses` are the risks taken, `when` is ISO 8601 in UTC."""

    when: str
    level: str
    skin: str
    clone: bool
    won: bool
    stopped: str | None
    seconds: float
    clicks: int
    guesses: tuple[float, ...]
    three_bv: int | None

    @property
    def survival(self) -> float:
        """The chance that all guesses of this game go well."""
        return prod(1 - risk for risk in self.guesses)


@dataclass(frozen=True)
class Summary:
    """Many games in a few numbers. Luck is wins minus the wins that the odds promised; times are of won games."""

    games: int
    wins: int
    win_rate: float | None
    interval: tuple[float, float]
    stopped: int
    best_seconds: float | None
    mean_seconds: float | None
    guesses_a_game: float | None
    streak: int
    longest_streak: int
    luck: float


def stats_file() -> Path:
    """Return where the games are written down; it need not exist."""
    return data_folder() / "games.jsonl"


class Chronicler(Watcher):
    """Writes every game down. `warn` is told, once, when that can't be done."""

    def __init__(self, clone: bool, warn: Callable[[str], None]) -> None:
        self._clone = clone
        self._warn = warn
        self._broken = False

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        """Write down a game in which something was clicked."""
        if self._broken or reading is None or result.clicks == 0:
            return
        played = Played(
            when=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            level=level_name(reading.board),
            skin=reading.skin,
            clone=self._clone,
            won=result.won,
            stopped=result.stopped,
            seconds=round(result.seconds, 3),
            clicks=result.clicks,
            guesses=result.guesses,
            three_bv=result.three_bv,
        )
        try:
            make_private(stats_file().parent)
            files.append_line(stats_file(), {"format": FORMAT, **asdict(played)}, lasting=True)
        except OSError as error:
            self._broken = True
            self._warn(f'games are no longer written to "{stats_file()}", play goes on: {error.strerror}')


def level_name(board: Board) -> str:
    """Return a board's level by name, or by its size when the number of mines is not known."""
    size = f"{board.rows}x{board.cols}"
    return size if board.mines is None else Level(board.rows, board.cols, board.mines).name


def load_games() -> tuple[list[Played], int]:
    """Return all games in the order they ended, and how many lines could not be read. Raises `StatsError`."""
    games: list[Played] = []
    damaged = 0
    try:
        for _, document in files.read_lines(stats_file()):
            game = None if document is None else _played(document)
            if game is None:
                damaged += 1
            else:
                games.append(game)
    except FileNotFoundError:
        return [], 0
    except OSError as error:
        raise StatsError(f'can\'t read "{stats_file()}": {error.strerror}') from error
    return games, damaged


_KINDS: dict[str, tuple[type, ...]] = {
    "when": (str,),
    "level": (str,),
    "skin": (str,),
    "clone": (bool,),
    "won": (bool,),
    "stopped": (str, type(None)),
    "seconds": (int, float),
    "clicks": (int,),
    "guesses": (list,),
    "three_bv": (int, type(None)),
}

_LARGEST = 1e9
"""No game has more clicks, and none takes more seconds: thirty years."""


def _played(document: dict[str, Any]) -> Played | None:
    """Return the game of a line, or None when it is none of ours."""
    if document.get("format") != FORMAT or not all(
        isinstance(document.get(key), kinds) for key, kinds in _KINDS.items()
    ):
        return None
    guesses = document["guesses"]
    if not all(isinstance(risk, int | float) and 0 <= risk <= 1 for risk in guesses):
        return None
    if not all(0 <= (document[key] or 0) <= _LARGEST for key in ("seconds", "clicks", "three_bv")):
        return None
    return Played(**{key: document[key] for key in _KINDS} | {"guesses": tuple(guesses)})


def summarise(games: Iterable[Played]) -> Summary:
    """Return what there is to say about some games, in the order they ended."""
    played = list(games)
    finished = [game for game in played if game.stopped is None]
    wins = [game for game in finished if game.won]
    streak = longest = 0
    for game in finished:
        streak = streak + 1 if game.won else 0
        longest = max(longest, streak)
    return Summary(
        games=len(finished),
        wins=len(wins),
        win_rate=len(wins) / len(finished) if finished else None,
        interval=wilson_interval(len(wins), len(finished)),
        stopped=len(played) - len(finished),
        best_seconds=min((game.seconds for game in wins), default=None),
        mean_seconds=sum(game.seconds for game in wins) / len(wins) if wins else None,
        guesses_a_game=sum(len(game.guesses) for game in finished) / len(finished) if finished else None,
        streak=streak,
        longest_streak=longest,
        luck=len(wins) - sum(game.survival for game in finished),
    )


def by_level_and_skin(games: Iterable[Played]) -> dict[tuple[str, str], Summary]:
    """Return a summary for every level and skin that was played, most games first."""
    groups: dict[tuple[str, str], list[Played]] = {}
    for game in games:
        groups.setdefault((game.level, game.skin), []).append(game)
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    return {key: summarise(group) for key, group in ordered}
