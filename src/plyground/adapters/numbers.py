"""A game in numbers, for agents that know nothing else: actions, observations, returns.

* An **action** is a move's code where the game bounds its codes (`code_limit`), so that a number
  means the same move in every position. Where it does not, as in Double Card, whose codes are
  sparse and large, it is the move's rank among the legal ones: fit for searches, poor for learning.
* An **observation** is the board as its player sees it: a plane of own pieces, one of the other
  side's, one that says whether the player is to move and one whether it is the first; of pits their
  share of all seeds. A board with cards or signs, or without cells, is observed as the bits of
  the state.
* A **return** is 1, 0 or -1. A game with a margin that it bounds (`score_limit`) gives the margin.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from plyground.bits import words
from plyground.core.errors import IllegalMove, Unsupported, shorten
from plyground.games.position import BasePosition
from plyground.games.spec import PLAYERS, GameSpec, Value
from plyground.matches.one_game import MOST_PLIES
from plyground.public.checking import whole
from plyground.public.position import Position

Observation = NDArray[np.float32]


@dataclass(frozen=True)
class Numbers:
    """A game that begins at `root`, in numbers."""

    root: BasePosition
    margin: bool = True
    """Whether a return says by how much a game was won, where the game has a margin."""
    longest: int = MOST_PLIES
    """A game that is not over after so many moves is a draw, as in matches."""

    def __deepcopy__(self, memo: object) -> Self:
        """Itself: searches copy states at every node, and save a tenth by not copying this."""
        return self

    def is_over(self, position: BasePosition) -> bool:
        return position.is_over or self.is_cut(position)

    def is_cut(self, position: BasePosition) -> bool:
        """Whether a game ends here only because it has lasted so long."""
        return position.ply - self.root.ply >= self.longest and not position.is_over

    # ------------------------------------------------------------------ actions

    @cached_property
    def code_limit(self) -> int | None:
        limit = self.root.game.code_limit
        return limit(self.root.start) if limit else None

    @property
    def actions(self) -> int:
        """The number of actions; they are the numbers below this."""
        return self.root.game.max_moves if self.code_limit is None else self.code_limit

    def legal(self, position: BasePosition) -> list[int]:
        """The legal actions, ascending; none when the game is over."""
        if self.is_over(position):
            return []
        codes = position.legal_codes
        if self.code_limit is None:
            return list(range(len(codes)))
        if codes[-1] >= self.code_limit:
            name, text = self.root.game.name, position.write_move(codes[-1])
            raise Unsupported(
                f"{name}: the move {text} is number {codes[-1]}; code_limit={self.code_limit}"
            )
        return list(codes)

    def mask(self, position: BasePosition) -> NDArray[np.int8]:
        """1 for every legal action, 0 for all others."""
        mask = np.zeros(self.actions, np.int8)
        mask[self.legal(position)] = 1
        return mask

    def code(self, position: BasePosition, action: int) -> int:
        """The code of the move that a legal action makes. Raises IllegalMove."""
        legal = self.legal(position)
        if action not in legal:
            known = shorten(", ".join(map(str, legal)), 80) or "none, as the game is over"
            raise IllegalMove(f"{action} is not a legal action; legal: {known}")
        return position.legal_codes[action] if self.code_limit is None else int(action)

    def action(self, position: BasePosition, code: int) -> int:
        """The action that makes a legal move."""
        return position.legal_codes.index(code) if self.code_limit is None else code

    # ------------------------------------------------------------------ observations

    def observe(self, position: BasePosition, player: int) -> Observation:
        """What a player, 0 or 1, sees: numbers from 0 to 1, always in the same shape."""
        board, cells = position.board, position.board.cells
        about = [position.mover == player, player == 0]
        if board.kind in ("grid", "columns") and {*cells} <= {"", " ", *PLAYERS}:
            owners = [[cell == PLAYERS[each] for cell in cells] for each in (player, 1 - player)]
            planes = np.array(owners + [[each] * len(cells) for each in about], np.float32)
            return planes.reshape(4, board.rows, board.columns)
        if board.kind == "pits":
            seeds = np.array(cells, np.float32)
            return np.append(seeds / max(seeds.sum(), 1), np.array(about, np.float32))
        state = np.array(words(position.state), np.uint64).view(np.uint8)
        return np.append(np.unpackbits(state, bitorder="little"), about).astype(np.float32)

    @cached_property
    def shape(self) -> tuple[int, ...]:
        return self.observe(self.root, 0).shape

    # ------------------------------------------------------------------ returns

    @cached_property
    def most(self) -> int:
        """The highest return."""
        game = self.root.game
        if not (self.margin and game.has_margin and game.score_limit):
            return 1
        return max(1, game.score_limit(self.root.start))

    def returns(self, position: BasePosition) -> list[float]:
        """The returns of both players; 0 while the game goes on, or if it was cut."""
        score = position.score or 0
        first = float(max(-self.most, min(self.most, score)))
        return [first, 0.0 - first]


def begin(
    game: str | GameSpec | type,
    moves: str | Iterable[str],
    position: str | None,
    margin: bool,
    longest: int,
    settings: dict[str, Value | Any],
) -> Numbers:
    """A game in numbers, from what `Position` takes. Raises InputError."""
    root = Position(game, moves, position=position, **settings)
    if root.is_over:
        raise Unsupported("the game is over: there is nothing to play")
    return Numbers(root, margin, whole(longest, "longest", 1, MOST_PLIES))
