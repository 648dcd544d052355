"""What an unfinished calibration has learnt, kept for the next one.

Promises that samples come back as they were put away, or not at all: whatever else is in the files, nothing is learnt
from it. They are pictures of the game's window, in a folder for this user alone.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path

import numpy as np

from bot.board import Board, Cells
from bot.calibrate.samples import Sample
from bot.errors import MinebotError
from bot.files import data_folder, make_private, read_whole, write_whole
from bot.picture import load, save
from bot.vision.grid import Grid

Samples = Sequence[tuple[Sample, Cells]]

LARGEST_LIST = 1_000_000
"""Bytes; sixty boards of 24 × 30 tiles have a twentieth of that."""


def kept_folder(name: str) -> Path:
    """Return where the samples of an unfinished skin are."""
    return data_folder() / "unfinished" / name


def keep(folder: Path, samples: Samples) -> None:
    """Put samples away in place of those that are there. Raises `OSError` or `PictureError`."""
    make_private(folder)
    entries = []
    for number, (sample, cells) in enumerate(samples):
        file = f"{number:02}.png"
        save(folder / file, sample.picture)
        entries.append({"picture": file, "grid": list(astuple(sample.grid)), "cells": str(Board(cells)).splitlines()})
    write_whole(folder / "samples.json", json.dumps(entries).encode())


def kept(folder: Path) -> list[tuple[Sample, Cells]]:
    """Return the samples that were put away, none where there are none or the files are not what was written."""
    samples = []
    with suppress(OSError, ValueError, KeyError, TypeError, MinebotError):
        for entry in json.loads(read_whole(folder / "samples.json", LARGEST_LIST)):
            left, top, pitch_x, pitch_y, rows, cols = entry["grid"]
            grid = Grid(float(left), float(top), float(pitch_x), float(pitch_y), int(rows), int(cols))
            cells = np.array(Board.parse("\n".join(entry["cells"])).cells)
            picture = load(folder / Path(entry["picture"]).name)
            left, top, right, bottom = grid.box
            inside = 0 <= left < right <= picture.shape[1] and 0 <= top < bottom <= picture.shape[0]
            if cells.shape != (grid.rows, grid.cols) or not inside:
                return []
            samples.append((Sample("an earlier game", picture, grid), cells))
        return samples
    return []


def forget(folder: Path) -> None:
    """Throw kept samples away; they have become a skin, or made no good one."""
    shutil.rmtree(folder, ignore_errors=True)
