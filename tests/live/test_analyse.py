"""The analyser looks at a live game: once, and without touching it."""

import sys

import pytest

from bot.board import Board
from bot.desktop import NoWindowError
from bot.web.server import look_once
from tests.live import stage, user

pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the overlay of Windows is tried out by hand"),
    pytest.mark.usefixtures("live_screen"),
]


def test_a_live_game_is_grabbed_and_left_alone() -> None:
    with stage.clone(3, "--no-animations"):
        before = user.pointer()
        first, second = look_once(None), look_once(None)
        assert user.pointer() == before
    assert first["kind"] == "picture"
    assert first["picture"].startswith("data:image/png;base64,")
    assert Board.parse(first["board"]) == Board.covered(9, 9, 10)
    assert second["board"] == first["board"]


def test_no_game_is_told_in_a_sentence() -> None:
    with pytest.raises(NoWindowError):
        look_once("no window has this title")
