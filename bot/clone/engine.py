"""How the Windows 7 program takes its input and passes its time: a state machine without pixels and without a clock.

An `Engine` stands between messages and a `Game`, and does with them what the real program does, as far as it is known
(its functions were read by others; the facts are theirs, the words and the code are ours):

- A mouse message says only *that* something happened. Where, the program asks when it gets round to the message: that
  is `cursor`. Buttons act at the position that was stored by the last move that was handled, and then move themselves.
- A left click opens a tile that had the focus when it was pressed and still has it when it is released; a tile that was
  entered meanwhile is opened instead. A right press marks at once. Middle, both buttons, Shift and a second left press
  within the double-click time, as it is *handled*, chord.
- While tiles fade, and while the end of a game is shown, tiles take nothing: a press or a key ends the fades or the
  show, and is used up by that.
- Time passes in ticks of a thirtieth of a second, which come between messages, never among them.

It does not know who sends messages and how long they wait: `desktop.py` and `win32/window.py` do. What there is to
see is a `Scene`. Places are *layout pixels*: the program's own, in which a tile has eighteen.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import numpy as np

from bot.board import Board, Cell
from bot.clone import animation
from bot.clone.animation import Effects, Fading
from bot.clone.game import Game, State
from bot.clone.tiles import Tile
from bot.desktop import Button

TICK = 1 / 30
"""Seconds between two updates."""

MOST_BEHIND = 2.0
"""Seconds that updates may be late and are still caught up with; what is beyond is forgiven."""

DOUBLE_CLICK = 0.5
"""Seconds in which a second press on a tile makes a double-click: what Windows comes with."""

MANY_TILES = 60
"""Tiles made anew at once that make the program stop for a moment."""

TIP_SECONDS = 4.0
"""How long a tip stays over the board. A guess: that it goes by itself is all that is known."""

TILE = 18
LEFT, TOP, RIGHT, BOTTOM = 30, 30, 30, 33
"""Layout pixels of a tile, and of the margins around the board."""

DialogKind = Literal["won", "lost", "new game"]
"""What the program asks in a dialog; it does nothing else meanwhile."""

Act = Literal["open", "mark", "chord"]
Answer = Literal["again", "restart", "keep", "exit"]

WORDS: dict[DialogKind, tuple[str, str]] = {
    "won": ("Game Won", "Congratulations, you won the game!"),
    "lost": ("Game Lost", "Sorry, you lost this game. Better luck next time!"),
    "new game": ("New Game", "What do you want to do with the game in progress?"),
}
"""Title and first line of each dialog."""

ANSWERS: dict[DialogKind, tuple[tuple[str, Answer], ...]] = {
    "won": (("Exit", "exit"), ("Play again", "again")),
    "lost": (("Exit", "exit"), ("Restart this game", "restart"), ("Play again", "again")),
    "new game": (("Quit and start a new game", "again"), ("Restart this game", "restart"), ("Keep playing", "keep")),
}
"""What can be answered; the last button is the default, and what Esc and closing the dialog mean."""

TIP_TILES = (2, 6)
"""Rows and columns of tiles that a tip hides."""


class Point(NamedTuple):
    """A place in layout pixels."""

    x: int
    y: int


@dataclass(frozen=True)
class Layout:
    """Where tiles are in layout pixels."""

    rows: int
    cols: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the whole picture."""
        return LEFT + TILE * self.cols + RIGHT, TOP + TILE * self.rows + BOTTOM

    def tile_at(self, point: Point) -> Tile | None:
        """Return the tile that owns a place; there are no gaps between tiles."""
        row, col = (point.y - TOP) // TILE, (point.x - LEFT) // TILE
        return (row, col) if 0 <= row < self.rows and 0 <= col < self.cols else None

    def fit(self, width: int, height: int) -> tuple[float, int, int]:
        """Return how large the picture is drawn in a client area, and where in it: scale, left and top."""
        across, down = self.size
        scale = min(width / across, height / down)
        return scale, (width - round(across * scale)) // 2, (height - round(down * scale)) // 2


