"""The coach without a screen: advice on what is seen, and the review after a game."""

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from bot import solver
from bot.board import Board, Cell
from bot.cli import run
from bot.clone.desktop import CloneDesktop, SkippingClock
from bot.clone.game import Game
from bot.clone.painter import Design, Painter
from bot.coach.advice import STANDS_STILL, Coach, Watch
from bot.coach.review import Journal, review_lines
from bot.desktop import Click, GrabError, NoWindowError
from bot.desktop.timing import Seconds, wait_until
from bot.level import LEVELS, Level
from bot.picture import Picture, load
from bot.show.annotate import annotate
from bot.solver.decision import Decision
from bot.vision.reader import Reader
from bot.words import Rule
from tests.ear import Ear


class Glass:
    """A clone that is seen through an overlay; keeps what is shown."""

    in_place, title = True, "Minesweeper"

    def __init__(self, game: Game, pitch: float = 20.0) -> None:
        self.game = game
        self.painter = Painter(game.level.rows, game.level.cols, Design(pitch=pitch))
        self.seconds = 0
        self.locked = False
        self.marked: Picture | None = None
        self.shows = 0

    def see(self) -> Picture:
        if self.locked:
            raise GrabError("the screen is locked")
        game = self.game
        painted = self.painter.paint(game.board(), seconds=self.seconds, mines_left=game.mines_left, state=game.state)
        return np.array(painted)

    def show(self, seen: Picture, marked: Picture) -> None:
        self.shows += 1
        self.marked = marked

    def clear(self) -> None:
        self.marked = None

    def close(self) -> None:
        pass


@pytest.fixture
def game() -> Game:
    return Game(LEVELS["beginner"], seed=5)


@pytest.fixture
def glass(game: Game) -> Glass:
    return Glass(game)


def start(glass: Glass, think: float = 0.0) -> tuple[Watch, Ear]:
    ear = Ear()
    return Watch(glass, Coach(Reader(), mines=10), ear, "all", think, SkippingClock()), ear


def steps(watch: Watch, number: int = 3) -> None:
    for _ in range(number):
        watch.step()
        watch._clock.sleep(STANDS_STILL)


def test_the_marks_are_those_of_the_dry_run(glass: Glass, game: Game) -> None:
    game.open(4, 4)
    watch, ear = start(glass)
    watch.step()
    [advice] = ear.advice
    assert advice.board.cells.tolist() == game.board().cells.tolist()
    expected = annotate(glass.see(), advice.reading.grid, advice.board, advice.decision)
    assert glass.marked is not None
    assert np.array_equal(glass.marked, expected)


def test_every_change_is_answered_in_the_same_step_and_the_clock_is_none(glass: Glass, game: Game) -> None:
    game.open(4, 4)
    watch, ear = start(glass)
    steps(watch)
    game.open(*ear.advice[-1].decision.safe[0])
    watch.step()
    assert len(ear.advice) == 2
    shows = glass.shows
    for second in range(1, 4):
        glass.seconds = second
        watch.step()
    assert glass.shows == shows


def test_what_cant_be_seen_or_read_gets_no_marks_and_comes_back(glass: Glass, game: Game) -> None:
    game.open(4, 4)
    watch, _ = start(glass)
    watch.step()
    assert glass.marked is not None
    glass.locked = True
    watch.step()
    assert glass.marked is None
    glass.locked = False
    watch.step()
    assert glass.marked is not None


def test_a_guess_is_thought_over_in_the_background() -> None:
    ear = Ear()
    watch = Watch(guess(), Coach(Reader(), mines=20), ear, "all", think=0.05)
    steps(watch)

    def second_thoughts() -> bool:
        watch.step()
        return len(ear.advice) > 1

    assert wait_until(second_thoughts, Seconds(300), Seconds(0.01))  # the first guess ever has to be compiled
    first, thought = ear.advice
    assert first.decision.must_guess
    assert thought.decision.must_guess
    assert np.array_equal(first.decision.odds, thought.decision.odds, equal_nan=True)


