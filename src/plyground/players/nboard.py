"""Engines that speak the NBoard protocol, version 2.

    set game (;GM[Othello]...B[F5];)    no answer
    ping 7                              pong 7
    go                                  === D6/-1.50/0.3

The engine gets the whole game each time and remembers nothing, so that any start and any history
will do. Nothing is sent while it thinks: engines take that for a request to stop. Lines other than
the answer report on the search, or are ignored.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, field

from plyground.core.errors import InputError, Unsupported
from plyground.core.scores import Score
from plyground.games.othello import GAME as OTHELLO
from plyground.games.othello import board_size
from plyground.games.rules import State, cells_left
from plyground.games.spec import GameSpec
from plyground.players.engine import START_S, Deadline, EnginePlayer
from plyground.players.spec import Choice, Turn

VERSION = 2
SIZE = 8
DEFAULT_DEPTH = 10  # the protocol wants one to be set
MOST_DISCS = 64
MOST_NODES = 2**63
MOST_LINES = 60  # of a report: more than there are moves to report of


class NboardPlayer(EnginePlayer):
    """An engine behind the NBoard protocol, which searches to a depth."""

    protocol = "nboard"

    def __init__(
        self,
        command: str,
        depth: int | None = None,
        time_s: float | None = None,
        start_s: float = START_S,
    ) -> None:
        super().__init__(command, time_s, start_s)
        self._depth = DEFAULT_DEPTH if depth is None else depth
        self._pings = 0

    def expect(self, game: GameSpec, start: State) -> None:
        if game is not OTHELLO:
            raise Unsupported(f"{self.protocol} engines play {OTHELLO.name}, not {game.name}")
        if (size := board_size(start)) != SIZE:
            raise Unsupported(f"nboard engines play on {SIZE}x{SIZE}, not on {size}x{size}")

    def greet(self) -> None:
        self.engine.send(f"nboard {VERSION}")
        self.engine.send(f"set depth {self._depth}")
        self._wait_until_ready()

    def ask(self, turn: Turn) -> Choice:
        limit_s = self.limit_s(turn)
        self.engine.send(f"set game {write_ggf(turn, limit_s)}")
        self._wait_until_ready()
        self.engine.send("go")
        deadline, report = Deadline(limit_s), _Report()
        while not (line := self.engine.read(deadline)).startswith("==="):
            report.hear(line)
        return self._choice(turn, line.removeprefix("==="), report)

    def _wait_until_ready(self) -> None:
        self._pings += 1
        self.engine.send(f"ping {self._pings}")
        deadline = Deadline(self.start_s)
        while self.engine.read(deadline).split() != ["pong", str(self._pings)]:
            pass

    def _choice(self, turn: Turn, answer: str, report: _Report) -> Choice:
        """From `D6/-1.50/0.3`, `D6`, or with blanks in place of the strokes."""
        fields = [part.strip() for part in answer.split("/")] if "/" in answer else answer.split()
        move = self.read_move(turn, fields[0] if fields else "")
        line, reported, depth = report.about(turn, move)
        score = _read_score(fields[1]) if len(fields) > 1 else None
        return Choice(move, score or reported, depth, report.nodes, line)


@dataclass
class _Report:
    """What an engine reports while it thinks."""

    nodes: int = 0
    lines: list[list[str]] = field(default_factory=list)

    def hear(self, line: str) -> None:
        words = line.split()
        if words[:1] == ["nodestats"] and len(words) > 1:
            self.nodes = _read_count(words[1])
        elif words[:1] in (["search"], ["book"]) and len(words) > 4:
            self.lines = [*self.lines[-MOST_LINES:], words[1:5]]

    def about(self, turn: Turn, move: int) -> tuple[tuple[int, ...], Score | None, int]:
        """The expected line, the score and the depth last reported for a move."""
        for moves, score, _, depth in reversed(self.lines):
            try:
                line = turn.game.parse_moves(turn.state, re.sub(r"\b-\b", " ", moves))
            except InputError:
                continue
            if line[:1] == [move]:
                return tuple(line), _read_score(score), _read_count(depth)
        return (), None, 0


def write_ggf(turn: Turn, limit_s: float) -> str:
    """The game as one line of Generic Game Format, with the time for what is left of it."""
    seconds = math.ceil(limit_s * (cells_left(turn.state) + 1) / 2)
    clock = f"{seconds // 60:02}:{seconds % 60:02}"
    start = turn.game.format_position(turn.position.start).replace("X", "*")
    moves = ""
    for before, after in itertools.pairwise(turn.position.path):
        name = after.last_move
        moves += f"{'BW'[before.mover]}[{'PA' if name == 'pass' else name.upper()}]"
    tags = f"GM[Othello]PC[Plyground]PB[Black]PW[White]RE[?]TI[{clock}]TY[{SIZE}]"
    return f"(;{tags}BO[{SIZE} {start}]{moves};)"


def _read_score(text: str) -> Score | None:
    """Discs for the side to move; of a pair, for draws of either colour, the first."""
    try:
        discs = float(text.split(",")[0])
    except ValueError:
        return None
    return Score(round(discs), "heuristic") if abs(discs) <= MOST_DISCS else None


def _read_count(text: str) -> int:
    """A number of nodes or plies; 0 for what is none, such as the depth `100%`."""
    is_count = text.isascii() and text.isdecimal() and len(text) < len(str(MOST_NODES))
    return int(text) if is_count else 0
