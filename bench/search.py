"""How fast the generic search runs, against the same search written by hand for one game.

    python bench/search.py [repeats]

The hand-written alpha-beta below has the shape of the generic one (moves into a buffer, counters,
best line) but no generality: constants instead of fields, calls instead of verbs. Asked for: the
generic one at 0.8 of its nodes/s or better, 500 times plain Python, and a user's game at 0.9 of a
built-in one. Machines are noisy: both sides alternate and the best of some repeats counts.
"""

from __future__ import annotations

import inspect
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np

from plyground.core.scores import INFINITY, WIN
from plyground.evaluation.catalogue import find_evaluator
from plyground.games import connect_four
from plyground.games.catalogue import find_game, load_file
from plyground.kernel import Slab, plain_python
from plyground.search.alphabeta import alphabeta
from plyground.search.catalogue import find_algorithm
from plyground.search.finish import ByMargin
from plyground.search.parts import COUNTERS, NODES, Parts
from plyground.search.run import search
from plyground.search.setup import Limits, Setup

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


# ------------------------------------------------------------------ Othello by hand

INNER_COLUMNS = U64(0x7E7E7E7E7E7E7E7E)
CORNERS, EDGES = U64(0x8100000000000081), U64(0x3C0081818181003C)


@numba.njit(nogil=True)
def reach(stones, through, step):
    up = (stones << step) & through
    down = (stones >> step) & through
    for _ in range(5):
        up |= (up << step) & through
        down |= (down >> step) & through
    return up, down


@numba.njit(nogil=True)
def places(me, opp):
    found = U64(0)
    for step in (U64(1), U64(7), U64(8), U64(9)):
        through = opp if step == U64(8) else opp & INNER_COLUMNS
        up, down = reach(me, through, step)
        found |= (up << step) | (down >> step)
    return found & ~(me | opp)


@numba.njit(nogil=True)
def turned(stone, me, opp):
    found = U64(0)
    for step in (U64(1), U64(7), U64(8), U64(9)):
        through = opp if step == U64(8) else opp & INNER_COLUMNS
        up, down = reach(stone, through, step)
        if (up << step) & me:
            found |= up
        if (down >> step) & me:
            found |= down
    return found


@numba.njit(nogil=True)
def othello_by_hand(me, opp, depth, alpha, beta, moves, line, counts):
    counts[0] += 1
    line[depth * 64] = 0
    mine = places(me, opp)
    if depth == 0 or (mine == U64(0) and places(opp, me) == U64(0)):
        counts[1] += 1
        if mine == U64(0) and places(opp, me) == U64(0):
            own, other = ones(me), ones(opp)
            if own == other:
                return 0
            return WIN + 64 - 2 * other if own > other else 2 * own - 64 - WIN
        return ones(me) - ones(opp)
    counts[2] += 1
    start = depth * 100
    end = start
    if mine == U64(0):
        moves[end] = 64
        end += 1
    for square in range(64):
        if (mine >> U64(square)) & ONE:
            moves[end] = square
            end += 1
    best = alpha
    for i in range(start, end):
        move = moves[i]
        flips, stone = U64(0), U64(0)
        if move != 64:
            stone = ONE << U64(move)
            flips = turned(stone, me, opp)
        value = -othello_by_hand(
            opp ^ flips, me ^ flips ^ stone, depth - 1, -beta, -best, moves, line, counts
        )
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


def by_hand(kernel, me, opp, depth) -> int:
    counts, moves, line = np.zeros(8, np.int64), np.zeros(2000, np.int64), np.zeros(2000, np.int64)
    kernel(me, opp, depth, -INFINITY, INFINITY, moves, line, counts)
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


def from_outside(folder: Path):
    """Connect Four as a user's game: the same source, in a file of its own outside the package."""
    path = folder / "my_connect_four.py"
    path.write_text(inspect.getsource(connect_four))
    return load_file(path)


def simulations(game, state) -> int:
    setup = Setup(find_algorithm("uct"), None, simulations=100_000, memory_bytes=2**28)
    return search(game, state, setup, Limits()).nodes


def solve(game, states, evaluator, depth, threads) -> float:
    """Seconds for all positions."""
    started = time.perf_counter()
    for state in states:
        setup = Setup(find_algorithm("abmemory"), evaluator, order="all", threads=threads)
        search(game, state, setup, Limits(depth=depth))
    return time.perf_counter() - started


def main() -> None:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    game = find_game("connect4")
    state = game.initial()
    judge = find_evaluator("columns", state).make()
    empty = U64(0)
    hand = (connect_four_by_hand, empty, empty)
    assert generic(game, state, judge, 8) == by_hand(*hand, 8), "they must search the same tree"
    compare(
        "Connect Four, nodes/s, against hand-written",
        repeats,
        lambda: generic(game, state, judge, 9),
        lambda: by_hand(*hand, 9),
        0.8,
    )
    othello = find_game("othello")
    start = othello.initial()
    discs = find_evaluator("discs", start).make()
    hand_othello = (othello_by_hand, start.me, start.opp)
    assert generic(othello, start, discs, 7) == by_hand(*hand_othello, 7)
    compare(
        "Othello, nodes/s, against hand-written",
        repeats,
        lambda: generic(othello, start, discs, 9),
        lambda: by_hand(*hand_othello, 9),
        0.8,
    )

    def in_python(game, state, judge, depth) -> int:
        with plain_python():
            return generic(game, state, judge, depth)

    compare(
        "Connect Four, nodes/s, against plain Python",
        repeats,
        lambda: generic(game, state, judge, 9),
        lambda: in_python(game, state, judge, 3),
        500,
    )
    compare(
        "Othello, nodes/s, against plain Python",
        repeats,
        lambda: generic(othello, start, discs, 9),
        lambda: in_python(othello, start, discs, 2),
        500,
    )
    with tempfile.TemporaryDirectory() as folder:
        outside = from_outside(Path(folder))
        zero = find_evaluator("zero", state).make()
        compare(
            "a game from outside the package, against built in",
            repeats,
            lambda: generic(outside, outside.initial(), zero, 10),
            lambda: generic(game, state, zero, 10),
            0.9,
        )
    compare(
        "UCT on Connect Four, simulations/s, against 400,000",
        repeats,
        lambda: simulations(game, state),
        lambda: time.sleep(0.05) or 20_000,
        1.0,
    )
    chooser = random.Random(5)
    states = []
    for _ in range(6):
        position = start
        for _ in range(12):
            position = othello.replay(position, [chooser.choice(othello.legal(position))])
        states.append(position)
    table = find_evaluator("positional", start).make()
    for threads in (1, 2):
        solve(othello, states[:1], table, 4, threads)
    pairs = [[solve(othello, states, table, 11, threads) for threads in (1, 2)] for _ in range(2)]
    one, two = (min(pair[i] for pair in pairs) for i in (0, 1))
    print(f"two threads against one, Othello depth 11: {one:.2f} s, {two:.2f} s {one / two:9.2f} x")


if __name__ == "__main__":
    main()
