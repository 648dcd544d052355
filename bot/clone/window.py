"""The clone in a real window, to play by hand or by bot.

The same rules and pictures as everywhere, and the engine's way of taking a mouse, with two differences: as with every
program on X11 a click acts where it was made, however late it is taken, and wherever the pointer came from; and a click
that ends a fade counts as well, where Windows 7 swallows it. Resizing scales the board. tkinter is imported when a
window is wanted, not before.

Its menus hold the choices; what it asks is a real modal window in front of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING, cast, get_args

import cv2
import numpy as np

from bot.clone.engine import ANSWERS, TILE, WORDS, Answer, DialogKind, Engine, Layout, Point
from bot.clone.game import ChooseSeed, Game
from bot.clone.painter import Design, Painter
from bot.desktop import Button, DesktopError
from bot.level import LEVELS, Level
from bot.picture import Picture
from bot.words import Pieces, Rule, Theme

if TYPE_CHECKING:
    import tkinter

FRAME_MS = 33
"""The real game's own beat, about 30 times a second."""

BEHIND_THE_BOARD = "black"
SHIFT, CONTROL = 0x0001, 0x0004  # tkinter's bits in an event's state
OUTSIDE = Point(-1, -1)
BUTTONS: dict[int, Button] = {1: "left", 2: "middle", 3: "right"}


