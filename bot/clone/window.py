"""The clone in a real window, to play by hand or by bot.

The same rules and pictures as everywhere, driven by a mouse: the left button opens when it goes up, the right one
flags when it goes down; both, the middle one, Shift with the left, or a double click chord. F2 deals anew, resizing
scales the board. tkinter is imported when a window is wanted, not before.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bot.clone import animation
from bot.clone.animation import Effects, Fading
from bot.clone.dialogs import EndDialog
from bot.clone.game import Game
from bot.clone.look import MAX_PITCH, MIN_PITCH, Painter, Style, Tile, largest_pitch
from bot.clone.menus import Choices, build_menus
from bot.desktop import DesktopError
from bot.level import Level, Rule
from bot.picture import Picture

if TYPE_CHECKING:
    import tkinter

FRAME_MS = 33
"""The real game's own beat, about 30 times a second."""

PAUSE_BEFORE_DIALOG = 0.3
BEHIND_THE_BOARD = "#c3d2e4"
SHIFT = 0x0001  # tkinter's bit in an event's state


def run_window(
    level: Level, style: Style, rule: Rule = "open", seed: int | None = None, *, animate: bool = True
) -> None:
    """Open the clone and return when its window is closed.

    With a seed the games are seed, seed + 1 and so on. Raises `DesktopError` where no window can be opened.
    """
    try:
        import tkinter
    except ImportError as reason:
        raise DesktopError("the clone's window needs tkinter, which this Python lacks (Linux: python3-tk)") from reason
    try:
        root = tkinter.Tk(className="Minesweeper")
    except tkinter.TclError as reason:
        raise DesktopError(f"the clone's window cannot be opened: {reason}") from reason
    failures: list[BaseException] = []

    def end(kind: type[BaseException], failure: BaseException, traceback: TracebackType | None) -> None:
        """Close the window; tkinter would print what failed, Ctrl-C too, and leave a window whose beat has stopped."""
        try:
            root.destroy()
        except tkinter.TclError:
            return  # it was closed meanwhile: what fails without it is no failure
        failures.append(failure)

    root.report_callback_exception = end
    CloneWindow(root, Game(level, rule, seed), style, next_seed=None if seed is None else seed + 1, animate=animate)
    root.mainloop()
    if failures:
        raise failures[0]


@dataclass
class _Buttons:
    """Which mouse buttons are down, and whether their going up will chord."""

    left: bool = False
    right: bool = False
    middle: bool = False
    chord: bool = False

    @property
    def any(self) -> bool:
        return self.left or self.right or self.middle


@dataclass
class _Motion:
    """An animation that is on: when it began and what it shows after some seconds."""

    began: float
    fading: Callable[[float], Fading]
    effects: Callable[[float], Effects]


