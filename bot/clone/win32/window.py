"""The clone as a real Windows window, which takes its input the way the Windows 7 game does.

Class `Minesweeper`, a title in the user's language, a menu, and a child control of class `Static` that the picture is
drawn on. One thread does it all, in the loop of the real program: while messages wait they are taken one by one;
when none does, an `Engine` passes its time and what has changed is drawn once. Mouse messages are taken as hints only:
the engine asks where the cursor is when it gets round to them.

For trials the window can be made slow (`draw_ms`, `stall_ms`), and a `Referee` can write down what happened to the
game. It speaks to Windows through ctypes, and runs in any Windows Python that the bot runs in, under Wine too.
"""

from __future__ import annotations

import ctypes
import sys
import time
from ctypes import wintypes
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, cast, get_args

assert sys.platform == "win32", "this is the Windows window"

# ruff: noqa: E402
import cv2
import numpy as np

from bot.board import Board, Cell
from bot.clone.engine import MANY_TILES, TILE, Answer, Engine, Layout, Point
from bot.clone.game import ChooseSeed, Referee, WatchedGame
from bot.clone.painter import Design, Painter
from bot.clone.win32 import api, dialogs
from bot.desktop import Button, DesktopError
from bot.desktop.names import TITLE_IN
from bot.level import LEVELS, Level
from bot.picture import Picture, bitmap_header
from bot.words import Pieces, Rule, Theme

WINDOW_CLASS = "Minesweeper"
SNAP = 10
"""Pixels within which a size drawn by hand snaps to once or twice the game's own."""

_SLEEP_MS = 1
_STYLE = api.WS_OVERLAPPEDWINDOW | api.WS_CLIPCHILDREN

_BUTTONS: dict[int, tuple[Button, bool]] = {
    api.WM_LBUTTONDOWN: ("left", True),
    api.WM_LBUTTONUP: ("left", False),
    api.WM_RBUTTONDOWN: ("right", True),
    api.WM_RBUTTONUP: ("right", False),
    api.WM_MBUTTONDOWN: ("middle", True),
    api.WM_MBUTTONUP: ("middle", False),
}
_KEYS = {0x0D: "enter", 0x1B: "esc", 0x20: "space", 0x31: "1"}
"""Virtual keys that the engine knows by name; any other only ends what moves."""

_NEW_GAME, _RESTART, _EXIT, _QUESTION_MARKS, _ANIMATIONS = 1, 2, 3, 4, 5
_FIRST_LEVEL, _FIRST_THEME, _FIRST_PIECES = 20, 40, 50


@dataclass(frozen=True)
class Setup:
    """How the window behaves, beside its game and its look."""

    animate: bool = True
    tips: bool = False
    title: str | None = None
    """None: what the user's language calls the game."""
    draw_ms: int = 0
    """How long a drawing takes at least."""
    stall_ms: int = 0
    """How long the program stops after a large opening or a new board."""
    log: Path | None = None
    """Where the referee writes."""
    asks_first: Literal["saved game", "difficulty"] | None = None
    """What the program asks when it starts."""


def run_window(
    level: Level,
    design: Design,
    rule: Rule = "open",
    seed: int | None = None,
    setup: Setup | None = None,
    choose_seed: ChooseSeed | None = None,
) -> None:
    """Open the clone and return when its window is closed.

    With a seed the games are seed, seed + 1 and so on. Raises `DesktopError` where no window can be opened.
    """
    from bot.desktop import windows  # noqa: F401 - makes the process aware of every monitor's scaling

    setup = setup or Setup()
    referee = Referee(setup.log)
    try:
        game = WatchedGame(referee, level, rule, seed, choose_seed=choose_seed)
        WindowsClone(game, design, setup, referee).run()
    finally:
        referee.close()


