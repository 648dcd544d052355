"""No test touches what the user of this machine has kept or set; and a run says what it could not try."""

import pytest

from tests.outside import not_tried


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of its own for every test."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MINEBOT_DATA", str(folder / "data"))
    monkeypatch.setenv("MINEBOT_CONFIG", str(folder / "config"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say in one line what was not tried for want of files that are not part of the checkout."""
    if line := not_tried():
        terminalreporter.write_line(line)
