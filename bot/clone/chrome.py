"""What is behind, around and in front of the board: the blurred landscape, the frame, title and menu, and the dialogs.

None of it is ever read by the bot; it is there because real screenshots have it, and a reader must see past it.
"""

from __future__ import annotations

from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.clone.canvas import Colour, bgr, to_picture
from bot.clone.tiles import SEPARATOR
from bot.desktop import Rect
from bot.picture import Picture

BORDER, TITLE, MENU = 8, 30, 20
"""Heights and widths, in pixels, of the window's border, title and menu."""

DialogKind = Literal["won", "lost"]

_BUTTONS: dict[DialogKind, tuple[str, ...]] = {
    "won": ("Exit", "Play again"),
    "lost": ("Exit", "Restart this game", "Play again"),
}
_TITLES: dict[DialogKind, str] = {"won": "Game Won", "lost": "Game Lost"}
_LINES: dict[DialogKind, str] = {
    "won": "Congratulations, you won the game!",
    "lost": "Sorry, you lost this game. Better luck next time!",
}
_SIZES: dict[DialogKind, tuple[int, int]] = {"won": (327, 269), "lost": (428, 212)}


def client_offset() -> tuple[int, int]:
    """Return where the client area begins in a picture made by `paint_window`."""
    return BORDER, TITLE + MENU


def paint_window(client: Picture, title: str = "Minesweeper") -> Picture:
    """Return a client area inside a window: title, menu and border added around it."""
    height, width = client.shape[:2]
    left, top = client_offset()
    window = np.empty((height + top + BORDER, width + 2 * BORDER, 3), dtype=np.uint8)
    shine = np.linspace((235, 213, 188), (226, 190, 150), top).astype(np.uint8)
    window[:top] = shine[:, None]
    window[top:] = shine[-1]
    cv2.rectangle(window, (0, 0), (window.shape[1] - 1, window.shape[0] - 1), (74, 62, 52), 1)
    window[TITLE:top, left : left + width] = np.linspace((252, 250, 248), (240, 232, 226), MENU).astype(np.uint8)[
        :, None
    ]
    _write(window, title, (32, 20), 0.42, (20, 20, 20))
    _write(window, "Game", (left + 6, TITLE + 14), 0.4, (20, 20, 20))
    _write(window, "Help", (left + 56, TITLE + 14), 0.4, (20, 20, 20))
    cv2.circle(window, (19, 15), 6, (90, 90, 90), -1, cv2.LINE_AA)
    for number, colour in enumerate(((80, 80, 200), (205, 180, 150), (205, 180, 150))):
        right = window.shape[1] - 8 - number * 32
        if right - 30 > 140:
            cv2.rectangle(window, (right - 30, 2), (right, 19), colour, -1)
            cv2.rectangle(window, (right - 30, 2), (right, 19), (96, 84, 72), 1)
    window[top : top + height, left : left + width] = client
    return window


