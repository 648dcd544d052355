"""The trial by fault: the bot does nothing that it must not on any misbehaving desktop, and the judge would see it."""

import json
from dataclasses import replace

import numpy as np
import pytest

from bot import signals
from bot.bench import BenchError
from bot.bench.playing import Judged, Witness, family, judge, run_faults, wrong_tiles
from bot.cli import run
from bot.clone.chaos.desktop import Cover, HangError
from bot.clone.chaos.faults import FAULTS, draw_faults, faulty_desktop
from bot.clone.desktop import wallpaper
from bot.desktop import Click, MovedError
from bot.level import LEVELS, Level
from bot.picture import Picture
from bot.vision.grid import Grid
from bot.vision.reader import Reader, Reading

BEGINNER = LEVELS["beginner"]


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_alone_makes_the_bot_do_nothing_that_it_must_not(name: str) -> None:
    judged = judge(BEGINNER, "open", 4, (name,))
    assert judged.failures == {}
    assert (judged.ending == "stopped") == bool(judged.reason)


def test_a_seed_replays() -> None:
    assert judge(BEGINNER, "open", 23) == judge(BEGINNER, "open", 23)
    assert {name for seed in range(200) for name in draw_faults(seed)} == set(FAULTS)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("closed", "closed"),
        ("user-mouse", "moved by hand"),
        ("grab-fails", "grabbed"),
        ("minimised", "minimised"),
    ],
)
def test_a_stop_says_what_happened(name: str, words: str) -> None:
    reasons = [judge(BEGINNER, "open", seed, (name,)).reason for seed in range(1, 5)]
    assert any(words in reason for reason in reasons)
    assert not [reason for reason in reasons if reason and words not in reason]


class Misreading(Reader):
    """Takes every 1 for a 2, and doubts nothing."""

    def read(self, picture: Picture, grid: Grid | None = None) -> Reading:
        reading = super().read(picture, grid)
        ones = {(int(row), int(col)): 2 for row, col in np.argwhere(reading.board.cells == 1)}
        return replace(reading, board=reading.board.replace(ones), doubts=(), problems=[])


def test_a_bot_that_misreads_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.vision.reader.Reader", Misreading)
    judged = [judge(BEGINNER, "open", seed, ("time-jumps",)) for seed in range(1, 6)]
    assert sum(one.misreads for one in judged) > 0
    assert any("misreads acted upon" in one.failures for one in judged)


