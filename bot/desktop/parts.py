"""What a backend brings: the parts that the shared mouse and keyboard rest on."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

from bot.desktop import Button, Rect, Window


class Standing(NamedTuple):
    """How things stand at one moment, just before a click at one pixel."""

    client: Rect
    """Where the window's client area is."""
    foreground: bool
    """Whether the window, or a dialog of it, has the focus."""
    owned: bool
    """Whether the topmost window at the pixel is the game's own."""
    pointer: tuple[int, int]
    """Where the pointer is."""
    busy: str = ""
    """Why the game can't take a click just now, as a sentence; nothing when it can."""


class Target(Window, Protocol):
    """A window that can be clicked."""

    def standing(self, x: int, y: int) -> Standing:
        """Return how things stand for a click at a pixel of the screen. Raises `NoWindowError` as `client` does."""

    def keys_blocked(self) -> str:
        """Return why a key would not reach the window that has the focus, as a sentence; nothing when it would."""


class Device(Protocol):
    """The mouse itself.

    Its buttons carry their pixel with them, so that nothing can come between the place and the press. pyautogui
    presses wherever the pointer happens to be, and asks for it again and again; so each backend brings its own.
    """

    def position(self) -> tuple[int, int]:
        """Return where the pointer is."""

    def move(self, x: int, y: int) -> None:
        """Put the pointer on a pixel of the screen; where the screen ends before, it stays at the edge."""

    def press(self, button: Button, x: int, y: int) -> None:
        """Press a button at a pixel of the screen."""

    def release(self, button: Button, x: int, y: int) -> None:
        """Release it there, and return when the pointer may move on."""


class Handshake(Protocol):
    """How it is known that a game has handled a click, so that the pointer may move on."""

    in_step: bool
    """Whether the game has to be waited for at all."""

    def moved(self) -> None:
        """Return once the game knows where the pointer was put. Raises `DesktopError` as `released` does."""

    def pressed(self) -> bool:
        """Return once the game has handled a press that was sent, and whether it did."""

    def released(self) -> None:
        """Return once it has handled all that was sent. Raises `DesktopError` when it does not answer any more."""


class EscWatch(Protocol):
    """Knows whether the user has pressed Esc, or the other stop key, since the watch began."""

    def pressed(self) -> str:
        """Return the name of the key that is down or was pressed earlier, empty for none; own taps don't count."""

    def own_tap(self) -> AbstractContextManager[None]:
        """Return the block in which the bot taps Esc itself."""
