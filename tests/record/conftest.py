"""A recorded game, for the tests of what is kept of it."""

import shutil
from pathlib import Path

import pytest

from tests.record.games import record


@pytest.fixture(scope="package")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recorded game."""
    folder = tmp_path_factory.mktemp("played")
    record(folder)
    return folder / "game-0001"


@pytest.fixture
def game(played: Path, tmp_path: Path) -> Path:
    """The same in a folder that a test may spoil."""
    return Path(shutil.copytree(played, tmp_path / "game"))
