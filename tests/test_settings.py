"""The settings file: what it sets, and how mistakes in it are told."""

import os
from pathlib import Path

import pytest

from bot import settings
from bot.cli import run

PLAY = ["play", "--clone", "--level", "beginner", "--seed", "3", "--think", "0"]


def write(text: str | bytes) -> Path:
    file = settings.settings_file()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return file


def test_without_a_file_nothing_is_set() -> None:
    assert settings.load_settings() == {}


def test_what_is_set_becomes_the_default_and_the_command_line_wins(capsys: pytest.CaptureFixture[str]) -> None:
    write('style = "noflags"\n')
    assert run(PLAY) in (0, 4)
    assert "flag row" not in capsys.readouterr().out
    assert run([*PLAY, "--style", "flags"]) in (0, 4)
    assert "flag row" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('styel = "flags"', ['"styel"', "style", "pace", "think"]),
        ('style = "wild"', ["style", "wild", "flags", "noflags", "chords"]),
        ("pace = 3", ["pace", "fast", "steady", "human"]),
        ('think = "long"', ["think", "seconds"]),
        ("think = -1", ["think", "0 or more"]),
        ("think = nan", ["think", "0 or more"]),
        ("think = true", ["think", "0 or more"]),
        ('hints = "none"', ["hints", "safe", "odds", "all"]),
        ('stop_key = "any"', ["stop_key", "pause", "f12"]),
        ("skin = 7", ["skin", "a text"]),
        ("style = ", ["not TOML"]),
        (b"\xff\xfe\x00", ["not a text file"]),
        ("x = " + "[" * 5000, ["nested too deeply"]),
        ("think = " + "9" * 5000, ["not TOML"]),
        ("#" * 200_000, ["too large"]),
    ],
)
def test_a_mistake_is_refused_with_what_is_legal(
    text: str | bytes, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(text)
    for command in (["settings"], PLAY):
        assert run(command) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert len(err.splitlines()) == 1
        for word in [str(file), *words]:
            assert word in err


def test_a_skin_that_does_not_exist_is_refused_when_it_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    write('skin = "gothic"')
    assert run(PLAY) == 2
    assert '"gothic"' in capsys.readouterr().err


def test_settings_tells_where_the_file_is_and_what_it_sets(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings"]) == 0
    out = capsys.readouterr().out
    assert os.environ["MINEBOT_CONFIG"] in out
    assert "not there yet" in out
    write('pace = "human"\nthink = 2')
    assert run(["settings"]) == 0
    out = capsys.readouterr().out
    assert 'pace = "human"' in out
    assert "think = 2" in out


def test_a_window_that_is_set_does_not_keep_from_playing_without_one() -> None:
    write('window = "Minesweeper"')
    assert run([*PLAY, "--quiet"]) == 0


def test_what_settings_tells_could_be_the_file_itself(capsys: pytest.CaptureFixture[str]) -> None:
    file = write('window = "the \\"real\\" game"\nthink = 2.5')
    chosen = settings.load_settings()
    assert run(["settings"]) == 0
    file.write_text(capsys.readouterr().out.partition("\n")[2], encoding="utf-8")
    assert settings.load_settings() == chosen


def test_a_setting_is_changed_and_the_rest_of_the_file_stays(capsys: pytest.CaptureFixture[str]) -> None:
    file = write('# mine\nstyle = "flags"  # for now\nthink = 1\n')
    assert run(["settings", "style", "chords"]) == 0
    assert run(["settings", "think", "2.5"]) == 0
    assert run(["settings", "window", 'the "real" one']) == 0
    assert settings.load_settings() == {"style": "chords", "think": 2.5, "window": 'the "real" one'}
    assert file.read_text(encoding="utf-8").startswith("# mine\n")
    assert run(["settings", "--unset", "style"]) == 0
    assert "style" not in settings.load_settings()
    assert "# style" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["styel", "flags"], ["styel", "style, pace"]),
        (["style", "wild"], ["wild", "flags"]),
        (["think", "nan"], ["0 or more"]),
        (["think", "soon"], ["0 or more"]),
        (["pace"], ["needs a value"]),
        (["--unset", "styel"], ["styel"]),
    ],
)
def test_what_can_not_be_set_is_refused_and_the_file_stays(
    arguments: list[str], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = write("think = 1\n")
    assert run(["settings", *arguments]) == 2
    told = capsys.readouterr().err
    assert all(word in told for word in words)
    assert file.read_text(encoding="utf-8") == "think = 1\n"


def test_a_file_that_can_not_be_changed_line_by_line_is_left_to_its_owner(capsys: pytest.CaptureFixture[str]) -> None:
    file = write('"pace" = "fast"\n')
    assert run(["settings", "pace", "human"]) == 2
    assert "by hand" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == '"pace" = "fast"\n'


def test_an_unknown_setting_is_named_as_such_even_without_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["settings", "nope"]) == 2
    assert 'there is no setting "nope"; there are ' in capsys.readouterr().err


def test_half_a_character_is_refused_and_the_file_stays(capsys: pytest.CaptureFixture[str]) -> None:
    file = write('style = "noflags"\n')
    assert run(["settings", "skin", "\udc80x"]) == 2
    assert "not a text" in capsys.readouterr().err
    assert file.read_text() == 'style = "noflags"\n'