@dataclass(frozen=True)
class Scene:
    """Everything there is to see at one moment; what `Painter.paint` wants, and a tip over the board."""

    board: Board
    state: State
    hover: Tile | None
    pressed: tuple[Tile, ...]
    seconds: int
    mines_left: int
    fading: Fading = field(default_factory=dict)
    effects: Effects = field(default_factory=dict)
    tip: str = ""

    def looks_like(self) -> tuple[Board, ...]:
        """Return boards such that every tile looks like that of one of them: two, while one turns into the other."""
        looks = [self.board]
        turning: dict[Tile, int] = dict.fromkeys(self.fading, Cell.COVERED)
        for tile, (effect, _) in self.effects.items():
            if effect in ("still covered", "dealt"):
                turning[tile] = Cell.COVERED
        if self.state == "won":  # its dim mines can be taken for covered tiles
            turning |= {(int(row), int(col)): Cell.COVERED for row, col in np.argwhere(self.board.cells == Cell.MINE)}
        if turning:
            looks.append(self.board.replace(turning))
        blank = [tile for tile, (effect, _) in self.effects.items() if effect == "dealt"] + list(self.pressed)
        if blank:
            looks.append(self.board.replace(dict.fromkeys(blank, 0)))
        return tuple(looks)


@dataclass
class _Motion:
    """An animation that is on: since which tick, for how long, and what it shows after some seconds."""

    kind: Literal["opening", "deal", "end"]
    began: float
    length: float
    fading: Callable[[float], Fading] = lambda seconds: {}
    effects: Callable[[float], Effects] = lambda seconds: {}


