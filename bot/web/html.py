"""Pages for a browser, each one file: what all of them share.

A page is a template whose names in double braces are replaced. Its own style and script may run and nothing else: a
browser knows them by their hashes. What is data stands in the page as JSON and is never taken for part of it.
`marks.js` draws what the solver says over a board, for every page that shows one.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

MARKS = Path(__file__).with_name("marks.js")


def filled(template: str, title: str, data: Any, **parts: str) -> str:
    """Return a page: first its parts put in, then the hashes of its style and script, then its title and data."""
    for name, part in {"MARKS": MARKS.read_text(encoding="utf-8"), **parts}.items():
        template = template.replace("{{" + name + "}}", part)
    for element in ("style", "script"):
        template = template.replace("{{" + element.upper() + "_HASH}}", hash_of(template, element))
    # "<" can't occur in the data, so nothing in it ends the element it stands in.
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return template.replace("{{TITLE}}", html.escape(title)).replace("{{DATA}}", text)


def hash_of(template: str, element: str) -> str:
    """Return by which a browser knows that the page's own style or script may run, and nothing else."""
    found = re.search(f"<{element}>(.*?)</{element}>", template, re.DOTALL)
    assert found is not None
    return "sha256-" + base64.b64encode(hashlib.sha256(found[1].encode()).digest()).decode()
