"""Long runs in tests of the web app: a game that takes its time, and jobs to wait for."""

from __future__ import annotations

import os
import random
import signal
import socket
from pathlib import Path
from typing import Any

import asking
from command_line import run
from patience import until
from user_games import write_game

from plyground.lab.run_results import shipped_results
from plyground.store.runs import Runs
from plyground.store.store import Store

HELD = """MOST = 2


def held_start():
    import sys, time
    from pathlib import Path

    files = [word for word in sys.argv if word.endswith((".toml", ".jsonl"))]
    is_contest = "tournament" in sys.argv or "match" in sys.argv
    journal = Path(files[0]).with_suffix(".jsonl") if is_contest else None
    allowed = Path(__file__).with_name("allowed")
    while journal and journal.exists():
        if journal.read_bytes().count(b"\\n") < int(allowed.read_text()):
            break
        time.sleep(0.01)
    return Heap(10, 0)
"""


class HeldHeap:
    """A heap (`user_games.py`) of which contests play only as many pairs as are allowed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.allow()
        edits = ("MOST = 2\n", HELD), ("lambda: Heap(10, 0)", "held_start")
        self.path = write_game(folder / "heap.py", *edits)

    def allow(self, pairs: int = 10**6) -> None:
        _replace(self.folder / "allowed", str(pairs))


PACED = """    def play(self, move):
        import sys, time
        from pathlib import Path

        lowest = Path(__file__).with_name("lowest")
        while "tournament" in sys.argv and self.left - move < int(lowest.read_text()):
            time.sleep(0.01)
"""


class PacedHeap:
    """A heap of another name from which tournaments take only as long as so many would be left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.leave(0)
        edits = ("    def play(self, move):\n", PACED), ('name="heap"', 'name="paced"')
        self.path = write_game(folder / "paced.py", *edits)

    def leave(self, at_least: int) -> None:
        _replace(self.folder / "lowest", str(at_least))


def _replace(path: Path, text: str) -> None:
    """In one step: somebody may be reading."""
    beside = path.with_suffix(".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)


def lasting_port() -> int:
    """A port that is free, and still is when a server that had it is killed and started again.

    Systems give out ports from 32768 on to whoever asks for any; nobody is given one of these.
    """
    chance = random.Random(os.getpid())
    while True:
        port = chance.randrange(20_000, 32_000)
        with socket.socket() as trial:
            if trial.connect_ex(("127.0.0.1", port)):
                return port


def take_run(store: Path, name: str) -> None:
    """Put the run that comes with an experiment into a store, as if it had been imported."""
    with Store(str(store)) as opened:
        Runs(opened).take(shipped_results(name).whole)


def play_cup(folder: Path) -> None:
    """A tournament in a data folder, all of it played."""
    path = folder / "tournaments" / "cup.toml"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        players = '["random", "first", "better-random"]'
        path.write_text(f'name = "Cup"\ngame = "mnk"\nplayers = {players}\ngames = 4\n')
        assert run("tournament", path, "--no-store").status == 0


def learn_noughts(address: str) -> str:
    """A course of a few hundred games, to its end; its name in addresses."""
    wanted = {"game": "mnk", "name": "noughts", "games": 750, "jobs": 1, "match": False}
    answer = asking.post(f"{address}api/courses", json=wanted)
    begun: dict[str, Any] = answer.json()
    if answer.status_code == 200:
        wait_for(address, begun["job"]["id"], "done")
    else:
        assert "has learned" in begun["error"], begun
    return "mnk.noughts"


def job(address: str, number: str) -> dict[str, Any]:
    told: dict[str, Any] = asking.get(f"{address}api/jobs/{number}").json()
    return told


def wait_for(address: str, number: str, *states: str) -> dict[str, Any]:
    """A job as soon as it is in one of these states."""

    def reached() -> dict[str, Any] | None:
        found = job(address, number)
        assert found["state"] != "failed" or "failed" in states, found["reason"]
        return found if found["state"] in states else None

    found: dict[str, Any] = until(reached)
    return found


def kill_job(address: str, number: str) -> None:
    """kill -9 of its process."""
    os.kill(job(address, number)["pid"], signal.SIGKILL)
