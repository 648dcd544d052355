"""Every value that a user may type is written down once, and costs nothing to know."""

import subprocess
import sys

LISTS = (
    "import sys; from bot import cli, settings, words; sys.exit(any(name in sys.modules for name in ('numpy', 'cv2')))"
)


def test_the_command_line_and_its_words_load_nothing_heavy() -> None:
    assert subprocess.run([sys.executable, "-c", LISTS], check=False).returncode == 0
