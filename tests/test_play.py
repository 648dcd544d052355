"""Whole games from pixels on the clone without a screen, and what happens when the desktop misbehaves."""

from dataclasses import replace

import numpy as np
import pytest

from bot.actions import Action
from bot.board import Board, Cell, count_around
from bot.clone.chaos.desktop import SimulatedClock
from bot.clone.desktop import CloneDesktop, paste
from bot.clone.game import Game
from bot.clone.painter import Design
from bot.desktop import Button, Click, Dialog, GrabError, Key, Rect
from bot.level import Level
from bot.picture import Picture
from bot.play import GameResult, Player, Session, Settings, Watcher
from bot.show.documents import session_json
from bot.solver.decision import Decision
from bot.vision.reader import Reader, Reading
from bot.vision.skin import Skin
from bot.words import ClickStyle, Pieces

BEGINNER = Level(9, 9, 10)
QUICK = Settings(strategy="csp", think=0.0)


def play(clone: CloneDesktop, settings: Settings = QUICK, games: int = 1, watcher: Watcher | None = None) -> Session:
    return Player(clone.desktop(), Reader(), settings, watcher).play(games)


def beginner(seed: int) -> CloneDesktop:
    return CloneDesktop(Game(BEGINNER, seed=seed))


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_game_ends_as_the_rules_say_and_every_board_was_read_right(seed: int) -> None:
    clone = beginner(seed)

    class Judge(Watcher):
        def looked(self, reading: Reading, picture: Picture) -> None:
            board = clone.game.board()
            if reading.state == "won":  # its dim mines may look covered
                assert board.cells[board.cells <= 8].tolist() == reading.board.cells[board.cells <= 8].tolist()
            else:
                assert reading.board == board

    session = play(clone, watcher=Judge())
    assert session.stop is None
    [result] = session.games
    assert result.won == (clone.game.state == "won")
    assert clone.game.state in ("won", "lost")
    assert result.three_bv == clone.game.three_bv
    assert result.clicks > 0


def test_a_window_without_a_board_is_told_of_with_how_long_it_was_looked_at_and_what_to_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compiled: list[object] = []
    monkeypatch.setattr("bot.solver.warm_up", lambda *_, **__: compiled.append(True))

    class Empty(CloneDesktop):
        def grab(self, rect: Rect) -> Picture:
            return np.full((rect.height, rect.width, 3), 60, np.uint8)

    stop = play(Empty(Game(BEGINNER, seed=1))).stop
    assert stop is not None
    assert stop.kind == "nothing"
    for words in ("no board", "s of looking", "dark", "--window", "minebot calibrate", "minebot doctor"):
        assert words in stop.reason
    assert compiled == []  # which takes long, and nobody needs it then


def test_the_next_games_follow_by_dialog_and_count_on_the_seed() -> None:
    clone = beginner(100)
    session = play(clone, games=4)
    assert session.stop is None
    assert len(session.games) == 4
    assert clone.game.seed == 103


def test_a_game_that_opens_its_first_tiles_by_itself_is_played_once_it_stands_still() -> None:
    class Begun(CloneDesktop):
        """Opens an area of each new game, and shows one number of it a second before the rest."""

        dealt_at = float("-inf")

        def play_again(self, dialog: Dialog) -> bool:
            again = super().play_again(dialog)
            self.game.open(4, 4)
            self.dealt_at = self.clock.now()
            return again

        def grab(self, rect: Rect) -> Picture:
            if self.clock.now() > self.dealt_at + 1:
                return super().grab(rect)
            cells = self.game.board().cells
            row, col = np.argwhere((cells >= 1) & (cells <= 8))[0].tolist()
            early = Board.covered(9, 9, 10).replace({(row, col): int(cells[row, col])})
            picture: Picture = self.painter.paint(early).copy()
            return picture

        def click(self, clicks: list[Click]) -> int:
            assert self.clock.now() > self.dealt_at + 1, "clicked before the game was dealt"
            return super().click(clicks)

    clone = Begun(Game(BEGINNER, seed=100))
    session = play(clone, games=3)
    assert session.stop is None
    assert len(session.games) == 3
    assert clone.game.seed == 102


