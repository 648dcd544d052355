"""The kinds of files that people hand to the bot: good ones to begin with, and the command that reads a spoilt one."""

import io
import os
import random
import shutil
import tempfile
import zipfile
from abc import ABC, abstractmethod
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np

from bot.board import SYMBOLS, Board
from bot.cli import run
from bot.clone.game import Game
from bot.clone.painter import Design, Painter, paint_dialog
from bot.picture import Picture
from bot.record.recorder import MANIFEST
from bot.solver import warm_up
from tests.fuzz.mutations import mutated
from tests.record.games import BEGINNER, record

ROOT = Path(__file__).parents[2]
FORMATS = (".png", ".jpg", ".bmp", ".webp", ".gif")

SETTINGS_A_SKIN = 5000
"""One in so many settings files is read by `skins`, which takes some hundred times as long as `settings`."""


_OUT, _ERR = io.StringIO(), io.StringIO()
"""The same two for every call: click keeps each stdout that it has ever printed to, about a kilobyte a call."""


def call(arguments: list[str]) -> tuple[int, str, str]:
    """Run a command line in this process; return its exit code, what it printed and what it remarked."""
    for stream in (_OUT, _ERR):
        stream.seek(0)
        stream.truncate()
    with redirect_stdout(_OUT), redirect_stderr(_ERR):
        code = run(arguments)
    return code, _OUT.getvalue(), _ERR.getvalue()


def board_picture(seed: int = 3) -> Picture:
    """Return a beginner's game under way, small."""
    game = Game(BEGINNER, seed=seed)
    game.open(4, 4)
    painted: Picture = Painter(9, 9, Design(pitch=16.0)).paint(game.board()).copy()
    return painted


def smeared(picture: Picture, chance: random.Random) -> Picture:
    """Return a picture with plain rectangles over it."""
    shown = picture.copy()
    for _ in range(chance.choice((1, 5, 50))):
        top, left = chance.randrange(shown.shape[0]), chance.randrange(shown.shape[1])
        down, right = chance.randint(1, 60), chance.randint(1, 60)
        shown[top : top + down, left : left + right] = [chance.randrange(256) for _ in range(3)]
    return shown


class Kind(ABC):
    """One kind of input. `codes` are the exit codes that a file of this kind may lead to."""

    name: str
    codes: frozenset[int]

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @abstractmethod
    def good(self) -> list[bytes]:
        """Return inputs with which nothing is wrong."""

    @abstractmethod
    def arguments(self, content: bytes) -> list[str]:
        """Write an input down and return the command line that reads it."""

    def spoilt(self, good: list[bytes], chance: random.Random) -> bytes:
        """Return an input with which something is wrong."""
        return mutated(chance.choice(good), chance)


class Pictures(Kind):
    """Pictures for `read`: spoilt files, and now and then whole files of a spoilt picture."""

    name = "read"
    codes = frozenset({0, 2, 3})

    def good(self) -> list[bytes]:
        painted = board_picture()
        small = [
            painted[40:100, 30:90],
            painted[::3, ::3],
        ]  # what gets past its header is then looked at, which takes long
        whole = [(painted, ".png"), (painted, ".jpg"), (paint_dialog(painted, "lost"), ".png")]
        shown = whole + [(picture, form) for picture in small for form in FORMATS]
        return [cv2.imencode(form, picture)[1].tobytes() for picture, form in shown]

    def spoilt(self, good: list[bytes], chance: random.Random) -> bytes:
        if chance.random() < 0.96:
            return super().spoilt(good, chance)
        picture = smeared(board_picture(chance.randrange(100)), chance)
        if chance.random() < 0.3:
            size = (chance.choice((1, 30, 150, 600)), chance.choice((1, 30, 150, 600)))
            picture = np.asarray(cv2.resize(picture, size), dtype=np.uint8)
        return cv2.imencode(".png", picture)[1].tobytes()

    def arguments(self, content: bytes) -> list[str]:
        file = self.folder / "picture"
        file.write_bytes(content)
        return ["read", str(file), "--json"]


