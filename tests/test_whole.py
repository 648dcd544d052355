"""Files are whole or not there, whoever writes them when, and whatever ends the program."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot import lines
from bot.bench.soak import footprint
from bot.whole import prepared, write_whole

ROOT = Path(__file__).parents[1]


def run(script: str, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def test_a_file_is_replaced_and_nothing_else_is_left(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_whole(file, b"old")
    write_whole(file, b"new")
    assert file.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [file]


def test_a_failure_leaves_the_old_content_and_no_part(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_whole(file, b"old")

    def write_half() -> None:
        with prepared(file) as part:
            part.write_bytes(b"half of the n")
            raise RuntimeError("the pen broke")

    with pytest.raises(RuntimeError, match="pen"):
        write_half()
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


WRITER = """
import sys
from pathlib import Path
from bot.whole import write_whole
file, letter = Path(sys.argv[1]), sys.argv[2].encode()
print("go", flush=True)
while True:
    write_whole(file, letter * 300_000, lasting=False)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing can be killed like that on Windows")
def test_two_programs_that_are_killed_while_they_write_leave_one_whole_content(tmp_path: Path) -> None:
    file = tmp_path / "file"
    write_whole(file, b"a" * 300_000)
    for _ in range(4):
        writers = [run(WRITER, file, letter) for letter in "bc"]
        for writer in writers:
            assert writer.stdout is not None
            writer.stdout.readline()
        for _ in range(50):
            content = file.read_bytes()
            assert len(content) == 300_000
            assert len(set(content)) == 1
        for writer in writers:
            writer.send_signal(signal.SIGKILL)
            writer.communicate()
        assert len(set(file.read_bytes())) == 1


APPENDER = """
import sys
from pathlib import Path
from bot import lines
from bot.bench.soak import footprint
number = 0
while True:
    lines.append(Path(sys.argv[1]), {"who": sys.argv[2], "number": number, "long": "x" * 5000})
    print(number, flush=True)
    number += 1
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing can be killed like that on Windows")
def test_two_programs_that_are_killed_while_they_append_lose_no_line_that_was_finished(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    finished: dict[str, int] = {}
    for turn in range(4):
        appenders = {f"{letter}{turn}": run(APPENDER, file, f"{letter}{turn}") for letter in "bc"}
        for who, appender in appenders.items():
            assert appender.stdout is not None
            for _ in range(30):
                finished[who] = int(appender.stdout.readline())
        for who, appender in appenders.items():
            appender.send_signal(signal.SIGKILL)
            rest, _ = appender.communicate()
            # The last number may have been cut off by the kill; those before it were printed whole.
            finished[who] = max([finished[who], *map(int, rest.split("\n")[:-1])])
    kept: dict[str, set[int]] = {}
    for _, document in lines.read(file):
        if document is not None:
            kept.setdefault(document["who"], set()).add(document["number"])
    for who, last in finished.items():
        assert kept[who] >= set(range(last + 1))


def test_a_line_that_was_cut_off_does_not_swallow_the_next(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b'{"whole": 1}\n{"cut o')
    lines.append(file, {"next": 2}, lasting=True)
    assert [document for _, document in lines.read(file)] == [{"whole": 1}, None, {"next": 2}]


def test_half_a_character_makes_no_line(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps({"name": "\ud800"}) + "\n" + json.dumps({"name": "\U0001f600"}) + "\n")
    assert [document for _, document in lines.read(file)] == [None, {"name": "\U0001f600"}]


def test_writing_leaves_no_handle_open(tmp_path: Path) -> None:
    before = footprint().handles
    for number in range(50):
        write_whole(tmp_path / "file", b"x", lasting=False)
        lines.append(tmp_path / "lines", {"number": number})
    assert footprint().handles == before
