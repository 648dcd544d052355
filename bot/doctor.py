"""Checks everything that playing depends on, and says for each what is wrong and how to put it right.

It looks and changes nothing. Later checks are left out when they make no sense without an earlier one: without a
window there is no board to be covered.
"""

from __future__ import annotations

import platform
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

import numpy as np

from bot import __version__
from bot.board import Cell, counted
from bot.desktop import (
    Desktop,
    DesktopError,
    Environment,
    GrabError,
    NoScreenError,
    NoWindowError,
    find_environment,
    open_desktop,
)
from bot.desktop.timing import FAST
from bot.files import data_folder, make_private
from bot.picture import Picture
from bot.play.eye import if_dimmed
from bot.settings import SettingsError, load_settings, settings_file
from bot.vision.grid import snapped
from bot.vision.matcher import Matcher, canonical_tiles
from bot.vision.reader import NoBoardError, Reader, Reading
from bot.vision.skin import Skin, all_skins

Status = Literal["pass", "warn", "fail"]

PACKAGES = ("numpy", "opencv-python", "opencv-python-headless", "numba", "mss", "pyautogui", "pywin32", "python3-xlib")

SMALLEST_TILES, LARGEST_TILES = 10.0, 200.0
"""Pixels between which tiles are read as promised."""

LARGEST_TIP = 24
"""So many tiles at most are hidden by a tip of the game; what hides more is a window."""

STILL_LOOKS = 8
"""How many pictures are compared to see whether the game stands still."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at; `fix` says what to do about it and is empty when there is nothing to do."""

    name: str
    status: Status
    finding: str
    fix: str = ""


def examine(window_text: str | None = None) -> Iterator[Check]:
    """Yield the checks of this computer and of the game on its screen, as they are made."""
    yield from check_installation()
    try:
        desktop = open_desktop(window_text, FAST)
        around = find_environment(window_text)
    except NoScreenError as error:
        fix = "run minebot in a desktop session, or play without a screen: minebot play --clone"
        yield Check("window", "fail", str(error), fix)
        return
    except NoWindowError as error:
        fix = (
            "start the game; when it is running, name a part of its window's title: --window TEXT"
            if window_text is None
            else "use a part of the window's title, class or program's name"
        )
        yield Check("window", "fail", str(error), fix)
        return
    except DesktopError as error:
        yield Check("desktop", "fail", str(error), "run minebot in a desktop session with a mouse and a screen")
        return
    yield from check_desktop(desktop, around)


# The installation


def check_installation() -> Iterator[Check]:
    """Yield what does not need a screen: versions, settings, folders, skins."""
    yield Check("versions", "pass", f"minebot {__version__}, Python {platform.python_version()}, {_packages()}")
    yield _settings()
    yield _data_folder()
    yield _skins()


def _packages() -> str:
    found = []
    for package in PACKAGES:
        try:
            found.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return ", ".join(found)


def _settings() -> Check:
    try:
        chosen = load_settings()
    except SettingsError as error:
        return Check("settings", "fail", str(error), f'correct or remove "{settings_file()}"')
    return Check("settings", "pass", ", ".join(f"{key} = {value}" for key, value in chosen.items()) or "none are set")


def _data_folder() -> Check:
    folder = data_folder()
    try:
        make_private(folder)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        fix = "make it writable, or name another folder in MINEBOT_DATA"
        return Check("data folder", "warn", f'"{folder}" can\'t be written: {error.strerror}', fix)
    return Check("data folder", "pass", str(folder))


def _skins() -> Check:
    known, broken = all_skins()
    if broken:
        return Check("skins", "warn" if known else "fail", str(broken[0]), "remove that skin or make it anew")
    if not known:
        return Check("skins", "fail", "there are none", "install minesweeper-bot again")
    return Check("skins", "pass", ", ".join(skin.name for skin in known))


# The desktop


def check_desktop(desktop: Desktop, around: Environment) -> Iterator[Check]:
    """Yield what concerns the game on the screen."""
    yield _system(around)
    yield _scaling(around)
    yield _rights(around)
    try:
        client = desktop.window.client()
    except NoWindowError as error:
        yield Check("window", "fail", str(error), "bring the game's window back to the screen")
        return
    where = f"{client.width}×{client.height} pixels at {client.left}, {client.top}"
    yield Check("window", "pass", f'"{desktop.window.title}", {where}')
    dialog = desktop.window.dialog()
    if dialog is not None:
        yield Check("dialog", "warn", f'"{dialog.title}" is in front of the game', "answer it")
    try:
        picture = desktop.screen.grab(client)
    except GrabError as error:
        yield Check("picture", "fail", str(error), "bring the whole window onto the screen; unlock the screen")
        return
    yield _picture(picture)
    yield from _board(desktop, around, picture)
    yield _standing_still(desktop, picture)


def _system(around: Environment) -> Check:
    hindrance = around.hindrance
    if hindrance is not None:
        return Check("system", "warn", f"{around.system}: {hindrance}", "log in to an ordinary X11 session")
    return Check("system", "pass", around.system)


def _scaling(around: Environment) -> Check:
    scale = "" if around.scale is None else f", scaling {100 * around.scale:.0f} %"
    if not around.physical_pixels:
        fix = "in the properties of python.exe, Compatibility, let the application do the DPI scaling"
        return Check("scaling", "fail", f"Windows stretches our view of the screen{scale}", fix)
    return Check("scaling", "pass", f"physical pixels{scale}")


