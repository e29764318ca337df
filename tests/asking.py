"""Requests and sockets to a server, with the patience that a busy machine needs.

httpx gives up after five seconds, and websockets after ten or, once open, after twenty without a
sign of life, which are limits of time like any other in a test.
"""

from __future__ import annotations

from functools import partial

import httpx
from websockets.sync.client import connect as websockets_connect

PATIENCE_S = 120.0

get = partial(httpx.get, timeout=PATIENCE_S)
post = partial(httpx.post, timeout=PATIENCE_S)
put = partial(httpx.put, timeout=PATIENCE_S)
patch = partial(httpx.patch, timeout=PATIENCE_S)
delete = partial(httpx.delete, timeout=PATIENCE_S)
request = partial(httpx.request, timeout=PATIENCE_S)
connect = partial(websockets_connect, open_timeout=PATIENCE_S, ping_timeout=None)
