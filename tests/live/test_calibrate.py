"""Real games of which nothing is known, learnt by one command and then played: GNOME Mines and WineMine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from bot.board import Board
from bot.cli import run
from bot.desktop import NoWindowError, open_desktop
from bot.desktop.timing import FAST, wait_until
from bot.level import Level
from bot.picture import Picture, load
from bot.play import GameResult, Player, Settings, Watcher
from bot.vision.matcher import canonical_tiles
from bot.vision.reader import Reader, Reading
from bot.vision.similarity import SIDE, apart, looks_of
from bot.vision.skin import Skin
from tests.live import stage

GNOME_MINES = "/usr/games/gnome-mines"
FIXTURES = Path(__file__).parents[2] / "fixtures" / "screenshots" / "winemine"
GAMES = 10

FEW_GAMES = 5
"""So many games may all be lost, when the next one was stopped by a number that calibrating never met."""

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="there is no GNOME on Windows, and one screen is enough"
)

needs_gnome = pytest.mark.skipif(
    not Path(GNOME_MINES).exists() and not stage.wanted(), reason=f"there is no {GNOME_MINES}"
)


@contextmanager
def gnome_mines(folder: Path) -> Iterator[None]:
    """GNOME Mines at its middle level in a window of the whole screen, with settings of its own."""
    settings = folder / "glib-2.0" / "settings" / "keyfile"
    settings.parent.mkdir(parents=True)
    settings.write_text("[org/gnome/Mines]\nwindow-is-maximized=true\n", encoding="utf-8")
    own = {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder), "HOME": str(folder)}
    command = [
        "env",
        *(f"{name}={value}" for name, value in own.items()),
        "GSETTINGS_BACKEND=keyfile",
        "NO_AT_BRIDGE=1",
    ]
    with stage.ended([*command, "DBUS_SESSION_BUS_ADDRESS=disabled:", GNOME_MINES, "--medium"]):

        def shown() -> bool:
            from bot.desktop.x11 import find_window

            try:
                return find_window("Mines", FAST).client().width > 600
            except NoWindowError:
                return False

        assert wait_until(shown, stage.START_TIMEOUT, stage.POLL), "GNOME Mines did not open a window"
        yield


class Consistency(Watcher):
    """Holds every reading against all others: tiles read as two different values never look the same."""

    def __init__(self) -> None:
        self.looks: dict[int, list[np.ndarray[tuple[int, ...], np.dtype[np.float32]]]] = {}
        self.problems: list[str] = []

    def looked(self, reading: Reading, picture: Picture) -> None:
        if reading.state == "playing":
            self.problems += reading.problems
        looks = looks_of(canonical_tiles(picture, reading.grid, SIDE))
        for value in np.unique(reading.board.cells).tolist():
            known = self.looks.setdefault(value, [])
            for look in looks[reading.board.cells.ravel() == value]:
                if not known or float(apart(look[None], np.array(known)).min()) > 3:
                    known.append(look)

    def confused(self) -> list[tuple[int, int]]:
        values = sorted(self.looks)
        return [
            (one, other)
            for one in values
            for other in values
            if one < other and float(apart(np.array(self.looks[one]), np.array(self.looks[other])).min()) < 10
        ]


@needs_gnome
def test_gnome_mines_is_learnt_by_one_command_and_played_without_a_misread(
    live_screen: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path / "data"))
    with gnome_mines(tmp_path / "gnome"):
        assert run(["calibrate", "--name", "gnome", "--window", "Mines", "--quiet"]) == 0
        skin = Skin.load("gnome")
        assert set("01234#F?*X") <= set(skin.known)
        watcher = Consistency()
        desktop = open_desktop("Mines", FAST)
        games: list[GameResult] = []
        for _ in range(2):  # once, the window manager may be late to give back the focus that a winner's dialog had
            session = Player(desktop, Reader(skin), Settings(strategy="csp"), watcher).play(GAMES - len(games))
            games += session.finished
            if session.stop is None or "focus" not in session.stop.reason:
                break
        # A number so rare that calibrating never met it is doubted, which is no misread.
        assert session.stop is None or "can't read the tile" in session.stop.reason
        assert any(game.won for game in games) or len(games) < FEW_GAMES
        assert watcher.problems == []
        assert watcher.confused() == []


def test_winemines_skin_is_made_again_from_nothing_and_reads_all_its_fixtures(
    live_screen: None, tmp_path: Path
) -> None:
    with stage.winemine(Level(14, 16, 48), marks=True):  # crowded, so that there are high numbers to see
        assert run(["calibrate", "--name", "again", "--to", str(tmp_path / "again"), "--games", "20", "--quiet"]) == 0
    skin = Skin.load(tmp_path / "again")
    for file in sorted(FIXTURES.glob("*.png")):
        told = Board.parse(file.with_suffix(".txt").read_text(encoding="utf-8"))
        seen = Reader(skin).read(load(file)).board
        known = np.isin(told.cells, list(skin.tiles))
        assert np.array_equal(seen.cells[known], told.cells[known]), file.name
        assert (seen.cells[~known] == 15).all(), "what was never seen is in doubt, not misread"
    assert set("01234#F?*X") <= set(skin.known)
