"""The rules of a game as generic verbs: what can be asked of a state.

A state is a `NamedTuple` of integers; its class implements these verbs as methods of the same name.
Four have no default and make a game: `legal_moves`, `play`, `is_over`, `outcome`. A move is a
number below 2**31 whose meaning is the game's own. What holds for every game:

* players are 0 (first) and 1 (second), and `side` need not alternate;
* a state that is not over has at least one legal move; a pass, where a game has one, is a move;
* `outcome` is the final score **for the side to move**, zero-sum, and is asked only when over.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.bits import U64, ZERO, combine, words
from plyground.kernel import RoomExceeded, Slab, compilable, verb

State = Any  # any NamedTuple that implements the verbs; the type is what dispatches
Buffer = Slab | np.ndarray  # where moves are written; a slab is faster to hand down
FIRST, SECOND = 0, 1


@verb
def legal_moves(state: State, moves: Buffer, start: int) -> int:
    """Write the legal moves, ascending, to `moves[start:end]` and return `end`.

    One long buffer then serves a whole recursion: each ply writes where the ply above ended.
    """
    raise NotImplementedError


@compilable
def generate(state: State, moves: Buffer, start: int, most: int) -> int:
    """The same, for searches: notices a game that has more moves than it announced."""
    end = legal_moves(state, moves, start)
    if end - start > most:
        raise RoomExceeded("a position has more legal moves than max_moves")
    return end


@verb(returns_state=True)
def play(state: State, move: int) -> State:
    """The state after a legal move. Any other move gives an impossible state, or fails.

    Nothing is checked here, where searches spend their time; `GameSpec.play` checks.
    """
    raise NotImplementedError


@verb
def is_over(state: State) -> bool:
    """Whether the game has ended here."""
    raise NotImplementedError


@verb
def outcome(state: State) -> int:
    """The final score for the side to move: positive is a win for it."""
    raise NotImplementedError


@verb
def side(state: State) -> int:
    """The player to move, 0 or 1. Without a method of its own, a state has a field `side`."""
    return state.side


@verb
def turn(state: State, child: State) -> int:
    """-1 if the turn passed to the other player, 1 if the same player moves again.

    Games in which the turn always passes say so, and searches lose a test at every node.
    """
    return 1 if side(state) == side(child) else -1


@verb
def count_moves(state: State, moves: Buffer, start: int) -> int:
    """The number of legal moves, for games that know it without writing them down."""
    return generate(state, moves, start, len(moves) - start) - start


@verb
def cells_left(state: State) -> int:
    """How many empty cells are left to be filled; -1 where a game is not about filling cells."""
    return -1


@verb
def place_of(state: State, move: int) -> int:
    """The place on the board that a move is about, for tables of weights; by default the move."""
    return move


@verb
def code(state: State, cell: int) -> int:
    """What is on a cell, as a small number, for the side to move: what n-tuples are made of.

    Cells that are bits of the state are found without it. It says what is on others, be they pits
    with seeds or anything else worth knowing; `GameSpec.codes` says how many codes each has.
    """
    return 0


@verb
def is_isolated(state: State, move: int) -> bool:
    """Whether a move is far from everything on the board; for an unsound kind of pruning."""
    return False


@verb
def noisy_moves(state: State, moves: Buffer, start: int) -> int:
    """Like `legal_moves`, but only moves that upset the balance at once, such as captures.

    For quiescence search, which is refused for a game that does not say.
    """
    return start


@verb
def key(state: State) -> U64:
    """A 64-bit digest of the state: transposed positions are equal states and have equal keys.

    A game may leave out what only its drawing needs: searches take equal keys for equal positions.
    """
    digest = ZERO
    for word in words(state):
        digest = combine(digest, word)
    return digest


@verb
def count_symmetries(state: State) -> int:
    """The size of the group under which the rules are unchanged; symmetry 0 is the identity."""
    return 1


@verb(returns_state=True)
def transform(state: State, symmetry: int) -> State:
    """The state seen through a symmetry: same side to move, same value."""
    return state


@verb
def transform_move(state: State, move: int, symmetry: int) -> int:
    """The move that corresponds to `move` in `transform(state, symmetry)`."""
    return move


@verb
def canonical_symmetry(state: State) -> int:
    """The symmetry that leads to the canonical form, the image with the lowest key."""
    best, lowest = 0, key(state)
    for symmetry in range(1, count_symmetries(state)):
        candidate = key(transform(state, symmetry))
        if candidate < lowest:
            best, lowest = symmetry, candidate
    return best


@verb(returns_state=True)
def canonical(state: State) -> State:
    """The one representative of all positions that are symmetric to this one."""
    return transform(state, canonical_symmetry(state))
