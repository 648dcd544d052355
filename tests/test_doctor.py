"""The doctor, on the clone without a screen: what it finds when something is wrong."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from bot.cli import run
from bot.clone.desktop import CloneDesktop, Program
from bot.clone.game import Game
from bot.clone.painter import Design
from bot.desktop import Desktop, Dialog, GrabError, NoWindowError, Rect
from bot.doctor import Check, check_desktop
from bot.level import LEVELS
from bot.picture import Picture
from bot.settings import settings_file


@dataclass
class Around:
    """A desktop's surroundings, as a test wants them."""

    system: str = "a test"
    physical_pixels: bool = True
    scale: float | None = 1.25
    out_of_reach: bool = False
    hindrance: str | None = None

    def at(self, x: int, y: int) -> str:
        return "Notepad"


class Clone(CloneDesktop):
    """A clone in which something may be wrong."""

    covered: Rect | None = None
    asking: Dialog | None = None
    minimised = locked = black = restless = False

    def client(self) -> Rect:
        if self.minimised:
            raise NoWindowError("the game's window is minimised")
        return super().client()

    def owns(self, x: int, y: int) -> bool:
        return super().owns(x, y) and not (self.covered is not None and self.covered.contains(x, y))

    def dialog(self) -> Dialog | None:
        return self.asking or super().dialog()

    def grab(self, rect: Rect) -> Picture:
        if self.locked:
            raise GrabError("the screen can't be grabbed")
        picture = super().grab(rect)
        if self.restless:
            picture[:3] = np.random.default_rng().integers(0, 255)
        return np.zeros_like(picture) if self.black else picture


@pytest.fixture
def clone() -> Clone:
    return Clone(Game(LEVELS["beginner"], seed=5), Design(pitch=24.0))


def examine(clone: Clone, around: Around | None = None) -> dict[str, Check]:
    desktop: Desktop = clone.desktop()
    return {check.name: check for check in check_desktop(desktop, around or Around())}


def test_all_is_well_on_a_healthy_desktop(clone: Clone) -> None:
    checks = examine(clone)
    assert {check.status for check in checks.values()} == {"pass"}
    assert checks["board"].finding == "9×9, tiles of 24.0 pixels"
    assert '"win7"' in checks["skin"].finding
    assert "125 %" in checks["scaling"].finding


def test_a_window_in_front_is_named_with_what_it_covers(clone: Clone) -> None:
    x, y = clone.position
    clone.covered = Rect(x, y, 200, 24 * 2 + 40)
    cover = examine(clone)["cover"]
    assert cover.status == "warn"
    assert "Notepad" in cover.finding
    assert "of 81 tiles" in cover.finding
    assert cover.fix


def test_the_games_own_dialog_over_the_board_is_to_be_answered_and_not_moved() -> None:
    clone = Clone(Game(LEVELS["expert"], seed=5), Design(pitch=24.0))
    x, y = clone.position
    clone.covered = Rect(x, y, 200, 24 * 2 + 40)
    assert examine(clone)["cover"].fix == "move that window away"
    clone.asking = Dialog("Notepad")
    checks = examine(clone)
    assert checks["dialog"].fix == checks["cover"].fix == "answer it"


@pytest.mark.parametrize(
    ("fault", "name", "status"),
    [
        ("minimised", "window", "fail"),
        ("locked", "picture", "fail"),
        ("black", "picture", "fail"),
        ("restless", "animations", "warn"),
    ],
)
def test_each_fault_is_found_and_has_a_fix(clone: Clone, fault: str, name: str, status: str) -> None:
    setattr(clone, fault, True)
    check = examine(clone)[name]
    assert check.status == status
    assert check.fix


@pytest.mark.parametrize(
    ("around", "name", "status"),
    [
        (Around(out_of_reach=True), "rights", "fail"),
        (Around(physical_pixels=False), "scaling", "fail"),
        (Around(hindrance="this is Wayland"), "system", "warn"),
    ],
)
def test_the_surroundings_are_told(clone: Clone, around: Around, name: str, status: str) -> None:
    check = examine(clone, around)[name]
    assert check.status == status
    assert check.fix


def test_question_marks_are_noticed(clone: Clone) -> None:
    for _ in range(2):
        clone.game.mark(0, 0)
    clone.program.engine.changed = True
    clone.clock.sleep(1)
    assert examine(clone)["question marks"].status == "warn"


def test_a_tip_over_the_board_is_noticed() -> None:
    clone = Clone(Game(LEVELS["intermediate"], seed=5), Design(pitch=24.0))
    assert "tips" not in examine(clone)
    clone.program = Program(clone.game, clone.clock.now(), clone._layout_place, tips=True)
    assert examine(clone)["tips"].status == "warn"


def test_it_is_told_whether_clicks_are_waited_for(clone: Clone) -> None:
    assert "waits until the game has handled" in examine(clone)["clicks"].finding


def test_a_window_without_a_board_fails(clone: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    def scenery(rect: Rect) -> Picture:
        return np.tile(np.arange(rect.width, dtype=np.uint8)[None, :, None], (rect.height, 1, 3))

    monkeypatch.setattr(clone, "grab", scenery)
    assert examine(clone)["board"].status == "fail"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has a screen at all times")
def test_without_a_screen_the_doctor_says_so_and_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    assert run(["doctor", "--json"]) == 3
    told = json.loads(capsys.readouterr().out)
    assert told["status"] == "fail"
    last = told["checks"][-1]
    assert (last["name"], last["status"]) == ("window", "fail")
    assert "minebot play --clone" in last["fix"]


def test_broken_settings_and_folders_are_told_and_not_fatal_to_the_doctor(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path / "file" / "data"))
    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("nonsense = 1")
    assert run(["doctor"]) == 3
    out = capsys.readouterr().out
    assert 'fail  settings: "' in out
    assert "warn  data folder" in out
    assert out.count("→") >= 2