class Skins(Kind):
    """Skins: a file of a good one, by name, is replaced."""

    name = "skin"
    codes = frozenset({0, 2, 3})

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._skin = folder / "skin"
        shutil.copytree(ROOT / "templates" / "winemine", self._skin)
        self._files = {file.name: file.read_bytes() for file in self._skin.iterdir()}
        self._spoilt = "skin.toml"
        self._stamp = 10**18
        self._board = ROOT / "fixtures/screenshots/winemine/beginner-under-way.png"

    def good(self) -> list[bytes]:
        manifest = [b"skin.toml\0" + self._files["skin.toml"]] * len(self._files)
        return manifest + [name.encode() + b"\0" + content for name, content in sorted(self._files.items())]

    def spoilt(self, good: list[bytes], chance: random.Random) -> bytes:
        name, _, content = chance.choice(good).partition(b"\0")
        if name.endswith(b".png") and chance.random() < 0.3:
            tile = np.asarray(cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
            return name + b"\0" + cv2.imencode(".png", smeared(tile, chance))[1].tobytes()
        return name + b"\0" + mutated(content, chance)

    def arguments(self, content: bytes) -> list[str]:
        name, _, raw = content.partition(b"\0")
        (self._skin / self._spoilt).write_bytes(self._files[self._spoilt])
        self._spoilt = name.decode("latin-1") if name.decode("latin-1") in self._files else "skin.toml"
        (self._skin / self._spoilt).write_bytes(raw)
        self._stamp += 1  # a skin is loaded again when its skin.toml is another
        os.utime(self._skin / "skin.toml", ns=(self._stamp, self._stamp))
        return ["read", str(self._board), "--skin", str(self._skin), "--json"]


class Boards(Kind):
    """Text boards for `solve`."""

    name = "solve"
    codes = frozenset({0, 2, 4})

    def good(self) -> list[bytes]:
        warm_up()
        boards = []
        for seed in range(40):
            game = Game(BEGINNER, seed=seed)
            for cell in [(4, 4), (0, 0), (8, 8), (0, 8)][: 1 + seed % 4]:
                game.open(*cell)
            boards.append(str(game.board()).encode())
        return [*boards, b"mines: 1\n#1\n11\n", b"#", b"?F.*Xx\n012345\n", str(Board.covered(16, 30, 99)).encode()]

    def spoilt(self, good: list[bytes], chance: random.Random) -> bytes:
        if chance.random() < 0.5:
            return super().spoilt(good, chance)
        board = bytearray(chance.choice(good))  # still a board, but hardly one of a game
        for _ in range(chance.choice((1, 3, 30))):
            at = chance.randrange(len(board))
            if chr(board[at]) in SYMBOLS:
                board[at] = ord(chance.choice(SYMBOLS))
        return bytes(board)

    def arguments(self, content: bytes) -> list[str]:
        file = self.folder / "board.txt"
        file.write_bytes(content)
        how = ["--explain"] if len(content) % 2 else ["--json"]
        return ["solve", str(file), "--think", "0", *how]


class Recordings(Kind):
    """Recordings for `replay`: the manifest, a picture or the bundle of a short one."""

    name = "replay"
    codes = frozenset({0, 2, 4})

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        record(folder / "whole")
        whole = folder / "whole" / "game-0001"
        self._game = folder / "game"
        self._game.mkdir()
        lines = (whole / MANIFEST).read_bytes().splitlines(keepends=True)
        self._manifest = b"".join(lines[:5])
        self._picture = (whole / "0001.png").read_bytes()
        for number in (1, 2):
            shutil.copy(whole / f"{number:04d}.png", self._game)

    def good(self) -> list[bytes]:
        bundle = io.BytesIO()
        with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as zipped:
            zipped.writestr(f"game-0001/{MANIFEST}", self._manifest)
            for file in sorted(self._game.glob("*.png")):
                zipped.write(file, f"game-0001/{file.name}")
        return [self._manifest] * 4 + [self._picture, bundle.getvalue()]

    def arguments(self, content: bytes) -> list[str]:
        kinds = {"png": content.startswith(b"\x89PNG"), "zip": content.startswith(b"PK")}
        (self._game / "0001.png").write_bytes(content if kinds["png"] else self._picture)
        (self._game / MANIFEST).write_bytes(self._manifest if any(kinds.values()) else content)
        (self.folder / "bundle.zip").write_bytes(content)
        where = self.folder / "bundle.zip" if kinds["zip"] else self._game
        page = ["--html", str(self.folder / "page.html")] if len(content) % 8 == 0 else []
        return ["replay", str(where), "--json", *page]


class SettingsFiles(Kind):
    """Settings files, which every command reads."""

    name = "settings"
    codes = frozenset({0, 2})

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        os.environ["MINEBOT_CONFIG"] = str(folder)

    def good(self) -> list[bytes]:
        return [
            b'style = "chords"\npace = "human"\nthink = 2.5\nskin = "win7"\nwindow = "Minesweeper"\nhints = "odds"\n'
            b'stop_key = "pause"\n',
            b"# nothing\n",
            b"think = 0\nwindow = \"\\u00e9\"\nstyle = 'flags'\n",
        ]

    def arguments(self, content: bytes) -> list[str]:
        (self.folder / "settings.toml").write_bytes(content)
        takes_long = ["skins", "--json"]
        return takes_long if crc32(content) % SETTINGS_A_SKIN == 0 else ["settings", "--json"]


KINDS: dict[str, type[Kind]] = {kind.name: kind for kind in (Pictures, Skins, Boards, Recordings, SettingsFiles)}


def prepared(name: str) -> Kind:
    """Return a kind with a folder of its own, on a file system in memory where there is one."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    return KINDS[name](Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-", dir=memory)))
