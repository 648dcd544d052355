"""What the Windows 7 game asks of a hand, rule by rule, on a model of its program that is slow, stalls and fades."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from bot.actions import Action
from bot.board import Board, Cell
from bot.clone.chaos.desktop import SimulatedClock
from bot.clone.desktop import Burden, CloneDesktop, SkippingClock
from bot.clone.engine import Act
from bot.clone.game import Game
from bot.clone.tiles import Tile
from bot.desktop import BusyError, Button, Click, CoveredError, Dialog, Key, Rect, Standing
from bot.desktop.timing import FAST, Clock
from bot.level import LEVELS, Level
from bot.picture import Picture
from bot.play import Player, Session, Settings, Watcher
from bot.play.eye import Still, TimedDesktop
from bot.play.game import opened_far
from bot.play.hand import Hand
from bot.solver.decision import Decision
from bot.vision.reader import Reader, Reading
from bot.words import ClickStyle

BEGINNER, INTERMEDIATE, EXPERT = LEVELS.values()
BURDENS = [Burden(), Burden(draw=0.016, stall=0.1), Burden(draw=0.035, stall=0.3, nap=0.0156)]


class Refereed(CloneDesktop):
    """A clone that knows which tile each click was meant for, and which it acted on."""

    def __init__(self, level: Level, seed: int, animate: bool, burden: Burden, clock: Clock | None = None) -> None:
        super().__init__(Game(level, seed=seed), clock=clock, animate=animate, burden=burden)
        self.meant: list[Tile | None] = []
        self.acts: list[Tile] = []
        self.misplaced: list[tuple[Act, Tile, Tile | None]] = []
        self.taps: list[Key] = []
        self.program.engine.acted = self._judge

    def _judge(self, act: Act, tile: Tile) -> None:
        self.acts.append(tile)
        if tile != self.meant[-1]:
            self.misplaced.append((act, tile, self.meant[-1]))

    def press(self, button: Button, x: int, y: int) -> None:
        assert self.program.engine.question is None, "a click at a game that is over"
        self.meant.append(self._tile_at(x, y))
        super().press(button, x, y)

    def tap(self, key: Key) -> None:
        self.taps.append(key)
        super().tap(key)

    @property
    def swallowed(self) -> int:
        return self.program.engine.swallowed


def play(clone: CloneDesktop, style: ClickStyle = "flags", games: int = 1, watcher: Watcher | None = None) -> Session:
    settings = Settings(style=style, strategy="csp", think=0.0)
    return Player(clone.desktop(), Reader(), settings, watcher).play(games)


@pytest.mark.parametrize("animate", [False, True], ids=["still", "animated"])
@pytest.mark.parametrize("burden", BURDENS, ids=["quick", "slow", "stalling"])
@pytest.mark.parametrize("style", ["flags", "noflags", "chords"])
def test_no_click_acts_on_another_tile_and_none_is_swallowed(animate: bool, burden: Burden, style: ClickStyle) -> None:
    clone = Refereed(INTERMEDIATE, 11, animate, burden, SimulatedClock())
    session = play(clone, style)
    assert session.stop is None
    assert clone.misplaced == []
    assert clone.acts == clone.meant
    assert clone.swallowed == 0
    assert sum(game.lost_clicks + game.misplaced for game in session.games) == 0


def test_a_hand_that_moves_on_at_once_would_be_found_out() -> None:
    class Hasty(Refereed):
        """Does not wait until the game has handled a click."""

        held = False

        def captured(self) -> bool:
            self.clock.sleep(0.003)
            self.held = not self.held
            return self.held

        def round_trip(self) -> bool:
            return True

    clone = Hasty(INTERMEDIATE, 11, False, BURDENS[2], SimulatedClock())
    session = play(clone)
    assert clone.acts != clone.meant
    assert session.games[0].lost_clicks


def test_a_tile_that_changes_without_having_been_clicked_stops_the_bot() -> None:
    class Haunted(CloneDesktop):
        """Opens a safe number by itself at the bot's fifth click."""

        presses = 0

        def press(self, button: Button, x: int, y: int) -> None:
            self.presses += 1
            if self.presses == 5:
                game = self.game
                assert game.mines is not None
                safe = game.board().hidden & ~game.mines
                safe[self._tile_at(x, y)] = False
                numbers = [tile for tile in np.argwhere(safe).tolist() if self._number(*tile)]
                game.open(*numbers[-1])
            super().press(button, x, y)

        def _number(self, row: int, col: int) -> bool:
            assert self.game.mines is not None
            return any(self.game.mines[near] for near in self.game.board().neighbours(row, col))

    session = play(Haunted(Game(EXPERT, seed=3)), "noflags")
    assert session.stop is not None
    assert "although it was not clicked" in session.stop.reason
    assert session.games[0].misplaced == 1
    assert session.stop.kind == "doubt"


