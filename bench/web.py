"""A hundred people at a time in the web app, each playing against a machine, on one server.

    python bench/web.py [--minutes 10] [--clients 100] [--alone 200]

Each client does what a page does: it has a socket, keeps its connections open, and asks again and
again whether the server is there. It makes a move, of which it asks for the position, and which is
stored; asks for the machine's reply, and does the same with that; thinks for a second or so, and
goes on until the game is over, then begins another. The machines have more to do than the
processors can, so the engines are always busy. Before, one client plays alone.

A move of a person is the question for its position and its storing, one after the other. Told is
what the client waits for, from the first byte sent to the last received, on real connections, and
what the server says that it took. The clients run on the same machine, and take a part of it.

Asked for, at the client: 99 of 100 moves within 150 ms among a hundred players, half of them within
5 ms for one alone; no error; memory that does not grow. The exit status tells whether all held.
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
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from websockets.asyncio.client import ClientConnection, connect

ASKED_MS, ASKED_ALONE_MS = 150, 5
GROWTH = 1.1  # how much larger the server may be in the end than after its first fifth
MACHINES = {"othello": "abmemory:time=50ms", "connect4": "abmemory:time=50ms"}
THINK_S, THINK_ALONE_S = (0.5, 2.0), (0.02, 0.1)
START_S = 120
BEAT_S = 1.5  # as in main.js


@dataclass
class Report:
    """What was seen, by all clients together."""

    seen_ms: list[float] = field(default_factory=list)
    """For a move of a person, as the client waits for it: its position, and storing it."""
    told_ms: list[float] = field(default_factory=list)
    """The same as the server tells it."""
    stored_ms: list[float] = field(default_factory=list)
    """Of that, storing it."""
    by_minute: dict[int, list[float]] = field(default_factory=dict)
    reply_ms: list[float] = field(default_factory=list)
    games: int = 0
    begun_s: float = field(default_factory=time.perf_counter)
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Minutes and megabytes."""


@dataclass(frozen=True)
class Address:
    """Where the server is, and what it wants to see."""

    host: str
    port: int
    token: str

    @property
    def origin(self) -> str:
        return f"http://{self.host}:{self.port}"

    def socket(self) -> connect:
        return connect(
            self.origin.replace("http", "ws") + "/ws/engine",
            origin=self.origin,  # type: ignore[arg-type]
            additional_headers={"x-plyground-token": self.token},
            open_timeout=START_S,
        )


@dataclass
class Line:
    """A connection that is kept open: no more of HTTP than is needed, for it costs the clients."""

    address: Address
    ends: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[Any, float]:
        """What was answered, and how many milliseconds the server took for it."""
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self.address.host}:{self.address.port}\r\n"
            f"x-plyground-token: {self.address.token}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(content)}\r\n\r\n"
        )
        is_new = self.ends is None
        reader, writer = self.ends or await self._open()
        try:
            writer.write(head.encode() + content)
            told = (await reader.readuntil(b"\r\n\r\n")).decode()
        except (ConnectionError, asyncio.IncompleteReadError):
            # The server closes what nobody used for 5 s. Browsers, too, then ask again.
            if is_new:
                raise
            self.close()
            return await self.ask(method, path, body)
        headers = dict(line.split(": ", 1) for line in told.split("\r\n")[1:] if line)
        answer = await reader.readexactly(int(headers["content-length"]))
        if not told.startswith("HTTP/1.1 200 "):
            raise RuntimeError(f"{told.partition(chr(13))[0]}: {answer[:200]!r}")
        return json.loads(answer), float(headers["server-timing"].partition("dur=")[2])

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self.ends = await asyncio.open_connection(self.address.host, self.address.port)
        return self.ends

    def close(self) -> None:
        if self.ends:
            self.ends[1].close()
        self.ends = None


@dataclass
class Client:
    """One page: a socket, and connections of its own."""

    line: Line
    beating: Line
    socket: ClientConnection
    report: Report
    dice: random.Random
    think_s: tuple[float, float] = THINK_S
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
                await asyncio.sleep(self.dice.uniform(*self.think_s))
                moves.append(self.dice.choice(view["legal"])["move"])
            else:
                moves.append(await self.ask(game, moves))
            view = await self.bring(uid, game, moves, is_person=len(moves) % 2 == 1)
        self.report.games += 1

    async def bring(
        self, uid: str, game: str, moves: list[str], is_person: bool = False
    ) -> dict[str, Any]:
        """Ask for the position after a move, and have it stored."""
        line = {"game": game, "moves": moves}
        told = [{"time_s": 1.5 if ply % 2 == 0 else 0.05} for ply in range(len(moves))]
        kept = {"line": line, "players": ["human", MACHINES[game]], "told": told}
        begun_s = time.perf_counter()
        shown, shown_ms = await self.line.ask("POST", "/api/position", line)
        _, stored_ms = await self.line.ask("PUT", f"/api/plays/{uid}", kept)
        if is_person:
            self.report.seen_ms.append((time.perf_counter() - begun_s) * 1000)
            self.report.told_ms.append(shown_ms + stored_ms)
            self.report.stored_ms.append(stored_ms)
            minute = int((begun_s - self.report.begun_s) / 60)
            self.report.by_minute.setdefault(minute, []).append(self.report.seen_ms[-1])
        return shown

    async def beat(self) -> None:
        """Ask whether the server is there, again and again."""
        while True:
            await self.beating.ask("GET", "/api/about")
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