@pytest.mark.parametrize("look", [Design(theme="green", pieces="flowers", pitch=31.4), Design(pitch=14.0)])
def test_any_theme_and_size_plays(look: Design) -> None:
    clone = CloneDesktop(Game(BEGINNER, seed=8), look)
    assert play(clone).stop is None
    assert clone.game.state in ("won", "lost")


def test_a_game_under_way_is_joined_and_wrong_flags_come_off() -> None:
    game = Game(BEGINNER, seed=3)
    game.open(4, 4)
    assert game.mines is not None
    safe = list(np.argwhere(game.board().hidden & ~game.mines).tolist())
    game.mark(*safe[0])
    clone = CloneDesktop(game)
    session = play(clone)
    assert session.stop is None
    assert game.state == "won"


@pytest.mark.parametrize("style", ["flags", "noflags", "chords"])
def test_every_style_finishes_its_games(style: ClickStyle) -> None:
    session = play(beginner(20), Settings(style=style, strategy="csp", think=0.0), games=3)
    assert session.stop is None
    assert len(session.games) == 3


def test_chords_take_fewer_clicks_than_flags() -> None:
    clicks = {}
    for style in ("flags", "chords"):
        session = play(beginner(40), Settings(style=style, strategy="csp", think=0.0), games=5)
        clicks[style] = sum(game.clicks for game in session.games)
    assert clicks["chords"] < clicks["flags"]


def test_noflags_sets_no_flag() -> None:
    class NoFlags(Watcher):
        def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
            assert all(action.kind == "open" for action in actions)

    play(beginner(40), Settings(style="noflags", strategy="csp", think=0.0), games=3, watcher=NoFlags())


def test_lost_clicks_are_made_again_but_never_as_a_double_click() -> None:
    class LosesClicks(CloneDesktop):
        """Every third click never arrives."""

        def __init__(self, game: Game) -> None:
            super().__init__(game)
            self.made = 0
            self.when: dict[tuple[int, int], float] = {}
            self.aimed_at: set[tuple[int, int]] = set()

        def click(self, clicks: list[Click]) -> int:
            now = self.clock.now()
            for click in clicks:
                tile = self._tile_at(click.x, click.y)
                assert tile is not None
                assert now - self.when.get(tile, -10.0) >= QUICK.timing.double_click_guard
                assert (click.x, click.y) not in self.aimed_at, "a retry must aim elsewhere"
                self.aimed_at.add((click.x, click.y))
                self.when[tile] = now
                self.made += 1
                if self.made % 3:
                    super().click([click])
            return len(clicks)

    clone = LosesClicks(Game(BEGINNER, seed=5))
    session = play(clone)
    assert session.stop is None
    assert clone.game.state in ("won", "lost")
    assert 0 < session.games[0].lost_clicks <= clone.made // 3
    assert session.games[0].misplaced == 0


def test_a_game_that_takes_no_clicks_is_given_up_with_the_reason() -> None:
    class Deaf(CloneDesktop):
        def click(self, clicks: list[Click]) -> int:
            return len(clicks)

    session = play(Deaf(Game(BEGINNER, seed=1)))
    assert session.stop is not None
    assert session.stop.kind == "doubt"
    assert "changes nothing" in session.stop.reason
    assert session.games[0].stopped == session.stop.reason


def test_a_picture_that_never_stands_still_is_not_played_on() -> None:
    class Restless(CloneDesktop):
        def grab(self, rect: Rect) -> Picture:
            picture = super().grab(rect)
            picture[0, 0] = int(1000 * self.clock.now()) % 256
            self.clock.sleep(0.001)
            return picture

        def click(self, clicks: list[Click]) -> int:
            raise AssertionError("clicked on a moving picture")

    session = play(Restless(Game(BEGINNER, seed=1)))
    assert session.stop is not None
    assert "does not stand still" in session.stop.reason


