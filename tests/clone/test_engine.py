"""What the real program does with messages, rule by rule; a model that did otherwise would test the bot on a wish."""

from __future__ import annotations

import numpy as np
import pytest

from bot.board import Cell
from bot.clone.engine import DOUBLE_CLICK, TICK, Engine, Layout, Point
from bot.clone.game import Game
from bot.desktop import Button
from bot.level import LEVELS, Level


def mines(*rows: str) -> Game:
    return Game.with_mines(np.array([[cell == "*" for cell in row] for row in rows]))


class Table:
    """An engine, and someone at its mouse. Time passes only when told to."""

    def __init__(self, game: Game, animate: bool = False, tips: bool = False) -> None:
        self.at = Point(2, 2)
        self.now = 0.0
        self.game = game
        self.engine = Engine(game, lambda: self.at, 0.0, animate=animate, tips=tips)

    def put(self, row: int, col: int) -> None:
        """Put the pointer on a tile; the program is not told."""
        self.at = Point(30 + 18 * col + 9, 30 + 18 * row + 9)

    def go(self, row: int, col: int) -> None:
        self.put(row, col)
        self.engine.move()

    def click(self, row: int, col: int, button: Button = "left") -> None:
        self.go(row, col)
        self.engine.down(button, self.now)
        self.engine.up(button)

    def wait(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK)):
            self.now += TICK
            self.engine.tick(self.now)

    def rows(self) -> list[str]:
        return str(self.game.board()).splitlines()[1:]


ROW = ("*.......*",)


def test_a_click_opens_the_tile_under_the_pointer() -> None:
    table = Table(mines(*ROW))
    table.click(0, 1)
    assert table.rows() == ["#1#######"]


def test_a_burst_that_is_handled_late_opens_only_the_last_tile() -> None:
    table = Table(mines(*ROW))
    table.put(0, 7)  # where the pointer is by the time the program gets round to the first message
    for _ in range(2):
        table.engine.move()
        table.engine.down("left", 0.0)
        table.engine.up("left")
    assert table.rows() == ["#######1#"]


def test_a_press_follows_a_pointer_that_moves_on_too_early() -> None:
    table = Table(mines(*ROW))
    table.go(0, 1)
    table.put(0, 0)  # moved on before the press was handled
    table.engine.down("left", 0.0)
    table.engine.up("left")
    assert table.game.state == "lost"


def test_a_pointer_that_is_parked_too_early_loses_the_click() -> None:
    table = Table(mines(*ROW))
    table.go(0, 1)
    table.engine.down("left", 0.0)
    table.at = Point(2, 2)
    table.engine.move()
    table.engine.up("left")
    assert table.rows() == ["#########"]


def test_a_right_press_marks_at_once_where_the_last_handled_move_was() -> None:
    table = Table(mines(*ROW))
    table.go(0, 0)
    table.put(0, 5)
    table.engine.down("right", 0.0)
    assert table.rows() == ["F########"]


def test_a_left_click_is_dead_where_the_pointer_came_back_to_the_same_pixel() -> None:
    table = Table(mines(*ROW))
    table.go(0, 1)
    table.engine.leave()
    for _ in range(3):
        table.click(0, 1)
    assert table.rows() == ["#########"]
    assert table.engine.scene().hover is None
    table.click(0, 1, "right")
    assert table.rows() == ["#F#######"], "the right button needs no focus"
    table.at = Point(table.at.x + 2, table.at.y)
    table.click(0, 3)
    assert table.rows()[0][3] != "#"


def test_a_button_that_is_believed_down_is_not_pressed_again() -> None:
    table = Table(mines(*ROW))
    table.go(0, 0)
    table.engine.down("right", 0.0)
    table.engine.down("right", 0.0)
    assert table.rows() == ["F########"]


def test_the_mouse_is_captured_from_press_to_release() -> None:
    table = Table(mines(*ROW))
    table.go(0, 1)
    assert not table.engine.captured
    table.engine.down("left", 0.0)
    assert table.engine.captured
    table.engine.up("left")
    assert not table.engine.captured


