"""The search: whether the score of a position is above `alpha`, a window of no width.

1. Stable discs of the other side may already make it impossible.
2. The table may know; else every move is played, and while there are many empty squares the table
   is asked about all children before one is searched (Schaeffer & Plaat 1996, enhanced
   transposition cut-offs).
3. Children are searched, the most promising first (`ordering.py`), fail-soft.
4. The last squares need no table (`shallow`), and the very last ones no moves (`last.py`).

Threads share the table and search the same tree. Each records which children of large nodes it is
searching; other threads search those last (Weill's ABDADA 1996, as simplified by T. Kerrigan).

What each step is worth: docs/experiments/LOG.md. Windows and time are left to `solve.py`.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.bits import U64, ZERO, bit, lowest_index, popcount, signed, unsigned, without_lowest
from plyground.evaluation.othello_stability import stable_discs
from plyground.games.othello import flipped_discs, legal_squares
from plyground.kernel import Slab, compilable, kernel
from plyground.solvers.othello.board import (
    Board,
    cells,
    count_cells,
    final_score,
    parity_of,
    quadrant,
    squares_of,
)
from plyground.solvers.othello.last import NO_MOVE, last_four
from plyground.solvers.othello.ordering import promise_ahead, promise_seen
from plyground.solvers.othello.table import (
    Table,
    fetch,
    file,
    find,
    lower_of,
    move_of,
    scattered,
    upper_of,
)
from plyground.solvers.spec import NODES, STOP

SHALLOW = 6  # empty squares up to which there is neither table nor order but parity
ASK_CHILDREN_FROM = 8
SHARE_FROM = 11  # empty squares from which threads avoid each other's children
LOOK_FROM = 16  # empty squares from which moves are ordered by a search
LOOK_FAR_FROM = 20
BUSY_BITS = 12
MOST_CHILDREN = 64 * 65 // 2  # along a line: as many at each ply as there are empty squares

CHILD = 4
PROMISE, ME, OPP, MOVE = range(CHILD)
TRIED = -(1 << 60)
DEFERRED = 1 << 50
KNOWN_BEST = 1 << 40
NOTHING = 64  # no square


class Work(NamedTuple):
    """Working memory: the table, room for children, [nodes, stop flag], who searches what."""

    table: Table
    children: Slab
    counts: Slab
    busy: Slab
    threads: int


@kernel
def above(board: Board, me: U64, opp: U64, alpha: int, left: int, at: int, work: Work) -> int:
    """A value that is above alpha if the score is, and a bound on the score on its side."""
    counts = work.counts
    counts[NODES] += 1
    before = counts[NODES]
    moves = legal_squares(me, opp, cells(board))
    if moves == ZERO:
        if legal_squares(opp, me, cells(board)) == ZERO:
            return final_score(board, me, opp)
        return -above(board, opp, me, -alpha - 1, left, at, work)
    lower, upper, known_move = -count_cells(board), count_cells(board), NOTHING
    if is_stability_useful(alpha, left):
        upper = most_by_stability(board, me, opp)
        if upper <= alpha:
            return upper
    known = find(work.table, me, opp)
    if known != ZERO:
        lower, upper = max(lower, lower_of(known)), min(upper, upper_of(known))
        if upper <= alpha:
            return upper
        if lower > alpha:
            return lower
        known_move = move_of(known)
    best, best_move, end = expand(board, me, opp, moves, alpha, left, known_move, at, work)
    waiting = (end - at) // CHILD
    is_first = True
    while waiting and best <= alpha:
        child = most_promising(work.children, at, end)
        mine, theirs = unsigned(work.children[child + ME]), unsigned(work.children[child + OPP])
        if not is_first and is_elsewhere(mine, theirs, child, left, work):
            work.children[child + PROMISE] -= DEFERRED
            continue
        is_first = False
        waiting -= 1
        work.children[child + PROMISE] = TRIED
        if left - 1 > SHALLOW:
            begin(mine, theirs, left, work)
            value = -above(board, mine, theirs, -alpha - 1, left - 1, end, work)
            leave(mine, theirs, left, work)
        else:
            parity = parity_of(board, cells(board) & ~(mine | theirs))
            value = -shallow(board, mine, theirs, -alpha - 1, left - 1, parity, counts)
        if counts[STOP]:
            return alpha
        if value > best:
            best, best_move = value, work.children[child + MOVE]
    if best > alpha:
        lower = max(lower, best)
    else:
        upper = min(upper, best)
    file(work.table, me, opp, lower, upper, best_move, counts[NODES] - before + 1)
    return best


@kernel
def shallow(
    board: Board, me: U64, opp: U64, alpha: int, left: int, parity: int, counts: Slab
) -> int:
    """The same with five empty squares or a few more: those of odd quadrants first."""
    counts[NODES] += 1
    moves = legal_squares(me, opp, cells(board))
    if moves == ZERO:
        if legal_squares(opp, me, cells(board)) == ZERO:
            return final_score(board, me, opp)
        return -shallow(board, opp, me, -alpha - 1, left, parity, counts)
    if is_stability_useful(alpha, left):
        most = most_by_stability(board, me, opp)
        if most <= alpha:
            return most
    best = NO_MOVE
    odd = squares_of(board, parity)
    first, then = moves & odd, moves & ~odd
    while first | then:
        if first == ZERO:
            first, then = then, ZERO
        square = lowest_index(first)
        first = without_lowest(first)
        flips = flipped_discs(square, me, opp)
        mine, theirs = me ^ flips ^ bit(square), opp ^ flips
        rest = parity ^ quadrant(board, square)
        if left == 5:
            empty = cells(board) & ~(mine | theirs)
            value = -last_four(board, theirs, mine, -alpha - 1, empty, rest, counts)
        else:
            value = -shallow(board, theirs, mine, -alpha - 1, left - 1, rest, counts)
        best = max(best, value)
        if best > alpha:
            break
    return best


# ------------------------------------------------------------------ stable discs


@compilable
def is_stability_useful(alpha: int, left: int) -> bool:
    """Whether enough discs could be stable to matter: the more empty squares, the fewer are."""
    return alpha >= 2 * left - 2


@compilable
def most_by_stability(board: Board, me: U64, opp: U64) -> int:
    """A score that I cannot exceed, since the other side's stable discs stay."""
    return count_cells(board) - 2 * popcount(stable_discs(opp, me, cells(board)))


