"""`minebot play`, on the desktop or on the clone with no screen at all, where Esc in the terminal ends it; and `minebot
clone`, the clone in a window of its own.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bot.cli.common import (
    LEVEL,
    PACE,
    PIECES,
    SECONDS,
    SEED,
    STOP_KEY,
    STOPS,
    THEME,
    Command,
    console,
    games_option,
    level_option,
    no_guess_option,
    output_options,
    print_json,
    remark,
    rule_of_a_window_option,
    rule_option,
    seeds_without_guess,
    skin_option,
    style_option,
    window_option,
)
from bot.errors import Exit

if TYPE_CHECKING:
    from bot.clone.game import Game
    from bot.desktop import Desktop
    from bot.desktop.timing import Seconds
    from bot.level import Level
    from bot.play import Session, Settings, Stop, Watcher
    from bot.show.views import Seeds
    from bot.vision.reader import Reader
    from bot.words import ClickStyle, Pace, Pieces, Rule, StopKey, Theme


THINK_LIVE, THINK_CLONE = 1.0, 0.1
"""Seconds a guess may take by default; a game without a screen has no clock to beat, and many are played at once."""


@click.command()
@click.option("--clone", "on_clone", is_flag=True, help="Play the built-in clone, with no screen at all.")
@games_option(1)
@click.option("--level", type=LEVEL, help="beginner, intermediate, expert or ROWSxCOLS/MINES. [clone: expert]")
@style_option("flags")
@click.option("--pace", type=PACE,
              help="How it looks: as fast as the game allows, in steps, or like a person. [clone, one game: steady; "
                   "else fast]")  # fmt: skip
@window_option
@click.option("--think", metavar="SECONDS", type=SECONDS,
              help=f"How long a guess may be thought over. [{THINK_LIVE:g}; clone: {THINK_CLONE:g}]")  # fmt: skip
@skin_option
@click.option("--learn", is_flag=True,
              help="Add tiles never seen before to a calibrated skin, when the rules tell them.")  # fmt: skip
@rule_of_a_window_option
@click.option("--stop-key", type=STOP_KEY, help="Another key that stops it, beside Esc.")
@click.option("--record", metavar="DIR", help="Keep pictures, boards, decisions and clicks in DIR; see replay.")
@click.option("--seed", metavar="S", type=SEED, help="Clone: the first game's seed; the next ones count on from it.")
@no_guess_option
@click.option("--theme", type=THEME, default="blue", show_default=True, help="Clone: the board's colour.")
@click.option("--animations/--no-animations", default=False, show_default=True,
              help="Clone: openings fade and ends are shown, as in the game as it is installed.")  # fmt: skip
@output_options
def play(
    on_clone: bool,
    games: int,
    level: Level | None,
    style: ClickStyle,
    pace: Pace | None,
    window: str | None,
    think: float | None,
    skin: str | None,
    learn: bool,
    rule: Rule | None,
    stop_key: StopKey | None,
    record: str | None,
    seed: int | None,
    no_guess: bool,
    theme: Theme,
    animations: bool,
    as_json: bool,
    quiet: bool,
) -> int:
    """Find the game window and play it.

    \b
    To stop: Esc, move the mouse, Ctrl-C, or the pointer in a corner of the screen;
    on the clone Esc or Ctrl-C in the terminal.
    Example: minebot play --clone --level expert
    """
    from bot.desktop.timing import PRESETS
    from bot.play import Player, Settings
    from bot.play.events import Everyone
    from bot.show.views import Seeds

    if on_clone and click.get_current_context().get_parameter_source("window") is ParameterSource.COMMANDLINE:
        raise click.UsageError("--window has no meaning with --clone")
    if not on_clone and seed is not None:
        raise click.UsageError("--seed is for the clone; a real game deals its own mines")
    if not on_clone and no_guess:
        raise click.UsageError("--no-guess is for the clone; a real game deals its own mines")
    pace = pace or ("steady" if on_clone and games == 1 else "fast")
    settings = Settings(
        style=style,
        think=think if think is not None else THINK_CLONE if on_clone else THINK_LIVE,
        rule=rule,
        level=level,
        timing=PRESETS["fast" if on_clone else pace],
    )
    game = _game(level, rule, seed, no_guess) if on_clone else None
    seeds = Seeds(game)
    with ExitStack() as stack:
        if game is not None:
            desktop = _clone(game, theme, animations, stack.enter_context(escape_key()))
        else:
            desktop = _real(window, pace, stop_key)
        keepers = _keepers(on_clone, record, settings, quiet)
        linger = PRESETS[pace if on_clone else "fast"].linger
        view = stack.enter_context(_watching(games, not (as_json or quiet), linger, seeds))
        watcher = Everyone([seeds, view, *keepers])
        session = Player(desktop, _reader(skin, learn, quiet), settings, watcher).play(games)
    return _report(session, seeds, as_json, quiet)


def _reader(skin: str | None, learn: bool, quiet: bool) -> Reader:
    from bot.vision.reader import Reader
    from bot.vision.skin import Skin

    known = None if skin is None else Skin.load(skin)
    if not learn:
        return Reader(known)
    from bot.calibrate.learn import LearningReader

    return LearningReader(known, lambda text: remark(text, quiet))


def _game(level: Level | None, rule: Rule | None, seed: int | None, no_guess: bool) -> Game:
    """Return the clone's first game; the next ones follow from it."""
    from bot.clone.game import Game
    from bot.level import LEVELS

    level, rule = level or LEVELS["expert"], rule or "open"
    return Game(level, rule, seed, choose_seed=seeds_without_guess(level, rule) if no_guess else None)


