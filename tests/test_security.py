"""What no line of ours may do, so that no stranger's file can: turn text into code, reach a shell, load objects."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

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
