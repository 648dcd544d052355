"""Slow work, one job after the other."""

import threading

import pytest

from bot.web.server import Worker


def test_what_is_cancelled_before_its_turn_is_not_begun() -> None:
    worker, gate, done = Worker("a test"), threading.Event(), list[str]()
    first = worker.ask(lambda: gate.wait(30))
    second = worker.ask(lambda: done.append("second"))
    third = worker.ask(lambda: done.append("third"))
    assert second.cancel()
    gate.set()
    third.result(30)
    assert first.result()
    assert done == ["third"]


def test_a_job_that_fails_is_told_and_the_next_one_is_done() -> None:
    worker = Worker("a test")
    failing = worker.ask(lambda: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        failing.result(30)
    assert worker.ask(lambda: 7).result(30) == 7
