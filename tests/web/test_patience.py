"""Clients that send halves, or take nothing, get no place for long, and lock nobody out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPResponse
from typing import Any

import asking
import pytest
import uvicorn
from patience import until
from starlette.types import Receive, Scope, Send

from plyground.web.app import Options, make_app
from plyground.web.bounds import MOST_REQUESTS
from plyground.web.patience import PatientProtocol
from plyground.web.server import find_place

LONG_S = 3600.0
HALF_HEADERS = b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Unfinished: "
HALF_BODY = (
    b"POST /api/position HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-type: application/json\r\n"
    b'content-length: 100\r\n\r\n{"game":'
)
HALF_CHUNK = (
    b"POST /api/store/import?name=x HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    b"transfer-encoding: chunked\r\n\r\n5\r\nab"
)
REFUSED_HALF = b"POST /api/position HTTP/1.1\r\nHost: evil.test\r\ncontent-length: 100\r\n\r\n{"
WHOLE = b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


class Counting(PatientProtocol):
    """One that knows how many bytes have come."""

    received = 0

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self.received += len(data)

    def be_due(self) -> None:
        """As if all its time had passed."""
        if self.due_s is not None:
            self.due_s = self.loop.time()
            self._await_more(0)


@dataclass
class Running:
    """A server in a thread of this process, and the connections that it has seen."""

    port: int
    seen: list[Counting]

    def connect(self, sent: bytes = b"") -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.port), timeout=asking.PATIENCE_S)
        client.sendall(sent)
        return client

    def let_time_pass(self, received: int) -> None:
        """Until the first client's time is over, once so much of it has come."""
        first = until(lambda: [each for each in self.seen[:1] if each.received >= received])[0]
        first.loop.call_soon_threadsafe(first.be_due)


@contextlib.contextmanager
def running(app: Any = None, keep_alive_s: int = 5, **limits: Any) -> Iterator[Running]:
    """With other limits than usual."""
    seen: list[Counting] = []

    class Protocol(Counting):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            seen.append(self)
            super().connection_made(transport)

    for name, value in limits.items():
        assert hasattr(PatientProtocol, name)
        setattr(Protocol, name, value)
    place = find_place("127.0.0.1", 0)
    app = app or make_app(Options(places=1))
    config = uvicorn.Config(
        app,
        http=Protocol,
        log_config=None,
        timeout_keep_alive=keep_alive_s,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [place.listening]})
    thread.start()
    try:
        place.listening.listen()
        yield Running(place.listening.getsockname()[1], seen)
    finally:
        server.should_exit = True
        thread.join()
        place.listening.close()


def status_of(client: socket.socket) -> int:
    """That of the next answer, which is read whole."""
    answer = HTTPResponse(client)
    answer.begin()
    answer.read()
    return answer.status


def read_to_end(client: socket.socket) -> bytes:
    """All that comes until the server has hung up."""
    parts = []
    with client, contextlib.suppress(ConnectionResetError):
        while part := client.recv(2**16):
            parts.append(part)
    return b"".join(parts)


def test_answers_are_not_held_back():
    with running() as server, server.connect(WHOLE) as client:
        assert status_of(client) == 200
        accepted = server.seen[0].transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize(
    "sent", [HALF_HEADERS, HALF_BODY, HALF_CHUNK, b"G"], ids=["headers", "body", "chunk", "letter"]
)
def test_what_does_not_come_whole_is_told_so_and_closed(sent, caplog):
    caplog.set_level(logging.WARNING)
    with running(patience_s=LONG_S) as server:
        client = server.connect(sent)
        server.let_time_pass(len(sent))
        answer = read_to_end(client)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert answer.endswith(b'{"error": "the request did not come whole in time"}')
    assert caplog.records == []


@pytest.mark.parametrize(
    "sent", [b"", REFUSED_HALF, WHOLE + b"GET", WHOLE], ids=["nothing", "refused", "next", "whole"]
)
def test_whoever_sends_nothing_more_is_hung_up_on(sent):
    with running(None, 0, patience_s=LONG_S) as server:
        client = server.connect(sent)
        server.let_time_pass(len(sent))
        answer = read_to_end(client)
    assert answer.count(b"HTTP/1.1 ") == bool(sent)


