"""Games on the clone's Win32 window, refereed by the window: run by a Windows Python, in Wine or on Windows.

    python -m tests.live.win32_trial --level expert --games 10 --draw-ms 16 --no-animations --busy 2

The window writes down what was really done to which tile; the bot says what it meant. The two are laid side by side:
an act on a tile that was not meant is *misplaced*, a click that nothing was done at is *lost*. `--busy` keeps so many
processes busy beside. Prints one JSON document.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.actions import Action
from bot.desktop import Click, open_desktop
from bot.desktop.timing import FAST, Seconds, pause
from bot.level import Level
from bot.play import GameResult, Player, Settings, Watcher
from bot.vision.reader import Reader, Reading
from bot.words import ClickStyle
from tests.live import stage

ACTS = {"open": "open", "flag": "flag", "unflag": "flag", "chord": "chord"}
"""What the referee calls what the bot does."""


@dataclass
class Meant(Watcher):
    """What the bot meant to do, in order, and how its games went."""

    acts: list[tuple[str, int, int]] = field(default_factory=list)
    results: list[GameResult] = field(default_factory=list)

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        self.acts += [(ACTS[action.kind], action.row, action.col) for action in actions]

    def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
        self.results.append(result)
        print(number, result, file=sys.stderr, flush=True)


def compare(meant: list[tuple[str, int, int]], done: list[tuple[str, int, int]]) -> tuple[int, int]:
    """Return how many acts were not meant and how many clicks had no act, both lists being in the order of time."""
    misplaced, next_meant, lost = 0, 0, 0
    for act in done:
        if act in meant[next_meant:]:
            at = meant.index(act, next_meant)
            lost += at - next_meant
            next_meant = at + 1
        else:
            misplaced += 1
    return misplaced, lost + len(meant) - next_meant


def trial(
    level: Level,
    games: int,
    style: ClickStyle,
    seed: int,
    options: list[str],
    busy: int = 0,
    think: float = 0.0,
    keep: Path | None = None,
) -> dict[str, Any]:
    """Play so many games and return what came of them."""
    meant = Meant()
    words = ("--level", str(level), "--seed", str(seed), *options)
    with (
        tempfile.TemporaryDirectory() as folder,
        stage.win32_clone(Path(folder), *words) as account,
        stage.busy(busy),
    ):
        desktop = open_desktop("Minesweeper", FAST)
        player = Player(desktop, Reader(), Settings(style, "best", think), meant)
        started = time.perf_counter()
        session = player.play(games)
        seconds = time.perf_counter() - started
        pause(Seconds(0.2))  # until all was written down
        lines = account.lines()
    if keep is not None:
        keep.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    done = [(line["what"], *line["tile"]) for line in lines if line["what"] in ("open", "flag", "chord")]
    misplaced, lost = compare(meant.acts, done)
    won = [game for game in session.games if game.won]
    return {
        "games": len(session.games),
        "won": len(won),
        "stop": None if session.stop is None else session.stop.reason,
        "clicks": len(meant.acts),
        "misplaced": misplaced,
        "lost": lost,
        "told": [sum(game.misplaced for game in session.games), sum(game.lost_clicks for game in session.games)],
        "swallowed": sum(line["what"] == "swallowed" for line in lines),
        "what": Counter(line["what"] for line in lines),
        "seconds": round(seconds, 2),
        "won_median": round(statistics.median(game.seconds for game in won), 2) if won else None,
        "won_clicks": statistics.median(game.clicks for game in won) if won else None,
        "ms_a_click": round(1000 * player.timer.click / max(len(meant.acts), 1), 1),
        "spent": {name: round(value, 2) for name, value in vars(player.timer).items()},
        "lost_on_known_mines": sum(not game.won and not game.guesses for game in session.finished),
    }


def main() -> None:
    """Play as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--level", type=Level.parse, default="expert")
    parser.add_argument("--games", type=int, default=3)
    parser.add_argument("--style", default="noflags")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="a file for the referee's account")
    known, options = parser.parse_known_args()
    told = trial(known.level, known.games, known.style, known.seed, options, known.busy, keep=known.keep)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
