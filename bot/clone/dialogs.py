"""What the clone asks, as a real modal window in front of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bot.clone.engine import Answer, Question

if TYPE_CHECKING:
    import tkinter

_TEXTS: dict[Question, tuple[str, str]] = {
    "won": ("Game Won", "Congratulations, you won the game!"),
    "lost": ("Game Lost", "Sorry, you lost this game. Better luck next time!"),
    "new game": ("New Game", "What do you want to do with the game in progress?"),
}
"""Title and first line of each dialog."""

_BUTTONS: dict[Question, tuple[tuple[str, Answer], ...]] = {
    "won": (("Exit", "exit"), ("Play again", "again")),
    "lost": (("Exit", "exit"), ("Restart this game", "restart"), ("Play again", "again")),
    "new game": (
        ("Quit and start a new game", "again"),
        ("Restart this game", "restart"),
        ("Keep playing", "keep"),
    ),
}
"""What can be answered; the last button is the default, and what Esc and closing the dialog mean."""


class QuestionDialog:
    """A dialog with the real one's buttons. `answer` is called once, when it has gone."""

    def __init__(self, parent: tkinter.Tk, question: Question, seconds: int, answer: Callable[[Answer], None]) -> None:
        import tkinter

        self._answer = answer
        title, text = _TEXTS[question]
        self._window = window = tkinter.Toplevel(parent, padx=20, pady=14)
        window.withdraw()  # until it has its place
        window.title(title)
        window.transient(parent)
        window.resizable(False, False)
        tkinter.Label(window, text=text).pack(pady=(4, 10))
        tkinter.Label(window, text=f"Time: {seconds} seconds").pack(anchor="w", pady=(0, 16))
        row = tkinter.Frame(window)
        row.pack()
        for label, meaning in _BUTTONS[question]:
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
