"""Playing: settle, read, decide, act, check that it happened.

`Player` is the loop (player.py); `Eye` looks until what it sees can be relied on (eye.py); `Hand` clicks tiles
(hand.py); `Progress` is what is known of the game that is on (progress.py); `manners.py` tells the games' habits apart,
`spent.py` where the seconds go; and session.py has the words in which the rest of the bot is told.
"""

from bot.play.player import Player
from bot.play.session import GameResult, InDoubtError, Session, Settings, Stop, StopKind, Watcher
from bot.play.spent import Spent

__all__ = ["GameResult", "InDoubtError", "Player", "Session", "Settings", "Spent", "Stop", "StopKind", "Watcher"]
