"""Who may talk to the server: pages of its own, on this machine, or whoever has the token.

A page from elsewhere can make a browser send requests to a server on the same machine. So a request
must name this server as its host (a foreign name that resolves to 127.0.0.1 is refused), and
whatever changes something, and every socket, must come from one of our own pages. On any other
address than the loopback a token is demanded: in the address once, then in a cookie. Answers carry
a policy under which a page loads nothing but what this server serves.

Knows no route.
"""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "localhost", "[::1]", "::1")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
COOKIE = "plyground_token"
REFUSED_SOCKET = 4403
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; manifest-src 'self'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


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
        if reason := self._why_not(scope):
            await _refuse(reason, scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [
                    *message["headers"],
                    *[(k.encode(), v.encode()) for k, v in HEADERS.items()],
                ]
                if self.token and self._token_in_address(scope):
                    cookie = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
                    given.append((b"set-cookie", cookie.encode()))
                message = {**message, "headers": given}
            await send(message)

        await self.app(scope, receive, with_headers)

    def _why_not(self, scope: Scope) -> str | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._is_ours(_name_of(host)):
            return "this server is not addressed under that name"
        origin = headers.get("origin")
        is_safe = scope["type"] == "http" and scope["method"] in SAFE_METHODS
        if origin is not None and _place_of(origin) != host:
            return "a page from elsewhere may not talk to this server"
        if origin is None and not is_safe and _comes_from_browser(headers):
            return "a request that changes something must say where it comes from"
        if self.token and not self._has_token(scope, headers):
            return "this server wants its token: open the address that it printed"
        return None

    def _is_ours(self, name: str) -> bool:
        """A foreign page can have a name that leads here, but not a number."""
        return name in self.hosts or (self.any_number and _is_number(name))

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        try:
            cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        except CookieError:
            cookie = None
        given = [cookie.value if cookie else "", headers.get("x-plyground-token", "")]
        return self._token_in_address(scope) or any(map(self._is_token, given))

    def _token_in_address(self, scope: Scope) -> bool:
        query = parse_qs(scope["query_string"].decode("latin-1"))
        return any(map(self._is_token, query.get("token", ())))

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), (self.token or "").encode())


def _name_of(host: str) -> str:
    """The host without its port; an IPv6 address keeps its brackets."""
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0].lower()


def _place_of(origin: str) -> str | None:
    """Host and port of where a page comes from; None of what is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:  # of brackets that do not hold an address
        return None


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _comes_from_browser(headers: Headers) -> bool:
    """Programs need not say where they come from; browsers send these with every request."""
    return "sec-fetch-site" in headers and headers["sec-fetch-site"] not in ("same-origin", "none")


async def _refuse(reason: str, scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": REFUSED_SOCKET, "reason": reason})
        return
    if "text/html" in Headers(scope=scope).get("accept", ""):  # a person's browser
        await PlainTextResponse(reason, 403, HEADERS)(scope, receive, send)
    else:
        await JSONResponse({"error": reason}, 403, HEADERS)(scope, receive, send)
