"""The socket on which a page asks for searches, and hears of them while they run.

One search for each page, and the newest wins: a start that is overtaken before its turn is never
heard of again. What is found is told at most eight times a second, and only the newest: a slow page
never makes a queue grow. When the page goes, its search stops. A stop ends an analysis; whoever is
asked for a move answers with what was found so far, even if the stop comes before the beginning.

    page:    start {job, kind, line, ...}   stop {job}   ping
    server:  accepted {job}   waiting {job}   begun {job}   compiling {job, text}   ready {job}
             info {job, seq, ...}   move {job, ..., cut}   trace {job, ...}   proof {job, ...}
             simulations {job, ...}   done {job, reason}   error {job, text}   pong

`begun` is told of a search that had to wait; `cut` tells that a move had to be made because the
time of the question was over.

Knows no rule of any game.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from plyground import kernel
from plyground.analysis.every_move import Analysis, Findings, MoveFinding
from plyground.analysis.exact import analysis_of
from plyground.core.errors import PlygroundError
from plyground.core.scores import Score
from plyground.evaluation.catalogue import find_evaluator
from plyground.games.position import BasePosition
from plyground.kernel import Slab
from plyground.players.catalogue import make_machine
from plyground.players.hints import hint_player
from plyground.players.spec import Choice, Turn, ask
from plyground.search.clock import timer
from plyground.web import trace_work
from plyground.web.thinking import ThinkingRoom, Thought
from plyground.web.wire import Ping, Said, Start, Stop, demand_harmless

SHORTEST_S = 0.125  # between two things that are told
MOST_BYTES = 200_000  # of one message
log = logging.getLogger("uvicorn.error")
MOVES = ("move", "hint")

router = APIRouter()
_said: TypeAdapter[Start | Stop | Ping] = TypeAdapter(Said)


@router.websocket("/ws/engine")
async def engine(socket: WebSocket) -> None:
    """Searches for one page."""
    await socket.accept()
    page = _Page(socket, socket.app.state.room)
    try:
        while (told := await socket.receive())["type"] == "websocket.receive":
            await page.hear(told.get("text"))
    except (WebSocketDisconnect, _PageIsGone):
        pass
    finally:
        await page.leave()


class _PageIsGone(Exception):
    """Nobody hears what is said."""


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

    async def hear(self, text: str | None) -> None:
        """Never waits for a search, so that a page that goes is noticed at once."""
        if text is None:
            await self._say("error", text="messages are JSON in text frames, not binary ones")
            return
        if len(text) > MOST_BYTES:
            await self._say("error", text="that message is too long")
            return
        try:
            said = _said.validate_json(text)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            await self._say("error", text=f"{where}: {first['msg']}")
            return
        if isinstance(said, Ping):
            await self._say("pong")
        elif isinstance(said, Stop):
            self._stop(said.job)
        else:
            self._start(said)

    async def leave(self) -> None:
        """End the search that is under way, and wait until nothing more can be said of it."""
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
        """A move is still owed, and comes at once; what was found for an analysis was told."""
        waits = self.wanted is not None and self.wanted.job == job
        if waits and self.wanted is not None and self.wanted.kind in MOVES:
            self.hurried = job
        elif waits:
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
        told = _Newest()
        loop = asyncio.get_running_loop()

        def tell(kind: str, data: dict[str, Any]) -> None:
            loop.call_soon_threadsafe(told.put, kind, data)

        self.job, self.thought = start.job, Thought(_nothing)
        self.owes_a_move = start.kind in MOVES
        thought = self.thought  # which can be stopped while it is found out what is to be done
        if self.hurried == start.job:
            thought.hurry()
        try:
            thought.work = await asyncio.to_thread(
                _work_of, start, tell, self.room, self.socket.app.state.trees
            )
            waits = self.room.is_full
            if waits:
                thought.work = _telling_when_begun(thought.work, tell)
            await self._say("waiting" if waits else "accepted", job=start.job)
            thinking = asyncio.create_task(self.room.think(thought))
            thinking.add_done_callback(lambda _: told.close())
            try:
                async for kind, data in told:
                    await self._say(kind, job=start.job, **data)
            except _PageIsGone:
                thought.cancel()
                raise
            finally:
                await thinking
            reason = "stopped" if thought.is_stopped else "finished"
            await self._say("done", job=start.job, reason=reason)
        except PlygroundError as error:
            await self._say("error", job=start.job, text=str(error))
        except _PageIsGone:
            raise
        except Exception:  # a fault of ours must not leave the page waiting for ever
            log.exception("a search failed")
            text = "the search failed; the server's log says why"
            await self._say("error", job=start.job, text=text)

    async def _say(self, kind: str, **data: Any) -> None:
        try:
            await self.socket.send_text(json.dumps({"type": kind, **data}, separators=(",", ":")))
        except (WebSocketDisconnect, RuntimeError) as error:  # as it is told after a close
            raise _PageIsGone from error


class _Newest:
    """What is to be told: of each kind only the newest, and not more often than people can read."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, Any]] = {}
        self._changed = asyncio.Event()
        self._is_closed = False
        self._seq = 0
        self._next_s = 0.0  # nothing is told before this time

    def put(self, kind: str, data: dict[str, Any]) -> None:
        self._waiting[kind] = data
        self._changed.set()

    def close(self) -> None:
        """Nothing more will come; what waits is told at once."""
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


