"""The page and its answers, on the loopback address and for nobody else.

Promises: a request without the secret in its path, for another host name, or from another page gets an empty 404, so
that neither other users of this computer nor other pages in the browser learn anything. No path leads to a file. Every
body is bounded before it is read. The server ends when it is told to, or some seconds after its last page has gone.

Whatever takes time runs in threads of its own, a kind of work each: what a person waits for is never behind a thought.
"""

from __future__ import annotations

import asyncio
import base64
import hmac
import json
import logging
import secrets
import socket
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar
from urllib.parse import unquote

import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot import __version__, solver
from bot.board import SYMBOLS
from bot.desktop.timing import Seconds, pause
from bot.errors import MinebotError
from bot.level import LEVELS
from bot.vision.reader import Reader
from bot.web.answers import (
    LARGEST_UPLOAD,
    LINK_SYMBOLS,
    Question,
    RequestError,
    analysis,
    document_of,
    picture_document,
    thoughts,
)
from bot.web.html import filled, hash_of, sheet
from bot.web.practice import Lesson, Practices

HOST = "127.0.0.1"

LARGEST_QUESTION = 2**20
"""Bytes; the text of the largest board is a sixteenth of that."""

LONGEST_NAME = 200
"""Characters of a file's name that are told again."""

GRACE = 5.0
"""Seconds without any page after which the server ends: a page that is loaded anew takes less."""

BEAT = 0.25
"""Seconds between two looks whether a page, or whoever waits for a thought, is still there."""

STARTED_POLL, GONE_POLL = Seconds(0.01), Seconds(0.1)
"""Between two looks whether the server has started, and whether anybody is left."""

STANDS_STILL, MOST_LOOKS = Seconds(0.05), 60
"""Seconds between two looks that must be equal, longer than a tick of the game; and how many there are at most, which
outlasts a board that is being dealt."""

