"""Requests and sockets to a server, with its token and the patience that a busy machine needs.

httpx gives up after five seconds, and websockets after ten or, once open, after twenty without a
sign of life, which are limits of time like any other in a test. Whoever starts a server notes its
token here; those of `httpx` itself ask without.
"""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as websockets_connect

PATIENCE_S = 120.0
TOKENS: dict[int, str] = {}
"""Of the servers on this machine, by their ports."""


def token_for(address: str) -> dict[str, str]:
    """What a request to this address must have among its headers."""
    token = TOKENS.get(urlsplit(address).port or 80)
    return {"x-plyground-token": token} if token else {}


def note_address(address: str) -> str:
    """Remember the token of a printed address; the address without it."""
    bare, _, token = address.partition("?token=")
    TOKENS[urlsplit(bare).port or 80] = token
    return bare


def with_token(request: httpx.Request) -> httpx.Request:
    request.headers.update(token_for(str(request.url)))
    return request


def connect(address: str, **more: Any) -> ClientConnection:
    headers = token_for(address) | more.pop("additional_headers", {})
    patience: dict[str, Any] = {"open_timeout": PATIENCE_S, "ping_timeout": None}
    return websockets_connect(address, additional_headers=headers, **(patience | more))


client = partial(httpx.Client, timeout=PATIENCE_S, auth=with_token)
get = partial(httpx.get, timeout=PATIENCE_S, auth=with_token)
post = partial(httpx.post, timeout=PATIENCE_S, auth=with_token)
put = partial(httpx.put, timeout=PATIENCE_S, auth=with_token)
patch = partial(httpx.patch, timeout=PATIENCE_S, auth=with_token)
delete = partial(httpx.delete, timeout=PATIENCE_S, auth=with_token)
request = partial(httpx.request, timeout=PATIENCE_S, auth=with_token)
