"""All that tests use and that is not part of the checkout: one list, with what each thing is.

The genuine artwork is Microsoft's, so that no picture of it can be kept here. Whoever has such pictures puts them into
a folder `shared` beside the checkout, or names another by MINEBOT_SHARED. Each picture has a JSON file of its name:
`image`, `rows`, `cols`, `cells` (one string a row) and `grid_box`. Without them the tests that need them are skipped,
and the run says at its end in one line what was not tried.
"""

from __future__ import annotations

import os
from pathlib import Path

SHARED = Path(os.environ.get("MINEBOT_SHARED") or Path(__file__).parents[1] / "../shared")

MANIFEST = {
    "positions": "the solver on positions whose exact odds another program has computed",
    "screenshots/win7": "the eyes, calibration and the page on windows of the genuine Windows 7 game",
    "screenshots/wild": "the eyes on pictures of that game that people published",
    "screenshots/classic": "the eyes on the grey classic look",
    "screenshots/other": "calibration on looks that no skin has",
    "screenshots/finds": "the eyes on pictures that were once read wrongly",
}
"""Every folder that a test may use, and what is tried with it."""


def outside(name: str) -> Path:
    """Return a folder of the manifest; it need not be there."""
    assert name in MANIFEST, f"{name} is not in the manifest"
    return SHARED / name


def not_tried() -> str:
    """Return, in one line, what is not tried for want of files; nothing when all are there."""
    missing = [what for name, what in MANIFEST.items() if not outside(name).is_dir()]
    return f"not tried, for want of files beside the checkout: {'; '.join(missing)}" if missing else ""
