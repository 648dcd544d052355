"""What a stranger's file must never do: run code, reach a shell, leave its folder. What no line of ours may invite."""

import ast
import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.record import RecordingError, bundle
from bot.record.bundle import unpacked
from bot.record.recorder import MANIFEST

PACKAGE = Path(__file__).parents[1] / "bot"
FILES = sorted(PACKAGE.rglob("*.py"))

RUNS_CODE = {"eval", "exec", "compile", "__import__", "system", "popen", "execfile"}
"""Calls that turn a text into something that runs; `re.compile` turns it into a pattern only."""

LOADS_CODE = {"pickle", "marshal", "shelve", "dill", "joblib", "yaml"}


def calls(file: Path) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            yield node


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_nothing_turns_text_into_code(file: Path) -> None:
    for call in calls(file):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        of = getattr(call.func.value, "id", "") if isinstance(call.func, ast.Attribute) else ""
        assert name not in RUNS_CODE or of == "re", f"{file}:{call.lineno} calls {name}"
        shell = [keyword.value for keyword in call.keywords if keyword.arg == "shell"]
        assert not shell, f"{file}:{call.lineno} may call a shell"
        allowed = [keyword.value for keyword in call.keywords if keyword.arg == "allow_pickle"]
        assert not allowed, f"{file}:{call.lineno} may load code"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_nothing_loads_data_that_can_be_code(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        modules += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert not LOADS_CODE & {module.split(".")[0] for module in modules}, str(file)


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
    monkeypatch.setattr(bundle, "MOST_BYTES", 1000)
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
    monkeypatch.setattr(bundle, "MOST_FILES", 3)
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
