"""The faults there are, by name, and how a seed chooses among them.

Each is a function that makes something go wrong on a `FaultyDesktop` and returns how it gets right again. What lasts
how long and begins when is drawn here too; what follows from it is the desktop's.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from math import inf

import cv2
import numpy as np

from bot.board import Board
from bot.clone.chaos.desktop import CLOSED, MINIMISED, Cover, Episode, Fault, FaultyDesktop, Undo
from bot.clone.desktop import LONGEST_NAP
from bot.clone.game import Game
from bot.clone.painter import Design, Painter
from bot.desktop import Rect
from bot.level import Level
from bot.picture import Picture
from bot.words import Rule

BEATS_A_CELL = 1
"""A game takes about so many beats for every cell of its board."""

MOST_AT_ONCE = 4
"""So many kinds of faults are mixed at most."""


def lost_clicks(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """Some clicks never arrive."""
    return _put(desktop, lost_clicks=random.choice((0.02, 0.1, 0.3, 0.6)))


def late_repaint(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """What changes is painted some time later."""
    return _put(desktop, repaint_delay=random.choice((0.004, 0.02, 0.1, 0.5, 1.5, 3.0)))


def partial_repaint(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """What changes is painted in strips, each for long enough to be taken for the whole."""
    return _put(desktop, repaint_takes=random.choice((0.02, 0.1, 0.4, 1.2)))


def animation(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """Tiles fade, boards are dealt and ends are shown, perhaps so slowly that each picture looks like the last."""
    engine, burden = desktop.program.engine, desktop.program.burden
    before = engine.animate, burden.draw
    engine.animate, burden.draw = True, random.choice((0.0, 0.05, 0.1, 0.25))

    def undo() -> None:
        engine.animate, burden.draw = before

    return undo


def slow_drawing(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """A drawing takes so long that clicks wait for it."""
    return _slow_down(desktop, draw=random.choice((0.004, 0.016, 0.035)), nap=random.choice((0.001, LONGEST_NAP)))


def stalls(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The game does nothing for a while after a big opening or a new board."""
    return _slow_down(desktop, stall=random.choice((0.05, 0.1, 0.3)))


