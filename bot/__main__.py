"""`python -m bot` is the same program as `minebot`."""

from bot import signals


def main() -> None:
    """Run the command line; a Ctrl-C ends it in one sentence from the very first moment."""
    import sys

    signals.listen()
    try:
        from bot.cli import main as command_line

        code = command_line()
    except KeyboardInterrupt as interrupt:  # while all that was still being imported
        print(f"minebot: stopped: {interrupt}", file=sys.stderr)
        code = getattr(interrupt, "exit_code", 1)
    signals.ignore()
    sys.exit(code)


if __name__ == "__main__":
    main()
