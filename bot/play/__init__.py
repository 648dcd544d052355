"""Playing: settle, read, decide, act, check that it happened.

`Player` is the loop (player.py); `Eye` looks until what it sees can be relied on (eye.py), which is a `Sight`;
`Hand` clicks tiles (hand.py), and effect.py waits for what that changes; `Progress` is what is known of the game that
is on (game.py); new_game.py has what lies between two games; events.py has the words in which others are told.
"""

from bot.play.events import GameResult, InDoubtError, Session, Settings, Stop, StopKind, Timer, Watcher
from bot.play.player import Player

__all__ = ["GameResult", "InDoubtError", "Player", "Session", "Settings", "Stop", "StopKind", "Timer", "Watcher"]