Tell = Callable[[str, dict[str, Any]], None]
_prepared: set[tuple[type, str]] = set()
"""The players that have moved since the server was started, and in which games."""


def _nothing(stop: Slab) -> None:
    """What a search does of which nothing is known yet."""


def _telling_when_begun(work: Callable[[Slab], None], tell: Tell) -> Callable[[Slab], None]:
    def begin(stop: Slab) -> None:
        tell("begun", {})
        work(stop)

    return begin


def _work_of(
    start: Start, tell: Tell, room: ThinkingRoom, trees: trace_work.Trees
) -> Callable[[Slab], None]:
    """What a thread does for a page. Raises InputError before it begins."""
    position = start.line.read()
    if start.kind == "analysis":
        return _analysis(start, position, tell, room)
    if start.kind not in MOVES:
        looked_into = trace_work.work_of(start, position, trees)

        def look(stop: Slab) -> None:
            with _compiling_told(tell):
                room.get_ready(looked_into.prepare)
            with timer(start.time_s, stop):
                found = looked_into.run(stop)
            tell(start.kind, found)

        return look
    text = start.player if start.kind == "move" and start.player else hint_player(position)
    demand_harmless(text)
    player = make_machine(text, position.game, position.start)
    turn = Turn(position, start.seed)

    def work(stop: Slab) -> None:
        kind = (type(position.state), text)
        if kind not in _prepared:  # to see that nothing is to be compiled takes milliseconds
            with _compiling_told(tell):
                room.get_ready(lambda: player.prepare(turn))
            _prepared.add(kind)
        end_s = time.monotonic() + start.time_s
        with timer(start.time_s, stop):
            choice = ask(player, turn, stop)
        # A player's own limit and a person raise the same flag, so the flag does not tell.
        tell("move", {**_choice(position, choice), "cut": time.monotonic() >= end_s})

    return work


def _analysis(
    start: Start, position: BasePosition, tell: Tell, room: ThinkingRoom
) -> Callable[[Slab], None]:
    evaluator = find_evaluator(start.evaluator, position.state).make(position.start)

    def work(stop: Slab) -> None:
        analysis = analysis_of(Analysis(position, evaluator, start.depth, stop=stop))
        with _compiling_told(tell):
            room.get_ready(analysis.prepare)
        with timer(start.time_s, stop):
            found = analysis.run(lambda so_far: tell("info", _findings(position, so_far)))
        tell("info", _findings(position, found))

    return work


@contextlib.contextmanager
def _compiling_told(tell: Tell) -> Any:
    was_told = False

    def show(text: str) -> None:
        nonlocal was_told
        was_told = True
        tell("compiling", {"text": text})

    with kernel.hearing_compiler(show):
        yield
    if was_told:
        tell("ready", {})


def _findings(position: BasePosition, found: Findings) -> dict[str, Any]:
    return {
        "depth": found.depth,
        "nodes": found.nodes,
        "time_ms": round(found.time_s * 1000),
        "nps": round(found.nodes / found.time_s) if found.time_s else 0,
        "complete": found.is_complete,
        "moves": [_finding(position, one) for one in found.moves],
    }


def _finding(position: BasePosition, one: MoveFinding) -> dict[str, Any]:
    return {
        "move": position.write_move(one.move),
        "score": _score(one.score),
        "depth": one.depth,
        "nodes": one.nodes,
        "line": list(position.write_line(one.line)),
    }


def _choice(position: BasePosition, choice: Choice) -> dict[str, Any]:
    return {
        "move": position.write_move(choice.move),
        "score": _score(choice.score) if choice.score else None,
        "depth": choice.depth,
        "nodes": choice.nodes,
        "line": list(position.write_line(choice.line)),
    }


def _score(score: Score) -> dict[str, Any]:
    return {"value": score.value, "kind": score.kind, "bound": score.bound, "text": str(score)}
