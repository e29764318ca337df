"""The last four empty squares: no table, no move generator, and for the last one no move either.

Most nodes of a search are here. A square is tried if a disc of the other side touches it,
those of odd quadrants first: whoever fills a quadrant's last square keeps what it turns. All values
are fail-soft bounds for a window of no width above `alpha`.
"""

from __future__ import annotations

import numpy as np

from plyground.bits import U64, ZERO, bit, lowest_index, popcount, without_lowest
from plyground.games.othello import RAYS, flipped_discs
from plyground.kernel import Slab, compilable, compilable_call
from plyground.lanes import four_from, highest, joined, lowest
from plyground.solvers.othello.board import Board, count_cells, final_score, quadrant, squares_of
from plyground.solvers.spec import NODES

NO_MOVE = -99

# The nearest square of every ray: the squares next to each square.
NEIGHBOURS = np.array(
    [
        joined(lowest(four_from(RAYS, at)) | highest(four_from(RAYS, at + 4)))
        for at in range(0, len(RAYS), 8)
    ],
    U64,
)


@compilable
def turned(square: int, me: U64, opp: U64) -> U64:
    """What a disc of mine on this square turns over."""
    if NEIGHBOURS[U64(square)] & opp == ZERO:
        return ZERO
    return flipped_discs(square, me, opp)


@compilable
def last_one(board: Board, me: U64, opp: U64, square: int) -> int:
    """The score with one empty square."""
    turning = popcount(flipped_discs(square, me, opp))
    score = 2 * popcount(me) - count_cells(board)
    if turning:
        return score + 2 * turning + 2
    turning = popcount(flipped_discs(square, opp, me))
    if turning:
        return score - 2 * turning
    return score + 2 if score >= 0 else score


@compilable
def last_two(board: Board, me: U64, opp: U64, alpha: int, a: int, b: int, counts: Slab) -> int:
    """Both orders, and if I have no move those of the other side."""
    counts[NODES] += 1
    best = NO_MOVE
    flips = turned(a, me, opp)
    if flips:
        counts[NODES] += 1
        best = -last_one(board, opp ^ flips, me ^ flips ^ bit(a), b)
        if best > alpha:
            return best
    flips = turned(b, me, opp)
    if flips:
        counts[NODES] += 1
        return max(best, -last_one(board, opp ^ flips, me ^ flips ^ bit(b), a))
    if best != NO_MOVE:
        return best
    worst = -NO_MOVE
    flips = turned(a, opp, me)
    if flips:
        counts[NODES] += 1
        worst = last_one(board, me ^ flips, opp ^ flips ^ bit(a), b)
        if worst <= alpha:
            return worst
    flips = turned(b, opp, me)
    if flips:
        counts[NODES] += 1
        return min(worst, last_one(board, me ^ flips, opp ^ flips ^ bit(b), a))
    return worst if worst != -NO_MOVE else final_score(board, me, opp)


@compilable
def try_three(
    board: Board, me: U64, opp: U64, alpha: int, a: int, b: int, c: int, counts: Slab
) -> int:
    """The best of the moves on three squares, or NO_MOVE."""
    best = NO_MOVE
    flips = turned(a, me, opp)
    if flips:
        best = -last_two(board, opp ^ flips, me ^ flips ^ bit(a), -alpha - 1, b, c, counts)
        if best > alpha:
            return best
    flips = turned(b, me, opp)
    if flips:
        value = -last_two(board, opp ^ flips, me ^ flips ^ bit(b), -alpha - 1, a, c, counts)
        best = max(best, value)
        if best > alpha:
            return best
    flips = turned(c, me, opp)
    if flips:
        value = -last_two(board, opp ^ flips, me ^ flips ^ bit(c), -alpha - 1, a, b, counts)
        best = max(best, value)
    return best


@compilable_call
def last_three(
    board: Board, me: U64, opp: U64, alpha: int, a: int, b: int, c: int, parity: int, counts: Slab
) -> int:
    counts[NODES] += 1
    if not parity & quadrant(board, a):  # two of them share a quadrant: the third goes first
        if parity & quadrant(board, b):
            a, b = b, a
        else:
            a, c = c, a
    best = try_three(board, me, opp, alpha, a, b, c, counts)
    if best != NO_MOVE:
        return best
    best = try_three(board, opp, me, -alpha - 1, a, b, c, counts)
    return -best if best != NO_MOVE else final_score(board, me, opp)


@compilable
def try_four(
    board: Board, me: U64, opp: U64, alpha: int, empty: U64, parity: int, counts: Slab
) -> int:
    """The best of the moves on four squares, or NO_MOVE."""
    best = NO_MOVE
    odd = squares_of(board, parity)
    first, then = empty & odd, empty & ~odd
    while first | then:
        if first == ZERO:
            first, then = then, ZERO
        square = lowest_index(first)
        first = without_lowest(first)
        flips = turned(square, me, opp)
        if flips:
            rest = empty ^ bit(square)
            a = lowest_index(rest)
            rest = without_lowest(rest)
            b = lowest_index(rest)
            c = lowest_index(without_lowest(rest))
            value = -last_three(
                board,
                opp ^ flips,
                me ^ flips ^ bit(square),
                -alpha - 1,
                a,
                b,
                c,
                parity ^ quadrant(board, square),
                counts,
            )
            best = max(best, value)
            if best > alpha:
                break
    return best


@compilable_call
def last_four(
    board: Board, me: U64, opp: U64, alpha: int, empty: U64, parity: int, counts: Slab
) -> int:
    counts[NODES] += 1
    best = try_four(board, me, opp, alpha, empty, parity, counts)
    if best != NO_MOVE:
        return best
    best = try_four(board, opp, me, -alpha - 1, empty, parity, counts)
    return -best if best != NO_MOVE else final_score(board, me, opp)
