"""The command line as users and scripts rely on it: documents, sentences, exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, get_args

import click
import cv2
import numpy as np
import pytest

import bot
from bot import picture
from bot.board import Board
from bot.cli import common, run
from bot.cli import minebot as program
from bot.errors import Exit, MinebotError
from bot.vision.skin import Skin, user_folder
from bot.words import AnyStrategy, ClickStyle, Hints, Pace, Pieces, Rule, StopKey, Theme

FIXTURES = Path(__file__).parents[1] / "fixtures" / "screenshots" / "clone"


def board_file(folder: Path, text: str) -> str:
    file = folder / "board.txt"
    file.write_text(text, encoding="utf-8")
    return str(file)


def document(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def assert_one_sentence(capsys: pytest.CaptureFixture[str], *words: str) -> None:
    out, err = capsys.readouterr()
    assert out == ""
    assert "Traceback" not in err
    message = err.strip().splitlines()[-1]
    for word in words:
        assert word in message


# solve


def test_solve_prints_the_promised_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", board_file(tmp_path, "mines: 1\n#1\n11"), "--json"]) == 0
    solved = document(capsys)
    assert solved["rows"] == 2
    assert solved["mines"] == 1
    assert solved["mined"] == [[0, 0]]
    assert solved["odds"] == [[1.0, None], [None, None]]
    assert solved["must_guess"] is False
    assert solved["move"] is None
    assert solved["steps"][0]["conclusion"] == "mine"
    assert "row 1, column 2" in solved["steps"][0]["because"] or "row 2, column" in solved["steps"][0]["because"]


def test_solve_says_in_words_what_to_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", board_file(tmp_path, "mines: 2\n#21\n##1\n###"), "--explain"]) == 0
    out = capsys.readouterr().out
    assert "must guess: no" in out
    assert "would open row 3" in out


def test_mines_may_be_given_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", board_file(tmp_path, "1#\n##"), "--mines", "1", "--json", "--think", "0"]) == 0
    solved = document(capsys)
    assert solved["must_guess"] is True
    third = pytest.approx(1 / 3)
    assert solved["odds"] == [[None, third], [third, third]]


def test_solve_reads_stdin_when_no_file_is_named() -> None:
    ran = minebot("solve", "--json", stdin="mines: 1\n#1\n11\n")
    assert ran.returncode == 0
    assert json.loads(ran.stdout)["mined"] == [[0, 0]]


def test_a_board_that_powershell_saved_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As `minebot read screenshot.png > board.txt` leaves it there: UTF-16."""
    file = tmp_path / "board.txt"
    file.write_text("mines: 1\r\n#1\r\n11\r\n", encoding="utf-16")
    assert run(["solve", str(file), "--json"]) == 0
    assert document(capsys)["mined"] == [[0, 0]]


def test_a_contradictory_board_lists_every_problem_and_exits_with_4(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", board_file(tmp_path, "mines: 4\n2#1###\n111###"), "--json"]) == 4
    solved = document(capsys)
    assert solved["problems"]
    assert solved["move"] is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["board.txt", "empty"]),
        ("##\n#", ["board.txt", "line 2"]),
        ("#9", ["board.txt", '"9"']),
        ("mines: 9\n##", ["board.txt", "9 mines"]),
    ],
)
def test_a_text_that_is_no_board_is_refused(
    text: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["solve", board_file(tmp_path, text)]) == 2
    assert_one_sentence(capsys, *words)


def test_a_file_that_is_missing_or_no_text_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", str(tmp_path / "none.txt")]) == 2
    assert_one_sentence(capsys, "none.txt")
    binary = tmp_path / "binary.txt"
    binary.write_bytes(b"\x89PNG\x00\x9f")
    assert run(["solve", str(binary)]) == 2
    assert_one_sentence(capsys, "binary.txt", "not a text file")


# read and dry-run


def fixture_pairs() -> list[tuple[Path, Board]]:
    return [(file, Board.parse(file.with_suffix(".txt").read_text())) for file in sorted(FIXTURES.glob("*.png"))]