@contextlib.asynccontextmanager
async def client_of(
    address: Address, number: int, report: Report, think_s: tuple[float, float] = THINK_S
) -> AsyncIterator[Client]:
    async with address.socket() as socket:
        lines = Line(address), Line(address)
        try:
            yield Client(*lines, socket, report, random.Random(number), think_s)
        finally:
            for line in lines:
                line.close()


async def one_of_many(address: Address, number: int, until_s: float, report: Report) -> None:
    await asyncio.sleep(random.Random(number).uniform(0, 2))
    try:
        async with client_of(address, number, report) as client:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(until_s - time.monotonic()), asyncio.TaskGroup() as both:
                    both.create_task(client.beat())
                    while True:
                        await client.play()
    except* Exception as errors:
        for error in errors.exceptions:
            report.errors.append(f"client {number}: {error!r}")


async def one_alone(address: Address, moves: int) -> Report:
    """So many moves, after one game in which everything is compiled, however long that takes."""
    report = Report()
    async with client_of(address, 0, Report()) as client:
        for game in MACHINES:
            await client.ask(game, [])
    async with client_of(address, 0, report, THINK_ALONE_S) as client:
        await client.play()
        report.seen_ms.clear()
        report.told_ms.clear()
        report.stored_ms.clear()
        while len(report.seen_ms) < moves:
            await client.play()
    return report


async def watch_memory(process: psutil.Process, until_s: float, report: Report) -> None:
    begun_s = time.monotonic()
    while (now_s := time.monotonic()) < until_s:
        report.memory.append(((now_s - begun_s) / 60, process.memory_info().rss / 2**20))
        await asyncio.sleep(5)


async def run(address: Address, process: psutil.Process, clients: int, minutes: float) -> Report:
    report = Report()
    until_s = time.monotonic() + 60 * minutes
    playing = [one_of_many(address, number, until_s, report) for number in range(clients)]
    await asyncio.gather(watch_memory(process, until_s, report), *playing)
    return report


@contextlib.contextmanager
def server(folder: str) -> Iterator[tuple[Address, psutil.Process]]:
    command = [sys.executable, "-m", "plyground", "web", "--no-browser", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--store", str(Path(folder) / "games.db")],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"COLUMNS": "300", "PLYGROUND_DATA": folder},
    )
    assert process.stdout
    found = re.search(r"http://([\d.]+):(\d+)/(?:\?token=(\S+))?", process.stdout.readline())
    assert found
    try:
        yield Address(found[1], int(found[2]), found[3] or ""), psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait()


def share(values: list[float], part: float) -> float:
    return sorted(values)[min(len(values) - 1, int(part * len(values)))] if values else 0.0


def show(report: Report) -> None:
    for name, values in (
        ("a person's move, at the client", report.seen_ms),
        ("the same, in the server", report.told_ms),
        ("of that, storing it", report.stored_ms),
        ("a machine's reply", report.reply_ms),
    ):
        p50, p99 = share(values, 0.5), share(values, 0.99)
        print(f"{name:<32} p50 {p50:7.1f} ms   p99 {p99:7.1f} ms   worst {max(values or [0]):7.1f}")


def main() -> int:
    parser = argparse.ArgumentParser(description="A hundred people at a time in the web app.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--alone", type=int, default=200, help="moves of one who plays alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, server(folder) as (address, process):
        alone = asyncio.run(one_alone(address, options.alone))
        print(f"one client, {len(alone.seen_ms):,} moves of a person, load {load()}")
        show(alone)
        report = asyncio.run(run(address, process, options.clients, options.minutes))
    early = [mb for minute, mb in report.memory if minute >= options.minutes / 5]
    print(f"{options.clients} clients, {options.minutes:g} minutes, {os.cpu_count()} processors,")
    print(f"load {load()}, {report.games} games ended, {len(report.seen_ms):,} moves of people")
    show(report)
    worst = (f"{share(values, 0.99):.0f}" for _, values in sorted(report.by_minute.items()))
    print("p99 at the client by minute, ms:", " ".join(worst))
    shown = report.memory[:: max(1, len(report.memory) // 10)]
    print("memory, MB:", " ".join(f"{megabytes:.0f}" for _, megabytes in shown))
    print(f"errors: {len(report.errors)}")
    for error in report.errors[:10]:
        print(f"  {error}")
    held = {
        f"one alone, p50 under {ASKED_ALONE_MS} ms": share(alone.seen_ms, 0.5) < ASKED_ALONE_MS,
        f"p99 under {ASKED_MS} ms": share(report.seen_ms, 0.99) < ASKED_MS,
        "memory flat": early[-1] < GROWTH * early[0],
        "no error": not report.errors,
    }
    print(
        "asked for, at the client:",
        "; ".join(f"{k} {'yes' if v else 'NO'}" for k, v in held.items()),
    )
    return 0 if all(held.values()) else 1


def load() -> str:
    """Of the last minute, whoever caused it."""
    return f"{os.getloadavg()[0]:.1f}"


if __name__ == "__main__":
    sys.exit(main())
