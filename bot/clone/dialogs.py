"""The dialog at the end of a game, as a real modal window in front of the clone's."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.clone.menus import Commands

if TYPE_CHECKING:
    import tkinter


class EndDialog:
    """ "Game Won" or "Game Lost", with the real one's buttons; Enter, Esc and closing it all play again."""

    def __init__(self, parent: tkinter.Tk, won: bool, seconds: int, commands: Commands) -> None:
        import tkinter

        self._window = window = tkinter.Toplevel(parent, padx=20, pady=14)
        window.withdraw()  # until it has its place
        window.title("Game Won" if won else "Game Lost")
        window.transient(parent)
        window.resizable(False, False)
        text = "Congratulations, you won the game!" if won else "Sorry, you lost this game. Better luck next time!"
        tkinter.Label(window, text=text).pack(pady=(4, 10))
        tkinter.Label(window, text=f"Time: {seconds} seconds").pack(anchor="w", pady=(0, 16))
        row = tkinter.Frame(window)
        row.pack()
        buttons: list[tuple[str, Callable[[], None]]] = [("Exit", commands.close)]
        if not won:
            buttons.append(("Restart this game", self._then(commands.restart)))
        again = self._then(commands.new_game)
        buttons.append(("Play again", again))
        for label, command in buttons:
            last = tkinter.Button(row, text=label, width=16, command=command)
            last.pack(side="left", padx=4)
        last.configure(default="active")
        window.protocol("WM_DELETE_WINDOW", again)
        for key in ("<Return>", "<KP_Enter>", "<Escape>"):
            window.bind(key, lambda event: again())
        self._place(parent)
        window.deiconify()
        window.wait_visibility()
        window.grab_set()
        last.focus_force()

    def _then(self, command: Callable[[], None]) -> Callable[[], None]:
        """Return a command that closes the dialog first."""

        def close_and_do() -> None:
            self._window.destroy()
            command()

        return close_and_do

    def _place(self, parent: tkinter.Tk) -> None:
        """Put the dialog in the middle of the game's window."""
        self._window.update_idletasks()
        x = parent.winfo_rootx() + (parent.winfo_width() - self._window.winfo_reqwidth()) // 2
        y = parent.winfo_rooty() + (parent.winfo_height() - self._window.winfo_reqheight()) // 2
        self._window.geometry(f"+{max(x, 0)}+{max(y, 0)}")
