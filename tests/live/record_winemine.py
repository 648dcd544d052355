"""Records WineMine: the skin `templates/winemine` and the fixtures `fixtures/screenshots/winemine`.

Run `python -m tests.live.record_winemine` on a machine with Xvfb, openbox and Wine; it takes about a minute and
overwrites both. No label is typed in: what each tile shows follows from what was clicked and from the rules. WineMine
paints a tile the same to the last pixel every time, so equal tiles are equal cells; a tile that two games label
differently ends the recording with an error.
"""

from __future__ import annotations

import random
from pathlib import Path

import cv2
import numpy as np

from bot import solver
from bot.board import SYMBOLS, Board, Cell, count_around
from bot.desktop import open_desktop
from bot.desktop.timing import FAST, Seconds, wait_until
from bot.level import LEVELS, Level
from bot.picture import Picture
from bot.vision.skin import GLYPHS, CounterLook, Skin
from tests.live import stage
from tests.live.winemine_board import STANDSTILL, TILE, WineMineBoard

ROOT = Path(__file__).parents[2]
FIXTURES = ROOT / "fixtures" / "screenshots" / "winemine"

FRONT = "#F?"
MINES = ("*", "X", "F")


class Book:
    """What each tile and digit looks like, learnt while playing."""

    def __init__(self) -> None:
        self.pictures: dict[str, Picture] = {}
        self._symbols: dict[bytes, str] = {}

    def learn(self, symbol: str, picture: Picture) -> None:
        """Remember a picture. It must be new, or have been learnt as the same symbol."""
        known = self._symbols.setdefault(picture.tobytes(), symbol)
        assert known == symbol, f'a tile was taken for "{known}" and now for "{symbol}"'
        self.pictures.setdefault(symbol, picture.copy())
        assert np.array_equal(self.pictures[symbol], picture), f'"{symbol}" has two looks'

    def symbol(self, picture: Picture) -> str | None:
        """Return what a picture shows, or None when it was never learnt."""
        return self._symbols.get(picture.tobytes())

    def board(self, tiles: dict[tuple[int, int], Picture], level: Level) -> Board:
        """Return the board of a picture; every tile must have been learnt."""
        cells = np.zeros((level.rows, level.cols), dtype=np.uint8)
        for place, picture in tiles.items():
            symbol = self.symbol(picture)
            assert symbol is not None, f"a tile at {place} was never learnt"
            cells[place] = SYMBOLS.index(symbol)
        return Board(cells, level.mines)


def learn_marks(game: WineMineBoard, book: Book) -> None:
    """A fresh tile is covered; right clicks make it a flag, a question mark and covered again."""
    game.new()
    for symbol in FRONT + FRONT[0]:
        book.learn(symbol, game.tiles(game.look())[0, 0])
        game.click(0, 0, "right")


def learn_from_a_loss(game: WineMineBoard, book: Book, dice: random.Random) -> None:
    """Flag some tiles, click at random until the smiley dies, and label what is new by the rules.

    What was hidden and has changed is a mine, the clicked one the mine that went off and a changed flag a wrong one.
    With all mines in sight, an open tile's number is the count of those around it.
    """
    level = game.level
    places = [(row, col) for row in range(level.rows) for col in range(level.cols)]
    game.new()
    for place in dice.sample(places, 6):
        game.click(*place, "right")
    before, clicked = game.tiles(game.look()), places[0]
    while not game.over():
        before = game.tiles(game.look())
        clicked = dice.choice([place for place in places if book.symbol(before[place]) == "#"])
        game.click(*clicked)
    wait_until(lambda: not np.array_equal(before[clicked], game.tiles(game.look())[clicked]), Seconds(1), STANDSTILL)
    after = game.tiles(game.look())
    if sum(not np.array_equal(before[place], after[place]) for place in places) < 2:
        return  # won, or lost with nothing else to show
    book.learn("X", after[clicked])
    hidden_before = {place for place in places if book.symbol(before[place]) in ("#", "F", "?")}
    for place in hidden_before - {clicked}:
        if not np.array_equal(before[place], after[place]):
            book.learn("x" if book.symbol(before[place]) == "F" else "*", after[place])
    mines = np.zeros((level.rows, level.cols), dtype=np.bool_)
    for place in hidden_before:
        mines[place] = book.symbol(after[place]) in MINES
    around = count_around(mines)
    for place in set(places) - hidden_before:
        book.learn(str(around[place]), after[place])


def learn_digits(game: WineMineBoard, book: Book) -> None:
    """Flag tile after tile; the counter goes down by one each time, through all digits and below zero."""
    game.new()
    left = game.level.mines
    for row in range(game.level.rows):
        for col in range(game.level.cols):
            for symbol, digit in zip(f"{left:03d}", game.mines_left(game.look()), strict=True):
                book.learn(symbol, digit)
            if set(GLYPHS) <= set(book.pictures):
                return
            game.click(row, col, "right")
            left -= 1


def winemine_skin(tiles: Book, digits: Book) -> Skin:
    """Return the skin made of what was learnt."""
    glyphs = np.array([digits.pictures[symbol].max(axis=2) for symbol in GLYPHS], dtype=np.uint8)
    pictures = {SYMBOLS.index(symbol): picture[np.newaxis] for symbol, picture in tiles.pictures.items()}
    return Skin("winemine", "WineMine", TILE, pictures, CounterLook("above", "right", (glyphs,)))


