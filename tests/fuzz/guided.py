"""A fuzzer that follows the code: inputs that reach a new branch are kept and spoilt further.

Needs `pip install atheris` (Linux, Python 3.11 or newer) and is no part of the normal tests:

    python -m tests.fuzz.guided read -max_total_time=300 [CORPUS_FOLDER]

Everything after the kind is libFuzzer's. It ends with the input that led to an exit code which is not documented.
"""

import os
import sys
from importlib import import_module
from typing import Any

atheris: Any = import_module("atheris")

with atheris.instrument_imports(include=["bot", "tomllib", "zipfile"]):
    import bot.cli.common
    import bot.cli.inspect
    import bot.cli.replay
    import bot.files
    import bot.picture
    import bot.record.export
    import bot.record.recording
    import bot.record.replay
    import bot.settings
    import bot.vision.reader
    import bot.vision.skin  # noqa: F401
    from tests.fuzz.kinds import KINDS, call, prepared


def main() -> None:
    if len(sys.argv) < 2 or sys.argv[1] not in KINDS:
        sys.exit(f"usage: python -m tests.fuzz.guided {'|'.join(KINDS)} [-max_total_time=SECONDS] [CORPUS]")
    kind = prepared(sys.argv[1])
    corpus = kind.folder / "corpus"
    corpus.mkdir()
    for number, content in enumerate(kind.good()):
        (corpus / f"{number}").write_bytes(content)
    os.environ["OPENCV_LOG_LEVEL"] = "SILENT"

    def one(content: bytes) -> None:
        code, _, remarks = call(kind.arguments(content))
        if code not in kind.codes:
            raise RuntimeError(f"exit code {code}: {remarks}")

    atheris.Setup([sys.argv[0], "-close_fd_mask=3", *sys.argv[2:], str(corpus)], one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
