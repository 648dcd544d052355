"""X11's part of a desktop: Xlib, EWMH, XTest and RECORD. Wine's programs and native ones alike."""

from bot.desktop.x11.input import EscRecord, XTestKeys, XTestMouse
from bot.desktop.x11.window import X11Window, find_window

__all__ = ["EscRecord", "X11Window", "XTestKeys", "XTestMouse", "find_window"]
