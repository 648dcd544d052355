"""What every command shares: options, each said once, the way to print, and the exit code of each failure."""

from __future__ import annotations

import codecs
import errno
import io
import json
import math
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bot import words
from bot.errors import Exit, MinebotError
from bot.files import LARGEST_TEXT, decoded, read_whole

if TYPE_CHECKING:
    from bot.level import Level

    LevelParameter = click.ParamType[Level]
else:
    LevelParameter = click.ParamType  # generic for type checkers only in the oldest click we allow

if TYPE_CHECKING:
    from rich.console import Console

    from bot.clone.game import ChooseSeed
    from bot.level import Level
    from bot.words import Rule


STOPS = {"user": Exit.USER, "doubt": Exit.DOUBT, "nothing": Exit.NOTHING}
"""By the kind of a `bot.play.Stop`."""

WIDE = 200
"""Columns of what is printed to something other than a terminal."""

PLAIN = {"×": "x", "–": "-", "→": "->", "…": "...", "·": "-", "±": "+-"}


class InputError(MinebotError):
    """A file or an option that can't be used; the message names it."""


def exit_code_for(error: Exception) -> Exit:
    """Return the documented exit code of a failure, `Exit.BUG` for what was not foreseen."""
    if _is_full(error):
        return Exit.UNUSABLE
    return error.exit_code if isinstance(error, MinebotError) else Exit.BUG


def sentence_for(error: Exception) -> str:
    """Return what to tell the user of a failure."""
    if isinstance(error, OSError) and _is_full(error):
        return f"can't write: {error.strerror}"
    if exit_code_for(error) is not Exit.BUG:
        return str(error)
    known = isinstance(error, ImportError)
    what = "a library is missing or does not load" if known else f"a bug of ours: {type(error).__name__}"
    return f"{what}: {error} (set MINEBOT_TRACEBACK=1 to see where)"


def _is_full(error: Exception) -> bool:
    """Whether a disk has no room, most likely for our own output: whoever writes files tells of theirs by name."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def reader_is_gone(error: Exception) -> bool:
    """Whether Windows says that nobody reads our output any more, as if we had said something wrong.

    What other systems say is understood by click.
    """
    said = isinstance(error, OSError) and error.errno == errno.EINVAL and error.filename is None
    return said and sys.platform == "win32"


def fall_silent() -> None:
    """Send what is left of our output nowhere, so that Python does not stumble over it at the end."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


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


_documents = 0  # printed by this process


def print_json(document: dict[str, Any] | list[dict[str, Any]]) -> None:
    """Print one JSON document on stdout, in ASCII, which every encoding of a pipe agrees on.

    Each says for itself from what its rows and columns count, since sentences, which are for people, count from 1.
    """
    global _documents
    _documents += 1
    told = [{"counts_from": 0, **each} for each in (document if isinstance(document, list) else [document])]
    click.echo(json.dumps(told if isinstance(document, list) else told[0]))


def documents_printed() -> int:
    """Return how many JSON documents this process has printed so far."""
    return _documents


def remark(text: str, quiet: bool = False) -> None:
    """Say something on stderr, unless the user wants it quiet."""
    if not quiet:
        click.echo(f"minebot: {text}", err=True)


def console(stderr: bool = False, wraps: bool = False) -> Console:
    """Return a rich console that wraps nothing a script may want to read by lines; for a person it `wraps` at words."""
    from rich.console import Console

    out = Console(stderr=stderr, highlight=False, markup=False, soft_wrap=not wraps)
    if not out.is_terminal:
        out.width = WIDE  # a file has no right edge
    elif out.is_dumb_terminal:
        out.width, out.height = shutil.get_terminal_size()  # rich takes all of these for 80 wide
    return out


def read_text(path: str) -> str:
    """Return the text of a file, or of stdin for "-". Raises `InputError` naming the file."""
    try:
        if path != "-":
            return decoded(read_whole(Path(path), LARGEST_TEXT))
        raw = sys.stdin.buffer.read(LARGEST_TEXT + 1)
        if len(raw) > LARGEST_TEXT:
            raise InputError(f"can't read stdin: it is too large: more than {LARGEST_TEXT / 1e6:.3g} MB")
        return decoded(raw)
    except OSError as error:
        raise InputError(f'can\'t read "{path}": {error.strerror}') from error
    except UnicodeDecodeError as error:
        raise InputError(f'can\'t read "{path}": it is not a text file') from error


