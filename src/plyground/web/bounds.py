"""How much one client may ask for at once, so that no page can take the server from the others.

A body may have so many bytes, a client so many requests and sockets at a time. A client is an
address; all pages of this machine are one. `wire.py` bounds what a search may cost. A socket has
one search at a time (`engine_socket.py`), so a client has no more searches than sockets, and of all
searches no more run at a time than `thinking.py` has places.
"""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGE = "/api/store/import"  # where whole files are sent, which are bounded once more there
MOST_BODY = 60 * 2**20
MOST_JSON = 2 * 2**20  # the longest text that may be pasted, with every character escaped
MOST_REQUESTS = 200
MOST_SOCKETS = 200
TRY_LATER = 1013  # why a socket is closed


@dataclass(frozen=True)
class Bounds:
    """Stands behind the guard, and counts."""

    app: ASGIApp
    requests: Counter[str] = field(default_factory=Counter)
    sockets: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = (scope.get("client") or ("", 0))[0]
        if scope["type"] == "websocket":
            await self._socket(client, scope, receive, send)
        elif scope["type"] == "http":
            await self._request(client, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _socket(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        if self.sockets[client] >= MOST_SOCKETS:
            await receive()
            reason = f"at most {MOST_SOCKETS} pages may ask for searches at a time; close some"
            await send({"type": "websocket.accept"})  # browsers see a reason only then
            await send({"type": "websocket.close", "code": TRY_LATER, "reason": reason})
            return
        with _counted(self.sockets, client):
            await self.app(scope, receive, send)

    async def _request(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        if self.requests[client] >= MOST_REQUESTS:
            text = f"at most {MOST_REQUESTS} questions at a time; wait for answers"
            await JSONResponse({"error": text}, 429)(scope, receive, send)
            return
        # By the address alone: what a request says of its own kind binds nobody.
        most = MOST_BODY if scope["path"] == LARGE else MOST_JSON
        length = dict(scope["headers"]).get(b"content-length", b"0")
        if length.isdigit() and int(length) > most:
            text = f"that is more than {most >> 20} MB"
            await JSONResponse({"error": text}, 413)(scope, receive, send)
            return
        with _counted(self.requests, client):
            await self.app(scope, _bounded(receive, most), _timed(send))


@contextlib.contextmanager
def _counted(counter: Counter[str], client: str) -> Iterator[None]:
    counter[client] += 1
    try:
        yield
    finally:
        counter[client] -= 1
        if not counter[client]:
            del counter[client]  # or the list of clients would only grow


def _timed(send: Send) -> Send:
    """Say in the answer how long it took, as browsers' own tools show it."""
    begun_s = time.perf_counter()

    async def send_with_time(message: Message) -> None:
        if message["type"] == "http.response.start":
            taken_ms = (time.perf_counter() - begun_s) * 1000
            timing = (b"server-timing", f"app;dur={taken_ms:.1f}".encode())
            message = {**message, "headers": [*message["headers"], timing]}
        await send(message)

    return send_with_time


def _bounded(receive: Receive, most: int) -> Receive:
    """A body without a length is cut off where it becomes too long, and is then no longer valid."""
    seen = 0

    async def receive_so_much() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > most:
            return {"type": "http.disconnect"}
        return message

    return receive_so_much
