"""The soak plays as long as it was told, and nothing grows meanwhile."""

from bot.bench.soak import run_soak
from bot.level import LEVELS


def test_a_soak_tells_memory_and_handles() -> None:
    result = run_soak(LEVELS["beginner"], 600, 1)
    assert result.stopped is None
    assert result.clicks >= 600
    assert result.end_handles == result.warm_handles
    assert result.most_megabytes >= result.end_megabytes > 10