def _clone(game: Game, theme: Theme, animations: bool, stop: Callable[[], str | None]) -> Desktop:
    from bot.clone.desktop import CloneDesktop
    from bot.clone.painter import Design

    return CloneDesktop(game, Design(theme=theme), animate=animations, stop=stop).desktop()


def _real(window: str | None, pace: Pace, stop_key: StopKey | None) -> Desktop:
    from bot.desktop import open_desktop
    from bot.desktop.timing import PRESETS

    return open_desktop(window, PRESETS[pace], stop_key)


def _keepers(on_clone: bool, record: str | None, settings: Settings, quiet: bool) -> list[Watcher]:
    """Return those who write down what happens."""
    from bot.record import RecordingError
    from bot.record.recorder import Recorder, keep_recording
    from bot.stats import Chronicler

    def warn(text: str) -> None:
        remark(text, quiet)

    def finished(game: Path) -> None:
        try:
            keep_recording(game)
        except RecordingError as error:
            warn(str(error))

    chronicler = Chronicler(on_clone, warn)
    return [chronicler] if record is None else [chronicler, Recorder(Path(record), settings, warn, finished)]


@contextmanager
def _watching(games: int, told: bool, linger: Seconds, seeds: Seeds) -> Iterator[Watcher]:
    """Give whoever is to be told: a live board or plain lines for one game, a progress bar for many, nobody."""
    from bot.play import Watcher
    from bot.show.views import LiveView, PlainView, ProgressView

    out = console(wraps=True)
    if not told:
        yield Watcher()
    elif games > 1:
        with ProgressView(console(stderr=True), games) as many:
            yield many
    elif out.is_terminal:
        with LiveView(out, linger, seeds) as live:
            yield live
    else:
        yield PlainView(click.echo, seeds)


def _report(session: Session, seeds: Seeds, as_json: bool, quiet: bool) -> int:
    """Print how it went; of one game that somebody was shown, the view has told already."""
    from bot.show.documents import session_json
    from bot.show.views import results_table, summary

    if as_json:
        print_json(session_json(session, seeds.all))
    elif len(session.games) > 1:
        console().print(results_table(session.finished, seeds.all))
    elif quiet:
        click.echo(summary(session.games[0], seeds.last))
    if session.stop is None:
        return Exit.DONE
    remark(f"stopped: {session.stop.reason}{_keep_picture(session.stop)}")
    return STOPS[session.stop.kind]


def _keep_picture(stop: Stop) -> str:
    """Save what the bot saw when it stopped in doubt, and say where."""
    if stop.kind != "doubt" or stop.picture is None:
        return ""
    from bot.picture import PictureError
    from bot.record.recorder import keep_doubtful

    try:
        return f' (what it saw: "{keep_doubtful(stop.picture)}")'
    except PictureError as error:
        return f" ({error})"


PRESSED = "Esc was pressed"
ESC = "\x1b"
OTHER_KEYS = rb"\x1b[\[O][0-9;]*[A-Za-z~]"
"""What terminals send for arrows and the like; it begins with Esc, and comes whole."""

WhyStop = Callable[[], str | None]
"""Why the user wants to stop, or None."""

