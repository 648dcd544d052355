"""Ctrl-C at random moments to every command, counted: each must end at the first one, with a sentence and its code.

    python -m tests.signal_trial --times 50
    python -m tests.signal_trial --command play --times 200 --signal SIGTERM

Run it by any Python; what it starts is that Python's. A command may have ended by itself before the signal came. Prints
one JSON document: how often each was stopped, how often it was done before, and what went wrong. Commands that need a
screen open one of their own, with a game on it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from bot.errors import Exit
from bot.level import LEVELS
from tests.live import stage
from tests.program import started
from tests.test_signals import await_ears, complaint, gone

PATIENCE = 60.0
"""Seconds after which a command counts as one that does not end."""

PICTURES = Path(__file__).parents[1] / "fixtures" / "screenshots"
PICTURE = PICTURES / "clone" / "default-size-midgame.png"

COMMANDS: dict[str, tuple[float, Callable[[Path], list[str]]]] = {
    "play": (5.0, lambda _: ["play", "--clone", "--level", "expert", "--games", "100000", "--json"]),
    "read": (1.5, lambda _: ["read", str(PICTURE), "--json"]),
    "dry-run": (2.0, lambda _: ["dry-run", str(PICTURE), "--think", "5", "--json"]),
    "solve": (1.5, lambda folder: ["solve", str(_board(folder)), "--json"]),
    "analyse": (4.0, lambda _: ["analyse", "--no-browser"]),
    "replay": (2.0, lambda folder: ["replay", str(_recording(folder)), "--json"]),
    "calibrate": (4.0, lambda folder: ["calibrate", str(PICTURE), "--name", "trial", "--to", str(folder), "--yes"]),
    "skins": (1.5, lambda _: ["skins", "--json"]),
    "stats": (1.0, lambda _: ["stats", "--json"]),
    "bench games": (5.0, lambda _: ["bench", "games", "--strategy", "csp", "--games", "10000000", "--json"]),
    "bench guesses": (5.0, lambda _: ["bench", "guesses", "--seconds", "1000", "--json"]),
    "bench faults": (5.0, lambda _: ["bench", "faults", "--games", "100000", "--json"]),
    "bench read": (5.0, lambda _: ["bench", "read", str(PICTURES), "--distort", "--json"]),
    "doctor": (3.0, lambda _: ["doctor", "--json"]),
    "coach": (6.0, lambda _: ["coach", "--json"]),
    "live play": (6.0, lambda _: ["play", "--games", "1000", "--style", "noflags", "--json"]),
}
"""For each command, within how many seconds the signal comes, and its arguments."""

ON_A_SCREEN = ("doctor", "coach", "live play")


def main() -> None:
    """Send signals as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--command", choices=COMMANDS, action="append")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--signal", choices=("SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"), default="SIGINT")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    number, moments = signal.Signals[told.signal], random.Random(told.seed)
    document = {}
    for command in told.command or COMMANDS:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            if command in ON_A_SCREEN:
                stack.enter_context(stage.screen())
                stack.enter_context(stage.winemine(LEVELS["expert"]))
            latest, arguments = COMMANDS[command]
            line = arguments(Path(folder))
            ends = Counter(_end(line, moments.uniform(0, latest), number) for _ in range(told.times))
        document[command] = dict(ends)
        print(command, document[command], file=sys.stderr, flush=True)
    print(json.dumps({"python": sys.version.split()[0], "signal": told.signal, "ends": document}))


def _end(line: list[str], moment: float, number: signal.Signals) -> str:
    """Run a command and send it a signal after a moment; return how it ended, in words."""
    with started(*line) as process:
        await_ears(process.pid)
        time.sleep(moment)
        process.send_signal(number)
        try:
            output, said = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            return f"does not end ({moment:.2f} s)"
    if not gone(process.pid):
        return "leaves a process behind"
    if number == signal.SIGKILL:
        return "killed"
    if "Traceback" in said or "Exception ignored" in said or "Aborted" in said:
        return f"traceback ({moment:.2f} s): {said.strip().splitlines()[-1]}"
    if "--json" in line and output.strip():
        try:
            json.loads(output)
        except ValueError:
            return f"half a document ({moment:.2f} s)"
    if process.returncode == 128 + number:
        last = complaint(said).rpartition("\n")[2]
        return "stopped" if last.startswith("minebot: stopped: ") or output.strip() else f"says nothing: {said!r}"
    return (
        "done before"
        if process.returncode in (Exit.DONE, Exit.DOUBT)
        else f"code {process.returncode} ({moment:.2f} s): {said[-200:]!r}"
    )


def _board(folder: Path) -> Path:
    """A board that takes a while."""
    from tests.test_bounds import board

    file = folder / "board.txt"
    file.write_text(board("a lattice"), encoding="utf-8")
    return file


def _recording(folder: Path) -> Path:
    """A recording of a game."""
    play = ["play", "--clone", "--level", "expert", "--games", "1", "--seed", "1", "--record", str(folder), "--quiet"]
    subprocess.run([sys.executable, "-m", "bot", *play], check=False, capture_output=True, env={**os.environ})
    return max(folder.iterdir(), key=lambda file: file.stat().st_size)


if __name__ == "__main__":
    main()
