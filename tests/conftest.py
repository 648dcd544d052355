"""No test touches what the user of this machine has kept or set."""

import pytest


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders of its own for every test."""
    folder = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("MINEBOT_DATA", str(folder / "data"))
    monkeypatch.setenv("MINEBOT_CONFIG", str(folder / "config"))
