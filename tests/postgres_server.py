"""A real PostgreSQL server in a temporary folder, for tests that need one.

    with postgres_server() as url: ...

The server is looked after by a process of its own, this file run as a program: it stops the server
and removes the folder as soon as the tests leave the block or are gone, whatever has ended them.
PostgreSQL refuses to run for root, so root's servers run for `postgres` or `nobody`.
"""

from __future__ import annotations

import contextlib
import json
import os
import pwd
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from sqlalchemy import URL

USER = "plyground"
START_S = 120.0  # far more than it takes on a loaded machine
ATTEMPTS = 5  # a port that was free may be taken a moment later
SMALL_AND_FORGETFUL = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "16MB",
    "max_connections": "40",
    "max_wal_senders": "0",
    "wal_level": "minimal",
    "autovacuum": "off",
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
}
ICU_SINCE = 15
MEMORY, ROOM = Path("/dev/shm"), 2**31  # a database is 8 MB; in containers there may be 64


@contextlib.contextmanager
def postgres_server(on_disk: bool = False, **settings: str) -> Iterator[str]:
    """The address of a new server's first database, with a password in it.

    Its files are kept in memory, where there is a place for that, unless it has to be a disk.
    """
    with restartable_server(on_disk, **settings) as server:
        yield server.url


class RestartableServer:
    """A server that can be stopped in any way, and started again with its data and address."""

    def __init__(self, keeper: subprocess.Popen[str], url: str) -> None:
        self.url, self._keeper = url, keeper

    def stop(self, how: str = "SIGINT") -> None:
        """SIGINT ends connections first, SIGQUIT and SIGKILL do not; all its processes are gone."""
        self._ask(how)

    def start(self) -> None:
        """If it does not run; comes back when connections are taken."""
        self._ask("start")

    def _ask(self, what: str) -> None:
        assert self._keeper.stdin and self._keeper.stdout
        self._keeper.stdin.write(f"{what}\n")
        self._keeper.stdin.flush()
        answer = self._keeper.stdout.readline()
        assert answer == f"{what}\n", f"PostgreSQL: {what} was answered with {answer!r}"


@contextlib.contextmanager
def restartable_server(on_disk: bool = False, **settings: str) -> Iterator[RestartableServer]:
    """The same, to be stopped and started; with `synchronous_commit` a crash loses nothing."""
    place = "" if on_disk or not _has_room(MEMORY) else str(MEMORY)
    keeper = subprocess.Popen(
        [sys.executable, __file__, str(find_programs()), place, json.dumps(settings)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C is for the tests: the keeper leaves when they have
    )
    assert keeper.stdin and keeper.stdout
    try:
        address = keeper.stdout.readline().strip()
        if not address:
            raise RuntimeError("PostgreSQL did not start; its messages are above")
        yield RestartableServer(keeper, address)
    finally:
        keeper.stdin.close()
        keeper.wait(START_S)
        keeper.stdout.close()


def _has_room(folder: Path) -> bool:
    return folder.is_dir() and shutil.disk_usage(folder).free > ROOM


def find_programs() -> Path:
    """The folder of `initdb` and `postgres`: that in the PATH, or Debian's newest."""
    folders = [Path(folder) for folder in os.get_exec_path()]
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version_in, reverse=True)
    for folder in folders:
        if all((folder / name).exists() for name in ("initdb", "postgres")):
            return folder
    raise RuntimeError("these tests need PostgreSQL's server: apt-get install postgresql")


def _version_in(path: Path) -> int:
    return int("".join(re.findall(r"\d+", path.parent.name)[:1]) or 0)


# ------------------------------------------------------------------ the keeper


def keep(programs: Path, place: str, settings: dict[str, str]) -> None:
    """Run a server until nobody holds the other end of our input."""
    who = _ordinary_user()
    with tempfile.TemporaryDirectory(prefix="postgres-", dir=place or None) as folder:
        if who:
            shutil.chown(folder, who["user"], who["group"])
        password = secrets.token_hex(8)
        _make_cluster(programs, Path(folder), password, who)
        chosen = SMALL_AND_FORGETFUL | settings
        server, port = _start(programs, Path(folder), chosen, who)
        try:
            url = URL.create("postgresql+psycopg", USER, password, "127.0.0.1", port, "postgres")
            print(url.render_as_string(hide_password=False), flush=True)
            for line in sys.stdin:
                if line.strip() == "start" and server.poll() is not None:
                    server, _ = _start(programs, Path(folder), chosen, who, port)
                elif line.strip() != "start":
                    _stop(server, signal.Signals[line.strip()])
                print(line, end="", flush=True)
        finally:
            _stop(server, signal.SIGQUIT)  # nobody wants its data any more


def _stop(server: subprocess.Popen[bytes], how: signal.Signals) -> None:
    """Until its last process is gone: those that outlive it hold its memory, and its output."""
    if server.poll() is None:
        server.send_signal(how)
    server.wait()
    assert server.stdout
    server.stdout.read()


def _ordinary_user() -> dict[str, Any]:
    """Whom the server's processes belong to, for subprocess; nothing said if to us."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise RuntimeError("PostgreSQL does not run for root, and no user `postgres` or `nobody` is")


def _make_cluster(programs: Path, folder: Path, password: str, who: dict[str, Any]) -> None:
    secret = folder / "password"
    secret.write_text(password, encoding="utf-8")
    if who:
        shutil.chown(secret, who["user"], who["group"])
    told = subprocess.run([programs / "initdb", "--version"], capture_output=True, text=True)
    version = int((re.search(r"\d+", told.stdout) or ["0"])[0])
    # The order of words in a dictionary differs from that of bytes, as on a user's server.
    icu = ["--locale-provider=icu", "--icu-locale=en-US"] if version >= ICU_SINCE else []
    choices = ["--no-sync", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", *icu]
    done = subprocess.run(
        [programs / "initdb", "-D", folder / "data", "-U", USER, f"--pwfile={secret}", *choices],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        **who,
    )
    if done.returncode:
        raise RuntimeError(f"initdb failed:\n{done.stdout}{done.stderr}")


def _start(
    programs: Path, folder: Path, settings: dict[str, str], who: dict[str, Any], port: int = 0
) -> tuple[subprocess.Popen[bytes], int]:
    log = folder / "log"
    for _ in range(ATTEMPTS):
        port = port or _free_port()
        chosen = [f"{name}={value}" for name, value in (settings | {"port": str(port)}).items()]
        options = [part for choice in chosen for part in ("-c", choice)]
        card = folder / "data" / "postmaster.pid"
        card.unlink(missing_ok=True)  # of one that was killed: it still says that it is ready
        with log.open("wb") as messages:
            server = _spawn([programs / "postgres", "-D", folder / "data", *options], messages, who)
        if _is_ready(server, card):
            return server, port
    raise RuntimeError(f"postgres failed:\n{log.read_text(encoding='utf-8', errors='replace')}")


def _spawn(command: list[Any], messages: IO[bytes], who: dict[str, Any]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        cwd=command[2].parent,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,  # written to by nobody; at its end all processes are gone
        stderr=messages,
        **who,
    )


def _is_ready(server: subprocess.Popen[bytes], card: Path) -> bool:
    """Whether the server has written down that it takes connections; False if it has ended."""
    deadline = time.monotonic() + START_S
    while server.poll() is None:
        with contextlib.suppress(OSError):
            if card.read_text(encoding="utf-8").split()[-1:] == ["ready"]:
                return True
        if time.monotonic() > deadline:
            server.kill()
        time.sleep(0.02)
    return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    keep(Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3]))
