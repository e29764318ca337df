"""Follow-up strategies: a bound on the score from a few operations instead of a search.

Let R be the side that is *not* to move, M the mover. R answers every move of M in the same column,
directly above it, and so gets every second cell of each column: its *claims*. In most columns they
are the even rows. In a set S of columns, where R has a threat on an odd row that is not playable
yet, R means to get the odd rows instead.

Theorem 1 (parity). On a board with an even number of rows, R can answer so to the end if |S| is
even when an even number of stones is on the board, and odd when it is odd. A claim that is playable
now is given up to M; of such cells there is an even number, and R answers one with another.

Theorem 2 (caps). The lowest threat of R on a claim caps its column: M never gets a cell at or above
it, since M's stone right below it lets R complete the four.

Theorem 3 (bound). Suppose M's stones and all unclaimed empty cells below the caps hold no four of
M's. Then M does not win. If there is a cap, R wins: M runs out of other cells first, for the number
of cells outside the capped parts is even when M is to move, and must play below a cap. At that time
only the capped columns have empty cells, from right below the cap upwards. If there is no cap, M's
score is at most 0; and less if R's stones and claims hold a four, which R completes in the end.

Theorem 4 (lines above lines). M's possible fours do no harm if each has a four of R's stones and
claims below it, in the same columns and the same direction: R's is complete before it.

The case S = {} without caps is J. Tromp's and B. Steininger's "evens" rule; see V. Allis 1988 for
*claimeven* and *follow-up*. Proofs: docs/connect-four.md.
"""

from __future__ import annotations

from plyground.bits import ONE, U64, ZERO, bit, lowest_index, popcount
from plyground.kernel import compilable, verb
from plyground.solvers.connect_four.board import (
    Board,
    all_cells,
    even_rows,
    fours,
    playable,
    rows,
    upwards,
)

NO_BOUND = 64


@verb
def follow_up(
    board: Board, mover: U64, other: U64, others_threats: U64, left: int, target: int
) -> int:
    """An upper bound on the mover's score, or `NO_BOUND`. The position is quiet.

    Bounds above the target are of no use, and not looked for.
    """
    if rows(board) & 1:
        return NO_BOUND
    open_cells = playable(board, mover | other)
    odd = others_threats & ~open_cells & ~even_rows(board)
    if (popcount(all_cells(board)) - left) & 1:
        bound = NO_BOUND
        while odd != ZERO:
            column = column_of(board, odd)
            odd &= ~column
            found = bound_by_claims(board, mover, other, others_threats, open_cells, column, target)
            bound = min(bound, found)
        return bound
    bound = bound_by_claims(board, mover, other, others_threats, open_cells, ZERO, target)
    while odd != ZERO:
        column = column_of(board, odd)
        odd &= ~column
        second = odd
        while second != ZERO:
            pair = column | column_of(board, second)
            second &= ~pair
            found = bound_by_claims(board, mover, other, others_threats, open_cells, pair, target)
            bound = min(bound, found)
    return bound


@compilable
def column_of(board: Board, cells: U64) -> U64:
    """All cells of the column that the lowest of these cells stands in."""
    step = rows(board) + 1
    start = bit(lowest_index(cells) // step * step)
    return (start << U64(rows(board))) - start


@compilable
def bound_by_claims(
    board: Board,
    mover: U64,
    other: U64,
    others_threats: U64,
    open_cells: U64,
    odd_columns: U64,
    target: int,
) -> int:
    """The bound if the other side claims odd rows in these columns, even rows elsewhere."""
    hidden = all_cells(board) & ~(mover | other | open_cells)
    claims = hidden & (even_rows(board) ^ odd_columns)
    capped = upwards(board, others_threats & claims)
    bound = capped_bound(capped) if capped != ZERO else -1
    if bound > target:
        return NO_BOUND
    hopes = mover | ((hidden | open_cells) & ~claims & ~capped)
    if fours(hopes, 1) != ZERO:  # a cell that R gives up, and the one above it
        return NO_BOUND
    future = other | claims
    step = rows(board) + 1
    wins = ZERO
    for direction in (step - 1, step, step + 1):
        ours = fours(future, direction)
        if fours(hopes, direction) & ~upwards(board, ours) != ZERO:
            return NO_BOUND
        wins |= ours
    return 0 if capped == ZERO == wins else bound


@compilable
def capped_bound(capped: U64) -> int:
    """The mover's score at best if these cells, and those right below them, are played last."""
    return -(popcount(capped | (capped >> ONE)) >> 1)
