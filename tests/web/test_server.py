"""Who is let in, how much is taken, and when the server ends."""

import http.client
import json
import signal
import socket
import struct
import subprocess
import sys
import time
import zlib
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from bot.web.answers import LARGEST_UPLOAD, RequestError
from bot.web.server import GRACE, HEADERS, LARGEST_QUESTION, LONGEST_NAME, Presence, Server
from tests.program import ROOT, started
from tests.web.conftest import Client

PATIENCE = 90.0
"""Seconds a program may take to start or end on a busy machine."""

QUESTION = json.dumps({"board": "mines: 1\n##\n11"}).encode()


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that claims to be as large as one likes."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


def test_the_page_may_do_nothing_but_its_own(client: Client) -> None:
    status, headers, body = client.request("GET", client.path)
    assert status == 200
    assert b"{{" not in body
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/", "/analyse", "/wrong/analyse", "/alive", "/start", "/%2e%2e/", "//"])
def test_without_the_secret_there_is_nothing(path: str, client: Client) -> None:
    for method in ("GET", "POST"):
        status, headers, body = client.request(method, path, QUESTION)
        assert (status, body) == (404, b"")
        assert "content-security-policy" not in headers


def test_a_part_of_the_secret_is_not_enough(client: Client) -> None:
    for path in (client.path[:-2] + "/", client.path[:-1] + "x/", client.path.rstrip("/"), client.path.upper()):
        assert client.request("GET", path)[0] == 404


def test_the_address_that_a_browser_is_opened_with_leads_to_the_page_once() -> None:
    with Server({"kind": "nothing"}) as server:
        client, once = Client(server.address), urlsplit(server.once).path
        assert client.request("GET", once, b"", {"Host": "evil.example"})[0] == 404
        assert client.request("POST", once)[0] == 404
        status, headers, _ = client.request("GET", once)
        assert (status, headers["location"]) == (303, client.path)
        assert client.request("GET", once)[0] == 404
        assert client.request("GET", client.path)[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "empty"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Dest": "empty"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "iframe"},
    ],
)
def test_another_page_gets_nothing_even_with_the_secret(headers: dict[str, str], client: Client) -> None:
    assert client.request("POST", client.path + "analyse", QUESTION, headers)[0] == 404
    assert client.request("GET", client.path, b"", headers)[0] == 404


def test_a_link_to_the_page_may_be_followed_and_nothing_else_asked_for_so(client: Client) -> None:
    headers = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
    assert client.request("GET", client.path, b"", headers)[0] == 200
    assert client.request("POST", client.path + "analyse", QUESTION, headers)[0] == 404


def test_this_computer_may_be_called_by_either_of_its_names(client: Client) -> None:
    port = client.host.split(":")[1]
    for name in ("127.0.0.1", "localhost"):
        own = {"Host": f"{name}:{port}", "Origin": f"http://{name}:{port}", "Sec-Fetch-Site": "same-origin"}
        assert client.request("POST", client.path + "analyse", QUESTION, own)[0] == 200


def test_a_refusal_tells_no_more_than_an_answer_may(client: Client) -> None:
    for path in ("/", client.path):
        _, headers, _ = client.request("GET", path)
        assert {name: headers.get(name) for name in HEADERS} == HEADERS


def test_of_a_long_name_only_the_beginning_is_told_again(client: Client) -> None:
    for name, told in (("n" * 300, "n" * LONGEST_NAME), ("", "the picture"), ("b%20c", "b c")):
        _, document = client.upload(name, b"Dear bot")
        assert f'"{told}"' in document["error"]


def test_a_port_that_is_taken_is_told(client: Client) -> None:
    port = int(client.host.split(":")[1])
    with pytest.raises(RequestError, match=f"can't serve at port {port}"):
        Server({"kind": "nothing"}, port=port)