def seeds_without_guess(level: Level, rule: Rule) -> ChooseSeed:
    """Return how a game is dealt that needs no guess; a level too full for that is refused before it is begun."""
    from bot.coach.review import seed_without_guess

    seed_without_guess(level, rule, 0, level.rows // 2, level.cols // 2)
    return seed_without_guess


Command = TypeVar("Command", bound=Callable[..., Any])


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


class SecondsType(click.FloatRange):
    """A duration; click's own type takes "nan", which is neither too short nor too long."""

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> float:
        """Return the seconds or refuse."""
        seconds = float(super().convert(value, param, context))
        if math.isnan(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, context)
        return seconds


class FileType(click.Path):
    """The name of a file or folder, there or not yet; one that no file can have is refused at once."""

    def __init__(self) -> None:
        super().__init__(path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Path:
        """Return the path or refuse it."""
        path = Path(str(super().convert(value, param, context)))
        try:
            path.stat()
        except FileNotFoundError:
            pass
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                self.fail(f'can\'t use "{path.name[:40]}…": {error.strerror}', param, context)
        except ValueError as error:  # a character that no name has
            self.fail(str(error), param, context)
        return path


def not_blank(context: click.Context, param: click.Parameter, text: str | None) -> str | None:
    """Refuse a text that every name contains: the topmost window of all would be clicked."""
    if text is not None and not text.strip():
        raise click.BadParameter("it is empty", context, param)
    return text


LEVEL = LevelType()
FILE = FileType()
RULE, STRATEGY = click.Choice(words.RULES), click.Choice(words.ANY_STRATEGY)
STYLE, PACE, HINT, STOP_KEY = map(click.Choice, (words.CLICK_STYLES, words.PACES, words.HINTS, words.STOP_KEYS))
THEME, PIECES = click.Choice(words.THEMES), click.Choice(words.PIECES)
SECONDS = SecondsType(0)
SEED = click.IntRange(0, 2**32 - 1)

window_option = click.option(
    "--window", metavar="TEXT", callback=not_blank, help="The window whose title, class or program contains TEXT."
)
skin_option = click.option("--skin", metavar="NAME", help="The look of the game (default: found by itself).")
mines_option = click.option(
    "--mines", metavar="N", type=click.IntRange(0), help="Mines on the whole board, when no counter tells."
)
rule_option = click.option(
    "--rule", type=RULE, default="open", show_default=True, help="What the first click promises."
)
rule_of_a_window_option = click.option(
    "--rule", type=RULE, help="What the first click promises. [XP and WineMine: safe; else open]"
)
no_guess_option = click.option("--no-guess", is_flag=True, help="Deal boards that can be won without a guess.")
workers_option = click.option("--workers", metavar="K", type=click.IntRange(1), help="Processes. [default: one a core]")
seed_option = click.option(
    "--seed", metavar="S", type=SEED, default=1, show_default=True, help="The first game's seed."
)


def level_option(default: str = "expert") -> Callable[[Command], Command]:
    """`--level` of a game that is dealt here."""
    return click.option("--level", type=LEVEL, default=default, show_default=True, help="Or ROWSxCOLS/MINES.")


def games_option(default: int, help: str = "Games to play.") -> Callable[[Command], Command]:
    """`--games`, at least one."""
    return click.option("--games", metavar="N", type=click.IntRange(1), default=default, show_default=True, help=help)


def style_option(default: str) -> Callable[[Command], Command]:
    """`--style`: what is done about mines."""
    text = "Flag every mine, none, or only where chords then save clicks."
    return click.option("--style", type=STYLE, default=default, show_default=True, help=text)


def think_option(default: float) -> Callable[[Command], Command]:
    """`--think` with one default for all."""
    text = "How long a guess may be thought over."
    return click.option("--think", metavar="SECONDS", type=SECONDS, default=default, show_default=True, help=text)


def output_options(command: Command) -> Command:
    """Add `--json` and `--quiet`."""
    command = click.option("--quiet", is_flag=True, help="No progress and no remarks on stderr.")(command)
    return click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout, nothing else.")(command)
