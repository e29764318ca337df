"""What a player is: somebody who is asked for a move and answers with one.

A player answers one question, and a `Turn` holds all it may know: asked the same again, a player
without a time limit answers the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from plyground.bits import U64, combine
from plyground.core.errors import shorten
from plyground.core.records import MoveRecord
from plyground.core.scores import Score
from plyground.games.position import BasePosition
from plyground.games.rules import State
from plyground.games.spec import GameSpec
from plyground.kernel import Slab


@dataclass(frozen=True)
class Turn:
    """What a player is asked: a position, how it came about, and how long there is to think."""

    position: BasePosition
    seed: int = 0
    """The seed of the whole game."""
    time_s: float | None = None
    """For this move; None is no limit."""

    @property
    def game(self) -> GameSpec:
        return self.position.game

    @property
    def state(self) -> State:
        return self.position.state

    @property
    def legal(self) -> tuple[int, ...]:
        """The codes of the legal moves: listed once, for the player and for the referee."""
        return self.position.legal_codes

    @property
    def side(self) -> int:
        """0 if the first player is to move, 1 if the second."""
        return self.position.mover

    @property
    def chance(self) -> int:
        """The seed of all that is random in this one answer."""
        return int(combine(U64(self.seed), U64(self.position.ply)))

    @property
    def random(self) -> random.Random:
        """A generator made from it: what it decides is decided again when the game is repeated."""
        return random.Random(self.chance)

    def after(self, move: int) -> Turn:
        """The turn that follows a move."""
        return replace(self, position=self.position.play_code(move))

    def record(self, choice: Choice, time_s: float = 0.0) -> MoveRecord:
        """A legal choice as it is recorded; a move that nobody had to choose took no time."""
        name = self.position.write_move(choice.move)
        known = choice.score, choice.depth, choice.nodes, choice.pondered
        return MoveRecord(name, self.side, time_s, *known, choice.leaves, choice.passes)

    def refusal(self, choice: Choice) -> str:
        """Why a choice that is not legal loses the game."""
        try:
            name = self.position.write_move(choice.move)
        except Exception:  # a game need not know how to write what cannot be played
            name = str(choice.move)
        return f"{shorten(name)} is not a legal move"


@dataclass(frozen=True)
class Choice:
    """A player's answer: a move, and what it knows about it."""

    move: int
    score: Score | None = None
    """As the side that moves sees it."""
    depth: int = 0
    nodes: int = 0
    line: Sequence[int] = ()
    """What is expected to be played, this move first."""
    pondered: bool = False
    """Whether it was found while the opponent was thinking."""
    leaves: int = 0
    """Nodes that were valued."""
    passes: int = 0
    """Searches of the root, by an algorithm that searches it again and again."""


class Forfeit(Exception):
    """A player that cannot go on, or broke the rules: it loses the game for this reason."""


class Player:
    """The base of all players; what most of them do not need does nothing here."""

    def choose(self, turn: Turn) -> Choice:
        """A move for the side to move. Raises Forfeit."""
        raise NotImplementedError

    def prepare(self, turn: Turn) -> None:
        """Prepare what an answer to such a turn needs, so that it takes no thinking time."""

    def begin(self) -> None:
        """A new game begins. Raises Forfeit."""

    def watch(self, turn: Turn) -> None:
        """The opponent has begun to think about this turn; returns at once."""

    def close(self) -> None:
        """End processes and threads. Never raises, may be repeated."""


class Interruptible(Player):
    """A player that can be stopped: it answers at once when a flag is raised."""

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        raise NotImplementedError


def ask(player: Player, turn: Turn, stop: Slab | None) -> Choice:
    """A player's answer; the flag is passed to players that can be stopped."""
    if isinstance(player, Interruptible):
        return player.choose(turn, stop)
    return player.choose(turn)