def test_read_prints_the_board_of_a_picture(capsys: pytest.CaptureFixture[str]) -> None:
    file, board = fixture_pairs()[0]
    assert run(["read", str(file)]) == 0
    assert Board.parse(capsys.readouterr().out) == board


def test_read_prints_the_promised_document_and_a_list_for_several_pictures(
    capsys: pytest.CaptureFixture[str],
) -> None:
    (first, board), (second, _) = fixture_pairs()[:2]
    assert run(["read", str(first), "--json"]) == 0
    one = document(capsys)
    promised = {"image", "skin", "rows", "cols", "grid", "mines_left", "state", "cells", "doubts", "problems"}
    assert promised <= one.keys()
    assert one["grid"].keys() == {"left", "top", "pitch_x", "pitch_y"}
    assert (one["rows"], one["cols"]) == (board.rows, board.cols)
    assert run(["read", str(first), str(second), "--json"]) == 0
    assert [entry["image"] for entry in document(capsys)] == [str(first), str(second)]


def test_one_bad_picture_does_not_keep_the_others_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, board = fixture_pairs()[0]
    missing = str(tmp_path / "missing.png")
    assert run(["read", missing, str(file), "--json"]) == 2
    refused, read = document(capsys)
    assert "missing.png" in refused["error"]
    assert read["rows"] == board.rows


def test_dry_run_tells_the_move_and_what_was_read(capsys: pytest.CaptureFixture[str]) -> None:
    playing = next(file for file, board in fixture_pairs() if board.hidden.any() and not board.problems())
    assert run(["dry-run", str(playing), "--json", "--think", "0"]) == 0
    told = document(capsys)
    assert told["reading"]["image"] == str(playing)
    assert told.keys() >= {"move", "safe", "mined", "odds", "must_guess", "reason", "steps", "problems"}