class WindowsClone:
    """One game after another in one window."""

    def __init__(self, game: WatchedGame, design: Design, setup: Setup, referee: Referee) -> None:
        self._setup = setup
        self._referee = referee
        self._design = design
        self._failure: BaseException | None = None
        self._asking = False
        """Whether a dialog is open."""
        self._tracking = False
        self._written_before: dict[Button, int] = {}
        """How much the referee had written when a button went down."""
        self._frame: Picture | None = None
        self._ready = False
        self._levels = list(dict.fromkeys([*LEVELS.values(), game.level]))
        self._layout = Layout(game.level.rows, game.level.cols)
        self._painter: Painter | None = None
        self._open()
        self._engine = Engine(game, self._cursor, time.perf_counter(), animate=setup.animate, tips=setup.tips)
        self._ready = True
        self._fit_child()

    # The window itself

    def _open(self) -> None:
        # Both procedures must live as long as the window does.
        self._procedure = api.WindowProcedure(self._receive)
        self._child_procedure = api.WindowProcedure(self._receive_for_child)
        instance = api.own_program()
        kind = api.WindowClass(
            size=ctypes.sizeof(api.WindowClass),
            procedure=self._procedure,
            instance=instance,
            cursor=api.user32.LoadCursorW(None, api.IDC_ARROW),
            icon=api.user32.LoadIconW(None, api.IDI_APPLICATION),
            name=WINDOW_CLASS,
        )
        if not api.user32.RegisterClassExW(ctypes.byref(kind)):
            raise DesktopError(f"the clone's window cannot be opened: {ctypes.WinError(ctypes.get_last_error())}")
        self._build_menu()
        keys = (api.Accelerator * 1)(api.Accelerator(api.FVIRTKEY, api.VK_F2, _NEW_GAME))
        self._accelerators = api.user32.CreateAcceleratorTableW(keys, len(keys))
        place = api.CW_USEDEFAULT
        self._window = api.user32.CreateWindowExW(
            0, WINDOW_CLASS, self._title(), _STYLE, place, place, 400, 400, None, self._menu, instance, None
        )
        if not self._window:
            raise DesktopError(f"the clone's window cannot be opened: {ctypes.WinError(ctypes.get_last_error())}")
        self._child = api.user32.CreateWindowExW(
            0, "Static", "", api.WS_CHILD | api.WS_VISIBLE | api.SS_SIMPLE, 0, 0, 1, 1, self._window, None, None, None
        )
        self._static = api.user32.SetWindowLongPtrW(self._child, api.GWLP_WNDPROC, self._child_procedure)
        self._resize(self._design.pitch / TILE)
        self._centre()

    def _title(self) -> str:
        if self._setup.title is not None:
            return self._setup.title
        language = api.kernel32.GetUserDefaultUILanguage()
        if language in (0x0404, 0x0C04, 0x1404):
            return "踩地雷"
        return TITLE_IN.get(language & 0x3FF, "Minesweeper")

    def _build_menu(self) -> None:
        create, append = api.user32.CreatePopupMenu, api.user32.AppendMenuW
        self._menu, game, look = api.user32.CreateMenu(), create(), create()
        append(game, api.MF_STRING, _NEW_GAME, "&New game\tF2")
        append(game, api.MF_STRING, _RESTART, "&Restart this game")
        append(game, api.MF_SEPARATOR, 0, None)
        for place, level in enumerate(self._levels):
            append(game, api.MF_STRING, _FIRST_LEVEL + place, level.name.capitalize())
        append(game, api.MF_SEPARATOR, 0, None)
        append(game, api.MF_STRING, _QUESTION_MARKS, "&Question marks")
        append(game, api.MF_STRING, _ANIMATIONS, "&Animations")
        append(game, api.MF_SEPARATOR, 0, None)
        append(game, api.MF_STRING, _EXIT, "E&xit")
        for first, names in ((_FIRST_THEME, get_args(Theme)), (_FIRST_PIECES, get_args(Pieces))):
            for place, name in enumerate(names):
                append(look, api.MF_STRING, first + place, name.capitalize())
        append(self._menu, api.MF_POPUP, game, "&Game")
        append(self._menu, api.MF_POPUP, look, "&Look")

    def _check_menu(self) -> None:
        """Tick what is chosen, just before a menu is seen."""
        engine, menu = self._engine, self._menu
        for first, chosen, options in (
            (_FIRST_LEVEL, engine.game.level, self._levels),
            (_FIRST_THEME, self._design.theme, get_args(Theme)),
            (_FIRST_PIECES, self._design.pieces, get_args(Pieces)),
        ):
            place = first + list(options).index(chosen)
            api.user32.CheckMenuRadioItem(menu, first, first + len(options) - 1, place, 0)
        for item, is_on in ((_QUESTION_MARKS, engine.game.question_marks), (_ANIMATIONS, engine.animate)):
            api.user32.CheckMenuItem(menu, item, api.MF_CHECKED if is_on else 0)

    def _client(self) -> tuple[int, int]:
        area = wintypes.RECT()
        api.user32.GetClientRect(self._window, ctypes.byref(area))
        return area.right, area.bottom

    def _resize(self, scale: float) -> None:
        """Give the window the size of its board, as far as the screen's work area has room for it."""
        screen, window = wintypes.RECT(), wintypes.RECT()
        api.user32.SystemParametersInfoW(api.SPI_GETWORKAREA, 0, ctypes.byref(screen), 0)
        across, down = self._layout.size
        wide, high = self._around(0, 0)
        room = (screen.right - screen.left - wide) / across, (screen.bottom - screen.top - high) / down
        scale = max(1.0, min(scale, *room))
        width, height = self._around(round(across * scale), round(down * scale))
        api.user32.GetWindowRect(self._window, ctypes.byref(window))
        x = max(screen.left, min(window.left, screen.right - width))
        y = max(screen.top, min(window.top, screen.bottom - height))
        api.user32.SetWindowPos(self._window, None, x, y, width, height, api.SWP_NOZORDER | api.SWP_NOACTIVATE)

    def _centre(self) -> None:
        """Put the window into the middle of the work area, where its dialogs have room around it."""
        screen, window = wintypes.RECT(), wintypes.RECT()
        api.user32.SystemParametersInfoW(api.SPI_GETWORKAREA, 0, ctypes.byref(screen), 0)
        api.user32.GetWindowRect(self._window, ctypes.byref(window))
        x = (screen.left + screen.right - window.right + window.left) // 2
        y = (screen.top + screen.bottom - window.bottom + window.top) // 2
        flags = api.SWP_NOSIZE | api.SWP_NOZORDER | api.SWP_NOACTIVATE
        api.user32.SetWindowPos(self._window, None, x, y, 0, 0, flags)

    def _around(self, width: int, height: int) -> tuple[int, int]:
        """Return the size of a window with a client area of this size."""
        area = wintypes.RECT(0, 0, width, height)
        api.user32.AdjustWindowRectEx(ctypes.byref(area), _STYLE, True, 0)
        return area.right - area.left, area.bottom - area.top

    # The loop

    def run(self) -> None:
        """Show the window and return when it is closed. Raises what failed in it, Ctrl-C too."""
        api.user32.ShowWindow(self._window, api.SW_SHOW)
        api.user32.SetForegroundWindow(self._window)
        message = wintypes.MSG()
        at = ctypes.byref(message)
        try:
            while self._failure is None:
                if not api.user32.PeekMessageW(at, None, 0, 0, api.PM_NOREMOVE):
                    self._pass()
                elif not api.user32.GetMessageW(at, None, 0, 0):
                    break
                elif not api.user32.TranslateAcceleratorW(self._window, self._accelerators, at):
                    api.user32.TranslateMessage(at)
                    api.user32.DispatchMessageW(at)
                self._ask()
        finally:
            if self._window:
                api.user32.DestroyWindow(self._window)
        if self._failure is not None:
            raise self._failure

    def _pass(self) -> None:
        """Let a tick's worth of time pass, or wait for it."""
        if not self._engine.tick(time.perf_counter()):
            api.kernel32.Sleep(_SLEEP_MS)
            return
        if self._setup.asks_first is not None:
            self._ask_first()
        if self._engine.changed:
            self._draw()

    def _ask(self) -> None:
        """Ask what the engine wants to know; a last picture is drawn before."""
        engine = self._engine
        if engine.question is None or self._failure is not None or not self._window:
            return
        if engine.changed:
            self._draw()
        scene, level = engine.scene(), engine.game.level
        if engine.question == "new game":
            dialog = dialogs.NEW_GAME
        else:
            named = level.name.capitalize() if level in LEVELS.values() else ""
            dialog = dialogs.end_of_game(engine.question == "won", scene.seconds, named)
        answers: dict[int, Answer] = {
            dialogs.QUIT: "again",
            dialogs.RESTART: "restart",
            dialogs.RESTART_LOST: "restart",
            dialogs.EXIT_WON: "exit",
            dialogs.EXIT_LOST: "exit",
            api.IDCANCEL: "keep" if engine.question == "new game" else "again",
        }
        answer = answers[self._open_dialog(dialog)]
        self._referee.write("answer", engine.game, answer=answer)
        engine.answer(answer, time.perf_counter())
        if answer == "exit":
            api.user32.PostMessageW(self._window, api.WM_CLOSE, 0, 0)
        elif api.user32.GetActiveWindow() == self._window:
            engine.activate()

    def _open_dialog(self, dialog: dialogs.Prompt) -> int:
        api.user32.ReleaseCapture()
        self._referee.write("dialog", self._engine.game, title=dialog.title)
        self._asking = True
        try:
            return dialogs.ask(self._window, dialog)
        finally:
            self._asking = False

    # Messages

    def _receive(self, window: int, message: int, wparam: int, lparam: int) -> int:
        """Take a message. What fails is kept for the loop, for it cannot pass through Windows."""
        try:
            if self._ready:
                answer = self._handle(message, wparam, lparam)
                if answer is not None:
                    return answer
            elif message == api.WM_ERASEBKGND:
                return 1
        except BaseException as reason:
            self._failure = self._failure or reason
        return int(api.user32.DefWindowProcW(window, message, wparam, lparam))

    def _handle(self, message: int, wparam: int, lparam: int) -> int | None:
        """Return the answer to a message, None for Windows' own."""
        if self._asking and message in (api.WM_COMMAND, api.WM_CLOSE):
            return 0  # one question at a time
        if message in _BUTTONS:
            self._take_button(*_BUTTONS[message], wparam)
            return 0
        if message == api.WM_MOUSEMOVE:
            self._take_move()
            return 0
        if message == api.WM_MOUSELEAVE:
            self._tracking = False
            self._engine.leave()
            return 0
        if message == api.WM_KEYDOWN:
            self._engine.key(_KEYS.get(wparam, ""))
            return 0
        if message == api.WM_MOUSEACTIVATE:
            return self._take_activation(lparam & 0xFFFF)
        if message == api.WM_COMMAND and lparam == 0:
            self._obey(wparam & 0xFFFF)
            return 0
        return self._handle_window(message, wparam, lparam)

    def _handle_window(self, message: int, wparam: int, lparam: int) -> int | None:
        """Take the messages that are about the window, not the game."""
        if message == api.WM_ACTIVATE:
            if wparam & 0xFFFF:
                self._engine.activate()
            else:
                api.user32.ReleaseCapture()
                self._engine.deactivate()
        elif message in (api.WM_ENTERMENULOOP, api.WM_ENTERSIZEMOVE) and self._engine.captured:
            api.user32.ReleaseCapture()
            self._engine.deactivate()
            self._engine.activate()
        elif message == api.WM_INITMENU:
            self._check_menu()
        elif message == api.WM_SIZE:
            self._fit_child()
        elif message == api.WM_SIZING:
            keep_aspect(self._layout, self._around(0, 0), wparam, wintypes.RECT.from_address(lparam))
            return 1
        elif message == api.WM_GETMINMAXINFO:
            least = self._around(*self._layout.size)
            api.MinMaxInfo.from_address(lparam).min_track = wintypes.POINT(*least)
            return 0
        elif message == api.WM_ERASEBKGND:
            return 1
        elif message == api.WM_CLOSE:
            self._close()
            return 0
        elif message == api.WM_DESTROY:
            self._window = None
            self._ready = False
            api.user32.PostQuitMessage(0)
            return 0
        return None

    def _cursor(self) -> Point:
        """Return where the cursor is now, in layout pixels."""
        place = wintypes.POINT()
        api.user32.GetCursorPos(ctypes.byref(place))
        api.user32.ScreenToClient(self._window, ctypes.byref(place))
        scale, left, top = self._layout.fit(*self._client())
        if scale == 0:
            return Point(-1, -1)  # minimised
        return Point(int((place.x - left) / scale), int((place.y - top) / scale))

    def _take_move(self) -> None:
        if not self._tracking:
            track = api.TrackMouse(ctypes.sizeof(api.TrackMouse), api.TME_LEAVE, self._window, 0)
            self._tracking = bool(api.user32.TrackMouseEvent(ctypes.byref(track)))
        self._engine.move()

    def _take_button(self, button: Button, is_down: bool, keys: int) -> None:
        engine, referee = self._engine, self._referee
        control = bool(keys & api.MK_CONTROL)
        if is_down:
            api.user32.SetCapture(self._window)
            written, swallowed = referee.written, engine.swallowed
            engine.down(button, time.perf_counter(), shift=bool(keys & api.MK_SHIFT), control=control)
            if engine.swallowed > swallowed:
                referee.write("swallowed", engine.game, self._layout.tile_at(self._cursor()), button=button)
            self._written_before[button] = written
        else:
            api.user32.ReleaseCapture()
            engine.up(button, control=control)
            if self._written_before.pop(button, -1) == referee.written:
                referee.write("lost press", engine.game, self._layout.tile_at(self._cursor()), button=button)

    def _take_activation(self, hit: int) -> int | None:
        """The press that activates the window is eaten when it is over the board.

        Wine also asks when the focus comes back without a press; it then names the caption, wherever the cursor is.
        """
        tile = self._layout.tile_at(self._cursor())
        if tile is None or hit != api.HTCLIENT:
            return None
        self._referee.write("eaten", self._engine.game, tile)
        return api.MA_ACTIVATEANDEAT

    def _close(self) -> None:
        """Close the window; a game in progress is asked about, and never saved."""
        game = self._engine.game
        in_progress = game.state == "playing" or (game.state == "new" and game.board().flags > 0)
        if in_progress and self._open_dialog(dialogs.EXIT) == dialogs.CANCEL:
            return
        api.user32.DestroyWindow(self._window)

    # Menu

    def _obey(self, command: int) -> None:
        engine = self._engine
        if command == _NEW_GAME:
            engine.key("f2")
        elif command == _RESTART:
            engine.restart()
        elif command == _EXIT:
            api.user32.PostMessageW(self._window, api.WM_CLOSE, 0, 0)
        elif command == _QUESTION_MARKS:
            engine.game.question_marks = not engine.game.question_marks
        elif command == _ANIMATIONS:
            engine.animate = not engine.animate
        elif command >= _FIRST_PIECES:
            self._change_look(replace(self._design, pieces=cast(Pieces, get_args(Pieces)[command - _FIRST_PIECES])))
        elif command >= _FIRST_THEME:
            self._change_look(replace(self._design, theme=cast(Theme, get_args(Theme)[command - _FIRST_THEME])))
        elif command >= _FIRST_LEVEL:
            self._choose(self._levels[command - _FIRST_LEVEL])

    def _choose(self, level: Level) -> None:
        """Deal a game of a level; a game in progress is asked about."""
        game = self._engine.game
        if level == game.level:
            return
        if game.state == "playing" and self._open_dialog(dialogs.CHANGED_SETTINGS) != dialogs.QUIT:
            return
        scale = self._layout.fit(*self._client())[0]
        watched = WatchedGame(self._referee, level, game.rule, game.seed + 1, game.question_marks, game.choose_seed)
        self._layout = Layout(level.rows, level.cols)
        self._engine = Engine(watched, self._cursor, time.perf_counter(), animate=self._engine.animate)
        self._resize(scale)

    def _change_look(self, design: Design) -> None:
        self._design = design
        self._engine.changed = True

    def _ask_first(self) -> None:
        """Ask what the real program may ask when it starts."""
        asks_first, game = self._setup.asks_first, self._engine.game
        self._setup = replace(self._setup, asks_first=None)
        self._draw()
        if asks_first == "saved game":
            if self._open_dialog(dialogs.SAVED_GAME) == dialogs.CONTINUE:
                game.open(game.level.rows // 2, game.level.cols // 2)
                self._engine.changed = True
            else:
                self._engine.new()
        else:
            answer = self._open_dialog(dialogs.DIFFICULTY)
            level = {dialogs.INTERMEDIATE: "intermediate", dialogs.ADVANCED: "expert"}.get(answer, "beginner")
            self._choose(LEVELS[level])

    # Sizes and pictures

    def _fit_child(self) -> None:
        width, height = self._client()
        api.user32.MoveWindow(self._child, 0, 0, width + 1, height + 1, True)
        self._engine.changed = True

    def _draw(self) -> None:
        """Bring the window up to date, as slowly as it was set up to be."""
        engine = self._engine
        if engine.rebuilt > MANY_TILES:
            api.kernel32.Sleep(self._setup.stall_ms)
        began = time.perf_counter()
        engine.rebuilt, engine.changed = 0, False
        width, height = self._client()
        if width == 0 or height == 0:
            return  # minimised
        picture = self._fitting_painter(self._layout.fit(width, height)[0]).show(engine.scene())
        self._frame = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2BGRA), dtype=np.uint8)
        left = self._setup.draw_ms / 1000 - (time.perf_counter() - began)
        if left > 0:
            api.kernel32.Sleep(round(left * 1000))
        dc = api.user32.GetDC(self._child)
        self._put(dc)
        api.user32.ReleaseDC(self._child, dc)
        api.gdi32.GdiFlush()

    def _fitting_painter(self, scale: float) -> Painter:
        design = self._design.resized(TILE * scale)
        size, painter = (self._layout.rows, self._layout.cols), self._painter
        if painter is None or (painter.rows, painter.cols) != size or painter.design != design:
            self._painter = painter = _warm_painter(self._layout, design)
        return painter

    def _put(self, dc: int) -> None:
        """Put the last picture into the middle of the child, black around it."""
        width, height = self._client()
        scale, left, top = self._layout.fit(width, height)
        across, down = (round(side * scale) for side in self._layout.size)
        if self._frame is not None:
            rows, cols = self._frame.shape[:2]
            api.gdi32.SetStretchBltMode(dc, api.COLORONCOLOR)
            api.gdi32.StretchDIBits(
                dc, left, top, across, down, 0, 0, cols, rows,
                self._frame.ctypes.data, bitmap_header(cols, rows), 0, api.SRCCOPY,
            )  # fmt: skip
        black = api.BLACKNESS
        for bar in (
            (0, 0, left, height + 1),
            (left + across, 0, width + 1 - left - across, height + 1),
            (left, 0, across, top),
            (left, top + down, across, height + 1 - top - down),
        ):
            if bar[2] > 0 and bar[3] > 0:
                api.gdi32.PatBlt(dc, *bar, black)

    def _receive_for_child(self, window: int, message: int, wparam: int, lparam: int) -> int:
        """Show the last picture again where the child was uncovered; all else is as every Static does it."""
        try:
            if message == api.WM_ERASEBKGND:
                return 1
            if message == api.WM_PAINT:
                paint = api.PaintStruct()
                self._put(api.user32.BeginPaint(window, ctypes.byref(paint)))
                api.user32.EndPaint(window, ctypes.byref(paint))
                return 0
        except BaseException as reason:
            self._failure = self._failure or reason
        return int(api.user32.CallWindowProcW(self._static, window, message, wparam, lparam))