def test_flags_are_seen_before_a_chord_relies_on_them() -> None:
    class FlagsFirst(Watcher):
        chords = 0

        def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
            kinds = {action.kind for action in actions}
            assert not {"flag", "chord"} <= kinds
            self.chords += "chord" in kinds

    watcher = FlagsFirst()
    assert play(CloneDesktop(Game(INTERMEDIATE, seed=4)), "chords", 2, watcher).stop is None
    assert watcher.chords


def test_a_lost_right_click_is_made_again_only_when_the_tile_was_seen_to_have_no_flag() -> None:
    class LosesFlags(Refereed):
        """Every third right click has no effect, but is seen to be taken."""

        rights = 0
        lost = False

        def press(self, button: Button, x: int, y: int) -> None:
            self.rights += button == "right"
            self.lost = button == "right" and self.rights % 3 == 0
            if not self.lost:
                super().press(button, x, y)

        def release(self, button: Button, x: int, y: int) -> None:
            if not self.lost:
                super().release(button, x, y)
            self.lost = False

        def captured(self) -> bool:
            return self.lost or super().captured()

    clone = LosesFlags(INTERMEDIATE, 11, False, Burden(draw=0.016))
    session = play(clone)
    assert session.stop is None
    assert session.games[0].lost_clicks > 0
    assert not (clone.game.board().cells == Cell.QUESTION).any()


def test_a_game_is_left_only_by_its_own_button_and_shows_by_a_key_that_means_nothing() -> None:
    clone = Refereed(BEGINNER, 30, True, BURDENS[1])
    session = play(clone, games=5)
    assert session.stop is None
    assert set(clone.taps) == {"f15"}
    assert clone.game.seed == 34


def test_ends_and_deals_are_not_waited_out() -> None:
    """Shows take five to twelve seconds and deals about one; all of them can be skipped."""
    seconds = {}
    for animate in (False, True):
        clock = SimulatedClock()
        clone = Refereed(BEGINNER, 30, animate, Burden(draw=0.008), clock)
        assert play(clone, games=3).stop is None
        seconds[animate] = clock.now()
    assert seconds[True] < seconds[False] + 3 * 1.5


def test_a_board_that_is_being_dealt_is_not_taken_for_one_that_is_open() -> None:
    class Looks(Watcher):
        def looked(self, reading: Reading, picture: Picture) -> None:
            assert reading.board.cells.any()

    clone = Refereed(BEGINNER, 30, True, BURDENS[1], SimulatedClock())
    assert play(clone, games=4, watcher=Looks()).stop is None
    assert clone.swallowed == 0


@pytest.mark.parametrize("animate", [False, True])
def test_it_is_seen_whether_the_game_fades_its_tiles(animate: bool) -> None:
    clone = Refereed(EXPERT, 5, animate, Burden(draw=0.008), SimulatedClock())
    assert play(clone).stop is None
    assert ("f15" in clone.taps) is animate


def test_whether_tiles_fade_is_not_judged_by_an_area_that_an_earlier_click_opened() -> None:
    before = Board.parse("\n".join(["#######"] * 3))
    after = Board.parse("00001##\n00001##\n00001##")
    far, beside = Action("open", 0, 0), Action("open", 1, 4)
    assert opened_far(before, after, [far])
    assert opened_far(before, after, [Action("open", 2, 6), far])
    assert not opened_far(before, after, [far, beside])
    assert not opened_far(before, after, [beside, far])
    assert not opened_far(before, Board.parse("#######\n####1##\n#######"), [beside])


