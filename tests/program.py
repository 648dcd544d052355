"""The program as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[1]

OBEDIENT = """
import os, signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""A shell's background jobs ignore Ctrl-C, and what nohup starts the end of its terminal; so would their children."""


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
