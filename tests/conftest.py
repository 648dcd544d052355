"""No test touches what the user of this machine has kept or set; and a run says what it could not try."""

from itertools import count
from pathlib import Path

import pytest

from tests.outside import not_tried

NUMBERS = count()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder: to ask the factory for one a test would take longer the more there are."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(autouse=True)
def home(homes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of its own for every test; they need not exist."""
    folder = homes / str(next(NUMBERS))
    monkeypatch.setenv("MINEBOT_DATA", str(folder / "data"))
    monkeypatch.setenv("MINEBOT_CONFIG", str(folder / "config"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was not tried for want of files that are not part of the checkout."""
    if line := not_tried():
        terminalreporter.write_line(line)