@pytest.mark.parametrize("question", ["Saved Game", "Select Difficulty"])
def test_a_question_at_the_start_is_left_to_the_user(question: str) -> None:
    class Asking(CloneDesktop):
        def dialog(self) -> Dialog | None:
            return Dialog(question, choices=("Continue", "New game"))

        def tap(self, key: Key) -> None:
            raise AssertionError("a key was pressed")

        def click(self, clicks: list[Click]) -> int:
            raise AssertionError("clicked")

    session = play(Asking(Game(BEGINNER, seed=1)))
    assert session.stop is not None
    assert f'"{question}" (Continue, New game): answer it' in session.stop.reason


def test_pictures_are_equal_only_when_they_are_more_than_a_tick_apart() -> None:
    moments: list[float] = []

    class Timed(CloneDesktop):
        def grab(self, rect: Rect) -> Picture:
            if rect == self.client():
                moments.append(self.clock.now())
            return super().grab(rect)

    looks: list[tuple[float, float]] = []

    class Pairs(Watcher):
        def looked(self, reading: Reading, picture: Picture) -> None:
            looks.append((moments[-2], moments[-1]))

    play(Timed(Game(BEGINNER, seed=9), clock=SimulatedClock()), watcher=Pairs())
    assert len(looks) >= 3
    assert min(later - earlier for earlier, later in looks) > 1 / 30


def test_the_pointer_is_parked_inside_the_window_and_off_the_board() -> None:
    parked: list[tuple[int, int]] = []

    class Parked(CloneDesktop):
        def park(self, x: int, y: int) -> None:
            parked.append((x, y))
            assert self.client().contains(x, y)
            assert self._tile_at(x, y) is None
            super().park(x, y)

    for pitch_seed in range(3):
        play(Parked(Game(BEGINNER, seed=pitch_seed)))
    assert parked


def test_the_clock_that_skips_waiting_still_counts_it() -> None:
    clock = SkippingClock()
    before = clock.now()
    clock.sleep(Random(1).uniform(5, 6))
    assert clock.now() - before >= 5


def test_a_bot_that_is_too_slow_to_see_a_fade_does_not_take_the_game_for_one_without() -> None:
    class Starved(Refereed):
        """Every look at the whole window takes longer than a fade."""

        def grab(self, rect: Rect) -> Picture:
            if rect == self.client():
                self.clock.sleep(0.5)
            return super().grab(rect)

    clone = Starved(INTERMEDIATE, 11, True, Burden(draw=0.016), SimulatedClock())
    session = play(clone, games=2)
    assert session.stop is None
    assert clone.swallowed == 0


class Anonymous(Refereed):
    """A game as X11 shows it: nobody tells what its dialogs say, nor that the window behind one takes no clicks."""

    @property
    def in_step(self) -> bool:
        return False

    def dialog(self) -> Dialog | None:
        dialog = super().dialog()
        return None if dialog is None else Dialog(dialog.title)

    def play_again(self, dialog: Dialog) -> bool:
        return False

    def release(self, button: Button, x: int, y: int) -> None:
        super().release(button, x, y)
        self.clock.sleep(0.2)  # slow enough for a dialog to come between two clicks

    def standing(self, x: int, y: int) -> Standing:
        told = super().standing(x, y)
        return told._replace(busy="", owned=told.owned and not told.busy)


def test_a_dialog_that_comes_before_the_last_clicks_of_a_won_game_is_its_end() -> None:
    clone = Anonymous(BEGINNER, 10, False, Burden())

    class Flagging(Watcher):
        """Sees to it that clicks are left when the game is won: the mines are flagged after the last number."""

        def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
            actions.sort(key=lambda action: action.kind == "flag")

    session = play(clone, watcher=Flagging())
    assert session.stop is None
    assert session.games[0].won