def run_window(
    level: Level,
    design: Design,
    rule: Rule = "open",
    seed: int | None = None,
    *,
    animate: bool = True,
    choose_seed: ChooseSeed | None = None,
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
    CloneWindow(root, Game(level, rule, seed, choose_seed=choose_seed), design, animate=animate)
    root.mainloop()
    if failures:
        raise failures[0]


class CloneWindow:
    """One game in one tkinter window."""

    def __init__(self, root: tkinter.Tk, game: Game, design: Design, animate: bool = True) -> None:
        import tkinter

        self._tk = root
        self._design = design
        self._at = OUTSIDE
        """Where the last event of the mouse was, in layout pixels."""
        self._dialog: QuestionDialog | None = None
        self._painter: Painter
        self._shown: bytes = b""
        root.title("Minesweeper")
        # What the user has chosen is in variables of tkinter's that the menus change.
        self._level_name = tkinter.StringVar(root, game.level.name)
        self._theme = tkinter.StringVar(root, design.theme)
        self._pieces = tkinter.StringVar(root, design.pieces)
        self._question_marks = tkinter.BooleanVar(root, game.question_marks)
        self._animate = tkinter.BooleanVar(root, animate)
        self._build_menus()
        self._photo = tkinter.PhotoImage(master=root)
        self._label = tkinter.Label(root, image=self._photo, borderwidth=0, background=BEHIND_THE_BOARD)
        self._label.pack(fill="both", expand=True)
        self._begin(game)
        self._bind()
        self._beat()

    def _begin(self, game: Game) -> None:
        """Play games of a level."""
        self._engine = Engine(game, lambda: self._at, time.monotonic(), animate=self._animate.get())
        self._fit_window()
        self._paint()

    def _build_menus(self) -> None:
        import tkinter

        bar = tkinter.Menu(self._tk)
        game, look = tkinter.Menu(bar, tearoff=False), tkinter.Menu(bar, tearoff=False)
        game.add_command(label="New game", accelerator="F2", command=self.new_game)
        game.add_command(label="Restart this game", command=self.restart)
        game.add_separator()
        names = dict.fromkeys([*LEVELS, self._level_name.get()])
        _add_radiobuttons(game, names, self._level_name, self.new_game)
        game.add_separator()
        game.add_checkbutton(label="Question marks", variable=self._question_marks, command=self.change_rules)
        game.add_checkbutton(label="Animations", variable=self._animate)
        game.add_separator()
        game.add_command(label="Exit", command=self.close)
        _add_radiobuttons(look, get_args(Theme), self._theme, self.change_look)
        look.add_separator()
        _add_radiobuttons(look, get_args(Pieces), self._pieces, self.change_look)
        bar.add_cascade(label="Game", menu=game, underline=0)
        bar.add_cascade(label="Look", menu=look, underline=0)
        self._tk.configure(menu=bar)

    @property
    def _level(self) -> Level:
        """The level that is chosen: of the next game."""
        return Level.parse(self._level_name.get())

    # Games

    def new_game(self) -> None:
        """Deal a new game of the level that is chosen in the menu."""
        game, level = self._engine.game, self._level
        self.change_rules()
        if level != game.level:
            self._begin(Game(level, game.rule, game.seed + 1, game.question_marks, game.choose_seed))
        else:
            self._engine.new()
            self._paint()

    def restart(self) -> None:
        """Play the same mines again."""
        self._engine.restart()
        self._paint()

    def change_look(self) -> None:
        """Take theme and pieces from the menu."""
        theme, pieces = cast(Theme, self._theme.get()), cast(Pieces, self._pieces.get())
        self._design = replace(self._design, theme=theme, pieces=pieces)
        self._painter = Painter(self._painter.rows, self._painter.cols, self._design)
        self._paint()

    def change_rules(self) -> None:
        """Take question marks and animations from the menu."""
        self._engine.game.question_marks = self._question_marks.get()
        self._engine.animate = self._animate.get()

    def close(self) -> None:
        """End it all."""
        self._tk.destroy()

    # Mouse and keys

    def _bind(self) -> None:
        label = self._label
        label.bind("<Motion>", self._on_motion)
        label.bind("<Leave>", self._on_leave)
        label.bind("<ButtonPress>", self._on_press)
        label.bind("<ButtonRelease>", self._on_release)
        label.bind("<Configure>", self._on_resize)
        self._tk.bind(
            "<Key>", lambda event: self._engine.key({"Escape": "esc"}.get(event.keysym, event.keysym.lower()))
        )

    def _locate(self, event: tkinter.Event[tkinter.Misc]) -> None:
        """Take down where an event was, and let the engine know."""
        width, height = self._painter.size
        left, top = (self._label.winfo_width() - width) // 2, (self._label.winfo_height() - height) // 2
        scale = self._design.pitch / TILE
        self._at = Point(int((event.x - left) // scale), int((event.y - top) // scale))
        self._engine.move()

    def _on_motion(self, event: tkinter.Event[tkinter.Misc]) -> None:
        self._locate(event)
        self._paint()

    def _on_leave(self, event: tkinter.Event[tkinter.Misc]) -> None:
        """Nothing is under the pointer; also told when a window manager holds a press back for a moment."""
        self._at = OUTSIDE
        self._engine.move()
        self._paint()

    def _on_press(self, event: tkinter.Event[tkinter.Misc]) -> None:
        button = BUTTONS.get(int(event.num))
        if button is None:
            return  # a wheel
        self.change_rules()
        if self._engine.locked:
            self._engine.key("none")
        self._locate(event)
        state = int(event.state)
        shift, control = bool(state & SHIFT), bool(state & CONTROL)
        self._engine.down(button, time.monotonic(), shift=shift, control=control)
        self._paint()

    def _on_release(self, event: tkinter.Event[tkinter.Misc]) -> None:
        button = BUTTONS.get(int(event.num))
        if button is not None:
            self._locate(event)
            self._engine.up(button, control=bool(int(event.state) & CONTROL))
            self._paint()

    # Pictures

    def _fit_window(self) -> None:
        """Give the window the size of the board and forbid sizes that cannot be drawn."""
        level = self._engine.game.level
        self._painter = Painter(level.rows, level.cols, self._design)
        smallest = Painter(level.rows, level.cols, self._design.resized(0))
        self._label.configure(width=self._painter.size[0], height=self._painter.size[1])
        self._tk.geometry("")
        self._tk.minsize(*smallest.size)

    def _on_resize(self, event: tkinter.Event[tkinter.Misc]) -> None:
        if (event.width, event.height) == self._painter.size:
            return
        rows, cols = self._painter.rows, self._painter.cols
        scale, *_ = Layout(rows, cols).fit(event.width, event.height)
        self._design = self._design.resized(TILE * scale)
        self._painter = Painter(rows, cols, self._design)
        self._paint()

    def _paint(self) -> None:
        """Bring the window up to date; nothing is sent when nothing changed."""
        image = _portable_pixmap(self._painter.show(self._engine.scene()))
        if image != self._shown:
            self._shown = image
            self._photo.configure(data=image)

    def _beat(self) -> None:
        """Keep clock, animations and dialogs going."""
        self._engine.tick(time.monotonic())
        if self._engine.changed:
            self._engine.changed = False
            self._paint()
        if self._engine.question is not None and self._dialog is None:
            self._dialog = QuestionDialog(self._tk, self._engine.question, self._engine.scene().seconds, self._answer)
        self._tk.after(FRAME_MS, self._beat)

    def _answer(self, answer: Answer) -> None:
        self._dialog = None
        if answer == "exit":
            self.close()
            return
        self._engine.answer(answer, time.monotonic())
        if answer == "again" and self._level != self._engine.game.level:
            self.new_game()
        self._paint()


def _portable_pixmap(picture: Picture) -> bytes:
    """Return a picture in the one format that every Tk reads fast."""
    height, width = picture.shape[:2]
    rgb = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2RGB), dtype=np.uint8)
    return b"P6 %d %d 255\n" % (width, height) + rgb.tobytes()


class QuestionDialog:
    """A dialog with the real one's buttons. `answer` is called once, when it has gone."""

    def __init__(
        self, parent: tkinter.Tk, question: DialogKind, seconds: int, answer: Callable[[Answer], None]
    ) -> None:
        import tkinter

        self._answer = answer
        title, text = WORDS[question]
        self._window = window = tkinter.Toplevel(parent, padx=20, pady=14)
        window.withdraw()  # until it has its place
        window.title(title)
        window.transient(parent)
        window.resizable(False, False)
        tkinter.Label(window, text=text).pack(pady=(4, 10))
        tkinter.Label(window, text=f"Time: {seconds} seconds").pack(anchor="w", pady=(0, 16))
        row = tkinter.Frame(window)
        row.pack()
        for label, meaning in ANSWERS[question]:
            last = tkinter.Button(row, text=label, command=lambda meaning=meaning: self._close(meaning))  # type: ignore[misc]
            last.pack(side="left", padx=4, ipadx=12)
        last.configure(default="active")
        window.protocol("WM_DELETE_WINDOW", lambda: self._close(meaning))
        for key in ("<Return>", "<KP_Enter>", "<Escape>"):
            window.bind(key, lambda event: self._close(meaning))
        self._default = last
        # Only what is seen can take the input. To wait for that here would let a key answer a dialog that is half made.
        window.bind("<Visibility>", lambda event: self._take_the_input())
        self._place(parent)
        window.deiconify()

    def _take_the_input(self) -> None:
        self._window.unbind("<Visibility>")
        self._window.grab_set()
        self._default.focus_force()

    def _close(self, answer: Answer) -> None:
        self._window.destroy()
        self._answer(answer)

    def _place(self, parent: tkinter.Tk) -> None:
        """Put the dialog in the middle of the game's window."""
        self._window.update_idletasks()
        x = parent.winfo_rootx() + (parent.winfo_width() - self._window.winfo_reqwidth()) // 2
        y = parent.winfo_rooty() + (parent.winfo_height() - self._window.winfo_reqheight()) // 2
        self._window.geometry(f"+{max(x, 0)}+{max(y, 0)}")


def _add_radiobuttons(
    menu: tkinter.Menu, names: Iterable[str], variable: tkinter.StringVar, command: Callable[[], None]
) -> None:
    for name in names:
        menu.add_radiobutton(label=name.capitalize(), value=name, variable=variable, command=command)
