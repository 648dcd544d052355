"""What a desktop promises, and what can be wrong with one.

`Window`, `Screen`, `Mouse` and `Keys` are what playing needs; `windows/`, `x11/` and `clone/desktop.py` keep their
promises. `Target`, `Device`, `Handshake` and `EscWatch` are what a backend brings, for the mouse and the keyboard that
all backends share to rest on; an `Overlay` shows the coach's marks, an `Environment` tells the doctor what is around.
All coordinates are physical pixels of the whole virtual screen (negative ones are fine: a second screen to the left),
pictures are BGR arrays of shape (height, width, 3), dtype uint8.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from bot.desktop.timing import WALL, Clock, RealClock, Seconds, wait_until
from bot.errors import Exit, MinebotError
from bot.picture import Picture

Button = Literal["left", "right", "middle"]
Key = Literal["f2", "enter", "esc", "ctrl+r", "ctrl+n", "s", "f15"]
"""Keys the bot presses. F15 means nothing to any game, and so it ends what a game shows without doing anything else."""

Outcome = Literal["won", "lost"]


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
    """The window was moved or resized since the board was seen: find it again. Nothing was clicked."""


class BusyError(DesktopError):
    """The game can't take a click just now: a dialog or a menu is open, a key is held. Nothing was clicked."""

    exit_code = Exit.DOUBT


class InterveningError(BusyError):
    """Another program came between the last look and the press. Nothing was pressed; another look will tell."""


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


class NoPictureError(DesktopError):
    """There is no picture in the clipboard, or nobody hands it over; the message is a sentence with the next step."""


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

    def confine(self, board: Rect, client: Rect) -> None:
        """From now on click only inside this rectangle, and only while the client area is where it was seen."""

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

    def obey_the_user(self) -> None:
        """Raise `StopRequestedError` when the user wants to stop or has gone to another window.

        Raises `NoWindowError` when the game's own was closed or minimised.
        """
        reason = self.keys.stop_requested()
        if reason is not None:
            raise StopRequestedError(reason)
        insist_on_focus(self.window, self.clock)


FOCUS_GRACE, FOCUS_POLL = Seconds(0.3), Seconds(0.01)
"""How long a game may be without the focus while it passes to its dialog or back; nothing is sent meanwhile."""

FREE_GRACE = Seconds(3.0)
"""The same while no window at all has it: the user has gone nowhere, a window manager on a busy computer is late."""


CLOSING = Seconds(0.5)
"""How long a window that is being closed may be hidden before it is gone."""


def insist_on_focus(window: Window, clock: Clock = WALL) -> None:
    """Raise `FocusLostError` when another window has the focus, `NoWindowError` when the game's is gone altogether."""
    if window.is_foreground():
        return
    wait_until(lambda: window.is_foreground() or not window.focus_is_free(), FREE_GRACE, FOCUS_POLL, clock)
    if not wait_until(window.is_foreground, FOCUS_GRACE, FOCUS_POLL, clock):
        window.client()  # a window that was closed or minimised has lost more than the focus
        if not window.is_foreground():
            raise FocusLostError


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

    def move(self, x: int, y: int) -> tuple[int, int] | None:
        """Put the pointer on a pixel of the screen; where the screen ends before, it stays at the edge.

        Returns where it was in that very moment, None where only an earlier look tells.
        """

    def press(self, button: Button, x: int, y: int) -> None:
        """Press a button at a pixel of the screen.

        Raises `InterveningError` where it can be known that the press would not go to the game.
        """

    def release(self, button: Button, x: int, y: int) -> None:
        """Release it there, if it was pressed, and return when the pointer may move on."""


class KeyDevice(Protocol):
    """The keyboard itself."""

    def press(self, name: str) -> None:
        """Press a key. Raises `InterveningError` where it can be known that it would not go to the game."""

    def release(self, name: str) -> None:
        """Release it, if it was pressed."""


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


_GAP = 8
"""Pixels between the game and a window beside it."""


class Overlay(Protocol):
    """Marks over the game's window that a person sees and the bot does not.

    They lie exactly where they belong, let every click through and follow the window. Where a platform can't do that,
    the marked picture is shown in a window beside the game instead. It never takes the focus.
    """

    @property
    def in_place(self) -> bool:
        """Whether the marks lie over the board, and not in a window beside it."""

    @property
    def title(self) -> str:
        """The title of the game's window."""

    def see(self) -> Picture:
        """Return the game's client area without the marks, and follow the window.

        Raises `NoWindowError` when it is closed or minimised, `GrabError` when it can't be seen just now.
        """

    def show(self, seen: Picture, marked: Picture) -> None:
        """Show the marks: what differs between the picture that was seen and the same one with marks on it."""

    def clear(self) -> None:
        """Show no marks."""

    def close(self) -> None:
        """Take the glass away."""


def beside(client: Rect, width: int, screen_width: int) -> tuple[int, int]:
    """Return where a window of a width belongs: right of the game's client area, or left of it for want of room."""
    right = client.left + client.width + _GAP
    if right + width <= screen_width:
        return right, client.top
    return max(client.left - width - _GAP, 0), client.top


ANSWER_TIMEOUT, ANSWER_POLL = Seconds(5.0), Seconds(0.005)
"""How long the program that a picture was copied in may be silent: a large one is only made once it is asked for."""

KINDS = ("image/png", "image/bmp", "image/jpeg", "image/webp")
"""The forms of a picture that can be read, best first."""


class Environment(Protocol):
    """What is around the game; it is asked and changes nothing, and what can't be known is None."""

    @property
    def system(self) -> str:
        """The desktop in a few words: "Windows 10.0.19045", "X11 with Openbox"."""

    @property
    def physical_pixels(self) -> bool:
        """Whether coordinates are physical pixels, whatever the scaling."""

    @property
    def scale(self) -> float | None:
        """The scaling of the screen with the game: 1.25 for 125 %."""

    @property
    def out_of_reach(self) -> bool:
        """Whether the game runs with more rights than the bot, so that clicks vanish without a word."""

    @property
    def hindrance(self) -> str | None:
        """Why this kind of desktop may show no pixels or take no clicks, or None."""

    def at(self, x: int, y: int) -> str:
        """Return the title of the topmost window at a pixel; "the desktop" when there is none."""
