"""The only room that touches a screen, a window or a mouse.

`protocols.py` has the promises and the errors, which everybody imports from here. `open_desktop` finds the game's
window and puts a desktop together, from what `windows/` or `x11/` bring and from the screen, mouse and keyboard they
share. Libraries that need a screen are loaded when a desktop is opened and not before: without one they can't be
imported.
"""

from __future__ import annotations

import sys

from bot.desktop.keys import AutoGuiKeys, Keyboard, load_pyautogui, release_on_signals
from bot.desktop.mouse import AtOnce, Pointer
from bot.desktop.protocols import (
    BusyError,
    Button,
    Click,
    CoveredError,
    Desktop,
    DesktopError,
    Device,
    Dialog,
    EscWatch,
    FocusLostError,
    GrabError,
    Handshake,
    Key,
    KeyDevice,
    Keys,
    Mouse,
    MovedError,
    NoScreenError,
    NoWindowError,
    Outcome,
    Rect,
    Screen,
    Standing,
    StopRequestedError,
    Target,
    Window,
    insist_on_focus,
)
from bot.desktop.timing import WALL, Timing
from bot.words import StopKey

__all__ = [
    "BusyError",
    "Button",
    "Click",
    "CoveredError",
    "Desktop",
    "DesktopError",
    "Dialog",
    "FocusLostError",
    "GrabError",
    "Key",
    "Keys",
    "Mouse",
    "MovedError",
    "NoScreenError",
    "NoWindowError",
    "Outcome",
    "Rect",
    "Screen",
    "Standing",
    "StopRequestedError",
    "Window",
    "insist_on_focus",
    "open_desktop",
]


def open_desktop(window_text: str | None, timing: Timing, stop_key: StopKey | None = None) -> Desktop:
    """Find the game's window on this computer's screen and return the means to play it.

    With `window_text` it is the topmost window whose title, class or program contains that text. `stop_key` stops the
    bot beside Esc. Raises `NoWindowError` when there is no such window, `NoScreenError` when there is no screen at all.
    """
    if sys.platform == "win32":
        from bot.desktop import windows

        game = windows.find_window(window_text, timing)
        esc = windows.AsyncEsc(stop_key)
        return _assembled(game, windows.PlacedMouse(), game.handshake(), AutoGuiKeys(), esc, timing)
    from bot.desktop import x11

    window = x11.find_window(window_text, timing)
    mouse, keys = x11.XTestMouse(window), x11.XTestKeys(window)
    return _assembled(window, mouse, AtOnce(), keys, x11.EscRecord(stop_key), timing)


def _assembled(
    window: Target, mouse: Device, handshake: Handshake, keys: KeyDevice, esc: EscWatch, timing: Timing
) -> Desktop:
    """Return the desktop. From here on a signal to end the program lets it release its buttons first."""
    from bot.desktop.screen import MssScreen  # after the platform's own: mss would settle Windows' scaling otherwise

    corners = load_pyautogui().FAILSAFE_POINTS
    pointer = Pointer(window, timing, mouse, handshake, esc.pressed, corners=corners, clock=WALL)
    release_on_signals()
    return Desktop(window, MssScreen(), pointer, Keyboard(window, timing, keys, pointer, esc))
