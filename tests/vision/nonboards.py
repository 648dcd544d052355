"""Pictures that look a little like a board and are none: tables, calendars, keyboards, other games, walls, noise."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from bot.picture import Picture

Random = np.random.Generator
WORDS = ("Total", "Apr", "3", "17", "1", "28", "x", "2024", "OK", "Sum", "8", "0.5", "Q2", "Mo", "5", "4", "2")


def draw_nonboard(number: int) -> tuple[str, Picture]:
    """Return the kind and the picture of the non-board of that number; the same number is the same picture."""
    random = np.random.default_rng(number)
    kind = sorted(KINDS)[number % len(KINDS)]
    picture = KINDS[kind](random)
    if random.random() < 0.2:
        quality = int(random.integers(60, 95))
        picture = np.asarray(cv2.imdecode(cv2.imencode(".jpg", picture, [1, quality])[1], cv2.IMREAD_COLOR), np.uint8)
    return kind, picture


def _colour(random: Random, low: int = 0, high: int = 256) -> tuple[int, int, int]:
    blue, green, red = random.integers(low, high, 3).tolist()
    return blue, green, red


def _sheet(random: Random, width: int, height: int) -> tuple[Picture, int, int]:
    """Return an empty sheet with a ruled table of cells of that size, and the table's rows and columns."""
    sheet = np.full((600, 900, 3), _colour(random, 200, 256), dtype=np.uint8)
    rows, cols = int(random.integers(6, 20)), int(random.integers(5, 20))
    line = _colour(random, 0, 200)
    for y in range(40, 41 + rows * height, height):
        cv2.line(sheet, (40, y), (40 + cols * width, y), line, int(random.integers(1, 3)))
    for x in range(40, 41 + cols * width, width):
        cv2.line(sheet, (x, 40), (x, 40 + rows * height), line, int(random.integers(1, 3)))
    return sheet, rows, cols


def _write(sheet: Picture, random: Random, text: str, x: int, y: int, size: float) -> None:
    cv2.putText(sheet, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, _colour(random, 0, 150), 1, cv2.LINE_AA)


def _spreadsheet(random: Random) -> Picture:
    width, height = int(random.integers(30, 80)), int(random.integers(16, 26))
    sheet, rows, cols = _sheet(random, width, height)
    for row in range(rows):
        for col in range(cols):
            if random.random() < 0.6:
                _write(sheet, random, str(random.choice(WORDS)), 43 + col * width, 36 + (row + 1) * height, 0.4)
    return sheet


def _square_table(random: Random) -> Picture:
    pitch = int(random.integers(14, 50))
    sheet, rows, cols = _sheet(random, pitch, pitch)
    for row in range(rows):
        for col in range(cols):
            if random.random() < 0.7:
                digit = str(random.integers(0, 10))
                _write(
                    sheet, random, digit, 40 + col * pitch + pitch // 4, 40 + (row + 1) * pitch - pitch // 4, pitch / 40
                )
    return sheet


