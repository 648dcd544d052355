"""What live tests run on: a virtual screen with a window manager, and on it Wine's Minesweeper or one of the clones.

Works the same from Linux, where it starts Xvfb, openbox and Wine, and from a Windows Python inside of Wine, which has
all that around it already. Ends only the processes it started.
"""

from __future__ import annotations

import getpass
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from bot.desktop import Click, Desktop, NoWindowError, Window
from bot.desktop.timing import FAST, Seconds, wait_until
from bot.level import Level

CACHE_VARIABLE = "MINEBOT_LIVE_CACHE"
ROOT = Path(__file__).parents[2]
PROGRAMS = ("Xvfb", "openbox", "wine")
START_TIMEOUT = Seconds(60)
POLL = Seconds(0.02)

WINEMINE = r"C:\windows\system32\winemine.exe"
SETTINGS_KEY = r"Software\Microsoft\WinMine"
CUSTOM = 3
"""WineMine's number for a level that is none of its own; it keeps no records of those, so no dialogs follow a win."""


def wanted() -> bool:
    """Whether live tests are to run without being named."""
    return os.environ.get("MINEBOT_LIVE") == "1"


def missing_programs() -> list[str]:
    """Return the programs that live tests need and that are not here; a Windows Python in Wine needs none."""
    return [] if inside_wine() else [program for program in PROGRAMS if shutil.which(program) is None]


def inside_wine() -> bool:
    """Whether this is a Windows Python and its Windows is Wine."""
    if sys.platform != "win32":
        return False
    import ctypes

    return hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")


def cache_folder() -> Path:
    """Return where Wine's prefix and the Windows Python are kept from run to run."""
    return Path(
        os.environ.get(CACHE_VARIABLE) or Path(tempfile.gettempdir()) / f"minebot-live-{getpass.getuser()}"
    ).resolve()


@contextmanager
def screen(size: str = "1280x1024x24") -> Iterator[None]:
    """A virtual screen with a window manager and a Wine prefix, in the environment for the length of the block.

    One block at a time: whoever else wants the same prefix waits.
    """
    assert sys.platform != "win32", "a Windows Python has a screen of its own"
    import fcntl

    before = dict(os.environ)
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock, ExitStack() as stack:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stack.callback(_restore_environment, before)
        os.environ |= {
            "DISPLAY": stack.enter_context(x_server(size)),
            "WINEPREFIX": str(folder / "prefix"),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": "mscoree=;mshtml=",
        }
        stack.enter_context(ended(["openbox"]))
        _wait_for_window_manager()
        _make_prefix()
        stack.callback(_end_wine)
        yield


@contextmanager
def x_server(size: str) -> Iterator[str]:
    """An X server on a display number of its own choice; yields the display's name."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp"]
    with ended(command, pass_fds=(writing,)):
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        assert number, "Xvfb did not start"
        yield f":{number}"


def _restore_environment(before: dict[str, str]) -> None:
    os.environ.clear()
    os.environ.update(before)


def _end_wine() -> None:
    """End what Wine runs in our own prefix, so that the next block does not meet a server on its way out."""
    subprocess.run(["wineserver", "-k"], check=False)
    subprocess.run(["wineserver", "-w"], check=False)


def _wait_for_window_manager() -> None:
    """Return once windows are managed: the manager tells of itself before it listens to others."""
    from Xlib import X
    from Xlib.protocol import event

    from bot.desktop.x11.connection import Connection

    x = Connection()
    assert wait_until(lambda: x.values(x.root, "_NET_SUPPORTING_WM_CHECK"), START_TIMEOUT, POLL), "no window manager"
    # It is asked what every manager must answer: for the frame that it would draw around a window.
    window = x.root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    question = event.ClientMessage(
        window=window, client_type=x.atom("_NET_REQUEST_FRAME_EXTENTS"), data=(32, [0, 0, 0, 0, 0])
    )

    def answered() -> list[int]:
        x.root.send_event(question, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        return x.values(window, "_NET_FRAME_EXTENTS")

    assert wait_until(answered, START_TIMEOUT, POLL), "a deaf window manager"


def _make_prefix() -> None:
    """Make Wine's folder once."""
    prefix = Path(os.environ["WINEPREFIX"])
    if not (prefix / "system.reg").exists():
        assert _runs("wineboot", "--init"), "Wine can't make its prefix"


