"""How long the analyser takes: `python -m tests.web.timing` prints what docs/performance.md says."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from bot.board import Board
from bot.clone.game import Game
from bot.coach.review import seed_without_guess
from bot.level import LEVELS
from bot.solver.odds import exact_odds
from bot.web.answers import Question, analysis
from bot.web.server import Server
from tests.web.conftest import FIXTURES, Client

GAMES = 20


def positions() -> list[Board]:
    """Every position of some expert games that need no guess, from one opening of safe tiles to the next."""
    found = []
    seed = 0
    for _ in range(GAMES):
        seed = seed_without_guess(LEVELS["expert"], "open", seed + 1, 3, 3)
        game = Game(LEVELS["expert"], "open", seed)
        game.open(3, 3)
        while game.state == "playing":
            found.append(game.board())
            for row, col in np.argwhere(exact_odds(game.board()).safe).tolist():
                game.open(row, col)
    return found


def told(name: str, times: list[float]) -> None:
    ordered = sorted(times)
    high = ordered[int(0.99 * (len(ordered) - 1))]
    middle = statistics.median(times)
    print(f"{name}: median {middle:.1f} ms, 99 % {high:.1f} ms, worst {ordered[-1]:.1f} ms of {len(times)}")


def timed(work: Callable[[], Any]) -> float:
    """Milliseconds of processor time, the server's threads included: what others do on the machine does not count."""
    began = time.process_time()
    work()
    return 1000 * (time.process_time() - began)


def main() -> None:
    boards = positions()
    analysis(Question(boards[0]))
    told("an answer", [timed(partial(analysis, Question(board))) for board in boards])
    with Server({"kind": "nothing"}) as server:
        client = Client(server.address)
        told("the page", [timed(partial(client.request, "GET", client.path)) for _ in range(5)])
        client.ask("analyse", {"board": str(boards[0])})
        questions = [partial(client.ask, "analyse", {"board": str(board)}) for board in boards]
        told("an answer, with question and answer over HTTP", [timed(question) for question in questions])
        for name in ("clone/default-size-midgame", "winemine/expert-under-way", "clone/whole-desktop"):
            raw = Path(FIXTURES / f"{name}.png").read_bytes()
            told(f"reading {name}", [timed(partial(client.upload, "x.png", raw)) for _ in range(5)])
        dealt = [timed(partial(_first_click, client)) for _ in range(20)]
        told("dealing an expert game without guesses", dealt)
    began = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "bot", "analyse", "--no-browser", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"from the command to the address: {used.ru_utime + used.ru_stime - began.ru_utime - began.ru_stime:.2f} s")


def _first_click(client: Client) -> None:
    dealt = client.ask("practice", {"level": "expert", "rule": "no-guess"})
    client.ask("click", {"game": dealt["game"], "act": "open", "row": 3, "col": 3})


if __name__ == "__main__":
    main()