def guess() -> Glass:
    """A game in which there is nothing but to guess."""
    board = Board.parse("mines: 20\n" + "#########\n" * 4 + "####3####\n" + "#########\n" * 4)
    game = Game(LEVELS["beginner"], seed=5)
    game.board = lambda: board  # type: ignore[method-assign]
    return Glass(game)


class Brooding(Coach):
    """Thinks every board over for as long as it is let."""

    def __init__(self) -> None:
        super().__init__(Reader(), mines=20)
        self.enough = threading.Event()
        self.thought_over: list[Board] = []

    def ponder(self, board: Board, think: float) -> Decision:
        self.thought_over.append(board)
        self.enough.wait()
        return super().ponder(board, 0.0)


def test_what_is_no_longer_asked_is_not_thought_over() -> None:
    glass, coach, ear = guess(), Brooding(), Ear()
    watch = Watch(glass, coach, ear, "all", think=1.0)
    boards = [glass.game.board().replace({(4, 4): number}) for number in (3, 4, 5)]
    for board in boards:
        glass.game.board = lambda board=board: board  # type: ignore[method-assign,misc]
        steps(watch)
        assert wait_until(lambda: coach.thought_over, Seconds(30), Seconds(0.01))
    coach.enough.set()

    def second_thoughts() -> bool:
        watch.step()
        return len(ear.advice) > len(boards)

    assert wait_until(second_thoughts, Seconds(300), Seconds(0.01))
    assert [int(board.cells[4, 4]) for board in coach.thought_over] == [3, 5]
    assert ear.advice[-1].board.cells[4, 4] == 5