def test_an_unreadable_tile_stops_the_bot_with_the_picture() -> None:
    class Patched(CloneDesktop):
        """A tile is hidden under something that is no tile."""

        def grab(self, rect: Rect) -> Picture:
            picture = super().grab(rect)
            x, y = (round(middle) for middle in self.painter.tile_center(4, 4))
            picture[y - 7 : y + 7, x - 7 : x + 7] = np.random.default_rng(7).integers(0, 256, (14, 14, 3))
            return picture

        def click(self, clicks: list[Click]) -> int:
            raise AssertionError("clicked in doubt")

    session = play(Patched(Game(BEGINNER, seed=1)))
    assert session.stop is not None
    assert session.stop.kind == "doubt"
    assert "row 5, column 5" in session.stop.reason
    assert session.stop.picture is not None


def test_a_window_that_shows_only_a_part_of_the_board_is_not_played_on() -> None:
    class Scrolled(CloneDesktop):
        """Of a viewer of another computer's screen, scrolled so that the right of the board does not show."""

        def client(self) -> Rect:
            whole = super().client()
            return whole._replace(width=round(self.painter.tile_center(0, 20)[0]))

        def grab(self, rect: Rect) -> Picture:
            return super().grab(super().client())[:, : rect.width].copy()

        def click(self, clicks: list[Click]) -> int:
            raise AssertionError("clicked on a part of a board")

    game = Game(Level(16, 30, 99), seed=1)
    game.open(8, 8)
    session = play(Scrolled(game))
    assert session.stop is not None
    assert session.stop.kind == "doubt"
    assert "only a part of the board, which goes on beyond its right" in session.stop.reason


@pytest.mark.parametrize(("cols", "seconds", "clicks"), [(20, 60.0, False), (20, 0.1, True), (0, 60.0, True)])
def test_a_window_that_hides_whole_columns_of_a_board_is_not_taken_for_its_end(
    cols: int, seconds: float, clicks: bool
) -> None:
    class Covered(CloneDesktop):
        """By a light window in front of some columns from the left, for a while; without any, by one far above."""

        presses = 0

        def cover(self) -> Rect:
            left, top, _, height = self.client()
            right = round(self.painter.tile_center(0, cols)[0])
            return Rect(left, top, right, height) if cols else Rect(left, top - 90, 60, 60)

        def is_covered(self) -> bool:
            return self.clock.now() < seconds

        def owns(self, x: int, y: int) -> bool:
            return super().owns(x, y) and not (self.is_covered() and self.cover().contains(x, y))

        def grab(self, rect: Rect) -> Picture:
            picture = super().grab(rect)
            if self.is_covered():
                light = np.full((self.cover().height, self.cover().width, 3), 245, np.uint8)
                paste(picture, rect, light, self.cover()[:2])
            return picture

        def press(self, button: Button, x: int, y: int) -> None:
            self.presses += 1
            super().press(button, x, y)

    desktop = Covered(Game(Level(16, 30, 99), seed=1), Design(pitch=16.0), clock=SimulatedClock())
    stop = play(desktop).stop
    assert (desktop.presses > 0) == clicks
    if not clicks:
        assert stop is not None
        assert "another window is right beside the board" in stop.reason


def test_a_grab_that_fails_for_a_while_is_waited_out_and_one_that_fails_for_good_is_named() -> None:
    class Locked(CloneDesktop):
        unlocked_at = 0.0

        def grab(self, rect: Rect) -> Picture:
            if self.clock.now() < self.unlocked_at:
                raise GrabError("the screen is locked")
            return super().grab(rect)

    short, for_good = Locked(Game(BEGINNER, seed=1)), Locked(Game(BEGINNER, seed=1))
    short.unlocked_at = short.clock.now() + QUICK.timing.grab_timeout / 2
    for_good.unlocked_at = float("inf")
    assert play(short).stop is None
    stop = play(for_good).stop
    assert stop is not None
    assert "locked" in stop.reason


