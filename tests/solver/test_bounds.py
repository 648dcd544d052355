"""Boards made to hurt: thousands of numbers that hang together. Each is answered in bounded time and memory."""

from __future__ import annotations

import os
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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows tells of time and memory in another way")
@pytest.mark.parametrize("shown", SHOWN)
def test_a_board_made_to_hurt_is_answered_within_bounds(shown: str, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(board(shown), encoding="utf-8")
    command = [sys.executable, "-m", "bot", "solve", str(file), "--json"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert used.ru_maxrss * 1024 < MEMORY
    assert used.ru_utime + used.ru_stime < SECONDS