def learn() -> tuple[Book, Book]:
    """Play until every tile and every digit has been seen."""
    tiles, digits, dice = Book(), Book(), random.Random(7)
    wanted = set(SYMBOLS) - {"."}
    for level in (Level(9, 9, 10), Level(9, 9, 35), Level(9, 9, 62)):
        with stage.winemine(level, marks=True):
            game = WineMineBoard(open_desktop("winemine", FAST), level)
            learn_marks(game, tiles)
            for _ in range(40):
                learn_from_a_loss(game, tiles, dice)
                if wanted <= set(tiles.pictures):
                    break
    assert wanted <= set(tiles.pictures), f"never seen: {wanted - set(tiles.pictures)}"
    with stage.winemine(LEVELS["beginner"]):
        learn_digits(WineMineBoard(open_desktop("winemine", FAST), LEVELS["beginner"]), digits)
    return tiles, digits


class Recorder:
    """Writes what a game shows, and the board it is, as a pair of fixture files."""

    def __init__(self, game: WineMineBoard, tiles: Book) -> None:
        self.game = game
        self._tiles = tiles

    def board(self) -> Board:
        """Return the board as it is now."""
        return self._tiles.board(self.game.tiles(self.game.look()), self.game.level)

    def save(self, name: str, rows_cut_off: int = 0) -> None:
        """Write NAME.png and NAME.txt, with some rows of pixels cut off at the top."""
        FIXTURES.mkdir(parents=True, exist_ok=True)
        board, picture = self.board(), self.game.look()
        cv2.imwrite(str(FIXTURES / f"{name}.png"), picture[rows_cut_off:])
        (FIXTURES / f"{name}.txt").write_text(f"{board}\n", encoding="utf-8")

    def mark(self, places: list[tuple[int, int]], right_clicks: int) -> None:
        """Flag some tiles, or question-mark them with two clicks."""
        for place in places * right_clicks:
            self.game.click(*place, "right")

    def play(self, until_open: float = 1.0) -> bool:
        """Play well until a share of the safe tiles is open or the game is over; return whether it is over."""
        safe_tiles = self.game.level.rows * self.game.level.cols - self.game.level.mines
        while not self.game.over():
            board = self.board()
            if np.count_nonzero(board.cells <= 8) >= until_open * safe_tiles:
                return False
            decision = solver.decide(board, strategy="csp", rule="safe", explain=False)
            if decision.move is None:  # the smiley was looked at before the last tile was painted
                assert wait_until(self.game.over, Seconds(1), STANDSTILL)
                return True
            self.game.click_all(list(decision.safe) or [(decision.move.row, decision.move.col)])
        return True

    def play_to(self, result: str) -> None:
        """Play new games until one is "won" or "lost"."""
        while True:
            self.game.new()
            self.play()
            lost = bool((self.board().cells == Cell.EXPLODED).any())
            if lost == (result == "lost"):
                return


def record_beginner(tiles: Book) -> None:
    """The small board in all its states."""
    with stage.winemine(LEVELS["beginner"], marks=True):
        recorder = Recorder(WineMineBoard(open_desktop("winemine", FAST), LEVELS["beginner"]), tiles)
        recorder.game.new()
        recorder.save("beginner-covered")
        recorder.mark([(0, 0), (0, 8), (4, 4)], 1)
        recorder.mark([(8, 0), (8, 8)], 2)
        recorder.save("flags-and-question-marks-before-the-first-click")
        recorder.mark([(row, col) for row in (2, 3) for col in range(9)], 1)
        recorder.save("more-flags-than-mines")
        recorder.game.new()
        recorder.play(until_open=0.4)
        recorder.save("beginner-under-way")
        recorder.play_to("won")
        recorder.save("beginner-won")
        while "x" not in str(recorder.board()):
            recorder.game.new()
            recorder.mark([(row, col) for row in (1, 4, 7) for col in (1, 4, 7)], 1)
            while not recorder.game.over():
                row, col = np.argwhere(recorder.board().cells == Cell.COVERED)[0]
                recorder.game.click(int(row), int(col))
        recorder.save("lost-with-wrong-flags")


def record_larger_boards(tiles: Book) -> None:
    """Other sizes, the menu cut off as Windows sees it, and a board crowded with high numbers."""
    with stage.winemine(LEVELS["intermediate"]):
        recorder = Recorder(WineMineBoard(open_desktop("winemine", FAST), LEVELS["intermediate"]), tiles)
        recorder.play_to("lost")
        recorder.save("intermediate-lost")
    with stage.winemine(LEVELS["expert"]):
        recorder = Recorder(WineMineBoard(open_desktop("winemine", FAST), LEVELS["expert"]), tiles)
        while recorder.play(until_open=0.5):
            recorder.game.new()
        recorder.save("expert-under-way")
        recorder.save("expert-without-its-menu", recorder.game.menu)
        recorder.play_to("won")
        recorder.save("expert-won")
    crowded = Level(9, 9, 27)
    with stage.winemine(crowded):
        recorder = Recorder(WineMineBoard(open_desktop("winemine", FAST), crowded), tiles)
        while np.isin(recorder.board().cells, (5, 6, 7, 8)).sum() < 4:
            recorder.game.new()
            recorder.play()
        recorder.save("crowded")


if __name__ == "__main__":
    with stage.screen():
        tiles, digits = learn()
        winemine_skin(tiles, digits).save(ROOT / "templates" / "winemine")
        record_beginner(tiles)
        record_larger_boards(tiles)
