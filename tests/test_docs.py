"""What the README and docs/ say must hold: links lead somewhere, commands run, sentences are real."""

import ast
import doctest
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path

import click
import pytest

from bot.bench import density
from bot.cli import minebot, run

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SOURCE = "\n".join(file.read_text(encoding="utf-8") for file in sorted((ROOT / "bot").rglob("*.py")))

LIVE = {"play", "coach", "doctor", "clone", "calibrate"}
"""Commands for a desktop. Here, where there is none, they must say so; tests/live runs them on real windows."""

STANDS_FOR = {
    "/small/games": "games",
    "DIR": "games",
    "FOLDER": "pictures",
    "IMAGE": "screenshot.png",
    "my-first.png": "screenshot.png",
    "FILE": "positions.txt",
    "OUT.png": "out.png",
    "LEVEL": "beginner",
    "RULE": "open",
    "STRATEGY": "csp",
    "GAMES": "8",
}
"""Names that the pages use for the reader's own, and what lies on the desk of these tests instead."""

AFTER = {"--results": "new.txt", "--skin": "winemine"}
"""What stands for the word after an option, whatever it is: a file that is not there yet, a look that is known here."""

FEW = {"--games": "1", "--clicks": "50", "--seconds": "0.3", "--drawn": "4", "--workers": "1"}
"""How much of a trial is run here, however long the page says that it took."""

ONLY_IF_ASKED = {"--drawn"}
"""Without it the trial is another one."""


def slug(heading: str) -> str:
    """Return the anchor that a heading gets."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_pictures_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http://", "https://")):
            continue
        name, _, anchor = target.partition("#")
        file = (page.parent / name).resolve() if name else page
        assert file.exists(), f"{page.name} links to {target}"
        if anchor:
            headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in map(slug, headings), f"{page.name} links to {target}"


def commands() -> Iterator[tuple[str, int]]:
    """Give every command that a page shows, with the exit code it announces."""
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        text = re.sub(r"\bpy(thon)? -m bot ", "minebot ", text)  # as Windows calls it, and a bare checkout
        text = re.sub(r" *\\\n +", " ", text)  # a command may take two lines
        for line in re.findall(r"^ *(?:\$ |> )?(minebot [^\n|&]*)$", text, re.MULTILINE) + re.findall(
            r"`(minebot [^`\n]+)`", text
        ):
            command, _, comment = line.partition(" > ")[0].partition("#")
            announced = re.search(r"exit code (\d+)", comment)
            yield command.strip(), int(announced[1]) if announced else 0


def on_this_desk(command: str) -> list[str]:
    """Return the command's arguments with names that exist here."""
    words = shlex.split(command)
    return [AFTER.get(before) or STANDS_FOR.get(word, word) for before, word in pairwise(words)]


def needs_a_desktop(words: list[str]) -> bool:
    if words[0] == "play":
        return "--clone" not in words
    if "--clipboard" in words:
        return True
    if words[0] == "calibrate":
        return not any(word.endswith(".png") for word in words)
    return words[0] in LIVE or words == ["bench", "live"]


def in_small(words: list[str]) -> list[str]:
    """Return a trial's arguments with few games, few clicks."""
    group = minebot.get_command(click.Context(minebot), "bench")
    assert isinstance(group, click.Group)
    options = {name for option in group.commands[words[1]].params for name in option.opts}
    asked = [at for at, word in enumerate(words) if word in FEW]
    kept = [word for at, word in enumerate(words) if at not in asked and at - 1 not in asked]
    if needs_a_desktop(kept):
        return kept
    counted = options - (ONLY_IF_ASKED - {*words})
    if "--drawn" in options - counted:
        counted.discard("--workers")  # only that one has any
    return kept + [word for name, few in FEW.items() if name in counted for word in (name, few)]


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What lies on the desk before each command; the bot's own data is there too."""
    folder = tmp_path_factory.mktemp("desk")
    clone = sorted((ROOT / "fixtures/screenshots/clone").glob("*.png"))[0]
    shutil.copy(clone, folder / "screenshot.png")
    (folder / "pictures").mkdir()
    for picture in (ROOT / "fixtures/screenshots/winemine").glob("beginner-under-way.*"):
        shutil.copy(picture, folder / "pictures")
    (folder / "board.txt").write_text("mines: 2\n####\n1221\n0000\n", encoding="utf-8")
    (folder / "letter.txt").write_text("Dear bot,\n", encoding="utf-8")
    (folder / "positions.txt").write_text("@ 1 4 3 2 tiny 1 open\n####\n1221\n0000\n", encoding="utf-8")
    (folder / "holiday").mkdir()
    recorded = str(folder / "games")
    with pytest.MonkeyPatch.context() as here:
        here.setenv("MINEBOT_DATA", str(folder / "data"))
        here.setenv("MINEBOT_CONFIG", str(folder / "config"))
        assert run(["play", "--clone", "--level", "beginner", "--seed", "4", "--quiet", "--record", recorded]) == 0
        assert run(["replay", recorded, "--bundle", str(folder / "report.zip"), "--quiet"]) == 0
    return folder


