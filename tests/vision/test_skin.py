"""Skins are data: they load by name and by path, round-trip, and a broken one is named by its file."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from bot.board import Board, Cell
from bot.calibrate.build import make_skin
from bot.calibrate.samples import Sample
from bot.cli import run
from bot.clone.painter import Design, Painter
from bot.vision import skin as skins
from bot.vision.grid import Grid
from bot.vision.reader import NoBoardError, Reader
from bot.vision.skin import Skin, SkinError, known_counters, names
from tests.files.programs import start
from tests.vision.midgame import MIDGAME

SHIPPED = ("win7", "winxp", "winemine")


def test_the_skins_we_ship_know_every_tile() -> None:
    assert set(SHIPPED) <= set(names())
    for name in SHIPPED:
        assert Skin.load(name).known == "012345678#F?*Xx"


def test_a_skin_loads_by_its_folder_too() -> None:
    folder = Skin.load("win7").folder
    assert folder is not None
    assert Skin.load(folder).name == "win7"
    assert Skin.load(str(folder / "skin.toml")).name == "win7"


def test_a_saved_skin_loads_as_it_was(tmp_path: Path) -> None:
    original = Skin.load("win7")
    original.save(tmp_path / "copy")
    copy = Skin.load(tmp_path / "copy")
    assert copy.title == original.title
    assert copy.known == original.known
    for value, variants in original.tiles.items():
        assert sorted(copy.themes[value]) == sorted(original.themes[value])
        assert {tile.tobytes() for tile in copy.tiles[value]} == {tile.tobytes() for tile in variants}
    assert copy.counter is not None
    assert len(copy.counter.digits) == 2


def test_a_picture_file_of_any_other_name_belongs_to_no_theme(tmp_path: Path) -> None:
    Skin.load("winemine").save(tmp_path / "own")
    (tmp_path / "own" / "flag.png").rename(tmp_path / "own" / "red-banner.png")
    (tmp_path / "own" / "1.png").rename(tmp_path / "own" / "10.png")
    spoil(tmp_path / "own", '"flag.png"', '"red-banner.png"')
    spoil(tmp_path / "own", '"1.png"', '"10.png"')
    assert {theme for themes in Skin.load(tmp_path / "own").themes.values() for theme in themes} == {""}


def plain_skin(shade: int) -> Skin:
    """A skin all of whose tiles have one shade, so that a mixture of two shows."""
    tiles = {value: np.full((1, 16, 16, 3), shade, dtype=np.uint8) for value in range(len(skins.CELL_NAMES))}
    return Skin("plain", f"shade {shade}", 16, tiles)


def shades(skin: Skin) -> set[int]:
    return {int(shade) for tiles in skin.tiles.values() for shade in np.unique(tiles)}


def test_a_skin_that_is_replaced_leaves_nothing_of_the_old_one(tmp_path: Path) -> None:
    sheet = np.zeros((4, 4, 3), np.uint8)
    for shade in (10, 20, 30):
        plain_skin(shade).save(tmp_path / "plain", sheet + np.uint8(shade))
        copy = Skin.load(tmp_path / "plain")
        assert (shades(copy), copy.themes[0]) == ({shade}, ("",))
        assert len(list((tmp_path / "plain").iterdir())) == len(skins.CELL_NAMES) + 2  # skin.toml and the sheet
        shown = cv2.imread(str(tmp_path / "plain" / skins.SHEET))
        assert shown is not None
        assert (shown == shade).all()  # under its one name, whatever was there before
    assert [file.name for file in tmp_path.iterdir()] == ["plain"]


SAVER = """
import sys
from dataclasses import replace
from pathlib import Path
from tests.vision.test_skin import plain_skin
print("go", flush=True)
while True:
    for shade in map(int, sys.argv[2:]):
        plain_skin(shade).save(Path(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing can be killed like that on Windows")
def test_programs_that_are_killed_while_they_replace_a_skin_leave_one_that_is_whole(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    plain_skin(1).save(folder)
    for _ in range(3):
        savers = [start(SAVER, folder, *pair) for pair in ((10, 20), (30, 40))]
        for saver in savers:
            assert saver.stdout is not None
            saver.stdout.readline()
        for _ in range(40):
            skin = Skin.load(folder)
            assert skin.title == f"shade {min(shades(skin))}"
            assert len(shades(skin)) == 1
        for saver in savers:
            saver.kill()
            saver.communicate()
        assert len(shades(Skin.load(folder))) == 1


def test_the_users_own_skin_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skins, "user_folder", lambda: tmp_path)
    tile = np.full((1, 16, 16, 3), 90, dtype=np.uint8)
    Skin("win7", "mine", 16, {int(Cell.COVERED): tile}).save(tmp_path / "win7")
    assert Skin.load("win7").title == "mine"


def test_an_unknown_skin_is_named_with_those_there_are() -> None:
    with pytest.raises(SkinError, match=r'no skin "vista"; known: .*win7'):
        Skin.load("vista")


def spoil(folder: Path, line: str, replacement: str) -> None:
    file = folder / "skin.toml"
    file.write_text(file.read_text(encoding="utf-8").replace(line, replacement), encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "replacement", "named"),
    [
        ("format = 1", "format = 9", "format is 9"),
        ("tile = 64", "tile = 3", "tile is 3"),
        ("tile = 64", "tile = 60", "not a row of 60×60 tiles"),
        ("[tiles]", "[tiles", "is not TOML"),
        ("[tiles]", "x = " + "[" * 5000, "nested too deeply"),
        ("[tiles]", "#" * 200_000, "too large"),
        ("flag =", "banner =", '"banner" is not one of'),
        ('["flag-blue.png"', '["gone.png"', "gone.png"),
        ('side = "below"', 'side = "beside"', "'beside'"),
    ],
)
def test_a_broken_skin_is_told_by_file_and_fault(tmp_path: Path, line: str, replacement: str, named: str) -> None:
    Skin.load("win7").save(tmp_path / "broken")
    spoil(tmp_path / "broken", line, replacement)
    with pytest.raises(SkinError) as error:
        Skin.load(tmp_path / "broken")
    assert named in str(error.value)
    assert str(tmp_path) in str(error.value)


@pytest.mark.parametrize(
    ("line", "replacement", "named"),
    [
        ('"flag.png"', '"long.png"', "more than 1000 tiles"),
        ('"flag.png"', ", ".join(['"half.png"'] * 2), "more than 1000 tiles"),
        ('"digits-1.png"', ", ".join(['"digits-1.png"'] * 21), "more than 20 pictures of digits"),
        ('"digits-1.png"', '"long.png"', "too large for 11 digits"),
    ],
)
def test_a_skin_that_would_fill_the_memory_is_refused(tmp_path: Path, line: str, replacement: str, named: str) -> None:
    Skin.load("winemine").save(tmp_path / "vast")
    cv2.imwrite(str(tmp_path / "vast" / "long.png"), np.full((16, 16 * 11 * 100, 3), 200, np.uint8))
    cv2.imwrite(str(tmp_path / "vast" / "half.png"), np.full((16, 16 * 550, 3), 200, np.uint8))
    spoil(tmp_path / "vast", line, replacement)
    with pytest.raises(SkinError, match=named):
        Skin.load(tmp_path / "vast")


@pytest.mark.parametrize(
    ("line", "replacement"),
    [
        ('title = "', 'title = "\\u001b]2;evil'),
        ('"flag.png"', '"\\u001b]2;evil.png"'),
        ("\nflag =", '\n"\\u001b]2;evil" ='),
    ],
)
def test_nothing_in_a_skin_commands_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], line: str, replacement: str
) -> None:
    monkeypatch.setattr(skins, "user_folder", lambda: tmp_path)
    Skin.load("winemine").save(tmp_path / "evil")
    spoil(tmp_path / "evil", line, replacement)
    run(["skins"])
    out, err = capsys.readouterr()
    assert "]2;evil" in out + err
    assert "\x1b" not in out + err


