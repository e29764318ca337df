"""The search: whether the score of a quiet position is above `alpha`.

1. A position without table entry is bounded by what can still happen: nobody wins with the next
   stone.
2. Every move that does not lose at once is played, with all forced moves after it (`forced.py`). If
   that decides the game, or a follow-up strategy bounds it (`follow_up.py`), no node is needed.
3. While many cells are empty the table is asked about all children before one is searched
   (Schaeffer & Plaat 1996, enhanced transposition cut-offs).
4. What is left is searched, the most promising move first (`ordering.py`), fail-soft.

What each step is worth: docs/experiments/LOG.md. Windows and time are left to `solve.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import ONE, U64, ZERO, popcount, without_lowest
from plyground.games.connect_four import mirrored
from plyground.kernel import Slab, compilable, kernel
from plyground.solvers.connect_four.board import Board, first_row, playable, rows, threats
from plyground.solvers.connect_four.children import (
    KEY,
    LEFT,
    ME,
    SIGN,
    SIZE,
    THEIRS,
    THEM,
    most_promising,
    put,
)
from plyground.solvers.connect_four.follow_up import NO_BOUND, follow_up
from plyground.solvers.connect_four.forced import Settled, loss_next, settle, win_now
from plyground.solvers.connect_four.ordering import weigh
from plyground.solvers.connect_four.table import Table, fetch, file, find, lower_of, upper_of
from plyground.solvers.spec import NODES, STOP

ASK_CHILDREN_FROM = 16  # empty cells
MIRROR_FROM = 20
MOST = 31  # no score is larger


class Work(NamedTuple):
    """Working memory: the table, room for children, and [nodes, stop flag].

    Threads have different jitters, by which they try equally good moves in different orders.
    """

    table: Table
    children: Slab
    counts: Slab
    jitter: int


@kernel
def above(
    board: Board,
    me: U64,
    them: U64,
    theirs: U64,
    left: int,
    key: U64,
    alpha: int,
    at: int,
    work: Work,
) -> int:
    """A value that is above alpha if the score is, and a bound on the score on its side.

    `theirs` are the cells that would complete a four of the side that is not to move.
    """
    upper, lower = win_now(left - 2), loss_next(left - 2)
    if upper <= alpha:
        return upper
    if lower > alpha:
        return lower
    known = find(work.table, key)
    if known != ZERO:
        lower, upper = max(lower, lower_of(known)), min(upper, upper_of(known))
        if upper <= alpha:
            return upper
        if lower > alpha:
            return lower
    work.counts[NODES] += 1
    before = work.counts[NODES]
    best, end = expand(board, me, them, theirs, left, alpha, at, work)
    if best > alpha:
        return best
    if end > at + SIZE:
        weigh(board, me, them, theirs, left, work.children, at, end, work.jitter)
    for _ in range(at, end, SIZE):
        child = most_promising(work.children, at, end)
        sign = work.children[child + SIGN]
        value = sign * above(
            board,
            U64(work.children[child + ME]),
            U64(work.children[child + THEM]),
            U64(work.children[child + THEIRS]),
            work.children[child + LEFT],
            U64(work.children[child + KEY]),
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


@compilable
def position_key(board: Board, me: U64, them: U64, left: int) -> U64:
    """A number that is the same for mirror images while there are many cells, and for no others."""
    position = me + (me | them) + first_row(board)
    if left < MIRROR_FROM:
        return position
    return min(position, mirrored(position, rows(board), popcount(first_row(board))))


# ------------------------------------------------------------------ children


@compilable
def expand(
    board: Board, me: U64, them: U64, theirs: U64, left: int, alpha: int, at: int, work: Work
) -> tuple[int, int]:
    """Play every move. The best score that needs no search, and where the other children end."""
    best, end = loss_next(left), at
    stones = me | them
    moves = playable(board, stones) & ~(theirs >> ONE)
    while moves != ZERO and best <= alpha:
        move = moves & (ZERO - moves)
        moves = without_lowest(moves)
        created = threats(board, me | move, stones | move)
        child = settle(board, them, me | move, theirs & ~move, created, left - 1)
        if child.is_decided:
            best = max(best, -child.score)
            continue
        key = position_key(board, child.me, child.them, child.left)
        fetch(work.table, key)
        low, high = bounds(board, child, key, alpha, work.table)
        if low > alpha:
            best = low
        elif high <= alpha:
            best = max(best, high)
        else:
            put(work.children, end, child, key, move, created)
            end += SIZE
    return best, end


@compilable
def bounds(board: Board, child: Settled, key: U64, alpha: int, table: Table) -> tuple[int, int]:
    """Bounds, that need no search, on a child's score for the side that led to it."""
    low, high = -MOST, MOST
    target = alpha if child.sign < 0 else -alpha - 1
    bound = follow_up(board, child.me, child.them, child.theirs, child.left, target)
    if bound != NO_BOUND:
        high = bound
    elif child.left >= ASK_CHILDREN_FROM:
        entry = find(table, key)
        if entry != ZERO:
            low, high = lower_of(entry), upper_of(entry)
    return (low, high) if child.sign < 0 else (-high, -low)
