"""Which way imports may point: the plan of the house, kept by a test."""

import ast
import re
from pathlib import Path

import pytest

import bot

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bot"

MAY_IMPORT = {
    "board": set(),
    "level": {"board"},
    "files": set(),
    "picture": {"files"},
    "interval": set(),
    "signals": set(),
    "errors": set(),
    "words": set(),
    "vision": {"board", "level", "picture", "files"},
    "solver": {"board", "level"},
    "desktop": {"board", "picture", "signals"},
    "clone": {"board", "level", "picture", "files", "desktop"},
    "actions": {"board", "solver"},
    "play": {"board", "level", "picture", "desktop", "vision", "solver", "actions", "signals", "files"},
}
"""For each room, the rooms of ours it may use beside itself. Whatever is not listed sits on top and may use all."""

ON_TOP_OF_EVERYTHING = {"cli", "__main__"}


def room_of(file: Path) -> str:
    return file.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imported_rooms(file: Path) -> set[str]:
    """Return the rooms of ours that a file imports, anywhere in it, also inside functions and under TYPE_CHECKING."""
    rooms = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} uses a relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        rooms |= {name.split(".")[1] for name in names if name.startswith("bot.")}
    return rooms & {room_of(other) for other in PACKAGE.rglob("*.py")}


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_file_imports_only_what_its_room_may_use(file: Path) -> None:
    room = room_of(file)
    foreign = imported_rooms(file) - {room, "errors", "words"}  # which all rooms speak
    if room in MAY_IMPORT:
        assert foreign <= MAY_IMPORT[room]
    elif room not in ON_TOP_OF_EVERYTHING:
        assert not foreign & ON_TOP_OF_EVERYTHING


def test_only_the_windows_backend_speaks_to_windows() -> None:
    for file in FILES:
        speaks = "import win32" in file.read_text(encoding="utf-8")
        assert not speaks or file.parent == PACKAGE / "desktop" / "windows", file


def test_every_module_opens_with_what_it_promises() -> None:
    for file in FILES:
        assert ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))), file


SENTENCES = [*FILES, ROOT / "NOTICE", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs" / "rooms").glob("*.md"))]
OF_OTHERS = {"minesweeper_util.py", "Board.js"}
"""Files of other programs, to which a comment gives credit."""


OURS = [
    path.relative_to(ROOT).as_posix() for folder in ("bot", "tests", "tools") for path in (ROOT / folder).rglob("*")
]


@pytest.mark.parametrize("file", SENTENCES, ids=lambda file: str(file.relative_to(ROOT)))
def test_every_file_that_a_sentence_names_is_there(file: Path) -> None:
    named = {name for name in re.findall(r"[\w/-]*\w\.(?:py|js)\b", file.read_text("utf-8")) if name not in OF_OTHERS}
    gone = {name for name in named if not any(f"/{path}".endswith("/" + name.lstrip("/")) for path in OURS)}
    assert not gone


KEPT_TWICE = {"Grid"}
"""A lattice in a picture, and the constraints' layout of a board in memory, which nobody meets but the kernels."""


def test_what_the_library_offers_has_a_name_that_nothing_else_has() -> None:
    places: dict[str, list[str]] = {name: [] for name in {*bot.__all__} - KEPT_TWICE}
    for file in FILES:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and node.name in places:
                places[node.name].append(str(file.relative_to(PACKAGE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
