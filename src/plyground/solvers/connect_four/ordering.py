"""Which move to try first: the one that makes threats, through cells where most is still possible.

A move counts the threats that its side then has, more if the cell is playable after the reply or
one row higher; a threat above a threat of the opponent's is worth nothing, for the game never gets
there. Near the root the lines through the cell that can still become fours are counted too, for
both sides, by the stones they already hold.

Of nearly equal moves the more central goes first, for there play transposes: a quarter fewer nodes
on the empty board than from left to right. The weights come from a random search on 70 positions
(docs/experiments/LOG.md, with what did not help).
"""

from __future__ import annotations

from plyground.bits import ONE, U64, lowest_index, popcount
from plyground.kernel import Slab, compilable
from plyground.solvers.connect_four.board import (
    Board,
    all_cells,
    first_row,
    fours,
    playable,
    rows,
    upwards,
)
from plyground.solvers.connect_four.children import CREATED, MOVE, PROMISE, SIZE

ANY, NEXT, NEXT_BUT_ONE = 37, 22, 26  # a threat; more if playable after the reply, or one higher
OWN = (4, 20, 11)  # a line without their stones, with none, one or two of mine
OTHER = (4, 8, 8)  # a line without my stones, with none, one or two of theirs
LIVE_LINES_FROM = 20  # empty cells: below, lines cost more than they save
PER_WORTH, PER_COLUMN = 16, 3  # a unit of the above, and a column nearer to the middle
SPECKLED = U64(0x5A96_C3A5_69E1_B478)


@compilable
def weigh(
    board: Board,
    me: U64,
    them: U64,
    theirs: U64,
    left: int,
    children: Slab,
    at: int,
    end: int,
    jitter: int,
) -> None:
    """Rate how promising each child of a node is."""
    for child in range(at, end, SIZE):
        move, created = U64(children[child + MOVE]), U64(children[child + CREATED])
        worth = threat_score(board, me | them | move, created, theirs & ~move)
        if jitter:
            worth += popcount(move & SPECKLED) << jitter
        children[child + PROMISE] = PER_WORTH * worth + PER_COLUMN * centrality(board, move)
    if left < LIVE_LINES_FROM:
        return
    step = rows(board) + 1
    for direction in (1, step - 1, step, step + 1):
        near = U64(direction)
        own = by_stones(fours(all_cells(board) & ~them, direction), me, near)
        other = by_stones(fours(all_cells(board) & ~me, direction), them, near)
        for child in range(at, end, SIZE):
            through = lines_through(U64(children[child + MOVE]), near)
            worth = counted(own, through, OWN) + counted(other, through, OTHER)
            children[child + PROMISE] += PER_WORTH * worth


@compilable
def centrality(board: Board, move: U64) -> int:
    """How many columns lie between a cell and the nearer edge."""
    column = lowest_index(move) // (rows(board) + 1)
    return min(column, popcount(first_row(board)) - 1 - column)


@compilable
def threat_score(board: Board, stones: U64, mine: U64, theirs: U64) -> int:
    """The worth of threats, seen by the side that has just moved."""
    open_cells = playable(board, stones)
    useful = mine & ~(upwards(board, theirs) << ONE)
    now = popcount(useful & open_cells)
    soon = popcount(useful & (open_cells << ONE))
    return NEXT * now + NEXT_BUT_ONE * soon + ANY * popcount(useful)


@compilable
def lines_through(cell: U64, near: U64) -> U64:
    """The lines of four in one direction that a cell is part of, named by their first cells."""
    through = cell | (cell >> near)
    return through | ((through >> near) >> near)


@compilable
def by_stones(lines: U64, stones: U64, near: U64) -> tuple[U64, U64, U64]:
    """Lines with none, one and two of these stones; all lines of a direction at once."""
    a, b = stones, stones >> near
    c, d = b >> near, (b >> near) >> near
    odd = a ^ b ^ c ^ d
    any_of_them = a | b | c | d
    return lines & ~any_of_them, lines & odd, lines & any_of_them & ~odd


@compilable
def counted(lines: tuple[U64, U64, U64], through: U64, worth: tuple[int, int, int]) -> int:
    """The worth of the lines that lead through a cell."""
    return (
        worth[0] * popcount(lines[0] & through)
        + worth[1] * popcount(lines[1] & through)
        + worth[2] * popcount(lines[2] & through)
    )