def keep_aspect(layout: Layout, around: tuple[int, int], edge: int, window: wintypes.RECT) -> None:
    """Force a window that is being sized to the picture's aspect, and to once or twice its size when that is close.

    `around` is how much wider and higher than its client area the window is, `edge` what the user drags.
    """
    across, down = layout.size
    wide, high = around
    left, top, up_or_down = edge in (1, 4, 7), edge in (3, 4, 5), edge in (3, 6)
    width = window.right - window.left - wide
    if up_or_down:
        width = round((window.bottom - window.top - high) * across / down)
    width = next((size * across for size in (1, 2) if abs(width - size * across) <= SNAP), max(width, across))
    height = round(width * down / across)
    if left:
        window.left = window.right - width - wide
    else:
        window.right = window.left + width + wide
    if top:
        window.top = window.bottom - height - high
    else:
        window.bottom = window.top + height + high


def _warm_painter(layout: Layout, design: Design) -> Painter:
    """Return a painter that has painted everything once: the first digits of a size take a tenth of a second."""
    painter = Painter(layout.rows, layout.cols, design)
    cells = Board.covered(layout.rows, layout.cols).cells.copy()
    kinds = list(range(Cell.QUESTION + 1))[: cells.size]
    cells.flat[: len(kinds)] = kinds
    painter.paint(Board(cells))
    return painter
