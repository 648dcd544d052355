from __future__ import annotations

from bot.desktop import Rect
from bot.desktop.protocols import beside


def test_a_window_beside_the_game_goes_to_its_right_and_to_its_left_for_want_of_room() -> None:
    screen_width, width = 1000, 300
    assert beside(Rect(100, 50, 300, 400), width, screen_width) == (408, 50)
    assert beside(Rect(650, 50, 300, 400), width, screen_width) == (342, 50)


def test_on_a_narrow_screen_it_covers_the_game_rather_than_leave_the_screen() -> None:
    assert beside(Rect(100, 50, 300, 400), 300, 500) == (0, 50)
