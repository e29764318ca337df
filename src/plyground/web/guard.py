"""Who may talk to the server: pages of its own, and whoever has the token.

A page from elsewhere can make a browser send requests to a server on the same machine. So a request
must name this server as its host (a foreign name that resolves to 127.0.0.1 is refused), and
whatever changes something, and every socket, must come from one of our own pages. Then the token is
demanded (`tokens.py`). Answers carry a policy under which a page loads nothing but what this server
serves.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plyground.web.tokens import WANTED, Door

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
REFUSED_SOCKET = 4403
HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?", re.IGNORECASE)
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; frame-src 'self'; manifest-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
)
HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
]


@dataclass(frozen=True)
class Guard:
    """Stands before the app, and lets only the right requests through."""

    app: ASGIApp
    hosts: frozenset[str]
    """The names under which this server may be addressed, without port."""
    token: str | None = None
    any_number: bool = False
    """Whether it may also be addressed by any number: on all addresses of a machine at once."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = dict(message["headers"])
                ours = [(k, v) for k, v in HEADERS if k not in given]
                message = {**message, "headers": [*message["headers"], *ours]}
            await send(message)

        reason = self._why_not(scope)
        answer = _refusal(reason, scope) if reason else None
        if answer is None and self.token:
            answer = Door(self.token).answer(scope)
        if answer is None:
            await self.app(scope, receive, with_headers)
        elif scope["type"] == "websocket":
            await receive()
            close = {"type": "websocket.close", "code": REFUSED_SOCKET, "reason": reason or WANTED}
            await send(close)
        else:
            answer.headers["cache-control"] = "no-store"
            await answer(scope, receive, with_headers)

    def _why_not(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not self._is_ours(_name_of(hosts[0])):
            return "this server is not addressed under that name"
        is_safe = scope["type"] == "http" and scope["method"] in SAFE_METHODS
        if origins and origins not in ([f"http://{hosts[0]}"], [f"https://{hosts[0]}"]):
            return "a page from elsewhere may not talk to this server"
        if not origins and not is_safe and _comes_from_browser(headers):
            return "a request that changes something must say where it comes from"
        return None

    def _is_ours(self, name: str) -> bool:
        """A foreign page can have a name that leads here, but not a number."""
        return name in self.hosts or (self.any_number and _is_number(name))


def _name_of(host: str) -> str:
    """The host without its port; an IPv6 address keeps its brackets. Empty of what is no host."""
    found = HOST.fullmatch(host)
    return found[1].lower() if found else ""


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _comes_from_browser(headers: Headers) -> bool:
    """Programs need not say where they come from; browsers send these with every request."""
    return "sec-fetch-site" in headers and headers["sec-fetch-site"] not in ("same-origin", "none")


def _refusal(reason: str, scope: Scope) -> Response:
    if "text/html" in Headers(scope=scope).get("accept", ""):  # a person's browser
        return PlainTextResponse(reason, 403)
    return JSONResponse({"error": reason}, 403)
