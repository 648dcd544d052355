"""A desktop on which everything goes wrong that goes wrong on real ones, at the moments that a seed chooses.

A `FaultyDesktop` is a `CloneDesktop` with `Troubles`: what is wrong just now. `faults.py` says which there are; an
`Episode` brings one up at a beat (the bot's n-th question to the desktop) and may take it away again. Time is
simulated and everything follows from the seed, so that a game that went wrong goes wrong again.

It keeps the promises of `bot.desktop` as a real desktop does, and is played by the bot's own mouse. And it knows the
truth, for those who judge: which boards the last picture may show, which tiles clicks were meant for, and which they
acted on.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from math import inf

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.board import Board, Cell
from bot.clone.desktop import CloneDesktop, paste, wallpaper
from bot.clone.engine import Act, Point, Scene
from bot.clone.game import Game
from bot.clone.painter import Design, paint_dialog
from bot.clone.tiles import Tile
from bot.desktop import Button, Dialog, GrabError, Key, NoWindowError, Rect, StopRequestedError
from bot.picture import Picture

MINIMISED = "the game's window is minimised"
CLOSED = "the game's window was closed"


class HangError(Exception):
    """The bot does not come to an end."""


class SimulatedClock:
    """Time that passes only when something takes time; it can be made to jump ahead, as when a computer wakes up."""

    def __init__(self) -> None:
        self._now = 0.0
        self._jumped = 0.0

    def now(self) -> float:
        """Return seconds since some fixed moment; never goes back."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Return at once, that much later."""
        self._now += max(seconds, 0.0)

    def jump(self, seconds: float) -> None:
        """Let time pass that nobody has lived through."""
        self._now += seconds
        self._jumped += seconds

    @property
    def lived(self) -> float:
        """Seconds that have passed without the jumps."""
        return self._now - self._jumped


@dataclass(frozen=True)
class Cover:
    """Another window: where it is on the screen, what it shows, whether it has the focus and stays on top."""

    rect: Rect
    picture: Picture
    has_focus: bool = False
    stays_on_top: bool = False


@dataclass
class Troubles:
    """What is wrong with the desktop just now; as it stands here, nothing is."""

    gone: str | None = None
    """Why there is no window, as a sentence."""
    cover: Cover | None = None
    dialog: str | None = None
    """The title of a dialog that nobody expects."""
    user: str | None = None
    """Why the user wants the bot to stop, as a sentence."""
    scale: float = 1.0
    """By how much the system stretches the window's pixels."""
    grab_fails: bool = False
    lost_clicks: float = 0.0
    """The share of clicks that never arrive."""
    repaint_delay: float = 0.0
    """Seconds until a change is painted."""
    repaint_takes: float = 0.0
    """Seconds that painting a change takes, strip by strip."""
    pointer_stays: bool = False
    pointer_shown: bool = False
    counter_hidden: bool = False
    stuck: frozenset[Tile] = frozenset()
    """Tiles that look covered whatever happens."""
    deaf: frozenset[Tile] = frozenset()
    """Tiles that take no clicks."""
    lies: NDArray[np.int8] | None = None
    """What is added to every number that is shown, shape (rows, cols)."""


Undo = Callable[[], None]
Fault = Callable[["FaultyDesktop", random.Random], Undo]
"""Makes something go wrong and returns how it gets right again."""


@dataclass(order=True)
class Episode:
    """A fault that comes up at a beat and lasts some seconds, or for good (infinity)."""

    beat: int
    seconds: float
    fault: Fault = field(compare=False)
    random: random.Random = field(compare=False)
    undo: Undo | None = field(default=None, compare=False)
    ends: float = field(default=inf, compare=False)


@dataclass(frozen=True)
class Landing:
    """What the game did at a click: to which tile, the tile that was meant, and those it opens before any flood."""

    act: Act
    tile: Tile
    meant: Tile | None
    opens: tuple[Tile, ...]


