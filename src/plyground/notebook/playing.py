"""A board to play on, against any player or against oneself.

`position` is the current position, and can be set; `observe(function, "position")` is called after
every move. The opponent thinks in a thread, in which observers of its moves are called too.
"""

from __future__ import annotations

import random
import threading
from typing import Any, ClassVar

import traitlets
from rich.text import Text

from plyground.core.errors import Unsupported, unknown
from plyground.drawing.terminal import status_line
from plyground.games.spec import PLAYERS
from plyground.games.view import view
from plyground.notebook.modules import script
from plyground.notebook.opponent import Opponent
from plyground.notebook.widget import Message, Widget
from plyground.public.position import Position

PERSON = "human"


class PlayBoard(Widget):
    """A game that is being played."""

    _esm = script("play.js")
    position = traitlets.Instance(Position)
    _opponent: Opponent | None = None

    def __init__(
        self, position: Position, opponent: str | None, side: str | None, seed: int | None
    ) -> None:
        self.seed = random.getrandbits(32) if seed is None else seed
        """The seed of all that is random in the opponent's moves."""
        self._lock, self._is_idle = threading.RLock(), threading.Event()
        self._begun, self._trouble, self._is_thinking = position, "", False
        if opponent:
            self._opponent = Opponent(opponent, position, self.seed)
        self._side = _side_of(position, side) if opponent else None
        super().__init__()
        self.position = position

    # ------------------------------------------------------------------ for programs

    @property
    def opponent(self) -> str | None:
        """The player that answers, as text; None if you make all moves."""
        return self._opponent.name if self._opponent else None

    def play(self, move: str) -> None:
        """Make a move, as a click does. Raises InputError."""
        with self._lock:
            if not self._is_mine(self.position):
                raise Unsupported(f"it is not your turn: {self.opponent} is thinking")
            self.position = self.position.play(move)

    def undo(self) -> None:
        """Back to your last decision. Raises Unsupported if there is none."""
        with self._lock:
            decision = self._last_decision()
            if decision is None:
                raise Unsupported("there is no move of yours to take back")
            self.position = decision

    def restart(self) -> None:
        """Back to where the board began."""
        self.position = self._begun

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the opponent has answered, and return whether it has."""
        return self._is_idle.wait(seconds)

    def close(self) -> None:
        """Close the board and its opponent."""
        if self._opponent:
            self._opponent.close()
        self._is_idle.set()
        super().close()

    def __repr__(self) -> str:
        return f"{self.position.game.title}, {self._line()}"

    # ------------------------------------------------------------------ the course of a game

    @traitlets.validate("position")
    def _check(self, proposal: Any) -> Position:
        new: Position = proposal["value"]
        if (new.game, new.settings) != (self._begun.game, self._begun.settings):
            raise Unsupported(f"this board is for {self._begun.game.title} as it was begun")
        return new

    @traitlets.observe("position")
    def _arrived(self, _change: object) -> None:
        with self._lock:
            here = self.position
            if self._opponent:
                self._opponent.stop()
            self._think(not here.is_over and not self._is_mine(here))
            if self._is_thinking and here.implied_code is not None:
                self.position = here.play_code(here.implied_code)
            elif self._is_thinking and self._opponent:
                self._opponent.ask(here, self._answered)

    def _think(self, is_thinking: bool, trouble: str = "") -> None:
        """Show whether the opponent is thinking; only then may those who wait for it continue."""
        self._is_thinking, self._trouble = is_thinking, trouble
        if is_thinking:
            self._is_idle.clear()
        self._show()
        if not is_thinking:
            self._is_idle.set()

    def _answered(self, after: Position, trouble: str) -> None:
        """Called in the thread of the opponent."""
        with self._lock:
            if trouble and after is self.position:
                self._think(False, trouble)
            elif after.parent is self.position:  # else it was taken back in the meantime
                self.position = after

    def _is_mine(self, position: Position) -> bool:
        return not position.is_over and self._side in (None, position.mover)

    def _last_decision(self) -> Position | None:
        for earlier in reversed(self.position.path[:-1]):
            if self._is_mine(earlier) and earlier.implied_code is None:
                return earlier
        return None

    # ------------------------------------------------------------------ what a page sees and says

    def _show(self) -> None:
        here = self.position
        players = [PERSON, PERSON]
        if self._side is not None and self.opponent:
            players[1 - self._side] = self.opponent
        self.shown = {
            "view": view(here),
            "players": players,
            "told": self._trouble or self._line(),
            "isMine": self._is_mine(here),
            "isThinking": self._is_thinking,
            "canUndo": self._last_decision() is not None,
        }

    def _line(self) -> str:
        here = self.position
        if here.is_over:
            return Text.from_markup(status_line(here)).plain
        if not self._is_mine(here):
            return f"{self.opponent} is thinking …"
        if here.implied_code is not None:
            return f"{here.side} has no move and passes."
        return f"{here.side} to move." if self._side is None else f"Your move, {here.side}."

    def _tell(self, text: str) -> None:
        with self._lock:
            self._trouble = text
            self._show()

    def _on_play(self, message: Message) -> None:
        if message["ply"] == self.position.ply:  # a second click comes too late
            self.play(str(message["move"]))

    def _on_pass(self, _message: Message) -> None:
        forced = self.position.implied_code
        if forced is not None and self._is_mine(self.position):
            self.position = self.position.play_code(forced)

    actions: ClassVar = {
        "play": _on_play,
        "pass": _on_pass,
        "undo": lambda self, _said: self.undo(),
        "restart": lambda self, _said: self.restart(),
    }


def _side_of(position: Position, side: str | None) -> int:
    """The side that a person takes: by its name, `first` or `second`, or the side to move."""
    if side is None:
        return position.mover
    names = [*PLAYERS, *(name.lower() for name in position.game.players)]
    if side.lower() not in names:
        raise unknown("side", side, [*PLAYERS, *position.game.players])
    return names.index(side.lower()) % len(PLAYERS)
