"""Work that takes time, one job after the other, in a thread that keeps no program from ending.

The solver keeps its memory by thread, so each kind of work has one thread and no pool.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from typing import Any, TypeVar

Result = TypeVar("Result")


class Worker:
    """A thread that does what it is asked, in order. A job that is cancelled before its turn is not begun."""

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def ask(self, job: Callable[[], Result]) -> Future[Result]:
        """Return what will hold the result."""
        answer: Future[Result] = Future()
        self._jobs.put((answer, job))
        return answer

    def _work(self) -> None:
        while True:
            answer, job = self._jobs.get()
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                answer.set_result(job())
            except BaseException as error:  # whoever asked is told
                answer.set_exception(error)
