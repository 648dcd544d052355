"""A whole desktop out of a backend's own parts and of the screen, mouse and keyboard that all backends share."""

from __future__ import annotations

from bot.desktop import Desktop
from bot.desktop.buttons import load_pyautogui, release_on_signals
from bot.desktop.keys import Keyboard
from bot.desktop.mouse import Pointer
from bot.desktop.parts import Device, EscWatch, Handshake, Target
from bot.desktop.screen import MssScreen
from bot.desktop.timing import WALL, Timing


def assemble(window: Target, device: Device, handshake: Handshake, esc: EscWatch, timing: Timing) -> Desktop:
    """Return the desktop. From here on a signal to end the program lets it release its buttons first."""
    corners = load_pyautogui().FAILSAFE_POINTS
    pointer = Pointer(window, timing, device, handshake, esc.pressed, corners=corners, clock=WALL)
    release_on_signals()
    return Desktop(window, MssScreen(), pointer, Keyboard(window, timing, pointer, esc))
