"""Boards made to hurt: thousands of numbers that hang together. Each is answered in bounded time and memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

MEMORY = 1e9
"""Bytes, as promised."""

SECONDS = 60
"""Of processor time; ten are promised of a quiet computer, without compiling. Unbounded, these boards took minutes."""

Bools = NDArray[np.bool_]

SHOWN: dict[str, Callable[[NDArray[np.intp], NDArray[np.intp]], Bools]] = {
    "diagonals": lambda rows, cols: (rows + cols) % 3 == 0,
    "every third column": lambda rows, cols: cols % 3 == 0,
    "a lattice": lambda rows, cols: (rows % 2 == 0) & (cols % 2 == 0),
}
"""Which tiles are open, unless there is a mine."""


def board(shown: str, size: int = 100, density: float = 0.25) -> str:
    """Return a board's text: numbers where they hurt, of mines that are there."""
    mines = np.random.default_rng(7).random((size, size)) < density
    padded = np.pad(mines.astype(int), 1)
    near = sum(padded[1 + r : 1 + r + size, 1 + c : 1 + c + size] for r in (-1, 0, 1) for c in (-1, 0, 1)) - mines
    open_tiles = SHOWN[shown](*np.indices((size, size))) & ~mines
    cells = np.where(open_tiles, near.astype(str), "#")
    return f"mines: {mines.sum()}\n" + "\n".join("".join(row) for row in cells)


MEASURED = """
import sys
from bot.cli import run
code = run(sys.argv[1:])
most = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(most.split()[1], file=sys.stderr)
sys.exit(code)
"""
"""The command, which tells in the end how many kilobytes it had at most; the system's account for whoever started it
has the starter's own in it."""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems tell of memory in another way")
@pytest.mark.parametrize("shown", SHOWN)
def test_a_board_made_to_hurt_is_answered_within_bounds(shown: str, tmp_path: Path) -> None:
    import resource  # which Windows does not have

    file = tmp_path / "board.txt"
    file.write_text(board(shown), encoding="utf-8")
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", MEASURED, "solve", str(file), "--json"]
    solved = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert solved.returncode == 0, solved.stderr
    assert 1024 * int(solved.stderr.split()[-1]) < MEMORY
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < SECONDS
