"""Playing: settle, read, decide, act, check that it happened.

`Player` is the loop (player.py); `Eye` looks until the picture stands still (eye.py), which is a `Sight`; `Hand` clicks
tiles (hand.py); `Progress` is what is known of the game that is on (game.py); new_game.py has what lies between two
games; events.py has the words in which others are told.
"""

from bot.play.events import GameResult, InDoubtError, Session, Settings, Stop, StopKind, Watcher
from bot.play.eye import Timer
from bot.play.player import Player

__all__ = ["GameResult", "InDoubtError", "Player", "Session", "Settings", "Stop", "StopKind", "Timer", "Watcher"]
