"""A Minesweeper bot: it looks at the screen, solves exactly, and plays with the mouse."""

__version__ = "0.1.0"
