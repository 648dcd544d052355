"""The only room that touches a screen, a window or a mouse.

`protocols.py` has the promises and the errors, which everybody imports from here; `backend.py` finds the game's window
and puts a desktop together, from what `windows/` or `x11/` bring and from the screen, mouse and keyboard they share.
"""

from bot.desktop.backend import open_desktop
from bot.desktop.protocols import (
    BusyError,
    Button,
    Click,
    CoveredError,
    Desktop,
    DesktopError,
    Dialog,
    FocusLostError,
    GrabError,
    Key,
    Keys,
    Mouse,
    MovedError,
    NoScreenError,
    NoWindowError,
    Outcome,
    Rect,
    Screen,
    Standing,
    StopKey,
    StopRequestedError,
    Window,
    insist_on_focus,
)

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
    "StopKey",
    "StopRequestedError",
    "Window",
    "insist_on_focus",
    "open_desktop",
]
