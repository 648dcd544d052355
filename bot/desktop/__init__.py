"""The only room that touches a screen, a window or a mouse.

`protocols.py` has the promises and the errors, which everybody imports from here. `open_desktop` finds the game's
window and puts a desktop together, from what `windows/` or `x11/` bring and from the screen, mouse and keyboard they
share. Libraries that need a screen are loaded when a desktop is opened and not before: without one they can't be
imported.
"""

from __future__ import annotations

import os
import sys

from bot.desktop.input import AtOnce, AutoGuiKeys, Keyboard, Pointer, load_pyautogui, release_on_signals
from bot.desktop.protocols import (
    BusyError,
    Button,
    Click,
    CoveredError,
    Desktop,
    DesktopError,
    Device,
    Dialog,
    Environment,
    EscWatch,
    FocusLostError,
    GrabError,
    Handshake,
    Key,
    KeyDevice,
    Keys,
    Mouse,
    MovedError,
    NoPictureError,
    NoScreenError,
    NoWindowError,
    Outcome,
    Overlay,
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

ON_WAYLAND = 'on Wayland "wl-paste --type image/png | minebot dry-run -" passes it on'

__all__ = [
    "BusyError",
    "Button",
    "Click",
    "CoveredError",
    "Desktop",
    "DesktopError",
    "Dialog",
    "Environment",
    "FocusLostError",
    "GrabError",
    "Key",
    "Keys",
    "Mouse",
    "MovedError",
    "NoPictureError",
    "NoScreenError",
    "NoWindowError",
    "Outcome",
    "Overlay",
    "Rect",
    "Screen",
    "Standing",
    "StopRequestedError",
    "Window",
    "copied_picture",
    "find_environment",
    "insist_on_focus",
    "open_desktop",
    "open_overlay",
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


def open_overlay(window_text: str | None, beside: bool = False) -> Overlay:
    """Return an overlay for the game's window; with `beside` a window beside it. Raises `NoWindowError`."""
    if sys.platform == "win32":
        from bot.desktop.windows.overlay import WindowsOverlay

        return WindowsOverlay(window_text, beside)
    from bot.desktop.x11.overlay import X11Overlay

    return X11Overlay(window_text, beside)


def find_environment(window_text: str | None) -> Environment:
    """Return what there is around the game's window. Raises `NoWindowError` when there is no screen or no game."""
    if sys.platform == "win32":
        from bot.desktop.windows.window import WindowsEnvironment

        return WindowsEnvironment(window_text)
    from bot.desktop.x11.connection import X11Environment

    return X11Environment()


def copied_picture() -> bytes:
    """Return the picture in the clipboard. Raises `NoPictureError`, and `NoScreenError` where there is no clipboard."""
    if sys.platform == "win32":
        from bot.desktop.windows.window import copied

        return copied()
    from bot.desktop.x11.connection import copied

    if not os.environ.get("WAYLAND_DISPLAY"):
        return copied()
    try:
        return copied()  # many Wayland desktops share what was copied with programs for X11
    except (NoPictureError, NoScreenError) as error:
        raise NoPictureError(f"{error}; {ON_WAYLAND}") from error
