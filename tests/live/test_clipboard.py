"""The picture in the clipboard, asked of a program that holds it on a real X server."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import numpy as np
import pytest

from bot import picture
from bot.board import Board
from bot.cli import run
from bot.desktop.timing import wait_until
from tests.live import stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the clipboard of X11")

SHOT = stage.ROOT / "fixtures" / "screenshots" / "clone" / "default-size-midgame.png"


@pytest.fixture(scope="module")
def x_display() -> Iterator[str]:
    from bot.desktop.x11.connection import Connection

    with stage.x_server("640x480x24") as display, pytest.MonkeyPatch.context() as patch:
        patch.setenv("DISPLAY", display)
        desktop = Connection()  # a server whose last program leaves starts anew, and turns the next ones away meanwhile
        yield display
        desktop.close()


@pytest.fixture(autouse=True)
def on_the_display(x_display: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", x_display)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)


class Owner:
    """A program in which something was copied: it answers as the ICCCM asks, with `part` bytes at a time if given."""

    def __init__(self, content: dict[str, bytes], part: int | None, silent: bool) -> None:
        from Xlib import X

        from bot.desktop.x11.connection import Connection

        self._connection = Connection()
        self._x: Any = self._connection.display
        self._window = self._x.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        self._content = {self._x.intern_atom(kind): raw for kind, raw in content.items()}
        self._part, self._silent = part, silent
        self._parts: dict[
            tuple[int, int], tuple[int, list[bytes]]
        ] = {}  # by window and property, what is still to come
        clipboard = self._x.intern_atom("CLIPBOARD")
        self._window.set_selection_owner(clipboard, X.CurrentTime)
        self._x.sync()
        assert self._x.get_selection_owner(clipboard) == self._window
        self.ended = threading.Event()

    def serve(self) -> None:
        from Xlib import X

        while not self.ended.wait(0.002):
            while self._x.pending_events():
                event = self._x.next_event()
                if event.type == X.SelectionRequest and not self._silent:
                    self._answer(event)
                elif event.type == X.PropertyNotify and event.state == X.PropertyDelete:
                    self._hand_on(event)
        self._connection.close()

    def _answer(self, request: Any) -> None:
        from Xlib import X, Xatom
        from Xlib.protocol.event import SelectionNotify

        place = request.property
        asked = self._x.create_resource_object("window", request.requestor.id)
        if request.target == self._x.intern_atom("TARGETS"):
            asked.change_property(place, Xatom.ATOM, 32, [request.target, *self._content])
        elif request.target not in self._content:
            place = X.NONE
        elif self._part is None:
            asked.change_property(place, request.target, 8, self._content[request.target])
        else:
            raw, size = self._content[request.target], self._part
            parts = [raw[at : at + size] for at in range(0, len(raw), size)]
            self._parts[asked.id, place] = request.target, [*parts, b""]
            asked.change_attributes(event_mask=X.PropertyChangeMask)
            asked.change_property(place, self._x.intern_atom("INCR"), 32, [len(raw)])
        told = SelectionNotify(
            time=request.time, requestor=asked, selection=request.selection, target=request.target, property=place
        )
        asked.send_event(told)
        self._x.flush()

    def _hand_on(self, event: Any) -> None:
        kind, parts = self._parts.get((event.window.id, event.atom), (0, []))
        if parts:
            event.window.change_property(event.atom, kind, 8, parts.pop(0))
            self._x.flush()


@contextmanager
def copied(content: dict[str, bytes], part: int | None = None, silent: bool = False) -> Iterator[None]:
    owner = Owner(content, part, silent)
    thread = threading.Thread(target=owner.serve)
    thread.start()
    try:
        yield
    finally:
        owner.ended.set()
        thread.join()


@pytest.mark.parametrize("part", [None, 1000, 65_536])
@pytest.mark.parametrize("kind", ["image/png", "image/bmp"])
def test_a_copied_screenshot_is_answered(kind: str, part: int | None, capsys: pytest.CaptureFixture[str]) -> None:
    raw = cv2.imencode(f".{kind[6:]}", picture.load(SHOT))[1].tobytes()
    if part is None and len(raw) > 200_000:
        part = 200_000  # more does not fit into one request, whoever holds the clipboard
    with copied({"text/plain": b"shot", kind: raw}, part):
        assert run(["dry-run", "--clipboard", "--json", "--think", "0"]) == 0
    told = json.loads(capsys.readouterr().out)
    truth = Board.parse(SHOT.with_suffix(".txt").read_text())
    assert told["reading"]["image"] == "clipboard"
    assert told["reading"]["cells"] == str(Board(truth.cells)).splitlines()
    assert told["move"] is not None


def test_the_best_form_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with copied({"image/bmp": b"nonsense", "image/png": SHOT.read_bytes()}, 50_000):
        assert run(["read", "--clipboard"]) == 0
    assert Board.parse(capsys.readouterr().out) == Board.parse(SHOT.with_suffix(".txt").read_text())


def test_what_is_not_there_is_said_with_what_to_do(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(code: int = 3) -> str:
        assert run(["dry-run", "--clipboard"]) == code
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        return said

    assert "the clipboard is empty" in refused()
    with copied({"text/plain": b"only words"}):
        assert "no picture in the clipboard: copy a screenshot" in refused()
    with copied({"image/png": b"no picture at all"}):
        assert '"clipboard" is not a PNG' in refused(2)
    empty = np.full((300, 400, 3), 200, np.uint8)
    with copied({"image/png": cv2.imencode(".png", empty)[1].tobytes()}):
        assert 'no board found in "clipboard"' in refused()
    monkeypatch.setattr("bot.desktop.x11.connection.ANSWER_TIMEOUT", 0.2)
    with copied({"image/png": SHOT.read_bytes()}, silent=True):
        assert "does not answer" in refused()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert wait_until(lambda: "wl-paste" in refused(), stage.START_TIMEOUT, stage.POLL)
    monkeypatch.delenv("DISPLAY")
    assert "wl-paste --type image/png | minebot dry-run -" in refused()
