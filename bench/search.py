"""How fast the generic search runs, against the same search written by hand for one game.

    python bench/search.py [repeats]

The hand-written alpha-beta below has the shape of the generic one (moves into a buffer, counters,
best line) but no generality: constants instead of fields, calls instead of verbs. Asked for: the
generic one at 0.8 of its nodes/s or better, 500 times plain Python, and a user's game at 0.9 of a
built-in one. Machines are noisy: both sides alternate and the best of some repeats counts.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numba
import numpy as np

from plyground.core.scores import INFINITY, WIN
from plyground.evaluation.catalogue import find_evaluator
from plyground.games.catalogue import find_game
from plyground.kernel import Slab, plain_python
from plyground.search.alphabeta import alphabeta
from plyground.search.finish import ByMargin
from plyground.search.parts import COUNTERS, NODES, Parts

U64 = np.uint64
ONE = U64(1)

# ------------------------------------------------------------------ Connect Four by hand


@numba.njit(nogil=True)
def won(stones):
    for step in (U64(1), U64(7), U64(6), U64(8)):
        pairs = stones & (stones >> step)
        if pairs & (pairs >> (step + step)):
            return True
    return False


@numba.njit(nogil=True)
def ones(word):
    word -= (word >> U64(1)) & U64(0x5555555555555555)
    word = (word & U64(0x3333333333333333)) + ((word >> U64(2)) & U64(0x3333333333333333))
    word = (word + (word >> U64(4))) & U64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * U64(0x0101010101010101)) >> U64(56))


@numba.njit(nogil=True)
def columns(stones, other):
    value = 0
    for low, width in ((7, 35), (14, 21), (21, 7)):
        mask = ((ONE << U64(width)) - ONE) << U64(low)
        value += ones(stones & mask) - ones(other & mask)
    return value


@numba.njit(nogil=True)
def connect_four_by_hand(me, stones, depth, alpha, beta, moves, line, counts):
    counts[0] += 1
    line[depth * 64] = 0
    other = stones ^ me
    if won(other):
        counts[1] += 1
        return -WIN - 1
    full = stones & U64(0x1020408102040 >> 1) == U64(0x1020408102040 >> 1)
    if depth == 0 or full:
        counts[1] += 1
        return 0 if full else columns(me, other)
    counts[2] += 1
    start = depth * 32
    end = start
    for column in range(7):
        moves[end] = column
        end += not (stones >> U64(7 * column + 5)) & ONE
    best = alpha
    for i in range(start, end):
        move = moves[i]
        after = stones | (stones + (ONE << U64(7 * move)))
        value = -connect_four_by_hand(other, after, depth - 1, -beta, -best, moves, line, counts)
        if value > best:
            best = value
            length = line[(depth - 1) * 64]
            line[depth * 64] = length + 1
            line[depth * 64 + 1] = move
            for k in range(1, length + 1):
                line[depth * 64 + 1 + k] = line[(depth - 1) * 64 + k]
        if best >= beta:
            counts[3] += 1
            if i == start:
                counts[4] += 1
            return beta
    return best


# ------------------------------------------------------------------ measuring


def parts_for(game, depth, **optional):
    rows, width = depth + 2, game.max_moves
    return Parts(
        Slab((rows + 17) * width),
        Slab(1),
        Slab(rows * rows),
        Slab(len(COUNTERS) + 6),
        width,
        rows,
        ByMargin(),
        **optional,
    )


def generic(game, state, evaluator, depth) -> int:
    parts = parts_for(game, depth)
    alphabeta(state, evaluator, depth, -INFINITY, INFINITY, parts)
    return parts.counts[NODES]


def by_hand(depth) -> int:
    counts, moves, line = np.zeros(8, np.int64), np.zeros(2000, np.int64), np.zeros(2000, np.int64)
    connect_four_by_hand(U64(0), U64(0), depth, -INFINITY, INFINITY, moves, line, counts)
    return int(counts[0])


def rate(work: Callable[[], int]) -> float:
    started = time.perf_counter()
    units = work()
    return units / (time.perf_counter() - started)


def compare(name: str, repeats: int, ours, other, wanted: float) -> None:
    ours(), other()
    pairs = [(rate(ours), rate(other)) for _ in range(repeats)]
    best, best_other = max(p[0] for p in pairs), max(p[1] for p in pairs)
    ratio = best / best_other
    verdict = "met" if ratio >= wanted else "MISSED"
    print(
        f"{name:52} {best / 1e6:8.2f} M/s {best_other / 1e6:9.4f} M/s {ratio:9.2f} x"
        f"   asked {wanted:g}: {verdict}"
    )


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    game = find_game("connect4")
    state = game.initial()
    judge = find_evaluator("columns", state).make(state)
    assert generic(game, state, judge, 8) == by_hand(8), "the two must search the same tree"
    compare(
        "Connect Four, nodes/s, against hand-written",
        repeats,
        lambda: generic(game, state, judge, 9),
        lambda: by_hand(9),
        0.8,
    )

    def in_python() -> int:
        with plain_python():
            return generic(game, state, judge, 3)

    compare(
        "Connect Four, nodes/s, against plain Python",
        repeats,
        lambda: generic(game, state, judge, 9),
        in_python,
        500,
    )
    othello = find_game("othello")
    start = othello.initial()
    table = find_evaluator("positional", start).make(start)

    def othello_in_python() -> int:
        with plain_python():
            return generic(othello, start, table, 2)

    compare(
        "Othello, nodes/s, against plain Python",
        repeats,
        lambda: generic(othello, start, table, 9),
        othello_in_python,
        500,
    )


if __name__ == "__main__":
    main()
