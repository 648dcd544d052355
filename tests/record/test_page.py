"""A recorded game as a page, in a real browser."""

import base64
import io
import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from bot.cli import run
from bot.record.export import page
from bot.record.recorder import MANIFEST
from bot.record.recording import load_recording
from tests.browser import PROGRAM, Browser, browser
from tests.record.games import first, record, rewrite

EVIL = '</script><script>document.body.dataset.evil = 1</script><img src=x onerror="document.body.dataset.evil = 1">'


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded game whose first reason is a stranger's attempt to run something."""
    folder = tmp_path_factory.mktemp("page")
    record(folder, seed=5)

    def speak_evil(lines: list[dict[str, Any]]) -> None:
        lines[0]["started"] = EVIL
        first(lines, "decision")["decision"]["reason"] = EVIL

    rewrite(folder / "game-0001", speak_evil)
    return folder / "game-0001"


@pytest.fixture(scope="module")
def shown(game: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The page in a browser."""
    if PROGRAM is None:
        reason = "the page is tested in Chromium, which is not installed"
        pytest.fail(reason) if os.environ.get("MINEBOT_LIVE") == "1" else pytest.skip(reason)
    file = tmp_path_factory.mktemp("html") / "game.html"
    assert run(["replay", str(game), "--html", str(file), "--quiet"]) == 0
    with browser() as opened:
        opened.open(file)
        yield opened


@pytest.fixture(autouse=True)
def from_the_start(request: pytest.FixtureRequest) -> None:
    if "shown" in request.fixturenames:
        request.getfixturevalue("shown").value("play(false), show(0)")


def look(shown: Browser) -> tuple[int, str, str]:
    """What a person sees: which look it is, its picture, and what is said of it."""
    shown.value("element('picture').decode().then(() => new Promise(requestAnimationFrame)).then(() => 0)")
    number = shown.value("Number(element('slider').value)")
    return number, shown.value("element('picture').src"), shown.value("document.querySelector('aside').innerText")


def test_the_arrows_move_the_slider_and_the_picture_changes(shown: Browser) -> None:
    first = look(shown)
    shown.press("ArrowRight")
    second = look(shown)
    assert (first[0], second[0]) == (0, 1)
    assert first[1] != second[1]
    assert first[2] != second[2]
    shown.press("ArrowLeft")
    assert look(shown) == first
    shown.press("End")
    assert look(shown)[0] == shown.value("frames.length") - 1


def test_the_slider_is_moved_with_the_mouse(shown: Browser) -> None:
    box = shown.value("(({x, y, width, height}) => ({x, y, width, height}))(element('slider').getBoundingClientRect())")
    before = look(shown)
    shown.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    after = look(shown)
    assert after[0] == shown.value("frames.length") - 1
    assert after[1] != before[1]


def seen(shown: Browser) -> Any:
    look(shown)
    return cv2.imdecode(np.frombuffer(io.BytesIO(shown.screenshot()).getvalue(), np.uint8), cv2.IMREAD_COLOR)


def test_the_odds_are_an_overlay_that_can_be_taken_off(shown: Browser) -> None:
    shown.press("ArrowRight")
    with_odds = seen(shown)
    shown.press("o")
    without = seen(shown)
    shown.press("O")  # as the page writes it, or with Caps Lock
    again = seen(shown)
    assert not np.array_equal(with_odds, without)
    assert np.array_equal(with_odds, again)


def test_rows_and_columns_are_numbered_beside_the_board(shown: Browser) -> None:
    look(shown)
    grid = shown.value("frames[0].grid")
    scale = shown.value("element('marks').width / element('picture').naturalWidth")
    drawn = shown.value("element('marks').toDataURL('image/png').split(',')[1]")
    marks = cv2.imdecode(np.frombuffer(base64.b64decode(drawn), np.uint8), cv2.IMREAD_UNCHANGED)
    assert marks is not None
    ink = marks[..., 3]
    left, top, wide, high = (round(grid[name] * scale) for name in ("left", "top", "pitch_x", "pitch_y"))
    for place in range(9):
        assert ink[top + place * high : top + (place + 1) * high, : left - 1].any()
        assert ink[: top - 1, left + place * wide : left + (place + 1) * wide].any()


def test_what_a_recording_says_is_shown_and_never_run(shown: Browser) -> None:
    assert EVIL in shown.value("element('reason').textContent")
    assert EVIL[:16] in shown.value("document.title")
    assert shown.value("document.body.dataset.evil") is None
    assert shown.complaints == []


def test_the_page_asks_the_network_for_nothing(shown: Browser) -> None:
    shown.press("ArrowRight")
    look(shown)
    assert all(request.startswith(("file:", "data:")) for request in shown.requests)


def test_every_picture_and_word_is_inside_of_the_page(game: Path) -> None:
    text = page([load_recording(game)])
    assert not re.search(r"""(src|href)=["'](?!data:)""", text)
    assert "{{" not in text


@pytest.mark.parametrize(
    ("key", "nonsense"),
    [
        ("steps", 5),
        ("steps", [7]),
        ("candidates", {"row": 1}),
        ("candidates", [{"row": 99, "col": 0, "risk": 0, "value": 0}]),
        ("wrong_flags", "all"),
    ],
)
def test_nonsense_that_only_a_page_would_show_is_refused_with_its_line(
    game: Path, key: str, nonsense: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoilt = Path(shutil.copytree(game, tmp_path / "spoilt"))
    rewrite(spoilt, lambda lines: first(lines, "decision")["decision"].update({key: nonsense}))
    assert run(["replay", str(spoilt), "--html", str(tmp_path / "page.html")]) == 2
    told = capsys.readouterr().err
    assert f'{MANIFEST}", line 3: ' in told
    assert len(told.splitlines()) == 1


def test_a_picture_too_wide_for_a_page_is_refused(
    game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoilt = Path(shutil.copytree(game, tmp_path / "spoilt"))
    cv2.imwrite(str(spoilt / "0001.png"), np.zeros((10, 20_000, 3), np.uint8))
    assert run(["replay", str(spoilt), "--html", str(tmp_path / "page.html")]) == 2
    assert '0001.png" is too large for a page' in capsys.readouterr().err


def test_a_page_that_cant_be_written_is_refused(game: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(game), "--html", str(tmp_path / "none" / "page.html")]) == 2
    assert "can't write" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
