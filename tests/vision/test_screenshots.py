"""Real screenshots with their truth, where they are at hand: the reader is right about them or says it is unsure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.board import SYMBOLS
from bot.picture import load
from bot.vision.reader import Reader, Reading
from bot.vision.skin import Skin
from tests.outside import outside


def truths(kind: str) -> list[Any]:
    files = sorted(outside(f"screenshots/{kind}").glob("*.json"))
    if not files:
        reason = f"there are no {kind} screenshots beside the project"
        return [pytest.param(None, marks=pytest.mark.skip(reason=reason), id=f"no-{kind}-screenshots")]
    # Every fourth picture keeps the run short; `minebot bench read` reads them all.
    return [pytest.param(file, id=file.stem) for file in files[::4]]


def read(file: Path) -> tuple[dict[str, Any], Reading]:
    truth = json.loads(file.read_text(encoding="utf-8"))
    return truth, Reader(Skin.load("win7")).read(load(file.with_name(truth["image"])))


def differences(truth: dict[str, Any], reading: Reading) -> tuple[list[str], list[tuple[int, int]]]:
    """Return the tiles read wrongly, and the places of decidable tiles left unread."""
    assert (reading.board.rows, reading.board.cols) == (truth["rows"], truth["cols"])
    wrong, unread = [], []
    for row, line in enumerate(truth["cells"]):
        for col, symbol in enumerate(line):
            seen = SYMBOLS[reading.board.cells[row, col]]
            if symbol != "." and seen == ".":
                unread.append((row, col))
            elif symbol not in (".", seen):
                wrong.append(f"{symbol} at {row},{col} read as {seen}")
    return wrong, unread


@pytest.mark.parametrize("file", truths("win7"))
def test_windows_with_the_original_artwork_read_completely(file: Path) -> None:
    truth, reading = read(file)
    wrong, unread = differences(truth, reading)
    assert wrong == []
    assert truth["dialog"] or unread == []
    assert reading.mines_left == truth["mines_left"]
    assert reading.state == truth["state"]
    for mine, true in zip(reading.grid.box, truth["grid_box"], strict=True):
        assert abs(mine - true) <= 1.2


OVEREXPOSED = outside("screenshots/win7") / "win7-11-053.json"


@pytest.mark.skipif(not OVEREXPOSED.exists(), reason="there are no win7 screenshots beside the project")
def test_a_blank_in_too_much_light_is_not_a_mine_that_went_off() -> None:
    truth = json.loads(OVEREXPOSED.read_text(encoding="utf-8"))
    picture = load(OVEREXPOSED.with_name(truth["image"]))
    bright = np.clip(1.4 * picture.astype(np.float64) + 0.5, 0, 255).astype(np.uint8)
    wrong, _ = differences(truth, Reader(Skin.load("win7")).read(bright))
    assert wrong == []


@pytest.mark.parametrize("file", truths("wild"))
def test_pictures_people_took_are_never_read_wrongly(file: Path) -> None:
    truth, reading = read(file)
    wrong, unread = differences(truth, reading)
    assert wrong == []
    special = truth["frame"] is not None or "author-drawn" in truth["notes"]
    assert len(unread) <= (max(1, 0.01 * truth["rows"] * truth["cols"]) if special else 0)


EXPERTS = [
    file
    for kind in ("win7", "wild")
    for file in sorted(outside(f"screenshots/{kind}").glob("*.json"))
    for truth in [json.loads(file.read_text(encoding="utf-8"))]
    if (truth["rows"], truth["cols"]) == (16, 30) and not truth.get("crop")
]


@pytest.mark.skipif(not EXPERTS, reason="there are no screenshots beside the project")
def test_every_expert_window_has_sixteen_rows_of_thirty() -> None:
    """One was read as 16 rows of 32, two columns of them scenery."""
    boards = {file.stem: read(file)[1].board for file in EXPERTS}
    assert {name: (board.rows, board.cols) for name, board in boards.items()} == dict.fromkeys(boards, (16, 30))


@pytest.mark.parametrize("file", truths("classic"))
def test_the_classic_look_reads_completely_with_its_counter(file: Path) -> None:
    truth = json.loads(file.read_text(encoding="utf-8"))
    reading = Reader().read(load(file.with_name(truth["image"])))
    assert reading.skin == "winxp"
    assert differences(truth, reading) == ([], [])
    assert "mines_left" not in truth or reading.mines_left == truth["mines_left"]


@pytest.mark.skipif(not OVEREXPOSED.exists(), reason="the pictures are not beside the project")
def test_the_title_bar_of_a_dialog_is_no_row_of_blanks_in_any_light() -> None:
    file = outside("screenshots/win7") / "win7-11-018.json"
    truth = json.loads(file.read_text(encoding="utf-8"))
    gamma = np.rint(255 * (np.arange(256) / 255) ** 0.8).astype(np.uint8)
    reading = Reader(Skin.load("win7")).read(gamma[load(file.with_name(truth["image"]))])
    assert differences(truth, reading)[0] == []