def test_a_long_thought_keeps_nobody_waiting_at_the_end() -> None:
    code = (
        "from tests.coach.test_coach import Brooding, Ear, Watch, guess, steps\n"
        "steps(Watch(guess(), Brooding(), Ear(), 'all', think=1.0))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=30)


def test_a_closed_window_ends_it(glass: Glass) -> None:
    watch, _ = start(glass)

    def closed() -> Picture:
        raise NoWindowError("the game's window was closed")

    glass.see = closed  # type: ignore[method-assign]
    with pytest.raises(NoWindowError):
        watch.step()


def test_after_a_won_game_there_is_one_review(glass: Glass, game: Game) -> None:
    watch, ear = start(glass)
    steps(watch)
    game.open(4, 4)
    steps(watch)
    while game.state == "playing":
        decision = ear.advice[-1].decision
        assert decision.safe, "this game needs no guess"
        game.open(*decision.safe[0])
        steps(watch)
    steps(watch)
    [review] = ear.reviews
    assert review.won
    assert review.risks == ()
    assert review.luck == 0.0
    assert glass.marked is None
    game.new(77)
    steps(watch)
    game.open(4, 4)
    steps(watch)
    assert len(ear.reviews) == 1
    assert glass.marked is not None


def test_a_game_that_was_over_before_is_not_reviewed(glass: Glass, game: Game) -> None:
    game.open(4, 4)
    assert game.mines is not None
    game.open(*np.argwhere(game.mines)[0].tolist())
    assert game.state == "lost"
    watch, ear = start(glass)
    steps(watch)
    assert ear.reviews == []


def test_a_needless_risk_is_named_with_what_was_safe_and_why(glass: Glass, game: Game) -> None:
    watch, ear = start(glass)
    steps(watch)
    game.open(4, 4)
    steps(watch)
    advice = ear.advice[-1]
    assert advice.decision.safe
    mine = advice.decision.mined[0]
    game.open(*mine)
    steps(watch)
    [review] = ear.reviews
    assert review.won is False
    [risk] = review.risks
    assert risk.needless
    assert tuple(risk.cell) == tuple(mine)
    assert risk.risk == 1.0
    told = "\n".join(review_lines(review))
    assert "needless" in told
    assert "was certainly a mine when" in told
    assert "was safe" in told


class Seen(CloneDesktop):
    """A clone with animations, seen through an overlay."""

    in_place = True

    def see(self) -> Picture:
        return self.grab(self.client())

    def show(self, seen: Picture, marked: Picture) -> None:
        pass

    def clear(self) -> None:
        pass

    def close(self) -> None:
        pass


class SeldomDrawn(Seen):
    """The same on a busy computer, which draws what the game shows twice a second."""

    drawn: tuple[int, Picture] | None = None

    def see(self) -> Picture:
        now = int(self.clock.now() / 0.5)
        if self.drawn is None or self.drawn[0] != now:
            self.drawn = now, super().see()
        return self.drawn[1]


@pytest.mark.parametrize("kind", [Seen, SeldomDrawn])
def test_animations_make_no_moves(kind: type[Seen]) -> None:
    seen = kind(Game(LEVELS["intermediate"], "open", 5), animate=True)
    seen.confine(seen.client(), seen.client())
    ear = Ear()
    watch = Watch(seen, Coach(Reader()), ear, "all", 0.0, seen.clock)

    def look_on(seconds: float) -> None:
        for _ in range(round(seconds / 0.025)):  # looks, not seconds: the first may take many
            watch.step()
            seen.clock.sleep(0.025)

    def click(row: int, col: int) -> None:
        x, y = ear.advice[-1].reading.grid.center(row, col)
        seen.click([Click(seen.position[0] + round(x), seen.position[1] + round(y), "left")])
        look_on(2)

    look_on(3)
    clicked = [(4, 4), (10, 10)]
    for tile in clicked:
        click(*tile)
    assert seen.game.mines is not None
    clicked += [(row, col) for row, col in np.argwhere(seen.game.mines)[-1:].tolist()]
    ear.reasons.clear()
    click(*clicked[-1])
    assert seen.game.state == "lost"
    look_on(15)
    [review] = ear.reviews
    assert review.won is False
    assert review.moves == len(clicked)
    assert {tuple(risk.cell) for risk in review.risks if risk.choices == 1} <= set(clicked)
    assert ear.reasons == [], "the end of a game is none to look into"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has a screen at all times")
def test_without_a_game_to_watch_the_coach_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    assert run(["coach"]) == 3
    assert capsys.readouterr().err == "minebot: there is no screen here: DISPLAY is not set\n"
    assert run(["coach", "--hints", "few"]) == 2
    assert run(["coach", "--skin", "gothic"]) == 2
    assert '"gothic"' in capsys.readouterr().err


@pytest.mark.parametrize(("rule", "promise"), [(None, "is safe"), ("open", "is an opening")])
def test_what_the_first_click_promises_follows_from_the_look(rule: Rule | None, promise: str) -> None:
    picture = load(Path(__file__).parents[2] / "fixtures/screenshots/winemine/beginner-covered.png")
    advice = Coach(Reader(), rule).look(picture)
    assert advice is not None
    assert promise in advice.decision.reason


def test_a_first_click_that_opens_nothing_is_remembered_of_the_program() -> None:
    def first_words(seed: int, title: str) -> str:
        glass, ear = Glass(Game(LEVELS["beginner"], "safe", seed)), Ear()
        watch = Watch(glass, Coach(Reader(), mines=10, title=title), ear, "all", 0.0, SkippingClock())
        steps(watch)
        glass.game.open(4, 4)
        steps(watch)
        return ear.advice[0].decision.reason

    def shows_a_number(seed: int) -> bool:
        game = Game(LEVELS["beginner"], "safe", seed)
        game.open(4, 4)
        return bool(1 <= game.board().cells[4, 4] <= 8)

    seed = next(seed for seed in range(1, 100) if shows_a_number(seed))
    assert "is an opening" in first_words(seed, "Mines of another make")
    assert "is safe" in first_words(seed, "Mines of another make")
    assert "is an opening" in first_words(seed, "Minesweeper")


# The review alone


def journal(*boards: str) -> Journal:
    kept = Journal()
    for text in boards:
        board = Board.parse(text)
        kept.note(board, solver.decide(board, strategy="csp", think=0.0))
    return kept


def test_a_guess_is_compared_with_the_best_there_was() -> None:
    before = "mines: 3\n####\n#2##\n####"
    after = "mines: 3\n####\n#2#1\n####"
    [risk] = journal(before, after).review(None).risks
    assert not risk.needless
    assert risk.least <= risk.risk < 1


def test_a_flood_is_one_move_and_gets_the_benefit_of_the_doubt() -> None:
    level = Level(9, 9, 10)
    game = Game(level, seed=5)
    first = str(game.board())
    game.open(4, 4)
    review = journal(first, str(game.board())).review(None)
    assert review.moves == 1
    assert review.risks == ()


def test_flags_and_shown_mines_are_no_moves() -> None:
    lost = Board.parse("mines: 2\nX1\n#*")
    before = Board.parse("mines: 2\n#1\n##")
    assert lost.cells[0, 0] == Cell.EXPLODED
    review = journal(str(before), str(before.replace({(1, 0): Cell.FLAG})), str(lost)).review(False)
    assert review.moves == 1


def test_another_game_begins_another_review() -> None:
    review = journal("mines: 1\n###", "mines: 1\n1##", "mines: 1\n###", "mines: 1\n##1").review(None)
    assert review.moves == 1


def test_luck_is_the_outcome_against_the_odds() -> None:
    review = journal("mines: 1\n1##\n1##", "mines: 1\n1#1\n1##").review(True)
    assert review.luck == pytest.approx(1 - review.survival)


def test_a_window_without_a_board_is_told_of_within_two_seconds_and_once(glass: Glass) -> None:
    watch, ear = start(glass)
    empty = np.full((300, 400, 3), 60, np.uint8)
    glass.see = lambda: empty  # type: ignore[method-assign]
    began = watch._clock.now()
    while not ear.reasons:
        watch.step()
        watch._clock.sleep(Seconds(0.1))
    assert watch._clock.now() - began < 2
    for word in ("no board", "1.5 s", "dark", "--window", "minebot calibrate", "minebot doctor"):
        assert word in ear.reasons[0]
    steps(watch, 50)
    assert len(ear.reasons) == 1


def test_a_reason_for_silence_is_told_again_after_there_was_advice(glass: Glass) -> None:
    watch, ear = start(glass)
    for _ in range(2):
        glass.locked = False
        steps(watch)
        glass.locked = True
        steps(watch, 30)
    assert ear.reasons == ["the screen is locked"] * 2
    assert ear.advice


def test_tiles_that_can_not_be_read_are_told_of(glass: Glass) -> None:
    watch, ear = start(glass)
    spoilt = glass.see()
    spoilt[100:130, 100:130] = (0, 255, 255)
    glass.see = lambda: spoilt  # type: ignore[method-assign]
    steps(watch, 30)
    assert "can't be read, the first at row" in ear.reasons[0]


def test_a_dimmed_game_that_cannot_be_read_is_called_dark() -> None:
    shot = load(Path(__file__).parents[2] / "fixtures" / "screenshots" / "clone" / "default-size-midgame.png")
    coach = Coach(Reader())
    assert coach.look(np.asarray(shot * 0.25, np.uint8)) is None
    assert "can't be read" in coach.silence
    assert "it is dark" in coach.silence


def test_the_machine_code_is_there_before_the_coach_watches_and_not_before_it_sees_a_board() -> None:
    """Compiled in a game, the guess would come seconds late; that a window has no board is told in two."""
    program = """
from bot.cli import run
from bot import desktop
from bot.desktop import NoWindowError
from bot.picture import load

board = load("FIXTURE")
blank = board * 0 + 128

class Closed:
    in_place, title, looks = True, "Minesweeper", 0

    def see(self):
        from bot.solver.kernels.choosing import consider

        self.looks += 1
        print("ready" if consider.signatures else "not ready")
        if self.looks == 3:
            raise NoWindowError("closed")
        return board if self.looks == 2 else blank

    def clear(self):
        pass

    close = clear

desktop.open_overlay = lambda *_: Closed()
run(["coach"])
"""
    picture = Path(__file__).parents[2] / "fixtures/screenshots/winemine/beginner-covered.png"
    program = program.replace("FIXTURE", str(picture))
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert said.stdout == "not ready\nnot ready\nready\n", said.stderr
