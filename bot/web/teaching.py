"""A look that nobody knows, named in the page: the groups of tiles that `calibrate` is unsure of, shown as pictures.

The work is `bot.calibrate`'s; here it is put into documents. One look is taught at a time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from bot.board import SYMBOLS
from bot.calibrate.build import contact_sheet
from bot.calibrate.from_pictures import Findings, examine, finish
from bot.calibrate.infer import Look
from bot.picture import decode
from bot.vision.skin import NAME, user_folder
from bot.web.answers import RequestError
from bot.web.inputs import data_uri

_ENLARGED = 2
"""How much larger the picture of a tile is shown than it is kept."""


@dataclass
class Lesson:
    """What is being taught: the last picture's groups."""

    _found: Findings | None = None

    def begin(self, raw: bytes, name: str) -> dict[str, Any]:
        """Group the tiles of a picture and say what is sure and what is not. Raises `MinebotError`."""
        self._found = examine([(name, decode(raw, name), None)])
        return {"looks": [_look(look) for look in self._found.looks]}

    def end(self, document: Any) -> dict[str, Any]:
        """Make the skin and keep it: {"name": name, "answers": {number: symbol}}. Raises `MinebotError`."""
        if self._found is None:
            raise RequestError("no picture is being taught; drop one first")
        if not isinstance(document, dict) or not isinstance(document.get("answers"), dict):
            raise RequestError("a lesson ends with a name and the answers")
        name = document.get("name")
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise RequestError("a skin's name has letters, digits, _ and -")
        open_questions = {look.number for look in self._found.open_questions}
        answers = {}
        for number, symbol in document["answers"].items():
            if not str(number).isdecimal() or int(number) not in open_questions or symbol not in list(SYMBOLS[:-1]):
                raise RequestError("an answer is the symbol of a group that is not sure")
            answers[int(number)] = SYMBOLS.index(symbol)
        result = finish(name, self._found, answers)
        folder = user_folder() / name
        result.skin.save(folder, contact_sheet(result.skin))
        return {"name": name, "folder": str(folder), "tiles": result.skin.known, "missing": result.skin.missing}


def _look(look: Look) -> dict[str, Any]:
    size = (look.crop.shape[1] * _ENLARGED, look.crop.shape[0] * _ENLARGED)
    enlarged = np.asarray(cv2.resize(look.crop, size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
    return {
        "number": look.number,
        "count": look.count,
        "row": look.where[1],
        "col": look.where[2],
        "picture": data_uri(enlarged),
        "cell": None if look.value is None else SYMBOLS[look.value],
        "proof": look.proof,
        "candidates": [SYMBOLS[value] for value in look.candidates],
        "asked": look.value is None and look.asked,
    }
