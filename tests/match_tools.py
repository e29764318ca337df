"""Matches for tests: pairs to play, games without their times, commands to kill."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from command_line import Result, environment
from patience import PATIENCE_S, until
from user_games import write_game

from plyground.core.records import GameRecord, MoveRecord
from plyground.games.rules import play, side
from plyground.games.spec import GameSpec
from plyground.matches.pair import Pair, PlayedPair, play_pair
from plyground.work.workers import Workers


def played(pair: Pair) -> PlayedPair:
    """The pair, played here and now."""
    return PlayedPair.from_data(play_pair(asdict(pair)))


def engine_that_leaves(folder: Path, *arguments: str) -> str:
    """A player behind GTP that gets ready, and ends when it is asked for a move."""
    path = folder / "leaving-engine"
    answers = (
        """while read -r word rest; do [ "$word" = genmove ] && exit 3; printf '=\\n\\n'; done"""
    )
    path.write_text(f"#!/bin/sh\n{answers}\n", encoding="utf-8")
    path.chmod(0o755)
    return f'gtp:command="{" ".join([str(path), *arguments])}"'


def timeless(data: Any) -> Any:
    """Data without anything that a clock has measured, nor where it was kept."""
    if isinstance(data, dict):
        clocked = ("time_s", "time_per_move_s", "longest_s", "file")
        return {name: timeless(value) for name, value in data.items() if name not in clocked}
    return [timeless(value) for value in data] if isinstance(data, list) else data


def lines_of(path: Path) -> list[bytes]:
    """The complete lines of a file; none if there is no file."""
    data = path.read_bytes() if path.exists() else b""
    return data[: data.rfind(b"\n") + 1].splitlines(keepends=True)


def games_in(path: Path) -> dict[str, Any]:
    """The pairs of a file by their keys, each there once, without their times."""
    data = [json.loads(line) for line in lines_of(path)]
    found = {each["key"]: timeless(each) for each in data}
    assert len(found) == len(data), "a pair was played twice"
    return found


def final_state(game: GameSpec, record: GameRecord) -> Any:
    """Where the moves of a record lead by the rules, each legal, by the side to move."""
    state = game.initial(**record.settings)
    if record.position is not None:
        state = game.parse_position(state, record.position)
    for move in record.moves:
        assert move.side == side(state)
        state = play(state, game.parse_move(state, move.move))
    return state


class CountingWorkers:
    """Workers that count what they have done."""

    def __init__(self, workers: Workers) -> None:
        self.workers, self.done = workers, 0

    def run(self, function: Callable[[Any], Any], tasks: Any) -> Iterator[tuple[Any, Any]]:
        for task, result in self.workers.run(function, tasks):
            self.done += 1
            yield task, result


class DicedWorkers:
    """Workers that throw dice in place of playing, and finish in a random order.

    What becomes of a pair depends on its key alone, as with real ones. `strength` shifts the dice
    of a player by its text; `most` is how many pairs get done before all workers are killed.
    """

    def __init__(
        self,
        count: int = 1,
        order: int = 0,
        most: int = 10**9,
        strength: Mapping[str, float] | None = None,
    ) -> None:
        self.count, self.most, self.strength = count, most, strength or {}
        self.order, self.done = random.Random(order), 0

    def run(
        self, function: Callable[[Any], Any], tasks: Iterable[Any]
    ) -> Iterator[tuple[Any, Any]]:
        assert function is play_pair
        source, under_way = iter(tasks), list[Any]()
        while self.done < self.most:
            while len(under_way) < self.count and (task := next(source, None)) is not None:
                under_way.append(task)
            if not under_way:
                return
            task = under_way.pop(self.order.randrange(len(under_way)))
            self.done += 1
            yield task, self.play(Pair.from_data(task)).as_data()

    def play(self, pair: Pair) -> PlayedPair:
        dice = random.Random(pair.key)
        lead = self.strength.get(pair.players[0], 0.0) - self.strength.get(pair.players[1], 0.0)
        thrown = [dice.random() + lead for _ in range(2)]
        points = [0.0 if number < 0.4 else 0.5 if number < 0.6 else 1.0 for number in thrown]
        first, second = pair.players
        return PlayedPair(
            pair,
            (
                GameRecord(pair.game, (first, second), [MoveRecord("a", 0, 0.5)], points[0]),
                GameRecord(pair.game, (second, first), [MoveRecord("a", 0, 0.5)], 1 - points[1]),
            ),
        )


# A game can be held: its first position is then not given out before somebody lets go.
HOLDING = """MOST = 2


def start_when_allowed():
    import os, time
    from pathlib import Path

    folder = Path(__file__).parent
    journal = folder / "games.jsonl"
    while journal.exists():
        try:
            most = int((folder / "hold").read_text())
        except FileNotFoundError:
            break
        if journal.read_bytes().count(b"\\n") < most:
            break
        (folder / f"waiting-{os.getpid()}").touch()
        time.sleep(0.01)
    return Heap(10, 0)
"""


@dataclass(frozen=True)
class HeldGame:
    """A heap (`user_games.py`) of which workers play so many pairs and then wait to be let go.

    So a test can interrupt or kill at a moment that it knows. The pairs are counted in `journal`.
    """

    path: Path
    journal: Path

    def hold(self, pairs: int) -> None:
        beside = self._sign.with_suffix(".new")  # workers must never read half of it
        beside.write_text(str(pairs), encoding="utf-8")
        beside.replace(self._sign)

    def let_go(self) -> None:
        self._sign.unlink()

    def wait(self) -> list[int]:
        """Until somebody waits; the numbers of the processes that do."""
        marks = until(lambda: list(self.path.parent.glob("waiting-*")))
        return [int(mark.name.partition("-")[2]) for mark in marks]

    @property
    def _sign(self) -> Path:
        return self.path.with_name("hold")


def held_game(folder: Path) -> HeldGame:
    """Such a game in a folder of its own; held by nobody yet."""
    edits = ("MOST = 2\n", HOLDING), ("lambda: Heap(10, 0)", "start_when_allowed")
    path = write_game(folder / "heap.py", *edits)
    return HeldGame(path, folder / "games.jsonl")


class Command:
    """A command of its own process and process group, to be interrupted or killed."""

    def __init__(self, *arguments: str | Path, **changes: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "plyground", *map(str, arguments)],
            env=environment(**changes),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        self.said = ""

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.communicate()

    def interrupt(self) -> None:
        """What Ctrl-C does: a signal for all processes of the terminal."""
        os.killpg(self.process.pid, signal.SIGINT)

    def kill(self) -> None:
        """kill -9, of the command's first process only."""
        self.process.kill()
        self.process.wait()

    def wait_for(self, text: str) -> None:
        """Until the command has said this on its standard error."""
        assert self.process.stderr
        watchdog = threading.Timer(PATIENCE_S, self.process.kill)
        watchdog.start()
        while text not in self.said:
            line = self.process.stderr.readline()
            if not line:
                break
            self.said += line
        watchdog.cancel()
        assert text in self.said, f"the command ended, or was ended, without {text!r}: {self.said}"

    def end(self, patience_s: float = PATIENCE_S) -> Result:
        """The exit status and all output."""
        out, err = self.process.communicate(timeout=patience_s)
        return Result(self.process.returncode, out, self.said + err)


def toml(**fields: object) -> str:
    """Fields as a file of TOML; JSON's scalars and lists are TOML's."""
    return "".join(f"{name} = {_toml_value(value)}\n" for name, value in fields.items())


def _toml_value(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{k} = {_toml_value(v)}" for k, v in value.items()) + " }"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(map(_toml_value, value)) + "]"
    return json.dumps(value)
