"""Start the server, say where it is, and open a browser there.

A token is demanded, and is part of the address that is printed; only on the loopback can one do
without it.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import uvicorn

from plyground.core.errors import Unsupported
from plyground.web.app import Options, make_app
from plyground.web.guard import LOOPBACK
from plyground.web.patience import PatientProtocol
from plyground.web.tokens import new_token

DEFAULT_PORT = 8377
EVERYWHERE = ("0.0.0.0", "::")
TRIES = 20  # ports after the usual one, if that is taken
MOST_MESSAGE = 2**20
LEAVE_S = 3  # for requests that are under way when the server is to end
TURN_S = 0.0005  # for which a thread may keep the interpreter from one that answers people


@dataclass(frozen=True)
class Place:
    """Where a server listens."""

    listening: socket.socket
    host: str
    token: str | None

    @property
    def address(self) -> str:
        port = self.listening.getsockname()[1]
        host = socket.gethostname() if self.host in EVERYWHERE else self.host
        name = f"[{host}]" if ":" in host else host
        return f"http://{name}:{port}/" + (f"?token={self.token}" if self.token else "")


def find_place(
    host: str, port: int | None, token: str | None = None, is_open: bool = False
) -> Place:
    """A free port, bound, with this token or a new one, unless it is open. Raises Unsupported."""
    if is_open and host not in LOOPBACK:
        raise Unsupported("without a token only 127.0.0.1 is served, not " + host)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    wanted = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + TRIES), 0]
    problem: OSError | None = None
    for each in wanted:
        # TCP by name: of other sockets asyncio does not know that answers are not to be held back,
        # and each that followed another on its connection would wait 40 ms.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, each))
        except OSError as error:
            listening.close()
            problem = error
            continue
        return Place(listening, host, None if is_open else token or new_token())
    reason = problem.strerror if problem else "no port is free"
    raise Unsupported(f"cannot listen on {host}, port {wanted[0]}: {reason}")


def serve(
    place: Place,
    store: str | None,
    ready: Callable[[str], None],
    browse: bool = True,
    notify: Callable[[str], None] = lambda line: None,
) -> None:
    """Serve until interrupted; `ready` gets the address, `notify` the fate of jobs."""
    names = () if place.host in LOOPBACK else (place.host.lower(), socket.gethostname().lower())
    hosts = (*LOOPBACK, *names, *[f"[{name}]" for name in names if ":" in name])
    app = make_app(Options(hosts, place.token, place.host in EVERYWHERE, store, notify=notify))
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        log_level="warning",
        ws_max_size=MOST_MESSAGE,
        server_header=False,
        lifespan="on",
        timeout_graceful_shutdown=LEAVE_S,
    )
    sys.setswitchinterval(TURN_S)
    server = uvicorn.Server(config)
    place.listening.listen()
    ready(place.address)
    if browse:
        threading.Thread(target=_open_browser, args=(place.address,), daemon=True).start()
    with suppress(KeyboardInterrupt):
        server.run(sockets=[place.listening])


def _open_browser(address: str) -> None:
    """Where there is only a browser for the terminal, the address that was printed must do."""
    with suppress(webbrowser.Error):
        found = webbrowser.get()
        if type(found) is not webbrowser.GenericBrowser or "BROWSER" in os.environ:
            found.open(address)
