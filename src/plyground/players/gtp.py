"""Engines that speak the Go Text Protocol, version 2, as Othello programs use it.

    play black f5       =
    genmove white       = d6          and the engine has played it on its own board

Each command is answered by `= text` or `? error` and an empty line. Commands go without a number:
some engines write it where it does not belong. Squares count rows from the top, unlike in Go.

The engine is sent the moves it does not know yet, and everything from the start when what it knows
did not happen. Passes are sent, but one that is refused is taken as known: some engines pass by
themselves.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from plyground.core.errors import Unsupported, shorten
from plyground.games.othello import board_size
from plyground.games.othello import start as usual_start
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.games.squares import is_pass
from plyground.players.engine import SHOWN, START_S, Deadline, EnginePlayer, nonsense
from plyground.players.spec import Choice, Forfeit, Turn

COLOURS = ("black", "white")
MOST_LINES = 1000  # of an answer
HURRY = 0.95  # of a time limit: an engine uses all it is given, and its answer takes time too

_ANSWER = re.compile(r"([=?])(\d*)(.*)")


class GtpPlayer(EnginePlayer):
    """An engine behind GTP; `setup` are commands of its own, sent after the start."""

    protocol = "gtp"

    def __init__(
        self,
        command: str,
        time_s: float | None = None,
        start_s: float = START_S,
        setup: Sequence[str] = (),
    ) -> None:
        super().__init__(command, time_s, start_s)
        self._setup = tuple(setup)
        self._size = self._told_s = 0
        self._known: tuple[int, ...] | None = None
        """The moves on the engine's board; None before the first of a game."""

    def check(self, game: GameSpec, start: State) -> None:
        super().check(game, start)
        if start != usual_start(board_size(start)):
            raise Unsupported(
                "gtp engines begin at the usual start: the protocol has no way to set up a board"
            )

    def begin(self) -> None:
        self._known = None
        super().begin()

    def greet(self) -> None:
        self._known, self._told_s = None, 0
        self._send("set_game Othello", has_banner=True)  # most play nothing else and refuse
        for command in self._setup:
            self._order(command)

    def ask(self, turn: Turn) -> Choice:
        self._update(turn)
        colour = COLOURS[turn.side]
        self._tell_time(turn, colour)
        answer = self._order(f"genmove {colour}", self.limit_s(turn))
        if answer.lower() == "resign":
            raise Forfeit("resigned")
        move = self.read_move(turn, answer)
        self._known = (*turn.position.codes, move)
        return Choice(move)

    # ------------------------------------------------------------------ what the engine knows

    def _update(self, turn: Turn) -> None:
        known, size = self._known, board_size(turn.position.start)
        if known is None or turn.position.codes[: len(known)] != known or size != self._size:
            self._order(f"boardsize {size}")
            self._order("clear_board")
            known, self._size = (), size
        for before, after in itertools.pairwise(turn.position.path[len(known) :]):
            send = self._send if is_pass(after.last_move) else self._order
            send(f"play {COLOURS[before.mover]} {after.last_move}")
        self._known = turn.position.codes

    def _tell_time(self, turn: Turn, colour: str) -> None:
        """Whole seconds for each stone; the protocol has no fractions, so less is not sent.

        Edax takes the main time for that of a stone, so main time is given too, and `time_left`
        says to everybody else that it is used up.
        """
        limit_s = self.limit_s(turn)
        if limit_s < 1 or turn.time_s is self.time_s is None:
            return
        seconds = max(1, int(limit_s * HURRY))
        if seconds != self._told_s:
            self._send(f"time_settings {seconds} {seconds} 1")
            self._told_s = seconds
        self._send(f"time_left {colour} {seconds} 1")

    # ------------------------------------------------------------------ commands and answers

    def _order(self, command: str, seconds: float | None = None) -> str:
        """The answer to a command that must not be refused."""
        is_done, answer = self._send(command, seconds)
        if not is_done:
            raise Forfeit(f"error reply {shorten(f'? {answer}', SHOWN)!r} to {command!r}")
        return answer

    def _send(
        self, command: str, seconds: float | None = None, has_banner: bool = False
    ) -> tuple[bool, str]:
        """Whether a command was accepted, and the answer; programs may greet before the first."""
        deadline = Deadline(self.start_s if seconds is None else seconds)
        self.engine.send(command)
        line = self.engine.read(deadline)
        while not line or line.startswith("#") or (has_banner and line[0] not in "=?"):
            line = self.engine.read(deadline)
        found = _ANSWER.fullmatch(line)
        if not found or found[2]:  # a number that we have not given
            raise nonsense(line)
        lines = [found[3]]
        while line := self.engine.read(deadline):
            lines.append(line)
            if len(lines) > MOST_LINES:
                raise Forfeit(f"gave an answer of more than {MOST_LINES} lines")
        return found[1] == "=", " ".join(lines).strip()
