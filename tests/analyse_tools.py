"""What the tests of the Analyse page share: the engine's switch, pasting, a puppet engine."""

from __future__ import annotations

import json
import time
from typing import Any

from expecting import USUAL_MS, expect

FIRST_SEARCH_MS = 180_000  # the first search of a game may have to be compiled


def turn_on(page: Any) -> None:
    """Switch the engine on and wait until it has found something."""
    page.get_by_role("switch", name="Engine").click()
    expect(figures(page)).to_contain_text("depth", timeout=FIRST_SEARCH_MS)


def figures(page: Any) -> Any:
    return page.get_by_test_id("engine-figures")


def paste(page: Any, text: str, target: str = "document.body") -> None:
    page.evaluate(
        f"""text => {{
            const clipboardData = new DataTransfer();
            clipboardData.setData("text/plain", text);
            const event = new ClipboardEvent("paste", {{ clipboardData, bubbles: true }});
            {target}.dispatchEvent(event);
        }}""",
        text,
    )


def clipboard(page: Any) -> str:
    return str(page.evaluate("navigator.clipboard.readText()"))


# Before `goto`: as in a page that came over plain http from another machine.
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"


class Puppet:
    """An engine that says what a test wants, in the place of the server's; before `goto`."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.starts: list[dict[str, Any]] = []
        page.route_web_socket("**/ws/engine", self._opened)

    def _opened(self, socket: Any) -> None:
        self.socket = socket
        socket.on_message(self._heard)

    def _heard(self, text: str) -> None:
        message = json.loads(text)
        if message["type"] == "start":
            self.starts.append(message)

    def is_asked(self, times: int = 1) -> int:
        """Wait until the page has asked for so many searches; the number of the newest."""
        deadline_s = time.monotonic() + USUAL_MS / 1000
        while len(self.starts) < times and time.monotonic() < deadline_s:
            self.page.evaluate("0")  # lets what was sent arrive
        assert len(self.starts) >= times, "the page asks for no search"
        return int(self.starts[-1]["job"])

    def say(self, kind: str, job: int | None = None, **data: Any) -> None:
        number = self.starts[-1]["job"] if job is None else job
        self.socket.send(json.dumps({"type": kind, "job": number, **data}))

    def tell(self, depth: int, *moves: dict[str, Any], job: int | None = None, **data: Any) -> None:
        """What was found to a depth, the best move first."""
        facts = {"seq": 1, "nodes": 1000, "time_ms": 10, "nps": 100_000, "complete": False}
        self.say("info", job, depth=depth, moves=list(moves), **{**facts, **data})


def found(line: str, value: int, kind: str = "heuristic") -> dict[str, Any]:
    """A move with its score and what is expected after it."""
    text = f"{kind} in {value}" if kind in ("win", "loss") else f"{value:+d}"
    score = {"value": value, "kind": kind, "bound": "exact", "text": text}
    moves = line.split()
    return {"move": moves[0], "score": score, "depth": 5, "nodes": 10, "line": moves}
