"""Windows that come over the board at any moment of a game on X11: nothing of the bot's may arrive in them.

    python -m tests.live.attacks --kind notification --trials 40
    python -m tests.live.attacks --kind window --trials 40 --busy 4

A notification comes past the window manager, a window by way of it. Opens a screen of its own with WineMine on it, and
prints one JSON document: trials, clicks and keys that arrived in the wrong window, and what the bot said.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import threading
from collections import Counter
from contextlib import ExitStack
from typing import Any

from bot.desktop import Click, Rect, open_desktop
from bot.desktop.timing import FAST, Seconds, wait_until
from bot.level import LEVELS
from bot.plan import Action
from bot.play import Player, Settings, Watcher
from bot.vision.reader import Reader
from tests.live import stage

LATEST = 1.5
"""Seconds after the first click: by then many games are still on."""

LONGEST = Seconds(15)
"""How long the window stays, unless the bot stops before."""


class Begun(Watcher):
    """Tells when the bot has clicked for the first time."""

    def __init__(self) -> None:
        self.event = threading.Event()

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        self.event.set()


def intrude(place: Rect, managed: bool, stopped: threading.Event) -> list[Any]:
    """Show a window until the bot has stopped, and return the clicks and keys that it got."""
    from Xlib import X, Xutil

    from bot.desktop.x11_connection import Connection

    x, got = Connection(), list[Any]()
    mask = X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask
    window = x.root.create_window(*place, 0, X.CopyFromParent, event_mask=mask, override_redirect=not managed)
    window.set_wm_name("a message for you")
    window.set_wm_normal_hints(flags=Xutil.USPosition)
    window.map()
    x.display.sync()
    stopped.wait(LONGEST)
    x.display.sync()
    while x.display.pending_events():
        came = x.display.next_event()
        if came.type in (X.ButtonPress, X.ButtonRelease, X.KeyPress):
            got.append(came)
    window.destroy()
    x.display.sync()
    x.close()
    return got


def trial(chance: random.Random, managed: bool) -> tuple[int, str]:
    """Play a game into which a window comes; return what arrived there, and what the bot said."""
    desktop = open_desktop(None, FAST)
    begun, stopped, got = Begun(), threading.Event(), list[Any]()
    client = desktop.window.client()
    place = Rect(
        client.left + client.width // 4, client.top + client.height // 4, client.width // 2, client.height // 2
    )
    after = chance.uniform(0, LATEST)

    def meddle() -> None:
        begun.event.wait(60)
        stopped.wait(after)
        got.extend(intrude(place, managed, stopped))

    hand = threading.Thread(target=meddle)
    hand.start()
    session = Player(desktop, Reader(), Settings("noflags", "best", 0.0), begun).play(3)
    stopped.set()
    begun.event.set()
    hand.join()
    return len(got), "played on" if session.stop is None else session.stop.reason.split(" (")[0]


def main() -> None:
    """Try as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=("notification", "window"), default="notification")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0)
    told = parser.parse_args()
    chance = random.Random(told.seed)
    arrived, harmed, said = 0, 0, Counter[str]()
    with stage.screen(), stage.winemine(LEVELS["expert"]), ExitStack() as stack:
        for _ in range(told.busy):
            stack.enter_context(stage.ended([sys.executable, "-c", "while True: pass"]))
        for _ in range(told.trials):
            events, reason = trial(chance, told.kind == "window")
            arrived += events
            harmed += bool(events)
            said[reason] += 1
            wait_until(lambda: False, Seconds(0.3), Seconds(0.1))
    print(json.dumps({"trials": told.trials, "harmed": harmed, "arrived": arrived, "said": said}))


if __name__ == "__main__":
    main()
