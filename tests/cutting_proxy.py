"""A way to a PostgreSQL server that cuts connections at commits, before or after they happen.

    with cutting_proxy(url, plan) as proxy: Store(proxy.url) ...

For every commit the plan says what becomes of it: None lets it pass, "before" cuts the connection
instead of passing it on, "after" cuts when the server has answered, and swallows the answer. The
client cannot tell the last two apart.
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from sqlalchemy import make_url

COMMIT = b"COMMIT\0"
Plan = Callable[[int], str | None]


@dataclass
class Proxy:
    """Where it is, and what it has done."""

    url: str
    plan: Plan
    commits: int = 0
    cut: list[str] = field(default_factory=list)


@contextlib.contextmanager
def cutting_proxy(url: str, plan: Plan) -> Iterator[Proxy]:
    server = make_url(url)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    proxy = Proxy(server.set(port=port).render_as_string(hide_password=False), plan)
    threads: list[threading.Thread] = []

    def accept() -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:
                return  # closed
            there = socket.create_connection((server.host, server.port))
            threads.append(threading.Thread(target=_pass_on, args=(client, there, proxy)))
            threads[-1].start()

    accepting = threading.Thread(target=accept)
    accepting.start()
    try:
        yield proxy
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        accepting.join()
        for thread in threads:
            thread.join()  # its client has closed the connection by now


def _pass_on(client: socket.socket, server: socket.socket, proxy: Proxy) -> None:
    swallows = False
    with client, server, selectors.DefaultSelector() as ready:
        ready.register(client, selectors.EVENT_READ, server)
        ready.register(server, selectors.EVENT_READ, client)
        while True:
            for key, _ in ready.select():
                source, target = key.fileobj, key.data
                assert isinstance(source, socket.socket)
                try:
                    data = source.recv(2**16)
                except ConnectionError:
                    return
                if not data:
                    return
                if source is server and swallows:
                    return  # it has committed, and nobody hears of it
                if source is client and COMMIT in data:
                    proxy.commits += 1
                    what = proxy.plan(proxy.commits)
                    if what:
                        proxy.cut.append(what)
                    if what == "before":
                        return
                    swallows = what == "after"
                target.sendall(data)
