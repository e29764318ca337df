"""Players to measure against that leave something to chance.

`random`, `better-random` and `random-start` are the opponents of Neudeck 2019, "Reversi: Advanced
Computer Player", section 3.3; noise is what makes a level of play out of a search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyground.bits import U64, next_random, random_below
from plyground.core.scores import Score
from plyground.evaluation.spec import evaluate
from plyground.games.rules import is_over, outcome, play
from plyground.games.rules import turn as sign_of
from plyground.kernel import Slab
from plyground.players.judging import Judge
from plyground.players.spec import Choice, Interruptible, Player, Turn, ask

WON_AT_ONCE = 10**9  # beyond any evaluator
PLAIN, NOISE = U64(0), U64(0x6E6F_6973_6500_0001)  # streams of chance


class RandomPlayer(Player):
    """Any legal move."""

    def choose(self, turn: Turn) -> Choice:
        return Choice(_any_of(turn.legal, turn))


@dataclass
class BetterRandom(Player):
    """One of the two moves after which the position looks best, each as likely."""

    judge: Judge

    def choose(self, turn: Turn) -> Choice:
        moves = turn.game.legal(turn.state)
        moves.sort(
            key=lambda move: -self._worth(turn, move)
        )  # stable: the game's order among equals
        move = _any_of(moves[:2], turn)
        return Choice(move, Score(self._worth(turn, move), "heuristic"), 1, len(moves))

    def _worth(self, turn: Turn, move: int) -> int:
        child = play(turn.state, move)
        if is_over(child):
            seen = WON_AT_ONCE * int(outcome(child))
        else:
            seen = evaluate(self.judge.evaluator, child)
        return int(sign_of(turn.state, child)) * int(seen)


@dataclass
class Wrapper(Interruptible):
    """A player with another inside, to which it passes on whatever it does not do itself."""

    then: Player

    def prepare(self, turn: Turn) -> None:
        self.then.prepare(turn)

    def begin(self) -> None:
        self.then.begin()

    def watch(self, turn: Turn) -> None:
        self.then.watch(turn)

    def close(self) -> None:
        self.then.close()


@dataclass
class RandomStart(Wrapper):
    """Random for its first moves, then the player inside."""

    moves: int

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        if self._is_early(turn):
            return Choice(_any_of(turn.legal, turn))
        return ask(self.then, turn, stop)

    def _is_early(self, turn: Turn) -> bool:
        """Whether it has made fewer moves of its own; a side may move twice in a row."""
        own = sum(before.mover == turn.side for before in turn.position.path[:-1])
        return own < self.moves


@dataclass
class Noisy(Wrapper):
    """The player inside, but now and then any legal move."""

    share: float

    def choose(self, turn: Turn, stop: Slab | None = None) -> Choice:
        generator = _generator(turn, NOISE)
        if int(next_random(generator)) < self.share * 2**64:
            return Choice(turn.legal[random_below(generator, len(turn.legal))])
        return ask(self.then, turn, stop)


def _generator(turn: Turn, stream: U64 = PLAIN) -> np.ndarray:
    """Streams differ: the player inside must not reuse the number that decided to ask it."""
    return np.array([U64(turn.chance) ^ stream], np.uint64)


def _any_of(moves: Sequence[int], turn: Turn) -> int:
    return moves[random_below(_generator(turn), len(moves))]
