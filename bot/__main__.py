"""`python -m bot` is the same program as `minebot`."""

import atexit
import os
import sys
import threading

from bot import signals


def main() -> None:
    """Run the command line; a Ctrl-C ends it in one sentence from the very first moment."""
    signals.listen()
    try:
        from bot.cli import main as command_line

        code = command_line()
    except BaseException:  # while all that was still being imported
        interrupt = signals.received()
        if interrupt is None or not signals.is_waiting():
            raise
        signals.obeyed()
        print(f"minebot: stopped: {interrupt}", file=sys.stderr)
        code = interrupt.exit_code
    signals.ignore()
    _leave_threads_behind(code)
    sys.exit(code)


def _leave_threads_behind(code: int) -> None:
    """End at once when threads are still at work that nobody waits for, such as the analyser's.

    One that compiles or counts meanwhile would be pulled from under its machine code, and the program would abort.
    """
    if any(thread.daemon for thread in threading.enumerate()):
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    main()
