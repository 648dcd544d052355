"""The front door: parse, call, print, exit code. No logic lives here.

Every command has `--json` (one JSON document on stdout, nothing else there) and `--quiet`; progress and messages go to
stderr. A failure is one sentence and one of the documented exit codes, never a traceback. Commands import what they
need when they run, so that `--help` answers at once.
"""

from __future__ import annotations

import os
import sys

import click

from bot import __version__, signals
from bot.cli import bench, calibrate, coach, housekeeping, inspect, play, replay
from bot.cli.common import (
    documents_printed,
    exit_code_for,
    fall_silent,
    print_json,
    reader_is_gone,
    remark,
    sentence_for,
    speak_plainly_where_needed,
)
from bot.errors import Exit

HELP = """Reads Minesweeper from the screen, solves it exactly and plays it with the mouse.

\b
Try it without a screen:      minebot play --clone
Play the game on the desktop: minebot play
What would it do here?        minebot dry-run screenshot.png
See the odds in a page:       minebot analyse screenshot.png

\b
Exit codes: 0 done, 1 a bug, 2 wrong usage or unreadable input, 3 no window or
board to work on, 4 stopped in doubt, 130 stopped by the user."""


@click.group(help=HELP, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="minebot")
@click.pass_context
def minebot(context: click.Context) -> None:
    """Hold the commands; the help text is HELP."""
    housekeeping.apply_settings(context)


for command in (
    play.play,
    inspect.dry_run,
    inspect.read,
    inspect.solve,
    calibrate.calibrate,
    housekeeping.skins,
    coach.coach,
    coach.analyse,
    replay.replay,
    housekeeping.stats,
    housekeeping.settings,
    housekeeping.doctor,
    bench.bench,
    play.clone,
):
    minebot.add_command(command)


def run(arguments: list[str] | None = None) -> int:
    """Run one command line, this process's own without `arguments`, and return its exit code.

    Under --json a failure is a document too, {"error": sentence, "exit_code": code}, unless an answer was printed.
    """
    wants_json = "--json" in (sys.argv[1:] if arguments is None else arguments)
    before = documents_printed()
    code, sentence = _run(arguments)
    if sentence is not None and wants_json and documents_printed() == before:
        print_json({"error": sentence, "exit_code": int(code)})
    return code


def _run(arguments: list[str] | None) -> tuple[int, str | None]:
    """Run one command line; return its exit code and what went wrong, if anything did, which has been said by then."""
    signals.begin_anew()
    try:
        # Without arguments click also does what a shell on Windows leaves undone: `minebot read *.png`.
        result = minebot.main(arguments, prog_name="minebot", standalone_mode=False)
    except click.ClickException as error:
        error.show()
        return Exit.UNUSABLE, error.format_message()
    except (KeyboardInterrupt, click.Abort) as stop:  # click tells of the first, during a command, by the second
        if isinstance(stop.__cause__, EOFError):  # and of this, which no command has to do with
            return Exit.BUG, _said(sentence_for(stop.__cause__))
        return _stopped()
    except SystemExit as end:
        if end.code != 1:  # a signal told us to end
            raise
        # Click's way to say that the reader of our output is gone (`minebot … | head`), which is nobody's fault.
        return Exit.DONE, None
    except Exception as error:
        if signals.is_waiting():
            return _stopped()
        if reader_is_gone(error):
            fall_silent()
            return Exit.DONE, None
        if os.environ.get("MINEBOT_TRACEBACK"):
            raise
        return exit_code_for(error), _said(sentence_for(error))
    interrupted = signals.received()
    if interrupted is not None:  # and obeyed, with what had been done by then
        return interrupted.exit_code, f"stopped: {interrupted}"
    return result if isinstance(result, int) else Exit.DONE, None


def _stopped() -> tuple[int, str]:
    """Say that a signal, or Ctrl-C where none is listened to, has ended the command; return its exit code and that."""
    signals.obeyed()
    interrupted = signals.received()
    sentence = _said(f"stopped: {interrupted or 'Ctrl-C was pressed'}")
    return interrupted.exit_code if interrupted else Exit.USER, sentence


def _said(sentence: str) -> str:
    remark(sentence)
    return sentence


def main() -> int:
    """Run the command line of this process and return its exit code."""
    speak_plainly_where_needed()
    return run()