def test_a_dialog_that_came_without_the_keyboard_is_given_it() -> None:
    class Behind(Anonymous):
        """Keys go to the window behind the dialog, until somebody brings the dialog to the front."""

        in_front = False

        def bring_to_front(self) -> None:
            self.in_front = self.dialog() is not None

        def tap(self, key: Key) -> None:
            if self.dialog() is None or self.in_front:
                super().tap(key)

    clone = Behind(BEGINNER, 10, False, Burden())
    assert play(clone, games=2).stop is None


def hand_at(clone: CloneDesktop) -> tuple[Hand, Still]:
    picture = clone.grab(clone.client())
    return Hand(TimedDesktop(clone.desktop(), FAST)), Still(picture, clone.client(), Reader().read(picture).grid)


def test_a_click_above_the_board_leaves_the_mouse_to_the_board_alone() -> None:
    clone = Refereed(BEGINNER, 1, False, Burden(), SimulatedClock())
    hand, still = hand_at(clone)
    hand.ask_for_a_new_game(1.0, still)
    tile = Click(*still.middle_of(4, 4), "left")
    assert clone.click([tile]) == 1
    with pytest.raises(CoveredError, match="outside the board"):
        clone.click([Click(*still.above(1.0), "left")])
    assert clone.acts == [(4, 4)]


def test_no_face_is_clicked_outside_of_the_window_nor_when_it_has_moved() -> None:
    clone = Refereed(BEGINNER, 1, False, Burden(), SimulatedClock())
    hand, still = hand_at(clone)
    hand.ask_for_a_new_game(100.0, still)
    assert clone.meant == []
    moved = replace(still, client=still.client._replace(left=still.client.left + 1))
    hand.ask_for_a_new_game(1.0, moved)
    assert clone.meant == []
    hand.ask_for_a_new_game(1.0, still)
    assert clone.meant == [None]


def test_a_click_that_is_made_again_is_aimed_elsewhere_on_its_tile_and_is_no_double_click() -> None:
    clone = Refereed(BEGINNER, 1, False, Burden(), SimulatedClock())
    hand, still = hand_at(clone)
    flag = Action("flag", 4, 4)
    aims, moments = [], []
    for _ in range(3):
        aims += hand.do([flag], still)
        moments.append(clone.clock.now())
    assert len({(click.x, click.y) for click in aims}) == 3
    assert clone.meant == [(4, 4)] * 3
    assert min(np.diff(moments)) >= FAST.retry_after
    hand.begin()
    assert hand.do([flag], still) == aims[:1]


@pytest.mark.parametrize("busy", [1, 2])
def test_clicks_that_a_busy_game_has_no_time_for_are_not_among_those_that_were_sent(busy: int) -> None:
    class Busy(Refereed):
        def click(self, clicks: list[Click]) -> int:
            if len(self.meant) + 1 == busy:
                raise BusyError("no time")
            return super().click(clicks)

    hand, still = hand_at(Busy(BEGINNER, 1, False, Burden(), SimulatedClock()))
    flags = [Action("flag", 0, 0), Action("flag", 8, 8)]
    if busy == 1:
        with pytest.raises(BusyError):
            hand.do(flags, still)
    else:
        assert [click.button for click in hand.do(flags, still)] == ["right"]


def test_a_key_is_pressed_after_a_click_that_may_fade_tiles_and_after_no_other() -> None:
    for fades, actions, pressed in (
        (True, [Action("open", 0, 0), Action("flag", 8, 8)], 1),
        (True, [Action("flag", 0, 0), Action("open", 8, 8)], 1),
        (None, [Action("open", 0, 0), Action("open", 8, 8)], 1),  # what the last one opens is left to be seen
        (False, [Action("open", 0, 0), Action("open", 8, 8)], 0),
    ):
        clone = Refereed(Level(9, 9, 79), 1, False, Burden(), SimulatedClock())
        hand, still = hand_at(clone)
        hand.do(actions, still, fades)
        assert clone.taps == ["f15"] * pressed