class CloneWindow:
    """One game in one tkinter window."""

    def __init__(
        self, root: tkinter.Tk, game: Game, style: Style, next_seed: int | None = None, animate: bool = True
    ) -> None:
        import tkinter

        self._tk = root
        self._game = game
        self._style = style
        self._next_seed = next_seed
        self._buttons = _Buttons()
        self._pointer: Tile | None = None
        self._started: float | None = None
        self._ended: float | None = None
        self._motion: _Motion | None = None
        self._dialog: EndDialog | None = None
        self._shown: bytes = b""
        root.title("Minesweeper")
        self._choices = Choices.of(root, game, style, animate)
        build_menus(root, self._choices, self)
        self._photo = tkinter.PhotoImage(master=root)
        self._label = tkinter.Label(root, image=self._photo, borderwidth=0, background=BEHIND_THE_BOARD)
        self._label.pack(fill="both", expand=True)
        self._fit_window()
        self._bind()
        self._deal()
        self._beat()

    # Games

    def new_game(self) -> None:
        """Deal a new game of the level that is chosen in the menu."""
        level = self._choices.level
        if level != self._game.level:
            self._game = Game(level, self._game.rule)
            self._fit_window()
        self._game.question_marks = self._choices.question_marks
        self._game.new(self._next_seed)
        if self._next_seed is not None:
            self._next_seed += 1
        self._deal()

    def restart(self) -> None:
        """Play the same mines again."""
        self._game.restart()
        self._deal()

    def change_look(self) -> None:
        """Take theme and pieces from the menu."""
        self._style = replace(self._style, theme=self._choices.theme, pieces=self._choices.pieces)
        self._painter = Painter(self._game.level.rows, self._game.level.cols, self._style)

    def change_rules(self) -> None:
        """Take question marks from the menu."""
        self._game.question_marks = self._choices.question_marks

    def close(self) -> None:
        """End it all."""
        self._tk.destroy()

    def _deal(self) -> None:
        self._started = self._ended = self._dialog = None
        rows, cols = self._game.level.rows, self._game.level.cols
        self._move(effects=lambda seconds: animation.deal_in(rows, cols, seconds))

    def _act(self, act: Callable[[int, int], None], tile: Tile) -> None:
        """Do something to the game and let what changed be seen."""
        before = self._game.board()
        act(*tile)
        after = self._game.board()
        if after is before:
            return
        now = time.monotonic()
        if self._started is None and self._game.state != "new":
            self._started = now
        if self._game.state in ("won", "lost"):
            self._ended = now
        if self._game.state == "won":
            self._move(effects=lambda seconds: animation.win_sweep(after, seconds))
        elif self._game.state == "lost":
            self._move(effects=lambda seconds: animation.loss_cascade(after, seconds))
        elif after.flags > before.flags:
            self._move(effects=lambda seconds: animation.raise_flag(tile, seconds))
        else:
            changed = np.argwhere((before.cells != after.cells) & (after.cells <= 8))
            opened = [(int(row), int(col)) for row, col in changed]
            self._move(fading=lambda seconds: animation.ripple(opened, tile, seconds))

    def _move(
        self,
        fading: Callable[[float], Fading] = lambda seconds: {},
        effects: Callable[[float], Effects] = lambda seconds: {},
    ) -> None:
        """Start an animation, where they are wanted, and show its first picture."""
        self._motion = _Motion(time.monotonic(), fading, effects) if self._choices.animate else None
        self._paint()

    # Mouse

    def _bind(self) -> None:
        label = self._label
        label.bind("<Motion>", self._on_motion)
        label.bind("<Leave>", self._on_leave)
        label.bind("<ButtonPress-1>", self._on_left_down)
        label.bind("<Double-ButtonPress-1>", self._on_double)
        label.bind("<ButtonPress-2>", self._on_middle_down)
        label.bind("<ButtonPress-3>", self._on_right_down)
        label.bind("<ButtonRelease>", self._on_up)
        label.bind("<Configure>", self._on_resize)
        self._tk.bind("<F2>", lambda event: self.new_game())

    def _tile(self, event: tkinter.Event[tkinter.Misc]) -> Tile | None:
        width, height = self._painter.size
        left, top = (self._label.winfo_width() - width) // 2, (self._label.winfo_height() - height) // 2
        return self._painter.tile_at(event.x - left, event.y - top)

    def _on_motion(self, event: tkinter.Event[tkinter.Misc]) -> None:
        pointer = self._tile(event)
        if pointer != self._pointer:
            self._pointer = pointer
            self._paint()

    def _on_leave(self, event: tkinter.Event[tkinter.Misc]) -> None:
        self._pointer = None
        self._paint()

    def _on_left_down(self, event: tkinter.Event[tkinter.Misc]) -> None:
        self._buttons.left = True
        self._buttons.chord = self._buttons.right or bool(int(event.state) & SHIFT)
        self._press(event)

    def _on_double(self, event: tkinter.Event[tkinter.Misc]) -> None:
        self._buttons.left = self._buttons.chord = True
        self._press(event)

    def _on_middle_down(self, event: tkinter.Event[tkinter.Misc]) -> None:
        self._buttons.middle = self._buttons.chord = True
        self._press(event)

    def _on_right_down(self, event: tkinter.Event[tkinter.Misc]) -> None:
        self._buttons.right = True
        if self._buttons.left:
            self._buttons.chord = True
        tile = self._tile(event)
        if tile is not None and not self._buttons.left:
            self._act(self._game.mark, tile)
        self._press(event)

    def _press(self, event: tkinter.Event[tkinter.Misc]) -> None:
        self._pointer = self._tile(event)
        self._paint()

    def _on_up(self, event: tkinter.Event[tkinter.Misc]) -> None:
        buttons = self._buttons
        tile = self._pointer = self._tile(event)
        chord = buttons.chord
        opens = event.num == 1 and buttons.left and not chord
        setattr(buttons, {1: "left", 2: "middle"}.get(int(event.num), "right"), False)
        # Both buttons chord once, when the first of them goes up; the other then does nothing.
        self._buttons = replace(buttons, chord=False, left=buttons.left and not chord)
        if tile is not None and (chord or opens):
            self._act(self._game.chord if chord else self._game.open, tile)
        self._paint()

    def _pressed(self) -> list[Tile]:
        """Return the tiles that look pressed: the one under the mouse, or all around it for a chord."""
        if self._pointer is None or not (self._buttons.left or self._buttons.middle):
            return []
        if not self._buttons.chord:
            return [self._pointer]
        return [self._pointer, *self._game.board().neighbours(*self._pointer)]

    # Pictures

    def _fit_window(self) -> None:
        """Give the window the size of the board and forbid sizes that cannot be drawn."""
        level = self._game.level
        self._painter = Painter(level.rows, level.cols, self._style)
        smallest = Painter(level.rows, level.cols, replace(self._style, pitch=MIN_PITCH))
        self._label.configure(width=self._painter.size[0], height=self._painter.size[1])
        self._tk.geometry("")
        self._tk.minsize(*smallest.size)

    def _on_resize(self, event: tkinter.Event[tkinter.Misc]) -> None:
        if (event.width, event.height) == self._painter.size:
            return
        level = self._game.level
        pitch = largest_pitch(level.rows, level.cols, event.width, event.height)
        self._style = replace(self._style, pitch=min(max(pitch, MIN_PITCH), MAX_PITCH))
        self._painter = Painter(level.rows, level.cols, self._style)
        self._paint()

    def _seconds(self) -> int:
        if self._started is None:
            return 0
        return min(int((self._ended or time.monotonic()) - self._started), 999)

    def _paint(self) -> None:
        """Bring the window up to date; nothing is sent when nothing changed."""
        fading: Fading = {}
        effects: Effects = {}
        if self._motion is not None:
            seconds = time.monotonic() - self._motion.began
            fading, effects = self._motion.fading(seconds), self._motion.effects(seconds)
            if not fading and not effects:
                self._motion = None
        picture = self._painter.paint(
            self._game.board(),
            hover=self._pointer if self._dialog is None else None,
            pressed=self._pressed(),
            seconds=self._seconds(),
            mines_left=self._game.mines_left,
            state=self._game.state,
            fading=fading,
            effects=effects,
        )
        image = _portable_pixmap(picture)
        if image != self._shown:
            self._shown = image
            self._photo.configure(data=image)

    def _beat(self) -> None:
        """Keep clock, animations and the end dialog going."""
        if self._motion is not None or self._started is not None:
            self._paint()
        rested = self._ended is not None and time.monotonic() > self._ended + PAUSE_BEFORE_DIALOG
        if rested and self._motion is None and self._dialog is None and not self._buttons.any:
            self._pointer = None
            self._dialog = EndDialog(self._tk, self._game.state == "won", self._seconds(), self)
            self._paint()
        self._tk.after(FRAME_MS, self._beat)


def _portable_pixmap(picture: Picture) -> bytes:
    """Return a picture in the one format that every Tk reads fast."""
    height, width = picture.shape[:2]
    rgb = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), dtype=np.uint8)
    return b"P6 %d %d 255\n" % (width, height) + rgb.tobytes()
