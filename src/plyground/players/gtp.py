"""Engines that speak the Go Text Protocol, version 2, for every game.

    set_game kalah      =             or a refusal: the engine does not play it
    play black 3        =             black is the first player, who may move twice
    genmove black       = 6           and the engine has played it on its own board

Each command is answered by `= text` or `? error` and an empty line. Commands go without a number:
some engines write it where it does not belong. Moves are written as the game writes them, an
underscore for each space.

Settings, and games that begin elsewhere, are told by a command of our own, if the engine knows it:

    plyground-setup m=5 n=5 k=4 position=...

Othello programs know neither that nor `set_game`: they are taken to play Othello, and `boardsize`
tells them what there is to set.

The engine is sent the moves it does not know yet, and everything from the start when what it knows
did not happen. Passes are sent, but one that is refused is taken as known: some engines pass by
themselves.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from plyground.core.errors import Unsupported, shorten
from plyground.games.othello import GAME as OTHELLO
from plyground.games.othello import board_size
from plyground.games.position import BasePosition
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.players.engine import SHOWN, START_S, Deadline, EnginePlayer, nonsense
from plyground.players.spec import Choice, Forfeit, Turn

COLOURS = ("black", "white")
SETUP = "plyground-setup"
MOST_LINES = 1000  # of an answer
HURRY = 0.95  # of a time limit: an engine uses all it is given, and its answer takes time too

_ANSWER = re.compile(r"([=?])(\d*)(.*)")


# ------------------------------------------------------------------ moves as text


def write_move(position: BasePosition, code: int) -> str:
    """A move as one word."""
    return "_".join(position.write_move(code).split())


def find_move(position: BasePosition, word: str) -> int | None:
    """The legal move that is written so, by its code: underscores may also be the game's own."""
    return next((code for code in position.legal_codes if write_move(position, code) == word), None)


# ------------------------------------------------------------------ the player


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
        self._told_s, self._takes_setup = 0, False
        self._game, self._begins = OTHELLO, OTHELLO.initial()
        self._known: BasePosition | None = None
        """What is on the engine's board; None before a game."""

    def expect(self, game: GameSpec, start: State) -> None:
        if game is not self._game or start != self._begins:
            self.engine.close()  # when it starts, it is told what will be played
        self._game, self._begins = game, start

    def begin(self) -> None:
        self._known = None
        super().begin()

    def greet(self) -> None:
        self._known, self._told_s = None, 0
        name = OTHELLO.title if self._game is OTHELLO else self._game.name
        is_done, answer = self._send(f"set_game {name}", has_banner=True)
        if not is_done and self._game is not OTHELLO:
            raise Forfeit(f"does not play {name}: it answered {shorten(f'? {answer}', SHOWN)!r}")
        for command in self._setup:
            self._order(command)
        self._takes_setup = self._is_setup_known()

    def ask(self, turn: Turn) -> Choice:
        self._update(turn.position)
        colour = COLOURS[turn.side]
        self._tell_time(turn, colour)
        answer = self._order(f"genmove {colour}", self.limit_s(turn))
        if answer.lower() == "resign":
            raise Forfeit("resigned")
        move = find_move(turn.position, answer)
        if move is None:
            move = self.read_move(turn, answer.replace("_", " "))
        self._known = turn.position.play_code(move)
        return Choice(move)

    # ------------------------------------------------------------------ what the engine knows

    def _update(self, position: BasePosition) -> None:
        known, path = self._known, position.path
        if known is None or known.codes != position.codes[: known.ply]:
            known = path[0]
            self._set_up(known)
        for before, after in itertools.pairwise(path[known.ply :]):
            assert after.code is not None
            send = self._send if after.code == before.implied_code else self._order
            send(f"play {COLOURS[before.mover]} {write_move(before, after.code)}")
        self._known = position

    def _set_up(self, first: BasePosition) -> None:
        """Begin a game on the engine's board."""
        if self._takes_setup:
            values = {**first.game.defaults, **first.settings}
            words = [f"{name}={value}" for name, value in values.items()]
            if (text := first.start_text) is not None:
                words += [f"position={' '.join(text.split())}"]
            self._order(" ".join([SETUP, *words]))
            return
        if self._game is OTHELLO:
            self._order(f"boardsize {board_size(first.start)}")
        self._order("clear_board")

    def _is_setup_known(self) -> bool:
        """Whether settings and positions are told. Raises Unsupported if they must, and cannot."""
        sizes = {"size": int(board_size(self._begins))} if self._game is OTHELLO else {}
        is_usual = self._begins == self._game.initial(**sizes)
        if self._game is OTHELLO and is_usual:
            return False
        is_known = self._send(f"known_command {SETUP}") == (True, "true")
        if not is_known and not is_usual:
            raise Unsupported(
                f"the engine plays {self._game.name} only with its usual settings and from the "
                f"usual start: it does not know the command {SETUP}"
            )
        return is_known

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
            told = shorten(command, SHOWN)
            raise Forfeit(f"error reply {shorten(f'? {answer}', SHOWN)!r} to {told!r}")
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
