"""A server of its own for each test module that asks for one, and its page in a real browser."""

import http.client
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from bot.web.server import Server
from tests.browser import PROGRAM, Browser, browser

FIXTURES = Path(__file__).parents[2] / "fixtures" / "screenshots"


class Client:
    """Somebody who knows the address."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        self.address, self.host, self.path = address, parts.netloc, parts.path

    def request(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """Return the status, the headers and the body of an answer; `path` is as it stands."""
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def ask(self, name: str, document: Any) -> Any:
        """Return the answer to a question in JSON."""
        status, _, body = self.request("POST", self.path + name, json.dumps(document).encode())
        assert status == 200, body
        return json.loads(body)

    def upload(self, name: str, raw: bytes) -> tuple[int, Any]:
        """Return the status and the document for a file's bytes."""
        status, _, body = self.request("POST", self.path + "read", raw, {"x-name": name})
        return status, json.loads(body)


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with Server({"kind": "nothing"}) as server:
        yield Client(server.address)


@pytest.fixture(scope="module")
def shown(client: Client) -> Iterator[Browser]:
    """The page in a browser."""
    if PROGRAM is None:
        reason = "the page is tested in Chromium, which is not installed"
        pytest.fail(reason) if os.environ.get("MINEBOT_LIVE") == "1" else pytest.skip(reason)
    with browser((1280, 900)) as opened:
        opened.allow_clipboard(f"http://{client.host}")
        yield opened
