"""The only room that touches a screen, a window or a mouse.

Here are the promises; `windows.py`, `x11.py` and `clone/desktop.py` keep them. All coordinates are physical pixels
of the whole virtual screen (negative ones are fine: a second screen to the left), pictures are BGR arrays of shape
(height, width, 3), dtype uint8.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from bot.desktop.timing import WALL, Seconds, Timing, wait_until
from bot.desktop.timing import Clock as Clock
from bot.desktop.timing import RealClock as RealClock
from bot.errors import Exit, MinebotError
from bot.picture import Picture

Button = Literal["left", "right", "middle"]
Key = Literal["f2", "enter", "esc", "ctrl+r", "ctrl+n", "f15"]
"""Keys the bot presses. F15 means nothing to any game, and so it ends what a game shows without doing anything else."""

Outcome = Literal["won", "lost"]
StopKey = Literal["pause", "scroll_lock", "f12"]
"""Keys that can stop the bot beside Esc, for hands that are nearer to them; no game uses one."""


class Rect(NamedTuple):
    """A rectangle of pixels: its left top corner and its size."""

    left: int
    top: int
    width: int
    height: int

    def contains(self, x: int, y: int) -> bool:
        """Whether a pixel lies inside."""
        return self.left <= x < self.left + self.width and self.top <= y < self.top + self.height


class Click(NamedTuple):
    """One press and release at a pixel of the screen."""

    x: int
    y: int
    button: Button


class DesktopError(MinebotError):
    """Something on the desktop is not as it must be; the message is a sentence for the user."""

    exit_code = Exit.NOTHING


class NoWindowError(DesktopError):
    """There is no game window to work on (or it is gone)."""


class NoScreenError(NoWindowError):
    """There is no screen on which a window could be."""


class CoveredError(DesktopError):
    """A click would have landed outside the board or in a window that is not the game's. Nothing was clicked."""

    exit_code = Exit.DOUBT


class MovedError(CoveredError):
    """The window was moved or resized since the mouse was confined: find the board again. Nothing was clicked."""


class BusyError(DesktopError):
    """The game can't take a click just now: a dialog or a menu is open, a key is held. Nothing was clicked."""

    exit_code = Exit.DOUBT


class StopRequestedError(DesktopError):
    """The user wants the bot to stop: Esc, the mouse taken, the fail-safe corner. The message says which."""

    exit_code = Exit.USER


class FocusLostError(StopRequestedError):
    """The user has gone to another window."""

    def __init__(self) -> None:
        super().__init__("the game lost the focus")


class GrabError(DesktopError):
    """The screen could not be grabbed just now (a lock screen, a mode change). Trying again later may work."""

    exit_code = Exit.DOUBT


@dataclass(frozen=True)
class Dialog:
    """A dialog in front of the game, owned by it.

    `outcome` tells how the game ended where the dialog itself does, `choices` what its buttons say.
    """

    title: str
    handle: int = field(default=0, compare=False)
    outcome: Outcome | None = None
    choices: tuple[str, ...] = ()


class Window(Protocol):
    """The game's window."""

    @property
    def title(self) -> str:
        """The title as the user sees it."""

    def client(self) -> Rect:
        """Return the client area on the screen. Raises `NoWindowError` when closed or minimised."""

    def is_foreground(self) -> bool:
        """Whether the window, or a dialog of it, has the focus."""

    def focus_is_free(self) -> bool:
        """Whether no window at all has the focus."""

    def bring_to_front(self) -> None:
        """Raise it and give it the focus, or to the dialog that it waits for. Raises `DesktopError` when that fails."""

    def owns(self, x: int, y: int) -> bool:
        """Whether the topmost window at this pixel of the screen is the game's own."""

    def dialog(self) -> Dialog | None:
        """Return the game's dialog that waits for an answer, if any."""

    def push_aside(self, dialog: Dialog) -> None:
        """Move the game's dialog beside the client area, as far as the desktop lets it."""

    def play_again(self, dialog: Dialog) -> bool:
        """Press the button of an end dialog that deals a new game; return whether it has one that is known."""


class Screen(Protocol):
    """What the eye sees."""

    def grab(self, rect: Rect) -> Picture:
        """Return the pixels of a rectangle of the screen. Raises `GrabError` when that fails just now."""


class Mouse(Protocol):
    """The hand on the mouse. It only ever clicks inside the board of the game's window."""

    @property
    def in_step(self) -> bool:
        """Whether clicks go to a game that has to be waited for: each is over only once the game has handled it."""

    def confine(self, board: Rect) -> None:
        """From now on click only inside this rectangle of the screen."""

    def click(self, clicks: list[Click]) -> int:
        """Click one after the other, and return how many the game took before one that it did not.

        Before each, checks that the pixel lies in the confined rectangle and belongs to the game (`CoveredError`), that
        the game is free to take it (`BusyError`) and that the user has not asked to stop (`StopRequestedError`). The
        pointer stays until a click was handled. No button stays down, whatever happens.
        """

    def park(self, x: int, y: int) -> None:
        """Move the pointer out of the way, without clicking."""


class Keys(Protocol):
    """The keyboard, both ways."""

    def tap(self, key: Key) -> None:
        """Press and release a key; it goes to the window with the focus."""

    def stop_requested(self) -> str | None:
        """Return why the user wants to stop (Esc was pressed, the mouse was taken …), or None."""


@dataclass(frozen=True)
class Desktop:
    """A game window and the means to see and play it."""

    window: Window
    screen: Screen
    mouse: Mouse
    keys: Keys
    clock: Clock = field(default_factory=RealClock)


FOCUS_GRACE, FOCUS_POLL = Seconds(0.3), Seconds(0.01)
"""How long a game may be without the focus while it passes to its dialog or back; nothing is sent meanwhile."""


def insist_on_focus(window: Window, clock: Clock = WALL) -> None:
    """Raise `FocusLostError` when another window has the focus, `NoWindowError` when the game's is gone altogether."""
    if not window.is_foreground() and not wait_until(window.is_foreground, FOCUS_GRACE, FOCUS_POLL, clock):
        window.client()  # a window that was closed or minimised has lost more than the focus
        if not window.is_foreground():
            raise FocusLostError


def open_desktop(window_text: str | None, timing: Timing, stop_key: StopKey | None = None) -> Desktop:
    """Find the game's window on this computer's screen and return the means to play it.

    With `window_text` it is the topmost window whose title, class or program contains that text. `stop_key` stops the
    bot beside Esc. The backend, and with it every library that needs a screen, is loaded here and not before. Raises
    `NoWindowError` when there is no such window and `NoScreenError` when there is no screen at all.
    """
    if sys.platform == "win32":
        from bot.desktop.windows import open_windows_desktop

        return open_windows_desktop(window_text, timing, stop_key)
    from bot.desktop.x11 import open_x11_desktop

    return open_x11_desktop(window_text, timing, stop_key)
