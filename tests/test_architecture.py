"""Which way imports may point: the plan of the house, kept by a test."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "bot"

MAY_IMPORT = {
    "board": set(),
    "level": {"board"},
    "files": set(),
    "picture": {"files"},
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

FILES = sorted(PACKAGE.rglob("*.py"))


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
    return rooms & {room_of(other) for other in FILES}


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


PAGES = [ROOT / name for name in ("NOTICE", "README.md", "CONTRIBUTING.md")] + sorted((ROOT / "docs").rglob("*.md"))
OF_OTHERS = {"minesweeper_util.py", "Board.js"}
"""Files of other programs, to which a comment gives credit."""


FOLDERS = ("bot", "tests", "tools", "fixtures", "templates", "docs")
OURS = [path.relative_to(ROOT).parts for folder in FOLDERS for path in (ROOT / folder).rglob("*")]
NAMES = {*FOLDERS} | {"/".join(parts[begin:]) for parts in OURS for begin in range(len(parts))}
"""Everything of ours, by its whole name and by the ends of it."""


@pytest.mark.parametrize("file", [*FILES, *PAGES], ids=lambda file: str(file.relative_to(ROOT)))
def test_every_file_that_a_sentence_names_is_there(file: Path) -> None:
    text = file.read_text("utf-8")
    named = {name for name in re.findall(r"[\w/-]*\w\.(?:py|js)\b", text) if name not in OF_OTHERS}
    named |= set(re.findall(r"`((?:bot|tests|docs|fixtures|templates)/[a-z_0-9/]*)`", text))
    gone = {name for name in named if name.strip("/") not in NAMES}
    assert not gone


ROOMS = sorted(page for page in (ROOT / "docs" / "rooms").glob("*.md") if (PACKAGE / page.stem).is_dir())


@pytest.mark.parametrize("page", ROOMS, ids=lambda page: page.stem)
def test_a_room_s_page_names_all_its_modules(page: Path) -> None:
    modules = {file.name for file in (PACKAGE / page.stem).rglob("*.py")} - {"__init__.py"}
    assert modules <= set(re.findall(r"\w+\.py", page.read_text("utf-8")))


KEPT_TWICE = {
    "Grid",  # a lattice in a picture; the constraints' layout of a board in memory, which only the kernels meet
    "Floats",  # arrays of 32 bits in pictures, of 64 in the kernels
    "Mask",  # arrays of truth values, and OpenCV's of 0 and 255
    "Engine",  # what plays a game as the real program does; what counts layouts
    "Look",  # calibration's group of tiles; what all tiles of a picture show
}
"""Names of two things that never meet."""


def test_a_name_stands_for_one_thing() -> None:
    places: dict[str, list[str]] = {}
    for file in FILES:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            names = [node.name] if isinstance(node, ast.ClassDef) else []
            if isinstance(node, ast.Assign) and "TypeVar(" not in ast.unparse(node.value):
                names = [each.id for each in node.targets if isinstance(each, ast.Name) and not each.id.isupper()]
            for name in names:
                if name[0].isupper() and name not in KEPT_TWICE:
                    places.setdefault(name, []).append(str(file.relative_to(PACKAGE)))
    assert {name: files for name, files in places.items() if len(files) > 1} == {}