def test_two_quick_presses_on_a_number_chord_by_the_time_they_are_handled() -> None:
    for gap, state in ((DOUBLE_CLICK - 0.01, "won"), (DOUBLE_CLICK + 0.01, "playing")):
        table = Table(mines("*.."))
        table.click(0, 0, "right")
        table.click(0, 1)
        table.now += gap
        table.click(0, 1)
        assert table.game.state == state


def test_shift_marks_covered_tiles_and_chords_numbers_and_control_makes_a_right_click() -> None:
    table = Table(mines("*..", "..*"))
    table.go(0, 0)
    table.engine.down("left", 0.0, shift=True)
    table.engine.up("left")
    assert table.rows()[0][0] == "F"
    table.go(1, 2)
    table.engine.down("left", 0.0, control=True)
    table.engine.up("left", control=True)
    assert table.rows()[1][2] == "F"
    table.click(0, 1)
    table.now += 1
    table.engine.down("left", table.now, shift=True)
    table.engine.up("left")
    assert table.game.state == "won"


@pytest.mark.parametrize("first", ["left", "right"])
def test_both_buttons_chord_once(first: Button) -> None:
    table = Table(mines("*...*.*"))
    table.click(0, 0, "right")
    table.click(0, 1)
    table.now += 1
    second: Button = "right" if first == "left" else "left"
    table.engine.down(first, table.now)
    table.engine.down(second, table.now)
    table.engine.up(first)
    table.engine.up(second)
    assert table.rows() == ["F101###"]


def test_the_middle_button_chords_on_release() -> None:
    table = Table(mines("*.."))
    table.click(0, 0, "right")
    table.click(0, 1)
    table.engine.down("middle", 0.0)
    assert table.rows() == ["F1#"]
    table.engine.up("middle")
    assert table.rows() == ["*10"]


def flooding(animate: bool = True) -> Table:
    table = Table(mines("*........", "........*"), animate=animate)
    table.wait(2)  # until it is dealt
    return table


def test_while_an_opening_fades_the_next_press_only_ends_it() -> None:
    table = flooding()
    table.click(0, 4)
    assert table.engine.locked
    before = table.rows()
    table.click(1, 0)
    assert table.rows() == before
    assert not table.engine.locked
    assert table.engine.swallowed == 1
    table.click(1, 0)
    assert table.rows() != before


def test_a_key_ends_the_fades_and_touches_no_tile() -> None:
    table = flooding()
    table.click(0, 4)
    before = table.rows()
    table.engine.key("f15")
    assert not table.engine.locked
    assert table.rows() == before
    table.click(1, 0)
    assert table.rows() != before


def test_a_single_number_locks_nothing_and_neither_does_anything_without_animations() -> None:
    table = flooding()
    table.click(1, 0)
    assert not table.engine.locked
    table = flooding(animate=False)
    table.click(0, 4)
    assert not table.engine.locked


def test_an_opening_locks_for_its_time_and_then_the_pointer_is_seen_by_itself() -> None:
    table = flooding()
    table.click(0, 4)
    table.put(1, 0)
    table.wait(0.15 + 0.016 + 2 * TICK)
    assert not table.engine.locked
    assert table.engine.scene().hover == (1, 0)


def test_digits_are_there_at_once_and_blanks_late() -> None:
    table = flooding()
    table.click(0, 4)
    scene = table.engine.scene()
    cells = scene.board.cells
    assert (cells[:, 3:6] <= 8).all()
    assert min(abs(col - 4) for _, col in scene.fading) == 2


def test_while_tiles_turn_into_others_a_picture_may_be_of_either_board() -> None:
    table = flooding()
    assert table.engine.scene().looks_like() == (table.game.board(),)
    table.click(0, 4)
    opened = table.game.board()
    now, before = table.engine.scene().looks_like()
    assert now == opened
    assert (before.cells == Cell.COVERED).sum() > (opened.cells == Cell.COVERED).sum()
    assert (before.cells == opened.cells)[before.cells != Cell.COVERED].all()
    table.wait(1)
    assert table.engine.scene().looks_like() == (opened,)


def test_the_activating_click_and_moves_while_inactive_do_nothing() -> None:
    table = Table(mines(*ROW))
    table.engine.deactivate()
    table.go(0, 1)
    assert table.engine.scene().hover is None
    table.engine.activate()
    assert table.engine.scene().hover == (0, 1)


