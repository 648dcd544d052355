"""Other programs that come between the bot and its game on X11: nothing of the bot's may arrive in them.

    python -m tests.live.attacks --kind notification --trials 40
    python -m tests.live.attacks --kind window --trials 40 --busy 4

A notification comes past the window manager. A window comes by way of it and takes the focus, and so does one that
comes up elsewhere, beside the game. A menu holds the mouse, a launcher the keyboard, a lock both, over the whole
screen. A look-alike shows what the game showed. Opens a screen of its own with WineMine on it, and prints one JSON
document: trials, clicks and keys that arrived in the wrong window, and what the bot said.
"""

from __future__ import annotations

import argparse
import json
import random
import threading
from collections import Counter
from typing import Any

from bot.actions import Action
from bot.bench.playing import family
from bot.desktop import Click, Rect, open_desktop
from bot.desktop.timing import FAST, Seconds, pause, wait_until
from bot.level import LEVELS
from bot.play import Player, Settings, Watcher
from bot.vision.reader import Reader
from tests.live import stage

KINDS = ("notification", "window", "elsewhere", "menu", "launcher", "lock", "look-alike")

LATEST = 1.5
"""Seconds after the first click: by then many games are still on."""

OVER_BEFORE = "over before it came"

LONGEST = Seconds(15)
"""How long the window stays, unless the bot stops before."""


class Begun(Watcher):
    """Tells when the bot has clicked for the first time, and counts its rounds of clicks."""

    def __init__(self) -> None:
        self.event = threading.Event()
        self.rounds = 0

    def clicked(self, actions: list[Action], clicks: list[Click]) -> None:
        self.rounds += 1
        self.event.set()


def place_for(kind: str, client: Rect) -> Rect:
    """Return where a window of a kind comes up, in the midst of the game unless its kind says otherwise."""
    if kind == "look-alike":
        return client
    if kind == "lock":
        return Rect(0, 0, 1280, 1024)
    if kind == "elsewhere":
        return Rect(client.left + client.width + 40, client.top, 120, 120)
    return Rect(client.left + client.width // 4, client.top + client.height // 4, client.width // 2, client.height // 2)


def intrude(kind: str, client: Rect, stopped: threading.Event) -> list[Any]:
    """Show a window until the bot has stopped, and return the clicks and keys that it got."""
    from Xlib import X, Xutil
    from Xlib.protocol import event

    from bot.desktop.x11.connection import Connection

    x, got = Connection(), list[Any]()
    mask = X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask
    managed = kind in ("window", "elsewhere")
    place = place_for(kind, client)
    window = x.root.create_window(*place, 0, X.CopyFromParent, event_mask=mask, override_redirect=not managed)
    window.set_wm_name("a message for you")
    window.set_wm_normal_hints(flags=Xutil.USPosition)
    if kind == "look-alike":
        window.change_attributes(background_pixmap=pixels_of(x, client))
    window.map()
    x.display.sync()

    def held() -> bool:
        """Hold what a window of its kind holds; the bot does so for moments, before each click and key."""
        mouse = kind in ("menu", "lock")
        keys = kind in ("launcher", "lock")
        buttons = X.ButtonPressMask | X.ButtonReleaseMask
        at_once = X.GrabModeAsync
        return (
            not mouse
            or window.grab_pointer(True, buttons, at_once, at_once, X.NONE, X.NONE, X.CurrentTime) == X.GrabSuccess
        ) and (not keys or window.grab_keyboard(True, at_once, at_once, X.CurrentTime) == X.GrabSuccess)

    assert wait_until(held, Seconds(10), Seconds(0.001)), "the bot does not let go of the mouse or the keyboard"
    if kind == "elsewhere":
        x.root.send_event(
            event.ClientMessage(window=window, client_type=x.atom("_NET_ACTIVE_WINDOW"), data=(32, [2, 0, 0, 0, 0])),
            event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask,
        )
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


def pixels_of(x: Any, client: Rect) -> Any:
    """Return what the screen shows there just now, as a picture for the ground of a window."""
    from Xlib import X

    copy = x.root.create_pixmap(client.width, client.height, x.display.screen().root_depth)
    pen = copy.create_gc(subwindow_mode=X.IncludeInferiors)
    copy.copy_area(pen, x.root, client.left, client.top, client.width, client.height, 0, 0)
    return copy


def trial(chance: random.Random, kind: str) -> tuple[int, str]:
    """Play a game into which a window comes; return what arrived there, and what the bot said."""
    desktop = open_desktop(None, FAST)
    begun, stopped, came, got, meanwhile = Begun(), threading.Event(), threading.Event(), list[Any](), list[int]()
    client = desktop.window.client()
    after = chance.uniform(0, LATEST)

    def meddle() -> None:
        begun.event.wait(60)
        if stopped.wait(after):
            return
        before = begun.rounds
        came.set()
        got.extend(intrude(kind, client, stopped))
        meanwhile.append(begun.rounds - before)

    hand = threading.Thread(target=meddle)
    hand.start()
    session = Player(desktop, Reader(), Settings("noflags", "best", 0.0), begun).play(3)
    stopped.set()
    begun.event.set()
    hand.join()
    if not came.is_set():
        return len(got), f"{OVER_BEFORE}: {'the end' if session.stop is None else family(session.stop.reason)}"
    if session.stop is None:
        return len(got), f"ended after {meanwhile[0]} rounds of clicks while it was there"
    return len(got), family(session.stop.reason)


def main() -> None:
    """Try as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kind", choices=KINDS, default="notification")
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--busy", type=int, default=0)
    told = parser.parse_args()
    chance = random.Random(told.seed)
    arrived, harmed, said = 0, 0, Counter[str]()
    with stage.screen(), stage.winemine(LEVELS["expert"]), stage.busy(told.busy):
        for _ in range(told.trials):
            events, reason = trial(chance, told.kind)
            arrived += events
            harmed += bool(events)
            said[reason] += 1
            pause(Seconds(0.3))
    print(json.dumps({"kind": told.kind, "trials": told.trials, "harmed": harmed, "arrived": arrived, "said": said}))


if __name__ == "__main__":
    main()
