"""A recording in one file, there and back; and what a stranger's file must never do."""

import io
import os
import zipfile
from pathlib import Path

import pytest

from bot.cli import run
from bot.record import RecordingError, replay
from bot.record.recorder import MANIFEST
from bot.record.replay import unpacked


def test_a_recording_whose_files_say_that_they_are_from_1970_is_bundled(game: Path, tmp_path: Path) -> None:
    os.utime(game / MANIFEST, (0, 0))
    bundle = tmp_path / "report.zip"
    assert run(["replay", str(game), "--bundle", str(bundle), "--quiet"]) == 0
    assert run(["replay", str(bundle), "--quiet"]) == 0


@pytest.mark.parametrize("name", ["../evil.png", "/tmp/evil.png", "game/../../evil.png", "run.sh", "a/b/0001.png"])
def test_a_bundle_with_other_files_is_refused_and_nothing_is_written(tmp_path: Path, name: str) -> None:
    bundle = tmp_path / "evil.zip"
    with zipfile.ZipFile(bundle, "w") as content:
        content.writestr(name, "evil")
    assert run(["replay", str(bundle)]) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["evil.zip"]


def test_no_name_in_a_bundle_commands_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replay", str(zipped(tmp_path, {"\x1b]2;evil\a.png": b""}))]) == 2
    assert "\x1b" not in capsys.readouterr().err


def test_a_file_that_is_no_bundle_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "letter.zip"
    file.write_text("dear sirs")
    assert run(["replay", str(file)]) == 2
    assert "no bundle" in capsys.readouterr().err


def zipped(tmp_path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", method) as file:
        for name, raw in members.items():
            file.writestr(name, raw)
    path = tmp_path / "bundle.zip"
    path.write_bytes(content.getvalue())
    return path


def unpack(file: Path) -> None:
    with unpacked(file):
        pass


def test_a_bundle_that_would_fill_the_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MOST_BYTES", 1000)
    with pytest.raises(RecordingError, match="too large"):
        unpack(zipped(tmp_path, {MANIFEST: bytes(1001)}))


def test_a_bundle_that_tells_less_than_it_holds_is_refused(tmp_path: Path) -> None:
    file = zipped(tmp_path, {MANIFEST: bytes(5000)})
    raw = file.read_bytes()
    told = (5000).to_bytes(4, "little")
    assert raw.count(told) == 2
    file.write_bytes(raw.replace(told, (10).to_bytes(4, "little")))
    with pytest.raises(RecordingError, match="no bundle"):
        unpack(file)


def test_a_bundle_of_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay, "MOST_FILES", 3)
    with pytest.raises(RecordingError, match="too large"):
        unpack(zipped(tmp_path, {f"game-0001/000{number}.png": b"" for number in range(4)}))


def test_a_bundle_with_a_nameless_file_is_refused(tmp_path: Path) -> None:
    file = zipped(tmp_path, {"q": b""})
    file.write_bytes(file.read_bytes().replace(b"q", b"\0"))
    with pytest.raises(RecordingError, match="no bundle"):
        unpack(file)


def test_a_bundle_packed_in_an_uncommon_way_is_refused(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="no bundle"):
        unpack(zipped(tmp_path, {MANIFEST: b"x"}, zipfile.ZIP_LZMA))


def test_a_bundle_that_is_torn_is_refused(tmp_path: Path) -> None:
    file = zipped(tmp_path, {MANIFEST: bytes(range(256)) * 50})
    raw = bytearray(file.read_bytes())
    raw[60:90] = bytes(30)
    file.write_bytes(raw)
    with pytest.raises(RecordingError, match="no bundle"):
        unpack(file)
