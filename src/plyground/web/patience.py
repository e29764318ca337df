"""How long a client may take to send a request, or to take an answer.

Left alone, uvicorn waits for ever for the rest of a request, so a client that sends many halves
locks everybody out. Here a request that comes too slowly is refused and closed. Incomplete requests
are few at a time: the one with the least time left makes room, so that even before that time is
over a client that sends whole requests gets in.
"""

from __future__ import annotations

import asyncio
import json

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

INCOMPLETE = (h11.IDLE, h11.SEND_BODY)


class PatientProtocol(H11Protocol):
    """One connection. `timeout_keep_alive_task` runs while the server waits for the client."""

    patience_s = 10.0
    """For a request to come, from its first byte or the opening of the connection."""
    bytes_per_s = 50_000
    """What has come prolongs that, so that a large file may take its time and a trickle may not."""
    most_incomplete = 150
    """Fewer than a client may have questions (`bounds.py`)."""
    most_idle = 400
    """Kept open for their next question; a process may often open no more than 1,000 files."""
    answer_s = 30.0
    """For a client to take the next part of an answer."""

    due_s: float | None = None
    """When the request that is under way must have come."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_more(0)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state in INCOMPLETE and self in self.connections:
            self._await_more(len(data))
        else:  # it is whole, or has become a socket
            self.due_s = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._stalled = self.loop.call_later(self.answer_s, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stalled.cancel()

    def _await_more(self, received: int) -> None:
        is_first = self.due_s is None
        self.due_s = (
            self.due_s or self.loop.time() + self.patience_s
        ) + received / self.bytes_per_s
        self._unset_keepalive_if_required()
        self.timeout_keep_alive_task = self.loop.call_at(self.due_s, self._be_late)
        if is_first:
            self._make_room()

    def _make_room(self) -> None:
        """Hang up on the one with the least time left; never on this one, which has just come."""
        others = {
            each: each.timeout_keep_alive_task.when()
            for each in self.connections
            if isinstance(each, PatientProtocol) and each.timeout_keep_alive_task
        }
        del others[self]
        incomplete = [each for each in others if each.due_s is not None]
        idle = [each for each in others if each.due_s is None]
        for some, most in ((incomplete, self.most_incomplete), (idle, self.most_idle)):
            if len(some) >= most:
                min(some, key=others.__getitem__)._hang_up()

    def _be_late(self) -> None:
        if self.flow.read_paused:  # by the server, which has not yet dealt with what has come
            self.due_s = None
            self._await_more(0)
        else:
            self._hang_up()

    def _hang_up(self) -> None:
        self._unset_keepalive_if_required()
        self.due_s = None
        if self.transport.is_closing():
            return
        is_begun = self.conn.our_state is h11.IDLE and self.conn.trailing_data[0]
        if is_begun or self.conn.our_state is h11.SEND_RESPONSE:
            self._say_why()
        if self.cycle is not None:
            self.cycle.disconnected = True  # at once: an answer under way must not write
            self.cycle.message_event.set()
        self.transport.close()

    def _say_why(self) -> None:
        body = json.dumps({"error": "the request did not come whole in time"}).encode()
        headers = {"content-type": "application/json", "connection": "close"}
        size = {"content-length": str(len(body))}
        start = h11.Response(status_code=408, headers=list((headers | size).items()))
        for event in (start, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
