"""Statistics across runs: what is counted, and what survives two bots, a kill and a full disk."""

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.cli import run
from bot.stats import Chronicler, Played, by_level_and_skin, load_games, stats_file, summarise

GAME = Played("2026-01-01T00:00:00+00:00", "expert", "win7", False, True, None, 10.0, 200, (), 150)
LOST = replace(GAME, won=False)


def document(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def test_luck_is_wins_minus_what_the_odds_promised() -> None:
    games = [replace(GAME, guesses=(0.5,)), replace(GAME, guesses=(0.5, 0.2)), replace(LOST, guesses=(0.1,))]
    assert summarise(games).luck == pytest.approx(2 - (0.5 + 0.4 + 0.9))


def test_streaks_times_and_intervals() -> None:
    summary = summarise([GAME, replace(GAME, seconds=4.0), LOST, GAME])
    assert (summary.streak, summary.longest_streak) == (1, 2)
    assert summary.best_seconds == 4.0
    assert summary.mean_seconds == pytest.approx(8.0)
    low, high = summary.interval
    assert low < 0.75 < high


def test_a_stopped_game_is_neither_won_nor_lost_and_breaks_no_streak() -> None:
    summary = summarise([GAME, replace(LOST, stopped="Esc was pressed"), GAME])
    assert (summary.games, summary.wins, summary.stopped, summary.streak) == (2, 2, 1, 2)


def test_levels_and_skins_are_kept_apart() -> None:
    groups = by_level_and_skin([GAME, GAME, replace(GAME, level="beginner"), replace(GAME, skin="winemine")])
    assert {key: summary.games for key, summary in groups.items()} == {
        ("expert", "win7"): 2,
        ("beginner", "win7"): 1,
        ("expert", "winemine"): 1,
    }


def test_play_writes_its_games_down_and_stats_tells_them(capsys: pytest.CaptureFixture[str]) -> None:
    for seed in ("3", "4"):
        run(["play", "--clone", "--level", "beginner", "--games", "2", "--seed", seed, "--think", "0", "--json"])
        played = document(capsys)
        assert len(played["games"]) == 2
    assert run(["stats", "--json"]) == 0
    told = document(capsys)
    assert told["clone"]["games"] == 4
    assert told["desktop"]["games"] == 0
    assert [group["level"] for group in told["clone"]["groups"]] == ["beginner"]
    assert run(["stats"]) == 0
    assert "beginner" in capsys.readouterr().out


def test_before_the_first_game_there_is_nothing_to_tell(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["stats"]) == 0
    assert "no game has been played yet" in capsys.readouterr().out


def test_what_a_killed_bot_left_half_written_spoils_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    run(["play", "--clone", "--level", "beginner", "--seed", "3", "--think", "0", "--quiet"])
    stats_file().write_bytes(stats_file().read_bytes() + stats_file().read_bytes()[:50])
    run(["play", "--clone", "--level", "beginner", "--seed", "3", "--think", "0", "--quiet"])
    games, damaged = load_games()
    assert (len(games), damaged) == (2, 1)
    capsys.readouterr()
    run(["stats", "--json"])
    out, err = capsys.readouterr()
    assert json.loads(out)["clone"]["games"] == 2
    assert "1 damaged line" in err


@pytest.mark.parametrize("line", ['{"format": 9}', "[]", '{"format": 1, "guesses": ["a"]}', "\x00"])
def test_a_line_that_is_none_of_ours_is_left_out(line: str) -> None:
    stats_file().parent.mkdir(parents=True)
    stats_file().write_text(line + "\n")
    assert load_games() == ([], 1)


@pytest.mark.parametrize("seconds", ["NaN", "Infinity", "-1", "1" + "0" * 400])
def test_a_game_of_impossible_length_is_left_out(seconds: str) -> None:
    game = {"format": 1, "when": "", "level": "", "skin": "", "clone": True, "won": True, "stopped": None}
    game |= {"seconds": "S", "clicks": 3, "guesses": [], "three_bv": 2}
    stats_file().parent.mkdir(parents=True)
    stats_file().write_text(json.dumps(game).replace('"S"', "1.5") + "\n" + json.dumps(game).replace('"S"', seconds))
    games, damaged = load_games()
    assert (len(games), damaged) == (1, 1)


def test_a_folder_that_cant_be_written_costs_one_warning_and_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MINEBOT_DATA", str(tmp_path / "file" / "data"))
    assert run(["play", "--clone", "--level", "beginner", "--games", "2", "--seed", "3", "--think", "0", "--json"]) == 0
    out, err = capsys.readouterr()
    assert len(json.loads(out)["games"]) == 2
    assert err.count("no longer written") == 1


def test_the_plot_is_a_picture_or_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    run(["play", "--clone", "--level", "beginner", "--games", "2", "--seed", "3", "--think", "0", "--quiet"])
    assert run(["stats", "--plot", str(tmp_path / "luck.png")]) == 0
    assert (tmp_path / "luck.png").read_bytes().startswith(b"\x89PNG")
    capsys.readouterr()
    assert run(["stats", "--plot", str(tmp_path / "none" / "luck.png")]) == 2
    assert "can't write" in capsys.readouterr().err


def test_a_game_without_a_click_is_no_game() -> None:
    from bot.play import GameResult

    Chronicler(False, print).game_over(1, GameResult(False, 0.1, 0, (), None, "Esc was pressed"), None)
    assert not Path(os.environ["MINEBOT_DATA"]).exists()
