"""Kills two bots outright while they play and record, again and again: `python -m tests.fuzz.killed --rounds 20`.

What was finished must be there afterwards: every game that a recording says has ended is in the statistics, every
recording can be read as far as it goes, the last games on the shelf are whole. It is no part of the normal tests, since
each round takes the time of starting two bots.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bot import files, stats
from bot.record.recorder import MANIFEST, RING
from bot.record.recording import load_recording, recordings_in

PLAY = [sys.executable, "-m", "bot", "play", "--clone", "--games", "100000", "--level", "beginner", "--think", "0"]


def play_and_kill(folders: list[Path], chance: random.Random) -> None:
    """Start a bot for each folder, wait until each plays its second game, and kill them a moment later."""
    before = [_games(folder) for folder in folders]
    bots = [subprocess.Popen([*PLAY, "--quiet", "--record", str(folder)]) for folder in folders]
    while any(_games(folder) < count + 2 for folder, count in zip(folders, before, strict=True)):
        time.sleep(0.05)
    time.sleep(chance.uniform(0.0, 1.0))
    for bot in bots:
        bot.send_signal(signal.SIGKILL)
        bot.wait()


def _games(folder: Path) -> int:
    return sum(1 for _ in folder.glob(f"*/{MANIFEST}"))


def check(folders: list[Path]) -> tuple[int, int]:
    """Return how many games ended and how many were broken off. Raises `AssertionError` when something was lost."""
    games, damaged = stats.load_games()
    recordings = [load_recording(game) for folder in folders for game in recordings_in(folder) if _has_begun(game)]
    ended = [recording for recording in recordings if recording.result is not None]
    assert len(games) >= len(ended), f"{len(ended)} games ended, {len(games)} are in the statistics"
    assert damaged == 0, f"{damaged} damaged lines in the statistics"
    for recording in recordings:
        for frame in recording.frames:
            recording.picture(frame)
    shelf = sorted((stats.stats_file().parent / "recordings").glob("[0-9]*"))
    assert len(shelf) <= RING + 2, f"{len(shelf)} games on the shelf"
    for kept in shelf:
        assert load_recording(kept).result is not None
    return len(ended), len(recordings) - len(ended)


def _has_begun(game: Path) -> bool:
    """Whether a bot got as far as writing the first line."""
    return any(document is not None for _, document in files.read_lines(game / MANIFEST))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    with tempfile.TemporaryDirectory(prefix="minebot-killed-") as folder:
        os.environ["MINEBOT_DATA"] = str(Path(folder) / "data")
        folders = [Path(folder) / name for name in ("one", "two")]
        for number in range(1, options.rounds + 1):
            play_and_kill(folders, chance)
            ended, broken_off = check(folders)
            print(f"{number} rounds, {2 * number} bots killed: {ended} games ended, all kept; {broken_off} broken off")


if __name__ == "__main__":
    main()
