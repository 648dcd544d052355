"""The clone as a real Windows window, with the messages, dialogs and keys of the Windows 7 game."""