if sys.platform == "win32":
    import msvcrt

    @contextmanager
    def _typed_keys() -> Iterator[WhyStop]:
        """Keys come at once on Windows."""

        def pressed() -> str | None:
            keys = []
            while msvcrt.kbhit():
                keys.append(msvcrt.getwch())
            return PRESSED if ESC in keys else None

        yield pressed

else:
    import select
    import termios
    import tty

    @contextmanager
    def _typed_keys() -> Iterator[WhyStop]:
        """Let the terminal hand over keys at once and unseen, instead of lines; in the end it is as before."""
        terminal = sys.stdin.fileno()

        def ours() -> bool:
            """Whether the terminal is ours to ask: a job in the background that does so is stopped."""
            return os.tcgetpgrp(terminal) == os.getpgrp()

        def pressed() -> str | None:
            while ours() and select.select([terminal], [], [], 0)[0]:
                keys = os.read(terminal, 64)
                if not keys:
                    return None
                if ESC.encode() in re.sub(OTHER_KEYS, b"", keys):
                    return PRESSED
            return None

        if not ours():
            yield lambda: None
            return
        before = termios.tcgetattr(terminal)
        try:
            tty.setcbreak(terminal, termios.TCSANOW)
            yield pressed
        finally:
            if ours():
                termios.tcsetattr(terminal, termios.TCSANOW, before)


@contextmanager
def escape_key() -> Iterator[WhyStop]:
    """Give a question whether Esc has been pressed; without a terminal that types to us it never is."""
    if not sys.stdin.isatty():
        yield lambda: None
        return
    with _typed_keys() as pressed:
        yield pressed


PITCH = 18.0
"""Pixels of a tile at scale 1: the game as it is installed."""


def _trial_options(command: Command) -> Command:
    """Add what only the window on Windows has, for trials of the bot; `--help` does not tell of it."""
    for option in (
        click.option("--tips/--no-tips", default=None, hidden=True),
        click.option("--title", hidden=True),
        click.option("--draw-ms", type=click.IntRange(0, 1000), hidden=True),
        click.option("--stall-ms", type=click.IntRange(0, 10_000), hidden=True),
        click.option("--log", type=click.Path(path_type=Path, dir_okay=False), hidden=True),
        click.option("--saved-game", "asks_first", flag_value="saved game", default=None, hidden=True),
        click.option("--choose-difficulty", "asks_first", flag_value="difficulty", default=None, hidden=True),
    ):
        command = option(command)
    return command


@click.command()
@level_option()
@rule_option
@no_guess_option
@click.option("--theme", type=THEME, default="blue", show_default=True, help="Colour.")
@click.option("--pieces", type=PIECES, default="mines", show_default=True, help="What to look out for.")
@click.option("--scale", metavar="FACTOR", type=float, default=1.0, show_default=True,
              help=f"Size; 1 is a tile of {PITCH:g} pixels, which may have 12 to 80.")  # fmt: skip
@click.option("--seed", metavar="S", type=SEED, help="The first game's seed.")
@click.option("--animations/--no-animations", default=True, show_default=True, help="Ripples, explosions, sweeps.")
@_trial_options
@output_options
def clone(
    level: Level,
    rule: Rule,
    no_guess: bool,
    theme: Theme,
    pieces: Pieces,
    scale: float,
    seed: int | None,
    animations: bool,
    as_json: bool,
    quiet: bool,
    **trial: Any,
) -> None:
    """Open the clone in a window, to play by hand or by bot.

    \b
    Left opens, right flags, both buttons or the middle one chord, F2 deals anew.
    Example: minebot clone --level beginner --theme green --scale 2
    """
    from bot.clone.painter import Design

    choose_seed = seeds_without_guess(level, rule) if no_guess else None
    design = Design(theme=theme, pieces=pieces, pitch=PITCH * scale)
    given = {name: value for name, value in trial.items() if value is not None}
    if sys.platform == "win32":
        from bot.clone.win32.window import Setup, run_window

        run_window(level, design, rule, seed, Setup(animate=animations, **given), choose_seed)
    else:
        from bot.clone.window import run_window

        if given:
            raise click.UsageError(f"--{min(given).replace('_', '-')} is for Windows only")
        run_window(level, design, rule, seed, animate=animations, choose_seed=choose_seed)
    if as_json:
        print_json({"level": str(level), "rule": rule, "seed": seed, "no_guess": no_guess})
