"""A day in an hour: the bot plays the clone without a pause, and its memory and open handles are watched.

Everything that runs on a desktop runs here, game after game in one process, but for the screen itself. What the first
tenth of the clicks takes is warm-up: compiled code, templates, painted tiles. What comes on top of it afterwards would
come on top every day.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from bot.bench import BenchError
from bot.level import Level

if TYPE_CHECKING:
    from bot.play import Stop, StopKind

WARM_UP = 0.1
"""The share of the clicks after which memory is expected to stay as it is."""

_SAMPLES = 100
"""How often the process is measured; between two of them whole games are played."""

_GAMES_A_SESSION = 10


@dataclass(frozen=True)
class Footprint:
    """What the process holds: bytes of memory that are really in use, and open files or handles."""

    bytes: int
    handles: int


@dataclass(frozen=True)
class SoakResult:
    """What a soak showed. Megabytes are 10⁶ bytes; growth is the end against the end of the warm-up."""

    level: str
    seed: int
    clicks: int
    games: int
    seconds: float
    warm_megabytes: float
    end_megabytes: float
    growth_megabytes: float
    most_megabytes: float
    warm_handles: int
    end_handles: int
    stopped: str | None
    stop_kind: StopKind | None


Progress = Callable[[int, int, str], None]


def run_soak(level: Level, clicks: int, seed: int, progress: Progress | None = None) -> SoakResult:
    """Play games of a level until so many clicks are made, and return what that cost.

    Ends early, and says why, when the bot stops by itself or the user stops it. Raises `BenchError` where a process
    can't be measured.
    """
    from bot.clone.desktop import CloneDesktop
    from bot.clone.game import Game
    from bot.play import Player, Settings
    from bot.vision.reader import Reader

    start, warm, taken = perf_counter(), None, [footprint()]
    done = games = 0
    stop: Stop | None = None
    clone = CloneDesktop(Game(level, seed=seed))
    player = Player(clone.desktop(), Reader(), Settings(strategy="csp", think=0.0))
    while done < clicks and stop is None:
        stride = done + max(1, clicks // _SAMPLES)
        while done < min(stride, clicks) and stop is None:
            session = player.play(_GAMES_A_SESSION)
            done += sum(game.clicks for game in session.games)
            games += len(session.games)
            clone.tap("f2")
            stop = session.stop
        taken.append(footprint())
        if warm is None and done >= WARM_UP * clicks:
            warm = taken[-1]
        if progress is not None:
            progress(min(done, clicks), clicks, f"{taken[-1].bytes / 1e6:.1f} MB, {taken[-1].handles} handles")
    warm = warm or taken[-1]
    return SoakResult(
        level=level.name,
        seed=seed,
        clicks=done,
        games=games,
        seconds=perf_counter() - start,
        warm_megabytes=warm.bytes / 1e6,
        end_megabytes=taken[-1].bytes / 1e6,
        growth_megabytes=(taken[-1].bytes - warm.bytes) / 1e6,
        most_megabytes=max(sample.bytes for sample in taken) / 1e6,
        warm_handles=warm.handles,
        end_handles=taken[-1].handles,
        stopped=None if stop is None else stop.reason,
        stop_kind=None if stop is None else stop.kind,
    )


if sys.platform == "win32":

    def footprint() -> Footprint:
        """Return what this process holds now."""
        import ctypes
        from ctypes import wintypes

        class Counters(ctypes.Structure):
            _fields_ = (
                ("cb", wintypes.DWORD),
                ("faults", wintypes.DWORD),
                ("peak", ctypes.c_size_t),
                ("working_set", ctypes.c_size_t),
                ("others", ctypes.c_size_t * 6),
            )

        kernel = ctypes.WinDLL("kernel32")
        process = wintypes.HANDLE(-1)
        counters, handles = Counters(), wintypes.DWORD()
        counters.cb = ctypes.sizeof(Counters)
        kernel.K32GetProcessMemoryInfo(process, ctypes.byref(counters), counters.cb)
        kernel.GetProcessHandleCount(process, ctypes.byref(handles))
        return Footprint(int(counters.working_set), handles.value)

else:

    def footprint() -> Footprint:
        """Return what this process holds now. Raises `BenchError` where the system doesn't tell."""
        import resource

        own = Path("/proc/self")
        try:
            pages = int((own / "statm").read_text().split()[1])
            return Footprint(pages * resource.getpagesize(), sum(1 for _ in (own / "fd").iterdir()))
        except OSError as error:
            raise BenchError("this system doesn't tell how much memory a process uses") from error
