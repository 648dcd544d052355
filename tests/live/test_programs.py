from __future__ import annotations

import pytest

from tests.live import stage


def test_this_machine_has_what_live_tests_need() -> None:
    if not stage.wanted():
        pytest.skip(f"live tests run with MINEBOT_LIVE=1, for ten minutes, on Linux with {', '.join(stage.PROGRAMS)}")
    assert stage.missing_programs() == []
