"""Signals: every command ends at the first one, at any moment, with a sentence and no process left behind."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from bot import signals
from bot.bench.workers import open_pool
from bot.board import Board, Cell
from bot.clone.desktop import CloneDesktop
from bot.clone.game import Game
from bot.level import LEVELS
from bot.play import Player, Settings, Watcher
from bot.vision.reader import Reader
from tests.program import ROOT, started

PATIENCE = 60.0
"""Seconds a program may take to start or end on a busy machine."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows sends programs no signals but Ctrl-C")


def family(process: int) -> set[int]:
    """The processes of the session that a program leads."""
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            session = int((entry / "stat").read_text().rpartition(")")[2].split()[3])
        except (OSError, ValueError, IndexError):
            continue
        if session == process:
            found.add(int(entry.name))
    return found


def await_ears(process: int) -> None:
    """Wait until a program handles SIGTERM by itself: until then Python is starting, and the system ends it."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        status = Path(f"/proc/{process}/status").read_text()
        caught = next(int(line.split()[1], 16) for line in status.splitlines() if line.startswith("SigCgt"))
        if caught & 1 << (signal.SIGTERM - 1):
            return
        time.sleep(0.001)
    raise AssertionError("it never listens")


def complaint(said: str) -> str:
    """What a program said, but for the remark of one that never ran here before."""
    return re.sub(r"compiling the \w+(, about \d+ s)?; this happens once\n", "", said).strip()


def gone(process: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while family(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.parametrize(("name", "times"), [("SIGINT", 5), ("SIGTERM", 2), ("SIGHUP", 2)])
def test_play_ends_at_the_first_signal_whenever_it_comes(name: str, times: int) -> None:
    number = signal.Signals[name]
    moments = random.Random(name)
    # One function receives them all: the moments are tried with one signal, the others show that they come there.
    for moment in [*(0.3 * k for k in range(times)), *(moments.uniform(0.1, 4.0) for _ in range(times))]:
        with started("play", "--clone", "--level", "expert", "--games", "100000", "--json") as play:
            await_ears(play.pid)
            time.sleep(moment)
            play.send_signal(number)
            output, said = play.communicate(timeout=PATIENCE)
        assert play.returncode == 128 + number, (moment, said)
        assert complaint(said).startswith("minebot: stopped: "), (moment, said)
        assert complaint(said).count("\n") == 0, (moment, said)
        told = json.loads(output or "{}")  # nothing while it was still being imported
        if "games" not in told and output:  # stopped before its first game began
            assert told["exit_code"] == play.returncode, (moment, told)
            assert f"minebot: {told['error']}" == complaint(said), (moment, told)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a program with whoever has started it")
def test_a_trial_that_is_killed_leaves_none_of_its_programs_behind() -> None:
    trial = """
        import time
        from tests.program import ROOT, started
        with started("bench", "faults", "--games", "100000", "--level", "beginner", "--workers", "1") as process:
            print(process.pid, flush=True)
            time.sleep(1000)
        """
    command = [sys.executable, "-c", dedent(trial)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        program = int(parent.stdout.readline())
        await_ears(program)
        parent.kill()
    assert gone(program)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"])
def test_a_trial_leaves_no_worker_behind(name: str, tmp_path: Path) -> None:
    results = tmp_path / "results"
    arguments = ("bench", "games", "--strategy", "csp", "--games", "10000000", "--workers", "2", "--json")
    with started(*arguments, "--results", str(results)) as trial:
        while not results.exists() or results.stat().st_size == 0:
            assert trial.poll() is None
            time.sleep(0.05)
        assert len(family(trial.pid)) >= 3
        os.kill(trial.pid, signal.Signals[name])
        output, said = trial.communicate(timeout=PATIENCE)
    assert gone(trial.pid)
    if name != "SIGKILL":
        assert trial.returncode == 128 + signal.Signals[name], said
        told = json.loads(output)
        assert told["interrupted"]
        assert told["games"] == results.stat().st_size
        assert complaint(said) == ""


def test_a_signal_that_comes_while_a_class_is_made_is_no_bug_of_ours() -> None:
    """Python up to 3.11 makes another error of it."""
    late = """
        import os, signal, sys
        class Late:
            def __set_name__(self, owner, name):
                os.kill(os.getpid(), signal.SIGTERM)  # Ctrl-C is ignored in the background
                [None for _ in range(1000)]
        def make(**_):
            class Anything:
                late = Late()
        from bot import cli
        from bot.__main__ import main
        cli.minebot.commands["skins"].callback = make
        sys.argv[1:] = ["skins"]
        main()
        """
    program = subprocess.run(
        [sys.executable, "-c", dedent(late)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert program.stderr == "minebot: stopped: the system asked it to end\n"
    assert program.returncode == 128 + signal.SIGTERM


def test_a_signal_waits_while_what_is_built_on_numpy_is_imported(tmp_path: Path) -> None:
    """Its macro `import_array` prints what it meets and makes an ImportError of it; one with `import_umath` crashes."""
    interrupting = """
        import builtins, os, signal, sys
        imported, asked = builtins.__import__, 0
        def interrupt(name, *rest, **more):
            global asked
            by_c = sys._getframe(1).f_code.co_filename.startswith("<frozen importlib")
            if name == "numpy._core._multiarray_umath" and by_c:
                asked += 1
                if asked == int(sys.argv[2]):
                    os.kill(os.getpid(), signal.SIGTERM)
                    [None for _ in range(1000)]
            return imported(name, *rest, **more)
        builtins.__import__ = interrupt
        from bot.__main__ import main
        main()
        """
    board = tmp_path / "board.txt"
    board.write_text("mines: 2\n1##\n1##\n###\n", encoding="utf-8")
    for asked in ("1", "2", "3"):
        command = [sys.executable, "-c", dedent(interrupting).replace("sys.argv[2]", asked), "solve", str(board)]
        program = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert program.stderr.strip() == "minebot: stopped: the system asked it to end"
        assert program.returncode == 128 + signal.SIGTERM


def test_comparing_cells_loses_no_signal() -> None:
    """Numpy asks whatever an array is compared with for attributes, and swallows what is raised meanwhile."""
    cells = Board.covered(16, 30).cells

    def compare() -> None:
        while True:
            bool((cells == Cell.FLAG).any())
            np.isin(cells, (Cell.MINE, Cell.EXPLODED))

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        for _ in range(50):
            threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT)).start()
            start = time.monotonic()
            with pytest.raises(KeyboardInterrupt):
                compare()
            assert time.monotonic() - start < PATIENCE / 10
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.fixture
def listening() -> Iterator[None]:
    """The program's own ears, for the length of a test."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, signal.default_int_handler) for number in numbers}
    hook = sys.unraisablehook
    signals.begin_anew()
    signals.listen()
    yield
    signals.begin_anew()
    sys.unraisablehook = hook
    for number, handler in before.items():
        signal.signal(number, handler)


