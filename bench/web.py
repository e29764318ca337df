"""A hundred people at a time in the web app, each playing against a machine, on one server.

    python bench/web.py [--minutes 10] [--clients 100]

Each client does what a page does: it has a socket, and asks again and again whether the server is
there. It makes a move, of which it asks for the position, and which is stored; asks for the
machine's reply, and does the same with that; thinks for a second or so, and goes on until the game
is over, then begins another. The machines have more to do than the processors can, so the engines
are always busy. Asked for: no error; the server takes less than 150 ms for a move of a person in 99
of 100 cases (for the position and for storing it, one after the other, from the request to the
answer, as the server itself tells it); memory that does not grow. What storing took is told too.
The clients run on the same machine, and take a part of it. The exit status tells whether all held.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
from websockets.asyncio.client import ClientConnection, connect

ASKED_MS = 150
GROWTH = 1.1  # how much larger the server may be in the end than after its first fifth
MACHINES = {"othello": "abmemory:time=50ms", "connect4": "abmemory:time=50ms"}
THINK_S = (0.5, 2.0)
START_S = 120
BEAT_S = 1.5  # as in main.js
# The server closes what nobody used for 5 s. Who asks at that moment asks again, as a browser does,
# or does not let it come to that.
SHORT = httpx.Limits(keepalive_expiry=3)


@dataclass
class Report:
    """What was seen, by all clients together."""

    told_ms: list[float] = field(default_factory=list)
    """For a move of a person, as the server tells it: its position, and storing it."""
    stored_ms: list[float] = field(default_factory=list)
    """Storing it alone."""
    by_minute: dict[int, list[float]] = field(default_factory=dict)
    seen_ms: list[float] = field(default_factory=list)
    """The same as a client saw it, its own waiting for a processor included."""
    reply_ms: list[float] = field(default_factory=list)
    games: int = 0
    begun_s: float = field(default_factory=time.perf_counter)
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Minutes and megabytes."""


@dataclass
class Client:
    """One page: a socket, and requests of its own."""

    http: httpx.AsyncClient
    socket: ClientConnection
    report: Report
    dice: random.Random
    job: int = 0

    async def play(self) -> None:
        """One game from its beginning to its end."""
        game = self.dice.choice(list(MACHINES))
        uid = f"{self.dice.getrandbits(128):032x}"
        moves: list[str] = []
        view = await self.bring(uid, game, moves)
        while not view["over"]:
            if view["forced"] is not None:
                moves.append(view["forced"])
            elif view["side"] == "first":
                await asyncio.sleep(self.dice.uniform(*THINK_S))
                moves.append(self.dice.choice(view["legal"])["move"])
            else:
                moves.append(await self.ask(game, moves))
            view = await self.bring(uid, game, moves, is_person=len(moves) % 2 == 1)
        self.report.games += 1

    async def bring(
        self, uid: str, game: str, moves: list[str], is_person: bool = False
    ) -> dict[str, Any]:
        """Ask for the position after a move, and have it stored."""
        begun_s = time.perf_counter()
        line = {"game": game, "moves": moves}
        told = [{"time_s": 1.5 if ply % 2 == 0 else 0.05} for ply in range(len(moves))]
        kept = {"line": line, "players": ["human", MACHINES[game]], "told": told}
        shown, shown_ms = _read(await self.http.post("/api/position", json=line))
        _, stored_ms = _read(await self.http.put(f"/api/plays/{uid}", json=kept))
        if is_person:
            self.report.seen_ms.append((time.perf_counter() - begun_s) * 1000)
            self.report.told_ms.append(shown_ms + stored_ms)
            self.report.stored_ms.append(stored_ms)
            minute = int((begun_s - self.report.begun_s) / 60)
            self.report.by_minute.setdefault(minute, []).append(self.report.told_ms[-1])
        return shown

    async def beat(self) -> None:
        """Ask whether the server is there, again and again."""
        while True:
            _read(await self.http.get("/api/about"))
            await asyncio.sleep(BEAT_S)

    async def ask(self, game: str, moves: list[str]) -> str:
        """The machine's move."""
        self.job += 1
        begun_s = time.perf_counter()
        line = {"game": game, "moves": moves}
        start = {"type": "start", "job": self.job, "kind": "move", "line": line}
        await self.socket.send(json.dumps(start | {"player": MACHINES[game]}))
        move = ""
        while True:
            told = json.loads(await self.socket.recv())
            if told["type"] == "error":
                raise RuntimeError(told["text"])
            if told["type"] == "move":
                move = told["move"]
            if told["type"] == "done":
                self.report.reply_ms.append((time.perf_counter() - begun_s) * 1000)
                return move