class Engine:
    """The program around one game after another.

    `cursor` tells where the pointer is now, in layout pixels, wherever that is on the screen. After a message or a tick
    `changed` says whether there is something new to draw, and `rebuilt` how many tiles the program had to make anew,
    which is what makes it slow; whoever draws sets both back.
    """

    def __init__(
        self, game: Game, cursor: Callable[[], Point], now: float, *, animate: bool = True, tips: bool = False
    ) -> None:
        self.game = game
        self.layout = Layout(game.level.rows, game.level.cols)
        self.animate = animate
        self.active = True
        self.question: DialogKind | None = None
        self.captured = False
        self.changed = True
        self.rebuilt = 0
        self.swallowed = 0
        """Presses that only ended fades or a show."""
        self.acted: Callable[[Act, Tile], None] = lambda act, tile: None
        """Is told what is done to which tile, just before it is done: for a referee."""
        self._cursor = cursor
        self._now = now
        """The time of the last tick."""
        self._stored: Point | None = None
        self._focus: Tile | None = None
        self._down: set[Button] = set()
        self._pressed: Tile | None = None
        self._entered: Tile | None = None
        """The last tile that the pointer came onto while the left button was down."""
        self._chord = False
        self._used_up = False
        """Whether the press that is down has had its effect, or was swallowed: its release does nothing."""
        self._last_press: tuple[Tile, float] | None = None
        self._motion: _Motion | None = None
        self._seconds = 0
        self._next_second = now
        self._ended = False
        self._tip_until = now + TIP_SECONDS if tips else now
        self._deal()

    # What there is to see

    @property
    def now(self) -> float:
        """The time of the last tick: what is drawn is of then."""
        return self._now

    @property
    def locked(self) -> bool:
        """Whether tiles fade, so that the next press would only end that."""
        return self._motion is not None and self._motion.kind != "end"

    def scene(self) -> Scene:
        """Return what is to be drawn."""
        fading: Fading = {}
        effects: Effects = {}
        if self._motion is not None:
            seconds = self._now - self._motion.began
            fading, effects = self._motion.fading(seconds), self._motion.effects(seconds)
        return Scene(
            board=self.game.board(),
            state=self.game.state,
            hover=self._glow(),
            pressed=self._dipped(),
            seconds=self._seconds,
            mines_left=self.game.mines_left,
            fading=fading,
            effects=effects,
            tip="Click any tile to begin" if self._now < self._tip_until else "",
        )

    def _glow(self) -> Tile | None:
        """The tile with the focus glows while the game is on, nothing fades and no button is down."""
        playing = self.game.state in ("new", "playing")
        return self._focus if playing and self._motion is None and not self._down else None

    def _dipped(self) -> tuple[Tile, ...]:
        """Return the tiles that look open while a button is held: the pressed one, or all around it for a chord."""
        if self._used_up or self._pressed is None or self._motion is not None:
            return ()
        tile = self._entered or self._pressed
        if self._chord:
            return (tile, *self.game.board().neighbours(*tile))
        return (tile,) if "left" in self._down else ()

    # Messages

    def move(self) -> None:
        """Take a mouse move: the pointer is looked for, and what it came onto has the focus."""
        if not self.active or self.question is not None:
            return
        at = self._cursor()
        if at == self._stored:
            return  # even when the focus was lost meanwhile
        self._stored = at
        tile = self.layout.tile_at(at)
        if tile != self._focus:
            self._focus = tile
            self.changed = True
        if tile is not None and "left" in self._down and tile != self._pressed:
            self._entered = tile

    def leave(self) -> None:
        """The pointer has left the client area: nothing has the focus, but where it was stays stored."""
        if self._focus is not None:
            self._focus = None
            self.changed = True

    def down(self, button: Button, now: float, *, shift: bool = False, control: bool = False) -> None:
        """Take a press; one that is meant for a disabled window does not come this far."""
        if self.question is not None:
            return
        if button == "left" and control:
            button = "right"
        if button in self._down:
            return
        self._down.add(button)
        self.captured = True
        self.changed = True
        if self._skip():
            self._used_up = True
            self.swallowed += 1
        else:
            self._press(button, now, shift)
        self.move()

    def _press(self, button: Button, now: float, shift: bool) -> None:
        tile = None if self._stored is None else self.layout.tile_at(self._stored)
        if self._tip_takes(now) or self.game.state in ("won", "lost"):
            self._used_up = True
            return
        if self._down == {"left", "right"}:
            self._pressed, self._chord = tile, True
            return
        if button == "right":
            if tile is not None:
                self._mark(tile)
            return
        self._pressed, self._entered = tile, None
        self._chord = button == "middle"
        self._used_up = False
        if tile is None or button == "middle":
            return
        is_open = self.game.board().cells[tile] <= 8
        again = (
            self._last_press is not None and self._last_press[0] == tile and now - self._last_press[1] < DOUBLE_CLICK
        )
        self._last_press = tile, now
        if shift and not is_open:
            self._mark(tile)
            self._used_up = True
        elif shift:
            self._chord = True
        elif again and is_open:
            self._act("chord", tile)
            self._used_up = True

    def up(self, button: Button, *, control: bool = False) -> None:
        """Take a release."""
        if button not in self._down and control and button == "left":
            button = "right"
        if button not in self._down:
            return
        self._down.discard(button)
        self.captured = bool(self._down)
        self.changed = True
        if not self._used_up and self.question is None:
            self._release(button)
        if not self._down:
            self._used_up = False
        self.move()

    def _release(self, button: Button) -> None:
        inside = None if self._stored is None else self.layout.tile_at(self._stored)
        pressed, entered = self._pressed, self._entered
        if self._chord:
            # Both buttons chord once, when the first of them goes up; the other then does nothing.
            self._pressed, self._chord, self._used_up = None, False, bool(self._down)
            if inside is not None:
                self._act("chord", inside)
        elif button == "left":
            self._pressed = self._entered = None
            if pressed is not None and self._focus == pressed:
                self._act("open", pressed)
            elif entered is not None and inside is not None:
                self._act("open", entered)

    def key(self, name: str) -> None:
        """Take a key that is pressed: F2 asks for a new game, Esc lets go of a press, others end fades and shows."""
        if self.question is not None:
            return
        if name == "f2":
            if self.game.state == "playing":
                self._ask("new game")
            else:
                self.new()
            return
        if name == "esc":
            self._used_up = bool(self._down)
        if self._skip():
            self.changed = True
        elif name in ("space", "enter") and self._focus is not None:
            self._act("open", self._focus)
        elif name == "1" and self._focus is not None:
            self._mark(self._focus)

    def activate(self) -> None:
        """The program has the foreground again; the pointer is looked for."""
        self.active = True
        self.move()

    def deactivate(self) -> None:
        """The program has lost the foreground: what is held down is let go, as if it had been released."""
        for button in tuple(self._down):
            self.up(button)
        self.active = False

    # Time

    def tick(self, now: float) -> bool:
        """Pass the time if a tick is due, and return whether one was. While a question waits nothing passes."""
        if now - self._now > MOST_BEHIND:
            self._now = now - TICK
        ticks = int((now - self._now) / TICK + 1e-9)
        if ticks < 1 or self.question is not None:
            return False
        had_a_tip = self._now < self._tip_until
        self._now += ticks * TICK
        if had_a_tip and self._now >= self._tip_until:
            self.changed = True
        if self._motion is not None:
            self.changed = True
            if self._now - self._motion.began >= self._motion.length:
                self._finish()
        self._tell_the_time()
        if self.game.state in ("won", "lost") and self._motion is None:
            self._end()
        return True

    def _tell_the_time(self) -> None:
        """Count a second when one has passed since the last, and the first at once; late ones are not made up for."""
        if self.game.state == "playing" and self._now >= self._next_second - TICK / 2:
            self._seconds = min(self._seconds + 1, 999)
            self._next_second = self._now + 1.0
            self.changed = True

    def _end(self) -> None:
        """Show the end of the game, or ask what is to follow once it was shown."""
        if self._ended or not self.animate:
            self._ask("won" if self.game.state == "won" else "lost")
            return
        self._ended = True
        board, seed = self.game.board(), self.game.seed
        if self.game.state == "won":
            length = animation.win_seconds(board)
            self._begin("end", length, effects=lambda seconds: animation.win_show(board, seconds))
        else:
            times = animation.loss_times(board, random.Random(seed))
            length = animation.loss_seconds(times)
            self._begin("end", length, effects=lambda seconds: animation.loss_show(board, times, seconds))

    def _ask(self, question: DialogKind) -> None:
        self.question = question
        self._down.clear()
        self._pressed = self._entered = self._focus = None
        self._chord = self._used_up = self.captured = False
        self.changed = True

    def answer(self, answer: Answer, now: float) -> None:
        """Answer the dialog that waits; nothing happens when none does. Who exits closes the window."""
        if self.question is None:
            return
        self.question = None
        self._now = now
        self.changed = True
        if answer == "again":
            self.new()
        elif answer == "restart":
            self.restart()

    def new(self) -> None:
        """Deal the game of the next seed."""
        self.game.new(self.game.seed + 1)
        self._deal()

    def restart(self) -> None:
        """Deal the same mines again."""
        self.game.restart()
        self._deal()

    def _deal(self) -> None:
        rows, cols = self.layout.rows, self.layout.cols
        self._seconds, self._next_second, self._ended = 0, self._now, False
        self._last_press = self._pressed = self._entered = None
        self.rebuilt += rows * cols
        self.changed = True
        self._motion = None
        if self.animate:
            delays = animation.deal_delays(rows, cols, random.Random(self.game.seed))
            length = animation.deal_seconds(delays)
            self._begin("deal", length, effects=lambda seconds: animation.deal_in(delays, seconds))
        else:
            self._see_the_pointer()

    # What clicks do

    def _mark(self, tile: Tile) -> None:
        self.acted("mark", tile)
        self.game.mark(*tile)
        self.rebuilt += 1

    def _act(self, act: Literal["open", "chord"], tile: Tile) -> None:
        self.acted(act, tile)
        before = self.game.board()
        if act == "open":
            self.game.open(*tile)
        else:
            self.game.chord(*tile)
        after = self.game.board()
        opened = [(int(row), int(col)) for row, col in np.argwhere((before.cells != after.cells) & (after.cells <= 8))]
        self.rebuilt += len(opened)
        if self.animate and self.game.state == "playing":
            length = animation.opening_seconds(opened, tile)
            if length:
                self._begin("opening", length, fading=lambda seconds: animation.ripple(opened, tile, seconds))

    def _begin(
        self,
        kind: Literal["opening", "deal", "end"],
        length: float,
        fading: Callable[[float], Fading] = lambda seconds: {},
        effects: Callable[[float], Effects] = lambda seconds: {},
    ) -> None:
        self._motion = _Motion(kind, self._now, length, fading, effects)
        self._focus = None
        self.changed = True

    def _skip(self) -> bool:
        """End what moves, and return whether anything did."""
        if self._motion is None:
            return False
        self._finish()
        return True

    def _finish(self) -> None:
        assert self._motion is not None
        was_an_end = self._motion.kind == "end"
        self._motion = None
        if not was_an_end:
            self._see_the_pointer()

    def _see_the_pointer(self) -> None:
        """Look for the pointer by oneself, as after a fade; only who is in front does."""
        if self.active:
            self._stored = self._cursor()
            self._focus = self.layout.tile_at(self._stored)

    def _tip_takes(self, now: float) -> bool:
        """Whether a tip lies over the board where the press is: it goes, and takes the press with it."""
        if self._now >= self._tip_until or self._stored is None:
            return False
        if self.layout.tile_at(self._stored) not in tip_tiles(self.layout.rows, self.layout.cols):
            return False
        self._tip_until = self._now
        return True


def tip_tiles(rows: int, cols: int) -> list[Tile]:
    """Return the tiles that a tip lies on: some in the upper middle of the board."""
    left = (cols - TIP_TILES[1]) // 2
    return [(row, col) for row in range(1, 1 + TIP_TILES[0]) for col in range(left, left + TIP_TILES[1])]
