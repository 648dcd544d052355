"""A Windows 7-style Minesweeper of our own: rules, look, a real window and a desktop without a screen."""