def _rights(around: Environment) -> Check:
    if around.out_of_reach:
        fix = "start minebot as administrator, or the game without"
        return Check("rights", "fail", "the game runs as administrator and minebot does not: clicks would vanish", fix)
    return Check("rights", "pass", "the game takes our clicks")


def _picture(picture: Picture) -> Check:
    if int(picture.max()) == int(picture.min()):
        return Check("picture", "fail", "the window shows one single colour", "bring the game to the front")
    return Check("picture", "pass", "the window's pixels can be seen")


def _board(desktop: Desktop, around: Environment, picture: Picture) -> Iterator[Check]:
    try:
        reading = Reader().read(picture)
    except NoBoardError:
        fix = "uncover the board; for a look that minebot does not know: minebot calibrate"
        yield Check("board", "fail", "no board is seen in the window", fix)
        return
    board, grid = reading.board, reading.grid
    # Tiles are fitted to fractions of a pixel over the whole board: whole pixels within that are what the game draws.
    found = f"{board.rows}×{board.cols}, tiles of {snapped(grid).pitch:.1f} pixels"
    if SMALLEST_TILES <= grid.pitch <= LARGEST_TILES:
        yield Check("board", "pass", found)
    else:
        fix = f"resize the window until tiles have {SMALLEST_TILES:.0f} to {LARGEST_TILES:.0f} pixels"
        yield Check("board", "warn", found, fix)
    yield _skin(reading, picture)
    yield _cover(desktop, around, reading)
    yield _marks(reading)
    yield from _tip(reading)
    yield _clicks(desktop)


def _skin(reading: Reading, picture: Picture) -> Check:
    """How surely the tiles are told apart: 1 is certain, below 0.15 the reader has to look twice."""
    margins = Matcher(Skin.load(reading.skin)).match(canonical_tiles(picture, reading.grid)).margin
    sure = f'"{reading.skin}", margins {margins.min():.2f} at worst, {np.median(margins):.2f} usually'
    if reading.doubts:
        fix = "uncover the board and take the mouse off it; if that does not help: minebot calibrate"
        unread = f"{counted(len(reading.doubts), 'tile')} can't be read{if_dimmed(picture)}"
        return Check("skin", "warn", f"{sure}; {unread}", fix)
    if reading.problems:
        return Check("skin", "warn", f"{sure}; {reading.problems[0]}", "report it: minebot play --record DIR")
    return Check("skin", "pass", sure)


def _cover(desktop: Desktop, around: Environment, reading: Reading) -> Check:
    client, grid = desktop.window.client(), reading.grid
    covering: dict[str, int] = {}
    for row in range(grid.rows):
        for col in range(grid.cols):
            x, y = grid.center(row, col)
            at = client.left + round(x), client.top + round(y)
            if not desktop.window.owns(*at):
                title = around.at(*at)
                covering[title] = covering.get(title, 0) + 1
    if covering:
        told = ", ".join(f'"{title}" covers {tiles}' for title, tiles in covering.items())
        dialog = desktop.window.dialog()
        fix = "answer it" if dialog is not None and set(covering) == {dialog.title} else "move that window away"
        return Check("cover", "warn", f"of {grid.rows * grid.cols} tiles {told}", fix)
    return Check("cover", "pass", "nothing is in front of the board")


def _marks(reading: Reading) -> Check:
    if (reading.board.cells == Cell.QUESTION).any():
        fix = "turn question marks off in the game's options (F5): every flag then takes one click"
        return Check("question marks", "warn", "the board has some, so they are on; each costs a flag two clicks", fix)
    return Check("question marks", "pass", "none are seen, which costs nothing; whether they are on can't be seen")


def _tip(reading: Reading) -> Iterator[Check]:
    """A tip is a small block of tiles that can't be read, well inside a board on which nothing else is doubtful."""
    unread = np.argwhere(reading.board.cells == Cell.UNREAD)
    if not len(unread):
        return
    (top, left), (bottom, right) = unread.min(axis=0), unread.max(axis=0)
    area = int((bottom - top + 1) * (right - left + 1))
    if len(unread) == area <= LARGEST_TIP:
        fix = "wait until it goes, or turn off tips in the game's options (F5): it takes the click that hits it"
        yield Check("tips", "warn", f"something lies over {counted(area, 'tile')}, perhaps a tip of the game", fix)


def _clicks(desktop: Desktop) -> Check:
    if desktop.mouse.in_step:
        return Check("clicks", "pass", "the bot waits until the game has handled each click, a drawing or two")
    return Check("clicks", "pass", "this game takes a click where it was made; nothing is waited for")


def _standing_still(desktop: Desktop, first: Picture) -> Check:
    """Whether the board moves by itself. The clock may: a second's step changes one look of many."""
    client = desktop.window.client()
    changes = 0
    for _ in range(STILL_LOOKS):
        desktop.clock.sleep(FAST.window_poll)
        again = desktop.screen.grab(client)
        changes += again.shape != first.shape or not np.array_equal(again, first)
        first = again
    if changes > STILL_LOOKS // 2:
        fix = 'turn off "Display animations" in the game\'s options (F5)'
        finding = "the picture keeps moving: animations are on, which costs a few drawings at every opening"
        return Check("animations", "warn", finding, fix)
    finding = "the picture stands still; whether openings fade is seen at the first one, and costs a few drawings each"
    return Check("animations", "pass", finding)


def worst(checks: list[Check]) -> Status:
    """Return the gravest status."""
    order: list[Status] = ["pass", "warn", "fail"]
    return max((check.status for check in checks), key=order.index, default="pass")