SHOWN = sorted({(command, code) for command, code in commands() if "…" not in command})
TRIALS = [command for command, _ in SHOWN if command.startswith("minebot bench ") and "--help" not in command]
SERVED = [command for command, _ in SHOWN if re.match("minebot analyse|.* --watch ", command)]  # until somebody ends it
RUNNABLE = [(command, code) for command, code in SHOWN if command not in TRIALS + SERVED]


@pytest.mark.parametrize("command", [command for command, _ in SHOWN])
def test_a_command_that_is_shown_has_these_options(command: str) -> None:
    group, words = minebot, on_this_desk(command)
    if words == ["--help"]:
        return
    while isinstance(found := group.get_command(click.Context(group), words[0]), click.Group) and words[1] != "--help":
        group, words = found, words[1:]
    assert found is not None, f"there is no command {words[0]}"
    if words[1:] != ["--help"]:
        found.make_context(words[0], words[1:])  # raises on an option or value that does not exist


@pytest.fixture
def desk(things: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A desk of one's own to work at, without a screen."""
    desk = tmp_path / "desk"
    shutil.copytree(things, desk)
    monkeypatch.chdir(desk)
    monkeypatch.setenv("MINEBOT_DATA", str(desk / "data"))
    monkeypatch.delenv("DISPLAY", raising=False)


@pytest.mark.parametrize(("command", "code"), RUNNABLE, ids=[command for command, _ in RUNNABLE])
def test_a_command_that_is_shown_runs(command: str, code: int, desk: None) -> None:
    words = on_this_desk(command)
    if needs_a_desktop(words) and code == 0 and "--help" not in words:
        code = 3
    assert run(words) == code


@pytest.mark.parametrize("command", sorted({shlex.join(in_small(on_this_desk(command))) for command in TRIALS}))
def test_a_trial_that_is_shown_runs_on_a_small_scale(command: str, desk: None, monkeypatch: pytest.MonkeyPatch) -> None:
    words = shlex.split(command)
    small = partial(density.run_density, rows=10, cols=10, mines=(0, 25, 100))  # no option does so
    monkeypatch.setattr(density, "run_density", small)
    assert run(words) == (3 if needs_a_desktop(words) else 0)


def test_sentences_to_look_up_are_those_that_the_bot_says() -> None:
    text = (ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.+?) \|", text, re.MULTILINE)
    sentences = re.findall(r'^### "(.+)"$', text, re.MULTILINE) + re.findall('"(.+?)"', "\n".join(rows))
    assert len(sentences) > 80
    said = SOURCE + "\n".join(endings())
    for sentence in sentences:
        for part in sentence.split("…"):
            assert part.strip(' "') in said, f'nothing says "{sentence}"'


TELL_THEMSELVES = {"UsageError", "BadParameter", "BoardError", "SkinError", "TomlError", "BenchError", "RequestError"}
"""Failures whose sentences name the line, key or option that is wrong and what may stand there: the page says so."""

NOT_FOR_USERS = {"AssertionError", "AttributeError", "OSError", "HangError", "_ImpossibleError"}


def told(node: ast.expr | None) -> Iterator[str]:
    """Yield the sentences that an expression may be, with "…" for what is different each time."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
    elif isinstance(node, ast.IfExp):
        yield from (*told(node.body), *told(node.orelse))


def endings() -> Iterator[str]:
    """Yield every sentence that ends a run: what errors are made of, and why the bot stops in doubt."""
    for file in sorted((ROOT / "bot").rglob("*.py")):
        if file.parent.name == "chaos":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                if name.endswith("Error") and name not in TELL_THEMSELVES | NOT_FOR_USERS:
                    yield from told(node.args[0])
            elif isinstance(node, ast.Return) and file.parts[-2:] == ("play", "game.py"):
                yield from told(node.value)


def first_clause(sentence: str) -> str:
    """Return what a sentence begins with that is always the same, without the advice that may follow."""
    clauses = [clause.strip(' "),') for clause in re.split("[…:;(]", sentence)]
    return next((clause for clause in clauses if len(clause.split()) > 1), "")


def test_every_sentence_that_ends_a_run_can_be_looked_up() -> None:
    page = " ".join((ROOT / "docs" / "troubleshooting.md").read_text(encoding="utf-8").split())
    clauses = {first_clause(sentence) for sentence in endings()} - {""}
    assert len(clauses) > 80
    assert [clause for clause in sorted(clauses) if clause not in page] == []


def test_the_library_does_what_its_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    failed, tried = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)
    assert (failed, tried > 10) == (0, True)


def test_what_the_package_offers_is_there_and_costs_nothing_until_it_is_used() -> None:
    code = "import sys, bot; assert 'numpy' not in sys.modules; [getattr(bot, name) for name in bot.__all__]"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