@contextmanager
def ended(
    command: list[str], pass_fds: tuple[int, ...] = (), stream: int = subprocess.DEVNULL
) -> Iterator[subprocess.Popen[bytes]]:
    """A process that does not outlive the block."""
    with subprocess.Popen(command, cwd=ROOT, pass_fds=pass_fds, stdin=stream, stdout=stream, stderr=stream) as process:
        try:
            yield process
        finally:
            process.terminate()


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that keep the computer busy."""
    with ExitStack() as stack:
        for _ in range(processes):
            stack.enter_context(ended([sys.executable, "-c", "while True: pass"]))
        yield


@contextmanager
def winemine(level: Level, marks: bool = False, difficulty: int = CUSTOM) -> Iterator[subprocess.Popen[bytes]]:
    """Wine's Minesweeper in a window near the screen's left top corner, with question marks on or off.

    `difficulty` 0 to 2 are its own three levels, for which a first win is a record and asks for a name.
    """
    settings = {"Difficulty": difficulty, "Height": level.rows, "Width": level.cols, "Mines": level.mines}
    settings |= {"Mark": int(marks), "Xpos": 60, "Ypos": 80, "Time1": 999, "Time2": 999, "Time3": 999}
    _configure(settings)
    with ended([WINEMINE] if inside_wine() else ["wine", WINEMINE]) as process:
        _await_window("winemine")
        yield process
    _await_absence("winemine")


CLONE_PITCH = 27.0
"""Pixels of the clone's tiles: one and a half times what they are by default."""


@contextmanager
def clone(seed: int, *options: str) -> Iterator[None]:
    """The clone in a window of its own, at beginner's level, with the games from a seed on."""
    command = ["-m", "bot", "clone", "--level", "beginner", "--seed", str(seed), "--scale", "1.5", *options]
    with ended([sys.executable, *command]):
        _await_window("Minesweeper")
        yield
    _await_absence("Minesweeper")


class Account:
    """What the referee of the Windows clone wrote down about its games, line by line."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._forgotten = 0

    def forget(self) -> None:
        """Begin anew: what has happened until now is told no more."""
        self._forgotten += len(self.lines())

    def lines(self, *what: str) -> list[dict[str, Any]]:
        """Return what has happened until now, or only what is of some kinds."""
        text = self._path.read_text(encoding="utf-8") if self._path.exists() else ""
        lines = [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
        return [line for line in lines[self._forgotten :] if not what or line["what"] in what]

    def acts(self) -> list[tuple[str, tuple[int, int]]]:
        """Return what was done to which tile, also what was lost, except presses beside the board."""
        return [(line["what"], tuple(line["tile"])) for line in self.lines() if line["tile"] is not None]


@contextmanager
def win32_clone(folder: Path, *options: str, title: str = "Minesweeper") -> Iterator[Account]:
    """The clone as a Windows window, run by a Windows Python; yields the referee's account, which lies in a folder.

    From Linux it needs the Windows Python of the cache folder: the fixture `windows_python`.
    """
    log = folder / "account.jsonl"
    log.unlink(missing_ok=True)
    words = ["-m", "bot", "clone", "--title", title, "--log", windows_path(log), *options]
    python = [sys.executable] if inside_wine() else ["wine", str(cache_folder() / "py" / "python.exe")]
    account = Account(log)
    with ended([*python, *words], stream=subprocess.PIPE):  # a Windows Python needs pipes, see wine-python.sh
        _await_window(title)
        assert wait_until(lambda: account.lines("new game"), START_TIMEOUT, POLL), "the clone deals no game"
        yield account
    _await_absence(title)


def windows_path(path: Path) -> str:
    """Return how Windows programs call a file."""
    return str(path) if sys.platform == "win32" else "Z:" + str(path.resolve()).replace("/", "\\")


def click(desktop: Desktop) -> None:
    client = desktop.window.client()
    desktop.mouse.confine(client, client)
    desktop.mouse.click([Click(client.left + 50, client.top + 50, "left")])


def tap(desktop: Desktop) -> None:
    desktop.keys.tap("f2")


def _configure(settings: dict[str, int]) -> None:
    """Write WineMine's settings to the registry."""
    if sys.platform == "win32":
        import winreg

        with winreg.CreateKey(winreg.HKEY_CURRENT_USER, SETTINGS_KEY) as key:
            for name, value in settings.items():
                winreg.SetValueEx(key, name, 0, winreg.REG_DWORD, value)
    else:
        lines = ["REGEDIT4", "", rf"[HKEY_CURRENT_USER\{SETTINGS_KEY}]"]
        lines += [f'"{name}"=dword:{value:08x}' for name, value in settings.items()]
        file = cache_folder() / "winemine.reg"
        file.write_text("\r\n".join(lines) + "\r\n", encoding="ascii")
        # Wine may refuse to start a program while another one is on its way out.
        assert wait_until(lambda: _runs("wine", "reg", "import", str(file)), START_TIMEOUT, POLL), "no registry"


def _runs(*command: str) -> bool:
    return subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def _await_window(text: str) -> None:
    assert wait_until(lambda: _is_shown(text), START_TIMEOUT, POLL), f"{text} did not open a window"


def _await_absence(text: str) -> None:
    assert wait_until(lambda: not _is_shown(text), START_TIMEOUT, POLL), f"{text}'s window outlives it"


def _is_shown(text: str) -> bool:
    """Whether there is a window of that name on the screen."""
    window: Window
    try:
        if sys.platform == "win32":
            from bot.desktop import windows

            window = windows.find_window(text, FAST)
        else:
            from bot.desktop import x11

            window = x11.find_window(text, FAST)
        window.client()
    except NoWindowError:
        return False
    return True
