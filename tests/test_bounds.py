"""Boards and pictures made to hurt: each is answered in bounded time and memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
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


pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems tell of memory otherwise")


def answered(code: int, *arguments: str) -> None:
    """Run a command that must end with an exit code, within the bounds."""
    import resource  # which Windows does not have

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run([sys.executable, "-c", MEASURED, *arguments], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert ran.returncode == code, ran.stderr
    assert 1024 * int(ran.stderr.split()[-1]) < MEMORY
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < SECONDS


@pytest.mark.parametrize("shown", SHOWN)
def test_a_board_made_to_hurt(shown: str, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text(board(shown), encoding="utf-8")
    answered(0, "solve", str(file), "--json")


def test_a_picture_of_a_hundred_thousand_tiles(tmp_path: Path) -> None:
    black_or_white = 255 * np.random.default_rng(1).integers(0, 2, (300, 400), dtype=np.uint8)
    picture = np.kron(black_or_white, np.ones((16, 16), np.uint8))
    picture[::16] = picture[:, ::16] = 128
    file = tmp_path / "lines.png"
    assert cv2.imwrite(str(file), picture)
    answered(3, "read", str(file), "--json")
