"""Options that several commands share, each said once."""

from __future__ import annotations

import errno
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from bot.settings import HINTS, PACES, STOP_KEYS, STYLES

if TYPE_CHECKING:
    from bot.level import Level

    LevelParameter = click.ParamType[Level]
else:
    LevelParameter = click.ParamType  # generic for type checkers only in the oldest click we allow

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
RULE = click.Choice(["open", "safe", "none"])
STRATEGY = click.Choice(["single", "subset", "csp", "best", "deep"])
STYLE, PACE, HINT, STOP_KEY = map(click.Choice, (STYLES, PACES, HINTS, STOP_KEYS))
THEME, PIECES = click.Choice(["blue", "green"]), click.Choice(["mines", "flowers"])
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
