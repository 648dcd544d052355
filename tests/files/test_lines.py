"""Files that grow by lines: none is lost, none is joined to another, whoever appends when and whatever ends it."""

import json
import signal
import sys
from pathlib import Path

import pytest

from bot import files
from tests.files.programs import start

WRITER = """
import sys
from pathlib import Path
from bot import files
for number in range(200):
    files.append_line(Path(sys.argv[1]), {"who": sys.argv[2], "number": number, "filling": "x" * 3000})
"""


def test_two_programs_at_once_lose_no_line(tmp_path: Path) -> None:
    file = tmp_path / "both.jsonl"
    writers = [start(WRITER, file, who) for who in "ab"]
    for writer in writers:
        writer.communicate()
        assert writer.returncode == 0
    found = [entry for _, entry in files.read_lines(file)]
    assert None not in found
    for who in "ab":
        assert [entry["number"] for entry in found if entry and entry["who"] == who] == list(range(200))


APPENDER = """
import sys
from pathlib import Path
from bot import files
number = 0
while True:
    files.append_line(Path(sys.argv[1]), {"who": sys.argv[2], "number": number, "long": "x" * 5000})
    print(number, flush=True)
    number += 1
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing can be killed like that on Windows")
def test_two_programs_that_are_killed_while_they_append_lose_no_line_that_was_finished(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    finished: dict[str, int] = {}
    for turn in range(4):
        appenders = {f"{letter}{turn}": start(APPENDER, file, f"{letter}{turn}") for letter in "bc"}
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
    for _, document in files.read_lines(file):
        if document is not None:
            kept.setdefault(document["who"], set()).add(document["number"])
    for who, last in finished.items():
        assert kept[who] >= set(range(last + 1))


def test_a_line_that_was_cut_off_does_not_swallow_the_next(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_bytes(b'{"whole": 1}\n{"cut o')
    files.append_line(file, {"next": 2}, lasting=True)
    assert [document for _, document in files.read_lines(file)] == [{"whole": 1}, None, {"next": 2}]


def test_half_a_character_makes_no_line(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text(json.dumps({"name": "\ud800"}) + "\n" + json.dumps({"name": "\U0001f600"}) + "\n")
    assert [document for _, document in files.read_lines(file)] == [None, {"name": "\U0001f600"}]


def test_a_file_of_more_values_than_memory_has_room_for_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MOST_VALUES", 200)
    file = tmp_path / "games.jsonl"
    for _ in range(2):
        files.append_line(file, {"odds": [[]] * 45})
    assert len(list(files.read_lines(file))) == 2
    files.append_line(file, {"odds": [[]] * 45})
    with pytest.raises(OSError, match="more than 200 values"):
        list(files.read_lines(file))