def _calendar(random: Random) -> Picture:
    pitch = int(random.integers(24, 70))
    sheet = np.full((pitch * 9, pitch * 9, 3), _colour(random, 180, 256), dtype=np.uint8)
    for day in range(42):
        x, y = pitch + day % 7 * pitch, pitch * 2 + day // 7 * pitch
        cv2.rectangle(sheet, (x, y), (x + pitch - 2, y + pitch - 2), _colour(random, 150, 256), -1)
        cv2.rectangle(sheet, (x, y), (x + pitch - 1, y + pitch - 1), (90, 90, 90), 1)
        _write(sheet, random, str(day % 31 + 1), x + 3, y + pitch // 2, pitch / 70)
    return sheet


def _keyboard(random: Random) -> Picture:
    pitch = int(random.integers(24, 60))
    board = np.full((pitch * 7, pitch * 16, 3), _colour(random, 20, 80), dtype=np.uint8)
    for row in range(5):
        for col in range(14):
            x, y = pitch // 2 + col * pitch + row * pitch // 4, pitch // 2 + row * pitch
            cv2.rectangle(board, (x + 2, y + 2), (x + pitch - 3, y + pitch - 3), _colour(random, 60, 200), -1)
            _write(board, random, chr(65 + (row * 14 + col) % 26), x + pitch // 4, y + pitch // 2, pitch / 60)
    return board


def _noise(random: Random) -> Picture:
    small = random.integers(0, 256, (int(random.integers(8, 60)), int(random.integers(8, 90)), 3)).astype(np.uint8)
    interpolation = [cv2.INTER_NEAREST, cv2.INTER_LINEAR, cv2.INTER_CUBIC][int(random.integers(3))]
    large = cv2.resize(small, (960, 640), interpolation=interpolation).astype(np.int16)
    return np.asarray(np.clip(large + random.normal(0, 12, large.shape), 0, 255), dtype=np.uint8)


def _wallpaper(random: Random) -> Picture:
    """Squares in shades of one colour, some with a bevel: the nearest to covered tiles that a pattern comes."""
    pitch = int(random.integers(16, 64))
    base, picture = np.array(_colour(random, 60, 220)), np.zeros((pitch * 12, pitch * 18, 3), dtype=np.uint8)
    gap = int(random.integers(0, 4))
    for row in range(12):
        for col in range(18):
            shade = np.clip(base + random.integers(-50, 50), 0, 255).tolist()
            x, y = col * pitch, row * pitch
            cv2.rectangle(picture, (x + gap, y + gap), (x + pitch - 1 - gap, y + pitch - 1 - gap), shade, -1)
    return picture


def _chess(random: Random) -> Picture:
    pitch = int(random.integers(30, 80))
    light, dark = _colour(random, 150, 256), _colour(random, 0, 150)
    board = np.zeros((pitch * 8, pitch * 8, 3), dtype=np.uint8)
    for row in range(8):
        for col in range(8):
            x, y = col * pitch, row * pitch
            cv2.rectangle(board, (x, y), (x + pitch, y + pitch), light if (row + col) % 2 else dark, -1)
            if random.random() < 0.4:
                cv2.circle(board, (x + pitch // 2, y + pitch // 2), pitch // 3, _colour(random), -1)
    return np.asarray(cv2.copyMakeBorder(board, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(60, 60, 60)), np.uint8)


def _sudoku(random: Random) -> Picture:
    pitch = int(random.integers(20, 60))
    board = np.full((pitch * 11, pitch * 11, 3), 255, dtype=np.uint8)
    for line in range(10):
        thick, at = (3 if line % 3 == 0 else 1), pitch + line * pitch
        cv2.line(board, (at, pitch), (at, pitch * 10), (0, 0, 0), thick)
        cv2.line(board, (pitch, at), (pitch * 10, at), (0, 0, 0), thick)
    for row in range(9):
        for col in range(9):
            if random.random() < 0.5:
                place = pitch + col * pitch + pitch // 3, pitch + (row + 1) * pitch - pitch // 4
                _write(board, random, str(random.integers(1, 10)), *place, pitch / 40)
    return board


def _gems(random: Random) -> Picture:
    """A match-three game: bright tiles with round figures on dark lines."""
    pitch = int(random.integers(30, 70))
    board = np.full((pitch * 10, pitch * 10, 3), (20, 15, 15), dtype=np.uint8)
    palette = [_colour(random) for _ in range(6)]
    for row in range(8):
        for col in range(8):
            x, y = pitch + col * pitch, pitch + row * pitch
            cv2.rectangle(board, (x + 2, y + 2), (x + pitch - 2, y + pitch - 2), _colour(random, 60, 120), -1)
            cv2.circle(board, (x + pitch // 2, y + pitch // 2), pitch // 3, palette[random.integers(6)], -1)
    return board


def _swatches(random: Random) -> Picture:
    """A palette of colours in a dark frame, as in a paint program."""
    pitch = int(random.integers(14, 40))
    board = np.full((pitch * 14, pitch * 20, 3), (30, 30, 30), dtype=np.uint8)
    for row in range(12):
        for col in range(18):
            hue = np.array([[[(col * 10) % 180, 255 - row * 15, 255 - row * 12]]], dtype=np.uint8)
            shade = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0].tolist()
            x, y = pitch + col * pitch, pitch + row * pitch
            cv2.rectangle(board, (x + 1, y + 1), (x + pitch - 2, y + pitch - 2), shade, -1)
    return board


def _crossword(random: Random) -> Picture:
    """Black and white squares, some with a small number in the corner or a letter."""
    pitch, size = int(random.integers(18, 44)), int(random.integers(9, 17))
    board = np.full((pitch * (size + 2), pitch * (size + 2), 3), 255, dtype=np.uint8)
    for row in range(size):
        for col in range(size):
            x, y = pitch + col * pitch, pitch + row * pitch
            filled = random.random() < 0.25
            cv2.rectangle(board, (x, y), (x + pitch, y + pitch), (0, 0, 0), -1 if filled else 1)
            if not filled and random.random() < 0.5:
                _write(board, random, str(random.integers(1, 40)), x + 2, y + pitch // 3, pitch / 90)
                _write(board, random, chr(65 + int(random.integers(26))), x + pitch // 3, y + pitch - 4, pitch / 45)
    return board


def _sliding_numbers(random: Random) -> Picture:
    """A game of 2048: rounded tiles in warm colours with large numbers."""
    pitch, size = int(random.integers(50, 80)), int(random.integers(4, 9))
    board = np.full((pitch * (size + 1), pitch * (size + 1), 3), (160, 173, 187), dtype=np.uint8)
    for row in range(size):
        for col in range(size):
            x, y = pitch // 2 + col * pitch, pitch // 2 + row * pitch
            cv2.rectangle(board, (x + 4, y + 4), (x + pitch - 4, y + pitch - 4), _colour(random, 120, 240), -1)
            if random.random() < 0.7:
                text = str(2 ** int(random.integers(1, 12)))
                _write(board, random, text, x + pitch // 5, y + 2 * pitch // 3, pitch / 70)
    return board


def _icons(random: Random) -> Picture:
    """The icons of a desktop or a folder, in rows and columns, with names below."""
    pitch = int(random.integers(48, 80))
    screen = np.full((pitch * 9, pitch * 14, 3), _colour(random), dtype=np.uint8)
    for row in range(8):
        for col in range(13):
            x, y, side = pitch // 2 + col * pitch, pitch // 2 + row * pitch, pitch // 2
            cv2.rectangle(screen, (x, y), (x + side, y + side), _colour(random), -1)
            cv2.circle(screen, (x + side // 2, y + side // 2), side // 3, _colour(random), -1)
            _write(screen, random, str(random.choice(WORDS)), x, y + side + 12, 0.35)
    return screen


def _bricks(random: Random) -> Picture:
    """A wall: every second row of stones moved by half a stone."""
    pitch = int(random.integers(16, 50))
    wall = np.full((pitch * 14, pitch * 20, 3), _colour(random, 150, 220), dtype=np.uint8)
    base = np.array(_colour(random, 40, 200))
    for row in range(14):
        for col in range(-1, 20):
            x, y = col * pitch + row % 2 * pitch // 2, row * pitch
            shade = np.clip(base + random.integers(-30, 30, 3), 0, 255).tolist()
            cv2.rectangle(wall, (x + 1, y + 1), (x + pitch - 2, y + pitch - 2), shade, -1)
            cv2.line(wall, (x + 1, y + 1), (x + pitch - 2, y + 1), (235, 235, 235), 1)
    return wall


KINDS: dict[str, Callable[[Random], Picture]] = {
    "bricks": _bricks,
    "calendar": _calendar,
    "chess": _chess,
    "crossword": _crossword,
    "gems": _gems,
    "icons": _icons,
    "keyboard": _keyboard,
    "noise": _noise,
    "sliding numbers": _sliding_numbers,
    "spreadsheet": _spreadsheet,
    "square table": _square_table,
    "sudoku": _sudoku,
    "swatches": _swatches,
    "wallpaper": _wallpaper,
}
