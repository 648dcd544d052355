"""How the games that the bot knows by their look differ, apart from the look."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bot.desktop import Key
from bot.level import Rule
from bot.vision.skin import NewGame


@dataclass(frozen=True)
class Manners:
    """What a game does in its own way."""

    rule: Rule = "open"
    """What it promises of the first click."""
    key: Key = "f2"
    """What deals a new game."""
    smiley: float | None = None
    """How many tiles above the middle of the board's upper edge there is a face that deals a new game when clicked."""
    deals_by_the_second: bool = False
    """Whether two games begun within the same second have the same mines."""


_OF_SKINS = {
    "winemine": Manners("safe", smiley=1.0, deals_by_the_second=True),
    "winxp": Manners("safe", smiley=1.7),
}
WINDOWS_7 = Manners()


def manners_of(skin: str, new_game: NewGame | None = None) -> Manners:
    """Return the habits of the game with this look; Windows 7's when nothing else is known.

    `new_game` is what the skin itself says of how a new game is dealt.
    """
    manners = _OF_SKINS.get(skin, WINDOWS_7)
    if isinstance(new_game, str):
        return replace(manners, key=new_game)
    return manners if new_game is None else replace(manners, smiley=new_game)
