"""Which move to try first, and why: the one that leaves the other side the least to do.

Near the end, by what can be seen: the replies left to the other side, corners among them more, the
squares where it might get replies, parity, corners and the squares next to them. While many squares
are empty, by a search of two plies with the same kind of view. The weights are those that took the
fewest nodes on positions of games between strong programs, and docs/experiments/LOG.md tells what
they are worth.
"""

from __future__ import annotations

from plyground.bits import U64, ZERO, bit, lowest_index, popcount, without_lowest
from plyground.evaluation.othello_squares import with_neighbours
from plyground.games.othello import flipped_discs, legal_squares
from plyground.kernel import Slab, compilable, kernel
from plyground.solvers.othello.board import Board, cells, corners, final_score, inner
from plyground.solvers.spec import NODES

FAR = 1 << 30
DECIDED = 1 << 16  # for each disc of a game that ends within the look ahead


@compilable
def held_corners(board: Board, mine: U64) -> int:
    """My corners, and the discs next to them along the edges."""
    corner = mine & corners(board)
    beside = (corner << U64(1)) | (corner >> U64(1)) | (corner << U64(8)) | (corner >> U64(8))
    return popcount(corner) + popcount(beside & mine)


@compilable
def promise_seen(board: Board, mine: U64, theirs: U64, square: int, odd: U64) -> int:
    """How good a move looks after which the discs are these."""
    replies = legal_squares(theirs, mine, cells(board))
    empty = cells(board) & ~(mine | theirs)
    stone = bit(square)
    near_corner = with_neighbours(corners(board)) & ~corners(board)
    promise = 10 * popcount(with_neighbours(theirs) & empty) - 2 * popcount(
        with_neighbours(mine) & empty
    )
    promise -= 32 * popcount(replies) + 38 * popcount(replies & corners(board))
    promise += 4 * held_corners(board, mine)
    if stone & odd:
        promise += 3
    if stone & corners(board):
        promise += 20
    elif stone & near_corner:
        promise -= 31 if stone & inner(board) else 3
    return promise


# ------------------------------------------------------------------ looking ahead


@compilable
def outlook(board: Board, me: U64, opp: U64) -> int:
    """How well placed the side to move is."""
    mine, theirs = legal_squares(me, opp, cells(board)), legal_squares(opp, me, cells(board))
    empty, corner = cells(board) & ~(me | opp), corners(board)
    value = 36 * popcount(mine) - 4 * popcount(theirs)
    value += 66 * popcount(mine & corner) - 16 * popcount(theirs & corner)
    value += 12 * (popcount(with_neighbours(opp) & empty) - popcount(with_neighbours(me) & empty))
    value += 49 * (popcount(me & corner) - popcount(opp & corner))
    value += 22 * (held_corners(board, me) - held_corners(board, opp))
    exposed = with_neighbours(empty & corner) & inner(board)
    return value - 34 * (popcount(me & exposed) - popcount(opp & exposed))


@kernel
def look(board: Board, me: U64, opp: U64, plies: int, alpha: int, beta: int, counts: Slab) -> int:
    """The outlook so many plies ahead."""
    counts[NODES] += 1
    if plies == 0:
        return outlook(board, me, opp)
    moves = legal_squares(me, opp, cells(board))
    if moves == ZERO:
        if legal_squares(opp, me, cells(board)) == ZERO:
            return DECIDED * final_score(board, me, opp)
        return -look(board, opp, me, plies, -beta, -alpha, counts)
    best = -FAR
    while moves:
        square = lowest_index(moves)
        moves = without_lowest(moves)
        flips = flipped_discs(square, me, opp)
        mine, theirs = me ^ flips ^ bit(square), opp ^ flips
        value = -look(board, theirs, mine, plies - 1, -beta, -max(alpha, best), counts)
        best = max(best, value)
        if best >= beta:
            break
    return best


@compilable
def promise_ahead(
    board: Board, mine: U64, theirs: U64, square: int, odd: U64, plies: int, counts: Slab
) -> int:
    """How good a move looks an even number of plies later: the outlook favours who moves."""
    promise = -look(board, theirs, mine, plies, -FAR, FAR, counts)
    return promise + 14 if bit(square) & odd else promise
