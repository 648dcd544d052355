"""Every value that a user may type or is told, once. Importing this loads nothing heavy, so that `--help` is quick."""

from __future__ import annotations

from typing import Literal, get_args

Rule = Literal["open", "safe", "none"]
"""What the first click promises: an opening (Windows Vista and 7), no mine under it (XP), or nothing."""
RULES: tuple[Rule, ...] = get_args(Rule)

Strategy = Literal["csp", "best", "deep"]
"""How to guess: the lowest odds; the best that a trial of many games affords; the best that `think` seconds afford."""
STRATEGIES: tuple[Strategy, ...] = get_args(Strategy)

AnyStrategy = Literal["single", "subset", Strategy]
"""Who plays a trial: who reasons from single numbers, who compares pairs of them, and those who count all layouts."""
ANY_STRATEGY: tuple[AnyStrategy, ...] = get_args(AnyStrategy)

ActionKind = Literal["open", "flag", "unflag", "chord"]
"""What is done to one tile."""
VERBS: dict[ActionKind, str] = {"open": "open", "flag": "flag", "unflag": "take the flag off", "chord": "chord on"}
"""How people are told of it, before the tile's place."""

ClickStyle = Literal["flags", "noflags", "chords"]
"""Flag every proven mine; never flag; or flag only where a chord then saves clicks."""
CLICK_STYLES: tuple[ClickStyle, ...] = get_args(ClickStyle)

Pace = Literal["fast", "steady", "human"]
"""How fast clicks are made."""
PACES: tuple[Pace, ...] = get_args(Pace)

StopKey = Literal["pause", "scroll_lock", "f12"]
"""Keys that can stop the bot beside Esc, for hands that are nearer to them; no game uses one."""
STOP_KEYS: tuple[StopKey, ...] = get_args(StopKey)

Hints = Literal["safe", "odds", "all"]
"""Which marks to draw: what is certain; the odds where it must guess; or both with the move."""
HINTS: tuple[Hints, ...] = get_args(Hints)

Theme = Literal["blue", "green"]
"""The clone's colours."""
THEMES: tuple[Theme, ...] = get_args(Theme)

Pieces = Literal["mines", "flowers"]
"""What the clone hides."""
PIECES: tuple[Pieces, ...] = get_args(Pieces)
