"""What tests use from outside the checkout is in one list, and a run without it says so."""

import re
from pathlib import Path

import pytest

from tests import outside


def test_no_test_reaches_outside_but_through_the_manifest() -> None:
    here = Path(__file__).parent
    reaching = [
        str(file.relative_to(here))
        for file in here.rglob("*.py")
        if file.name not in ("outside.py", "test_outside.py") and re.search(r"\.\./shared", file.read_text("utf-8"))
    ]
    assert reaching == []


def test_a_run_without_the_files_says_in_one_line_what_was_not_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outside, "SHARED", tmp_path)
    (tmp_path / "positions").mkdir()
    line = outside.not_tried()
    assert "\n" not in line
    assert outside.MANIFEST["screenshots/win7"] in line
    assert outside.MANIFEST["positions"] not in line
