"""Files are whole or not there, whoever writes them when, and whatever ends the program."""

import os
import signal
import sys
from pathlib import Path

import pytest

from bot import files
from bot.bench.playing import footprint
from bot.files import prepared, write_whole
from tests.files.programs import start


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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no pipes among its files")
def test_what_is_no_file_is_never_replaced(tmp_path: Path) -> None:
    """Root who has a picture written to /dev/null must have that device afterwards."""
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("pipe")
    for name in ("folder", "pipe", "link"):
        with pytest.raises(OSError, match="not a file"):
            write_whole(tmp_path / name, b"new")
    assert (tmp_path / "folder").is_dir()
    assert (tmp_path / "pipe").is_fifo()
    assert {path.name for path in tmp_path.iterdir()} == {"folder", "pipe", "link"}


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="the administrator may read everywhere")
def test_a_folder_that_can_be_written_to_but_not_read_is_enough(tmp_path: Path) -> None:
    tmp_path.chmod(0o300)
    try:
        write_whole(tmp_path / "file", b"new")
        assert (tmp_path / "file").read_bytes() == b"new"
    finally:
        tmp_path.chmod(0o700)


WRITER = """
import sys
from pathlib import Path
from bot.files import write_whole
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
        writers = [start(WRITER, file, letter) for letter in "bc"]
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


def test_writing_leaves_no_handle_open(tmp_path: Path) -> None:
    before = footprint().handles
    for number in range(50):
        write_whole(tmp_path / "file", b"x", lasting=False)
        files.append_line(tmp_path / "lines", {"number": number})
    assert footprint().handles == before
