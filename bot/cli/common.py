"""What every command shares beside its options: its way to print, and the exit code of each failure."""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.errors import Exit, MinebotError
from bot.files.text import LARGEST_TEXT, decoded
from bot.files.whole import read_whole

if TYPE_CHECKING:
    from rich.console import Console

    from bot.clone.game import ChooseSeed
    from bot.level import Level, Rule


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


def print_json(document: Any) -> None:
    """Print one JSON document on stdout, in ASCII, which every encoding of a pipe agrees on."""
    click.echo(json.dumps(document))


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
    from bot.no_guess import seed_without_guess

    seed_without_guess(level, rule, 0, level.rows // 2, level.cols // 2)
    return seed_without_guess
