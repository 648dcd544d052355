from __future__ import annotations

import pytest

from bot.desktop import NoWindowError
from bot.desktop.names import WindowNames, find_game

WINDOWS_7 = WindowNames("Démineur", "Minesweeper", "MineSweeper.exe")
XP_RENAMED = WindowNames("my mines", "Afx:400000", "WINMINE.EXE")
CHINESE_CLONE = WindowNames("扫雷", "SomeClone", "clone.exe")
UNDER_WINE_ON_X11 = WindowNames("WineMine", "winemine.exe", "wine64-preloader")
WEB_PAGE = WindowNames("Minesweeper - strategy - Browser", "BrowserClass", "browser.exe")
EDITOR = WindowNames("notes.txt", "Editor", "editor.exe")


@pytest.mark.parametrize("game", [WINDOWS_7, XP_RENAMED, CHINESE_CLONE, UNDER_WINE_ON_X11])
def test_a_game_is_known_by_its_class_its_program_or_its_title_in_any_language(game: WindowNames) -> None:
    assert find_game([EDITOR, WEB_PAGE, game], None) == 2


def test_a_web_page_about_the_game_is_no_game() -> None:
    with pytest.raises(NoWindowError, match="no Minesweeper window"):
        find_game([EDITOR, WEB_PAGE], None)


def test_without_windows_there_is_no_game() -> None:
    with pytest.raises(NoWindowError):
        find_game([], None)


def test_the_surest_game_wins_over_the_topmost_and_the_topmost_over_its_equals() -> None:
    assert find_game([CHINESE_CLONE, WINDOWS_7], None) == 1
    assert find_game([EDITOR, WINDOWS_7, WINDOWS_7], None) == 1


@pytest.mark.parametrize("text", ["strategy", "BROWSERCLASS", "browser.exe"])
def test_a_text_names_a_window_by_title_class_or_program_whatever_it_is(text: str) -> None:
    assert find_game([EDITOR, WINDOWS_7, WEB_PAGE], text) == 2


def test_a_text_that_no_window_contains_is_named_in_the_error() -> None:
    with pytest.raises(NoWindowError, match='"solitaire"'):
        find_game([EDITOR, WINDOWS_7], "solitaire")


@pytest.mark.parametrize("text", [None, "solitaire"])
def test_whoever_finds_no_game_is_told_which_windows_there_are(text: str | None) -> None:
    hostile = WindowNames("\x1b[2J" + 100 * "x", "Terminal", "terminal")
    with pytest.raises(NoWindowError, match=r'windows seen: "notes.txt", "\[2Jx+"$') as told:
        find_game([EDITOR, EDITOR, hostile], text)
    assert len(str(told.value)) < 300
    with pytest.raises(NoWindowError, match="no window is seen"):
        find_game([], text)
