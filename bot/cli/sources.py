"""Where the pictures of `read` and `dry-run` come from: files, stdin or the clipboard."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from bot.cli.common import InputError

if TYPE_CHECKING:
    from bot.picture import Picture

images_argument = click.argument("images", metavar="[IMAGE…]", nargs=-1)
clipboard_option = click.option("--clipboard", is_flag=True, help="Take the picture that was copied last.")


@dataclass(frozen=True)
class Source:
    """A picture that is still to be fetched, and what to call it."""

    name: str
    load: Callable[[], Picture]


def sources(images: tuple[str, ...], clipboard: bool) -> list[Source]:
    """Return what the user has named, "-" for stdin; something must be."""
    if clipboard and images:
        raise click.UsageError("give IMAGE or --clipboard, not both")
    if not clipboard and not images:
        raise click.UsageError('give an IMAGE, "-" for stdin, or --clipboard')
    if clipboard:
        return [Source("clipboard", _copied)]
    return [Source("stdin", _from_stdin) if image == "-" else file_source(image) for image in images]


def file_source(image: str) -> Source:
    """Return a picture in a file."""

    def load() -> Picture:
        from bot import picture

        return picture.load(image)

    return Source(image, load)


def _copied() -> Picture:
    from bot.desktop.environment import copied_picture
    from bot.picture import decode

    return decode(copied_picture(), "clipboard")


def _from_stdin() -> Picture:
    from bot.picture import LARGEST_FILE, decode

    if sys.stdin.isatty():
        raise InputError("no picture comes from a terminal: give stdin a file, as in: minebot dry-run - < shot.png")
    raw = sys.stdin.buffer.read(LARGEST_FILE + 1)
    if not raw:
        raise InputError("can't read stdin: nothing came")
    if len(raw) > LARGEST_FILE:
        raise InputError(f"can't read stdin: it is too large: more than {LARGEST_FILE / 1e6:.3g} MB")
    return decode(raw, "stdin")
