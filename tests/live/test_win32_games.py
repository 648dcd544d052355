"""Whole games on the clone's Win32 window, which takes input as the Windows 7 game does: the referee is the window.

Run by a Windows Python, since only there can a program know when another has handled a click.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bot.desktop import open_desktop
from bot.desktop.timing import FAST, Seconds, wait_until
from bot.level import LEVELS
from bot.play import Player, Settings
from bot.vision.reader import Reader
from bot.words import ClickStyle
from tests.live import stage
from tests.live.win32_trial import compare, trial

pytestmark = pytest.mark.skipif(sys.platform != "win32", reason="a Windows Python runs these")


FEW = 3
"""Clicks that may be lost in two games: swallowed by a fade that was not known of yet, or hit by a tip."""


@pytest.mark.parametrize(
    ("level", "style", "options"),
    [
        ("intermediate", "flags", ["--animations", "--draw-ms", "16"]),
        ("intermediate", "chords", ["--animations", "--draw-ms", "0", "--stall-ms", "150"]),
        ("expert", "noflags", ["--no-animations", "--draw-ms", "33", "--stall-ms", "150"]),
        ("beginner", "flags", ["--no-animations", "--scale", "1.37", "--theme", "green", "--tips"]),
    ],
)
def test_no_click_acts_on_another_tile_and_games_follow_one_another(
    live_screen: None, level: str, style: ClickStyle, options: list[str]
) -> None:
    told = trial(LEVELS[level], 2, style, 50, options)
    assert told["stop"] is None, told
    assert told["games"] == 2
    assert told["misplaced"] == 0, told
    assert told["told"][0] == 0
    assert told["lost"] <= FEW, told
    assert told["lost_on_known_mines"] == 0


def test_it_plays_beside_processes_that_keep_the_computer_busy(live_screen: None) -> None:
    told = trial(LEVELS["beginner"], 3, "flags", 60, ["--animations", "--draw-ms", "16"], busy=2)
    assert told["stop"] is None, told
    assert (told["misplaced"], told["games"]) == (0, 3)


@pytest.mark.parametrize("question", ["--saved-game", "--choose-difficulty"])
def test_a_question_at_the_start_is_told_and_left_to_the_user(live_screen: None, tmp_path: Path, question: str) -> None:
    with stage.win32_clone(tmp_path, "--level", "beginner", question) as account:
        desktop = open_desktop("Minesweeper", FAST)
        assert wait_until(desktop.window.dialog, Seconds(30), Seconds(0.02)), "it comes after the window"
        session = Player(desktop, Reader(), Settings(strategy="csp", think=0.0)).play(1)
        assert session.stop is not None
        assert "waits for an answer" in session.stop.reason
        assert account.lines("open", "answer") == []


def test_the_referee_sees_a_click_on_another_tile_and_a_lost_one() -> None:
    meant = [("open", 1, 1), ("flag", 2, 2), ("open", 3, 3)]
    assert compare(meant, meant) == (0, 0)
    assert compare(meant, [("open", 1, 1), ("open", 3, 3)]) == (0, 1)
    assert compare(meant, [("open", 1, 1), ("flag", 2, 3), ("open", 3, 3)]) == (1, 1)
