from __future__ import annotations

import ast
import itertools
import time
from dataclasses import fields
from pathlib import Path

import pytest

import bot
from bot.desktop.timing import PRESETS, Deadline, Seconds, wait_until
from bot.words import PACES


def test_every_pace_has_a_preset() -> None:
    assert set(PRESETS) == set(PACES)


@pytest.mark.parametrize("pace", PACES)
def test_a_lost_click_is_never_retried_within_the_double_click_time(pace: str) -> None:
    windows_default_double_click_time = 0.5
    timing = next(timing for name, timing in PRESETS.items() if name == pace)
    assert timing.retry_after > windows_default_double_click_time
    assert timing.double_click_guard > windows_default_double_click_time


def test_a_slower_pace_never_waits_less() -> None:
    quick_first = [PRESETS[pace] for pace in PACES]
    for quick, slow in itertools.pairwise(quick_first):
        for field in fields(quick):
            if field.name != "pointer_speed":
                assert getattr(quick, field.name) <= getattr(slow, field.name), field.name


def test_waiting_ends_with_the_first_true_look() -> None:
    looks = iter(["", "", "here", "too far"])
    assert wait_until(lambda: next(looks), Seconds(5), Seconds(0)) == "here"


def test_waiting_in_vain_ends_with_a_false_look_once_the_time_is_up() -> None:
    start = time.monotonic()
    assert not wait_until(lambda: False, Seconds(0.02), Seconds(0.005))
    assert time.monotonic() - start >= 0.02


def test_a_deadline_of_nothing_has_passed() -> None:
    assert Deadline(Seconds(0)).passed
    assert not Deadline(Seconds(0)).left


def test_nothing_but_timing_sleeps() -> None:
    package = Path(bot.__file__).parent
    sleepers = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute | ast.ImportFrom)
        and ast.unparse(node) in ("time.sleep", "from time import sleep")
    }
    # A signal waits for the end of an import in a thread of its own, by the real clock.
    assert sleepers == {"desktop/timing.py", "signals.py"}