def test_losing_the_foreground_with_a_button_held_releases_it() -> None:
    table = Table(mines(*ROW))
    table.go(0, 1)
    table.engine.down("left", 0.0)
    table.engine.deactivate()
    assert table.rows() == ["#1#######"]


def test_esc_lets_go_of_a_press() -> None:
    table = Table(mines(*ROW))
    table.go(0, 1)
    table.engine.down("left", 0.0)
    table.engine.key("esc")
    table.engine.up("left")
    assert table.rows() == ["#########"]


def test_a_held_button_makes_the_tile_look_open() -> None:
    table = Table(mines(*ROW))
    table.go(0, 1)
    table.engine.down("left", 0.0)
    assert table.engine.scene().pressed == ((0, 1),)


def lost(animate: bool) -> Table:
    table = Table(mines("*...", "...*"), animate=animate)
    table.wait(2)
    table.click(0, 0)
    return table


def test_without_animations_the_dialog_comes_at_the_next_tick() -> None:
    table = lost(animate=False)
    assert table.engine.question is None
    table.wait(TICK)
    assert table.engine.question == "lost"
    table.click(0, 1)
    assert table.rows()[0][1] == "#"
    table.engine.answer("again", table.now)
    assert set("".join(table.rows())) == {"#"}


def test_a_show_runs_before_the_dialog_and_a_key_or_a_press_skips_it() -> None:
    table = lost(animate=True)
    table.wait(1)
    assert table.engine.question is None
    table.wait(10)
    assert table.engine.question == "lost"
    for by_key in (True, False):
        table = lost(animate=True)
        table.wait(0.2)
        if by_key:
            table.engine.key("f15")
        else:
            table.click(0, 1)
        table.wait(TICK)
        assert table.engine.question == "lost"


def test_f2_asks_in_mid_game_and_deals_at_once_otherwise() -> None:
    table = Table(Game(LEVELS["beginner"], seed=1))
    table.click(0, 0, "right")
    table.engine.key("f2")
    assert table.engine.question is None, "flags alone are no game"
    table.click(4, 4)
    table.engine.key("f2")
    assert table.engine.question == "new game"
    table.engine.answer("keep", table.now)
    assert (table.game.board().cells <= 8).any()


def test_the_clock_jumps_to_one_a_tick_after_the_first_opening() -> None:
    table = Table(mines("*........", "........*"))
    table.wait(3)
    assert table.engine.scene().seconds == 0
    table.click(1, 0)
    assert table.engine.scene().seconds == 0
    table.wait(TICK)
    assert table.engine.scene().seconds == 1
    table.wait(1)
    assert table.engine.scene().seconds == 2


def test_restart_keeps_the_mines() -> None:
    table = lost(animate=False)
    table.wait(TICK)
    before = table.game.mines
    table.engine.answer("restart", table.now)
    assert table.game.mines is before
    table.click(0, 0)
    assert table.game.state == "lost", "the first click is not safe"


def test_a_tip_takes_the_click_that_lands_on_it() -> None:
    table = Table(Game(LEVELS["beginner"], seed=1), tips=True)
    assert table.engine.scene().tip
    table.click(1, 4)
    assert table.game.mines is None
    assert not table.engine.scene().tip
    table.click(1, 4)
    assert table.game.mines is not None


def test_the_layout_has_the_real_sizes() -> None:
    assert Layout(9, 9).size == (222, 225)
    assert Layout(16, 16).size == (348, 351)
    assert Layout(16, 30).size == (600, 351)
    assert Layout(16, 30).fit(1300, 702) == (2.0, 50, 0)


def test_updates_far_behind_are_forgiven() -> None:
    table = Table(Game(Level(9, 9, 10), seed=1))
    table.click(4, 4)
    table.wait(TICK)
    table.engine.tick(table.now + 3600)
    table.wait(2)
    assert table.engine.scene().seconds <= 3


def test_cells_marked_before_the_first_click_stay() -> None:
    table = Table(Game(LEVELS["beginner"], seed=1))
    table.click(0, 0, "right")
    table.click(4, 4)
    assert table.game.board().cells[0, 0] == Cell.FLAG
