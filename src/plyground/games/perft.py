"""Perft: the number of leaves of the game tree at a depth, the classic proof of a rules engine.

A pass is a ply and a finished game counts as one leaf. The last ply is counted, not played: on
Othello that is eight times faster than visiting every leaf.
"""

from __future__ import annotations

from plyground.bits import U64, signed, unsigned, words
from plyground.games.rules import (
    Buffer,
    State,
    canonical,
    count_moves,
    generate,
    is_over,
    key,
    play,
)
from plyground.kernel import Slab, is_stopped, kernel


@kernel
def perft(state: State, depth: int, moves: Buffer, start: int) -> int:
    """Leaves below `state`; `moves` has room for `depth` times the game's most moves."""
    if depth == 0 or is_over(state):
        return 1
    if depth == 1:
        return count_moves(state, moves, start)
    if is_stopped(moves):
        return 0
    leaves = 0
    end = generate(state, moves, start, len(moves) - start)
    for i in range(start, end):
        leaves += perft(play(state, moves[i]), depth - 1, moves, end)
    return leaves


# ------------------------------------------------------------------ with a table

FEWEST_PLIES = 3  # below that, counting again is faster than looking up
DEPTH_BITS = 9
MOST_DEPTH = (1 << DEPTH_BITS) - 1


@kernel
def perft_remembered(
    state: State, depth: int, moves: Buffer, start: int, table: Slab, bits: int
) -> int:
    """The same with a table of `2 ** bits` entries: a position is counted once, and its images too.

    An entry is the whole canonical state, so that none is taken for another, and one word with its
    leaves and depth.
    """
    if depth < FEWEST_PLIES or is_over(state):
        return perft(state, depth, moves, start)
    filed = canonical(state)
    fields = words(filed)
    size = len(fields) + 1
    at = signed(key(filed) >> U64(64 - bits)) * size
    is_same = table[at + size - 1] & MOST_DEPTH == depth
    for i in range(len(fields)):
        is_same = is_same and unsigned(table[at + i]) == fields[i]
    if is_same:
        return table[at + size - 1] >> DEPTH_BITS
    leaves = 0
    end = generate(state, moves, start, len(moves) - start)
    for i in range(start, end):
        if is_stopped(moves):
            return 0  # nothing that may be kept
        leaves += perft_remembered(play(state, moves[i]), depth - 1, moves, end, table, bits)
    if is_stopped(moves):
        return 0
    for i in range(len(fields)):
        table[at + i] = signed(fields[i])
    table[at + size - 1] = leaves << DEPTH_BITS | depth
    return leaves


def perft_table(state: State, memory_bytes: int) -> tuple[Slab, int]:
    """A table for states like this one, and the bits of its size."""
    entry_bytes = 8 * (len(state) + 1)
    bits = max(1, (memory_bytes // entry_bytes).bit_length() - 1)
    return Slab((len(state) + 1) << bits), bits
