"""A headless Chromium, spoken to through a pipe: what a person's browser does with a page of ours."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

MESSAGES_IN, MESSAGES_OUT = 3, 4
"""The descriptors on which Chromium listens and answers."""

CTRL = 2
"""Among the modifiers of a key."""

OFFLINE = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic")
"""By itself Chromium asks its maker for updates as soon as it starts."""


class Browser:
    """One page in a browser."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = os.fdopen(to_browser, "wb", buffering=0), os.fdopen(from_browser, "rb")
        self._number = 0
        self._session: str | None = None
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._ask("Page.enable")
        self._ask("Network.enable")
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self._ask("Runtime.enable")
        self._ask("Log.enable")

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its answer, noting what happens in between."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        self._to.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer["error"]
                return dict(answer["result"])

    def _next(self) -> dict[str, Any]:
        raw = bytearray()
        while (byte := self._from.read(1)) != b"\0":
            assert byte, "Chromium is gone"
            raw += byte
        message: dict[str, Any] = json.loads(raw)
        details = message.get("params", {})
        if message.get("method") == "Network.requestWillBeSent":
            self.requests.append(details["request"]["url"])
        if message.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.complaints.append(json.dumps(details))
        return message

    def open(self, page: Path | str, fragment: str = "") -> None:
        """Open a page, a file or an address, and wait until it is there."""
        address = page if isinstance(page, str) else page.as_uri()
        self._ask("Page.navigate", url="about:blank")  # so that another fragment is another visit
        self._ask("Page.navigate", url=address + fragment)
        while self.value("document.readyState") != "complete":
            pass

    def until(self, expression: str, seconds: float = 30.0) -> Any:
        """Return what an expression gives as soon as that is something true; fail after so long."""
        deadline = time.monotonic() + seconds
        while not (value := self.value(expression)):
            assert time.monotonic() < deadline, f"never true: {expression}"
            time.sleep(0.02)
        return value

    def resize(self, width: int, height: int, dark: bool = False) -> None:
        """Show the page on a screen of a size, by day or by night."""
        self._ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._ask("Emulation.setEmulatedMedia", features=[scheme])

    def allow_clipboard(self, origin: str) -> None:
        """Let pages of an origin use the clipboard, as a person who is asked would."""
        session, self._session = self._session, None
        self._ask(
            "Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"], origin=origin
        )
        self._session = session
        self._ask("Emulation.setFocusEmulationEnabled", enabled=True)

    def paste(self) -> None:
        """Press Ctrl+V."""
        key = {"key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86, "modifiers": CTRL}
        self._ask("Input.dispatchKeyEvent", type="keyDown", commands=["paste"], **key)
        self._ask("Input.dispatchKeyEvent", type="keyUp", **key)

    def drop(self, *files: Path) -> None:
        """Drop files onto the page, as from a file manager."""
        data = {"items": [], "files": [str(file) for file in files], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self._ask("Input.dispatchDragEvent", type=kind, x=200, y=300, data=data)

    def point(self, x: float, y: float) -> None:
        """Move the pointer to a place of the page."""
        self._ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def value(self, expression: str) -> Any:
        """Return what an expression of JavaScript gives, waiting for promises."""
        result = self._ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def press(self, key: str, modifiers: int = 0) -> None:
        """Press and release a key."""
        for kind in ("keyDown", "keyUp"):
            self._ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, modifiers=modifiers)

    def click(self, x: float, y: float, button: str = "left") -> None:
        """Click at a place of the page."""
        for kind in ("mousePressed", "mouseReleased"):
            self._ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, clickCount=1)

    def screenshot(self) -> bytes:
        """Return what is seen, as a PNG."""
        return base64.b64decode(self._ask("Page.captureScreenshot", format="png")["data"])

    def close(self) -> None:
        """Let go of the pipes; Chromium ends by itself then."""
        self._to.close()
        self._from.close()


@contextmanager
def browser(size: tuple[int, int] = (1280, 800)) -> Iterator[Browser]:
    """A browser for the length of the block."""
    assert PROGRAM is not None
    assert sys.platform != "win32"
    to_child, to_browser = os.pipe()
    from_browser, from_child = os.pipe()

    def plug_in() -> None:
        # Copies first, to high numbers, so that neither pipe is overwritten by the other.
        ends = [os.dup(to_child), os.dup(from_child)]
        high = [os.dup2(end, 100 + number, inheritable=False) for number, end in enumerate(ends)]
        os.dup2(high[0], MESSAGES_IN)
        os.dup2(high[1], MESSAGES_OUT)

    with tempfile.TemporaryDirectory(prefix="minebot-browser-", ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [PROGRAM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             *OFFLINE, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            pass_fds=(MESSAGES_IN, MESSAGES_OUT), preexec_fn=plug_in,
        )  # fmt: skip
        os.close(to_child)
        os.close(from_child)
        shown = Browser(to_browser, from_browser)
        try:
            yield shown
        finally:
            shown.close()
            process.terminate()
            process.wait()
