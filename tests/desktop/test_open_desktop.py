from __future__ import annotations

import subprocess
import sys

import pytest

from bot.desktop import NoWindowError, open_desktop
from bot.desktop.timing import FAST

SCREENLESS = pytest.mark.skipif(sys.platform != "linux", reason="only X11 can be without a screen")


@SCREENLESS
def test_without_a_screen_there_is_no_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    with pytest.raises(NoWindowError, match="DISPLAY is not set"):
        open_desktop(None, FAST)


@SCREENLESS
def test_a_screen_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":64999")
    with pytest.raises(NoWindowError, match=":64999"):
        open_desktop(None, FAST)


def test_the_desktop_is_imported_without_any_library_that_needs_a_screen() -> None:
    code = "import sys, bot.desktop; print(sorted({'mss', 'pyautogui', 'Xlib', 'win32gui'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