def test_a_trickle_is_no_way_to_stay():
    """A byte prolongs the time by what a slow line needs for it, and no more."""
    with running(patience_s=0.05) as server:
        client = server.connect(b"GET /api/about HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Endless: ")
        client.settimeout(0.01)
        answer = b""
        with client, contextlib.suppress(ConnectionError):
            while not answer:
                client.sendall(b"x")
                with contextlib.suppress(TimeoutError):
                    answer = client.recv(2**16)
    assert not answer or answer.startswith(b"HTTP/1.1 408 ")


def test_what_comes_steadily_may_take_its_time():
    """What has come prolongs the time."""
    with running(patience_s=LONG_S, bytes_per_s=1) as server:
        client = server.connect(HALF_BODY)
        with client:
            until(lambda: server.seen and server.seen[0].cycle is not None)
            first = server.seen[0].due_s
            client.sendall(b' "tictac')
            until(lambda: server.seen[0].due_s != first)
            assert server.seen[0].due_s == (first or 0) + 8
            client.sendall(b'toe"'.ljust(83) + b"}")
            assert status_of(client) == 200
            assert server.seen[0].due_s is None


def test_a_server_that_is_busy_with_what_came_does_not_blame_the_client():
    goes_on = threading.Event()

    async def busy(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        await asyncio.to_thread(goes_on.wait)
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    size = 2**20
    head = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\ncontent-length: %d\r\n\r\n" % size
    with running(busy, patience_s=LONG_S, bytes_per_s=10**12) as server:
        client = server.connect(head)
        sender = threading.Thread(target=client.sendall, args=(b"x" * size,))
        sender.start()
        until(lambda: server.seen and server.seen[0].flow.read_paused)
        first = server.seen[0].due_s
        server.seen[0].patience_s = 2 * LONG_S
        server.let_time_pass(len(head))
        # It was late, and forgiven.
        until(lambda: (server.seen[0].due_s or 0) > (first or 0) + LONG_S / 2)
        goes_on.set()
        with client:
            assert status_of(client) == 204
        sender.join()


@pytest.mark.parametrize("sent", [HALF_HEADERS, HALF_BODY, b""], ids=["headers", "body", "nothing"])
def test_hundreds_of_halves_lock_nobody_out(sent):
    """None of their times is over, and whoever asks from the same address is answered."""
    with running(patience_s=LONG_S) as server, contextlib.ExitStack() as left:
        for _ in range(MOST_REQUESTS + 100):
            left.enter_context(server.connect(sent))
        address = f"http://127.0.0.1:{server.port}"
        assert asking.get(f"{address}/api/about").status_code == 200
        assert asking.post(f"{address}/api/position", json={"game": "tictactoe"}).is_success
        incomplete = [each for each in server.seen if each.due_s is not None]
        assert len(incomplete) <= PatientProtocol.most_incomplete < MOST_REQUESTS


def test_those_that_wait_for_the_next_question_make_room_too():
    with running(None, 3600, most_idle=20) as server, contextlib.ExitStack() as left:
        first = left.enter_context(server.connect(WHOLE))
        assert status_of(first) == 200
        for _ in range(30):
            client = left.enter_context(server.connect(WHOLE))
            assert status_of(client) == 200
        assert first.recv(1) == b""  # the oldest had to go
        client.sendall(WHOLE)
        assert status_of(client) == 200


def test_an_answer_that_nobody_takes_is_given_up():
    ended = threading.Event()

    async def answer_much(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        large = b"x" * 2**26
        await send({"type": "http.response.body", "body": large, "more_body": True})
        await send({"type": "http.response.body", "body": b""})  # waits until that is taken
        ended.set()

    with running(answer_much, answer_s=0.05) as server, server.connect(WHOLE):
        assert ended.wait(asking.PATIENCE_S)
