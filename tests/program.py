"""The program as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]

OBEDIENT = """
import ctypes, os, signal, sys
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""A shell's background jobs ignore Ctrl-C, and what nohup starts the end of its terminal; so would their children.
And a program outlives whoever has started it: one that tests started must not, also when they are killed outright."""


@contextmanager
def started(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Start the program as from a terminal; it does not outlive the block."""
    command = [sys.executable, "-c", OBEDIENT, sys.executable, "-m", "bot", *arguments]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()