def hover(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The pointer stays on the tile it clicked, which is lit."""
    return _put(desktop, pointer_stays=True)


def cursor(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """Pictures of the screen hold the pointer's arrow."""
    return _put(desktop, pointer_shown=True)


def moved(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The window is dragged elsewhere, a little or a lot, and perhaps beyond the screen's left rim."""
    before = desktop.position
    reach = random.choice((1, 9, 300))
    desktop.position = (before[0] + random.randint(-reach, reach), before[1] + random.randint(-reach, reach))

    def back() -> None:
        desktop.position = before

    return back


def resized(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The window is made larger or smaller, and the game fits its tiles to it."""
    design = desktop.painter.design
    return _redesign(desktop, design.resized(design.pitch * random.uniform(0.75, 1.6)))


def dpi(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The screen's scaling changes, and the system stretches what the game paints."""
    return _put(desktop, scale=random.choice((1.25, 1.5, 1.75, 2.0)))


def theme(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """Another colour, other pieces, or both."""
    design = desktop.painter.design
    other = replace(design, theme="green" if design.theme == "blue" else "blue")
    flowers = replace(other, pieces="flowers" if design.pieces == "mines" else "mines")
    return _redesign(desktop, random.choice((other, flowers)))


def minimised(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The window is minimised."""
    return _put(desktop, gone=MINIMISED)


def closed(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The window is closed, for good."""
    _put(desktop, gone=CLOSED)
    return lambda: None


def covered(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """Another window comes in front, with or without the focus; some look much like a board."""
    left, top, width, height = Rect(*desktop.position, *desktop.painter.size)
    size = (random.randint(20, width), random.randint(20, height))
    place = (left + random.randint(-20, width - 20), top + random.randint(-20, height - 20))
    picture = random.choice((_plain_window, _noise, _other_game))(size, random)
    rect = Rect(*place, picture.shape[1], picture.shape[0])
    return _put(desktop, cover=Cover(rect, picture, random.random() < 0.3, random.random() < 0.3))


def dialog(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """A dialog of the game's own comes up."""
    return _put(desktop, dialog=random.choice(("Options", "Exit Game", "About Minesweeper", "Game Won")))


def counter_hidden(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The mines counter is not to be seen."""
    return _put(desktop, counter_hidden=True)


def grab_fails(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The screen can't be grabbed: a lock screen, a mode change."""
    return _put(desktop, grab_fails=True)


def user_mouse(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The user takes the mouse, and clicks somewhere on the board."""
    rows, cols = desktop.painter.rows, desktop.painter.cols
    desktop.take(random.choice(("left", "right")), (random.randrange(rows), random.randrange(cols)))
    _put(desktop, user="the mouse was moved by hand")
    return lambda: None


def stuck_tile(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """A tile never changes: it takes no clicks, or doesn't show that it did."""
    tile = (random.randrange(desktop.painter.rows), random.randrange(desktop.painter.cols))
    return _put(desktop, **{random.choice(("stuck", "deaf")): frozenset({tile})})


def lying_numbers(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """Some numbers are one too high or too low."""
    chance = random.choice((0.003, 0.02, 0.2))
    cells = range(desktop.painter.rows * desktop.painter.cols)
    lies = [random.choice((-1, 1)) if random.random() < chance else 0 for _ in cells]
    return _put(desktop, lies=np.array(lies, dtype=np.int8).reshape(desktop.painter.rows, desktop.painter.cols))


def time_jumps(desktop: FaultyDesktop, random: random.Random) -> Undo:
    """The computer sleeps and wakes: the clock jumps ahead."""
    desktop.time.jump(random.choice((0.7, 5.0, 60.0, 86_400.0)))
    return lambda: None


FAULTS: dict[str, Fault] = {
    fault.__name__.replace("_", "-"): fault
    for fault in (
        lost_clicks,
        late_repaint,
        partial_repaint,
        animation,
        slow_drawing,
        stalls,
        hover,
        cursor,
        moved,
        resized,
        dpi,
        theme,
        minimised,
        closed,
        covered,
        dialog,
        counter_hidden,
        grab_fails,
        user_mouse,
        stuck_tile,
        lying_numbers,
        time_jumps,
    )
}

LASTING = {
    "lost-clicks",
    "late-repaint",
    "partial-repaint",
    "animation",
    "slow-drawing",
    "stalls",
    "hover",
    "cursor",
    "stuck-tile",
    "lying-numbers",
}
"""What is so from some moment on, and mostly from the beginning; everything else comes and goes."""


def draw_faults(seed: int) -> tuple[str, ...]:
    """Return the names of the faults that a seed mixes."""
    draw = random.Random(f"faults {seed}")
    return tuple(sorted(draw.sample(sorted(FAULTS), draw.randint(1, MOST_AT_ONCE))))


def faulty_desktop(level: Level, rule: Rule, seed: int, faults: Sequence[str]) -> FaultyDesktop:
    """Return the desktop of a seed, on which all of these faults will come up. The seed also deals the game."""
    draw = random.Random(f"look {seed}")
    design = Design(
        draw.choice(("blue", "green")), draw.choice(("mines", "flowers")), draw.choice((16.0, 18.0, 21.3, 27.0))
    )
    episodes = [episode for name in faults for episode in _episodes(name, seed, BEATS_A_CELL * level.rows * level.cols)]
    return FaultyDesktop(Game(level, rule, seed), design, episodes, seed)


def _episodes(name: str, seed: int, beats: int) -> list[Episode]:
    """Return when a fault comes up in a game of about so many beats, and for how long."""
    draw = random.Random(f"{name} {seed}")
    if name in LASTING:
        return [Episode(draw.choice((0, 0, draw.randrange(beats))), inf, FAULTS[name], draw)]
    episodes, beat = [], 0
    for _ in range(draw.choice((1, 2, 5))):
        beat += 1 + int(beats * draw.random() ** 2)
        seconds = draw.choice((0.004, 0.05, 0.3, 1.0, 4.0, 30.0, inf))
        episodes.append(Episode(beat, seconds, FAULTS[name], draw))
    return episodes


def _put(desktop: FaultyDesktop, **troubles: object) -> Undo:
    """Set some troubles; undone, each is as it was before, unless something else has happened to it since."""
    before = {name: getattr(desktop.troubles, name) for name in troubles}
    for name, value in troubles.items():
        setattr(desktop.troubles, name, value)

    def undo() -> None:
        for name, value in troubles.items():
            if getattr(desktop.troubles, name) is value:
                setattr(desktop.troubles, name, before[name])

    return undo


def _slow_down(desktop: FaultyDesktop, **seconds: float) -> Undo:
    """Put a burden on the program; undone, it is as it was before."""
    burden = desktop.program.burden
    before = {name: getattr(burden, name) for name in seconds}
    vars(burden).update(seconds)
    return lambda: vars(burden).update(before)


def _redesign(desktop: FaultyDesktop, design: Design) -> Undo:
    before = desktop.painter
    desktop.painter = Painter(before.rows, before.cols, design)

    def undo() -> None:
        desktop.painter = before

    return undo


def _plain_window(size: tuple[int, int], random: random.Random) -> Picture:
    """A light window with lines of text."""
    picture: Picture = np.full((size[1], size[0], 3), 245, dtype=np.uint8)
    picture[:22] = (random.randint(80, 220), 160, 90)
    for y in range(40, size[1], 18):
        cv2.putText(picture, "the quick brown fox 1 2 3", (8, y), cv2.FONT_HERSHEY_SIMPLEX, 0.4, (40, 40, 40), 1)
    return picture


def _noise(size: tuple[int, int], random: random.Random) -> Picture:
    """A film."""
    return np.random.default_rng(random.randrange(2**32)).integers(0, 256, (size[1], size[0], 3), dtype=np.uint8)


def _other_game(size: tuple[int, int], random: random.Random) -> Picture:
    """Another game of the same kind, under way: its middle, without its own frame."""
    rows, cols = max(2, size[1] // 18), max(2, size[0] // 18)
    numbers = np.random.default_rng(random.randrange(2**32)).integers(0, 11, (rows, cols), dtype=np.uint8)
    painter = Painter(rows, cols, Design(random.choice(("blue", "green")), pitch=18.0))
    board = painter.board_rect
    picture = painter.paint(Board(numbers), mines_left=10)
    return picture[board.top : board.top + board.height, board.left : board.left + board.width].copy()
