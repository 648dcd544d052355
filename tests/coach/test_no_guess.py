"""Games that need no guess: the solver wins each by what is certain alone."""

import json
from typing import Any

import pytest

from bot.cli import run
from bot.clone.game import Game
from bot.coach.review import NeedsGuessesError, seed_without_guess, solved_without_guess
from bot.level import LEVELS, Level


@pytest.mark.parametrize("level", [*LEVELS.values(), Level(8, 30, 20)], ids=str)
def test_a_game_without_guesses_needs_none(level: Level) -> None:
    game = Game(level, "open", seed_without_guess(level, "open", 1, 3, 3))
    game.open(3, 3)
    assert solved_without_guess(game)
    assert game.state == "won"


def test_a_board_too_full_for_that_is_refused() -> None:
    clock = iter(range(0, 1000, 15))
    with pytest.raises(NeedsGuessesError, match="fewer mines"):
        seed_without_guess(Level(16, 30, 300), "open", 1, 3, 3, now=lambda: next(clock))


def played(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    assert run(["play", "--clone", "--think", "0", "--json", *arguments]) == 0
    games: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["games"]
    return games


def test_the_bot_wins_every_game_that_needs_no_guess_and_tells_which_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    custom = ["--level", "10x12/20"]
    games = played(capsys, "--no-guess", "--games", "6", "--seed", "3", *custom)
    assert all(game["won"] and not game["guesses"] for game in games)
    seeds = [game["seed"] for game in games]
    assert seeds == sorted(set(seeds))
    assert seeds != list(range(3, 9))  # some that need a guess lie between
    again = played(capsys, "--seed", str(seeds[-1]), *custom)[0]
    assert again["three_bv"] == games[-1]["three_bv"]
    assert again["seed"] == seeds[-1]