GRAB_SECONDS, CLICK_SECONDS = 0.016, 0.001
"""What a grab and a click take: a frame of the screen, and next to nothing."""

PAINT_STEPS = 4
ALL_STRIPS = PAINT_STEPS + 1
"""A slow repaint comes in so many steps, each a strip of the picture; the last one is there when all is."""

MOST_BEATS, MOST_SECONDS = 100_000, 3600.0
"""A bot that asks more, or plays longer at one session, hangs."""


class FaultyDesktop(CloneDesktop):
    """A clone on a desktop that misbehaves by a plan of episodes.

    `shown` are the boards of which every tile in the last picture is a tile; `counters` what its counter may tell.
    """

    def __init__(self, game: Game, design: Design, episodes: Iterable[Episode], seed: int) -> None:
        self.time = SimulatedClock()
        self.troubles = Troubles()
        super().__init__(game, design, clock=self.time)
        self.beats = 0
        self.clicks = 0
        self.outside = 0
        """Clicks that were meant for no tile or went to another window, and keys that did."""
        self.landings: list[Landing] = []
        self.shown: tuple[Board, ...] = (game.board(),)
        self.counters: tuple[int | None, ...] = (game.mines_left,)
        self._coming = sorted(episodes, reverse=True)
        self._present: list[Episode] = []
        self._random = random.Random(seed)
        self._meant: Tile | None = None
        self._unheard = False
        """Whether the press that is down will have no effect."""
        self._frames: deque[tuple[float, Scene]] = deque([(-inf, self.program.frame)])
        self._scene = self.program.frame
        self._painted: Picture | None = None
        self._before: tuple[Picture, tuple[Board, ...], tuple[int | None, ...]] | None = None
        """What was painted when the last change began: itself perhaps only partly, of several boards."""
        self._screen: Picture = np.empty((0, 0, 3), dtype=np.uint8)
        self._composed_of: tuple[object, ...] = ()
        self.program.shows = lambda moment, scene: self._frames.append((moment, scene))
        self.program.engine.acted = self._note_what_is_done

    def _beat(self) -> None:
        """Let everything begin and end whose time has come."""
        self.beats += 1
        if self.beats > MOST_BEATS or self.time.lived > MOST_SECONDS:
            raise HangError(f"no end after {self.beats} beats and {self.time.lived:.0f} seconds")
        while self._coming and self._coming[-1].beat <= self.beats:
            episode = self._coming.pop()
            episode.undo = episode.fault(self, episode.random)
            episode.ends = self.time.now() + episode.seconds
            self._present.append(episode)
        for episode in [one for one in self._present if one.ends <= self.time.now()]:
            self._present.remove(episode)
            if episode.undo is not None:
                episode.undo()

    # Window

    def client(self) -> Rect:
        """Return the client area on the screen. Raises `NoWindowError` when closed or minimised."""
        self._beat()
        return self._client()

    def _client(self) -> Rect:
        if self.troubles.gone is not None:
            raise NoWindowError(self.troubles.gone)
        width, height = self.painter.size
        scale = self.troubles.scale
        return Rect(*self.position, round(width * scale), round(height * scale))

    def is_foreground(self) -> bool:
        """Whether the window, or a dialog of it, has the focus."""
        cover = self.troubles.cover
        return self.troubles.gone is None and (cover is None or not cover.has_focus)

    def bring_to_front(self) -> None:
        """Restore and raise it, but for what stays on top. Raises `NoWindowError` when it is closed."""
        self._beat()
        if self.troubles.gone == CLOSED:
            raise NoWindowError(CLOSED)
        self.troubles.gone = None
        if self.troubles.cover is not None and not self.troubles.cover.stays_on_top:
            self.troubles.cover = None

    def owns(self, x: int, y: int) -> bool:
        """Whether the topmost window at this pixel is the game's own."""
        cover = self.troubles.cover
        return self._client().contains(x, y) and (cover is None or not cover.rect.contains(x, y))

    def dialog(self) -> Dialog | None:
        """Return the dialog at a game's end, or one that nobody expects."""
        return super().dialog() if self.troubles.dialog is None else Dialog(self.troubles.dialog)

    # Screen

    def grab(self, rect: Rect) -> Picture:
        """Return the pixels of a rectangle of the virtual screen. Raises `GrabError` while that fails."""
        self._beat()
        self.time.sleep(GRAB_SECONDS)
        if self.troubles.grab_fails:
            raise GrabError("the screen can't be grabbed")
        self._pass_on_to_the_frame_that_is_painted()
        # A bot that waits looks hundreds of times at the same picture, which need not be composed each time.
        composed_of = (
            *(rect, self.position, self.program.pointer, self.dialog(), self._aside, self._strips()),
            *map(id, (self._scene, self.painter, *vars(self.troubles).values())),
        )
        if composed_of != self._composed_of:
            self._composed_of = composed_of
            self._screen = self._compose(rect)
        return self._screen

    def _compose(self, rect: Rect) -> Picture:
        """Return the pixels of a rectangle of the screen: wallpaper, window, what is in front of it, pointer."""
        if self.troubles.gone is None and rect == self._client():
            screen = self._client_picture()
        else:
            screen = wallpaper(rect)
            if self.troubles.gone is None:
                paste(screen, rect, self._client_picture(), self.position)
        if self.troubles.cover is not None:
            paste(screen, rect, self.troubles.cover.picture, self.troubles.cover.rect[:2])
        if self.troubles.pointer_shown:
            x, y = self.program.pointer
            _draw_pointer(screen, x - rect.left, y - rect.top)
        screen.setflags(write=False)
        return screen

    def _client_picture(self) -> Picture:
        picture = self._repainted(self._paint_scene())
        if self.troubles.counter_hidden:
            board = self.painter.board_rect
            picture[board.top + board.height + 3 :, board.left + board.width // 2 :] = picture[2, 2]
        dialog = self.dialog()
        if dialog is not None and not self._aside:
            picture = paint_dialog(picture, "won" if "Won" in dialog.title else "lost")
        if self.troubles.scale != 1.0:
            width, height = self._client()[2:]
            picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
        return picture

    def _pass_on_to_the_frame_that_is_painted(self) -> None:
        self._run()
        now = self.time.now() - self.troubles.repaint_delay
        while len(self._frames) > 1 and self._frames[1][0] <= now:
            self._frames.popleft()
        if self._scene is not self._frames[0][1]:
            self._before = None if self._painted is None else (self._painted, self.shown, self.counters)
            self._scene = self._frames[0][1]

    def _paint_scene(self) -> Picture:
        """Return the client area as the game has it painted by now, and note what it shows."""
        scene = self._scene
        self.shown = tuple(self._as_shown(look) for look in scene.looks_like())
        self.counters = (scene.mines_left,)
        return self.painter.show(replace(scene, board=self._as_shown(scene.board)))

    def _as_shown(self, board: Board) -> Board:
        """Return a board with what the faults make of it."""
        troubles = self.troubles
        if troubles.lies is not None:
            number = (board.cells >= 1) & (board.cells <= 8)
            lie = np.clip(board.cells.astype(np.int16) + troubles.lies, 1, 8)
            board = Board(np.where(number, lie, board.cells).astype(np.uint8), board.mines)
        return board.replace(dict.fromkeys(troubles.stuck, Cell.COVERED))

    def _strips(self) -> int:
        """Return how many strips of the last change have been painted by now."""
        since = self.time.now() - self.troubles.repaint_delay - self._frames[0][0]
        takes = self.troubles.repaint_takes
        return 1 + int(PAINT_STEPS * since / takes) if 0 <= since < takes else ALL_STRIPS

    def _repainted(self, picture: Picture) -> Picture:
        """Return a picture with only those strips of the last change that have been painted by now."""
        if self._strips() < ALL_STRIPS and self._before is not None and self._before[0].shape == picture.shape:
            before, boards, counters = self._before
            painted = picture.shape[0] * self._strips() // ALL_STRIPS
            picture[painted:] = before[painted:]
            self.shown += boards
            self.counters += counters
        self._painted = picture.copy()
        return picture

    # Mouse

    def move(self, x: int, y: int) -> None:
        """Put the pointer on a pixel of the screen."""
        self._beat()
        if self.troubles.gone is None:
            super().move(x, y)

    def press(self, button: Button, x: int, y: int) -> None:
        """Press a button; on a tile that takes no clicks, or now and then, that has no effect."""
        self.time.sleep(CLICK_SECONDS)
        self.clicks += 1
        self._meant = self._tile_at(x, y)
        outside = self._meant is None or not self.owns(x, y)
        self.outside += outside
        lost = self._random.random() < self.troubles.lost_clicks
        self._unheard = outside or lost or self._meant in self.troubles.deaf or self.troubles.dialog is not None
        if not self._unheard:
            super().move(x, y)  # a real press carries its place: where a window was in front, no move was heard
            super().press(button, x, y)

    def release(self, button: Button, x: int, y: int) -> None:
        """Release it."""
        if self._unheard:
            self._unheard = False
        else:
            super().release(button, x, y)

    def captured(self) -> bool:
        """Whether the program holds the mouse: a press without effect is held too."""
        return self._unheard or super().captured()

    def park(self, x: int, y: int) -> None:
        """Move the pointer out of the way, without clicking; it may not get there."""
        self._beat()
        if self.troubles.user is not None:
            raise StopRequestedError(self.troubles.user)
        if not self.troubles.pointer_stays:
            super().park(x, y)

    def _layout_place(self, pixel: tuple[int, int]) -> Point:
        x, y = ((at - corner) / self.troubles.scale for at, corner in zip(pixel, self.position, strict=True))
        return self.painter.layout_place(x, y)

    def take(self, button: Button, tile: Tile) -> None:
        """Let the game take a click of somebody else's."""
        self._run()
        (self.game.mark if button == "right" else self.game.open)(*tile)
        self.program.engine.changed = True

    def _note_what_is_done(self, act: Act, tile: Tile) -> None:
        self.landings.append(Landing(act, tile, self._meant, self._opens(act, tile)))

    def _opens(self, act: Act, tile: Tile) -> tuple[Tile, ...]:
        """Return the tiles that a click opens, before any flood."""
        board = self.game.board()
        closed = (Cell.COVERED, Cell.QUESTION)
        if act == "open":
            return (tile,) if board.cells[tile] in closed else ()
        around = list(board.neighbours(*tile))
        flags = sum(board.cells[near] == Cell.FLAG for near in around)
        if act == "mark" or board.cells[tile] > 8 or flags != board.cells[tile]:
            return ()
        return tuple(near for near in around if board.cells[near] in closed)

    # Keys

    def tap(self, key: Key) -> None:
        """Press a key; Enter and Esc close a dialog that nobody expects. Keys go astray without the focus."""
        if not self.is_foreground():
            self.outside += 1
        elif self.troubles.dialog is None:
            super().tap(key)
        elif key in ("enter", "esc"):
            self.troubles.dialog = None
        self._beat()  # not before: whoever has just asked for the focus may rely on it, as a real keyboard sees to

    def stop_requested(self) -> str | None:
        """Return why the user wants to stop, or None."""
        self._beat()
        return self.troubles.user


_ARROW = ((0, 0), (0, 16), (4, 13), (7, 19), (9, 18), (6, 12), (11, 12))


def _draw_pointer(screen: Picture, x: int, y: int) -> None:
    corners = np.array([(x + right, y + down) for right, down in _ARROW], dtype=np.int32)
    cv2.fillPoly(screen, [corners], (255, 255, 255))
    cv2.polylines(screen, [corners], isClosed=True, color=(0, 0, 0))
