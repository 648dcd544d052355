"""The program as a process of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def started(*arguments: str) -> subprocess.Popen[str]:
    """Start the program as from a terminal: a shell's background jobs ignore Ctrl-C, and so would their children."""
    obedient = (
        "import signal, os, sys; signal.signal(2, signal.default_int_handler); os.execv(sys.argv[1], sys.argv[1:])"
    )
    command = [sys.executable, "-c", obedient, sys.executable, "-m", "bot", *arguments]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        start_new_session=True,
    )