def test_a_window_in_which_nothing_is_drawn_yet_is_waited_for() -> None:
    class Opening(CloneDesktop):
        drawn_at = 0.0

        def grab(self, rect: Rect) -> Picture:
            picture = super().grab(rect)
            return picture if self.clock.now() > self.drawn_at else np.zeros_like(picture)

    clone = Opening(Game(BEGINNER, seed=1), clock=SimulatedClock())
    clone.drawn_at = 8.0
    assert play(clone).stop is None


@pytest.mark.parametrize("after", [0, 5, 50])
def test_the_user_can_stop_it_at_any_moment(after: int) -> None:
    class Impatient(CloneDesktop):
        asked = 0

        def stop_requested(self) -> str | None:
            self.asked += 1
            return "Esc was pressed" if self.asked > after else None

    session = play(Impatient(Game(Level(16, 30, 99), seed=1)))
    assert session.stop is not None
    assert (session.stop.kind, session.stop.reason) == ("user", "Esc was pressed")
    assert session.finished == ()
    assert session_json(session)["win_rate"] is None


def test_ctrl_c_between_two_games_loses_none_of_them() -> None:
    class Interrupted(Watcher):
        """Someone who writes games down, which takes a moment, and is interrupted at the second."""

        def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
            if number == 2:
                raise KeyboardInterrupt

    session = play(beginner(100), games=3, watcher=Interrupted())
    assert session.stop is not None
    assert (session.stop.kind, session.stop.reason) == ("user", "Ctrl-C was pressed")
    assert [game.stopped for game in session.games] == [None, None]


def test_the_board_is_found_again_when_the_window_moves_in_mid_game() -> None:
    class Wandering(CloneDesktop):
        def click(self, clicks: list[Click]) -> int:
            taken = super().click(clicks)
            self.position = (self.position[0] + 7, self.position[1] + 3)
            return taken

    clone = Wandering(Game(BEGINNER, seed=2))
    assert play(clone).stop is None
    assert clone.game.state in ("won", "lost")


def test_a_board_that_contradicts_itself_is_never_clicked() -> None:
    class Lying(CloneDesktop):
        """Shows an 8 where there is a blank."""

        def grab(self, rect: Rect) -> Picture:
            honest = self.game.board()
            lie = honest.replace({(0, 0): 8}) if honest.cells[0, 0] == 9 else honest
            picture: Picture = self.painter.paint(lie, mines_left=10).copy()
            return picture

        def click(self, clicks: list[Click]) -> int:
            raise AssertionError("clicked on a contradiction")

    session = play(Lying(Game(BEGINNER, seed=1)))
    assert session.stop is not None
    assert "contradicts itself" in session.stop.reason


@pytest.mark.parametrize("seed", range(20, 24))
def test_an_end_dialog_that_hides_the_board_at_once_is_pushed_aside_to_see_how_the_game_ended(seed: int) -> None:
    clone = beginner(seed)
    session = play(clone, games=2)
    assert session.stop is None
    assert session.games[1].won == (clone.game.state == "won")


