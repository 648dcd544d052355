"""The soak plays as long as it was told, and nothing grows meanwhile."""

import json

import pytest

from bot.bench.playing import run_soak
from bot.cli import run
from bot.level import LEVELS
from bot.play import Player, Session, Stop


def test_a_soak_tells_memory_and_handles() -> None:
    result = run_soak(LEVELS["beginner"], 600, 1)
    assert result.stopped is None
    assert result.clicks >= 600
    assert result.end_handles == result.warm_handles
    assert result.most_megabytes >= result.end_megabytes > 10


@pytest.mark.parametrize(
    ("stop", "code"), [(Stop("user", "Ctrl-C was pressed"), 130), (Stop("doubt", "the picture moves"), 4)]
)
def test_a_soak_that_is_stopped_says_why_in_words_and_by_its_exit_code(
    stop: Stop, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Player, "play", lambda player, games: Session((), stop))
    assert run(["bench", "soak", "--json"]) == code
    assert json.loads(capsys.readouterr().out)["stopped"] == stop.reason