# ------------------------------------------------------------------ children


@compilable
def expand(
    board: Board,
    me: U64,
    opp: U64,
    moves: U64,
    alpha: int,
    left: int,
    known_move: int,
    at: int,
    work: Work,
) -> tuple[int, int, int]:
    """Play every move. A score above alpha that needs no search, its move; where children end."""
    end, children = at, work.children
    odd = squares_of(board, parity_of(board, cells(board) & ~(me | opp)))
    while moves:
        square = lowest_index(moves)
        moves = without_lowest(moves)
        flips = flipped_discs(square, me, opp)
        mine, theirs = me ^ flips ^ bit(square), opp ^ flips
        if theirs == ZERO:
            return count_cells(board), square, at
        if left - 1 > SHALLOW:
            fetch(work.table, theirs, mine)
        children[end + ME] = signed(theirs)
        children[end + OPP] = signed(mine)
        children[end + MOVE] = square
        if square == known_move:
            children[end + PROMISE] = KNOWN_BEST
        elif left < LOOK_FROM:
            children[end + PROMISE] = promise_seen(board, mine, theirs, square, odd)
        else:
            plies = 2 if left < LOOK_FAR_FROM else 4
            promise = promise_ahead(board, mine, theirs, square, odd, plies, work.counts)
            children[end + PROMISE] = promise
        end += CHILD
    if left >= ASK_CHILDREN_FROM:
        for child in range(at, end, CHILD):
            known = find(
                work.table, unsigned(children[child + ME]), unsigned(children[child + OPP])
            )
            if known != ZERO and -upper_of(known) > alpha:
                return -upper_of(known), children[child + MOVE], at
    return NO_MOVE, NOTHING, end


@compilable
def most_promising(children: Slab, at: int, end: int) -> int:
    """The next child to try; mostly there is no other after it, so nothing is sorted."""
    chosen = at
    for child in range(at + CHILD, end, CHILD):
        if children[child + PROMISE] > children[chosen + PROMISE]:
            chosen = child
    return chosen


# ------------------------------------------------------------------ several threads


@compilable
def desk_of(code: U64) -> int:
    return signed(code >> U64(64 - BUSY_BITS))


@compilable
def is_elsewhere(me: U64, opp: U64, child: int, left: int, work: Work) -> bool:
    """Whether another thread searches this child, which has not been deferred before."""
    if work.threads == 1 or left < SHARE_FROM or work.children[child + PROMISE] < -DEFERRED // 2:
        return False
    code = scattered(me, opp)
    return work.busy[desk_of(code)] == signed(code)


@compilable
def begin(me: U64, opp: U64, left: int, work: Work) -> None:
    """Record that this thread searches a child."""
    if work.threads > 1 and left >= SHARE_FROM:
        code = scattered(me, opp)
        work.busy[desk_of(code)] = signed(code)


@compilable
def leave(me: U64, opp: U64, left: int, work: Work) -> None:
    """Remove that record, unless another thread has replaced it."""
    if work.threads > 1 and left >= SHARE_FROM:
        code = scattered(me, opp)
        if work.busy[desk_of(code)] == signed(code):
            work.busy[desk_of(code)] = 0
