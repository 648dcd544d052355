"""Buttons and keys on X11 go to the game or nowhere, whoever waits for them or comes in the moment of the press."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bot.desktop import Desktop, DesktopError, open_desktop
from bot.desktop.timing import FAST, wait_until
from tests.live import user
from tests.live.stage import click, tap

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="X11 alone lets programs take each other's input")

TITLE = "a window to click on"


class Logging:
    """A window that notes the buttons and keys that it gets; of its own connection, as another program's is."""

    def __init__(self, title: str, left: int, past_the_manager: bool) -> None:
        from Xlib import X, Xutil

        from bot.desktop.x11.connection import Connection

        self.x = Connection()
        mask = X.ButtonPressMask | X.ButtonReleaseMask | X.KeyPressMask | X.KeyReleaseMask
        self.window = self.x.root.create_window(
            left, 100, 200, 200, 0, X.CopyFromParent, event_mask=mask, override_redirect=past_the_manager
        )
        self.window.set_wm_name(title)
        self.window.set_wm_normal_hints(flags=Xutil.USPosition)
        self.kinds = (X.ButtonPress, X.ButtonRelease, X.KeyPress, X.KeyRelease)

    def show(self) -> None:
        self.window.map()
        self.x.display.sync()
        assert wait_until(lambda: self.x.is_viewable(self.window.id), user.PATIENCE, user.POLL)

    def got(self) -> list[int]:
        """Return the kinds of events that have come since it was last asked."""
        self.x.display.sync()
        came = [self.x.display.next_event() for _ in range(self.x.display.pending_events())]
        return [event.type for event in came if event.type in self.kinds]


@pytest.fixture
def game(live_screen: None) -> Iterator[tuple[Logging, Desktop]]:
    """A window that stands for the game, with the focus, and the means to play it."""
    shown = Logging(TITLE, 100, past_the_manager=False)
    shown.show()
    user.move_pointer(700, 500)
    desktop = open_desktop(TITLE, FAST)
    desktop.window.bring_to_front()
    yield shown, desktop
    shown.x.close()


@pytest.fixture
def intruder(live_screen: None) -> Iterator[Logging]:
    """A window that comes over the game past the window manager, once it is shown."""
    window = Logging("a message for you", 100, past_the_manager=True)
    yield window
    window.x.close()


@contextmanager
def held_back(grab: Callable[[Any], None], look: Callable[[], None]) -> Iterator[list[Any]]:
    """A program that waits for presses, looks at each before it lets it through, and notes them."""
    from Xlib import X

    from bot.desktop.x11.connection import Connection

    x, seen, over = Connection(), list[Any](), threading.Event()
    grab(x.root)
    x.display.sync()

    def manage() -> None:
        while not over.wait(0.001):
            while x.display.pending_events():
                came = x.display.next_event()
                if came.type not in (X.ButtonPress, X.KeyPress):
                    continue
                seen.append(came)
                look()
                x.display.allow_events(X.ReplayPointer, X.CurrentTime)
                x.display.allow_events(X.ReplayKeyboard, X.CurrentTime)
                x.display.flush()

    thread = threading.Thread(target=manage)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()
        x.close()


def test_a_press_is_not_held_back_until_another_window_is_there(
    game: tuple[Logging, Desktop], intruder: Logging
) -> None:
    from Xlib import X

    def grab(root: Any) -> None:
        mask, sync = X.ButtonPressMask, X.GrabModeSync
        root.grab_button(X.AnyButton, X.AnyModifier, False, mask, sync, X.GrabModeAsync, X.NONE, X.NONE)

    shown, desktop = game
    with held_back(grab, intruder.show) as seen:
        click(desktop)
    assert intruder.got() == []
    assert shown.got() == [X.ButtonPress, X.ButtonRelease]
    assert seen == []
    assert not user.buttons_down()


def test_a_key_that_another_program_waits_for_goes_to_the_game(game: tuple[Logging, Desktop]) -> None:
    from Xlib import XK, X

    shown, desktop = game

    def grab(root: Any) -> None:
        code = shown.x.display.keysym_to_keycode(XK.XK_F2)
        root.grab_key(code, X.AnyModifier, False, X.GrabModeAsync, X.GrabModeSync)

    with held_back(grab, lambda: None) as seen:
        desktop.keys.tap("f2")
    assert shown.got() == [X.KeyPress, X.KeyRelease]
    assert seen == []
    assert not user.keys_down()


@pytest.mark.parametrize("what", ["mouse", "keys"])
def test_what_comes_after_the_last_look_gets_nothing(
    game: tuple[Logging, Desktop], intruder: Logging, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown, desktop = game
    window = desktop.window
    name = {"mouse": "standing", "keys": "keys_blocked"}[what]
    look = getattr(window, name)

    def come(*place: int) -> Any:
        """Come up at the end of the last look, and take the focus where keys go by that."""
        from Xlib import X

        seen = look(*place)
        intruder.show()
        intruder.window.set_input_focus(X.RevertToParent, X.CurrentTime)
        intruder.x.display.sync()
        return seen

    monkeypatch.setattr(window, name, come)
    act: Callable[[Desktop], None] = click if what == "mouse" else tap
    with pytest.raises(DesktopError, match=r"covered|focus|keyboard"):
        act(desktop)
    assert intruder.got() == []
    assert shown.got() == []
    assert not user.buttons_down()
    assert not user.keys_down()
