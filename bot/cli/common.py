"""What every command shares: its options, its way to print, and the exit code of each failure."""

from __future__ import annotations

import codecs
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bot.files.text import decoded

if TYPE_CHECKING:
    from rich.console import Console

    from bot.level import Level

    LevelParameter = click.ParamType[Level]
else:
    LevelParameter = click.ParamType  # generic for type checkers only in the oldest click we allow

Command = TypeVar("Command", bound=Callable[..., Any])


class InputError(Exception):
    """A file or an option that can't be used; the message names it."""


def output_options(command: Command) -> Command:
    """Add `--json` and `--quiet`."""
    command = click.option("--quiet", is_flag=True, help="No progress and no remarks on stderr.")(command)
    return click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else.")(command)


class LevelType(LevelParameter):
    """A level by name or as ROWSxCOLS/MINES."""

    name = "LEVEL"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Level:
        """Return the level or refuse with the legal forms."""
        from bot.board import BoardError
        from bot.level import Level

        if isinstance(value, Level):
            return value
        try:
            return Level.parse(value)
        except BoardError as error:
            self.fail(str(error), param, context)


LEVEL = LevelType()
RULE = click.Choice(["open", "safe", "none"])
WIDE = 200
"""Columns of what is printed to something other than a terminal."""

SEED = click.IntRange(0, 2**32 - 1)


PLAIN = {"×": "x", "–": "-", "→": "->", "…": "...", "·": "-", "±": "+-"}


def speak_plainly_where_needed() -> None:
    """Print what the encoding of stdout or stderr lacks in plain characters.

    A pipe on Windows takes the characters of an old code page only, and an arrow must not cost the answer.
    """

    def plainly(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)
        lacking = error.object[error.start : error.end]
        return "".join(PLAIN.get(character, "?") for character in lacking), error.end

    codecs.register_error("plainly", plainly)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plainly")


def print_json(document: Any) -> None:
    """Print one JSON document on stdout, in ASCII, which every encoding of a pipe agrees on."""
    click.echo(json.dumps(document))


def remark(text: str, quiet: bool) -> None:
    """Say something on stderr, unless the user wants it quiet."""
    if not quiet:
        click.echo(text, err=True)


def console(stderr: bool = False) -> Console:
    """Return a rich console that wraps nothing a script may want to read by lines."""
    from rich.console import Console

    out = Console(stderr=stderr, highlight=False, soft_wrap=True)
    if not out.is_terminal:
        out.width = WIDE  # a file has no right edge
    return out


def read_text(path: str) -> str:
    """Return the text of a file, or of stdin for "-". Raises `InputError` naming the file."""
    try:
        return decoded(sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes())
    except OSError as error:
        raise InputError(f'can\'t read "{path}": {error.strerror}') from error
    except UnicodeDecodeError as error:
        raise InputError(f'can\'t read "{path}": it is not a text file') from error


def exit_code_for(error: Exception) -> int:
    """Return the documented exit code of a failure; 1 for what we did not foresee. The first kind that fits counts."""
    from bot.bench import BenchError
    from bot.board import BoardError
    from bot.calibrate import CalibrationError, UnsureError
    from bot.desktop import CoveredError, DesktopError, GrabError, StopRequestedError
    from bot.picture import PictureError
    from bot.play import InDoubtError
    from bot.record import RecordingError
    from bot.settings import SettingsError
    from bot.stats import StatsError
    from bot.vision.reader import NoBoardError
    from bot.vision.skin import SkinError

    codes: dict[int, tuple[type[Exception], ...]] = {
        2: (
            InputError,
            BenchError,
            BoardError,
            CalibrationError,
            PictureError,
            RecordingError,
            SettingsError,
            SkinError,
            StatsError,
        ),
        4: (InDoubtError, UnsureError, CoveredError, GrabError),
        130: (StopRequestedError,),
        3: (NoBoardError, DesktopError),
    }
    return next((code for code, kinds in codes.items() if isinstance(error, kinds)), 1)


def sentence_for(error: Exception) -> str:
    """Return what to tell the user of a failure."""
    if exit_code_for(error) == 1:
        return f"a bug of ours: {type(error).__name__}: {error} (set MINEBOT_TRACEBACK=1 to see where)"
    return str(error)