@pytest.mark.parametrize(("fault", "failure"), [("covered", "clicks outside"), ("moved", "misplaced clicks")])
def test_a_bot_that_does_not_look_where_it_clicks_is_found_out(
    fault: str, failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.desktop.input.Pointer._check_target", lambda self, click: None)
    assert any(failure in judge(BEGINNER, "open", seed, (fault,)).failures for seed in range(1, 21))


def test_a_bot_that_opens_what_it_knows_to_be_a_mine_is_found_out() -> None:
    desktop = faulty_desktop(BEGINNER, "open", 3, ())
    witness = Witness(desktop)
    desktop.take("left", (4, 4))
    assert desktop.game.mines is not None
    mine = next((int(row), int(col)) for row, col in np.argwhere(desktop.game.mines))
    witness._known_mines = frozenset({mine})
    desktop.confine(desktop.client(), desktop.client())
    x, y = (round(middle) for middle in desktop.painter.tile_center(*mine))
    desktop.click([Click(desktop.position[0] + x, desktop.position[1] + y, "left")])
    desktop.click([Click(desktop.position[0] + 2, desktop.position[1] + 2, "left")])
    witness.settle()
    assert (witness.known_mines, desktop.outside) == (1, 1)


def test_a_click_that_acts_on_another_tile_is_found_out() -> None:
    desktop = faulty_desktop(BEGINNER, "open", 3, ())
    witness = Witness(desktop)
    here, there = (
        (desktop.position[0] + round(x), desktop.position[1] + round(y))
        for x, y in (desktop.painter.tile_center(row, 4) for row in (2, 6))
    )
    desktop.move(*here)
    desktop.press("left", *here)
    desktop.release("left", *here)
    desktop.move(*there)  # before the game gets round to the click
    desktop.time.sleep(1)
    desktop.grab(desktop.client())
    witness.settle()
    assert [(landing.tile, landing.meant) for landing in desktop.landings] == [((6, 4), (2, 4))]
    assert witness.misplaced == 1


def test_a_change_that_comes_while_the_last_one_is_still_painted_leaves_older_boards_in_the_picture() -> None:
    desktop = faulty_desktop(BEGINNER, "open", 3, ())
    desktop.troubles.repaint_takes = 0.3
    for tile in ((4, 4), (8, 8), (8, 0)):
        desktop.grab(desktop.client())
        desktop.game.mark(*tile)
        desktop.program.engine.changed = True
        desktop.time.sleep(0.05)
    picture = desktop.grab(desktop.client())
    assert len(desktop.shown) == 4
    assert wrong_tiles(Reader().read(picture).board, desktop.shown) == 0


def test_a_window_that_was_in_front_when_the_pointer_came_takes_no_click_along() -> None:
    desktop = faulty_desktop(BEGINNER, "open", 3, ())
    witness = Witness(desktop)
    for row in (2, 6):
        x, y = (round(middle) for middle in desktop.painter.tile_center(row, 4))
        place = desktop.position[0] + x, desktop.position[1] + y
        desktop.troubles.cover = Cover(desktop.client(), wallpaper(desktop.client()))
        desktop.move(*place)
        desktop.troubles.cover = None
        desktop.press("left", *place)
        desktop.release("left", *place)
        desktop.time.sleep(1)
        desktop.grab(desktop.client())
    witness.settle()
    assert [landing.tile for landing in desktop.landings] == [(2, 4), (6, 4)]
    assert witness.misplaced == 0


def test_a_bot_that_asks_for_ever_is_called_a_hang() -> None:
    desktop = faulty_desktop(BEGINNER, "open", 3, ())

    def ask() -> None:
        while True:
            desktop.stop_requested()

    with pytest.raises(HangError, match="no end"):
        ask()


def test_the_mouse_clicks_nowhere_once_the_window_has_moved() -> None:
    desktop = faulty_desktop(BEGINNER, "open", 3, ())
    desktop.confine(desktop.client(), desktop.client())
    left, top = desktop.position
    desktop.position = (left + 1, top)
    with pytest.raises(MovedError):
        desktop.click([Click(left + 60, top + 60, "left")])
    assert desktop.landings == []


def judged(**changes: object) -> Judged:
    fine = Judged(1, ("moved",), "won", "", 1, 10, 0, 0, 0, 0, 0, 0)
    return replace(fine, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changes", "failure"),
    [
        ({"acted_upon": 2}, "misreads acted upon"),
        ({"outside": 1}, "clicks outside"),
        ({"misplaced": 1}, "misplaced clicks"),
        ({"known_mines": 1}, "clicks on known mines"),
        ({"ending": "hang"}, "hangs"),
        ({"ending": "bug"}, "bugs"),
        ({"ending": "stopped", "reason": ""}, "stops without a name"),
    ],
)
def test_what_must_never_happen_is_told_by_name(changes: dict[str, object], failure: str) -> None:
    assert list(judged(**changes).failures) == [failure]
    assert judged().failures == {}


def test_reasons_are_counted_by_kind() -> None:
    assert family("can't read the tile at row 3, column 12 (it might be *)") == "can't read the tile at row n, column n"
    assert family("(310, −5) is covered by another window") == "(n, n) is covered by another window"
    assert family('the dialog "Options" is open') == 'the dialog "Options" is open'


def test_ctrl_c_shows_what_is_done_and_leaves_with_its_own_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def until_interrupted(level: Level, rule: str, seed: int, chosen: object = ()) -> Judged:
        if seed == 20:
            raise KeyboardInterrupt
        return judged(seed=seed)

    monkeypatch.setattr("bot.bench.playing.judge", until_interrupted)
    assert run(["bench", "faults", "--games", "100", "--level", "beginner", "--workers", "1", "--json"]) == 130
    told = json.loads(capsys.readouterr().out)
    assert 0 < told["games"] < 20
    assert told["interrupted"]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK"])
def test_a_signal_in_the_midst_of_a_game_ends_the_trial(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting(Reader):
        def read(self, picture: Picture, grid: Grid | None = None) -> Reading:
            raise KeyboardInterrupt(signals.REASONS[name])

    monkeypatch.setattr("bot.vision.reader.Reader", Interrupting)
    with pytest.raises(KeyboardInterrupt):
        judge(BEGINNER, "open", 3, ("hover",))


def test_a_fault_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(BenchError, match=r'"earthquake"; there are lost-clicks'):
        run_faults(BEGINNER, "open", 1, 1, ("earthquake",))


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(level: Level, rule: str, seed: int, chosen: object = ()) -> Judged:
        return judged(seed=seed, outside=int(seed == 7))

    monkeypatch.setattr("bot.bench.playing.judge", fail)


@pytest.mark.usefixtures("failing")
def test_a_seed_that_fails_is_told_with_the_command_that_replays_it(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bench", "faults", "--games", "9", "--level", "beginner", "--fault", "moved", "--workers", "1"]
    assert run(command) == 4
    told = capsys.readouterr().out
    assert "seed 7 (moved): clicks outside: 1" in told
    assert "minebot bench faults --games 1 --seed 7 --level beginner --rule open --fault moved" in told