@pytest.mark.parametrize("columns", [80, 50])
def test_an_expert_board_stays_on_the_terminal_however_much_is_proved(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It stood above a hundred lines of proofs, so that a window of 24 lines showed none of it."""
    for name, value in (("FORCE_COLOR", "1"), ("TERM", "xterm-256color"), ("COLUMNS", str(columns))):
        monkeypatch.setenv(name, value)
    assert run(["dry-run", str(FIXTURES / "default-size-midgame.png"), "--quiet"]) == 0
    lines = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).splitlines()
    assert len(lines) > 100
    assert max(map(len, lines)) <= columns
    assert [line[:2] for line in lines[-23:] if re.match("[ 1]\\d ", line)] == [f"{row:2}" for row in range(1, 17)]
    assert any(line.startswith("would open row 1, column 27") for line in lines[-5:])


@pytest.mark.parametrize(("options", "promise"), [([], "is safe"), (["--rule", "open"], "is an opening")])
def test_what_the_first_click_promises_follows_from_the_look(
    options: list[str], promise: str, capsys: pytest.CaptureFixture[str]
) -> None:
    covered = str(FIXTURES.parent / "winemine" / "beginner-covered.png")
    assert run(["dry-run", covered, "--json", *options]) == 0
    assert promise in document(capsys)["reason"]


@pytest.mark.parametrize("command", ["read", "dry-run"])
def test_pictures_that_are_missing_broken_or_show_no_board(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, str(tmp_path / "missing.png")]) == 2
    assert_one_sentence(capsys, "missing.png")
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG not really")
    assert run([command, str(broken)]) == 2
    assert_one_sentence(capsys, "broken.png", "is not a PNG, JPEG, BMP, GIF or WebP picture")
    empty = tmp_path / "empty.png"
    picture.save(empty, np.full((300, 400, 3), 200, dtype=np.uint8))
    assert run([command, str(empty)]) == 3
    assert_one_sentence(capsys, "empty.png", "no board")


def test_an_unknown_skin_is_refused_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["read", str(fixture_pairs()[0][0]), "--skin", "nosuchskin"]) == 2
    assert_one_sentence(capsys, "nosuchskin")


def test_annotate_writes_a_picture_and_nothing_when_it_can_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = FIXTURES / "default-size-midgame.png"  # with a margin that has room for the rulers
    out = tmp_path / "annotated.png"
    assert run(["read", str(file), "--annotate", str(out), "--quiet"]) == 0
    drawn, original = picture.load(out), picture.load(file)
    assert drawn.shape[0] >= original.shape[0]  # small tiles are enlarged, for their labels
    ratios = (each.shape[1] / each.shape[0] for each in (drawn, original))
    assert next(ratios) == pytest.approx(next(ratios), rel=0.05)  # rulers may need room above and to the left
    enlarged = cv2.resize(original, (drawn.shape[1], drawn.shape[0]))
    assert np.abs(drawn.astype(int) - enlarged).mean() > 1
    capsys.readouterr()
    assert run(["read", str(file), "--annotate", str(tmp_path / "no" / "folder.png")]) == 2
    assert_one_sentence(capsys, "folder.png")
    assert list(tmp_path.iterdir()) == [out]


def test_a_picture_may_come_on_stdin() -> None:
    file, board = fixture_pairs()[0]
    ran = subprocess.run([sys.executable, "-m", "bot", "read", "-"], input=file.read_bytes(), capture_output=True)
    assert (ran.returncode, Board.parse(ran.stdout.decode())) == (0, board)
    ran = subprocess.run([sys.executable, "-m", "bot", "dry-run", "-", "--json"], input=b"", capture_output=True)
    assert (ran.returncode, ran.stderr.decode().strip()) == (2, "minebot: can't read stdin: nothing came")


@pytest.mark.parametrize(
    "arguments", [[], ["--clipboard", "a.png"], ["--watch", ".", "a.png"], ["--watch", ".", "--clipboard"]]
)
def test_a_dry_run_takes_pictures_from_one_place(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dry-run", *arguments]) == 2
    assert "Error" in capsys.readouterr().err


# play


def test_play_on_the_clone_prints_the_promised_document(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["play", "--clone", "--level", "beginner", "--seed", "1", "--games", "3", "--think", "0", "--json"]
    assert run(arguments) == 0
    told = document(capsys)
    assert len(told["games"]) == 3
    assert told["wins"] == sum(game["won"] for game in told["games"])
    promised = {"won", "seconds", "clicks", "guesses", "three_bv", "stopped", "misplaced", "lost_clicks", "seed"}
    promised |= {"three_bv_a_second", "efficiency", "luck"}
    assert told["games"][0].keys() == promised
    assert [game["seed"] for game in told["games"]] == [1, 2, 3]
    assert told["interval"][0] <= told["win_rate"] <= told["interval"][1]


def test_play_tells_every_move_with_its_reason_as_plain_lines() -> None:
    ran = minebot("play", "--clone", "--level", "beginner", "--seed", "3", "--think", "0")
    assert ran.returncode == 0
    lines = ran.stdout.splitlines()
    assert lines[0].startswith("open row ")
    assert lines[-1].startswith(("won in ", "lost in "))
    assert "\x1b[" not in ran.stdout


def test_the_same_seed_plays_the_same_game(capsys: pytest.CaptureFixture[str]) -> None:
    """The same mines and the same guesses; clicks may differ by one that a flood, seen in time, has saved."""
    arguments = ["play", "--clone", "--level", "9x9/10", "--seed", "5", "--think", "0", "--json", "--style", "noflags"]
    outcomes = []
    for _ in range(2):
        assert run(arguments) == 0
        game = document(capsys)["games"][0]
        outcomes.append((game["won"], game["three_bv"], game["guesses"]))
    assert outcomes[0] == outcomes[1]


def test_a_quiet_game_still_tells_how_it_ended() -> None:
    ran = minebot("play", "--clone", "--level", "beginner", "--seed", "3", "--think", "0", "--quiet")
    assert ran.returncode == 0
    assert re.fullmatch(r"(won|lost) in .* · seed 3\n", ran.stdout)
    ran = minebot("play", "--clone", "--level", "beginner", "--seed", "3", "--think", "0", "--quiet", "--games", "2")
    assert "seeds 3 to 4" in ran.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_esc_in_the_terminal_stops_the_clone_and_other_keys_do_not() -> None:
    import pty
    import termios

    ours, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    code = (
        "import os, sys, fcntl, termios; os.setsid(); fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
        "os.execv(sys.executable, [sys.executable, '-m', 'bot', *sys.argv[1:]])"
    )
    arguments = ["play", "--clone", "--games", "100000", "--level", "beginner", "--think", "0", "--json"]
    with subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as play:
        try:
            deadline = time.monotonic() + 60
            while termios.tcgetattr(theirs)[3] & termios.ICANON:  # until it wants single keys
                assert time.monotonic() < deadline
                time.sleep(0.05)
            os.write(ours, b"x\x1b[A")
            time.sleep(1)
            assert play.poll() is None
            os.write(ours, b"\x1b")
            out, err = play.communicate(timeout=60)
        finally:
            play.kill()
    assert play.returncode == Exit.USER
    assert err.decode().splitlines()[-1] == "minebot: stopped: Esc was pressed"
    assert json.loads(out)["games"][-1]["stopped"] == "Esc was pressed"
    assert termios.tcgetattr(theirs) == before
    os.close(ours)
    os.close(theirs)


def test_no_window_to_play_on_exits_with_3() -> None:
    ran = minebot("play", "--window", "no window has this title", "--quiet", display="")
    assert ran.returncode == 3
    assert len(ran.stderr.splitlines()) == 1


# the door itself


TOO_LONG = "n" * 5000
PICTURE = str(FIXTURES / "default-size-midgame.png")


@pytest.mark.parametrize(
    "words",
    [
        ["read", TOO_LONG],
        ["read", PICTURE, "--skin", TOO_LONG],
        ["dry-run", PICTURE, "--annotate", TOO_LONG],
        ["dry-run", "--watch", TOO_LONG],
        ["solve", TOO_LONG],
        ["replay", TOO_LONG],
        ["calibrate", PICTURE, "--name", TOO_LONG, "--yes"],
        ["calibrate", PICTURE, "--name", "mine", "--to", TOO_LONG, "--yes"],
        ["calibrate", PICTURE, "--name", "mine", "--board", TOO_LONG],
        ["play", "--clone", "--record", TOO_LONG],
        ["play", "--clone", "--skin", TOO_LONG],
        ["bench", "games", "--results", TOO_LONG],
        ["bench", "read", TOO_LONG],
        ["skins", "--rename", "win7", TOO_LONG],
        ["stats", "--plot", TOO_LONG],
        ["analyse", TOO_LONG, "--no-browser"],
    ],
    ids=lambda words: " ".join(words).replace(TOO_LONG, "…").replace(PICTURE, "picture"),
)
def test_a_name_that_no_file_can_have_is_refused_as_usage(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*words, "--quiet"]) == Exit.UNUSABLE
    assert_one_sentence(capsys)


@pytest.mark.parametrize(
    "arguments",
    [
        ["nosuchcommand"],
        ["play", "--clone", "--level", "huge"],
        ["play", "--clone", "--level", "2x2/9"],
        ["play", "--clone", "--games", "0"],
        ["play", "--clone", "--seed", "-1"],
        ["play", "--clone", "--window", "x"],
        ["play", "--clone", "--think", "nan"],
        ["play", "--window", " "],
        ["play", "--no-guess"],
        ["clone", "--draw-ms", "-1"],
        ["read"],
        ["solve", "--rule", "sometimes"],
        ["replay", "a" * 300],
        ["bench", "odds", "a" * 300],
    ],
)
def test_wrong_usage_exits_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments) == 2
    assert "Error" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform == "win32", reason="it is for Windows, where a window would open")
def test_what_only_the_windows_clone_can_do_is_refused_elsewhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["clone", "--stall-ms", "50"]) == 2
    assert "--stall-ms is for Windows only" in capsys.readouterr().err


def all_commands(group: click.Group = program) -> Iterator[list[str]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from ([name, *words] for words in all_commands(command))
        else:
            yield [name]


@pytest.mark.parametrize("command", list(all_commands()), ids=" ".join)
def test_every_command_has_help_with_an_example_and_both_output_options(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--help"]) == 0
    text = capsys.readouterr().out
    for promised in ("Example: ", "--json", "--quiet"):
        assert promised in text


def test_version_and_help_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert "minebot" in capsys.readouterr().out
    assert run(["--help"]) == 0
    assert "Exit codes" in capsys.readouterr().out


@pytest.mark.parametrize("group", ["minebot", "minebot bench"])
def test_a_list_of_commands_cuts_no_sentence_off(group: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([*group.split()[1:], "--help"]) == 0
    commands = capsys.readouterr().out.partition("Commands:")[2]
    assert commands
    assert "..." not in commands


@pytest.mark.parametrize(
    ("choice", "kinds"),
    [
        (common.RULE, Rule),
        (common.STYLE, ClickStyle),
        (common.PACE, Pace),
        (common.HINT, Hints),
        (common.STOP_KEY, StopKey),
        (common.STRATEGY, AnyStrategy),
        (common.THEME, Theme),
        (common.PIECES, Pieces),
    ],
)
def test_an_option_offers_what_its_room_can_do(choice: click.Choice[str], kinds: Any) -> None:
    assert set(choice.choices) == set(get_args(kinds))


@pytest.mark.parametrize("command", [[], ["play"], ["coach"], ["bench", "games"]], ids=" ".join)
def test_help_imports_nothing_heavy(command: list[str]) -> None:
    code = (
        f"import sys; from bot.cli import run; run({[*command, '--help']}); "
        "print([name for name in ('numpy', 'cv2', 'numba', 'rich', 'pyautogui') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def minebot(*arguments: str, stdin: str = "", display: str | None = None) -> subprocess.CompletedProcess[str]:
    """Run the program as a user would, with the terminal replaced by pipes."""
    environment = dict(os.environ)
    if display is not None:
        environment["DISPLAY"] = display
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**environment, "PYTHONIOENCODING": "utf-8"},
        timeout=120,
    )


@pytest.mark.parametrize("encoding", ["cp437", "cp1252", "utf-8"])
def test_every_pipe_gets_its_answer_whatever_its_encoding(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `minebot dry-run screenshot.png | more` on Windows, where pipes speak an old code page."""
    midgame = str(FIXTURES / "default-size-midgame.png")
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    ran = subprocess.run([sys.executable, "-m", "bot", "dry-run", midgame], capture_output=True, check=True)
    assert ran.stdout.decode(encoding).startswith("16×30," if encoding in ("cp1252", "utf-8") else "16x30,")
    ran = subprocess.run([sys.executable, "-m", "bot", "read", "--json", midgame], capture_output=True, check=True)
    assert json.loads(ran.stdout.decode("ascii"))["rows"] == 16


def test_every_failure_of_ours_has_an_exit_code() -> None:
    root = Path(bot.__file__).parent
    for file in root.rglob("*.py"):
        name = ".".join(("bot", *file.relative_to(root).with_suffix("").parts)).removesuffix(".__init__")
        if not re.search("win32|windows|__main__", name):
            for kind in vars(import_module(name)).values():
                if isinstance(kind, type) and issubclass(kind, Exception) and kind.__module__ == name:
                    private = kind.__name__.startswith("_") or kind.__name__ == "HangError"  # nobody is told of these
                    assert private or issubclass(kind, MinebotError), kind


def test_a_library_that_does_not_load_is_told_in_one_sentence() -> None:
    """As OpenCV on a Windows without its Media Feature Pack; telling of it must not need it."""
    code = "import sys; sys.modules['cv2'] = None; from bot.cli import run; sys.exit(run(['read', 'x.png']))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ran.returncode == Exit.BUG
    assert len(ran.stderr.splitlines()) == 1
    assert "a library is missing or does not load" in ran.stderr
    assert "cv2" in ran.stderr


def test_a_reader_that_has_seen_enough_is_no_failure() -> None:
    """As in `minebot skins | head -1`."""
    reader, writer = os.pipe()
    os.close(reader)
    ran = subprocess.run([sys.executable, "-m", "bot", "skins"], stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (0, "")


def test_a_reader_that_is_gone_in_the_words_of_windows_is_no_failure() -> None:
    code = (
        "import sys; from bot.cli import main\n"
        "def gone(text): sys.platform = 'win32'; raise OSError(22, 'Invalid argument')\n"
        "sys.stdout.write = gone; sys.argv[1:] = ['skins']; main()"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("command", [["skins"], ["skins", "--json"], ["--help"]], ids=" ".join)
def test_an_answer_that_finds_no_room_is_no_bug(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run([sys.executable, "-m", "bot", *command], stdout=full, stderr=subprocess.PIPE, text=True)
    assert (ran.returncode, ran.stderr) == (2, "minebot: can't write: No space left on device\n")


@pytest.mark.skipif(sys.platform == "win32", reason="devices and pipes have other names there")
@pytest.mark.parametrize("command", ["read", "solve", "dry-run", "replay"])
@pytest.mark.parametrize("kind", ["/dev/zero", "a pipe", "a folder"])
def test_what_never_ends_is_refused(
    command: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "input"
    if kind == "a pipe":
        os.mkfifo(path)
    elif kind == "a folder":
        path.mkdir()
    assert run([command, kind if kind.startswith("/") else str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_skin_of_ones_own_is_renamed_and_deleted(capsys: pytest.CaptureFixture[str]) -> None:
    Skin.load("win7").save(user_folder() / "mine")
    assert run(["skins", "--rename", "mine", "gnome"]) == 0
    assert '"gnome"' in capsys.readouterr().err
    assert run(["skins"]) == 0
    listed = [line.split(":")[0] for line in capsys.readouterr().out.splitlines()]
    assert listed == ["gnome", "win7", "winemine", "winxp"]
    assert run(["read", str(FIXTURES / "board-only.png"), "--skin", "gnome"]) == 0
    assert run(["skins", "--delete", "gnome"]) == 0
    capsys.readouterr()
    assert run(["read", str(FIXTURES / "board-only.png"), "--skin", "gnome"]) == 2
    assert not (user_folder() / "gnome").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--delete", "win7"], "comes with the bot"),
        (["--delete", "nosuch"], "no skin"),
        (["--delete", "../secret"], "no skin"),
        (["--rename", "win7", "other"], "comes with the bot"),
        (["--rename", "mine", "win7"], "already"),
        (["--rename", "mine", "../x"], "letters, digits"),
    ],
)
def test_no_skin_but_ones_own_is_touched(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    Skin.load("win7").save(user_folder() / "mine")
    assert run(["skins", *arguments]) == 2
    assert told in capsys.readouterr().err
    assert (user_folder() / "mine" / "skin.toml").is_file()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["read", "none.png"], 2),
        (["solve", "none.txt"], 2),
        (["dry-run", "none.png"], 2),
        (["dry-run"], 2),
        (["calibrate", "none.png", "--name", "mine"], 2),
        (["calibrate", "--name", "../mine"], 2),
        (["skins", "--delete", "none"], 2),
        (["settings", "style", "none"], 2),
        (["replay", "none"], 2),
        (["bench", "odds", "none.txt"], 2),
        (["bench", "games", "--level", "huge"], 2),
        (["analyse", "none.png", "--no-browser"], 2),
        (["play", "--seed", "1"], 2),
        (["play"], 3),
        (["coach"], 3),
        (["clone"], 3),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else None,
)
def test_a_failure_is_json_too(
    arguments: list[str], code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DISPLAY", raising=False)
    if sys.platform == "win32" and code == 3:
        pytest.skip("there is always a screen on Windows")
    assert run([*arguments, "--json"]) == code
    captured = capsys.readouterr()
    told = json.loads(captured.out)
    assert told["exit_code"] == code
    assert told["error"] in captured.err


def test_every_document_says_from_what_its_rows_count(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = next(str(each) for each in sorted(FIXTURES.glob("*.png")))
    commands = [
        ["solve", board_file(tmp_path, "mines: 1\n#1\n11")],
        ["read", picture],
        ["dry-run", picture, "--think", "0"],
        ["bench", "games", "--level", "beginner", "--games", "2", "--strategy", "single", "--workers", "1"],
    ]
    for command in commands:
        assert run([*command, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["counts_from"] == 0
