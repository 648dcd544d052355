"""The menus of the clone's window, and the choices they hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, cast, get_args

from bot.clone.game import Game
from bot.clone.look import Style
from bot.clone.tiles import Pieces, Theme
from bot.level import LEVELS, Level

if TYPE_CHECKING:
    import tkinter


class Commands(Protocol):
    """What the menus and dialogs can ask of the window."""

    def new_game(self) -> None:
        """Deal a new game of the chosen level."""

    def restart(self) -> None:
        """Play the same mines again."""

    def change_look(self) -> None:
        """Take theme and pieces from the choices."""

    def change_rules(self) -> None:
        """Take question marks from the choices."""

    def close(self) -> None:
        """End it all."""


class Choices:
    """What the user has chosen; each choice lives in a variable of tkinter's that a menu changes."""

    def __init__(
        self,
        level: tkinter.StringVar,
        theme: tkinter.StringVar,
        pieces: tkinter.StringVar,
        question_marks: tkinter.BooleanVar,
        animate: tkinter.BooleanVar,
    ) -> None:
        self.variables = {"level": level, "theme": theme, "pieces": pieces}
        self.switches = {"question_marks": question_marks, "animate": animate}

    @classmethod
    def of(cls, root: tkinter.Tk, game: Game, style: Style, animate: bool) -> Choices:
        """Return the choices with which a window opens."""
        import tkinter

        return cls(
            tkinter.StringVar(root, game.level.name),
            tkinter.StringVar(root, style.theme),
            tkinter.StringVar(root, style.pieces),
            tkinter.BooleanVar(root, game.question_marks),
            tkinter.BooleanVar(root, animate),
        )

    @property
    def level(self) -> Level:
        """The level of the next game."""
        return Level.parse(self.variables["level"].get())

    @property
    def theme(self) -> Theme:
        """The board's colour."""
        return cast(Theme, self.variables["theme"].get())

    @property
    def pieces(self) -> Pieces:
        """What the mines look like."""
        return cast(Pieces, self.variables["pieces"].get())

    @property
    def question_marks(self) -> bool:
        """Whether a second right click gives a question mark."""
        return bool(self.switches["question_marks"].get())

    @property
    def animate(self) -> bool:
        """Whether tiles move."""
        return bool(self.switches["animate"].get())


def build_menus(root: tkinter.Tk, choices: Choices, commands: Commands) -> None:
    """Give a window its menus."""
    import tkinter

    bar = tkinter.Menu(root)
    game = tkinter.Menu(bar, tearoff=False)
    game.add_command(label="New game", accelerator="F2", command=commands.new_game)
    game.add_command(label="Restart this game", command=commands.restart)
    game.add_separator()
    names = dict.fromkeys([*LEVELS, choices.variables["level"].get()])
    _add_radiobuttons(game, names, choices.variables["level"], commands.new_game)
    game.add_separator()
    game.add_checkbutton(
        label="Question marks", variable=choices.switches["question_marks"], command=commands.change_rules
    )
    game.add_checkbutton(label="Animations", variable=choices.switches["animate"])
    game.add_separator()
    game.add_command(label="Exit", command=commands.close)
    look = tkinter.Menu(bar, tearoff=False)
    _add_radiobuttons(look, get_args(Theme), choices.variables["theme"], commands.change_look)
    look.add_separator()
    _add_radiobuttons(look, get_args(Pieces), choices.variables["pieces"], commands.change_look)
    bar.add_cascade(label="Game", menu=game, underline=0)
    bar.add_cascade(label="Look", menu=look, underline=0)
    root.configure(menu=bar)


def _add_radiobuttons(
    menu: tkinter.Menu, names: Iterable[str], variable: tkinter.StringVar, command: Callable[[], None]
) -> None:
    for name in names:
        menu.add_radiobutton(label=name.capitalize(), value=name, variable=variable, command=command)
