"""The Windows clone as the bot meets it: found, seen and clicked from X11 and from Windows alike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from bot.board import Board
from bot.clone.painter import Design, Painter
from bot.desktop import Desktop, open_desktop
from bot.desktop.timing import FAST, wait_until
from bot.level import LEVELS
from bot.picture import Picture
from tests.live import stage, user

pytestmark = pytest.mark.usefixtures("windows_python")


def picture(desktop: Desktop, width: int, height: int) -> Picture:
    """Return the lowest pixels of the client area, which on X11 has the menu in it too."""
    client = desktop.window.client()
    seen = desktop.screen.grab(client)[-height:, :width]
    return np.ascontiguousarray(seen)


@pytest.mark.parametrize(
    ("level", "size"), [("beginner", (222, 225)), ("intermediate", (348, 351)), ("expert", (600, 351))]
)
def test_it_shows_the_painters_picture_pixel_by_pixel_at_the_real_size(
    tmp_path: Path, level: str, size: tuple[int, int]
) -> None:
    chosen = LEVELS[level]
    with stage.win32_clone(tmp_path, "--level", level, "--no-animations"):
        desktop = open_desktop("Minesweeper", FAST)
        client = desktop.window.client()
        assert client.width == size[0]
        user.move_pointer(client.left + 5, client.top + client.height - 5)
        wanted = Painter(chosen.rows, chosen.cols, Design()).paint(
            Board.covered(chosen.rows, chosen.cols, chosen.mines)
        )
        assert wait_until(lambda: np.array_equal(picture(desktop, *size), wanted), user.PATIENCE, user.POLL)


def test_a_click_opens_the_tile_under_the_pointer(tmp_path: Path) -> None:
    with stage.win32_clone(tmp_path, "--level", "beginner", "--no-animations") as account:
        window = open_desktop("Minesweeper", FAST).window
        window.bring_to_front()  # the click that activates a window is eaten
        client = window.client()
        user.move_pointer(client.left + 30 + 6 * 18 + 9, client.top + client.height - 33 - 2 * 18 - 9)
        user.click()
        assert wait_until(lambda: account.acts() == [("open", (6, 6))], user.PATIENCE, user.POLL), account.lines()


def test_it_is_found_under_a_title_in_another_language(tmp_path: Path) -> None:
    with stage.win32_clone(tmp_path, "--level", "beginner", title="Démineur"):
        assert open_desktop(None, FAST).window.title == "Démineur"
