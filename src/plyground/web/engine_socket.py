"""The socket on which a page asks for searches, and gets their results while they run.

A page has one search, and the newest wins: a start that is overtaken before its turn gets no
answer. Results are sent at most eight times a second, and only the newest: a slow page never makes
a queue grow. When the page leaves, its search stops. A stop ends an analysis; a player that was
asked for a move answers with what it has found, even if the stop comes before the beginning.

    page:    start {job, kind, line, ...}   stop {job}   ping
    server:  accepted {job}   waiting {job}   begun {job}   compiling {job, text}   ready {job}
             info {job, seq, ...}   move {job, ..., cut}   trace {job, ...}   proof {job, ...}
             simulations {job, ...}   done {job, reason}   error {job, text}   pong

`begun` is sent for a search that had to wait; `cut` says that a move had to be made because the
time of the question was over.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from plyground.core.errors import PlygroundError
from plyground.kernel import Slab
from plyground.web.search_work import MOVES, work_of
from plyground.web.thinking import ThinkingRoom, Thought
from plyground.web.wire import Message, Ping, Start, Stop

SHORTEST_S = 0.125  # between two messages about one search
MOST_BYTES = 200_000  # of one message
log = logging.getLogger("uvicorn.error")

router = APIRouter()
_message: TypeAdapter[Start | Stop | Ping] = TypeAdapter(Message)


@router.websocket("/ws/engine")
async def engine(socket: WebSocket) -> None:
    """Searches for one page."""
    await socket.accept()
    page = _Page(socket, socket.app.state.room)
    try:
        while (received := await socket.receive())["type"] == "websocket.receive":
            await page.receive(received.get("text"))
    except (WebSocketDisconnect, _PageIsGone):
        pass
    finally:
        await page.leave()


class _PageIsGone(Exception):
    """Nobody receives what is sent."""


class _Page:
    """One socket, the search that runs for it, and the one that is to follow."""

    def __init__(self, socket: WebSocket, room: ThinkingRoom) -> None:
        self.socket, self.room = socket, room
        self.job: int | None = None
        self.thought: Thought[Any] | None = None
        self.wanted: Start | None = None
        self.hurried: int | None = None
        self.owes_a_move = False
        self.task: asyncio.Task[None] | None = None

    async def receive(self, text: str | None) -> None:
        """Never waits for a search, so that a page that leaves is noticed at once."""
        if text is None:
            await self._send("error", text="messages are JSON in text frames, not binary ones")
        elif len(text) > MOST_BYTES:
            await self._send("error", text="that message is too long")
        else:
            await self._receive(text)

    async def _receive(self, text: str) -> None:
        try:
            message = _message.validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            await self._send("error", text=f"{where}: {first['msg']}")
            return
        match message:
            case Ping():
                await self._send("pong")
            case Stop():
                self._stop(message.job)
            case Start():
                self._start(message)

    async def leave(self) -> None:
        """End the search that is under way, and wait until nothing more can be sent of it."""
        self.wanted = None
        self._cancel()
        if self.task is not None:
            await self.task

    def _start(self, start: Start) -> None:
        self.wanted = start
        self._cancel()
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._searches())

    def _stop(self, job: int) -> None:
        """A move is still owed, and comes at once; the results of an analysis have been sent."""
        if self.wanted is not None and self.wanted.job == job:
            if self.wanted.kind in MOVES:
                self.hurried = job
            else:
                self.wanted = None
        if self.job == job and self.thought is not None:
            if self.owes_a_move:
                self.thought.hurry()
            else:
                self.thought.cancel()

    def _cancel(self) -> None:
        if self.thought is not None:
            self.thought.cancel()

    async def _searches(self) -> None:
        """One search after the other, for as long as there is one wanted."""
        try:
            while self.wanted is not None:
                start, self.wanted = self.wanted, None
                await self._search(start)
        except _PageIsGone:
            self._cancel()

    async def _search(self, start: Start) -> None:
        results = _Newest()
        loop = asyncio.get_running_loop()

        def report(kind: str, data: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(results.put, kind, data)

        self.job, self.owes_a_move = start.job, start.kind in MOVES
        # It can be stopped while it is found out what there is to do.
        self.thought = thought = Thought[None](lambda stop: None)
        if self.hurried == start.job:
            thought.hurry()
        try:
            trees = self.socket.app.state.trees
            work = await asyncio.to_thread(work_of, start, report, self.room, trees)
            waits = self.room.is_full

            def begin(stop: Slab) -> None:
                if waits:
                    report("begun", {})
                work(stop)

            thought.work = begin
            await self._send("waiting" if waits else "accepted", job=start.job)
            thinking = asyncio.create_task(self.room.think(thought))
            thinking.add_done_callback(lambda _: results.close())
            try:
                async for kind, data in results:
                    await self._send(kind, job=start.job, **data)
            except _PageIsGone:
                thought.cancel()
                raise
            finally:
                await thinking
            reason = "stopped" if thought.is_stopped else "finished"
            await self._send("done", job=start.job, reason=reason)
        except PlygroundError as error:
            await self._send("error", job=start.job, text=str(error))
        except _PageIsGone:
            raise
        except Exception:  # a fault of ours must not leave the page waiting for ever
            log.exception("a search failed")
            text = "the search failed; the server's log says why"
            await self._send("error", job=start.job, text=text)

    async def _send(self, kind: str, **data: Any) -> None:
        try:
            await self.socket.send_text(json.dumps({"type": kind, **data}, separators=(",", ":")))
        except (WebSocketDisconnect, RuntimeError) as error:  # the second after a close
            raise _PageIsGone from error


class _Newest:
    """What is to be sent: of each kind only the newest, and not more often than people can read."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, Any]] = {}
        self._changed = asyncio.Event()
        self._is_closed = False
        self._seq = 0
        self._next_s = 0.0  # nothing is sent before this time

    def put(self, kind: str, data: dict[str, Any]) -> None:
        self._waiting[kind] = data
        self._changed.set()

    def close(self) -> None:
        """Nothing more will come; what waits is sent at once."""
        self._is_closed = True
        self._changed.set()

    def __aiter__(self) -> _Newest:
        return self

    async def __anext__(self) -> tuple[str, dict[str, Any]]:
        while not self._waiting or self._wait_s > 0:
            if self._is_closed:
                if self._waiting:
                    break
                raise StopAsyncIteration
            self._changed.clear()
            await self._change(self._wait_s if self._waiting else None)
        self._next_s = asyncio.get_running_loop().time() + SHORTEST_S
        kind = next(iter(self._waiting))
        self._seq += 1
        return kind, {"seq": self._seq, **self._waiting.pop(kind)}

    @property
    def _wait_s(self) -> float:
        return self._next_s - asyncio.get_running_loop().time()

    async def _change(self, most_s: float | None) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(most_s):
                await self._changed.wait()
