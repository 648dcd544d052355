"""The overlay on X11: a window without a frame, cut to the shape of the marks, through which every click falls.

The game's window is redirected to storage of its own (the Composite extension), so that what is read there never holds
the marks, nor anything else in front of the game. Other programs' screenshots do show them. Without Composite or Shape
the marked picture is shown in a window beside the game.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from Xlib import X, Xutil, error
from Xlib.ext import composite
from Xlib.protocol import rq, structs

from bot.desktop.protocols import GrabError, Rect, beside
from bot.desktop.timing import FAST
from bot.desktop.x11.connection import Connection
from bot.desktop.x11.window import find_window
from bot.picture import Picture

_BAND = 32
"""Rows of pixels that are asked for at once; Xlib's time grows with the square of an answer's length."""

_LARGEST_REQUEST = 200_000
"""Bytes of pixels sent at once; a server without large requests takes a little more."""

_BOUNDING, _INPUT, _SET, _UNSORTED = 0, 2, 0, 0
"""Numbers of the Shape extension: two of its regions, an operation and an ordering."""


class X11Overlay:
    """The `Overlay` of an X11 desktop."""

    def __init__(self, window_text: str | None, beside: bool = False) -> None:
        self._game = find_window(window_text, FAST)
        self.title = self._game.title
        self._x = Connection()
        self._window = self._x.window(self._game.identifier)
        self.in_place = not beside and self._can_be_in_place()
        self._glass: Any = None
        self._ground: Any = None
        self._painted: Picture | None = None
        self._size = (0, 0)
        self._shown = False
        self._client = self._game.client()
        if self.in_place:
            self._window.composite_redirect_window(composite.RedirectAutomatic)
            self._x.display.sync()

    def _can_be_in_place(self) -> bool:
        display = self._x.display
        if not (display.has_extension("Composite") and display.has_extension("SHAPE")):
            return False
        server = display.display
        major = server.get_extension_major(composite.extname)
        # A server keeps to the version that was agreed upon; Xlib's own call of this name can't be made.
        composite.QueryVersion(display=server, opcode=major, major_version=0, minor_version=4)
        return True

    # Seeing

    def see(self) -> Picture:
        client = self._game.client()
        if client != self._client:
            if client[2:] != self._client[2:]:
                self.clear()
            self._client = client
        self._follow()
        try:
            return self._pixels(self._window if self.in_place else self._x.root, client)
        except (error.BadMatch, error.BadWindow, error.BadDrawable) as reason:
            raise GrabError(f"the game can't be seen at {tuple(client)}") from reason

    def _pixels(self, source: Any, client: Rect) -> Picture:
        left, top = (0, 0) if self.in_place else (client.left, client.top)
        bands = []
        for row in range(0, client.height, _BAND):
            rows = min(_BAND, client.height - row)
            image = source.get_image(left, top + row, client.width, rows, X.ZPixmap, 0xFFFFFFFF)
            data = image.data  # Xlib makes a text of whatever could be one, pixels too
            raw = data.encode() if isinstance(data, str) else data
            bands.append(np.frombuffer(raw, dtype=np.uint8).reshape(rows, client.width, 4)[..., :3])
        return np.concatenate(bands)

    # Showing

    def show(self, seen: Picture, marked: Picture) -> None:
        mask = _differ(seen, marked)
        if not mask.any():
            self.clear()
            return
        height, width = mask.shape
        if self._glass is None or self._size != (width, height):
            self._make_glass(width, height)
        self._paint(marked)
        if self.in_place:
            self._cut(mask)
        self._shown = True
        self._follow()
        self._glass.map()
        self._x.display.sync()

    def clear(self) -> None:
        if self._shown and self.in_place:
            self._glass.unmap()
            self._shown = False
            self._x.display.sync()

    def close(self) -> None:
        """Take the glass away and let the game draw to the screen again."""
        self._x.close()

    def _make_glass(self, width: int, height: int) -> None:
        if self._glass is not None:
            self._glass.destroy()
            self._ground.free()
        left, top = self._place(width)
        self._size = (width, height)
        self._ground = self._x.root.create_pixmap(width, height, self._x.display.screen().root_depth)
        self._painted = None
        self._glass = self._x.root.create_window(
            left, top, width, height, 0, X.CopyFromParent, override_redirect=self.in_place, event_mask=0
        )
        self._glass.set_wm_name("minebot coach")
        self._glass.set_wm_class("minebot-coach", "minebot-coach")
        if self.in_place:
            self._let_clicks_through()
        else:
            self._glass.set_wm_normal_hints(flags=Xutil.USPosition)
            self._glass.set_wm_hints(flags=Xutil.InputHint, input=False)

    def _place(self, width: int) -> tuple[int, int]:
        """Return where the glass belongs: over the game or beside it."""
        if self.in_place:
            return self._client.left, self._client.top
        return beside(self._client, width, self._x.root.get_geometry().width)

    def _paint(self, picture: Picture) -> None:
        """Make a picture the ground of the glass, which the server then repaints by itself; send only what is new."""
        changed = np.ones(picture.shape[:2], bool) if self._painted is None else _differ(picture, self._painted)
        rows, cols = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
        if len(rows):
            top, left = int(rows[0]), int(cols[0])
            self._send(picture[top : int(rows[-1]) + 1, left : int(cols[-1]) + 1], left, top)
            self._painted = picture
        self._glass.change_attributes(background_pixmap=self._ground)
        self._glass.clear_area(0, 0, 0, 0)

    def _send(self, part: Picture, left: int, top: int) -> None:
        height, width = part.shape[:2]
        pixels = np.zeros((height, width, 4), dtype=np.uint8)
        pixels[..., :3] = part
        depth = self._x.display.screen().root_depth
        pen = self._ground.create_gc()
        rows = max(1, _LARGEST_REQUEST // (4 * width))
        for row in range(0, height, rows):
            band = pixels[row : row + rows]
            self._ground.put_image(pen, left, top + row, width, len(band), X.ZPixmap, depth, 0, band.tobytes())
        pen.free()

    def _cut(self, mask: NDArray[np.bool_]) -> None:
        """Leave of the glass only the pixels of a mask, shape (height, width)."""
        width, height = self._size
        unit = self._x.display.display.info.bitmap_format_scanline_pad
        padded = np.zeros((height, -(-width // unit) * unit), dtype=np.uint8)
        padded[:, :width] = mask
        order: Literal["little", "big"] = (
            "little" if self._x.display.display.info.bitmap_format_bit_order == 0 else "big"
        )
        bits = np.packbits(padded, axis=1, bitorder=order)
        bitmap = self._x.root.create_pixmap(width, height, 1)
        pen = bitmap.create_gc(foreground=1, background=0)
        bitmap.put_image(pen, 0, 0, width, height, X.XYPixmap, 1, 0, bits.tobytes())
        self._glass.shape_mask(_SET, _BOUNDING, 0, 0, bitmap)
        pen.free()
        bitmap.free()

    def _let_clicks_through(self) -> None:
        """Give the glass an empty shape for input."""
        server = self._x.display.display
        _InputShape(
            display=server, opcode=server.get_extension_major("SHAPE"), operation=_SET, region=_INPUT,
            ordering=_UNSORTED, window=self._glass.id, x=0, y=0, rectangles=[],
        )  # fmt: skip

    def _follow(self) -> None:
        """Keep the glass where the game is, and right above it: below whatever covers the game."""
        if self._glass is None or not self.in_place:
            return
        with suppress(error.BadWindow):
            frame = self._window
            while (parent := frame.query_tree().parent) not in (X.NONE, self._x.root):
                frame = parent
            self._glass.configure(x=self._client.left, y=self._client.top, sibling=frame, stack_mode=X.Above)
            self._x.display.flush()


def _differ(one: Picture, other: Picture) -> NDArray[np.bool_]:
    """Return which pixels of two pictures differ, shape (height, width)."""
    channels = one != other
    mask: NDArray[np.bool_] = channels[..., 0] | channels[..., 1] | channels[..., 2]  # any() takes ten times as long
    return mask


class _InputShape(rq.Request):  # type: ignore[misc]
    """ShapeRectangles for any region; the one of Xlib does not know that of input."""

    _request = rq.Struct(
        rq.Card8("opcode"),
        rq.Opcode(1),
        rq.RequestLength(),
        rq.Card8("operation"),
        rq.Card8("region"),
        rq.Card8("ordering"),
        rq.Pad(1),
        rq.Window("window"),
        rq.Int16("x"),
        rq.Int16("y"),
        rq.List("rectangles", structs.Rectangle),
    )