def test_no_path_leads_to_a_file(client: Client) -> None:
    for path in ("../../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "page.html", "page/page.js", "//etc/passwd"):
        assert client.request("GET", client.path + path)[0] == 404


def test_a_body_that_is_too_large_is_refused_before_it_is_read(client: Client) -> None:
    for name, most in (("analyse", LARGEST_QUESTION), ("read", LARGEST_UPLOAD), ("teach", LARGEST_UPLOAD)):
        connection = http.client.HTTPConnection(client.host, timeout=60)
        with closing(connection):
            connection.putrequest("POST", client.path + name)
            connection.putheader("Content-Length", str(most + 1))
            connection.endheaders()  # and nothing of the body
            answer = connection.getresponse()
            assert answer.status == 413
            assert "too large" in json.loads(answer.read())["error"]


def test_a_body_without_an_announced_end_is_bounded_too(client: Client) -> None:
    name, port = client.host.split(":")
    with socket.create_connection((name, int(port)), timeout=60) as line:
        head = f"POST {client.path}analyse HTTP/1.1\r\nHost: {client.host}\r\nTransfer-Encoding: chunked\r\n\r\n"
        line.sendall(head.encode())
        piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
        for _ in range(LARGEST_QUESTION // 0x10000 + 2):
            line.sendall(piece)
        assert b" 413 " in line.recv(100)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (bomb(50_000, 50_000), "too large for a screenshot"),
        (bomb(300, 200), "damaged"),
        (b"Dear bot,\nhow are you?\n", 'drop" is no board'),
        (b"\xff\xfe\x00", "neither a picture nor a recording nor a text"),
        (b"PK\x03\x04nonsense", "no bundle of a recording"),
        (b'{"format": 1}\n', "recording"),
        (b"", "empty"),
    ],
    ids=["bomb", "cut-off", "letter", "bytes", "zip", "json", "nothing"],
)
def test_what_is_no_board_is_refused_in_a_sentence(raw: bytes, why: str, client: Client) -> None:
    status, document = client.upload("drop", raw)
    assert status == 422
    assert why in document["error"]
    assert "\n" not in document["error"]


@pytest.mark.parametrize(
    "question",
    ["", "[]", "{}", '{"board": 5}', '{"board": "#", "rule": "any"}', '{"board": "#", "cut": ["up"]}', "[" * 100_000,
     json.dumps({"board": "#" * 300})],
)  # fmt: skip
def test_nonsense_is_refused_in_a_sentence(question: str, client: Client) -> None:
    for name in ("analyse", "practice", "click", "learn", "think"):
        status, _, body = client.request("POST", client.path + name, question.encode())
        assert status == 422, body
        assert "bug" not in json.loads(body)["error"]


def test_a_server_is_left_alone_only_some_time_after_its_last_page() -> None:
    now = 0.0
    presence = Presence(lambda: now)
    now = 1e6
    assert not presence.gone  # nobody has come yet
    presence.come()
    presence.come()
    presence.go()
    now += 2 * GRACE
    assert not presence.gone
    presence.go()
    assert not presence.gone
    now += GRACE / 2
    presence.come()  # loaded anew
    now += 2 * GRACE
    presence.go()
    now += 2 * GRACE
    assert presence.gone


def address_of(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return str(json.loads(process.stdout.readline())["address"])


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends programs no signals but Ctrl-C")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_it_while_a_page_is_open(number: int, code: int) -> None:
    with started("analyse", "--no-browser", "--json") as process:
        address = urlsplit(address_of(process))
        with closing(http.client.HTTPConnection(address.netloc, timeout=PATIENCE)) as connection:
            connection.request("GET", address.path + "alive")
            assert connection.getresponse().read(1) == b"\n"
            began = time.monotonic()
            process.send_signal(number)
            out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out) == (code, "")
        assert len(err.strip().splitlines()) == 1
        assert "minebot: stopped: " in err
        assert time.monotonic() - began < PATIENCE


def test_it_ends_by_itself_when_its_page_has_gone() -> None:
    with started("analyse", "--no-browser", "--json") as process:
        address = urlsplit(address_of(process))
        connection = http.client.HTTPConnection(address.netloc, timeout=PATIENCE)
        with closing(connection):
            connection.request("GET", address.path + "alive")
            assert connection.getresponse().read(1) == b"\n"
        assert process.wait(timeout=PATIENCE) == 0


def test_a_file_that_cant_be_read_is_told_before_anything_is_served(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear bot,\n", encoding="utf-8")
    for name, why in (("none.png", "can't read"), ("letter.txt", "is no board"), (".", "is no recording")):
        with started("analyse", str(tmp_path / name), "--no-browser") as process:
            out, err = process.communicate(timeout=PATIENCE)
        assert (process.returncode, out, len(err.splitlines())) == (2, "", 1), err
        assert why in err


def test_a_missing_extra_is_told_with_the_way_to_install_it() -> None:
    code = "import sys; sys.modules['uvicorn'] = None; from bot.cli import run; sys.exit(run(['analyse']))"
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 2
    assert "minesweeper-bot[web]" in ran.stderr
    assert len(ran.stderr.splitlines()) == 1
