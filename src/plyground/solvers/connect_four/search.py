"""The search: whether the score of a quiet position is above `alpha`.

1. A position without table entry is bounded by what can still happen: nobody wins with the next
   stone.
2. Every move that does not lose at once is played, with all forced moves after it (`forced.py`). If
   that decides the game, or a follow-up strategy bounds it (`follow_up.py`), no node is needed.
3. While many cells are empty the table is asked about all children before one is searched
   (Schaeffer & Plaat 1996, enhanced transposition cut-offs): a third fewer nodes.
4. What is left is searched, the most promising move first (`ordering.py`), fail-soft.

Children are kept in one slab, `SIZE` numbers each, since compiled recursion has no cheap arrays.
Knows nothing of windows or time: `solve.py` does.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import ONE, U64, ZERO, popcount, signed, without_lowest
from plyground.games.connect_four import mirrored
from plyground.kernel import Slab, compilable, kernel
from plyground.solvers.connect_four.board import (
    Board,
    first_row,
    playable,
    rows,
    threats,
)
from plyground.solvers.connect_four.follow_up import NO_BOUND, follow_up
from plyground.solvers.connect_four.forced import DECIDED, loss_next, settle, win_now
from plyground.solvers.connect_four.ordering import LIVE_LINES_FROM, live_lines, threat_score
from plyground.solvers.connect_four.table import Table, file, find, lower_of, upper_of

ASK_CHILDREN_FROM = 20  # empty cells
MIRROR_FROM = 20
SIZE = 8
SPECKLED = U64(0x5A96_C3A5_69E1_B478)
SCORE, SIGN, ME, THEM, MINE, THEIRS, LEFT = range(7)
NODES, STOP = 0, 1


class Work(NamedTuple):
    """What a search works with: the table, room for children, and [nodes, stop flag].

    Threads have different jitters, by which they try equally good moves in different orders.
    """

    table: Table
    children: Slab
    counts: Slab
    jitter: int


@compilable
def position_key(board: Board, me: U64, them: U64, left: int) -> U64:
    """A number that is the same for mirror images while there are many cells, and for no others."""
    position = me + (me | them) + first_row(board)
    if left < MIRROR_FROM:
        return position
    return min(position, mirrored(position, rows(board), popcount(first_row(board))))


@compilable
def put(
    children: Slab,
    at: int,
    score: int,
    sign: int,
    me: U64,
    them: U64,
    mine: U64,
    theirs: U64,
    left: int,
) -> None:
    """Keep a child, the children before it being sorted."""
    children[at + SCORE] = score
    children[at + SIGN] = sign
    children[at + ME] = signed(me)
    children[at + THEM] = signed(them)
    children[at + MINE] = signed(mine)
    children[at + THEIRS] = signed(theirs)
    children[at + LEFT] = left


@kernel
def above(
    board: Board,
    me: U64,
    them: U64,
    mine: U64,
    theirs: U64,
    left: int,
    alpha: int,
    at: int,
    work: Work,
) -> int:
    """A value that is above alpha if the score is, and a bound on the score on its side."""
    upper, lower = win_now(left - 2), loss_next(left - 2)
    if upper <= alpha:
        return upper
    if lower > alpha:
        return lower
    key = position_key(board, me, them, left)
    known = find(work.table, key)
    if known != ZERO:
        lower, upper = max(lower, lower_of(known)), min(upper, upper_of(known))
        if upper <= alpha:
            return upper
        if lower > alpha:
            return lower
    work.counts[NODES] += 1
    before = work.counts[NODES]
    best = loss_next(left)
    end = at
    stones = me | them
    moves = playable(board, stones) & ~(theirs >> ONE)
    while moves != ZERO:
        move = moves & (ZERO - moves)
        moves = without_lowest(moves)
        moved = me | move
        created = threats(board, moved, stones | move)
        kind, score, sign, to_move, waiting, first, second, empty = settle(
            board, them, moved, theirs & ~move, created, left - 1
        )
        if kind == DECIDED:
            best = max(best, -score)
            if best > alpha:
                return best
            continue
        target = -alpha - 1 if sign > 0 else alpha
        bound = follow_up(board, to_move, waiting, second, empty, target)
        if bound != NO_BOUND:
            if sign > 0:
                if -bound > alpha:
                    return -bound
            elif bound <= alpha:
                best = max(best, bound)
                continue
        if empty >= ASK_CHILDREN_FROM:
            entry = find(work.table, position_key(board, to_move, waiting, empty))
            if entry != ZERO:
                low, high = lower_of(entry), upper_of(entry)
                if sign > 0:
                    low, high = -high, -low
                if low > alpha:
                    return low
                if high <= alpha:
                    best = max(best, high)
                    continue
        order = threat_score(board, stones | move, created, theirs & ~move)
        if left >= LIVE_LINES_FROM:
            order += live_lines(board, me, them, move)
        if work.jitter:
            order += popcount(move & SPECKLED) << work.jitter
        slot = end
        while slot > at and work.children[slot - SIZE + SCORE] < order:
            for field in range(SIZE):
                work.children[slot + field] = work.children[slot - SIZE + field]
            slot -= SIZE
        put(work.children, slot, order, -sign, to_move, waiting, first, second, empty)
        end += SIZE
    for child in range(at, end, SIZE):
        sign = work.children[child + SIGN]
        value = sign * above(
            board,
            U64(work.children[child + ME]),
            U64(work.children[child + THEM]),
            U64(work.children[child + MINE]),
            U64(work.children[child + THEIRS]),
            work.children[child + LEFT],
            alpha if sign > 0 else -alpha - 1,
            end,
            work,
        )
        if work.counts[STOP]:
            return best
        best = max(best, value)
        if best > alpha:
            break
    if best > alpha:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    file(work.table, key, lower, upper, work.counts[NODES] - before + 1)
    return best