def _read(answer: httpx.Response) -> tuple[Any, float]:
    """What was answered, and how many milliseconds the server took for it."""
    if answer.status_code != 200:
        raise RuntimeError(f"{answer.status_code}: {answer.text[:200]}")
    taken = answer.headers.get("server-timing", "app;dur=nan")
    return answer.json(), float(taken.partition("dur=")[2])


async def one_client(address: str, number: int, until_s: float, report: Report) -> None:
    dice = random.Random(number)
    await asyncio.sleep(dice.uniform(0, 2))
    where = address.replace("http", "ws") + "/ws/engine"
    try:
        async with (
            httpx.AsyncClient(base_url=address, timeout=60, limits=SHORT) as http,
            connect(where, origin=address, open_timeout=START_S) as socket,  # type: ignore[arg-type]
        ):
            client = Client(http, socket, report, dice)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(until_s - time.monotonic()), asyncio.TaskGroup() as both:
                    both.create_task(client.beat())
                    while True:
                        await client.play()
    except* Exception as errors:
        for error in errors.exceptions:
            report.errors.append(f"client {number}: {error!r}")


async def warm(address: str) -> None:
    """Have the kernels of all games compiled, however long that takes."""
    where = address.replace("http", "ws") + "/ws/engine"
    async with (
        httpx.AsyncClient(base_url=address, timeout=60) as http,
        connect(where, origin=address, open_timeout=START_S) as socket,  # type: ignore[arg-type]
    ):
        for game in MACHINES:
            await Client(http, socket, Report(), random.Random(0)).ask(game, [])


async def watch_memory(process: psutil.Process, until_s: float, report: Report) -> None:
    begun_s = time.monotonic()
    while (now_s := time.monotonic()) < until_s:
        report.memory.append(((now_s - begun_s) / 60, process.memory_info().rss / 2**20))
        await asyncio.sleep(5)


async def run(address: str, process: psutil.Process, clients: int, minutes: float) -> Report:
    report = Report()
    await warm(address)
    until_s = time.monotonic() + 60 * minutes
    playing = [one_client(address, number, until_s, report) for number in range(clients)]
    await asyncio.gather(watch_memory(process, until_s, report), *playing)
    return report


@contextlib.contextmanager
def server(folder: str) -> Iterator[tuple[str, psutil.Process]]:
    command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--store", str(Path(folder) / "games.db")],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "300"},
    )
    assert process.stdout
    found = re.search(r"http://[^\s/]+", process.stdout.readline())
    assert found
    try:
        yield found[0], psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def share(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description="A hundred people at a time in the web app.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=100)
    options = parser.parse_args()
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, server(folder) as (address, process):
        report = asyncio.run(run(address, process, options.clients, options.minutes))
    early = [mb for minute, mb in report.memory if minute >= options.minutes / 5]
    print(f"{options.clients} clients, {options.minutes:g} minutes, {os.cpu_count()} processors,")
    print(f"load {load_before:.1f} before and {os.getloadavg()[0]:.1f} at the end")
    print(f"{report.games} games ended, {len(report.told_ms):,} moves of people")
    for name, values in (
        ("a person's move, in the server", report.told_ms),
        ("of that, storing it", report.stored_ms),
        ("the same, as clients saw it", report.seen_ms),
        ("a machine's reply", report.reply_ms),
    ):
        p50, p99 = share(values, 0.5), share(values, 0.99)
        print(f"{name:<32} p50 {p50:7.1f} ms   p99 {p99:7.1f} ms   worst {max(values or [0]):7.1f}")
    worst = (f"{share(values, 0.99):.0f}" for _, values in sorted(report.by_minute.items()))
    print("p99 in the server by minute, ms:", " ".join(worst))
    shown = report.memory[:: max(1, len(report.memory) // 10)]
    print("memory, MB:", " ".join(f"{megabytes:.0f}" for _, megabytes in shown))
    print(f"errors: {len(report.errors)}")
    for error in report.errors[:10]:
        print(f"  {error}")
    is_fast = share(report.told_ms, 0.99) < ASKED_MS
    is_flat = early[-1] < GROWTH * early[0]
    print("asked for: p99 under 150 ms", "yes" if is_fast else "NO", end="; ")
    print("memory flat", "yes" if is_flat else "NO", end="; ")
    print("no error", "NO" if report.errors else "yes")
    return 0 if is_fast and is_flat and not report.errors else 1


if __name__ == "__main__":
    sys.exit(main())
