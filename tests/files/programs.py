"""Programs of a few lines that tests start beside themselves."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def start(script: str, *arguments: object) -> "subprocess.Popen[str]":
    """Start a Python script with arguments; what it prints can be read."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