def dialog_rect(size: tuple[int, int], kind: DialogKind) -> Rect:
    """Return where the dialog lies over a picture of a size (width, height); it may reach beyond a small one."""
    width, height = _SIZES[kind]
    return Rect((size[0] - width) // 2, (size[1] - height) // 2, width, height)


def paint_dialog(picture: Picture, kind: DialogKind) -> Picture:
    """Return a copy of a picture with the dialog of a game's end in its middle."""
    rect = dialog_rect((picture.shape[1], picture.shape[0]), kind)
    dialog = np.full((rect.height, rect.width, 3), 240, dtype=np.uint8)
    dialog[:TITLE] = np.linspace((235, 213, 188), (226, 190, 150), TITLE).astype(np.uint8)[:, None]
    _write(dialog, _TITLES[kind], (10, 20), 0.42, (20, 20, 20))
    _write(dialog, _LINES[kind], (24, 62), 0.4, (30, 30, 30))
    won = int(kind == "won")
    for number, line in enumerate(("Time: 1 seconds", "Games played: 1", f"Games won: {won}")):
        _write(dialog, line, (24, 90 + 22 * number), 0.4, (30, 30, 30))
    _paint_buttons(dialog, _BUTTONS[kind])
    cv2.rectangle(dialog, (0, 0), (rect.width - 1, rect.height - 1), (74, 62, 52), 1)
    shown: Picture = picture.copy()
    left, top = max(rect.left, 0), max(rect.top, 0)
    visible = dialog[top - rect.top :, left - rect.left :][: shown.shape[0] - top, : shown.shape[1] - left]
    shown[top : top + visible.shape[0], left : left + visible.shape[1]] = visible
    return shown


def paint_tip(area: Picture, text: str) -> None:
    """Paint a tip over a part of the board."""
    area[:] = (225, 255, 255)
    height, width = area.shape[:2]
    cv2.rectangle(area, (0, 0), (width - 1, height - 1), (90, 90, 90), 1)
    _write(area, text, (4, height // 2 + 4), width / 400, (30, 30, 30))


def _paint_buttons(dialog: Picture, labels: tuple[str, ...]) -> None:
    height, width = dialog.shape[:2]
    each = (width - 24) // len(labels)
    for number, label in enumerate(labels):
        left, right = 16 + number * each, 16 + (number + 1) * each - 8
        default = number == len(labels) - 1
        cv2.rectangle(dialog, (left, height - 38), (right, height - 16), (250, 250, 250), -1)
        cv2.rectangle(
            dialog, (left, height - 38), (right, height - 16), (200, 140, 60) if default else (160, 160, 160), 1
        )
        _write(dialog, label, (left + max(4, (right - left - 7 * len(label)) // 2), height - 22), 0.38, (30, 30, 30))


def _write(picture: Picture, text: str, place: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    cv2.putText(picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, size, colour, 1, cv2.LINE_AA)


# Colours from top left to bottom right; between them the light is blurred.
_LIGHT: tuple[tuple[Colour, ...], ...] = (
    ((214, 225, 238), (218, 229, 240), (205, 218, 232), (210, 221, 235), (178, 192, 213), (196, 210, 226)),
    ((208, 220, 234), (212, 224, 236), (204, 217, 231), (204, 216, 230), (168, 181, 203), (188, 202, 220)),
    ((182, 195, 215), (205, 217, 231), (206, 218, 232), (196, 209, 225), (176, 190, 210), (148, 160, 181)),
    ((196, 209, 226), (200, 213, 229), (203, 215, 230), (200, 212, 228), (190, 203, 220), (160, 174, 196)),
    ((191, 206, 224), (196, 210, 227), (200, 212, 228), (198, 210, 227), (190, 204, 222), (176, 191, 211)),
)
_BEVEL: Colour = (158, 177, 196)
_HALO: Colour = (112, 128, 152)


def paint_scenery(size: tuple[int, int], board: Rect, pitch: float) -> Picture:
    """Return a client area of a size (width, height) with everything but tiles and counters."""
    pixels = np.array([[colour[::-1] for colour in line] for line in _LIGHT], dtype=np.float32)
    pixels = np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC), dtype=np.float32)
    for reach, colour, strength in (
        (0.26, _HALO, 0.35),
        (0.2, _HALO, 0.6),
        (0.14, _BEVEL, 0.9),
        (0.07, SEPARATOR, 1.0),
    ):
        _lay_ring(pixels, board, max(1, round(reach * pitch)), colour, strength)
    return to_picture(pixels)


def _lay_ring(pixels: NDArray[np.float32], board: Rect, reach: int, colour: Colour, strength: float) -> None:
    top, left = max(board.top - reach, 0), max(board.left - reach, 0)
    area = pixels[top : board.top + board.height + reach, left : board.left + board.width + reach]
    area *= 1 - strength
    area += bgr(colour) * np.float32(strength)
