from __future__ import annotations

import pytest

from tests.live import stage


def test_this_machine_has_what_live_tests_need() -> None:
    missing = stage.missing_programs()
    if missing and not stage.required():
        pytest.skip(f"no live tests: they need Linux with {', '.join(stage.PROGRAMS)}; missing: {', '.join(missing)}")
    assert missing == []
