"""Lists the functions that one round of play goes through, and how large the rooms are: `python -m tools.walk`.

A round goes from one batch of clicks to the next: wait for their effect, look, read, decide, plan, click. It is played
on the clone; what the clone does by itself, comprehensions and compiled code do not count. A hop is a call from a
function of one module to a function of another one, counted once however often it is made; `--hops` lists them.
`--sizes` counts modules and lines instead.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import bot
from bot.clone.desktop import CloneDesktop
from bot.clone.game import Game
from bot.level import Level
from bot.play import Player, Settings, Watcher
from bot.vision.reader import Reader

PACKAGE = Path(bot.__file__).parent
NOT_WALKED = "clone"
OWN_MOUSE = "desktop/input"
"""The one thing of the bot's that the clone calls: it hands every click to the bot's own mouse."""

ROUND = 3
"""By then nothing is done for the first time any more."""


class Walk(Watcher):
    """Notes the functions of a round in the order of their first calls, and the hops between modules."""

    def __init__(self) -> None:
        self.functions: dict[CodeType, str] = {}
        self.hops: dict[tuple[CodeType, CodeType], str] = {}
        self._batches = 0

    def clicked(self, *_: Any) -> None:
        """Begin and end with the clicks of a round."""
        self._batches += 1
        if self._batches == ROUND:
            sys.setprofile(self._called)
        elif self._batches == ROUND + 1:
            sys.setprofile(None)

    def _called(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not _counts(frame) or frame.f_code.co_name == "clicked":
            return
        caller = frame.f_back
        while caller is not None and not _counts(caller):
            if _room(caller) == NOT_WALKED and _module(frame) != OWN_MOUSE:
                return  # the game's own work, not the bot's
            caller = caller.f_back
        module = _module(frame)
        name = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)  # Python 3.10 knows the short one only
        self.functions.setdefault(frame.f_code, f"{module}: {name}")
        if caller is not None and _module(caller) != module:
            self.hops[caller.f_code, frame.f_code] = f"{_room(caller)} -> {_room(frame)}"


def _counts(frame: FrameType) -> bool:
    return _room(frame) not in ("", NOT_WALKED) and not frame.f_code.co_name.startswith("<")


def _room(frame: FrameType) -> str:
    return _module(frame).split("/", maxsplit=1)[0]


def _module(frame: FrameType) -> str:
    file = Path(frame.f_code.co_filename)
    return file.relative_to(PACKAGE).with_suffix("").as_posix() if file.is_relative_to(PACKAGE) else ""


def sizes(package: Path) -> list[tuple[str, int, int]]:
    """Return every room with its number of modules and of lines."""
    modules: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for file in package.rglob("*.py"):
        parts = file.relative_to(package).parts
        room = parts[0] if len(parts) > 1 else "(loose)"
        modules[room] += 1
        lines[room] += len(file.read_text(encoding="utf-8").splitlines())
    return [(room, modules[room], lines[room]) for room in sorted(modules)]


def main() -> None:
    """Print the walk of one round, or the sizes of the rooms."""
    parser = argparse.ArgumentParser(description="the functions of one round of play, in order")
    parser.add_argument("--sizes", action="store_true", help="count modules and lines instead")
    parser.add_argument("--hops", action="store_true", help="list the calls between modules too")
    options = parser.parse_args()
    if options.sizes:
        counted = sizes(PACKAGE)
        for room, modules, lines in [
            *counted,
            ("together", sum(n for _, n, _ in counted), sum(n for *_, n in counted)),
        ]:
            print(f"{room:12} {modules:4} modules {lines:6} lines")
        return
    walk = Walk()
    clone = CloneDesktop(Game(Level(9, 9, 10), seed=1))
    Player(clone.desktop(), Reader(), Settings(strategy="csp", think=0.0), walk).play(1)
    for function in walk.functions.values():
        print(function)
    if options.hops:
        for caller, callee in walk.hops:
            print(f"{walk.functions.get(caller, 'the loop')} -> {walk.functions[callee]}")
    for rooms, number in Counter(walk.hops.values()).most_common():
        print(f"{number:4} hops {rooms}")
    print(f"{len(walk.functions)} functions, {len(walk.hops)} hops between modules")


if __name__ == "__main__":
    main()