HEADERS = {
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Of every answer: nothing is kept, framed, embedded, guessed at or told to other pages."""

Result = TypeVar("Result")
Said = TypeVar("Said")
Endpoint = Callable[[Request], Awaitable[Response]]


class Presence:
    """Who is there: each page keeps one request open for as long as it lives."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._pages = 0
        self._left: float | None = None

    def come(self) -> None:
        """Note that a page has come."""
        self._pages += 1
        self._left = None

    def go(self) -> None:
        """Note that a page has gone."""
        self._pages -= 1
        if self._pages == 0:
            self._left = self._now()

    @property
    def gone(self) -> bool:
        """Whether there were pages and have been none for a while."""
        return self._left is not None and self._now() - self._left > GRACE


class Guard:
    """Lets requests through that only the page itself can make, without the secret in their path.

    The ticket is a path that leads to the page once: what a browser is called with can be seen by every user of the
    computer, and is worth nothing afterwards.
    """

    def __init__(self, app: ASGIApp, secret: str, ticket: str, port: int) -> None:
        self._app = app
        self._prefix = f"/{secret}"
        self._ticket: str | None = f"/{ticket}"
        self._hosts = {f"{name}:{port}".encode() for name in (HOST, "localhost")}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            return
        if self._takes_ticket(scope):
            await RedirectResponse(f"{self._prefix}/", 303, headers=HEADERS)(scope, receive, send)
            return
        if not self._welcome(scope):
            await Response(status_code=404, headers=HEADERS)(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message["headers"], *((name.encode(), value.encode()) for name, value in HEADERS.items())
                ]  # fmt: skip
            await send(message)

        await self._app({**scope, "path": scope["path"][len(self._prefix) :] or "/"}, receive, send_guarded)

    def _takes_ticket(self, scope: Scope) -> bool:
        if self._ticket is None or not self._is_host(scope) or scope["method"] != "GET":
            return False
        if not hmac.compare_digest(scope["path"].encode(), self._ticket.encode()):
            return False
        self._ticket = None
        return True

    def _is_host(self, scope: Scope) -> bool:
        """Whether a request is for this server by its own name, not by one that somebody has made to lead here."""
        return dict(scope["headers"]).get(b"host", b"") in self._hosts

    def _welcome(self, scope: Scope) -> bool:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        path: bytes = scope["path"].encode()[: len(self._prefix) + 1]
        if not self._is_host(scope):
            return False
        if not hmac.compare_digest(path, f"{self._prefix}/".encode()):
            return False
        origin = headers.get(b"origin")
        if origin is not None and origin not in {b"http://" + host for host in self._hosts}:
            return False
        # What other pages ask for is refused, but a person may follow a link to the page.
        site, target = headers.get(b"sec-fetch-site", b"none"), headers.get(b"sec-fetch-dest", b"document")
        return site in (b"same-origin", b"none") or (scope["method"] == "GET" and target == b"document")


class Worker:
    """A thread that does what it is asked, in order, and keeps no program from ending.

    A job that is cancelled before its turn is not begun. The solver keeps its memory by thread, hence no pool.
    """

    def __init__(self, name: str) -> None:
        self._jobs: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        threading.Thread(target=self._work, name=name, daemon=True).start()

    def ask(self, job: Callable[[], Result]) -> Future[Result]:
        """Return what will hold the result."""
        answer: Future[Result] = Future()
        self._jobs.put((answer, job))
        return answer

    def _work(self) -> None:
        while True:
            answer, job = self._jobs.get()
            if not answer.set_running_or_notify_cancel():
                continue
            try:
                answer.set_result(job())
            except BaseException as error:  # whoever asked is told
                answer.set_exception(error)


class Analyser:
    """What the page can ask for."""

    def __init__(self, start: dict[str, Any], window: str | None = None) -> None:
        self.presence = Presence()
        self.ending = False
        self._start = start
        self._window = window
        self._answering, self._thinking = Worker("answers"), Worker("thoughts")
        self._reading, self._playing = Worker("pictures"), Worker("practice")
        self._practices, self._lesson = Practices(), Lesson()
        self._reader = Reader()
        self._page = self._reading.ask(page)
        self._answering.ask(partial(solver.warm_up, "csp", 0.0))

    def routes(self) -> list[Route]:
        """Return what is where."""
        reading, playing = self._reading, self._playing
        posts: dict[str, Endpoint] = {
            "/analyse": self.analyse,
            "/think": self.think,
            "/read": _job(reading, _upload, lambda upload: document_of(*upload, self._reader)),
            "/grab": _job(reading, _nothing, lambda _: look_once(self._window, self._reader)),
            "/practice": _job(playing, _json, self._practices.begin),
            "/click": _job(playing, _json, self._practices.act),
            "/teach": _job(reading, _upload, lambda upload: self._lesson.begin(*upload)),
            "/learn": _job(reading, _json, self._learn),
        }
        return [
            Route("/", self.page),
            Route("/alive", self.alive),
            Route("/start", self.start),
            *(Route(path, _told(answer), methods=["POST"]) for path, answer in posts.items()),
        ]

    async def page(self, request: Request) -> Response:
        """Send the page itself."""
        text, policy = await _result(self._page)
        return HTMLResponse(text, headers={"content-security-policy": policy})

    async def start(self, request: Request) -> Response:
        """Tell what the command was given to look at."""
        return JSONResponse(self._start)

    async def alive(self, request: Request) -> Response:
        """Keep a request open for as long as the page lives, with a line now and then."""

        async def lines() -> AsyncIterator[bytes]:
            self.presence.come()
            try:
                while not self.ending and not await request.is_disconnected():
                    yield b"\n"
                    await asyncio.sleep(BEAT)
            finally:
                self.presence.go()

        return StreamingResponse(lines(), media_type="text/plain")

    async def analyse(self, request: Request) -> Response:
        """Tell everything about a board that is known at once."""
        question = Question.of(await _json(request))
        began = time.perf_counter()
        answer = await _while_wanted(request, self._answering.ask(lambda: analysis(question)))
        return JSONResponse({**answer, "ms": round(1000 * (time.perf_counter() - began), 2)})

    async def think(self, request: Request) -> Response:
        """Tell better and better estimates for a guess, a line each, until the page asks for something else."""
        question = Question.of(await _json(request))
        wanted = True
        opinions = thoughts(question, lambda: wanted)

        async def lines() -> AsyncIterator[str]:
            nonlocal wanted
            try:
                while True:
                    thought = self._thinking.ask(lambda: next(opinions, None))
                    while not thought.done():
                        if self.ending or await request.is_disconnected():
                            return
                        await asyncio.wait([asyncio.wrap_future(thought)], timeout=BEAT)
                    opinion = thought.result()
                    if opinion is None:
                        return
                    yield json.dumps(opinion) + "\n"
            finally:
                wanted = False

        return StreamingResponse(lines(), media_type="application/x-ndjson")

    def _learn(self, document: Any) -> dict[str, Any]:
        """Make a skin of the groups of a picture and their names."""
        learnt = self._lesson.end(document)
        self._reader = Reader()  # which knows the new skin too
        return learnt


class TooLargeError(RequestError):
    """A body that is larger than it may be."""


async def _result(future: Future[Result]) -> Result:
    return await asyncio.wrap_future(future)


def _told(answer: Endpoint) -> Endpoint:
    """Return the same, with failures told in a sentence."""

    async def told(request: Request) -> Response:
        try:
            return await answer(request)
        except TooLargeError as error:
            return JSONResponse({"error": str(error)}, 413)
        except MinebotError as error:
            return JSONResponse({"error": str(error)}, 422)
        except ClientDisconnect:
            return Response(status_code=400)
        except Exception as error:
            return JSONResponse({"error": f"a bug of ours: {type(error).__name__}: {error}"}, 500)

    return told


def _job(worker: Worker, take: Callable[[Request], Awaitable[Said]], answer: Callable[[Said], Any]) -> Endpoint:
    """Return what takes something from a request and lets a worker answer it."""

    async def job(request: Request) -> Response:
        said = await take(request)
        return JSONResponse(await _result(worker.ask(lambda: answer(said))))

    return job


async def _while_wanted(request: Request, future: Future[Result]) -> Result:
    """Return a result; what nobody waits for any more is not begun. Raises `ClientDisconnect` then."""
    waiting = asyncio.wrap_future(future)
    while not waiting.done():
        await asyncio.wait([waiting], timeout=BEAT)
        if not waiting.done() and await request.is_disconnected():
            waiting.cancel()
            raise ClientDisconnect
    return waiting.result()


async def _body(request: Request, most: int) -> bytes:
    """Return a request's body. Raises `TooLargeError`, by its announced length before a byte of it is read."""
    refusal = f"that is too large: more than {most / 1e6:.3g} MB"
    announced = request.headers.get("content-length", "0")
    if not announced.isdecimal() or int(announced) > most:
        raise TooLargeError(refusal)
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most:
            raise TooLargeError(refusal)
    return bytes(body)


async def _json(request: Request) -> Any:
    try:
        return json.loads(await _body(request, LARGEST_QUESTION))
    except (ValueError, RecursionError) as error:
        raise RequestError("the request is not JSON") from error


async def _nothing(request: Request) -> None:
    """Take nothing from a request."""


async def _upload(request: Request) -> tuple[bytes, str]:
    """Return a file's bytes and its name, which is only ever told again."""
    name = unquote(request.headers.get("x-name", "")) or "the picture"
    return await _body(request, LARGEST_UPLOAD), name[:LONGEST_NAME]


SCRIPTS = ("position.js", "server.js", "board.js", "panel.js", "input.js", "practice.js", "dialogs.js", "main.js")
"""The page's script, in the order in which its parts build on each other."""


def _text(name: str) -> str:
    return (Path(__file__).parent / "page" / name).read_text(encoding="utf-8")


def page() -> tuple[str, str]:
    """Return the page and what a browser may do for it."""
    style, script = _text("page.css"), "\n".join(map(_text, SCRIPTS))
    picture, where = sheet()
    facts = {
        "version": __version__,
        "symbols": SYMBOLS,
        "link_symbols": LINK_SYMBOLS,
        "largest": LARGEST_UPLOAD,
        "levels": {name: [level.rows, level.cols, level.mines] for name, level in LEVELS.items()},
        "sprites": where,
    }
    tiles = "data:image/webp;base64," + base64.b64encode(picture).decode()
    text = filled(_text("page.html"), "Minesweeper analyser", facts, STYLE=style, SCRIPT=script, TILES=tiles)
    hashes = {element: hash_of(text, element) for element in ("style", "script")}
    policy = (
        f"default-src 'none'; script-src '{hashes['script']}'; style-src '{hashes['style']}'; img-src data: blob:; "
        "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
    )
    return text, policy


def look_once(window: str | None, reader: Reader | None = None) -> dict[str, Any]:
    """Return what the live game shows once it stands still; nothing is clicked or typed, as by the coach.

    Raises `DesktopError` when there is no window or it can't be seen.
    """
    from bot.desktop import open_overlay

    overlay = open_overlay(window)
    try:
        picture = overlay.see()
        for _ in range(MOST_LOOKS):
            pause(STANDS_STILL)
            before, picture = picture, overlay.see()
            if before.shape == picture.shape and (before == picture).all():
                break
    finally:
        overlay.close()
    return picture_document(picture, "your game", reader, embed=True)


class Server:
    """The analyser at its address, in a thread of its own; signals stay with the program that has begun it."""

    def __init__(self, start: dict[str, Any], window: str | None = None, port: int = 0) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            self._socket.bind((HOST, port))
        except OSError as error:
            self._socket.close()
            raise RequestError(f"can't serve at port {port}: {error.strerror}") from error
        secret, ticket = secrets.token_urlsafe(24), secrets.token_urlsafe(24)
        bound = self._socket.getsockname()[1]
        self.address = f"http://{HOST}:{bound}/{secret}/"
        self.once = f"http://{HOST}:{bound}/{ticket}"
        """Leads to the page as well, the first time."""
        self._analyser = Analyser(start, window)
        app = Guard(Starlette(routes=self._analyser.routes()), secret, ticket, bound)
        self._server = uvicorn.Server(
            uvicorn.Config(
                app,
                http="h11",
                ws="none",
                loop="asyncio",
                lifespan="off",
                interface="asgi3",
                log_config=None,
                log_level=logging.CRITICAL,
                access_log=False,
                server_header=False,
                date_header=False,
                limit_concurrency=100,
                timeout_graceful_shutdown=1,
            )
        )
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, name="server", daemon=True
        )

    def __enter__(self) -> Server:
        self._thread.start()
        while not self._server.started and self._thread.is_alive():
            pause(STARTED_POLL)
        return self

    def __exit__(self, *_: object) -> None:
        self._analyser.ending = self._server.should_exit = True
        self._thread.join(timeout=4 * BEAT)
        self._server.force_exit = True  # somebody holds on
        self._thread.join(timeout=4 * BEAT)
        self._socket.close()

    @property
    def gone(self) -> bool:
        """Whether there is nobody left to serve."""
        return self._analyser.presence.gone or not self._thread.is_alive()

    def until_gone(self) -> Iterator[None]:
        """Yield now and then for as long as somebody may come."""
        while not self.gone:
            pause(GONE_POLL)
            yield