def dropped(number: int) -> None:
    """A signal whose exception nobody ever sees, as of one that comes in llvmlite's, numpy's or OpenCV's callbacks."""
    with suppress(KeyboardInterrupt):
        signal.raise_signal(number)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_whose_exception_is_dropped_comes_again(listening: None, number: signal.Signals) -> None:
    def work() -> None:
        deadline = time.monotonic() + PATIENCE
        dropped(number)
        while time.monotonic() < deadline:
            pass

    with pytest.raises(signals.Interrupted) as interrupt:
        work()
    assert interrupt.value.exit_code == 128 + number
    signals.obeyed()


def test_nothing_is_said_of_what_a_signal_broke_off(listening: None, capfd: pytest.CaptureFixture[str]) -> None:
    class HalfMade:
        def __del__(self) -> None:
            raise AttributeError("never made")

    sys.unraisablehook = sys.__unraisablehook__  # pytest has its own
    HalfMade()
    assert "never made" in capfd.readouterr().err
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        signals.obeyed()
    HalfMade()
    assert capfd.readouterr().err == ""
    signals.begin_anew()
    HalfMade()
    assert "never made" in capfd.readouterr().err


def test_a_signal_that_was_obeyed_does_not_come_again(listening: None) -> None:
    for _ in range(50):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            signals.obeyed()
        else:
            raise AssertionError("no signal came")
        sum(range(1000))


def test_a_game_ends_at_a_signal_whose_exception_is_dropped(listening: None) -> None:
    class Dropping(Watcher):
        def clicked(self, *_: object) -> None:
            dropped(signal.SIGINT)

    desktop = CloneDesktop(Game(LEVELS["beginner"], "open", 1)).desktop()
    session = Player(desktop, Reader(), Settings("noflags", "csp", 0.0), Dropping()).play(3)
    assert session.stop is not None
    assert session.stop.reason == "Ctrl-C was pressed"


def test_a_signal_waits_for_the_end_of_what_must_not_be_left_half_done(listening: None) -> None:
    steps = []

    @signals.put_off()
    def walk() -> None:
        for step in range(3):
            signal.raise_signal(signal.SIGTERM)
            steps.append(step)

    with pytest.raises(signals.Interrupted):
        walk()
    assert steps == [0, 1, 2]
    signals.obeyed()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no Ctrl-Z that stops a program")
def test_a_signal_waits_until_a_worker_is_started(listening: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is half started finds nobody who tells it what to do, and says so with a traceback of its own."""
    begun, started = list[bool](), list[bool]()
    start = ProcessPoolExecutor.submit

    def interrupted(pool: ProcessPoolExecutor, *job: Any) -> Future[Any]:
        begun.append(True)
        signal.raise_signal(signal.SIGINT)
        future = start(pool, *job)
        started.append(True)
        return future

    monkeypatch.setattr(ProcessPoolExecutor, "submit", interrupted)
    with pytest.raises(KeyboardInterrupt), open_pool(2) as pool:
        list(pool.results(abs, [1]))
    assert (begun, started) == ([True], [True])


def test_a_worker_hears_of_no_signal_from_its_first_moment_on() -> None:
    ask = "import signal; print(*map(int, signal.pthread_sigmask(signal.SIG_BLOCK, [])))"
    with signals.put_off_for_good_in_children():
        said = subprocess.run([sys.executable, "-c", ask], check=True, capture_output=True, text=True).stdout
    assert {signal.SIGINT, signal.SIGTERM, signal.SIGHUP} <= {int(number) for number in said.split()}
    assert not signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_ctrl_z_waits_for_the_end_of_a_block_that_must_not_be_left_half_done() -> None:
    code = (
        "import signal; from bot import signals\n"
        "with signals.put_off():\n signal.raise_signal(signal.SIGTSTP)\n print('whole', flush=True)"
    )
    # In a group of its own, as shells start programs: the system lets nothing stop a group whose parent has gone.
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=os.setpgrp) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "whole\n"
        _, status = os.waitpid(program.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        program.send_signal(signal.SIGCONT)
        assert program.wait() == 0