def test_an_end_that_can_only_be_read_once_its_dialog_has_come_and_was_pushed_aside_is_read() -> None:
    class Shining(CloneDesktop):
        """A beam of light stands over the end of a game until the dialog comes, which takes a moment to move away."""

        pushed_at = np.inf

        def push_aside(self, dialog: Dialog) -> None:
            super().push_aside(dialog)
            self.pushed_at = min(self.pushed_at, self.clock.now())

        def grab(self, rect: Rect) -> Picture:
            picture = super().grab(rect)
            if self.game.state in ("won", "lost") and self.clock.now() < self.pushed_at + 0.1:
                picture = picture.copy()
                picture[:, rect.width // 3 : rect.width // 2] = 230
            return picture

    clone = Shining(Game(BEGINNER, seed=2), animate=True)
    session = play(clone)
    assert session.stop is None
    assert session.games[0].won == (clone.game.state == "won")


@pytest.mark.parametrize(
    ("pieces", "level", "seed", "ending"),
    [
        ("mines", BEGINNER, 1, "won"),
        *(("flowers", BEGINNER, seed, "won") for seed in (1, 2, 8, 10)),
        ("mines", Level(9, 9, 30), 1, "lost"),
        ("flowers", Level(9, 9, 30), 1, "lost"),
    ],
)
def test_the_show_of_an_end_in_green_at_one_and_a_half_times_the_size_is_an_end(
    pieces: Pieces, level: Level, seed: int, ending: str
) -> None:
    clone = CloneDesktop(Game(level, seed=seed), Design("green", pieces, 27.0), animate=True)
    session = play(clone)
    assert session.stop is None, "and so the command ends with 0, not in doubt"
    assert clone.game.state == ending
    assert session.games[0].won == (ending == "won")


@pytest.mark.parametrize(("level", "seed"), [(BEGINNER, 2), (Level(9, 9, 30), 1)])
def test_a_picture_that_moves_for_good_at_the_end_hides_no_result_that_the_dialog_tells(
    level: Level, seed: int
) -> None:
    class Glittering(CloneDesktop):
        """Lights up without end once a game is over."""

        def grab(self, rect: Rect) -> Picture:
            picture = super().grab(rect)
            if self.game.state in ("won", "lost"):
                picture[0, 0] = int(1000 * self.clock.now()) % 256
                self.clock.sleep(0.001)
            return picture

    clone = Glittering(Game(level, seed=seed), animate=True)
    session = play(clone)
    assert session.stop is None
    assert clone.game.state == ("won" if level == BEGINNER else "lost")
    assert session.games[0].won == (clone.game.state == "won")


def test_the_focus_that_an_end_dialog_had_is_taken_back() -> None:
    class Forgetful(CloneDesktop):
        """Gives the focus to nobody when a dialog is answered."""

        focused = True

        def tap(self, key: Key) -> None:
            assert self.focused, "a key went astray"
            super().tap(key)

        def play_again(self, dialog: Dialog) -> bool:
            self.focused = False
            return super().play_again(dialog)

        def is_foreground(self) -> bool:
            return self.focused

        def focus_is_free(self) -> bool:
            return not self.focused

        def bring_to_front(self) -> None:
            self.focused = True

    clone = Forgetful(Game(BEGINNER, seed=100))
    for _ in range(2):  # the second begins with the dialog of the first
        session = play(clone, games=2)
        assert session.stop is None
        assert len(session.games) == 2
        clone.clock.sleep(1)


def test_a_window_that_the_user_has_gone_to_keeps_the_focus() -> None:
    class Left(CloneDesktop):
        """The user goes to another window while the end dialog is up."""

        left = False

        def play_again(self, dialog: Dialog) -> bool:
            self.left = True
            return super().play_again(dialog)

        def is_foreground(self) -> bool:
            return not self.left

        def bring_to_front(self) -> None:
            assert not self.left, "the focus was taken away from the user"

    session = play(Left(Game(BEGINNER, seed=100)), games=2)
    assert session.stop is not None
    assert (session.stop.kind, session.stop.reason) == ("user", "the game lost the focus")


def test_a_dialog_in_mid_game_is_named_and_not_answered() -> None:
    class Asking(CloneDesktop):
        """Opens its options after the first click, and takes no more clicks."""

        clicked = False

        def dialog(self) -> Dialog | None:
            return Dialog("Options") if self.clicked else None

        def click(self, clicks: list[Click]) -> int:
            if not self.clicked:
                super().click(clicks[:1])
            self.clicked = True
            return len(clicks)

        def tap(self, key: Key) -> None:
            assert key == "f15", "only a key that means nothing may be pressed"

    session = play(Asking(Game(BEGINNER, seed=3)))
    assert session.stop is not None
    assert session.stop.kind == "doubt"
    assert '"Options"' in session.stop.reason


def test_a_new_game_that_is_dealt_slowly_is_not_asked_for_again_and_again() -> None:
    class Slow(CloneDesktop):
        """Tells of its end by no dialog, and shows a new game seven seconds after it was last asked for one."""

        asked_at = float("inf")

        def dialog(self) -> Dialog | None:
            return None

        def tap(self, key: Key) -> None:
            if key == "f2":
                self.asked_at = self.clock.now()

        def grab(self, rect: Rect) -> Picture:
            if self.clock.now() > self.asked_at + 7:
                self.asked_at = float("inf")
                self.program.engine.answer("again", self.clock.now())
            return super().grab(rect)

    session = play(Slow(Game(BEGINNER, seed=5)), games=2)
    assert session.stop is None
    assert len(session.games) == 2


def test_a_game_that_is_slow_to_take_clicks_is_waited_for() -> None:
    class Slow(CloneDesktop):
        """Takes each batch only when it is clicked again or five seconds later."""

        waiting: list[Click]
        since = float("inf")

        def click(self, clicks: list[Click]) -> int:
            if self.since == float("inf"):
                self.waiting, self.since = clicks, self.clock.now()
            return len(clicks)

        def grab(self, rect: Rect) -> Picture:
            if self.clock.now() > self.since + 5:
                self.since = float("inf")
                super().click(self.waiting)
                super().park(0, 0)
            return super().grab(rect)

    clone = Slow(Game(BEGINNER, seed=6))
    session = play(clone)
    assert session.stop is None
    assert clone.game.state in ("won", "lost")


def test_clicks_that_a_busy_computer_paints_one_after_the_other_are_not_taken_for_lost() -> None:
    class PaintsUnevenly(CloneDesktop):
        """Shows what every other click does twice as late."""

        def __init__(self, game: Game) -> None:
            super().__init__(game)
            self.held: list[tuple[Rect, float, Picture]] = []
            self.made = 0

        def click(self, clicks: list[Click]) -> int:
            for click in clicks:
                self.made += 1
                tile = Rect(click.x - 9, click.y - 9, 18, 18)
                late = 0.5 if self.made % 2 else 1.0
                self.held.append((tile, self.clock.now() + late, super().grab(tile).copy()))
            return super().click(clicks)

        def grab(self, rect: Rect) -> Picture:
            screen = super().grab(rect)
            for tile, until, before in self.held:
                if self.clock.now() < until:
                    paste(screen, rect, before, tile[:2])
            return screen

    clone = PaintsUnevenly(Game(Level(16, 16, 40), seed=5))
    session = play(clone)
    assert session.stop is None
    assert session.games[0].lost_clicks == 0


def test_the_rule_of_the_first_click_follows_from_the_look() -> None:
    rules = {name: Skin.load(name).kind.rule for name in ("win7", "winemine", "winxp")}
    assert rules == {"win7": "open", "winemine": "safe", "winxp": "safe"}


def test_a_first_click_that_opens_nothing_is_remembered_of_its_game() -> None:
    """Its skin says that first clicks open areas. Later games begin where only the tile itself is safe: in a corner."""

    class FirstMoves(Watcher):
        def __init__(self) -> None:
            self.moves: list[tuple[int, int]] = []
            self.reasons: list[str] = []

        def decided(self, reading: Reading, decision: Decision, actions: list[Action]) -> None:
            if (reading.board.cells == Cell.COVERED).all() and decision.move is not None:
                self.moves.append((decision.move.row, decision.move.col))
                self.reasons.append(decision.reason)

    def shows_a_number(seed: int) -> bool:
        game = Game(BEGINNER, "safe", seed)
        game.open(2, 2)
        return bool(1 <= game.board().cells[2, 2] <= 8)

    seed = next(seed for seed in range(1, 100) if shows_a_number(seed))
    first, after_a_new_start = FirstMoves(), FirstMoves()
    for watcher in (first, after_a_new_start):
        play(CloneDesktop(Game(BEGINNER, "safe", seed)), games=2, watcher=watcher)
    assert first.moves == [(2, 2), (0, 0)]
    assert ["is an opening" in reason for reason in first.reasons] == [True, False]
    assert after_a_new_start.moves == [(0, 0), (0, 0)]


def test_a_lost_game_is_not_played_again_on_the_same_mines() -> None:
    """KMines offers that after a loss, and Enter would take it."""

    class OffersTheSame(CloneDesktop):
        def play_again(self, dialog: Dialog) -> bool:
            return False  # a dialog of a game that is not known

        def _take_key(self, key: Key, now: float) -> None:
            if self.program.engine.question == "lost" and key in ("enter", "esc"):
                self.program.engine.answer("restart" if key == "enter" else "again", now)
            else:
                super()._take_key(key, now)

    clone = OffersTheSame(Game(Level(9, 9, 50), seed=5))
    session = play(clone, games=3)
    assert [game.won for game in session.games] == [False] * 3
    assert clone.game.seed == 7


def test_a_game_that_is_over_already_is_not_counted() -> None:
    clone = beginner(30)
    clone.game.open(4, 4)
    assert clone.game.mines is not None
    row, col = np.argwhere(clone.game.mines)[0].tolist()
    clone.game.open(row, col)
    assert clone.game.state == "lost"
    session = play(clone)
    assert session.stop is None
    assert [game.clicks > 0 for game in session.games] == [True]
    assert clone.game.seed == 31


def test_a_loss_that_is_still_being_painted_is_looked_at_again() -> None:
    class Gradual(CloneDesktop):
        """Shows the mines of a lost game first and the one that went off a little later."""

        ended = float("inf")

        def grab(self, rect: Rect) -> Picture:
            board = self.game.board()
            self.ended = min(self.ended, self.clock.now()) if self.game.state == "lost" else float("inf")
            early = self.clock.now() < self.ended + 0.04
            if not early or not (board.cells == Cell.EXPLODED).any():
                return super().grab(rect)
            row, col = np.argwhere(board.cells == Cell.EXPLODED)[0].tolist()
            picture: Picture = self.painter.paint(board.replace({(row, col): Cell.COVERED}), mines_left=10).copy()
            return picture

    last: list[Reading] = []

    class Last(Watcher):
        def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
            assert reading is not None
            last.append(reading)

    lost = 0
    clone = Gradual(Game(Level(9, 9, 25), seed=1))
    session = play(clone, games=4, watcher=Last())
    for result, reading in zip(session.games, last, strict=True):
        lost += not result.won
        assert result.won != (reading.board.cells == Cell.EXPLODED).any()
    assert lost > 0


def test_clicks_tell_how_a_game_ended_whose_mines_all_look_alike_and_are_shown_in_any_case() -> None:
    class LikeXBomb(CloneDesktop):
        def dialog(self) -> Dialog | None:
            dialog = super().dialog()
            return None if dialog is None else replace(dialog, outcome=None)

        def grab(self, rect: Rect) -> Picture:
            if self.game.state == "playing" or self.game.mines is None:
                return super().grab(rect)
            shown = np.where(self.game.mines, Cell.MINE, count_around(self.game.mines))
            picture: Picture = self.painter.paint(Board(shown.astype(np.uint8)), mines_left=10).copy()
            return picture

    clone = LikeXBomb(Game(Level(9, 9, 16), seed=1))
    ends: list[str] = []

    class Ends(Watcher):
        def game_over(self, number: int, result: GameResult, reading: Reading | None) -> None:
            ends.append(clone.game.state)

    session = play(clone, games=6, watcher=Ends())
    assert session.stop is None
    assert ["won" if game.won else "lost" for game in session.games] == ends
    assert set(ends) == {"won", "lost"}
