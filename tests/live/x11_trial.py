"""Undisturbed games on a real X11 screen beside busy processes: every stop is a wrong one, for nobody meddles.

    python -m tests.live.x11_trial --program clone --games 50 --busy 10
    python -m tests.live.x11_trial --program winemine --games 100 --busy 8

Opens a screen of its own. Plays on after a stop, and prints one JSON document: how many games, how many stops and why.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from contextlib import AbstractContextManager

from bot.desktop import open_desktop
from bot.desktop.timing import FAST
from bot.level import Level
from bot.play import Player, Settings
from bot.vision.reader import Reader
from tests.live import stage


def program(name: str, level: Level, seed: int) -> AbstractContextManager[object]:
    """Start a game's window."""
    if name == "winemine":
        return stage.winemine(level)
    return stage.clone(seed, "--level", str(level), *(["--no-animations"] if name == "clone-still" else []))


def main() -> None:
    """Play as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", choices=("clone", "clone-still", "winemine"), default="clone")
    parser.add_argument("--level", type=Level.parse, default="beginner")
    parser.add_argument("--games", type=int, default=10)
    parser.add_argument("--style", default="noflags")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0)
    told = parser.parse_args()
    played, won, stops = 0, 0, Counter[str]()
    started = time.perf_counter()
    with stage.screen(), program(told.program, told.level, told.seed), stage.busy(told.busy):
        while played < told.games:
            player = Player(open_desktop(None, FAST), Reader(), Settings(told.style, "best", 0.0))
            session = player.play(told.games - played)
            played += len(session.games)
            won += sum(game.won for game in session.finished)
            if session.stop is not None:
                stops[session.stop.reason] += 1
                print(session.stop.reason, session.games[-1], file=sys.stderr, flush=True)
    print(json.dumps({"games": played, "won": won, "stops": stops, "seconds": round(time.perf_counter() - started, 1)}))


if __name__ == "__main__":
    main()