def test_a_picture_that_is_none_is_named(tmp_path: Path) -> None:
    Skin.load("win7").save(tmp_path / "broken")
    (tmp_path / "broken" / "mine-blue.png").write_bytes(b"not a picture")
    with pytest.raises(SkinError, match=r"mine-blue\.png"):
        Skin.load(tmp_path / "broken")


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A skin of the user's that lacks a picture."""
    monkeypatch.setattr(skins, "user_folder", lambda: tmp_path)
    Skin.load("winemine").save(tmp_path / "broken")
    (tmp_path / "broken" / "flag.png").unlink()


@pytest.mark.usefixtures("broken")
def test_a_broken_skin_of_the_users_hides_none_of_the_others() -> None:
    assert len(known_counters()) >= len(SHIPPED)
    assert Reader().read(Painter(9, 9).paint(MIDGAME)).skin == "win7"


@pytest.mark.usefixtures("broken")
def test_a_broken_skin_is_told_where_none_of_the_others_finds_a_board() -> None:
    with pytest.raises(NoBoardError, match=r"no board in the picture; .*flag\.png"):
        Reader().read(np.full((200, 300, 3), 200, dtype=np.uint8))


def test_where_all_skins_are_broken_one_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skins, "roots", lambda: [tmp_path])
    (tmp_path / "only").mkdir()
    (tmp_path / "only" / "skin.toml").write_text("format = 9\n")
    with pytest.raises(SkinError, match="format is 9"):
        Reader().read(Painter(9, 9).paint(MIDGAME))


def test_a_folder_without_a_skin_is_none(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "tile.png"), np.zeros((16, 16, 3), np.uint8))
    with pytest.raises(SkinError, match=r"has no skin\.toml"):
        Skin.load(tmp_path)


@pytest.mark.parametrize("name", ["n" * 300, "d/" + "n" * 300])
def test_a_name_that_no_folder_can_have_is_told(tmp_path: Path, name: str) -> None:
    with pytest.raises(SkinError, match="n"):
        Skin.load(name)
    with pytest.raises(SkinError, match="can't be written"):
        Skin.load("win7").save(tmp_path / name)


def test_the_skin_taken_from_a_game_is_chosen_where_a_drawn_one_sees_tiles_in_what_is_below_the_board(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As with KMines: its covers look like the Windows 7 game's, and so did its frame."""
    painter = Painter(9, 9, Design(pitch=29.0))
    midgame, board = painter.paint(MIDGAME), painter.board_rect
    grid = Grid(board.left, board.top, 29.0, 29.0, 9, 9)
    told = np.where(np.isin(MIDGAME.cells, [Cell.COVERED, 0, 1, 2]), MIDGAME.cells, Cell.UNREAD)
    own = make_skin("own", [(Sample("picture", midgame, grid), told.astype(np.uint8))], origin="taken")
    new = painter.paint(Board.covered(9, 9))
    bottom = board.top + board.height
    picture = np.vstack([new[:bottom], np.full((58, *new.shape[1:]), 255, dtype=np.uint8), new[bottom:]])
    larger = replace(grid, rows=11)
    monkeypatch.setattr("bot.vision.finder.search", lambda picture, effort: [[larger]])
    monkeypatch.setattr("bot.vision.finder.find_faint_grids", lambda picture, effort: [grid])
    reader = Reader()
    monkeypatch.setattr("bot.vision.reader.all_skins", lambda: ([Skin.load("win7"), own], []))
    assert reader.read(picture).skin == "own"
