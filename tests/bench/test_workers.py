"""The pool: whoever does the work, every job's result comes back under its number."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from bot.bench import BenchError
from bot.bench.workers import open_pool


def square(number: int) -> tuple[int, int]:
    return number * number, os.getpid()


@pytest.mark.parametrize("workers", [1, 2])
def test_every_job_is_done_once(workers: int) -> None:
    with open_pool(workers) as pool:
        results = dict(pool.results(square, range(20)))
    assert {number: result for number, (result, _) in results.items()} == {n: n * n for n in range(20)}
    assert (os.getpid() in {process for _, process in results.values()}) == (workers == 1)


def test_jobs_are_handed_out_only_as_they_are_needed() -> None:
    taken: list[int] = []

    def jobs() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    with open_pool(1) as pool:
        next(pool.results(square, jobs()))
    assert len(taken) <= 3


def test_an_address_without_a_scheduler_is_named() -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster")
    with pytest.raises(BenchError, match="nonsense"), open_pool(cluster="nonsense://nowhere"):
        pass
