"""Compiling happens once, is said, and follows the sources. Two small files of kernels stand in for the solver."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

USE = "from bot.solver.kernels.jit import announce; from whole import next_even; announce(next_even, 'the example'); "
SAID = "compiling the example; this happens once\n"


def write_kernels(folder: Path) -> Path:
    """Write a kernel, and another one in a second file that calls it."""
    head = "from bot.solver.kernels.jit import compiled\n"
    (folder / "part.py").write_text(head + "@compiled\ndef doubled(n):\n    return 2 * n\n", "utf-8")
    calls = "from part import doubled\n@compiled\ndef next_even(n):\n    return doubled(n) + 2\n"
    (folder / "whole.py").write_text(head + calls, "utf-8")
    return folder


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """A folder with kernels that nobody has compiled."""
    return write_kernels(tmp_path)


@pytest.fixture(scope="module")
def compiled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with compiled kernels, and what they are compiled to once more beside it."""
    folder = write_kernels(tmp_path_factory.mktemp("compiled"))
    assert run(folder) == ("42\n", SAID)
    shutil.copytree(folder / "cache", folder / "kept")
    return folder


@pytest.fixture
def compiled_kernels(compiled_once: Path) -> Path:
    """A folder with compiled kernels, as good as new."""
    shutil.rmtree(compiled_once / "cache")
    shutil.copytree(compiled_once / "kept", compiled_once / "cache")
    return compiled_once


def start(kernels: Path, code: str, first: str = "") -> subprocess.Popen[str]:
    path = os.pathsep.join([str(Path(__file__).parents[2]), str(kernels)])
    env = {**os.environ, "PYTHONPATH": path, "NUMBA_CACHE_DIR": str(kernels / "cache"), "NUMBA_DISABLE_JIT": "0"}
    command = [sys.executable, "-W", "error", "-c", first + USE + code]
    return subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(kernels: Path, code: str = "print(next_even(20))", first: str = "") -> tuple[str, str]:
    return start(kernels, code, first).communicate(timeout=300)


def test_compiling_is_announced_and_happens_once(kernels: Path) -> None:
    assert run(kernels) == ("42\n", SAID)
    assert run(kernels) == ("42\n", "")


def test_a_change_of_a_kernel_in_another_file_is_noticed(kernels: Path) -> None:
    run(kernels)
    part = kernels / "part.py"
    part.write_text(part.read_text("utf-8").replace("2 * n", "3 * n"), "utf-8")
    later = part.stat().st_mtime + 10
    os.utime(part, (later, later))
    assert run(kernels) == ("62\n", SAID)


def test_who_has_it_says_nothing_when_another_process_throws_the_cache_away(kernels: Path) -> None:
    again = f"from pathlib import Path; [file.unlink() for file in Path({str(kernels)!r}).glob('cache/*/*.nbi')]; "
    again += "announce(next_even, 'the example'); print(next_even(20))"
    assert run(kernels, f"print(next_even(20)); {again}") == ("42\n42\n", SAID)


def test_two_processes_may_compile_at_once(kernels: Path) -> None:
    both = [start(kernels, "print(next_even(20))") for _ in range(2)]
    assert [each.communicate(timeout=300)[0] for each in both] == ["42\n", "42\n"]
    assert run(kernels) == ("42\n", "")


def test_only_what_python_calls_is_translated(compiled_kernels: Path) -> None:
    assert [index.name.split("-")[0] for index in compiled_kernels.glob("cache/*/*.nbi")] == ["whole.next_even"]


def test_a_kernel_that_kernels_call_can_be_called_by_python_too(kernels: Path) -> None:
    assert run(kernels, "from part import doubled; print(next_even(20), doubled(21))") == ("42 42\n", SAID)


def test_a_numba_with_another_inside_is_only_slower(kernels: Path) -> None:
    without = 'import sys; sys.modules["bot.solver.kernels.parts"] = None; '
    assert run(kernels, first=without) == ("42\n", SAID)
    assert run(kernels, first=without) == ("42\n", "")


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("content", ["nothing", "half", "noise"])
def test_a_damaged_file_is_thrown_away_and_made_again(compiled_kernels: Path, kind: str, content: str) -> None:
    (file,) = compiled_kernels.glob(f"cache/*/*.{kind}")
    whole = file.read_bytes()
    file.write_bytes({"nothing": b"", "half": whole[: len(whole) // 2], "noise": bytes(range(256)) * 4}[content])
    answer, said = run(compiled_kernels)
    assert (answer, said.count("was damaged")) == ("42\n", 1)
    assert run(compiled_kernels) == ("42\n", "")


def test_where_nothing_can_be_kept_it_only_takes_longer(kernels: Path) -> None:
    full = "import numba.core.caching as c; c.IndexDataCacheFile._open_for_write = lambda *_: open('/dev/full', 'wb'); "
    if not Path("/dev/full").exists():
        pytest.skip("no disk here is always full")
    assert run(kernels, first=full) == ("42\n", SAID)
