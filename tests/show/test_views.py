"""A game in the terminal, as a person sees it while it is played."""

from __future__ import annotations

import re
import sys
from io import StringIO

import pytest
from rich.console import Console

from bot.actions import Action
from bot.cli import bench
from bot.clone.desktop import CloneDesktop
from bot.clone.game import Game
from bot.desktop.timing import FAST
from bot.level import LEVELS
from bot.play import GameResult, Player, Session, Settings, Watcher
from bot.show.documents import session_json
from bot.show.views import LiveView, PlainView, ProgressView, Seeds, describe, results_table, summary
from bot.vision.reader import Reader
from bot.vision.skin import Skin

WON = GameResult(won=True, seconds=2.0, clicks=30, guesses=(0.5,), three_bv=25)
LOST = GameResult(won=False, seconds=4.0, clicks=10, guesses=(0.004, 0.25), three_bv=None)


def play_a_game_with_an_even_guess(view: Watcher) -> None:
    desktop = CloneDesktop(Game(LEVELS["beginner"], seed=18))
    Player(desktop.desktop(), Reader(Skin.load("win7")), Settings(strategy="csp"), view).play(1)


def terminal() -> tuple[Console, StringIO]:
    out = StringIO()
    return Console(file=out, force_terminal=True, color_system=None, width=120, height=40), out


def test_a_live_game_shows_its_moves_the_odds_of_a_guess_and_how_it_ended() -> None:
    console, out = terminal()
    with LiveView(console, linger=FAST.linger) as view:
        play_a_game_with_an_even_guess(view)
    frames = out.getvalue().split("\r")
    assert "10 mines left · 0 of 81 open · 0 clicks" in frames[0]
    guess = next(frame for frame in frames if "guessed" in frame)
    assert "50F 2 1" in guess
    assert "1 mine left · 70 of 81 open · 20 clicks · 1 guessed, 50 % to survive them" in guess
    assert "row 9, column 1 is the best of 2 candidates" in guess
    assert "0 mines left · 71 of 81 open · 21 clicks" in frames[-1]
    assert "won in " in frames[-1]
    assert "1 guess (50 %)" in frames[-1]


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (50, 24)])
def test_a_live_game_fits_its_terminal_and_cuts_no_sentence_off(columns: int, rows: int) -> None:
    out = StringIO()
    console = Console(file=out, force_terminal=True, color_system=None, width=columns, height=rows)
    with LiveView(console, linger=FAST.linger, seeds=Seeds(Game(LEVELS["beginner"], seed=18))) as view:
        play_a_game_with_an_even_guess(view)
    frames = [re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", frame) for frame in out.getvalue().split("\r") if frame.strip()]
    assert not any("…" in frame or "..." in frame for frame in frames)
    assert max(len(line) for frame in frames for line in frame.split("\n")) <= columns
    assert max(frame.strip("\n").count("\n") for frame in frames) < rows
    assert "is the best of 2 candidates" in " ".join(out.getvalue().split())
    assert "1 guess (50 %) · luck " in " ".join(frames[-1].split())


def test_until_the_first_board_others_write_to_the_terminal_as_they_like() -> None:
    """The dots that tell how compiling goes on became a line each."""
    console, _ = terminal()
    before = sys.stderr
    for view in (LiveView(console, linger=FAST.linger), ProgressView(console, 3)):
        with view:
            assert sys.stderr is before


def test_a_trials_bar_leaves_the_terminal_to_the_compiler_until_there_is_something_to_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It took the line of dots over, so that ten seconds of compiling showed nothing."""
    before, (terminal_, _) = sys.stderr, terminal()
    monkeypatch.setattr(bench, "console", lambda **_: terminal_)
    with bench.Output(as_json=False, quiet=False).bar(3) as move:
        assert sys.stderr is before
        move(1, 3)
        assert sys.stderr is not before


def test_plain_lines_tell_every_move_with_its_reason_then_the_board_and_how_it_ended() -> None:
    lines: list[str] = []
    play_a_game_with_an_even_guess(PlainView(lines.append))
    moves, board, end = lines[:-10], lines[-10:-1], lines[-1]
    assert moves
    assert all(": " in move for move in moves)
    assert [len(row) for row in board] == [9] * 9
    assert end.startswith("won in ")


def test_many_games_fill_a_bar_with_the_rate_and_its_interval() -> None:
    console, out = terminal()
    with ProgressView(console, 3) as view:
        view.game_over(1, WON, None)
        view.game_over(2, LOST, None)
    assert "2/3 50.0 % won (9 – 91 %)" in out.getvalue()


def test_a_bar_leaves_nothing_in_a_file() -> None:
    out = StringIO()
    with ProgressView(Console(file=out), 3) as view:
        view.game_over(1, WON, None)
    assert out.getvalue() == ""


def test_a_table_of_games_tells_how_many_wins_were_luck() -> None:
    console, out = terminal()
    console.print(results_table([WON, WON, LOST]))
    assert "2 (66.7 %)" in out.getvalue()
    assert "+0.3 wins" in out.getvalue()
    assert "12.50 │ 0.83" in " ".join(out.getvalue().split())


def test_actions_of_one_kind_are_told_by_the_first_of_them_and_what_is_opened_before_flags() -> None:
    flags, opened = [Action("flag", 0, 1)], [Action("open", 2, 6), Action("open", 3, 3)]
    assert describe(flags + opened) == "open row 3, column 7 and 1 more, flag row 1, column 2"


def test_no_guess_is_told_as_free_of_risk() -> None:
    assert summary(LOST) == "lost in 4.00 s · 10 clicks · 2 guesses (1 %, 25 %) · luck -0.75"


def test_a_result_tells_speed_efficiency_and_luck_of_a_win() -> None:
    told = "won in 2.00 s · 30 clicks · 3BV 25 (12.5 a second, 0.83 a click) · 1 guess (50 %) · luck +0.50 · seed 7"
    assert summary(WON, 7) == told


def test_a_game_that_was_stopped_has_no_luck_and_one_that_was_lost_no_speed() -> None:
    stopped = GameResult(won=False, seconds=1.0, clicks=3, guesses=(0.2,), three_bv=None, stopped="Esc was pressed")
    assert stopped.luck is None
    lost = GameResult(won=False, seconds=1.0, clicks=3, guesses=(0.25,), three_bv=9)
    assert (lost.three_bv_a_second, lost.efficiency, lost.luck) == (None, None, -0.75)


def test_a_game_whose_seed_was_not_taken_down_is_told_without_it() -> None:
    """As when Ctrl-C comes between the end of a game and its being written down."""
    games = session_json(Session((WON, LOST)), [7])["games"]
    assert [game.get("seed") for game in games] == [7, None]
