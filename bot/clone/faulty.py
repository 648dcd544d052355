"""A desktop on which everything goes wrong that goes wrong on real ones, at the moments that a seed chooses.

A `FaultyDesktop` is a `CloneDesktop` with `Troubles`: what is wrong just now. `faults.py` says which there are; an
`Episode` brings one up at a beat (the bot's n-th question to the desktop) and may take it away again. Time is
simulated and everything follows from the seed, so that a game that went wrong goes wrong again.

It keeps the promises of `bot.desktop` as a real desktop does: the mouse checks, before each click, what a program can
check. And it knows the truth, for those who judge: which boards the last picture may show, and where clicks landed.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

import cv2
import numpy as np

from bot.board import Board, Cell
from bot.clone import animation
from bot.clone.animation import Effects, Fading
from bot.clone.desktop import CloneDesktop, paste, wallpaper
from bot.clone.game import Game, State
from bot.clone.look import Style, Tile, paint_dialog
from bot.clone.troubles import CLOSED, Episode, HangError, Landing, SimulatedClock, Troubles
from bot.desktop import (
    Button,
    Click,
    CoveredError,
    Dialog,
    GrabError,
    Key,
    MovedError,
    NoWindowError,
    Rect,
    StopRequestedError,
)
from bot.picture import Picture

GRAB_SECONDS, CLICK_SECONDS = 0.016, 0.001
"""What a grab and a click take: a frame of the screen, and next to nothing."""

DOUBLE_CLICK_SECONDS = 0.5
"""Two left clicks on a tile within this time are a double-click, which chords."""

PAINT_STEPS = 4
ALL_STRIPS = PAINT_STEPS + 1
"""A slow repaint comes in so many steps, each a strip of the picture; the last one is there when all is."""

MOST_BEATS, MOST_SECONDS = 100_000, 3600.0
"""A bot that asks more, or plays longer at one session, hangs."""


@dataclass(frozen=True)
class _Scene:
    """What the game has to show since some moment, and what was clicked then."""

    since: float
    board: Board
    state: State
    clicked: Tile | None = None


class FaultyDesktop(CloneDesktop):
    """A clone on a desktop that misbehaves by a plan of episodes.

    `shown` are the boards of which every tile in the last picture is a tile; `counters` what its counter may tell.
    """

    def __init__(self, game: Game, style: Style, episodes: Iterable[Episode], seed: int) -> None:
        self.time = SimulatedClock()
        super().__init__(game, style, clock=self.time)
        self.troubles = Troubles()
        self.beats = 0
        self.landings: list[Landing] = []
        self.stray_keys = 0
        self.shown: tuple[Board, ...] = (game.board(),)
        self.counters: tuple[int | None, ...] = (game.mines_left,)
        self._coming = sorted(episodes, reverse=True)
        self._present: list[Episode] = []
        self._random = random.Random(seed)
        self._scenes = [_Scene(-inf, game.board(), game.state)]
        self._scene = self._scenes[0]
        self._behind = [self._scene]
        self._last_left: tuple[Tile, float] | None = None
        self._painted: Picture | None = None
        self._before: Picture | None = None
        self._screen: Picture = np.empty((0, 0, 3), dtype=np.uint8)
        self._composed_of: tuple[object, ...] = ()

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
        self._pass_on_to_the_scene_that_is_painted()
        # A bot that waits looks hundreds of times at the same picture, which need not be composed each time.
        composed_of = (
            *(rect, self.position, self._pointer, self._seconds(), self.dialog(), self._dialog_aside),
            *(self._step(), self._strips()),
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
            _draw_pointer(screen, self._pointer[0] - rect.left, self._pointer[1] - rect.top)
        screen.setflags(write=False)
        return screen

    def _client_picture(self) -> Picture:
        picture = self._repainted(self._paint_scene())
        if self.troubles.counter_hidden:
            board = self.painter.board_rect
            picture[board.top + board.height + 3 :, board.left + board.width // 2 :] = picture[2, 2]
        dialog = self.dialog()
        if dialog is not None and not self._dialog_aside:
            picture = paint_dialog(picture, "won" if "Won" in dialog.title else "lost")
        if self.troubles.scale != 1.0:
            width, height = self._client()[2:]
            picture = np.asarray(cv2.resize(picture, (width, height), interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
        return picture

    def _pass_on_to_the_scene_that_is_painted(self) -> None:
        now = self.time.now() - self.troubles.repaint_delay
        while len(self._scenes) > 1 and self._scenes[1].since <= now:
            self._scenes.pop(0)
        if self._scene is not self._scenes[0]:
            self._behind = [*(self._behind if len(self.shown) > 1 else []), self._scene]
            self._scene = self._scenes[0]
            self._before = self._painted

    def _step(self) -> int:
        """Return the number of the animation's frame that is on, -1 when nothing is animated."""
        since = self.time.now() - self.troubles.repaint_delay - self._scene.since
        step = self.troubles.animation_step
        return int(min(since, 60.0) / step) if step else -1

    def _paint_scene(self) -> Picture:
        """Return the client area as the game has it painted by now, and note what it shows."""
        fading, effects = self._motion(self._step() * self.troubles.animation_step) if self._step() >= 0 else ({}, {})
        board = self._as_shown(self._scene)
        canvas = self.painter.paint(
            board,
            hover=None if self.dialog() else self._tile_at(*self._pointer),
            seconds=self._seconds(),
            mines_left=self._scene.board.mines_left,
            state=self._scene.state,
            fading=fading,
            effects=effects,
        )
        self.shown, self.counters = (board,), (self._scene.board.mines_left,)
        if fading or effects:
            self._note_what_is_behind()
        painted: Picture = canvas.copy()
        return painted

    def _note_what_is_behind(self) -> None:
        """Note that parts of earlier scenes can still be seen."""
        self.shown += tuple(self._as_shown(scene) for scene in self._behind)
        self.counters += tuple(scene.board.mines_left for scene in self._behind)

    def _as_shown(self, scene: _Scene) -> Board:
        """Return the board of a scene with what the faults make of it."""
        troubles, board = self.troubles, scene.board
        if troubles.lies is not None:
            number = (board.cells >= 1) & (board.cells <= 8)
            lie = np.clip(board.cells.astype(np.int16) + troubles.lies, 1, 8)
            board = Board(np.where(number, lie, board.cells).astype(np.uint8), board.mines)
        return board.replace(dict.fromkeys(troubles.stuck, Cell.COVERED))

    def _motion(self, seconds: float) -> tuple[Fading, Effects]:
        """Return what of the last change is still moving."""
        scene = self._scene
        if scene.clicked is None:
            if scene.state != "new":
                return {}, {}
            return {}, animation.deal_in(scene.board.rows, scene.board.cols, seconds)
        if scene.state == "won":
            return {}, animation.win_sweep(scene.board, seconds)
        if scene.state == "lost":
            return {}, animation.loss_cascade(scene.board, seconds)
        if scene.board.cells[scene.clicked] == Cell.FLAG:
            return {}, animation.raise_flag(scene.clicked, seconds)
        opened = np.argwhere((scene.board.cells <= 8) & (scene.board.cells != self._behind[-1].board.cells))
        return animation.ripple([(int(row), int(col)) for row, col in opened], scene.clicked, seconds), {}

    def _strips(self) -> int:
        """Return how many strips of the last change have been painted by now."""
        since = self.time.now() - self.troubles.repaint_delay - self._scene.since
        takes = self.troubles.repaint_takes
        return 1 + int(PAINT_STEPS * since / takes) if 0 <= since < takes else ALL_STRIPS

    def _repainted(self, picture: Picture) -> Picture:
        """Return a picture with only those strips of the last change that have been painted by now."""
        if self._strips() < ALL_STRIPS and self._before is not None and self._before.shape == picture.shape:
            painted = picture.shape[0] * self._strips() // ALL_STRIPS
            picture[painted:] = self._before[painted:]
            self._note_what_is_behind()
        self._painted = picture.copy()
        return picture

    # Mouse

    def click(self, clicks: list[Click]) -> None:
        """Click one after the other, each checked as on a real desktop; some never arrive."""
        for click in clicks:
            self.time.sleep(CLICK_SECONDS)
            self._beat()
            self._check(click)
            self._pointer = (click.x, click.y)
            self._land(click.button, self._tile_at(click.x, click.y))

    def _check(self, click: Click) -> None:
        if self.troubles.user is not None:
            raise StopRequestedError(self.troubles.user)
        if self._confined is None or not self._confined.contains(click.x, click.y):
            raise CoveredError(f"({click.x}, {click.y}) is outside the board")
        if self._client() != self._confined_in:
            raise MovedError("the game's window was moved or resized")
        if not self.is_foreground():
            raise StopRequestedError("another window took the focus")
        if not self.owns(click.x, click.y):
            raise CoveredError(f"({click.x}, {click.y}) is covered by another window")

    def _land(self, button: Button, tile: Tile | None) -> None:
        now = self.time.now()
        if button == "left" and self._last_left is not None and self._last_left[0] == tile:
            button = "middle" if now - self._last_left[1] < DOUBLE_CLICK_SECONDS else button
        arrives = tile is not None and tile not in self.troubles.deaf and self.dialog() is None
        arrives = arrives and self._random.random() >= self.troubles.lost_clicks
        self.landings.append(Landing(button, tile, self._opens(button, tile) if arrives else ()))
        if arrives and tile is not None:
            self._last_left = (tile, now) if button != "right" else None
            self.take(button, tile)

    def take(self, button: Button, tile: Tile) -> None:
        """Let the game take a click, whoever made it."""
        board = self.game.board()
        self._act(Click(0, 0, button), *tile)
        if self.game.board() is not board:
            self._scenes.append(_Scene(self.time.now(), self.game.board(), self.game.state, tile))

    def _opens(self, button: Button, tile: Tile | None) -> tuple[Tile, ...]:
        """Return the tiles that a click opens, before any flood."""
        board = self.game.board()
        if tile is None or button == "right":
            return ()
        closed = (Cell.COVERED, Cell.QUESTION)
        if button == "left":
            return (tile,) if board.cells[tile] in closed else ()
        around = list(board.neighbours(*tile))
        if board.cells[tile] > 8 or sum(board.cells[near] == Cell.FLAG for near in around) != board.cells[tile]:
            return ()
        return tuple(near for near in around if board.cells[near] in closed)

    def park(self, x: int, y: int) -> None:
        """Move the pointer out of the way, without clicking; it may not get there."""
        self._beat()
        if self.troubles.user is not None:
            raise StopRequestedError(self.troubles.user)
        if not self.troubles.pointer_stays:
            super().park(x, y)

    def _tile_at(self, x: int, y: int) -> Tile | None:
        scale = self.troubles.scale
        return self.painter.tile_at((x - self.position[0]) / scale, (y - self.position[1]) / scale)

    # Keys

    def tap(self, key: Key) -> None:
        """F2 and Enter as the game takes them; Enter closes a dialog. Keys go astray without the focus."""
        self._beat()
        if not self.is_foreground():
            self.stray_keys += 1
        elif self.troubles.dialog is not None:
            self.troubles.dialog = None if key in ("enter", "esc") else self.troubles.dialog
        else:
            super().tap(key)
            self._scenes.append(_Scene(self.time.now(), self.game.board(), self.game.state))

    def stop_requested(self) -> str | None:
        """Return why the user wants to stop, or None."""
        self._beat()
        return self.troubles.user


_ARROW = ((0, 0), (0, 16), (4, 13), (7, 19), (9, 18), (6, 12), (11, 12))


def _draw_pointer(screen: Picture, x: int, y: int) -> None:
    corners = np.array([(x + right, y + down) for right, down in _ARROW], dtype=np.int32)
    cv2.fillPoly(screen, [corners], (255, 255, 255))
    cv2.polylines(screen, [corners], isClosed=True, color=(0, 0, 0))
