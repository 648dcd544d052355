"""Who does the work: this process, a pool of processes, or the workers of a Dask cluster.

All three are a `concurrent.futures.Executor`, and that is the whole seam: a trial maps a function over jobs and gets
the results as they come. Functions and jobs must be importable and picklable; a cluster's workers need this package
installed.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from typing import Any, Generic, TypeVar

from bot import signals
from bot.bench import BenchError

Job = TypeVar("Job")
Result = TypeVar("Result")
AnyTrial = TypeVar("AnyTrial")


@dataclass(frozen=True)
class Stretch(Generic[AnyTrial]):
    """A job: consecutive games of a trial, each of which follows from the trial and its seed."""

    trial: AnyTrial
    first_seed: int
    games: int

    @property
    def seeds(self) -> range:
        """The seeds of its games."""
        return range(self.first_seed, self.first_seed + self.games)


@dataclass(frozen=True)
class Pool:
    """An executor and how many jobs it works on at the same time."""

    executor: Executor
    workers: int

    def results(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[tuple[int, Result]]:
        """Yield (number of the job, its result) in the order in which jobs end.

        Only a few more jobs than workers are handed out at a time, so that stopping early wastes little.
        """
        waiting = enumerate(jobs)
        running: dict[Future[Result], int] = {}
        while True:
            for number, job in islice(waiting, 2 * self.workers - len(running)):
                running[self.executor.submit(function, job)] = number
            if not running:
                return
            ended, _ = wait(running, return_when=FIRST_COMPLETED)
            signals.obey()
            for future in sorted(ended, key=running.__getitem__):
                yield running.pop(future), future.result()


@contextmanager
def open_pool(workers: int | None = None, cluster: str | None = None) -> Iterator[Pool]:
    """Open a pool: the Dask scheduler at an address, or `workers` processes (default: one a core).

    One worker is this very process. When the block ends early, unfinished jobs are dropped. Raises `BenchError` when
    the cluster can't be reached.
    """
    if cluster is not None:
        with _dask(cluster) as pool:
            yield pool
        return
    workers = workers or os.cpu_count() or 1
    executor: Executor = _ThisProcess()
    if workers > 1:
        # Spawned, not forked: the same on Windows and Linux, and safe beside compiled code that has threads.
        context = multiprocessing.get_context("spawn")
        executor = _Processes(workers, mp_context=context, initializer=_end_with_the_parent)
    others = set(multiprocessing.active_children())
    try:
        yield Pool(executor, workers)
    except BaseException:
        for process in set(multiprocessing.active_children()) - others:
            process.kill()  # they ignore polite requests
        raise
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


class _ThisProcess(Executor):
    """Does each job at once, where it is."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class _Processes(ProcessPoolExecutor):
    """Starts its processes when jobs are handed out; one that is half started would end with a traceback of its own."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        with signals.put_off_for_good_in_children():
            return super().submit(fn, *args, **kwargs)


def _end_with_the_parent() -> None:
    """Leave every signal to the parent, which ends its workers; when it was killed, end too."""
    signals.ignore()
    parent = multiprocessing.parent_process()
    assert parent is not None

    def follow() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=follow, daemon=True).start()


@contextmanager
def _dask(address: str) -> Iterator[Pool]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise BenchError('a cluster needs Dask (the extra "cluster"): pip install distributed') from error
    try:
        client = distributed.Client(address)
    except (OSError, ValueError) as error:
        raise BenchError(f'no Dask scheduler answers at "{address}": {error}') from error
    with client:
        # pure=False: two equal jobs are two jobs.
        executor = client.get_executor(pure=False)
        try:
            yield Pool(executor, sum(client.ncores().values()) or 1)
        finally:
            executor.shutdown(wait=False)
